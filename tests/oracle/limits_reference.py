"""Limits by Student's t of estimates and their differences, slowly: one part, one tail at a time.

Cells are rows, or the rows of one class in a group. L holds their influence values, one
row per number.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

from given.strategies import Sample
from oracle.compare_reference import derivatives
from oracle.replicates import Design

Array = NDArray[Any]
A = 0.5  # rows more that know nothing


class Cells(NamedTuple):
    """What varies by itself within a class."""

    of_row: Array
    classes: Array
    weights: Array
    groups: Array | None
    stratified: bool


class Known(NamedTuple):
    """A covariance with how well its variances are known: with the kurtosis, and without it."""

    V: Array
    doubt: Array
    plain: Array


class Estimate(NamedTuple):
    """An estimate in [0, 1], its variance and doubts; k is what one effective unit decides."""

    value: float
    V: float
    doubt: float
    plain: float
    k: float
    degree: int = 1


def cells_of(y: Array, w: Array | None, groups: Array | None, stratified: bool) -> Cells:
    """Number the cells, class by class and group by group."""
    row_weights = np.ones(len(y)) if w is None else w
    units = np.arange(len(y)) if groups is None else groups
    pairs = sorted({(c, u) for c, u, v in zip(y, units, row_weights, strict=True) if v > 0})
    numbers = {pair: k for k, pair in enumerate(pairs)}
    of_row = np.array([numbers.get((c, u), len(pairs)) for c, u in zip(y, units, strict=True)])
    weights = np.array([row_weights[of_row == k].sum() for k in range(len(pairs))])
    classes, owners = np.array(pairs).T
    return Cells(of_row, classes, weights, None if groups is None else owners, stratified)


def moved(y: Array, scores: Array, w: Array | None, name: str, cells: Cells) -> Array:
    """How a measure moves with the weight of each cell."""
    sample = Sample(int(y.max()) + 1, y, scores, w)
    slopes = derivatives(Design(sample, stratified=False, groups=cells.of_row), name)
    return slopes[: len(cells.classes)]


def spread(L: Array, cells: Cells) -> Known:
    """The covariance in parts, with the allowance for cells that pull."""
    parts: list[tuple[Array, float, bool]] = []
    within, between = np.zeros(L.shape), np.zeros(L.shape)
    for c in sorted(set(cells.classes.tolist())):
        mine = cells.classes == c
        n, h = int(mine.sum()), cells.weights[mine] / cells.weights[mine].sum()
        share = np.full(n, 1 / n) if cells.stratified else h
        common = share * L[:, mine].sum(axis=1, keepdims=True)
        within[:, mine] = (L[:, mine] - common) / (1 - h) * math.sqrt((n - 1) / n)
        between[:, mine] = common
        parts.append((within[:, mine], 1 / (h**2).sum(), True))
    n = L.shape[1]
    if not cells.stratified and cells.groups is None:
        parts.append((between * math.sqrt(n / (n - 1)), n, False))
    elif not cells.stratified and cells.groups is not None:
        owners = sorted(set(cells.groups.tolist()))
        G = len(owners)
        whole = within + between * math.sqrt(G / (G - 1))
        units = np.array([whole[:, cells.groups == g].sum(axis=1) for g in owners]).T
        parts = [(units, G, True)]
    q = len(L)
    V, doubt, plain = np.zeros((q, q)), np.zeros(q), np.zeros(q)
    for values, effective, counted in parts:
        own = values @ values.T
        v, n = np.diag(own), values.shape[1]
        V += own
        plain += v**2 / (effective - 1)
        doubt += v**2 / (effective - 1)
        for a in range(q):
            if counted and v[a] > 0:
                kurtosis = n * (values[a] ** 4).sum() / v[a] ** 2 - 3
                doubt[a] += v[a] ** 2 * max(kurtosis, 0) / (2 * n)
    fewest = min(values.shape[1] for values, _, counted in parts if counted)
    if fewest < 4:
        least = np.diag(V) ** 2 / (fewest - 1)
        doubt, plain = np.maximum(doubt, least), np.maximum(plain, least)
    return Known(V, doubt, plain)


def pull(cells: Cells, name: str) -> float:
    """The largest share of a measure that one effective unit decides: max of c_i / e_i."""
    labels = sorted(set(cells.classes.tolist()))
    mass = np.array([cells.weights[cells.classes == c].sum() for c in labels])
    e = mass**2 / np.array([(cells.weights[cells.classes == c] ** 2).sum() for c in labels])
    K, W = len(labels), mass.sum()
    if K == 2:
        return float(1 / e.min())
    if name in ("macro", "prevalence", "micro"):
        u = np.full(K, 1 / K) if name == "macro" else mass / W
        rest = [sum(u[j] * mass[i] / (W - mass[j]) for j in range(K) if j != i) for i in range(K)]
        return float(max((u + rest) / e))
    if "prevalence" in name:
        w = np.outer(mass, mass) * (1 - np.eye(K))
        return float(max(2 * w.sum(axis=1) / w.sum() / e))
    return float(max(2 / K / e))


def limits(one: Estimate, tail: float, careful: bool = False) -> tuple[float, float]:
    """Both limits of an estimate at a tail; `careful` counts the kurtosis in both."""
    p = one.degree
    x = one.value ** (1 / p)
    by = (x ** (1 - p) / p) ** 2 if p > 1 else 1.0
    V, doubt, plain = one.V * by, one.doubt * by**2, one.plain * by**2
    low, high = _sided(x, V, doubt, doubt if careful else plain, one.k, tail)
    return low**p, high**p


def _sided(
    x: float, V: float, doubt: float, inner: float, k: float, tail: float
) -> tuple[float, float]:
    if x < 0.5:
        low, high = _sided(1 - x, V, doubt, inner, k, tail)
        return 1 - high, 1 - low
    moved = (x + A * k / 2) / (1 + A * k)
    S = V + A * (moved - 0.5) ** 2 * k**2
    t = stats.t.isf(tail, S**2 / inner) if inner > 0 else stats.norm.isf(tail)
    low = float(special.expit(special.logit(moved) - t * math.sqrt(S) / (moved * (1 - moved))))
    if V == 0:
        return min(low, tail**k), 1.0
    t = stats.t.isf(tail, V**2 / doubt)
    return low, float(special.expit(special.logit(x) + t * math.sqrt(V) / (x * (1 - x))))


def low(a: Estimate, b: Estimate, C: float | None, V_D: float, tail: float) -> float:
    """The lower limit of a - b by the shorter of two forms; C is None for different rows."""

    def squares(tail: float, careful: bool) -> tuple[float, float]:
        down = a.value - limits(a, tail, careful)[0]
        up = limits(b, tail, careful)[1] - b.value
        return down**2 + up**2, 2 * down * up

    if C is None or V_D == 0:
        r, left = 0.0, 1.0
    else:
        (xa, Sa, by_a), (xb, Sb, by_b) = (_with_half_row(one) for one in (a, b))
        together = C * by_a * by_b + A * (xa - 0.5) * (xb - 0.5) * a.k * b.k
        r, left = together / math.sqrt(Sa * Sb), V_D / (a.V + b.V)
        r = min(max(r, -1.0), 1.0)
    at = squares(0.025, careful=False)
    M = (1 - r * at[1] / at[0]) * squares(tail, careful=False)[0]
    R = left * squares(tail, careful=True)[0]
    return a.value - b.value - math.sqrt(min(M, R))


def _with_half_row(one: Estimate) -> tuple[float, float, float]:
    x = one.value ** (1 / one.degree)
    by = x ** (1 - one.degree) / one.degree
    centre = (x + A * one.k / 2) / (1 + A * one.k)
    return centre, one.V * by**2 + A * (centre - 0.5) ** 2 * one.k**2, by


def p_above(a: Estimate, b: Estimate, C: float | None, V_D: float, bound: float) -> float:
    """The tail at which the lower limit of a - b meets a bound below it."""

    def above(z: float) -> float:
        return low(a, b, C, V_D, float(stats.norm.sf(z))) - bound

    if above(0.0) <= 0:
        return 0.5
    return float(stats.norm.sf(optimize.bisect(above, 0.0, 8.0, xtol=1e-13, rtol=1e-14)))
