"""The points of one precision-recall curve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.picture import Pictured
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._base.table import Part
    from polyroc._base.types import Floats

_SHOWN = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)  # the recalls of the table


@public
@dataclass(frozen=True, eq=False, repr=False)
class PrCurve(Pictured, Result):
    """A precision-recall curve; made by :func:`polyroc.pr_curve`.

    ``precision, recall, thresholds = curve`` unpacks it.

    Attributes
    ----------
    precision, recall : ndarray
        The share of favoured rows among those that score `thresholds` or more, and the share of the
        favoured rows that do. Both end with the point (1, 0), which has no threshold.
    thresholds : ndarray
        The scores, rising; one fewer than points.
    favoured : object
        What the curve is of: the class that high scores stand for.
    """

    _picture = "results.pr_curve"

    precision: Floats
    recall: Floats
    thresholds: Floats
    favoured: Any = None

    def __post_init__(self) -> None:
        """Keep the arrays from being changed."""
        self._freeze()

    @property
    def average_precision(self) -> float:
        """The area below the steps: see :func:`polyroc.average_precision`."""
        return float(-np.dot(np.diff(self.recall), self.precision[:-1]))

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.precision, self.recall, self.thresholds))

    def __len__(self) -> int:
        return 3  # what it unpacks to

    def _contents(self) -> dict[str, Any]:
        return {**vars(self), "average_precision": self.average_precision}

    def _parts(self) -> Iterable[Part]:
        size = f"{len(self.thresholds):,} thresholds"
        average = f"average precision {self.average_precision:.4f}"
        yield f"precision-recall curve of {show(self.favoured)}: {size}, {average}"
        yield self._table()

    def _summary(self) -> dict[str, str]:
        """Return what a table of several curves says of it."""
        return {
            "class": str(self.favoured),
            "thresholds": f"{len(self.thresholds):,}",
            "average precision": f"{self.average_precision:.4f}",
        }

    def _columns(self) -> dict[str, list[Any]]:
        thresholds = [*self.thresholds.tolist(), float("nan")]
        points = {"precision": self.precision.tolist(), "recall": self.recall.tolist()}
        return {**points, "thresholds": thresholds}

    def _table(self) -> Table:
        best = [self.precision[self.recall >= recall].max() for recall in _SHOWN]
        shown = zip(_SHOWN, best, strict=True)
        return Table(
            [
                Column("recall from", ["best precision"], left=True),
                *(Column(f"{recall:g}", [f"{value:.4f}"]) for recall, value in shown),
            ]
        )


def precisions_of(curve: _core.Curve) -> tuple[Floats, Floats, Floats]:
    """Return precision, recall and thresholds of a curve in masses."""
    tp, above = curve.tp, curve.fp
    above += tp  # in place: the arrays are ours
    above[0] = 1.0
    precision = np.divide(tp, above, out=above)
    precision[0] = 1.0
    tp /= tp[-1]
    return precision[::-1], tp[::-1], curve.thresholds[:0:-1]  # views: nothing is copied
