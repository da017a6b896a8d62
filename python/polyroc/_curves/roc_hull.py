"""The convex hull of an ROC curve, and for which costs each of its corners is best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import share as checked_share
from polyroc._base.checks import show
from polyroc._base.keywords import hinting
from polyroc._base.picture import Pictured
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._curves.contrasts import single_curve
from polyroc._data.sample import prepare

if TYPE_CHECKING:
    from polyroc._base.table import Part
    from polyroc._base.types import Floats, Labels, Scores

_MOST = 12  # corners that are printed


@public
@dataclass(frozen=True, eq=False, repr=False)
class RocHull(Pictured, Result):
    """The convex hull of an ROC curve; made by :func:`polyroc.roc_hull`.

    Attributes
    ----------
    fpr, tpr : ndarray
        The corners, from (0, 0) to (1, 1).
    thresholds : ndarray
        The score from which on rows are called positive at each corner; the first is infinite.
    cost_low, cost_high : ndarray
        For which c, the cost of a false positive over that of a false positive and a false
        negative together, each corner is cheapest. From (0, 0), best where false positives cost
        most, down to (1, 1): together they fill [0, 1].
    prevalence : float
        The share of favoured rows for which that is so.
    favoured : object
        The class that high scores stand for.

    Examples
    --------
    >>> import polyroc as pr
    >>> hull = pr.roc_hull([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> hull.thresholds
    array([ inf, 0.8 , 0.35, 0.1 ])
    """

    _picture = "results.roc_hull"

    fpr: Floats
    tpr: Floats
    thresholds: Floats
    cost_low: Floats
    cost_high: Floats
    prevalence: float
    favoured: Any = None

    def __post_init__(self) -> None:
        """Keep the arrays from being changed."""
        self._freeze()

    @property
    def area(self) -> float:
        """The area below: see :func:`polyroc.hull_area`."""
        return float(np.dot(np.diff(self.fpr), self.tpr[1:] + self.tpr[:-1]) / 2.0)

    def _contents(self) -> dict[str, Any]:
        return {**vars(self), "area": self.area}

    def _parts(self) -> Iterable[Part]:
        corners = f"{len(self.fpr):,} corners, area {self.area:.4f}"
        yield f"convex hull of the ROC curve of {show(self.favoured)}: {corners}"
        yield self._table().first(_MOST)
        if len(self.fpr) > _MOST:
            yield f"  and {len(self.fpr) - _MOST:,} more; .to_frame() has them all"
        yield (
            "  best for c, the share of cost of a false positive, in this range, at a prevalence "
            f"of {self.prevalence:.4g}"
        )

    def _columns(self) -> dict[str, list[Any]]:
        names = ("fpr", "tpr", "thresholds", "cost_low", "cost_high")
        return {name: getattr(self, name).tolist() for name in names}

    def _table(self) -> Table:
        ranges = zip(self.cost_low, self.cost_high, strict=True)
        return Table(
            [
                Column("threshold", [f"{value:.4g}" for value in self.thresholds]),
                Column("FPR", [f"{value:.4f}" for value in self.fpr]),
                Column("TPR", [f"{value:.4f}" for value in self.tpr]),
                Column("best for c", [f"{low:.4f} to {high:.4f}" for low, high in ranges]),
            ]
        )


@public
@hinting
def roc_hull(
    y_true: Labels,
    y_score: Scores,
    *,
    prevalence: float | None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> RocHull:
    """Convex hull of the ROC curve, with the costs for which each corner is best.

    Let a false positive cost c and a false negative 1 - c, and pi be the prevalence. A threshold
    of false and true positive rates FPR and TPR then loses c (1 - pi) FPR + (1 - c) pi (1 - TPR)
    a row. Thresholds that lose least for some c are the corners of the upper convex hull, and going
    from one corner to the next, dFPR to the right and dTPR up, pays where::

        c < pi dTPR / (pi dTPR + (1 - pi) dFPR)

    Points on the line between two corners are left out, and at the limit of two ranges both
    corners lose alike. Cost: O(n log n) time, O(n) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Scores of ``labels[1]``, higher for more likely; of two columns the second is used.
    prevalence : float, optional
        The share of ``labels[1]`` where thresholds will be used; that of the sample by default.
    labels : array_like of shape (2,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        The class that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0. Rows of weight zero are left out.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    RocHull
        The corners, with `.fpr`, `.tpr`, `.thresholds`, `.cost_low` and `.cost_high`.

    References
    ----------
    F. Provost and T. Fawcett, Robust classification for imprecise environments, Machine Learning
    42, 2001.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.3, 0.4, 0.5, 0.5, 0.9]
    >>> pr.roc_hull(y, s)
    convex hull of the ROC curve of 1: 4 corners, area 0.9375
      threshold     FPR     TPR        best for c
            inf  0.0000  0.0000  1.0000 to 1.0000
            0.5  0.0000  0.7500  0.3333 to 1.0000
            0.3  0.5000  1.0000  0.0000 to 0.3333
            0.1  1.0000  1.0000  0.0000 to 0.0000
      best for c, the share of cost of a false positive, in this range, at a prevalence of 0.5
    """
    sample = prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    sample.require_two_classes("roc_hull")
    pi = None if prevalence is None else checked_share("prevalence", prevalence, "0.02")
    curve = single_curve(sample).hull()
    fp, tp = curve.fp, curve.tp
    if pi is None:
        pi = float(tp[-1] / (tp[-1] + fp[-1]))
    fpr, tpr = fp / fp[-1], tp / tp[-1]
    gained, lost = pi * np.diff(tpr), (1.0 - pi) * np.diff(fpr)
    limits = gained / (gained + lost)
    return RocHull(
        fpr=fpr,
        tpr=tpr,
        thresholds=curve.thresholds,
        cost_low=np.append(limits, 0.0),
        cost_high=np.insert(limits, 0, 1.0),
        prevalence=pi,
        favoured=sample.classes[1],
    )
