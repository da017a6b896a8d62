"""AUC-mu, the multi-class AUC of Kleiman & Page (2019)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.matrices import (
    class_weights,
    fit_pair_weights,
    fit_partition,
    pair_weight_matrix,
    partition_matrix,
)
from polyroc._measures.measure import ABSENT, TIES, Measure

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Labels, PairWeights, Scores, Ties


@public
@dataclass(frozen=True, eq=False, repr=False)
class AucMu(Measure[float]):
    """AUC-mu as an object; see :func:`auc_mu`.

    Parameters
    ----------
    partition : array_like of shape (K, K), optional
        The cost matrix A, classes in the order of `labels`, or else of the columns (in `compare`,
        of the first model); the argmax partition by default.
    pair_weights : {"prevalence"} or array_like of shape (K, K), optional
        Weights of the class pairs, in the same order; equal by default.
    ties : {"rounding", "exact"}
        Whether projected scores that differ by rounding error alone tie.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.AucMu(partition=[[0, 1], [2, 0]], ties="exact")
    AucMu(partition=[[0.0, 1.0], [2.0, 0.0]], ties='exact')
    """

    partition: Scores | None = None
    pair_weights: PairWeights | None = None
    ties: Ties = "rounding"
    absent: Absent = "raise"
    name: ClassVar[str] = "auc_mu"

    def __post_init__(self) -> None:
        """Check the options."""
        choose("ties", self.ties, TIES)
        choose("absent", self.absent, ABSENT)
        self._set(
            partition=partition_matrix(self.partition),
            pair_weights=pair_weight_matrix(self.pair_weights),
        )

    projects: ClassVar[bool] = True

    def _is_auc(self, sample: Sample) -> bool:
        return sample.scores.ndim == 1

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell whether counts weigh pairs, of which there are several."""
        return isinstance(self.pair_weights, str) and sample.n_present > 2

    def _describe(self, sample: Sample) -> _core.Measure:
        weights = fit_pair_weights(self.pair_weights, sample.n_classes, sample.present)
        return _core.Measure("auc_mu", pair_weights=weights, **self._projection(sample))

    def _class_weights(self, masses: Floats) -> Floats:
        return class_weights(self.pair_weights, masses)

    def _describe_pairs(self, sample: Sample) -> _core.Measure:
        options = self._projection(sample)
        return _core.Measure("all_pairs", n_classes=sample.n_classes, symmetric=False,
                             projected=True, **options)  # fmt: skip

    def _of_pair(self) -> AucMu:
        return replace(self, pair_weights=None, absent="skip")

    def _projection(self, sample: Sample) -> dict[str, Any]:
        return {
            "partition": fit_partition(self.partition, sample.n_classes),
            "unit_roundoff": sample.unit_roundoff if self.ties == "rounding" else 0.0,
        }


@public
@hinting
def auc_mu(
    y_true: Labels,
    y_score: Scores,
    *,
    partition: Scores | None = None,
    pair_weights: PairWeights | None = None,
    ties: Ties = "rounding",
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float:
    """AUC-mu, the average over class pairs of how well a projection of the scores parts them.

    With partition matrix A, A[i, k] = cost of saying class i when the truth is k, the rows of
    classes i and j are projected on v = A[i, :] - A[j, :]; S(i,j) is the share of row pairs, a of
    class i and b of class j, with v . p_a < v . p_b, ties counting one half (KP19 Eq. 2-4)::

        AUC-mu = 2 / (K (K - 1)) * sum over i < j of S(i,j)

    By default A is 1 off the diagonal, the argmax partition: S(i,j) is then the AUC of p_i - p_j,
    and scores that give every row its class by argmax have AUC-mu = 1. With 1-D scores, or K = 2
    and rows that sum to a constant, AUC-mu is the binary AUC whatever A is (KP19 Th. 5.1).
    Probabilities and margins of one model give different values, since projections differ.
    Cost: O(K n log n) time with the argmax partition.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K), or (n,) for two classes
        A column of scores for each class, higher for more likely. Rows need not sum to 1.
    partition : array_like of shape (K, K), optional
        The cost matrix A: zero diagonal, all else finite and > 0, classes in the order of `labels`.
        It says where decisions change, not how much a pair of classes counts; that is
        `pair_weights`.
    pair_weights : {"prevalence"} or array_like of shape (K, K), optional
        Weights of the class pairs, scaled to sum 1: equal by default; "prevalence" weighs {i, j}
        by n_i n_j (KP19 Eq. 5); a matrix W weighs it by W[i, j] + W[j, i].
    ties : {"rounding", "exact"}
        "rounding" ties projections whose difference rounding error in the scores' own type can
        explain, as 2/9 - 1/9 and 3/9 - 2/9; "exact" ties equal ones only.
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
        AUC-mu, in [0, 1].

    References
    ----------
    KP19: R. S. Kleiman and D. Page, AUC-mu: a performance metric for multi-class machine learning
    models, ICML 2019.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> round(pr.auc_mu(["a", "a", "b", "c"], proba), 4)
    0.9167
    >>> costs = [[0, 5, 1], [1, 0, 1], [1, 2, 0]]
    >>> round(pr.auc_mu(["a", "a", "b", "c"], proba, partition=costs), 4)
    0.8333
    """
    return AucMu(partition, pair_weights, ties, absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
