"""The polytomous discrimination index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, overload

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.by_tuple import ByTuple
from polyroc._measures.per_class import PerClass, Values

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Labels, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class Pdi(ByTuple[Values], PerClass):
    """The polytomous discrimination index as an object; see :func:`pdi`.

    Parameters
    ----------
    average : {"macro"} or None
        The mean over classes; None keeps one value per class.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.Pdi(average=None)
    Pdi(average=None)
    """

    average: Literal["macro"] | None = "macro"
    absent: Absent = "raise"
    name: ClassVar[str] = "pdi"
    averages: ClassVar[tuple[str, ...]] = ("macro",)

    def _is_auc(self, sample: Sample) -> bool:
        return sample.scores.ndim == 1  # the other class has the same AUC under the negated score

    def _chance(self, n_classes: int) -> float:
        return 1.0 / n_classes

    def _describe(self, sample: Sample) -> _core.Measure:
        return _core.Measure("pdi", n_classes=sample.n_classes, average=self.average)


@overload
def pdi(
    y_true: Labels,
    y_score: Scores,
    *,
    average: Literal["macro"] = "macro",
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float: ...
@overload
def pdi(
    y_true: Labels,
    y_score: Scores,
    *,
    average: None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> Floats: ...
@public
@hinting
def pdi(
    y_true: Labels,
    y_score: Scores,
    *,
    average: Literal["macro"] | None = "macro",
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float | Floats:
    """Polytomous discrimination index: how often a class's own score finds its row among others.

    Of one row from each class, PDI_i is the chance that the row of class i has the greatest score
    i; where r others tie with it, it wins with probability 1 / (r + 1). PDI is the mean over i.
    With below_j and tied_j the shares of class j that score less than a row and as much::

        PDI_i = mean over rows of class i of
                the integral over t in [0, 1] of  prod over j != i of  (below_j + t tied_j)

    By chance it is 1 / K. Of two classes it is M (:func:`hand_till`), and the AUC where rows have
    one sum. Only the order within each column counts. Cost: O(K n log n) time, O(n) memory for
    each column at work.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K), or (n,) for two classes
        A column of scores for each class, higher for more likely. Any numbers that order rows will
        do.
    average : {"macro"} or None
        The mean over classes; None returns PDI_i, one value per class.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for, which is then the last; ``labels[1]``
        by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0; a tuple of rows counts their product.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out of the
        tuples and the mean (nan where `average` is None).
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float or ndarray of shape (K,)
        The index, in [0, 1], or that of each class.

    References
    ----------
    B. Van Calster, V. Van Belle, Y. Vergouwe, D. Timmerman, S. Van Huffel and E. W. Steyerberg,
    Extending the c-statistic to nominal polytomous outcomes: the polytomous discrimination index,
    Stat. Med. 31, 2012.
    D. C. Dover, S. Islam, C. M. Westerhout, L. E. Moore, P. Kaul and A. Savu, Computing the
    polytomous discrimination index, Stat. Med. 40, 2021.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.pdi(["a", "a", "b", "c"], proba, average=None)
    array([0.5, 1. , 0. ])
    >>> pr.pdi(["a", "a", "b", "c"], proba)
    0.5
    """
    return Pdi(average, absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
