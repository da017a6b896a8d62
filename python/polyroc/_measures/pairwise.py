"""The K x K values behind the averages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.matrices import fit_partition, partition_matrix
from polyroc._measures.measure import ABSENT, AUC, TIES

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Kind, Labels, Scores, Ties

_KINDS = ("hand_till", "conditional", "auc_mu")


@overload
def pairwise(
    y_true: Labels,
    y_score: Scores,
    *,
    kind: Kind = "hand_till",
    partition: Scores | None = None,
    ties: Ties = "rounding",
    return_ties: Literal[False] = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> Floats: ...
@overload
def pairwise(
    y_true: Labels,
    y_score: Scores,
    *,
    kind: Kind = "hand_till",
    partition: Scores | None = None,
    ties: Ties = "rounding",
    return_ties: Literal[True],
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> tuple[Floats, Floats]: ...
@public
@hinting
def pairwise(
    y_true: Labels,
    y_score: Scores,
    *,
    kind: Kind = "hand_till",
    partition: Scores | None = None,
    ties: Ties = "rounding",
    return_ties: bool = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> Floats | tuple[Floats, Floats]:
    """AUC of every pair of classes.

    ::

        conditional: [i, j] is A(i|j), the AUC of column i, class i against class j  (HT01 Eq. 3)
        hand_till:   [i, j] is A(i,j) = (A(i|j) + A(j|i)) / 2                        (HT01 Eq. 7)
        auc_mu:      [i, j] is S(i,j), the AUC of the projection for i and j         (KP19 Eq. 3)

    Ties count one half. The last two are symmetric; their averages over i < j are
    :func:`hand_till` and :func:`auc_mu`. With 1-D scores every value is the binary AUC.
    Cost: O(K n log n) time, O(K^2) memory besides that of the measure.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K), or (n,) for two classes
        A column of scores for each class, higher for more likely. Rows need not sum to 1.
    kind : {"hand_till", "conditional", "auc_mu"}
        Which values.
    partition : array_like of shape (K, K), optional
        The cost matrix A of AUC-mu, for ``kind="auc_mu"`` only.
    ties : {"rounding", "exact"}
        Which projected scores tie, for ``kind="auc_mu"`` only; see :func:`auc_mu`.
    return_ties : bool
        Whether to return the share of tied row pairs as well.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for, which is then the last; ``labels[1]``
        by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or its row and
        column are nan.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    values : ndarray of shape (K, K)
        The values, nan on the diagonal.
    tied : ndarray of shape (K, K)
        With `return_ties`: the share of row pairs that tie, nan on the diagonal.

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
    >>> pr.pairwise(["a", "a", "b", "c"], proba, kind="conditional")
    array([[nan, 1. , 0.5],
           [1. , nan, 1. ],
           [1. , 0. , nan]])
    """
    choose("kind", kind, _KINDS)
    choose("ties", ties, TIES)
    choose("absent", absent, ABSENT)
    costs = partition_matrix(partition)
    if costs is not None and kind != "auc_mu":
        raise ValueError(f'partition is for kind="auc_mu" only, not {kind!r}; leave it out')
    if ties != "rounding" and kind != "auc_mu":
        raise ValueError(f'ties is for kind="auc_mu" only: {kind!r} compares scores as they are')
    sample = prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    if absent == "raise":
        sample.require_present()
    values, tied = _values(sample, kind, fit_partition(costs, sample.n_classes), ties)
    return (values, tied) if return_ties else values


def column_pairs(sample: Sample) -> _core.Measure:
    """Return the core's measure of all A(i,j)."""
    options = {"symmetric": True, "projected": False}
    return _core.Measure("all_pairs", n_classes=sample.n_classes, **options)


def conditional_aucs(sample: Sample) -> Floats:
    """Return A(i|j) of every pair of classes, K x K."""
    return _values(sample, "conditional", None, "rounding")[0]


def tied_share(sample: Sample) -> float:
    """Return the share of the pairs of rows that tie, averaged over the pairs of classes."""
    _, tied = _values(sample, "hand_till", None, "rounding")
    return float(np.nanmean(tied))


def _values(
    sample: Sample, kind: Kind, partition: Floats | None, ties: Ties
) -> tuple[Floats, Floats]:
    if sample.scores.ndim == 1:
        return _of_one_column(sample)
    if kind == "auc_mu":
        unit_roundoff = sample.unit_roundoff if ties == "rounding" else 0.0
        pairs = _core.separation(
            rows=sample.rows(projected=True), partition=partition, unit_roundoff=unit_roundoff
        )
        return pairs.auc, pairs.tied
    pairs = _core.conditional(rows=sample.rows())
    if kind == "conditional":
        return pairs.auc, pairs.tied
    return (pairs.auc + pairs.auc.T) / 2, (pairs.tied + pairs.tied.T) / 2


def _of_one_column(sample: Sample) -> tuple[Floats, Floats]:
    # The one column stands for both; read for class 0 it counts the same ties.
    twice = np.broadcast_to(sample.scores[:, np.newaxis], (len(sample.scores), 2))
    pairs = _core.conditional(rows=sample._replace(scores=twice).rows())
    auc = _core.value(rows=sample.rows(), measure=AUC)
    return np.where(np.isnan(pairs.auc), np.nan, auc), pairs.tied
