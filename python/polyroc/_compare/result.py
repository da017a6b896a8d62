"""What a comparison of models gives."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.display import counted, decimals, percents, plain, plain_labels, titled
from polyroc._base.result import FrozenArrays

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Array, Floats
    from polyroc._measures.measure import Measure
    from polyroc._stats.wald import Wald


@dataclass(frozen=True)
class PairTest:
    """Two models compared: `first` minus `second`.

    Attributes
    ----------
    first, second : str
        The models.
    difference, standard_error, low, high : float
        First minus second, its standard error and interval.
    statistic, p_value, p_adjusted : float
        The difference in standard errors (for a t-test with what these lack in small samples); the
        p-value of no difference, by itself and adjusted for the number of pairs.
    p_non_inferior, p_non_superior, p_equivalent : float
        With a margin: the one-sided p-values that first > second - margin and that
        first < second + margin, and the larger one of the two. Otherwise nan.
    freedom : float
        Degrees of freedom of Student's t, to which the difference is referred; infinite where it
        is the normal distribution.
    """

    first: str
    second: str
    difference: float
    standard_error: float
    low: float
    high: float
    statistic: float
    p_value: float
    p_adjusted: float
    p_non_inferior: float = math.nan
    p_non_superior: float = math.nan
    p_equivalent: float = math.nan
    freedom: float = math.inf

    def turned(self) -> PairTest:
        """Return the same with `second` minus `first`."""
        return replace(
            self, first=self.second, second=self.first, difference=0.0 - self.difference,
            low=0.0 - self.high, high=0.0 - self.low, statistic=0.0 - self.statistic,
            p_non_inferior=self.p_non_superior, p_non_superior=self.p_non_inferior,
        )  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(FrozenArrays):
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
    reference : str
        "normal" for z-tests and chi-square, "t" for t-tests and F.
    notes : tuple of str
        What is special, one sentence each.
    n_resamples, seed : int or None
        Of the bootstrap or of the permutations.
    classes : tuple
        The label of each class.
    sizes : ndarray of shape (K,), or (m, K)
        How many units (rows, or groups with rows of it) each class has; for models on different
        rows a line a model.
    measure, stratified, unit, n_units, version
        What else is needed to repeat the comparison.
    """

    measure: Measure[Any]
    models: tuple[str, ...]
    estimates: Floats
    standard_errors: Floats
    intervals: Floats
    covariance: Floats
    pairs: tuple[PairTest, ...]
    overall: Wald
    method: str
    reference: str
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
        for one in self.pairs:
            if (one.first, one.second) == (first, second):
                return one
            if (one.second, one.first) == (first, second):
                return one.turned()
        raise KeyError(f"no pair of {first!r} and {second!r}; models are {list(self.models)}")

    def __repr__(self) -> str:
        return "\n".join(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Return all there is as plain Python: numbers, strings, lists. Ready for JSON."""
        special = {
            "measure": repr(self.measure),
            "pairs": [_finite(vars(one)) for one in self.pairs],
            "overall": _finite(self.overall._asdict()),
            "classes": plain_labels(self.classes),
        }
        return {name: special.get(name, plain(value)) for name, value in vars(self).items()}

    def to_pandas(self) -> Any:
        """Return the pairs as a pandas data frame."""
        return _frame("pandas")(self._columns())

    def to_polars(self) -> Any:
        """Return the pairs as a polars data frame."""
        return _frame("polars")(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        return {name: [getattr(one, name) for one in self.pairs] for name in vars(self.pairs[0])}


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """Return plain values; an infinite statistic, which JSON does not know either, as None."""
    infinite = {name for name, value in values.items() if value in (math.inf, -math.inf)}
    return {name: None if name in infinite else plain(value) for name, value in values.items()}


def _frame(library: str) -> Any:
    import importlib

    try:
        return importlib.import_module(library).DataFrame
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"a {library} data frame needs {library}: pip install {library}; "
            ".to_dict() needs nothing"
        ) from error


def _lines(c: Comparison) -> Iterable[str]:
    how = _delong(c)
    if c.n_resamples is not None:
        noun = "permutation" if c.method == "permutation" else "resample"
        how = f"{counted(c.n_resamples, noun)}, seed {c.seed}"
        if c.method == "bootstrap":
            way = "paired bootstrap" if c.paired else "bootstrap"
            how = f"{way}, {'t' if c.reference == 't' else 'z'}, {how}"
    units = f"the same {counted(c.n_units, c.unit)}"
    if not c.paired:
        units = f"different {c.unit}s ({c.n_units:,} in all)"
    measure = titled(c.measure)
    yield f"{measure} of {counted(len(c.models), 'model')} on {units}: {how}"
    yield ""
    yield from _model_lines(c)
    yield ""
    yield from _pair_lines(c)
    remarks = list(_remarks(c))
    if remarks:
        yield ""
        yield from (f"  {remark}" for remark in remarks)


def _delong(c: Comparison) -> str:
    return "DeLong, t" if c.reference == "t" else "DeLong"


def _remarks(c: Comparison) -> Iterable[str]:
    if len(c.models) > 2:
        test, p = c.overall, _p(c.overall.p_value)
        shown = ""
        if math.isfinite(test.statistic):
            degrees = f"{test.df} degree{'' if test.df == 1 else 's'} of freedom"
            shown = f"chi-square {test.statistic:.4g}, {degrees}, "
            if math.isfinite(test.freedom):
                degrees = f"{test.df} and {test.freedom:.1f} degrees of freedom"
                shown = f"F {test.statistic:.4g} on {degrees}, "
        yield f"all equal: {shown}p {p if p.startswith('<') else f'= {p}'}"
    if c.margin is not None:
        yield f"non-inferior: first > second - {c.margin:g}; equivalent: within {c.margin:g}"
    if c.method == "permutation":
        other = "errors and intervals"
        if len(c.models) > 2 and math.isfinite(c.overall.statistic):
            other = f"errors, intervals, {'F' if c.reference == 't' else 'chi-square'}"
        known = np.isfinite(c.standard_errors).any()
        yield f"p by permutation; {other} by {_delong(c)}" if known else "p by permutation"
    yield from (f"note: {note}" for note in c.notes)


def _model_lines(c: Comparison) -> Iterable[str]:
    digits = decimals(c.standard_errors)
    width = max(map(len, ("model", *c.models)))
    wide = max(len(c.measure.name), digits + 2)
    level = percents([c.confidence])
    yield f"  {'model':<{width}}  {c.measure.name:>{wide}}  {'std error':>9}  {level} interval"
    for name, value, error, (low, high) in zip(
        c.models, c.estimates, c.standard_errors, c.intervals, strict=True
    ):
        limits = f"{low:.{digits}f} to {high:.{digits}f}"
        yield f"  {name:<{width}}  {value:>{wide}.{digits}f}  {error:>9.2g}  {limits}"


def _pair_lines(c: Comparison) -> Iterable[str]:
    digits = decimals(np.array([one.standard_error for one in c.pairs]))
    several = c.adjust if len(c.pairs) > 1 else None
    head = ["difference", "", f"{percents([c.confidence])} interval", "p"]
    head += {"holm": ["p (Holm)"], "bonferroni": ["p (Bonferroni)"]}.get(several or "", [])
    head += [] if c.margin is None else ["p (non-inferior)", "p (equivalent)"]
    rows = [head]
    for one in c.pairs:
        limits = f"{one.low:+.{digits}f} to {one.high:+.{digits}f}"
        row = [f"{one.first} - {one.second}", f"{one.difference:+.{digits}f}", limits]
        row.append(_p(one.p_value))
        row += [] if several is None else [_p(one.p_adjusted)]
        row += [] if c.margin is None else [_p(one.p_non_inferior), _p(one.p_equivalent)]
        rows.append(row)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        left = f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:<{widths[2]}}"
        right = (f"{cell:>{width}}" for cell, width in zip(row[3:], widths[3:], strict=True))
        yield "  " + "  ".join([left, *right])


def _p(value: float) -> str:
    return "< 0.0001" if value < 1e-4 else f"{value:.4f}"
