"""Each class against the rest, averaged or pooled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, overload

import numpy as np

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.per_class import PerClass

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Average, Floats, Labels, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class OneVsRest(PerClass):
    """One-vs-rest AUC as an object; see :func:`one_vs_rest`.

    Parameters
    ----------
    average : {"macro", "prevalence", "micro"} or None
        How the classes are put together; None keeps one value per class.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.OneVsRest("prevalence")
    OneVsRest(average='prevalence')
    """

    average: Average | None = "macro"
    absent: Absent = "raise"
    name: ClassVar[str] = "one_vs_rest"
    averages: ClassVar[tuple[str, ...]] = ("macro", "prevalence", "micro")

    @property
    def needs_columns(self) -> bool:
        """Whether all columns are pooled."""
        return self.average == "micro"

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        if self.needs_columns and sample.scores.ndim == 1:
            raise ValueError(
                'average="micro" pools one column per class but y_score is 1-D; pass both columns, '
                "as np.column_stack([1 - p, p]) for probabilities p"
            )

    def _is_auc(self, sample: Sample) -> bool:
        return sample.scores.ndim == 1  # the other class has the same AUC under the negated score

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell whether counts are weights, or say of which classes a rest of several consists."""
        if self._is_auc(sample):
            return False
        return sample.n_present > 2 or self.average in ("prevalence", "micro")

    def _class_weights(self, masses: Floats) -> Floats:
        # Class i counts as itself and, by its share, in the rest of every other class.
        total, present = masses.sum(), masses > 0.0
        own = masses / total
        if self.average not in ("prevalence", "micro"):
            own = np.where(present, 1.0 / np.count_nonzero(present), 0.0)
        in_rest = masses * ((own / (total - masses)).sum() - own / (total - masses))
        return np.asarray(own + in_rest)

    def _describe(self, sample: Sample) -> _core.Measure:
        if self.average == "micro":
            return _core.Measure("micro")
        return _core.Measure("one_vs_rest", n_classes=sample.n_classes, average=self.average)


@overload
def one_vs_rest(
    y_true: Labels,
    y_score: Scores,
    *,
    average: Average = "macro",
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float: ...
@overload
def one_vs_rest(
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
def one_vs_rest(
    y_true: Labels,
    y_score: Scores,
    *,
    average: Average | None = "macro",
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float | Floats:
    """AUC of each class against all others.

    R_i is the AUC of column i, the rows of class i against all the rest, ties counting one half;
    scores tie when they are equal. With pi_i the share of class i::

        macro:      1 / K * sum over i of R_i
        prevalence: sum over i of pi_i R_i        (Provost & Domingos 2000; KP19 section 2)
        micro:      the AUC of all n K scores pooled, those of each row's own class favoured

    All but macro move with class skew. With 1-D scores every value is the binary AUC.
    Cost: O(K n log n) time, O(n) memory for each column at work; micro O(n K) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K), or (n,) for two classes
        A column of scores for each class, higher for more likely. Rows need not sum to 1.
    average : {"macro", "prevalence", "micro"} or None
        How the classes are put together; None returns one value per class.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for, which is then the last; ``labels[1]``
        by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out of the
        average (nan where `average` is None). The micro pool keeps its column, which has scores
        of other classes' rows only.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float or ndarray of shape (K,)
        The average, or the value of each class.

    References
    ----------
    F. Provost and P. Domingos, Well-trained PETs: improving probability estimation trees, CDER
    Working Paper 00-04-IS, 2000.
    KP19: R. S. Kleiman and D. Page, AUC-mu: a performance metric for multi-class machine learning
    models, ICML 2019.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.one_vs_rest(["a", "a", "b", "c"], proba, average=None)
    array([0.75      , 1.        , 0.66666667])
    >>> round(pr.one_vs_rest(["a", "a", "b", "c"], proba, average="prevalence"), 4)
    0.7917
    """
    return OneVsRest(average, absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
