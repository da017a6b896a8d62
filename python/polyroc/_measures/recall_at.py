"""The recall at a precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.of_two import OfTwo
from polyroc._measures.ranges import rate
from polyroc._stats.from_proportion import ShareOfRows

if TYPE_CHECKING:
    from polyroc._base.types import Floats, Labels, Scores
    from polyroc._stats.newcombe import FromAuc

_MOST = 9.0  # standard errors: no confidence level asks for more


@public
@dataclass(frozen=True, eq=False, repr=False)
class RecallAt(OfTwo):
    """The recall at a precision, as an object; see :func:`recall_at`.

    Parameters
    ----------
    precision : float
        The least precision, in [0, 1].

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.RecallAt(precision=0.9)
    RecallAt(precision=0.9)
    """

    precision: float
    name: ClassVar[str] = "recall_at"

    def __post_init__(self) -> None:
        """Check the option."""
        self._set(precision=rate("precision", self.precision, "0.9"))

    @property
    def has_influence(self) -> bool:
        """Not so: it leaps from one threshold to another."""
        return False

    @property
    def from_auc(self) -> FromAuc:
        """What a share of the positive rows can be."""
        return ShareOfRows()

    @property
    def compares_with_rest(self) -> bool:
        """It does: precision falls with every negative row."""
        return True

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell that they do: precision falls with every negative row."""
        return True

    def _proven(self, sample: Sample, effective: Floats) -> Floats:
        """Return the recalls down to which the precision is so many errors above the bound.

        Of n units at or above a threshold, with a precision of q, by the score z = (q - p) /
        sqrt(p (1 - p) / n) of Wilson's limits (1927).
        """
        curve, p = _core.curve(rows=sample.rows(), favoured=None), self.precision
        others, own = effective / np.array([curve.fp[-1], curve.tp[-1]])
        units = own * curve.tp + others * curve.fp
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = curve.tp / (curve.tp + curve.fp) - p
            errors = np.nan_to_num(excess * np.sqrt(units / (p * (1.0 - p))), nan=0.0)
        later = np.append(np.maximum.accumulate(errors[::-1])[-2::-1], 0.0)
        kept = np.flatnonzero((errors > later) & (errors > 0.0))
        # Of one recall the threshold that is proven best, the first one.
        kept = kept[np.diff(curve.tp[kept], prepend=-1.0) > 0.0]
        kept = kept[max(np.count_nonzero(errors[kept] > _MOST) - 1, 0) :]
        return np.column_stack([errors[kept], curve.tp[kept] / curve.tp[-1]])[::-1]

    def _describe(self, sample: Sample) -> _core.Measure:
        return _core.Measure("recall_at", precision=self.precision)


@public
@hinting
def recall_at(
    y_true: Labels,
    y_score: Scores,
    *,
    precision: float,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> float:
    """Greatest recall of the thresholds that have a precision, or more.

    At a threshold t the recall is the share of positive rows that score t or more, the precision
    the share of positives among the rows that do. No line is drawn between thresholds; 0 if none of
    them is precise enough. A precision that differs from the bound by the rounding of sums of
    weights alone is enough. Precision moves with class skew, and so does this.
    Cost: O(n log n) time, O(n) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Scores of ``labels[1]``, higher for more likely; of two columns the second is used.
    precision : float
        The least precision, in [0, 1].
    labels : array_like of shape (2,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        The class that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The recall, in [0, 1].

    Examples
    --------
    >>> import polyroc as pr
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.35, 0.5, 0.7, 0.9]
    >>> pr.recall_at(y, s, precision=0.75)
    0.75
    >>> pr.recall_at(y, s, precision=1)
    0.5
    """
    return RecallAt(precision)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
