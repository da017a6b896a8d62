"""The volume under the surface of ordered classes on one marker."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.by_tuple import ByTuple
from polyroc._measures.measure import ABSENT

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Labels, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class Vus(ByTuple[float]):
    """The volume under the surface of ordered classes as an object; see :func:`vus`.

    Parameters
    ----------
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.Vus()(["a", "b", "c"], [1, 2, 3])
    1.0
    """

    absent: Absent = "raise"
    name: ClassVar[str] = "vus"
    orders_classes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the option."""
        choose("absent", self.absent, ABSENT)

    @property
    def reads_one_column(self) -> bool:
        """It does: of two classes in two columns that of the favoured one."""
        return True

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        if sample.scores.ndim == 2 and sample.n_classes > 2:
            raise ValueError(
                f"vus orders classes by one score per row but y_score has {sample.n_classes} "
                "columns; pass one marker that rises from class to class, or use hum or pdi, which "
                "take one column per class"
            )

    def _is_auc(self, sample: Sample) -> bool:
        return sample.n_classes == 2

    def _chance(self, n_classes: int) -> float:
        return 1.0 / math.factorial(n_classes)

    def _favoured(self, sample: Sample) -> Any:
        return sample.classes[-1]

    def _describe(self, sample: Sample) -> _core.Measure:
        return _core.Measure("vus")


@public
@hinting
def vus(
    y_true: Labels,
    y_score: Scores,
    *,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float:
    """Volume under the surface: the chance that one row of each class are in the right order.

    With x_k the score of a random row of class k, classes in the order of `labels`::

        VUS = P(x_1 < x_2 < ... < x_K)

    Each run of m neighbours that are equal counts 1 / m!, and runs multiply: of three classes
    x_1 = x_2 < x_3 counts 1/2, x_1 = x_2 = x_3 counts 1/6. Any number of classes; of two it is the
    AUC. By chance it is 1 / K!. For classes without an order see :func:`hum` and :func:`pdi`.
    Cost: O(n log n) time, O(n) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,)
        The marker, higher for later classes. (Of two classes also two columns, of which the second
        counts.)
    labels : array_like of shape (K,), optional
        The classes in their order, lowest marker first. By default the sorted values of `y_true`:
        name them where these are words, as ``["mild", "moderate", "severe"]``.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0; a tuple of rows counts their product.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The volume, in [0, 1].

    References
    ----------
    D. Mossman, Three-way ROCs, Med. Decis. Making 19, 1999.
    C. T. Nakas and C. T. Yiannoutsos, Ordered multiple-class ROC analysis with continuous
    measurements, Stat. Med. 23, 2004.

    Examples
    --------
    >>> import polyroc as pr
    >>> stage = ["mild", "mild", "moderate", "moderate", "severe"]
    >>> pr.vus(stage, [1.0, 2.0, 2.0, 4.0, 5.0], labels=["mild", "moderate", "severe"])
    0.875
    """
    return Vus(absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label, marker=True)
    )
