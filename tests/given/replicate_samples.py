"""Samples that the tests of replicates share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from given.strategies import Sample


def scored(n: int, K: int, seed: int = 1, digits: int = 1, skew: bool = True) -> Sample:
    """Classes of unequal size (each with rows), scores that say something, ties."""
    rng = np.random.default_rng([n, K, seed])
    share = np.arange(K, 0, -1) / (K * (K + 1) / 2) if skew else np.full(K, 1 / K)
    c = rng.permutation(np.r_[np.arange(K), np.arange(K), rng.choice(K, n - 2 * K, p=share)])
    P = rng.normal(size=(n, K))
    P[np.arange(n), c] += 1
    return Sample(K, c, P.round(digits), None)


def coarse(n: int = 7000, K: int = 3, weighted: bool = False) -> Sample:
    """Few distinct rows."""
    rng = np.random.default_rng([n, K])
    c = np.minimum(rng.geometric(0.5, n) - 1, K - 1)
    P = rng.integers(0, 3, (n, K)) / 4 + (c[:, None] == np.arange(K)) / 4
    return Sample(K, c, P, rng.integers(0, 3, n) / 2 if weighted else None)


def reduced(sample: Sample) -> tuple[Sample, list[int], NDArray[Any]]:
    """Cells of equal rows by their first rows, how many rows each has, and the weight of one."""
    w = np.ones(len(sample.c)) if sample.w is None else sample.w
    found: dict[Any, list[int]] = {}
    for row in np.flatnonzero(w).tolist():
        found.setdefault((sample.c[row], w[row], *sample.P[row]), []).append(row)
    firsts = [rows[0] for rows in found.values()]
    cells = Sample(sample.K, sample.c[firsts], sample.P[firsts], None)
    return cells, [len(rows) for rows in found.values()], w[firsts]
