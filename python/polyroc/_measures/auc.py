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
from polyroc._measures.measure import AS_AUC, AUC, Measure, require_two_classes
from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from polyroc._base.types import Floats, Labels, Scores


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
            require_two_classes(self.name, sample, "use hand_till or auc_mu")

    @property
    def _limit(self) -> float:
        return 1.0 if self.max_fpr is None else self.max_fpr

    @property
    def has_influence(self) -> bool:
        """Whether it has influence values: a partial area has none."""
        return self._limit == 1

    @property
    def from_auc(self) -> FromAuc:
        """How a partial area follows from the whole."""
        return AS_AUC if self._limit == 1 else _PartialFromAuc(limit=self._limit)

    @property
    def reads_one_column(self) -> bool:
        """It does: that of the favoured class."""
        return True

    @property
    def is_binary_auc(self) -> bool:
        """Whether the whole area counts."""
        return self._limit == 1

    def _is_auc(self, sample: Sample) -> bool:
        return self.max_fpr in (None, 1)

    def _describe(self, sample: Sample) -> _core.Measure:
        if self.max_fpr in (None, 1):
            return AUC
        return _core.Measure("partial_auc", max_fpr=self.max_fpr)

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        return (1 - self._limit / (2 - self._limit)) / 2, 1.0  # an area of 0, standardised


_WHOLE = Auc()


@dataclass(frozen=True)
class _PartialFromAuc(FromAuc):
    """Of an area A at least A - (1 - f) and at most A lie below f, whatever the curve."""

    limit: float = 1.0

    def shares(
        self, low: Floats, high: Floats, sizes: tuple[float, float]
    ) -> tuple[Floats, Floats]:
        f = self.limit
        return np.maximum(low - (1.0 - f), 0.0) / f, np.minimum(high, f) / f


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
