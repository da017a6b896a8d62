"""Parts of ROC and precision-recall curves by their definitions, in exact fractions.

x are the scores of positive rows, y those of negative ones, wx and wy their weights, whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Point = tuple[Fraction, Fraction]


def points(x: Array, y: Array, wx: Array, wy: Array) -> list[Point]:
    """(FPR, TPR) for thresholds from above the highest score down, one for each distinct score."""
    P, N = int(sum(wx)), int(sum(wy))
    found = [(Fraction(0), Fraction(0))]
    for t in np.unique(np.concatenate([x, y]))[::-1]:
        rates = Fraction(int(sum(wy[y >= t])), N), Fraction(int(sum(wx[x >= t])), P)
        found.append(rates)
    return found


def area(curve: list[Point], a: Fraction, b: Fraction) -> Fraction:
    """The integral of the second coordinate over the first one in [a, b], by trapezoids."""
    total = Fraction(0)
    for (f0, t0), (f1, t1) in pairwise(curve):
        low, high = min(max(f0, a), b), min(max(f1, a), b)
        if high > low:
            ends = [t0 + (t1 - t0) * (f - f0) / (f1 - f0) for f in (low, high)]
            total += (high - low) * sum(ends) / 2
    return total


def partial_area(
    x: Array, y: Array, wx: Array, wy: Array, a: Fraction, b: Fraction, over_tpr: bool
) -> Fraction:
    """The integral of TPR over FPR in [a, b], or of 1 - FPR over TPR in [a, b]."""
    curve = points(x, y, wx, wy)
    if over_tpr:
        curve = [(t, 1 - f) for f, t in curve]
    return area(curve, a, b)


def standardised(value: Fraction, a: Fraction, b: Fraction, over_tpr: bool) -> Fraction:
    """McClish's scale: 1/2 for the diagonal, 1 for the greatest area."""
    chance = area([(Fraction(0), Fraction(int(over_tpr))), (Fraction(1), Fraction(not over_tpr))],
                  a, b)  # fmt: skip
    return (1 + (value - chance) / (b - a - chance)) / 2


def mean_over_pairs(
    P: Array, c: Array, K: int, q: Array, a: Fraction, b: Fraction, over_tpr: bool, projected: bool
) -> Fraction:
    """The mean over ordered pairs (i, j) by column i, or by p_i - p_j (which must be exact)."""
    found = []
    for i, j in permutations(range(K), 2):
        s = P[:, i] - P[:, j] if projected else P[:, i]
        found.append(partial_area(s[c == i], s[c == j], q[c == i], q[c == j], a, b, over_tpr))
    return sum(found, Fraction(0)) / len(found)


def tpr_at(curve: list[Point], u: Fraction) -> Fraction:
    """The greatest TPR at FPR u."""
    found = []
    for (f0, t0), (f1, t1) in pairwise(curve):
        if f0 <= u <= f1:
            found.append(t1 if f0 == f1 else t0 + (t1 - t0) * (u - f0) / (f1 - f0))
    return max(found)


def fpr_at(curve: list[Point], v: Fraction) -> Fraction:
    """The least FPR at TPR v."""
    found = []
    for (f0, t0), (f1, t1) in pairwise(curve):
        if t0 <= v <= t1:
            found.append(f0 if t0 == t1 else f0 + (f1 - f0) * (v - t0) / (t1 - t0))
    return min(found)


def recall_at(x: Array, y: Array, wx: Array, wy: Array, p: Fraction) -> Fraction:
    """The greatest recall of the thresholds with a precision of p or more; 0 if none has it."""
    best = Fraction(0)
    for t in np.concatenate([x, y]):
        tp, fp = int(sum(wx[x >= t])), int(sum(wy[y >= t]))
        if tp + fp and Fraction(tp, tp + fp) >= p:
            best = max(best, Fraction(tp, int(sum(wx))))
    return best
