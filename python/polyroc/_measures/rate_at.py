"""The ROC curve at one rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.of_two import OfTwo
from polyroc._measures.ranges import rate
from polyroc._stats.from_proportion import ShareOfRows

if TYPE_CHECKING:
    from polyroc._base.types import Labels, Scores
    from polyroc._stats.newcombe import FromAuc


class _OnCurve(OfTwo):
    """A rate of two classes that some threshold decides."""

    @property
    def has_influence(self) -> bool:
        """Not so: between two points of the curve a row counts by where the points are."""
        return False

    @property
    def from_auc(self) -> FromAuc:
        """What a share of a class's rows can be."""
        return ShareOfRows()


@public
@dataclass(frozen=True, eq=False, repr=False)
class TprAt(_OnCurve):
    """The true positive rate at a false positive rate, as an object; see :func:`tpr_at`.

    Parameters
    ----------
    fpr : float
        The false positive rate, in [0, 1].

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.TprAt(fpr=0.05)
    TprAt(fpr=0.05)
    """

    fpr: float
    name: ClassVar[str] = "tpr_at"

    def __post_init__(self) -> None:
        """Check the option."""
        self._set(fpr=rate("fpr", self.fpr, "0.05"))

    def _describe(self, sample: Sample) -> _core.Measure:
        return _core.Measure("tpr_at", fpr=self.fpr)


@public
@dataclass(frozen=True, eq=False, repr=False)
class FprAt(_OnCurve):
    """The false positive rate at a true positive rate, as an object; see :func:`fpr_at`.

    Parameters
    ----------
    tpr : float
        The true positive rate, in [0, 1].

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.FprAt(tpr=0.95)
    FprAt(tpr=0.95)
    """

    tpr: float
    name: ClassVar[str] = "fpr_at"

    def __post_init__(self) -> None:
        """Check the option."""
        self._set(tpr=rate("tpr", self.tpr, "0.95"))

    def _describe(self, sample: Sample) -> _core.Measure:
        return _core.Measure("fpr_at", tpr=self.tpr)


@public
@hinting
def tpr_at(
    y_true: Labels,
    y_score: Scores,
    *,
    fpr: float,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> float:
    """Height of the ROC curve at a false positive rate: the sensitivity at 1 - specificity.

    The curve is straight between its points, as it is for its area: a point between two thresholds
    is had by choosing one of them at random. Where the curve is vertical it is the greatest height.
    A rate that differs from `fpr` by the rounding of sums of weights alone is at `fpr`.
    Cost: O(n log n) time, O(n) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Scores of ``labels[1]``, higher for more likely; of two columns the second is used.
    fpr : float
        The false positive rate, in [0, 1].
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
        The true positive rate, in [0, 1].

    Examples
    --------
    >>> import polyroc as pr
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.35, 0.5, 0.7, 0.9]
    >>> pr.tpr_at(y, s, fpr=0.25)
    0.75
    >>> y, models = pr.example_predictions()
    >>> pr.bootstrap(y == 8, models["naive Bayes"][:, 8], pr.TprAt(fpr=0.05), seed=1)
    TprAt(fpr=0.05) 0.7931, standard error 0.047
      95 % BCa interval: 0.6897 to 0.8736
      9,999 replicates of 1,797 rows, stratified by class, seed 1
      high scores favour class True
    """
    return TprAt(fpr)._of(prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label))


@public
@hinting
def fpr_at(
    y_true: Labels,
    y_score: Scores,
    *,
    tpr: float,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> float:
    """Least false positive rate at which the ROC curve reaches a true positive rate.

    The curve is straight between its points, as it is for its area. Where it is horizontal it is
    the least such positive rate. A rate that differs from `tpr` by the rounding of sums of weights
    alone is at `tpr`. Low values are good ones.
    Cost: O(n log n) time, O(n) memory.

    Parameters
    ----------
    y_true, y_score, labels, pos_label, sample_weight, n_threads
        As for :func:`tpr_at`.
    tpr : float
        The true positive rate, in [0, 1].

    Returns
    -------
    float
        The false positive rate, in [0, 1].

    Examples
    --------
    >>> import polyroc as pr
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.35, 0.5, 0.7, 0.9]
    >>> pr.fpr_at(y, s, tpr=0.75)
    0.25
    """
    return FprAt(tpr)._of(prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label))
