"""What thresholds chosen on some rows make of others, by the definitions."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, stats

from oracle.curve_reference import hull, points

Array = NDArray[Any]
Beta = Callable[[float], tuple[float, float]]


def chosen(own: Array, s: Array, w: Array | None) -> tuple[Array, Array]:
    """FP and TP of weighted rows at the corners of their hull, and the threshold of each."""
    listed = points(own, s, w)
    at = {(fp, tp): t for t, fp, tp in listed}
    corners = hull([(fp / listed[-1][1], tp / listed[-1][2]) for _, fp, tp in listed])
    masses = [(fp * listed[-1][1], tp * listed[-1][2]) for fp, tp in corners]
    if masses[0] != listed[0][1:]:
        masses.insert(0, listed[0][1:])
    thresholds = [at[corner] for corner in masses]
    thresholds[0], thresholds[-1] = math.inf, -math.inf
    return np.array(masses, float), np.array(thresholds)


def reached(own: Array, s: Array, w: Array | None, thresholds: Array) -> Array:
    """FP and TP of weighted rows at thresholds."""
    weights = np.ones(len(s)) if w is None else w
    return np.array([[weights[(s >= t) & (own == of)].sum() for of in (False, True)]
                     for t in thresholds])  # fmt: skip


def area(masses: Array) -> float:
    """The area below straight lines between points."""
    fp, tp = (masses / masses[-1]).T
    return float(((tp[1:] + tp[:-1]) / 2) @ np.diff(fp))


def gap_of(corners: Array, masses: Array) -> float:
    """TPR - FPR of rows with `masses` at the threshold that is best by `corners` of others."""
    negatives, positives = corners[-1]
    best = np.argmax(corners[:, 1] * negatives - corners[:, 0] * positives)
    fpr, tpr = masses[best] / masses[-1]
    return float(tpr - fpr)


def h_of(corners: Array, masses: Array, beta: Beta) -> float:
    """H of rows with `masses` at thresholds that are best for each cost by `corners` of others."""
    negatives, positives = masses[-1]
    pi1 = positives / (negatives + positives)
    a, b = beta(float(pi1))
    # A piece is climbed where the cost of a false positive is below this share.
    turns = [float(tp1 - tp0) / (fp1 - fp0 + tp1 - tp0)
             for (fp0, tp0), (fp1, tp1) in pairwise(corners)]  # fmt: skip

    def lost(place: int, low: float, high: float) -> float:
        fpr, tpr = masses[place] / masses[-1]

        def at(c: float) -> float:
            loss = c * (1 - pi1) * fpr + (1 - c) * pi1 * (1 - tpr)
            return float(loss * stats.beta.pdf(c, a, b))

        return float(integrate.quad(at, low, high, epsabs=1e-13, epsrel=1e-12, limit=200)[0])

    ends = [1.0, *turns, 0.0]
    loss = math.fsum(lost(k, low, high) for k, (high, low) in enumerate(pairwise(ends)))
    last = len(masses) - 1
    return 1 - loss / (lost(last, 0.0, float(pi1)) + lost(0, float(pi1), 1.0))


def optimism(measure: Callable[[Array, Array], float], own: Array, s: Array, w: Array,
             drawn: Array) -> float:  # fmt: skip
    """The measure of a replicate, less what its thresholds make of the sample.

    `measure` is of corners that are chosen, and of what other rows come to there.
    """
    corners, thresholds = chosen(own, s, w * drawn)
    return measure(corners, corners) - measure(corners, reached(own, s, w, thresholds))
