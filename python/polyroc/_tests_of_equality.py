"""Tests on estimates with a known covariance, and adjustment of p-values for their number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from polyroc._types import Floats

_NOTHING = 2.0**-40  # relative: a variance or difference of rounding alone


class Wald(NamedTuple):
    """A chi-square test that several estimates are equal."""

    statistic: float
    df: int
    p_value: float
    note: str = ""


def normal_tail(z: float) -> float:
    """Return P(Z > z) of a standard normal Z."""
    return 0.5 * math.erfc(z / math.sqrt(2.0))


def chi_square_tail(x: float, df: int) -> float:
    """Return P(X > x) of a chi-square X, whose degrees of freedom are whole: a finite sum.

    With y = x / 2: exp(-y) sum over k < df / 2 of y^k / k! for even df; for odd df the same over
    k = 1/2, 3/2, ... < df / 2 with k! = Gamma(k + 1), beside P(Z^2 > x) = erfc(sqrt y).
    """
    if not x > 0.0:
        return math.nan if math.isnan(x) else 1.0
    y = x / 2.0
    if math.isinf(y):
        return 0.0
    odd = df % 2 == 1
    tail = math.erfc(math.sqrt(y)) if odd else 0.0
    for step in range(df // 2):
        k = step + (0.5 if odd else 0.0)
        # By logarithms, since exp(-y) alone may be below the range of doubles.
        tail += math.exp(k * math.log(y) - y - math.lgamma(k + 1.0))
    return min(tail, 1.0)


def is_nothing(value: float, scale: float) -> bool:
    """Whether a difference or an error of numbers as large as `scale` is rounding alone."""
    return abs(value) <= _NOTHING * scale


def z_test(difference: float, error: float, scale: float) -> tuple[float, float]:
    """Return z and the two-sided p-value; equal estimates without an error have p = 1.

    `scale` is the size of what differs, to tell rounding from a difference.
    """
    if is_nothing(difference, scale):
        difference = 0.0
    if is_nothing(error, scale):
        return (0.0, 1.0) if difference == 0.0 else (math.copysign(math.inf, difference), 0.0)
    z = difference / error
    return z, min(2.0 * normal_tail(abs(z)), 1.0)


def wald_test(d: Floats, covariance: Floats, scale: float) -> Wald:
    """Test that all estimates are equal: d' C^+ d, d their differences from the first one.

    C is the covariance of d, and `scale` the size of the estimates. Where C is singular, as with
    two equal models among three, the degrees of freedom are its rank. A difference in a direction
    without any variance has an infinite statistic.
    """
    q = len(d)
    values, vectors = np.linalg.eigh(covariance)
    # Variances that are rounding beside the largest one, or beside the estimates themselves.
    kept = values > max(values[-1] * q * _NOTHING, (_NOTHING * scale) ** 2)
    along = vectors.T @ d
    rank = int(np.count_nonzero(kept))
    # A direction is known to about the root of what its variance is.
    if bool((np.abs(along[~kept]) > math.sqrt(_NOTHING) * scale).any()):
        return Wald(math.inf, q, 0.0, "models differ where nothing varies")
    if rank == 0:
        return Wald(0.0, 0, 1.0, "no difference varies")
    statistic = float((along[kept] ** 2 / values[kept]).sum())
    note = "" if rank == q else f"differences vary in {rank} of {q} directions"
    return Wald(statistic, rank, chi_square_tail(statistic, rank), note)


def adjust(p_values: Floats, how: str | None) -> Floats:
    """Return p-values adjusted for their number, in the order given.

    Bonferroni: q p for q tests. Holm (1979): of the sorted p-values the k-th times q - k + 1, and
    no smaller than the one before; it controls the same error and is never less powerful.
    """
    p = np.asarray(p_values, dtype=np.float64)
    q = len(p)
    if how is None or q == 0:
        return p.copy()
    if how == "bonferroni":
        return np.minimum(q * p, 1.0)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate((q - np.arange(q)) * p[order])
    out = np.empty(q)
    out[order] = np.minimum(stepped, 1.0)
    return out
