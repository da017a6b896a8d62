"""Binary AUC, whole or up to a false positive rate."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.measure import AS_AUC, AUC, Measure
from polyroc._measures.partial_auc import PartialAuc

if TYPE_CHECKING:
    from polyroc._base.types import Floats, Labels, Scores
    from polyroc._stats.newcombe import FromAuc


_ONE_EACH = np.ones(2)


@public
@dataclass(frozen=True, eq=False, repr=False)
class Auc(Measure[float]):
    """Binary AUC as an object; see :func:`auc`.

    Parameters
    ----------
    max_fpr : float, optional
        Only false positive rates up to this one count; the area is then standardised.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.Auc(max_fpr=0.5)
    Auc(max_fpr=0.5)
    >>> pr.Auc()([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """

    max_fpr: float | None = None
    name: ClassVar[str] = "auc"

    def __post_init__(self) -> None:
        """Check the options."""
        limit = self.max_fpr
        if limit is None:
            return
        if not isinstance(limit, Real) or isinstance(limit, bool):
            raise TypeError(f"max_fpr is {limit!r}; pass a number in (0, 1], or None")
        if not 0 < limit <= 1:
            raise ValueError(f"max_fpr is {limit!r}; a false positive rate lies in (0, 1]")
        self._set(max_fpr=float(limit))

    def _admit(self, sample: Sample) -> None:
        if sample.present is not None or len(sample.labels) != 2:
            super()._admit(sample)
            sample.require_two_classes(self.name, "use hand_till or auc_mu")

    @property
    def _part(self) -> PartialAuc:
        """The area up to the limit."""
        return PartialAuc(
            fpr=(0.0, 1.0 if self.max_fpr is None else self.max_fpr), standardize=True
        )

    @property
    def from_auc(self) -> FromAuc:
        """How a partial area follows from the whole."""
        return AS_AUC if self.is_binary_auc else self._part.from_auc

    @property
    def reads_one_column(self) -> bool:
        """It does: that of the favoured class."""
        return True

    @property
    def is_binary_auc(self) -> bool:
        """Whether the whole area counts."""
        return self.max_fpr in (None, 1)

    def _is_auc(self, sample: Sample) -> bool:
        return self.is_binary_auc

    def _class_weights(self, masses: Floats) -> Floats:
        if self.is_binary_auc:
            return _ONE_EACH
        return self._part._class_weights(masses)

    def _describe(self, sample: Sample) -> _core.Measure:
        return AUC if self.is_binary_auc else self._part._describe(sample)

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        return (0.0, 1.0) if self.is_binary_auc else self._part._bounds(sample)


_WHOLE = Auc()


@public
@hinting
def auc(
    y_true: Labels,
    y_score: Scores,
    *,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    max_fpr: float | None = None,
    n_threads: int | None = None,
) -> float:
    """Area under the ROC curve of two classes.

    The probability that a row of class ``labels[1]`` scores higher than a row of ``labels[0]``,
    ties counting one half (HT01 Eq. 3; the trapezoid area of B97 Eq. 7)::

        A = (S - n1 (n1 + 1) / 2) / (n0 n1),    S = sum of the mid-ranks of class 1

    Scores tie when they are equal, and -0.0 equals 0.0. With `max_fpr` = f, the area P over false
    positive rates in [0, f] is standardised to 1/2 for chance and 1 for perfection
    (McClish 1989)::

        1/2 (1 + (P - f^2 / 2) / (f - f^2 / 2))

    Areas over other ranges, and those that are not standardised, are in :func:`partial_auc`.

    Cost: O(n log n) time, O(n) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Scores of ``labels[1]``, higher for more likely; of two columns the second is used. Any
        numbers that order rows will do.
    labels : array_like of shape (2,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    max_fpr : float, optional
        The largest false positive rate that counts, in (0, 1].
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The area, in [0, 1].

    References
    ----------
    HT01: D. J. Hand and R. J. Till, A simple generalisation of the area under the ROC curve for
    multiple class classification problems, Machine Learning 45, 2001.
    B97: A. P. Bradley, The use of the area under the ROC curve in the evaluation of machine
    learning algorithms, Pattern Recognition 30, 1997.
    D. K. McClish, Analyzing a portion of the ROC curve, Medical Decision Making 9, 1989.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.auc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    >>> pr.auc(["no", "no", "yes", "yes"], [3, 7, 5, 9], sample_weight=[1, 1, 2, 2])
    0.75
    >>> pr.auc(["dead", "dead", "well", "well"], [0.9, 0.3, 0.4, 0.1], pos_label="dead")
    0.75
    """
    measure = _WHOLE if max_fpr is None else Auc(max_fpr)
    return measure._of(prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label))
