"""What a comparison of models gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._display import counted, percents, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._measure import Measure
    from polyroc._tests_of_equality import Wald
    from polyroc._types import Array, Floats

_METHODS = {
    "delong": "DeLong",
    "bootstrap": "paired bootstrap",
    "permutation": "permutation",
}


@dataclass(frozen=True)
class PairTest:
    """Two models compared: `first` minus `second`."""

    first: str
    second: str
    difference: float
    standard_error: float
    low: float
    high: float
    statistic: float
    p_value: float
    p_adjusted: float
    p_non_inferior: float = float("nan")
    p_equivalent: float = float("nan")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
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
        ``standard_error``, ``low`` and ``high``, ``statistic``, ``p_value``, ``p_adjusted``, and
        with a margin ``p_non_inferior`` and ``p_equivalent``.
    overall : Wald
        The test that all models are equal: ``statistic``, ``df``, ``p_value``.
    difference, standard_error, interval, p_value
        Of the only pair, where there are two models.
    method, adjust, confidence, margin, paired
        What was asked for.
    notes : tuple of str
        What is special, one sentence each.
    n_resamples, seed : int or None
        Of the bootstrap or of the permutations.
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
    version: str = _core.__version__

    def __post_init__(self) -> None:
        """Make arrays read-only."""
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

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
        return np.array([self._only().low, self._only().high])

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
        """Return the comparison of two models; in the order of the models if turned round.

        Examples
        --------
        >>> import polyroc as pr
        >>> y, models = pr.example_predictions()
        >>> c = pr.compare(y, models, "hand_till")
        >>> round(c.pair("naive Bayes", "9 nearest neighbours").difference, 4)
        0.0234
        """
        for one in self.pairs:
            if {one.first, one.second} == {first, second}:
                return one
        raise KeyError(f"no pair of {first!r} and {second!r}; models are {list(self.models)}")

    def __repr__(self) -> str:
        return "\n".join(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Return all there is as plain Python: numbers, strings, lists. Ready for JSON."""
        out = {name: plain(value) for name, value in vars(self).items()
               if name not in ("measure", "pairs", "overall")}  # fmt: skip
        out["measure"] = repr(self.measure)
        out["pairs"] = [{k: plain(v) for k, v in vars(one).items()} for one in self.pairs]
        out["overall"] = {k: plain(v) for k, v in self.overall._asdict().items()}
        return out

    def to_pandas(self) -> Any:
        """Return the pairs as a pandas data frame."""
        return _frame("pandas")(self._columns())

    def to_polars(self) -> Any:
        """Return the pairs as a polars data frame."""
        return _frame("polars")(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        return {name: [getattr(one, name) for one in self.pairs] for name in vars(self.pairs[0])}


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
    how = "bootstrap" if c.method == "bootstrap" and not c.paired else _METHODS[c.method]
    if c.n_resamples is not None:
        noun = "permutation" if c.method == "permutation" else "resample"
        how += f", {counted(c.n_resamples, noun)}, seed {c.seed}"
    same, unit = "the same" if c.paired else "different", "row" if c.unit == "row" else "group"
    units = counted(c.n_units, unit)
    yield f"{c.measure.name} of {counted(len(c.models), 'model')} on {same} rows ({units}): {how}"
    yield ""
    yield from _model_lines(c)
    yield ""
    yield from _pair_lines(c)
    if len(c.models) > 2:
        test = c.overall
        degrees = f"{test.df} degree{'' if test.df == 1 else 's'} of freedom"
        p = _p(test.p_value)
        yield ""
        yield (f"  all equal: chi-square {test.statistic:.4g}, {degrees}, "
               f"p {p if p.startswith('<') else '= ' + p}")  # fmt: skip
    if c.margin is not None:
        yield f"  non-inferior: first > second - {c.margin:g}; equivalent: within {c.margin:g}"
    for note in c.notes:
        yield f"  note: {note}"


def _model_lines(c: Comparison) -> Iterable[str]:
    digits = _digits(c.standard_errors)
    width = max(map(len, ("model", *c.models)))
    wide = max(len(c.measure.name), digits + 2)
    level = percents([c.confidence])
    yield f"  {'model':<{width}}  {c.measure.name:>{wide}}  {'error':>8}  {level} interval"
    for name, value, error, (low, high) in zip(
        c.models, c.estimates, c.standard_errors, c.intervals, strict=True
    ):
        limits = f"{low:.{digits}f} to {high:.{digits}f}"
        yield f"  {name:<{width}}  {value:>{wide}.{digits}f}  {error:>8.2g}  {limits}"


def _pair_lines(c: Comparison) -> Iterable[str]:
    digits = _digits(np.array([one.standard_error for one in c.pairs]))
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


def _digits(errors: Floats) -> int:
    """Return decimals that show at least one digit of the smallest error."""
    known = errors[errors > 0]
    return 4 if not len(known) else min(max(4, 1 - math.floor(math.log10(known.min()))), 9)


def _p(value: float) -> str:
    return "< 0.0001" if value < 1e-4 else f"{value:.4f}"
