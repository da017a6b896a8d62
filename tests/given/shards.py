"""Rows as shards see them: scores of several kinds, weights, and splits into parts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
REGIMES = ("moderate", "confident", "skewed")


class Rows(NamedTuple):
    """Labels 0 to K - 1, scores, weights or None."""

    y: Array
    P: Array
    w: Array | None = None

    def part(self, rows: Any) -> Rows:
        """Return some of them."""
        return Rows(self.y[rows], self.P[rows], None if self.w is None else self.w[rows])


def softmax_rows(n: int, K: int, regime: str, seed: int, dtype: str = "float64") -> Rows:
    """Return probabilities of a classifier: of moderate or great confidence, or of rare classes."""
    rng = np.random.default_rng(seed)
    share = np.ones(K) if regime != "skewed" else 0.5 ** np.arange(K)
    y = np.concatenate(
        [np.repeat(np.arange(K), 3), rng.choice(K, n - 3 * K, p=share / share.sum())]
    )
    scale = 5.0 if regime == "confident" else 1.0
    z = scale * rng.normal(size=(n, K))
    z[np.arange(n), y] += 1.3 * scale
    if regime == "skewed":
        z += np.log(share)
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return shuffled(Rows(y, (e / e.sum(axis=1, keepdims=True)).astype(dtype)), seed)


def shuffled(rows: Rows, seed: int) -> Rows:
    """Return the same rows in another order."""
    return rows.part(np.random.default_rng(seed).permutation(len(rows.y)))


def split(rows: Rows, cuts: list[int]) -> list[Rows]:
    """Return stretches of the rows, cut at some places."""
    ends = [0, *sorted(cuts), len(rows.y)]
    return [rows.part(slice(a, b)) for a, b in pairwise(ends)]
