"""Average precision, the area under the steps of precision over recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, overload

import numpy as np

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.per_class import PerClass
from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Labels, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class AveragePrecision(PerClass):
    """Average precision as an object; see :func:`average_precision`.

    Parameters
    ----------
    average : {"macro", "prevalence"} or None
        How the classes are put together; None keeps one value per class.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.AveragePrecision("prevalence")
    AveragePrecision(average='prevalence')
    """

    average: Literal["macro", "prevalence"] | None = "macro"
    absent: Absent = "raise"
    name: ClassVar[str] = "average_precision"
    averages: ClassVar[tuple[str, ...]] = ("macro", "prevalence")

    @property
    def from_auc(self) -> FromAuc:
        """What precisions can be, given the AUC."""
        return _PrecisionFromAuc()

    @property
    def compares_with_rest(self) -> bool:
        """It does: precision falls with every row of the rest."""
        return True

    @property
    def reads_one_column(self) -> bool:
        """It does, but for one value per class: that of the favoured class."""
        return self.is_single

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        if not self.is_single and sample.scores.ndim == 1:
            raise ValueError(
                "average=None has one value per class but y_score is 1-D; pass both columns, "
                "as np.column_stack([1 - p, p]) for probabilities p"
            )

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell that they do: precision falls with every row of the rest."""
        return True

    rest_decides: ClassVar[bool] = False

    def _class_weights(self, masses: Floats) -> Floats:
        # A row of the rest moves precision little: the positive rows are those that count.
        present = masses > 0.0
        if len(masses) == 2 and self.is_single:
            return np.where(present, [0.0, 1.0], 0.0)
        if self.average == "prevalence":
            return np.asarray(masses / masses.sum())
        return np.where(present, 1.0 / np.count_nonzero(present), 0.0)

    def _describe(self, sample: Sample) -> _core.Measure:
        if sample.n_classes == 2 and self.is_single:
            return _core.Measure("average_precision", one_column=True)
        return _core.Measure(
            "average_precision",
            one_column=False,
            n_classes=sample.n_classes,
            average=self.average,
        )


@dataclass(frozen=True)
class _PrecisionFromAuc(FromAuc):
    """What average precision can be, given an AUC of A and n1 positive and n0 negative rows.

    The k-th positive row has precision k / (k + f) where f negative rows lie above it, and the mean
    of f is n0 (1 - A). With r = n0 (1 - A) / n1 the mean precision is least where k + f grows as
    the root of k (by Lagrange's method, whether or not such f are in order)::

        1 - sqrt(6 r) / 3 for r <= 1/6, else (4 / 9) / (r + 1/2)

    It is most where A of them have none above and the others all: A + (1 - A) n1 / (n0 + n1).
    Either class may be the positive one.
    """

    def shares(
        self, low: Floats, high: Floats, sizes: tuple[float, float]
    ) -> tuple[Floats, Floats]:
        ratios = [n0 * (1.0 - low) / n1 for n1, n0 in (sizes, sizes[::-1])]
        least = [
            np.where(r <= 1.0 / 6.0, 1.0 - np.sqrt(6.0 * r) / 3.0, (4.0 / 9.0) / (r + 0.5))
            for r in ratios
        ]
        return np.minimum(*least), high + (1.0 - high) * (max(sizes) / sum(sizes))

    def limits(self, share: float, sizes: tuple[float, float], z: Floats) -> tuple[Floats, Floats]:
        low, high = super().limits(share, sizes, z)
        return np.minimum(low, share), np.maximum(high, share)  # an AUC may be far from precision


@overload
def average_precision(
    y_true: Labels,
    y_score: Scores,
    *,
    average: Literal["macro", "prevalence"] = "macro",
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float: ...
@overload
def average_precision(
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
def average_precision(
    y_true: Labels,
    y_score: Scores,
    *,
    average: Literal["macro", "prevalence"] | None = "macro",
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float | Floats:
    """Average precision of two classes, or of each class against the rest.

    With thresholds t from the highest score down, R_t the recall (the share of positive rows that
    score t or more) and P_t the precision (the share of positives among the rows that do)::

        AP = sum over t of (R_t - R_(t-1)) P_t

    as in scikit-learn: rows of one score are one step, and no line is drawn between the points. Two
    classes have one value, that of ``labels[1]``. With more, AP_i is that of column i, class i
    being positive and all others negative, and with pi_i the share of class i::

        macro:      1 / K * sum over i of AP_i
        prevalence: sum over i of pi_i AP_i

    Unlike an AUC, precision moves with class skew: by chance AP_i is about pi_i.
    Cost: O(K n log n) time, O(n) memory for each column at work.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K), or (n,) for two classes
        A column of scores for each class, higher for more likely. Any numbers that order rows will
        do.
    average : {"macro", "prevalence"} or None
        How the classes are put together; None returns one value per class, also of two.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out of the
        average (nan where `average` is None).
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float or ndarray of shape (K,)
        The average, or the value of each class.

    References
    ----------
    J. Davis and M. Goadrich, The relationship between precision-recall and ROC curves, ICML 2006.

    Examples
    --------
    >>> import polyroc as pr
    >>> round(pr.average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.average_precision(["a", "a", "b", "c"], proba, average=None)
    array([0.83333333, 1.        , 0.5       ])
    """
    return AveragePrecision(average, absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
