"""Newcombe's interval for an AUC, which needs no spread: after perfect separation there is none.

References
----------
N06: R. G. Newcombe, Confidence intervals for an effect size measure based on the Mann-Whitney
statistic. Part 2: asymptotic methods and evaluation, Stat. Med. 25 (2006) 559-573.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats


def newcombe(auc: float, m: int, n: int, z: Floats) -> Floats:
    """Solve auc - theta = z sqrt(V(theta)) for each z: lower limits for z > 0, else upper ones.

    N06 method 5: V(theta) = theta (1 - theta) / (m n) * (1 + (N - 1) ((1 - theta) / (2 - theta) +
    theta / (1 + theta))), with N = (m + n) / 2. The root of V is concave, so that each side of
    `auc` has one solution beside the trivial ones at 0 and 1. Bisection keeps the order of z.
    """
    low, high = np.where(z > 0.0, 0.0, auc), np.where(z > 0.0, auc, 1.0)
    for _ in range(60):  # to the last bit
        theta = (low + high) / 2
        spread = (1 - theta) / (2 - theta) + theta / (1 + theta)
        variance = theta * (1 - theta) / (m * n) * (1 + ((m + n) / 2 - 1) * spread)
        under = auc - theta > z * np.sqrt(variance)
        low, high = np.where(under, theta, low), np.where(under, high, theta)
    return np.asarray(np.where(z > 0.0, low, high))  # rounded outwards


def without_spread(
    estimate: float,
    bounds: tuple[float, float],
    degree: int,
    sizes: tuple[int, int],
    z: Floats,
    limit: float = 1.0,
) -> tuple[Floats, Floats]:
    """Return Newcombe's limits for a measure made of AUCs, for each quantile z of the normal.

    A measure of degree p in its AUCs takes the p-th power of the limits for the p-th root of its
    share of the range. `sizes` are those of the classes compared. `limit` is the largest false
    positive rate, for McClish's partial area up to it.
    """
    bottom, top = bounds
    share = min(max((estimate - bottom) / (top - bottom), 0.0), 1.0)
    auc = share ** (1.0 / degree)
    low, high = (newcombe(auc, *sizes, end) ** degree for end in (z, -z))
    if limit < 1.0:
        # An area of A leaves at least A - (1 - f) and at most A below f, whatever the curve.
        low, high = np.maximum(low - (1.0 - limit), 0.0) / limit, np.minimum(high, limit) / limit
    return bottom + (top - bottom) * low, bottom + (top - bottom) * high
