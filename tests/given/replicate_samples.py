"""Samples and measures that the tests of replicates share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from given.agreement import unit_roundoff
from given.strategies import Sample
from oracle.replicates import (
    Measure,
    Run,
    column_measures,
    projected_measures,
)


def scored(n: int, K: int, seed: int = 1, digits: int = 1, skew: bool = True) -> Sample:
    """Classes of unequal size (each with rows), scores that say something, ties."""
    rng = np.random.default_rng([n, K, seed])
    share = np.arange(K, 0, -1) / (K * (K + 1) / 2) if skew else np.full(K, 1 / K)
    c = rng.permutation(np.r_[np.arange(K), np.arange(K), rng.choice(K, n - 2 * K, p=share)])
    P = rng.normal(size=(n, K))
    P[np.arange(n), c] += 1
    return Sample(K, c, P.round(digits), None)


def all_measures(sample: Sample, seed: int = 3) -> dict[str, Measure]:
    """Every measure of several columns."""
    rng = np.random.default_rng(seed)
    W = rng.integers(0, 6, (sample.K, sample.K)).astype(float) + 1
    A = rng.integers(1, 9, (sample.K, sample.K)) * (1 - np.eye(sample.K)) / 4
    u = unit_roundoff(sample.P)
    found = {**column_measures(sample, W), **projected_measures(sample, W, None, u)}
    return {**found, **projected_measures(sample, W, A, u, "mu costs")}


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


def same_bits(a: Run, b: Run) -> None:
    for mine, theirs in zip(a.values, b.values, strict=True):
        assert mine.tobytes() == theirs.tobytes()
    assert a.lost.tobytes() == b.lost.tobytes()
    assert a.redrawn == b.redrawn
