"""Hand's H measure: the loss that a score saves, over all shares of cost alike for every score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyroc import _core
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.on_hull import OnHull
from polyroc._measures.severity import checked, core_options
from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Floats, Labels, Scores
    from polyroc._measures.severity import Severity


_GRID = 33  # of corners, see _HFromAuc


@public
@dataclass(frozen=True, eq=False, repr=False)
class HMeasure(OnHull):
    """The H measure as an object; see :func:`h_measure`.

    Parameters
    ----------
    severity : {"prior", "hand2009", "r"} or a pair of numbers, optional
        The beta distribution of costs; "prior" by default.
    severity_ratio : float, optional
        Instead: the cost of a false positive over that of a false negative.
    absent : {"raise", "skip"}
        What to do about a class without rows.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.HMeasure(severity=(2, 2))
    HMeasure(severity=(2.0, 2.0))
    >>> round(pr.HMeasure()([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.5
    """

    severity: Severity | None = None
    severity_ratio: float | None = None
    absent: Absent = "raise"
    name: ClassVar[str] = "h_measure"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        severity, ratio = checked(self.severity, self.severity_ratio)
        self._set(severity=severity, severity_ratio=ratio)

    @property
    def from_auc(self) -> FromAuc:
        """What H can be, given the AUC."""
        return _HFromAuc(severity=self.severity, severity_ratio=self.severity_ratio)

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell that they do: a loss is weighed by the share of each class."""
        return True

    def _of_hulls(self, **which: bool) -> _core.Measure:
        options = core_options(self.severity, self.severity_ratio)
        return _core.Measure("h_measure", **which, **options)


@dataclass(frozen=True)
class _HFromAuc(FromAuc):
    """What H can be, given an AUC of A: that of hulls with one corner (x, y).

    The least belongs to a curve that is its own hull, where y - x = 2 A - 1; the most to one that
    is as low as it can be but for its corner, where y (1 - x) = A. A grid of x finds both.
    """

    severity: Any = None
    severity_ratio: float | None = None

    def auc(self, share: float) -> float:
        return (1.0 + share) / 2.0

    def shares(
        self, low: Floats, high: Floats, sizes: tuple[float, float]
    ) -> tuple[Floats, Floats]:
        least = [
            min(self._of_corners(xs, xs + gap, sizes))
            for gap in np.maximum(2.0 * low - 1.0, 0.0)
            for xs in [np.linspace(0.0, 1.0 - gap, _GRID)]
        ]
        most = [
            max(self._of_corners(xs, area / (1.0 - xs), sizes))
            for area in np.maximum(high, 0.5)
            for xs in [np.linspace(0.0, 1.0 - area, _GRID)]
        ]
        return np.array(least), np.array(most)

    def _of_corners(self, xs: Floats, ys: Floats, sizes: tuple[float, float]) -> list[float]:
        """Return H of the hulls with a corner (x, y); either class may be the positive one."""
        options = core_options(self.severity, self.severity_ratio)
        which = {"one_column": True, "optimism": False}
        measure = _core.Measure("h_measure", **which, **options)
        found = []
        for n1, n0 in {sizes, sizes[::-1]}:
            for x, y in zip(xs, np.minimum(ys, 1.0), strict=True):
                rows = _core.Rows(
                    scores=np.array([1.0, 1.0, 0.0, 0.0]),
                    codes=np.array([1, 0, 1, 0], dtype=np.uint32),
                    n_classes=2,
                    weights=np.array([n1 * y, n0 * x, n1 * (1.0 - y), n0 * (1.0 - x)]),
                    n_threads=1,
                )
                found.append(_core.value(rows=rows, measure=measure))
        return found


@public
@hinting
def h_measure(
    y_true: Labels,
    y_score: Scores,
    *,
    severity: Severity | None = None,
    severity_ratio: float | None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float:
    """Hand's H measure: the share of the expected loss of a useless score that this one saves.

    Let a false positive cost c and a false negative 1 - c, and pi1 and pi0 be the shares of
    ``labels[1]`` and of ``labels[0]``. At its best threshold a score then loses::

        Q(c) = min over t of c pi0 FPR(t) + (1 - c) pi1 (1 - TPR(t))

    and with c ~ Beta(a, b), the same for every score::

        H = 1 - E[Q(c)] / E[Q(c) of a useless score]

    in closed form on the convex hull of the ROC curve. The AUC is such an average too, but over a
    distribution of c that depends on the score itself, so that two scores are not compared by one
    rule (Hand 2009). H is 1 where no rows overlap and 0 for a useless score, and stays the same if
    scores are put through any increasing function. A score that ranks the wrong way round is
    not turned. ::

        severity="prior":     Beta(1 + pi1, 1 + pi0)      HA14, the default
        severity="hand2009":  Beta(2, 2)                  Hand 2009
        severity="r":         Beta(2, 1 + pi0 / pi1)      the R package's default
        severity=(a, b):      Beta(a, b)
        severity_ratio=SR:    Beta(2, 1 + 1 / SR), whose mode is a cost ratio of SR

    With more than two classes it is the mean over all ordered pairs (i, j) of H for class i
    against class j by column i. That is an extension of ours, after Hand and Till's M.
    Cost: O(n log n) time for each column, O(n) memory.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, K)
        Scores of ``labels[1]``, or a column for each class, higher for more likely; of two columns
        the second is used. Any numbers that order rows will do.
    severity : {"prior", "hand2009", "r"} or a pair of numbers, optional
        The beta distribution of c; "prior" by default.
    severity_ratio : float, optional
        Instead of `severity`: the cost of a false positive over that of a false negative.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0; pi0 and pi1 come from them.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The measure, in [0, 1].

    References
    ----------
    D. J. Hand, Measuring classifier performance: a coherent alternative to the area under the ROC
    curve, Machine Learning 77, 2009.
    HA14: D. J. Hand and C. Anagnostopoulos, A better beta for the H measure of classification
    performance, Pattern Recognition Letters 40, 2014.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, s = [0, 0, 0, 1, 1], [0.1, 0.3, 0.6, 0.5, 0.9]
    >>> round(pr.h_measure(y, s), 4), round(pr.h_measure(y, s, severity=(2, 2)), 4)
    (0.5873, 0.58)
    >>> y, models = pr.example_predictions()
    >>> pr.bootstrap(y == 8, models["naive Bayes"][:, 8], "h_measure", n_resamples=2000, seed=1)
    h_measure 0.5835, standard error 0.032
      95 % corrected interval: 0.4975 to 0.6362
      2,000 replicates of 1,797 rows, not stratified, as class counts enter h_measure, seed 1
      high scores favour class True
      note: thresholds look better on the rows they are chosen on: 0.0083 to 0.017 is taken off
    """
    measure = HMeasure(severity, severity_ratio, absent)
    return measure._of(prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label))
