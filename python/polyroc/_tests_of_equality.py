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
    y = x / 2.0
    if not math.isfinite(y):
        return 0.0
    odd = df % 2 == 1
    tail = math.erfc(math.sqrt(y)) if odd else 0.0
    for step in range(df // 2):
        k = step + (0.5 if odd else 0.0)
        # By logarithms, since exp(-y) alone may be below the range of doubles.
        power = 0.0 if k == 0 else (k * math.log(y) if y > 0 else -math.inf)
        tail += math.exp(power - y - math.lgamma(k + 1.0))
    return min(tail, 1.0)


def z_test(difference: float, error: float, scale: float) -> tuple[float, float]:
    """Return z and the two-sided p-value; equal estimates without an error have p = 1.

    `scale` is the size of what differs, to tell rounding from a difference.
    """
    if abs(difference) <= _NOTHING * scale:
        difference = 0.0
    if error <= _NOTHING * scale:
        return (0.0, 1.0) if difference == 0.0 else (math.copysign(math.inf, difference), 0.0)
    z = difference / error
    return z, min(2.0 * normal_tail(abs(z)), 1.0)


def wald_test(estimates: Floats, covariance: Floats) -> Wald:
    """Test that all estimates are equal: d' C^+ d over differences d from the first one.

    C is the covariance of d. Where it is singular, as with two equal models among three, the
    degrees of freedom are its rank. A difference in a direction without any variance cannot be by
    chance, and has p = 0.
    """
    m = len(estimates)
    contrast = np.column_stack([-np.ones(m - 1), np.eye(m - 1)])
    d, C = contrast @ estimates, contrast @ covariance @ contrast.T
    values, vectors = np.linalg.eigh(C)
    # Variances that are rounding beside the largest one, or beside the estimates themselves.
    scale = float(np.abs(estimates).max(initial=0.0))
    least = max(values[-1] * m * 2.0**-40, (_NOTHING * scale) ** 2)
    kept = values > least
    along = vectors.T @ d
    lost = along[~kept]
    rank = int(np.count_nonzero(kept))
    if bool((np.abs(lost) > math.sqrt(_NOTHING) * max(scale, 1e-300)).any()):
        return Wald(math.inf, max(rank, 1), 0.0, "models differ where nothing varies")
    if rank == 0:
        return Wald(0.0, 0, 1.0, "no difference between models varies")
    statistic = float((along[kept] ** 2 / values[kept]).sum())
    note = "" if rank == m - 1 else f"{m - 1 - rank} of {m - 1} differences do not vary"
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
