"""The hypervolume under the manifold of nominal classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose, whole
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample, prepare
from polyroc._measures.by_tuple import ByTuple
from polyroc._measures.measure import ABSENT, TIES
from polyroc._measures.tuple_sample import TupleSample, draw_tuples

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Labels, Scores, Seed, Ties

# A step is a row looked at beside a tuple of the smaller classes: some 50 ns, or one for each
# replicate of a bootstrap.
_MOST_STEPS, _MOST_REPLICATED = 4e9, 2e11
_SECONDS_A_STEP, _SECONDS_REPLICATED = 5e-8, 1e-9


@public
@dataclass(frozen=True, eq=False, repr=False)
class Hum(ByTuple[Any]):
    """The hypervolume under the manifold as an object; see :func:`hum`.

    Parameters
    ----------
    ties : {"rounding", "exact"}
        Whether totals that differ by rounding error alone tie.
    absent : {"raise", "skip"}
        What to do about a class without rows.
    n_tuples : int, optional
        How many tuples to draw, where all of them are too many; for values alone, not for
        `bootstrap`, `delong` and `compare`.
    seed : int, numpy Generator or SeedSequence, optional
        What they are drawn with.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.Hum(n_tuples=1000, seed=1)
    Hum(n_tuples=1000, seed=1)
    """

    ties: Ties = "rounding"
    absent: Absent = "raise"
    n_tuples: int | None = None
    seed: Seed = None
    name: ClassVar[str] = "hum"
    projects: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the options."""
        choose("ties", self.ties, TIES)
        choose("absent", self.absent, ABSENT)
        if self.n_tuples is not None:
            count = whole(self.n_tuples)
            if count is None or count < 2:
                raise ValueError(
                    f"n_tuples is {self.n_tuples!r}; pass a whole number >= 2, as 100_000, or None "
                    "for all tuples"
                )
            self._set(n_tuples=count)
        elif self.seed is not None:
            raise ValueError(
                "seed is given but nothing is drawn; pass n_tuples= with it, or leave it out"
            )

    def _of(self, sample: Sample) -> Any:
        if self.n_tuples is None:
            return super()._of(sample)
        self._admit(sample)
        if sample.scores.ndim == 1:
            one = np.asarray(sample.scores, dtype=np.float64)
            sample = sample._replace(scores=np.column_stack([-one, one]), integers=None)
        tuples, seed = draw_tuples(sample, self.n_tuples, self.seed)
        shares = _core.tuple_shares(
            rows=sample.rows(projected=True), tuples=tuples, unit_roundoff=self._roundoff(sample)
        )
        error = float(shares.std(ddof=1)) / math.sqrt(self.n_tuples)
        return TupleSample(float(shares.mean()), error, self.n_tuples, seed)

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        steps = _steps(sample, _MOST_STEPS) if self.n_tuples is None else 0.0
        if steps > _MOST_STEPS:
            sizes = _sizes(sample)
            said = " x ".join(f"{size:,}" for size in sizes)
            if len(sizes) > 5:
                said = f"{min(sizes):,} to {max(sizes):,}"
            duration = _duration(steps * _SECONDS_A_STEP)
            raise ValueError(
                f"hum of {len(sizes)} classes of {said} rows would take {duration}; pass "
                "n_tuples=100_000 for an unbiased sample of the tuples with its standard error, "
                "or use pdi, which only sorts"
            )

    def _admit_replicates(self, sample: Sample, n_replicates: int) -> None:
        steps = _steps(sample, _MOST_REPLICATED / n_replicates)
        if steps * n_replicates > _MOST_REPLICATED:
            seconds = steps * n_replicates * _SECONDS_REPLICATED
            raise ValueError(
                f"{n_replicates:,} replicates of hum on these rows would take "
                f"{_duration(seconds)}; use delong, which has its error in closed form, or fewer "
                "n_resamples"
            )

    def _is_auc(self, sample: Sample) -> bool:
        return sample.scores.ndim == 1

    def _chance(self, n_classes: int) -> float:
        return 1.0 / math.factorial(n_classes)

    def _roundoff(self, sample: Sample) -> float:
        return sample.unit_roundoff if self.ties == "rounding" else 0.0

    def _describe(self, sample: Sample) -> _core.Measure:
        if self.n_tuples is not None:
            raise ValueError(
                f"{self!r} draws tuples, whose error is not that of the rows; errors, intervals "
                "and comparisons need all of them: leave n_tuples out, or use pdi"
            )
        if sample.n_classes == 2:
            options: dict[str, Any] = {"partition": None, "pair_weights": None}
            return _core.Measure("auc_mu", unit_roundoff=self._roundoff(sample), **options)
        return _core.Measure("hum", unit_roundoff=self._roundoff(sample))


def _sizes(sample: Sample) -> list[int]:
    """Return how many rows count of each class that has some."""
    codes = sample.codes if sample.weights is None else sample.codes[sample.weights > 0.0]
    return [size for size in np.bincount(codes).tolist() if size]


def _steps(sample: Sample, enough: float) -> float:
    """Return how many steps the exact value takes; equal rows of a class are one.

    They are looked for only if there would be more than `enough` steps with all rows.
    """
    if sample.n_present <= 2:
        return float(len(sample.codes))
    steps = _steps_of(_sizes(sample))
    if steps <= enough:
        return steps
    codes = [code for code in range(sample.n_classes) if (sample.codes == code).any()]
    distinct = [len(np.unique(sample.scores[sample.codes == code], axis=0)) for code in codes]
    return _steps_of(distinct)


def _steps_of(sizes: list[int]) -> float:
    *small, one, other = sorted(sizes)
    return math.prod(map(float, small)) * (one + other)


def _duration(seconds: float) -> str:
    for name, size in (("years", 3.15e7), ("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            count = seconds / size
            return f"about {count:,.0f} {name}" if count < 1e6 else f"more than {1e6:,.0f} {name}"
    return f"about {seconds:.0f} seconds"


@overload
def hum(
    y_true: Labels,
    y_score: Scores,
    *,
    ties: Ties = "rounding",
    n_tuples: None = None,
    seed: None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float: ...
@overload
def hum(
    y_true: Labels,
    y_score: Scores,
    *,
    ties: Ties = "rounding",
    n_tuples: int,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> TupleSample: ...
@public
@hinting
def hum(
    y_true: Labels,
    y_score: Scores,
    *,
    ties: Ties = "rounding",
    n_tuples: int | None = None,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> float | TupleSample:
    """Hypervolume under the manifold: how often one row of each class are all told apart rightly.

    Take one row of each class and give each a class of its own, K! ways in all. HUM is the share
    of such tuples whose own assignment has the greatest total score::

        HUM = P(sum over k of p_k(row of class k) > the same for every other assignment)

    and 1 / m of a tuple counts where m assignments share the greatest total. By chance it is
    1 / K!, and 1 where argmax is always right. Of two classes it is AUC-mu (:func:`auc_mu`), and
    the AUC where rows have one sum.

    Cost: O(n^(K-1) log n) time for n rows a class, O(K n) memory. Exact for three classes of
    thousands of rows and four of hundreds; equal rows are counted as one. Where that would take
    more than some minutes it is an error, which names `n_tuples`.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n, K), or (n,) for two classes
        A column of scores for each class, higher for more likely. Scores are added up over rows:
        probabilities, or any that compare between columns. At most 20 classes.
    ties : {"rounding", "exact"}
        "rounding" ties totals whose difference rounding error in the scores' own type can explain,
        as 1/9 + 3/9 and 2/9 + 2/9 (the rule of `auc_mu`); "exact" ties equal ones only.
    n_tuples : int, optional
        Draw so many tuples instead of counting all: an unbiased estimate with its standard error.
    seed : int, numpy Generator or SeedSequence, optional
        What they are drawn with. None draws a seed; the result records it.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for, which is then the last; ``labels[1]``
        by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0; a tuple of rows counts their product.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    float, or TupleSample
        HUM, in [0, 1]; with `n_tuples` a float that has a ``.standard_error``.

    References
    ----------
    D. Mossman, Three-way ROCs, Med. Decis. Making 19, 1999.
    J. Li and J. P. Fine, ROC analysis with multiple classes and multiple tests: methodology and
    its application in microarray studies, Biostatistics 9, 2008.

    Examples
    --------
    >>> import polyroc as pr
    >>> proba = [[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> pr.hum(["a", "a", "b", "c"], proba)
    0.5
    >>> pr.hum(["a", "a", "b", "c"], proba, n_tuples=1000, seed=1)
    0.507 +- 0.0158 (standard error of 1,000 tuples, seed 1)
    """
    return Hum(ties, absent, n_tuples, seed)._of(  # type: ignore[no-any-return]
        prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    )
