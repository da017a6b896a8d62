"""A confusion matrix with its rates, as it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.display import UNKNOWN, counted, known
from polyroc._base.frame import label_column
from polyroc._base.picture import Pictured
from polyroc._base.plain import plain_labels
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._points.rates import RATES, SHOWN

if TYPE_CHECKING:
    from polyroc._base.table import Part
    from polyroc._base.types import Array, Floats

_METHODS = {"wilson": "Wilson", "bootstrap": "BCa"}
_MOST_CLASSES = 20  # that are printed
_DIGITS = 4
_WEIGHT_DIGITS, _MOST_WEIGHT_DIGITS = 2, 5  # after the first: of the least sum, of the greatest
_FEWER = 3  # where five rates stand side by side
_WITH_LIMITS = ("sensitivity", "ppv", "f1")  # of many classes, beside values of all


@public
@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Pictured, Result):
    """What is said of rows against what they are; made by :func:`polyroc.confusion`.

    Rates of a class are those against the rest. nan stands for what is not defined: the sensitivity
    of a class without rows, the PPV of one that is never said.

    Attributes
    ----------
    counts : ndarray of shape (K, K)
        ``counts[true, said]``: rows, or the sum of their weights.
    classes : tuple
        The classes, in the order of rows and columns.
    accuracy : float
        The share of rows of which the right class is said.
    sensitivity, specificity, ppv, npv, f1 : ndarray of shape (K,)
        The rates of each class. Of two classes, those of index 1 belong to the positive one.
    interval : dict of ndarray
        Limits (low, high) by the name of a rate: shape (2,) for "accuracy", else (K, 2).
    macro, macro_interval : dict
        The plain average of a rate over classes, nan if one of them is, and its limits, which come
        from the bootstrap alone.
    cost : float or None
        What all rows cost, B97 Eq. 6: the sum of ``counts[true, said] * costs[said, true]``.
    threshold : float or None
        The threshold, where there was one.
    costs : ndarray or None
        ``costs[said, true]``.
    confidence, method, n_resamples, seed
        How intervals were made: "wilson", or "bootstrap" with so many resamples.
    n_rows, unit, n_units
        Rows of positive weight, and what is resampled, "row" or "group".
    how, notes
        How the said class was found; what is special about the intervals.
    """

    _picture = "confusion.confusion"

    counts: Array
    classes: tuple[Any, ...]
    threshold: float | None
    costs: Floats | None
    cost: float | None
    accuracy: float
    sensitivity: Floats
    specificity: Floats
    ppv: Floats
    npv: Floats
    f1: Floats
    macro: dict[str, float]
    interval: dict[str, Floats]
    macro_interval: dict[str, Floats]
    confidence: float
    method: str
    n_resamples: int
    seed: int | None
    n_rows: int
    unit: str
    n_units: int
    how: str
    notes: tuple[str, ...]

    def __post_init__(self) -> None:
        self._freeze()

    def _freeze(self) -> None:
        super()._freeze()
        for limits in (*self.interval.values(), *self.macro_interval.values()):
            limits.flags.writeable = False

    def _contents(self) -> dict[str, Any]:
        return {**vars(self), "classes": plain_labels(self.classes)}

    def _parts(self) -> Iterable[Part]:
        yield f"confusion of {counted(self.n_rows, 'row')}, {self.how}"
        if len(self.classes) <= _MOST_CLASSES:
            yield ""
            yield self._matrix()
            yield ""
            yield self._table()
        else:
            k = len(self.classes)
            yield f"  .counts is {k} x {k}, true class by said class; rates of each: .to_frame()"
            yield self._overall()
        yield from self._remarks()

    def _remarks(self) -> Iterable[str]:
        several = len(self.classes) > 2
        if several and len(self.classes) <= _MOST_CLASSES:
            text = self._limits_text(self.accuracy, self.interval["accuracy"], _DIGITS)
            yield f"  accuracy {text}"
            yield f"  in brackets {self._kind}s; .interval has all of them"
        if not several:
            yield f"  rates are those of class {show(self.classes[1])}"
        if self.cost is not None:
            mean = self.cost / float(self.counts.sum())
            yield f"  total cost {self.cost:,.6g}, {mean:.4g} per row"
        if self.method == "bootstrap":
            of = "" if self.unit == "row" else f" in {counted(self.n_units, self.unit)}"
            rows = counted(self.n_rows, "row") + of
            yield f"  {counted(self.n_resamples, 'resample')} of {rows}, seed {self.seed}"
        elif several:
            yield '  averages over classes have intervals with method="bootstrap"'
        yield from (f"  note: {note}" for note in self.notes)

    def _matrix(self) -> Table:
        names = [str(label) for label in self.classes]
        cells = np.array(_counts(self.counts)).reshape(self.counts.shape).T.tolist()
        head = Column("true \\ said", names, left=True)
        return Table([head, *(Column(*both) for both in zip(names, cells, strict=True))])

    @property
    def _kind(self) -> str:
        return f"{100 * self.confidence:g} % {_METHODS[self.method]} interval"

    def _limits_text(self, value: float, limits: Floats, digits: int) -> str:
        if np.isnan(value):
            return UNKNOWN
        text = f"{value:.{digits}f}"
        if np.isnan(limits).any():
            return text
        return f"{text} ({limits[0]:.{digits}f} to {limits[1]:.{digits}f})"

    def _overall(self) -> Table:
        lines = [("accuracy", self.accuracy, self.interval["accuracy"])]
        lines += [(f"macro {SHOWN[n]}", self.macro[n], self.macro_interval[n]) for n in RATES]
        return self._lines(lines)

    def _lines(self, lines: list[tuple[str, float, Floats]]) -> Table:
        limits = [
            UNKNOWN if np.isnan(row).any() else f"{row[0]:.{_DIGITS}f} to {row[1]:.{_DIGITS}f}"
            for _, _, row in lines
        ]
        return Table(
            [
                Column("rate", [name for name, _, _ in lines], left=True),
                Column("value", [known(value, f".{_DIGITS}f") for _, value, _ in lines]),
                Column(self._kind, limits, left=True),
            ]
        )

    def _table(self) -> Table:
        if len(self.classes) == 2:
            lines = [("accuracy", self.accuracy, self.interval["accuracy"])]
            lines += [(SHOWN[n], float(getattr(self, n)[1]), self.interval[n][1]) for n in RATES]
            return self._lines(lines)
        columns = [Column("class", [*map(str, self.classes), "macro"], left=True)]
        for name in RATES:
            values = [*getattr(self, name).tolist(), self.macro[name]]
            limits = [*self.interval[name], self.macro_interval[name]]
            if name not in _WITH_LIMITS:
                limits = [np.full(2, np.nan)] * len(values)
            both = zip(values, limits, strict=True)
            cells = [self._limits_text(value, row, _FEWER) for value, row in both]
            columns.append(Column(SHOWN[name], cells, left=True))
        return Table(columns)

    def _columns(self) -> dict[str, list[Any]]:
        k = len(self.classes)
        rates = ["accuracy", *(name for name in RATES for _ in range(k))]
        labels = [None, *(label for _ in RATES for label in self.classes)]
        values = [self.accuracy, *(v for name in RATES for v in getattr(self, name).tolist())]
        limits = [self.interval["accuracy"], *np.concatenate([self.interval[n] for n in RATES])]
        if k > 2:
            rates += [f"macro {name}" for name in RATES]
            labels += [None] * len(RATES)
            values += [self.macro[name] for name in RATES]
            limits += [self.macro_interval[name] for name in RATES]
        return {
            "rate": rates,
            "class": label_column(labels),
            "value": values,
            "low": [float(row[0]) for row in limits],
            "high": [float(row[1]) for row in limits],
            "confidence": [self.confidence] * len(rates),
            "method": [self.method] * len(rates),
        }


def _counts(values: Array) -> list[str]:
    """Return counts of rows, or sums of weights, all with as many decimals as the least needs."""
    decimals = 0
    if (values != np.rint(values)).any():
        sizes = np.floor(np.log10(values[values > 0]))
        most = max(_MOST_WEIGHT_DIGITS - sizes.max(), 2)
        decimals = int(min(max(_WEIGHT_DIGITS - sizes.min(), 0), most))
    return [f"{value:,.{decimals}f}" for value in values.ravel().tolist()]
