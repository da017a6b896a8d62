"""The proportion correct to be expected over a distribution of thresholds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from polyroc import _core
from polyroc._base.checks import is_number, show
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.of_two import OfTwo
from polyroc._stats.from_proportion import FromProportion
from polyroc._stats.newcombe import FromAuc, newcombe, newcombe_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats, Labels, Scores


@public
@dataclass(frozen=True, eq=False, repr=False)
class ExpectedCorrect(OfTwo):
    """The expected proportion correct as an object; see :func:`expected_correct`.

    Parameters
    ----------
    threshold : (float, float), optional
        The shapes (a, b) of a Beta distribution of thresholds.
    screened : float or (float, float), optional
        The share of rows that are said to be positive, or the shapes of its Beta distribution.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.ExpectedCorrect(screened=(1, 9))
    ExpectedCorrect(screened=(1.0, 9.0))
    """

    threshold: tuple[float, float] | None = None
    screened: float | tuple[float, float] | None = None
    name: ClassVar[str] = "expected_correct"

    def __post_init__(self) -> None:
        """Check the options."""
        if self.threshold is not None and self.screened is not None:
            raise ValueError(
                "threshold and screened are both given, and either says which rows are said to be "
                "positive; leave one of them out"
            )
        if self.threshold is not None:
            if is_number(self.threshold):
                raise TypeError(
                    f"threshold is {show(self.threshold)}; pass the shapes (a, b) of a Beta "
                    "distribution of thresholds, as (2, 5)"
                )
            self._set(threshold=_shapes("threshold", self.threshold, "(2, 5)"))
        elif is_number(self.screened):
            if not 0 <= self.screened <= 1:  # type: ignore[operator]
                raise ValueError(
                    f"screened is {show(self.screened)}; a share of the rows lies in [0, 1], as 0.1"
                )
            self._set(screened=float(self.screened))  # type: ignore[arg-type]
        elif self.screened is not None:
            self._set(screened=_shapes("screened", self.screened, "(1, 9), or a share, as 0.1"))

    @property
    def has_influence(self) -> bool:
        """Whether it has: not where rows are screened."""
        return self.screened is None

    @property
    def from_auc(self) -> FromAuc:
        """A function of the AUC and the class counts, or a proportion of rows."""
        return _MixtureFromAuc() if self._is_mixture else FromProportion()

    @property
    def reads_values(self) -> bool:
        """Whether it does: thresholds are on the scale of the scores."""
        return self.threshold is not None

    @property
    def _is_mixture(self) -> bool:
        return self.threshold is None and self.screened is None

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        if self.reads_values and sample.integers is not None:
            raise ValueError(
                "y_score holds integers beyond 2**53, but thresholds of a Beta distribution lie in "
                "[0, 1]; pass scores that do, as probabilities"
            )

    def _counts_enter(self, sample: Sample) -> bool:
        """Tell that they do: every row counts, whatever its class."""
        return True

    def _bounds(self, sample: Sample) -> tuple[float, float]:
        # (pi_0^2 + pi_1^2) / 2 is 1/4 at least, and 2 pi_0 pi_1 more than that 3/4 at most.
        return (0.25, 0.75) if self._is_mixture else (0.0, 1.0)

    def _class_weights(self, masses: Floats) -> Floats:
        if self._is_mixture:
            return super()._class_weights(masses)
        return np.asarray(masses / masses.sum())

    def _describe(self, sample: Sample) -> _core.Measure:
        if self.threshold is not None:
            a, b = self.threshold
            return _core.Measure("expected_correct_at_thresholds", a=a, b=b)
        if isinstance(self.screened, tuple):
            a, b = self.screened
            return _core.Measure("expected_correct_screened", a=a, b=b)
        if self.screened is not None:
            return _core.Measure("expected_correct_screened", share=self.screened)
        return _core.Measure("expected_correct")


def _shapes(name: str, value: Any, example: str) -> tuple[float, float]:
    """Return two positive numbers."""
    try:
        shapes = tuple(value)
    except TypeError:
        shapes = ()
    if len(shapes) != 2 or isinstance(value, str) or not all(map(is_number, shapes)):
        raise TypeError(
            f"{name} is {show(value)}; pass the shapes (a, b) of a Beta distribution, as {example}"
        )
    for shape in shapes:
        if not (0 < shape < math.inf):
            raise ValueError(
                f"{name} is ({show(shapes[0])}, {show(shapes[1])}); the shapes of a Beta "
                f"distribution are positive and finite, as {example}"
            )
    return float(shapes[0]), float(shapes[1])


@dataclass(frozen=True)
class _MixtureFromAuc(FromAuc):
    """r = (pi_0^2 + pi_1^2) / 2 + 2 pi_0 pi_1 A, in shares of [1/4, 3/4], by the units of classes.

    With q = 4 pi_0 pi_1 a share is (1 - q) / 2 + q A.
    """

    def shares(
        self, low: Floats, high: Floats, sizes: tuple[float, float]
    ) -> tuple[Floats, Floats]:
        q = _evenness(sizes)
        return (1.0 - q) / 2.0 + q * low, (1.0 - q) / 2.0 + q * high

    def limits(self, share: float, sizes: tuple[float, float], z: Floats) -> tuple[Floats, Floats]:
        auc = _auc_of(share, sizes)
        return self.shares(newcombe(auc, *sizes, z), newcombe(auc, *sizes, -z), sizes)

    def quantile(self, share: float, sizes: tuple[float, float], limit: float) -> float:
        return newcombe_quantile(_auc_of(share, sizes), *sizes, _auc_of(limit, sizes))


def _evenness(sizes: tuple[float, float]) -> float:
    return 4.0 * sizes[0] * sizes[1] / sum(sizes) ** 2


def _auc_of(share: float, sizes: tuple[float, float]) -> float:
    q = _evenness(sizes)
    return min(max((share - (1.0 - q) / 2.0) / q, 0.0), 1.0)


@public
@hinting
def expected_correct(
    y_true: Labels,
    y_score: Scores,
    *,
    threshold: tuple[float, float] | None = None,
    screened: float | tuple[float, float] | None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> float:
    """Proportion correct of two classes to be expected over a distribution of thresholds.

    Rows are said to be of ``labels[1]`` where their score is at or above a threshold t. What share
    of all rows is then right depends on t, and this is its mean over a distribution of t:

    - with neither option t is the score of a row drawn at random, ties one half. With pi_i the
      shares of the classes this is a function of the AUC (HT01 Eq. 5)::

          r = (pi_0^2 + pi_1^2) / 2 + 2 pi_0 pi_1 AUC

      Each model then has thresholds of its own, which is HA13's case against the AUC;
    - ``threshold=(a, b)``: t has a Beta(a, b) distribution, the same one for all models (HA13
      section 2). A row of score s is right with the probability I_s(a, b), the share of the
      distribution at or below s, or 1 - I_s(a, b) for ``labels[0]``;
    - ``screened=P``: t is such that a share P of all rows is said to be positive, whatever their
      scores are (HA13 section 3). Rows that tie at t are shared out in proportion;
    - ``screened=(a, b)``: the same with P of a Beta(a, b) distribution; (1, 1) is the mean over all
      shares alike, and equals r.

    Cost: O(n) time with `threshold`, and by counting with neither; O(n log n) with `screened`.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Scores of ``labels[1]``, higher for more likely; of two columns the second is used. In
        [0, 1] with `threshold`; otherwise any numbers that order rows will do.
    threshold : (float, float), optional
        The shapes (a, b) of a Beta distribution of thresholds.
    screened : float or (float, float), optional
        The share of all rows that is said to be positive, in [0, 1], or the shapes (a, b) of its
        Beta distribution.
    labels : array_like of shape (2,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float
        The expected proportion, in [0, 1].

    References
    ----------
    HT01: D. J. Hand and R. J. Till, A simple generalisation of the area under the ROC curve for
    multiple class classification problems, Machine Learning 45, 2001.
    HA13: D. J. Hand and C. Anagnostopoulos, When is the area under the receiver operating
    characteristic curve an appropriate measure of classifier performance?, Pattern Recognition
    Letters 34, 2013.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, s = [0, 0, 0, 1, 1], [0.1, 0.3, 0.6, 0.5, 0.9]
    >>> round(pr.expected_correct(y, s), 4)
    0.66
    >>> round(pr.expected_correct(y, s, threshold=(2, 5)), 4)
    0.6475
    >>> [round(pr.expected_correct(y, s, screened=share), 4) for share in (0.4, 0.2)]
    [0.6, 0.8]
    >>> round(pr.expected_correct(y, s, screened=(1, 9)), 4)
    0.6797
    """
    return ExpectedCorrect(threshold, screened)._of(
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
