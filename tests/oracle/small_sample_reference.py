"""Degrees of freedom of comparisons, slowly: one stratum, one unit at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oracle.compare_reference import derivatives
from oracle.replicates import Design

Array = NDArray[Any]


class Widened(NamedTuple):
    """A covariance by influence values with that of few units allowed for, and its f."""

    V: Array
    f: float


def widened(moved: Array, strata: Array, kinds: Array | None = None) -> Widened:
    """Krishnamoorthy & Yu 2004 with excess kurtosis, from influence values, one row per number.

    Units of stratum -1 do not count. With kinds, these are the strata of V, each centred by itself,
    and one more holds what lies between them. Of fewer than four units f is one less at most.
    """
    q = len(moved)
    parts: list[tuple[Array, int, bool]] = []
    for s in sorted(set(strata.tolist()) - {-1}):
        own = moved[:, strata == s]
        own = own - own.mean(axis=1, keepdims=True)
        n = own.shape[1]
        if kinds is None:
            parts.append((own, n, True))
            continue
        means = own.copy()
        for k in set(kinds[strata == s].tolist()):
            mine = kinds[strata == s] == k
            means[:, mine] = own[:, mine].mean(axis=1, keepdims=True)
            parts.append(((own - means)[:, mine], int(mine.sum()), True))
        parts.append((means, n, False))
    Y = [math.sqrt(n / (n - 1)) * own for own, n, _ in parts]
    V_i = [np.sum([np.outer(u, u) for u in y.T], axis=0) for y in Y]
    V = np.sum(V_i, axis=0)
    G = np.linalg.inv(V)
    below = 0.0
    for y, Vi, (_, n, counted) in zip(Y, V_i, parts, strict=True):
        A = Vi @ G
        below += (np.trace(A @ A) + np.trace(A) ** 2) / (n - 1)
        fourth = sum(float(u @ G @ u) ** 2 for u in y.T)
        if counted:
            below += max(n * fourth - 2 * np.trace(A @ A) - np.trace(A) ** 2, 0.0) / n
    f, least = (q + q * q) / below, min(n for _, n, _ in parts)
    return Widened(V, min(f, least - 1) if least < 4 else f)


def influence(designs: Sequence[Design], name: str) -> tuple[Array, Array]:
    """Influence values of models on the same rows by derivatives, and the strata of units."""
    return np.array([derivatives(one, name) for one in designs]), designs[0].strata
