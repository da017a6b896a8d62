"""The limits of a band around a curve, given its replicates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from polyroc._curves.tube import Tube, rising
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._curves.tube_radius import Sizes


def whole_curve(
    fpr: Floats, points: tuple[Floats, Floats], radius: float, sizes: Sizes, confidence: float
) -> tuple[Floats, Floats, float]:
    """Return limits that hold for all rates at once, and the radius of their tube.

    `points` are those of the curve; `radius` is what replicates ask for.
    """
    # Classes that do not overlap have one corner for a curve, and a point beside it is as far from
    # the tube's middle as the nearer one of its two rates is: no less than one rate needs.
    width = max(radius, normal_quantile((1.0 + confidence) / 2.0))
    return *Tube(fpr, points, sizes[:2]).limits(width), width


def at_each_rate(
    fpr: Floats, tpr: Floats, replicates: Floats, sizes: tuple[float, float], confidence: float
) -> tuple[Floats, Floats, float]:
    """Return limits at each rate by itself, and by how many standard errors they are apart."""
    width = normal_quantile((1.0 + confidence) / 2.0)
    errors = standard_errors(fpr, tpr, replicates, sizes)
    # Where no row errs, the truth may still be so many rows away: (1 - p)^n1 = 1 - confidence.
    half = np.maximum(width * errors, -math.log(1.0 - confidence) / sizes[0])
    return *rising(fpr, tpr - half, tpr + half), width


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
