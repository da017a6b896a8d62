"""The polar area of Hassan et al. (2010)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose, show
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.hand_till import HandTill
from polyroc._measures.measure import ABSENT, Measure
from polyroc._measures.pairwise import column_pairs
from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Array, Labels, Order, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class PolarArea(Measure[float]):
    """Polar area as an object; see :func:`polar_area`.

    Parameters
    ----------
    normalize : bool
        Whether to divide by the largest area possible.
    order : {"pairs"} or sequence of pairs of labels, optional
        The order of the class pairs around the circle; the one of largest area by default.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.PolarArea(normalize=True)
    PolarArea(normalize=True)
    """

    normalize: bool = False
    order: Order | None = None
    absent: Absent = "raise"
    name: ClassVar[str] = "polar_area"

    def __post_init__(self) -> None:
        """Check the options."""
        choose("absent", self.absent, ABSENT)
        if not isinstance(self.normalize, (bool, np.bool_)):
            raise TypeError(f"normalize is {self.normalize!r}; pass True or False")
        self._set(normalize=bool(self.normalize), order=_as_pairs(self.order))

    @property
    def from_auc(self) -> FromAuc:
        """The square of an AUC."""
        return FromAuc(degree=2)

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        present = sample.present
        n_present = sample.n_classes if present is None else int(np.count_nonzero(present))
        if n_present < 3:
            raise ValueError(
                f"polar_area needs at least three classes with rows, not {n_present}; "
                "two have one AUC and no area: use auc or hand_till"
            )

    def _describe(self, sample: Sample) -> _core.Measure:
        rays = np.column_stack(self._rays(sample)).astype(np.float64)
        return _core.Measure("polar_area", n_classes=sample.n_classes, rays=rays,
                             maximise=self.order is None, normalise=self.normalize)  # fmt: skip

    def _describe_pairs(self, sample: Sample) -> _core.Measure:
        return column_pairs(sample)

    def _of_pair(self) -> HandTill:
        return HandTill(absent="skip")

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        return 0.0, 1.0 if self.normalize else _core.polar_maximum(q=len(self._rays(sample)[0]))

    def _rays(self, sample: Sample) -> tuple[Array, Array]:
        """Return the two classes of each ray, in order; pairs without rows have none."""
        i, j = np.triu_indices(sample.n_classes, 1)
        if isinstance(self.order, tuple):
            i, j = _find_pairs(self.order, sample)
        if sample.present is None:
            return i, j
        drawn = sample.present[i] & sample.present[j]
        return i[drawn], j[drawn]


@public
@hinting
def polar_area(
    y_true: Labels,
    y_score: Scores,
    *,
    normalize: bool = False,
    order: Order | None = None,
    labels: Labels | None = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float:
    """Area of the polygon that the pairwise AUCs span on a polar plot.

    The q = K (K - 1) / 2 values A(i,j) of Hand & Till (see :func:`hand_till`) are lengths r_1, ...,
    r_q on equally spaced rays, and the area depends on their order (HA10)::

        area = 1/2 sin(2 pi / q) * (r_1 r_2 + r_2 r_3 + ... + r_q r_1)

    By default the order is the one of largest area (HA10 Lemma 1), so that the value does not
    depend on how the classes are numbered: with r sorted in descending order::

        area = 1/2 sin(2 pi / q) * (r_1 r_2 + sum over k = 1 .. q-2 of r_k r_(k+2) + r_(q-1) r_q)

    The largest value is q/2 sin(2 pi / q), the value of chance a quarter of it. Ties count one
    half in every A(i,j). Needs K >= 3. Cost: O(K n log n) time, as M, and O(K^2) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K)
        A column of scores for each class, higher for more likely. Rows need not sum to 1.
    normalize : bool
        Whether to divide by the largest value: 1 is then perfect, 1/4 chance.
    order : {"pairs"} or sequence of pairs of labels, optional
        Another order around the circle: "pairs" for (0, 1), (0, 2), ..., (1, 2), ... in column
        order, or every pair of labels once.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or its rays are
        left out and the rest spaced anew.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The area.

    References
    ----------
    HA10: M. R. Hassan, K. Ramamohanarao, C. Karmakar, M. M. Hossain and J. Bailey, A novel
    scalable multi-class ROC for effective visualization and computation, PAKDD 2010.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> round(pr.polar_area(["a", "a", "b", "c"], proba), 4)
    0.7036
    >>> round(pr.polar_area(["a", "a", "b", "c"], proba, normalize=True), 4)
    0.5417
    """
    return PolarArea(normalize, order, absent)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads)
    )


def _as_pairs(order: Any) -> Any:
    """Return a given order as a tuple of pairs, which can be compared and hashed."""
    if order is None or (isinstance(order, str) and order == "pairs"):
        return order
    try:
        pairs = () if isinstance(order, str) else tuple(tuple(pair) for pair in order)
        hash(pairs)
    except TypeError:
        pairs = ()
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise ValueError(
            f"order is {order!r}; pass None, 'pairs' or a list of (label, label) pairs"
        )
    return pairs


def _find_pairs(order: tuple[Any, ...], sample: Sample) -> tuple[Array, Array]:
    """Return the columns of the pairs in `order`, which must name each pair once."""
    column = {label: k for k, label in enumerate(sample.labels)}
    rays: dict[tuple[int, int], None] = {}  # in the order given
    for pair in order:
        for label in pair:
            if label not in column:
                raise ValueError(
                    f"order names {show(label)}, but the labels are {show(sample.labels)}; "
                    "pair those"
                )
        i, j = sorted(column[label] for label in pair)
        if i == j or (i, j) in rays:
            raise ValueError(f"order repeats a class or a pair at {pair!r}; name every pair once")
        rays[i, j] = None
    classes = np.arange(sample.n_classes)
    for i, j in combinations(classes if sample.present is None else classes[sample.present], 2):
        if (i, j) not in rays:
            a, b = sample.labels[i], sample.labels[j]
            raise ValueError(f"order leaves out the pair ({show(a)}, {show(b)}); add it")
    columns = np.array(list(rays))
    return columns[:, 0], columns[:, 1]
