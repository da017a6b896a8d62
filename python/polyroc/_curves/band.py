"""The limits of a band around a curve, given its replicates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from polyroc._curves.tube import Tube, rising
from polyroc._curves.tube_radius import radius
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats


def whole_curve(
    fpr: Floats,
    points: tuple[Floats, Floats],
    replicates: Floats,
    sizes: tuple[float, float],
    confidence: float,
) -> tuple[Floats, Floats, float]:
    """Return limits that hold for all rates at once, and the radius of their tube.

    `points` are those of the curve, `sizes` the favoured rows and the others; replicates are
    heights at the rates :func:`~polyroc._curves.tube_radius.looked_at`.
    """
    # Replicates of a perfect score do not differ. No less than the point of one threshold needs,
    # whose two rates err by themselves (Sidak 1967).
    least = normal_quantile((1.0 + math.sqrt(confidence)) / 2.0)
    width = max(radius(points, replicates, sizes, confidence), least)
    return *Tube(fpr, points, sizes).limits(width), width


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
