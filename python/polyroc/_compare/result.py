"""What a comparison of models gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.display import (
    UNKNOWN,
    counted,
    decimals,
    error_text,
    limits_text,
    p_sentence,
    percents,
    rows_counted,
    titled,
)
from polyroc._base.frame import data_frame
from polyroc._base.picture import Pictured
from polyroc._base.plain import plain_label, plain_labels
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._compare.pair_test import PairTest, pair_columns, pair_table
from polyroc._compare.pilot import comparison_as_pilot
from polyroc._data.favoured import favour_text
from polyroc._data.units import counts_vary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.table import Part
    from polyroc._base.types import Array, Floats
    from polyroc._inference.pilot import Pilot
    from polyroc._measures.measure import Measure
    from polyroc._stats.wald import Wald

_WHAT = ("pairs", "models")


@public
@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Pictured, Result):
    """Models compared by one measure; made by :func:`polyroc.compare`.

    Attributes
    ----------
    models : tuple of str
        The models, in the order given.
    estimates, standard_errors : ndarray of shape (m,)
        The measure of each model, and its standard error.
    intervals : ndarray of shape (m, 2)
        An interval for each model's measure.
    covariance : ndarray of shape (m, m)
        The covariance matrix of the estimates; zero between models on different rows.
    pairs : tuple of PairTest
        Every two models: ``first``, ``second``, ``difference`` (first minus second),
        ``standard_error``, ``low`` and ``high``, ``statistic``, ``p_value``, ``p_adjusted``,
        ``freedom`` (degrees of freedom of its t), and with a margin ``p_non_inferior``,
        ``p_non_superior`` and ``p_equivalent``.
    overall : Wald
        The test that all models are equal: ``statistic`` (chi-square or F), ``df``, ``p_value``,
        and ``freedom``, the degrees of freedom of F's denominator.
    difference, standard_error, interval, p_value
        Of the only pair, where there are two models.
    method, adjust, confidence, margin, paired
        What was asked for.
    alternative : str
        What pairs are tested for: "two-sided", "greater" or "less".
    reference : str
        "normal" for z-tests and chi-square, "t" for t-tests and F.
    interval_by : str
        How intervals of differences are made: "test", "bca" or "percentile".
    statistic : str
        What permutations are compared by: "difference" or "studentized".
    notes : tuple of str
        What is special, one sentence each.
    n_resamples, seed : int or None
        Of the bootstrap or of the permutations.
    classes : tuple
        The label of each class.
    sizes : ndarray of shape (K,), or (m, K)
        How many rows each class has; for models on different rows one line per model.
    group_sizes : ndarray or None
        How many groups have rows of each class, in the same shape; None without groups.
    favoured : label or None
        Of two classes, the one that high scores stand for; None where every class has scores.
    counted_in : str
        "OneVsRest(average='micro')", say: the measure that class counts enter, if they vary because
        of that; else empty.
    measure, stratified, unit, n_units, version
        What else is needed to repeat the comparison.
    """

    _picture = "forest.differences"

    measure: Measure[Any]
    models: tuple[str, ...]
    estimates: Floats
    standard_errors: Floats
    intervals: Floats
    covariance: Floats
    pairs: tuple[PairTest, ...]
    overall: Wald
    method: str
    alternative: str
    reference: str
    interval_by: str
    statistic: str
    adjust: str | None
    confidence: float
    margin: float | None
    paired: bool
    notes: tuple[str, ...]
    n_resamples: int | None
    seed: int | None
    stratified: bool
    unit: str
    n_units: int
    classes: tuple[Any, ...]
    sizes: Array
    group_sizes: Array | None = None
    favoured: Any = None
    counted_in: str = ""
    version: str = _core.__version__

    def __post_init__(self) -> None:
        """Make arrays read-only."""
        self._freeze()

    @property
    def difference(self) -> float:
        """The difference of the two models, first minus second."""
        return self._only().difference

    @property
    def standard_error(self) -> float:
        """Its standard error."""
        return self._only().standard_error

    @property
    def interval(self) -> Array:
        """Its interval (low, high)."""
        limits = np.array([self._only().low, self._only().high])
        limits.flags.writeable = False
        return limits

    @property
    def p_value(self) -> float:
        """The p-value of no difference."""
        return self._only().p_value

    def _only(self) -> PairTest:
        if len(self.pairs) != 1:
            raise AttributeError(
                f"{len(self.models)} models have {len(self.pairs)} differences; look them up in "
                ".pairs, or with .pair(first, second)"
            )
        return self.pairs[0]

    def pair(self, first: str, second: str) -> PairTest:
        """Return the comparison of two models, `first` minus `second`.

        Examples
        --------
        >>> import polyroc as pr
        >>> y, models = pr.example_predictions()
        >>> c = pr.compare(y, models, "hand_till")
        >>> round(c.pair("naive Bayes", "logistic regression").difference, 4)
        -0.0234
        """
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.second, pair.first) == (first, second):
                return pair.turned()
        raise KeyError(f"no pair of {first!r} and {second!r}; models are {list(self.models)}")

    def to_frame(self, library: str | None = None, what: str | None = "pairs") -> Any:
        """Return the pairs of models, or the models, as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Whose; by default that of pandas, or of polars where pandas is not installed.
        what : {"pairs", "models"}
            What has a line each.

        Examples
        --------
        >>> import polyroc as pr
        >>> y, models = pr.example_predictions()
        >>> c = pr.compare(y, models, "hand_till")
        >>> c.to_frame("pandas", what="models").round(3)
                          model  estimate  standard_error    low   high
        0   logistic regression     0.999           0.000  0.998  0.999
        1  9 nearest neighbours     0.999           0.001  0.997  1.000
        2           naive Bayes     0.976           0.002  0.970  0.980
        """
        choose("what", what, _WHAT)
        if library in _WHAT:
            raise ValueError(f'library is {library!r}; pass what="{library}"')
        return data_frame(self._columns() if what == "pairs" else self._model_columns(), library)

    def to_markdown(self, what: str = "pairs") -> str:
        """Return the table of the pairs, or of the models, in Markdown."""
        choose("what", what, _WHAT)
        return (self._table() if what == "pairs" else self._model_table()).to_markdown()

    def to_latex(self, what: str = "pairs") -> str:
        """Return the table of the pairs, or of the models, as a LaTeX tabular."""
        choose("what", what, _WHAT)
        return (self._table() if what == "pairs" else self._model_table()).to_latex()

    def to_pandas(self) -> Any:
        """Return the pairs as a pandas data frame."""
        return self.to_frame("pandas")

    def to_polars(self) -> Any:
        """Return the pairs as a polars data frame."""
        return self.to_frame("polars")

    def _as_pilot(self, models: Any) -> Pilot:
        """Return two models as a pilot: those named, or the only two."""
        return comparison_as_pilot(self, models)

    def _contents(self) -> dict[str, Any]:
        special = {
            "measure": repr(self.measure),
            "pairs": [pair._contents() for pair in self.pairs],
            "overall": self.overall._asdict(),
            "classes": plain_labels(self.classes),
            "favoured": plain_label(self.favoured),
        }
        return {**vars(self), **special}

    def _columns(self) -> dict[str, list[Any]]:
        return pair_columns(self.pairs)

    def _model_columns(self) -> dict[str, list[Any]]:
        return {
            "model": list(self.models),
            "estimate": self.estimates.tolist(),
            "standard_error": self.standard_errors.tolist(),
            "low": self.intervals[:, 0].tolist(),
            "high": self.intervals[:, 1].tolist(),
        }

    def _parts(self) -> Iterable[Part]:
        # As text, the signs of the numbers say enough without a heading.
        return self._parts_with(self._pair_table(("difference", "")))

    def _parts_of_html(self) -> Iterable[Part]:
        return self._parts_with(self._table())

    def _parts_with(self, pairs: Table) -> Iterable[Part]:
        yield _title(self)
        yield ""
        yield self._model_table()
        yield ""
        yield pairs
        remarks = list(comparison_remarks(self))
        if remarks:
            yield ""
            yield from (f"  {remark}" for remark in remarks)

    def _table(self) -> Table:
        return self._pair_table(("models", "difference"))

    def _pair_table(self, titles: tuple[str, str]) -> Table:
        several = self.adjust if len(self.pairs) > 1 else None
        interval = f"{percents([self.confidence])} interval"
        adjusted = {"holm": "p (Holm)", "bonferroni": "p (Bonferroni)"}.get(several or "", "")
        return pair_table(self.pairs, interval, adjusted, self.margin is not None, titles)

    def _model_table(self) -> Table:
        digits = decimals(self.standard_errors)
        limits = [
            UNKNOWN if np.isnan(row).any() else limits_text(row, digits, "two")
            for row in self.intervals
        ]
        return Table(
            [
                Column("model", self.models, left=True),
                Column(self.measure.name, [f"{value:.{digits}f}" for value in self.estimates]),
                Column("std error", [*map(error_text, self.standard_errors)]),
                Column(f"{percents([self.confidence])} interval", limits, left=True),
            ]
        )


def _title(c: Comparison) -> str:
    units = f"the same {rows_counted(c.sizes, c.unit, c.n_units, c.measure.row)}"
    if not c.paired:
        rows = rows_counted(c.sizes, c.unit, c.n_units, c.measure.row)
        units = f"different {c.unit}s ({f'{c.n_units:,}' if c.unit == 'row' else rows} in all)"
    return f"{titled(c.measure)} of {counted(len(c.models), 'model')} on {units}: {_how(c)}"


def comparison_title(c: Comparison) -> str:
    """Return what models are compared by, and how: auc_mu (DeLong, t)."""
    return f"{titled(c.measure)} ({_how(c)})"


def _how(c: Comparison) -> str:
    how = _delong(c)
    if c.n_resamples is not None:
        noun = "permutation" if c.method == "permutation" else "resample"
        how = f"{counted(c.n_resamples, noun)}, seed {c.seed}"
        if c.method == "bootstrap":
            way = "paired bootstrap" if c.paired else "bootstrap"
            how = f"{way}, {'t' if c.reference == 't' else 'z'}, {how}"
    return how


def _delong(c: Comparison) -> str:
    return "DeLong, t" if c.reference == "t" else "DeLong"


def comparison_remarks(c: Comparison) -> Iterable[str]:
    """Yield what there is to say beside the numbers."""
    if len(c.models) > 2:
        test = c.overall
        shown = ""
        if math.isfinite(test.statistic):
            degrees = f"{test.df} degree{'' if test.df == 1 else 's'} of freedom"
            shown = f"chi-square {test.statistic:.4g}, {degrees}, "
            if math.isfinite(test.freedom):
                degrees = f"{test.df} and {test.freedom:.1f} degrees of freedom"
                shown = f"F {test.statistic:.4g} on {degrees}, "
        yield f"all equal: {shown}{p_sentence(test.p_value)}"
    if c.alternative != "two-sided":
        sign = ">" if c.alternative == "greater" else "<"
        yield f"one-sided: p and intervals are of first {sign} second"
    if c.margin is not None:
        yield f"non-inferior: first > second - {c.margin:g}; equivalent: within {c.margin:g}"
    if c.interval_by != "test":
        name = {"bca": "BCa"}.get(c.interval_by, c.interval_by)
        yield f"intervals of differences by {name}, which p does not go by"
    if c.method == "permutation":
        other = "errors and intervals"
        if len(c.models) > 2 and math.isfinite(c.overall.statistic):
            other = f"errors, intervals, {'F' if c.reference == 't' else 'chi-square'}"
        way = "permutation, which tests that models are exchangeable"
        if c.statistic == "studentized":
            way = "studentized permutation, approximate unless models are exchangeable"
        by_delong = f"; {other} by {_delong(c)}" if np.isfinite(c.standard_errors).any() else ""
        yield f"p by {way}{by_delong}"
    if c.counted_in:
        yield counts_vary(c.counted_in)
    if c.favoured is not None:
        yield favour_text(c.favoured)
    yield from (f"note: {note}" for note in c.notes)
