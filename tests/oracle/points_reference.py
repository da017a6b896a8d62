"""Decisions by their definitions, threshold after threshold and row after row."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Point = tuple[Fraction, Fraction, float]  # FPR, TPR, threshold


def curve(y: Array, s: Array, q: list[Fraction]) -> list[Point]:
    """All points that a threshold attains, s >= threshold; q are the weights of the rows."""
    rows = list(zip(y.tolist(), s.tolist(), q, strict=True))
    P = sum((w for c, _, w in rows if c == 1), Fraction(0))
    N = sum((w for c, _, w in rows if c == 0), Fraction(0))
    points = []
    for t in [math.inf, *sorted({x for _, x, w in rows if w > 0}, reverse=True)]:
        tp = sum((w for c, x, w in rows if c == 1 and x >= t), Fraction(0))
        fp = sum((w for c, x, w in rows if c == 0 and x >= t), Fraction(0))
        points.append((fp / N, tp / P, t))
    return points


def most_within(points: list[Point], max_fpr: Fraction) -> Point:
    """The greatest TPR with FPR <= max_fpr, the lower FPR among equals."""
    return min((p for p in points if p[0] <= max_fpr), key=lambda p: (-p[1], p[0]))


def least_reaching(points: list[Point], min_tpr: Fraction) -> Point:
    """The least FPR with TPR >= min_tpr, the higher TPR among equals."""
    return min((p for p in points if p[1] >= min_tpr), key=lambda p: (p[0], -p[1]))


def youden(points: list[Point]) -> Point:
    """The greatest TPR - FPR, the lower FPR among equals."""
    return min(points, key=lambda p: (p[0] - p[1], p[0], -p[1]))


def cheapest(points: list[Point], c_fp: Fraction, c_fn: Fraction, pi: Fraction) -> Point:
    """The least (1 - pi) FPR c_fp + pi (1 - TPR) c_fn, the lower FPR among equals."""

    def cost(p: Point) -> Fraction:
        return (1 - pi) * p[0] * c_fp + pi * (1 - p[1]) * c_fn

    return min(points, key=lambda p: (cost(p), p[0], -p[1]))


def confusion(c: Array, said: Array, q: list[Fraction], K: int) -> list[list[Fraction]]:
    """counts[true, said]."""
    counts = [[Fraction(0)] * K for _ in range(K)]
    for i, j, w in zip(c.tolist(), said.tolist(), q, strict=True):
        counts[i][j] += w
    return counts


def rates(counts: list[list[Fraction]], k: int) -> dict[str, float]:
    """Those of class k against the rest; nan where nothing is below (B97 Eq. 1-5)."""
    K = range(len(counts))
    TP = counts[k][k]
    FN = sum((counts[k][j] for j in K if j != k), Fraction(0))
    FP = sum((counts[i][k] for i in K if i != k), Fraction(0))
    TN = sum((counts[i][j] for i in K for j in K if k not in (i, j)), Fraction(0))

    def share(above: Fraction, below: Fraction) -> float:
        return float(above / below) if below else math.nan

    return {
        "sensitivity": share(TP, TP + FN),
        "specificity": share(TN, TN + FP),
        "ppv": share(TP, TP + FP),
        "npv": share(TN, TN + FN),
        "f1": share(2 * TP, 2 * TP + FP + FN),
    }


def least_cost(p: Array, A: Array) -> int:
    """The first class i of the least sum over k of A[i, k] p[k]."""
    exact = [[Fraction(x) for x in row] for row in A.tolist()]
    chances = [Fraction(x) for x in p.tolist()]
    expected = [sum(a * x for a, x in zip(row, chances, strict=True)) for row in exact]
    return expected.index(min(expected))


def net_benefit(y: Array, p: Array, t: float) -> float:
    """TP / n - FP / n * t / (1 - t) (Vickers & Elkin 2006)."""
    n, said = len(y), p >= t
    return float(np.sum(said & (y == 1)) / n - np.sum(said & (y == 0)) / n * t / (1 - t))
