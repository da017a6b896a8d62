"""The area under the convex hull of an ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.on_hull import OnHull
from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Labels, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class HullArea(OnHull):
    """The area under the convex hull of the ROC curve as an object; see :func:`hull_area`.

    Parameters
    ----------
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.HullArea()([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.875
    """

    absent: Absent = "raise"
    name: ClassVar[str] = "hull_area"

    @property
    def from_auc(self) -> FromAuc:
        """How large the hull can be, given the AUC."""
        return _AreaFromAuc()

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        return 0.5, 1.0

    def _of_hulls(self, **which: bool) -> _core.Measure:
        return _core.Measure("hull_area", **which)


@dataclass(frozen=True)
class _AreaFromAuc(FromAuc):
    """The hull of a curve of area A has an area of at least A and 1/2, at most (1 + A) / 2.

    The most belongs to a curve with one corner (x, y) that else is as low as it can be, of area
    A = y (1 - x), at x = 0 or y = 1. Shares are those of the range from 1/2 to 1.
    """

    def auc(self, share: float) -> float:
        return (1.0 + share) / 2.0

    def shares(
        self, low: Floats, high: Floats, sizes: tuple[float, float]
    ) -> tuple[Floats, Floats]:
        return np.maximum(2.0 * low - 1.0, 0.0), high


@public
@hinting
def hull_area(
    y_true: Labels,
    y_score: Scores,
    *,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float:
    """Area under the convex hull of the ROC curve (AUCH).

    The hull is what a score can reach if a classifier may also choose at random between two
    thresholds; a threshold off the hull is best for no costs and no prevalence. Its area is never
    below the AUC, nor below 1/2: it is the AUC of the same scores after isotonic regression, and
    flatters on the rows that it was computed on. A score that ranks the wrong way round is not
    turned. With more than two classes it is the mean over all ordered pairs (i, j) of the area
    for class i against class j by column i, as Hand and Till average AUCs.
    Cost: O(n log n) time for each column, O(n) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, K)
        Scores of ``labels[1]``, or a column for each class, higher for more likely; of two columns
        the second is used. Any numbers that order rows will do.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The area, in [1/2, 1].

    References
    ----------
    F. Provost and T. Fawcett, Robust classification for imprecise environments, Machine Learning
    42, 2001.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, s = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> pr.auc(y, s), pr.hull_area(y, s)
    (0.75, 0.875)
    """
    return HullArea(absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
