"""An operating point with its intervals, as it is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import show
from polyroc._base.display import counted, rows_counted
from polyroc._base.plain import plain_labels
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table

if TYPE_CHECKING:
    from polyroc._base.table import Part
    from polyroc._base.types import Floats

_FLATTERS = (
    "judged by the rows it was chosen on, a point looks better than it is: check it on other rows"
)
_NAMES = {"fpr": "FPR", "tpr": "TPR", "threshold": "threshold"}


@public
@dataclass(frozen=True, eq=False, repr=False)
class OperatingPoint(Result):
    """A chosen point of the ROC curve; made by :func:`polyroc.operating_point`.

    Attributes
    ----------
    fpr, tpr : float
        The rates at the point.
    threshold : float
        ``score >= threshold`` gives the point; infinity where no row is said to be positive.
    interval : dict of ndarray
        Limits (low, high) of "fpr", "tpr" and "threshold": percentiles of points chosen anew in
        every replicate.
    corrected : dict of float
        "fpr" and "tpr" less their optimism: how much better they are, on average, in the replicate
        that a threshold was chosen in than on the rows themselves.
    rule, how : str
        The rule, "max_fpr", "min_tpr", "youden" or "costs", and what it asks for.
    expected_cost : float or None
        With costs: what a row costs on average at the point, at the prevalence.
    replicates : ndarray of shape (n_resamples, 3)
        FPR, TPR and threshold chosen in each replicate; nan where one lost a class.
    confidence : float
        The confidence level.
    classes, sizes : tuple
        The two classes, the positive one last, and how many rows each has.
    unit, n_units, stratified, n_resamples, seed
        What was resampled, and how.
    notes : tuple of str
        What is special about the intervals.
    """

    fpr: float
    tpr: float
    threshold: float
    interval: dict[str, Floats]
    corrected: dict[str, float]
    rule: str
    how: str
    expected_cost: float | None
    replicates: Floats
    confidence: float
    classes: tuple[Any, ...]
    sizes: tuple[int, ...]
    unit: str
    n_units: int
    stratified: bool
    n_resamples: int
    seed: int
    notes: tuple[str, ...]

    def __post_init__(self) -> None:
        self._freeze()

    def _freeze(self) -> None:
        super()._freeze()
        for limits in self.interval.values():
            limits.flags.writeable = False

    def _contents(self) -> dict[str, Any]:
        return {**vars(self), "classes": plain_labels(self.classes)}

    def _parts(self) -> Iterable[Part]:
        yield f"operating point: {self.how}"
        yield self._table()
        positive = show(self.classes[1])
        some = f"where score >= {self.threshold!r}"
        yield f"  said {positive} {'of no row' if self.threshold == math.inf else some}"
        if self.expected_cost is not None:
            yield f"  expected cost {self.expected_cost:.4g} per row"
        rows = rows_counted(self.sizes, self.unit, self.n_units)
        way = "stratified by class" if self.stratified else "not stratified"
        drawn = f"{counted(self.n_resamples, 'replicate')} of {rows}, {way}, seed {self.seed}"
        yield f"  {drawn}; the point is chosen anew in each"
        yield f"  {_FLATTERS}"
        fpr, tpr = self.corrected.values()
        yield f"  corrected for that by the replicates: FPR {fpr:.4f}, TPR {tpr:.4f}"
        yield from (f"  note: {note}" for note in self.notes)

    def _table(self) -> Table:
        values = [f"{self.fpr:.4f}", f"{self.tpr:.4f}", f"{self.threshold:.6g}"]
        forms = (".4f", ".4f", ".6g")
        limits = [
            f"{low:{form}} to {high:{form}}"
            for (low, high), form in zip(self.interval.values(), forms, strict=True)
        ]
        title = f"{100 * self.confidence:g} % percentile interval"
        return Table(
            [
                Column("", list(_NAMES.values()), left=True),
                Column("value", values),
                Column(title, limits, left=True),
            ]
        )

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "what": list(_NAMES),
            "value": [self.fpr, self.tpr, self.threshold],
            "low": [float(limits[0]) for limits in self.interval.values()],
            "high": [float(limits[1]) for limits in self.interval.values()],
            "confidence": [self.confidence] * 3,
        }
