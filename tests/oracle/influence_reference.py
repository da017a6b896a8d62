"""Influence values of measures of AUCs the slow way: every pair of rows, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def beats(x: Array, y: Array) -> Array:
    """Whether each x is above each y, ties one half."""
    return np.asarray((x[:, None] > y[None, :]) + 0.5 * (x[:, None] == y[None, :]))


def influence(name: str, c: Array, P: Array) -> Array:
    """How much each row moves a measure: one value per row, which add up to 0."""
    n, K = P.shape
    rows = [np.flatnonzero(c == k) for k in range(K)]
    out = np.zeros(n)

    def add(x: Array, favoured: Array, others: Array, share: float) -> None:
        wins = beats(x[favoured], x[others])
        area = wins.mean()
        out[favoured] += share * (wins.mean(axis=1) - area) / len(favoured)
        out[others] += share * (wins.mean(axis=0) - area) / len(others)

    for i in range(K):
        if name == "one_vs_rest":
            add(P[:, i], rows[i], np.flatnonzero(c != i), 1 / K)
            continue
        for j in range(K):
            if name == "hand_till" and i != j:
                add(P[:, i], rows[i], rows[j], 1 / (K * (K - 1)))
            elif name == "auc_mu" and i < j:
                add(P[:, i] - P[:, j], rows[i], rows[j], 2 / (K * (K - 1)))
    return out


def variance(name: str, c: Array, P: Array) -> float:
    """DeLong's variance: n / (n - 1) within each class, and between them where counts enter."""
    values, total = influence(name, c, P), 0.0
    n = len(c)
    for k in range(P.shape[1]):
        own = values[c == k]
        total += len(own) / (len(own) - 1) * float(np.square(own - own.mean()).sum())
        total += n / (n - 1) * len(own) * float(own.mean() ** 2)
    return total
