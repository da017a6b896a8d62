"""M, the multi-class AUC of Hand & Till (2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.matrices import class_weights, fit_pair_weights, pair_weight_matrix
from polyroc._measures.measure import ABSENT, Measure
from polyroc._measures.pairwise import column_pairs

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Labels, PairWeights, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class HandTill(Measure[float]):
    """M as an object; see :func:`hand_till`.

    Parameters
    ----------
    pair_weights : {"prevalence"} or array_like of shape (K, K), optional
        Weights of the class pairs; equal by default.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.HandTill(pair_weights="prevalence")
    HandTill(pair_weights='prevalence')
    """

    pair_weights: PairWeights | None = None
    absent: Absent = "raise"
    name: ClassVar[str] = "hand_till"

    def __post_init__(self) -> None:
        """Check the options."""
        choose("absent", self.absent, ABSENT)
        self._set(pair_weights=pair_weight_matrix(self.pair_weights))

    def _is_auc(self, sample: Sample) -> bool:
        return sample.scores.ndim == 1

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell whether counts weigh pairs, of which there are several."""
        return isinstance(self.pair_weights, str) and sample.n_present > 2

    def _describe(self, sample: Sample) -> _core.Measure:
        weights = fit_pair_weights(self.pair_weights, sample.n_classes, sample.present)
        return _core.Measure("hand_till", pair_weights=weights)

    def _class_weights(self, masses: Floats) -> Floats:
        return class_weights(self.pair_weights, masses)

    def _describe_pairs(self, sample: Sample) -> _core.Measure:
        return column_pairs(sample)

    def _of_pair(self) -> HandTill:
        return HandTill(absent="skip")


@public
@hinting
def hand_till(
    y_true: Labels,
    y_score: Scores,
    *,
    pair_weights: PairWeights | None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float:
    """M, the average over class pairs of Hand & Till.

    A(i|j) is the AUC of column i on the rows of classes i and j, i being favoured, ties counting
    one half; M averages it over all pairs (HT01 Eq. 7)::

        A(i,j) = (A(i|j) + A(j|i)) / 2
        M = 2 / (K (K - 1)) * sum over i < j of A(i,j)

    Scores tie when they are equal. With 1-D scores, or K = 2 and rows that sum to a constant, M
    is the binary AUC. Any increasing transform of a column leaves M as it is.
    Cost: O(K n log n) time, O(n) memory for each column at work.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K), or (n,) for two classes
        A column of scores for each class, higher for more likely. Rows need not sum to 1.
    pair_weights : {"prevalence"} or array_like of shape (K, K), optional
        Weights of the class pairs, scaled to sum 1: equal by default; "prevalence" weighs {i, j}
        by n_i n_j (KP19 Eq. 5); a matrix W weighs it by W[i, j] + W[j, i].
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for, which is then the last; ``labels[1]``
        by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or its pairs are
        left out and the weights of the rest scaled to sum 1.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        M, in [0, 1].

    References
    ----------
    HT01: D. J. Hand and R. J. Till, A simple generalisation of the area under the ROC curve for
    multiple class classification problems, Machine Learning 45, 2001.
    KP19: R. S. Kleiman and D. Page, AUC-mu: a performance metric for multi-class machine learning
    models, ICML 2019.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.hand_till(["a", "a", "b", "c"], proba)
    0.75
    >>> round(pr.hand_till(["a", "a", "b", "c"], proba, pair_weights="prevalence"), 4)
    0.8
    """
    return HandTill(pair_weights, absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
