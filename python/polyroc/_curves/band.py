"""The limits of a band around a curve, given its replicates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats


def limits(
    fpr: Floats,
    tpr: Floats,
    replicates: Floats,
    sizes: tuple[float, float],
    simultaneous: bool,
    confidence: float,
) -> tuple[Floats, Floats, float]:
    """Return lower and upper limits at each rate, and by how many standard errors they are apart.

    `sizes` are the favoured rows and the others.
    """
    errors = standard_errors(fpr, tpr, replicates, sizes)
    if simultaneous:
        farthest = (np.abs(replicates - tpr) / errors).max(axis=1)
        width = float(np.quantile(farthest, confidence, method="higher"))
    else:
        width = normal_quantile((1.0 + confidence) / 2.0)
    # Where no row errs, the truth may still be so many rows away: (1 - p)^n1 = 1 - confidence.
    half = np.maximum(width * errors, -math.log(1.0 - confidence) / sizes[0])
    low, high = np.clip(tpr - half, 0.0, 1.0), np.clip(tpr + half, 0.0, 1.0)
    # Every curve starts at (0, 0), ends at (1, 1) and rises.
    low = np.where(fpr == 0.0, 0.0, low)
    high = np.where(fpr == 1.0, 1.0, high)
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    return low, np.ascontiguousarray(high), width


def standard_errors(
    fpr: Floats, tpr: Floats, replicates: Floats, sizes: tuple[float, float]
) -> Floats:
    """Return S(f) = max(sqrt(sd^2 + h^2), 1 / n1): see :func:`polyroc.roc_band`."""
    n1, n0 = sizes
    step = 1.0 / n0
    right = np.interp(fpr + step, fpr, tpr)
    left = np.where(fpr > step * (1.0 + 1e-9), np.interp(fpr - step, fpr, tpr), 0.0)
    sd = replicates.std(axis=0, ddof=1)
    return np.asarray(np.maximum(np.hypot(sd, (right - left) / 2.0), 1.0 / n1))
