"""Points of curves and hulls by their definitions, in fractions; H by numerical integration."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, stats

Array = NDArray[Any]
Point = tuple[Fraction, Fraction]


def mass(rows: Array, weights: Array | None) -> Fraction:
    """What the rows that are told weigh."""
    every = np.ones(len(rows)) if weights is None else weights
    return sum((Fraction(float(w)) for w in every[rows]), Fraction(0))


def points(own: Array, s: Array, w: Array | None = None) -> list[tuple[float, Fraction, Fraction]]:
    """(t, FP, TP) for every score t of a row that counts, highest first, after (inf, 0, 0)."""
    counts = np.ones(len(s), bool) if w is None else np.asarray(w) > 0
    found = [(float("inf"), Fraction(0), Fraction(0))]
    for t in sorted({float(x) + 0.0 for x in s[counts]}, reverse=True):
        above = s >= t
        found.append((t, mass(above & ~own, w), mass(above & own, w)))
    return found


def rates(own: Array, s: Array, w: Array | None = None) -> list[Point]:
    """(FPR, TPR) at every threshold."""
    listed = points(own, s, w)
    _, negatives, positives = listed[-1]
    return [(fp / negatives, tp / positives) for _, fp, tp in listed]


def tpr_at(curve: list[Point], fpr: Fraction) -> Fraction:
    """The greatest TPR of the curve, straight between points, at an FPR."""
    best = max(y for x, y in curve if x == 0) if fpr == 0 else Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(curve):
        if x0 <= fpr <= x1:
            if x1 == x0:
                best = max(best, y1)
            else:
                best = max(best, y0 + (fpr - x0) / (x1 - x0) * (y1 - y0))
    return best


def hull(curve: list[Point]) -> list[Point]:
    """The corners of the upper convex hull: points that no segment between others reaches."""
    start, end = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))
    spread = sorted(set(curve))
    kept = []
    for x, y in spread:
        below = (x, y) not in (start, end) and any(
            y <= y0 + (x - x0) / (x1 - x0) * (y1 - y0)
            for x0, y0 in spread
            for x1, y1 in spread
            if x0 <= x <= x1 and x0 < x1 and (x, y) not in ((x0, y0), (x1, y1))
        )
        higher = any(x0 == x and y0 > y for x0, y0 in spread) and (x, y) != start
        if not below and not higher:
            kept.append((x, y))
    return kept


def least_loss(curve: list[Point], pi1: float, a: float, b: float) -> float:
    """The integral over c of min over points of c pi0 FPR + (1 - c) pi1 (1 - TPR), c ~ Beta(a, b).

    Numerically, between the costs at which one point takes over from another.
    """
    points = np.array([(float(x), float(y)) for x, y in curve])

    def loss(c: float) -> float:
        all_of_them = c * (1 - pi1) * points[:, 0] + (1 - c) * pi1 * (1 - points[:, 1])
        return float(all_of_them.min() * stats.beta.pdf(c, a, b))

    corners = np.array([(float(x), float(y)) for x, y in hull(curve)])
    along, up = (1 - pi1) * np.diff(corners[:, 0]), pi1 * np.diff(corners[:, 1])
    kinks = sorted({0.0, 1.0, *(up / (along + up))})
    pieces = [
        integrate.quad(loss, low, high, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
        for low, high in pairwise(kinks)
    ]
    return math.fsum(pieces)


def h_measure(
    own: Array, s: Array, w: Array | None, beta: Callable[[float], tuple[float, float]]
) -> float:
    """H = 1 - L / Lmax by its definition; `beta` gives (a, b) for a share pi1 of favoured rows."""
    _, negatives, positives = points(own, s, w)[-1]
    pi1 = float(positives / (negatives + positives))
    ends = [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))]
    lost = least_loss(rates(own, s, w), pi1, *beta(pi1))
    return 1 - lost / least_loss(ends, pi1, *beta(pi1))
