"""Tests on estimates with a known covariance, and adjustment of p-values for their number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._stats.rounding import ROUNDING, is_nothing
from polyroc._stats.tails import chi_square_tail

if TYPE_CHECKING:
    from polyroc._base.types import Floats


class Wald(NamedTuple):
    """A test that several estimates are equal: by chi-square, or by F for few units.

    Attributes
    ----------
    statistic : float
        Chi-square, or F. Infinite or nan where the p-value comes from the pairs: `note` says why.
    df : int
        Degrees of freedom: the directions in which the estimates' differences vary.
    p_value : float
        The p-value.
    note : str
        What is special, if anything is.
    freedom : float
        Of F: the degrees of freedom of its denominator. Infinite for chi-square.
    """

    statistic: float
    df: int
    p_value: float
    note: str = ""
    freedom: float = math.inf


class Directions(NamedTuple):
    """Differences along the directions in which they vary."""

    along: Floats  # the differences, a number a direction
    variances: Floats  # theirs
    vectors: Floats  # the directions, a column each
    settled: Wald | None  # the test, where directions settle it
    note: str


def z_of(difference: float, error: float, scale: float) -> float:
    """Return a difference in errors; 0 for none, infinite where there is no error.

    `scale` is the size of what differs, to tell rounding from a difference.
    """
    if is_nothing(difference, scale):
        return 0.0
    if is_nothing(error, scale):
        return math.copysign(math.inf, difference)
    return difference / error


def wald_test(d: Floats, covariance: Floats, scale: float) -> Wald:
    """Test that all estimates are equal: d' C^+ d, d their differences from the first one.

    C is the covariance of d, and `scale` the size of the estimates. Where C is singular, as with
    two equal models among three, the degrees of freedom are its rank. A difference in a direction
    without any variance has an infinite statistic.
    """
    if len(d) == 1:
        return _of_one(float(d[0]), float(covariance[0, 0]), scale)
    found = directions(d, covariance, scale)
    if found.settled is not None:
        return found.settled
    rank, statistic = len(found.along), float((found.along**2 / found.variances).sum())
    return Wald(statistic, rank, chi_square_tail(statistic, rank), found.note)


def _of_one(difference: float, variance: float, scale: float) -> Wald:
    """Test one difference: there is one direction, which needs no search."""
    if not variance > (ROUNDING * scale) ** 2:
        return _without_variance(abs(difference), 1, scale)
    statistic = difference * difference / variance
    return Wald(statistic, 1, chi_square_tail(statistic, 1))


def _without_variance(away: float, q: int, scale: float) -> Wald:
    """Return what the largest difference says in directions that do not vary."""
    # A direction is known to about the root of what its variance is.
    if away > math.sqrt(ROUNDING) * scale:
        return Wald(math.inf, q, 0.0, "models differ where nothing varies")
    return Wald(0.0, 0, 1.0, "no difference varies")


def directions(d: Floats, covariance: Floats, scale: float) -> Directions:
    """Return the differences along the directions that vary: eigenvectors of their covariance."""
    q = len(d)
    # Two models have one direction, which needs no search.
    values, vectors = np.linalg.eigh(covariance) if q > 1 else (covariance[0], np.ones((1, 1)))
    # Variances that are rounding beside the largest one, or beside the estimates themselves.
    kept = values > max(values[-1] * q * ROUNDING, (ROUNDING * scale) ** 2)
    along = vectors.T @ d
    rank = int(np.count_nonzero(kept))
    away = float(np.abs(along[~kept]).max(initial=0.0))
    found = _without_variance(away, q, scale)
    settled = found if rank == 0 or math.isinf(found.statistic) else None
    note = "" if rank == q else f"differences vary in {rank} of {q} directions"
    return Directions(along[kept], values[kept], vectors[:, kept], settled, note)


def adjust(p_values: Floats, how: str | None) -> Floats:
    """Return p-values adjusted for their number, in the order given.

    Bonferroni: q p for q tests. Holm (1979): of the sorted p-values the k-th times q - k + 1, and
    no smaller than the one before; it controls the same error and is never less powerful.
    """
    p = np.asarray(p_values, dtype=np.float64)
    q = len(p)
    if how is None or q <= 1:
        return p.copy()
    if how == "bonferroni":
        return np.minimum(q * p, 1.0)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate((q - np.arange(q)) * p[order])
    out = np.empty(q)
    out[order] = np.minimum(stepped, 1.0)
    return out
