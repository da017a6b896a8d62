"""Many labels per row in plain loops: values, averages, and how much each row moves an AUC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def values(Y: Array, S: Array, w: Array, measure: Callable[..., float]) -> Array:
    """V_l, by the rows that are labelled for l; nan without both classes."""
    out = []
    for y, s in zip(Y.T, S.T, strict=True):
        known = ~np.isnan(y) & (w > 0)
        both = len(set(y[known].tolist())) == 2
        out.append(measure(y[known], s[known], w[known]) if both else np.nan)
    return np.array(out)


def average(Y: Array, w: Array, V: Array, kind: str) -> float:
    """The mean over labels that have a value, alike or by the weight of their positive rows."""
    there = ~np.isnan(V)
    mass = (np.nan_to_num(Y) * w[:, None]).sum(axis=0)
    share = np.where(there, mass if kind == "prevalence" else 1.0, 0.0)
    return float(share[there] @ V[there] / share.sum())


def auc(y: Array, s: Array, w: Array) -> float:
    own, other = y == 1, y == 0
    wins = (s[own][:, None] > s[other]) + 0.5 * (s[own][:, None] == s[other])
    return float(w[own] @ wins @ w[other] / (w[own].sum() * w[other].sum()))


def moved(Y: Array, S: Array, kind: str, widened: bool = True) -> Array:
    """How much each row moves the average AUC, all rows of weight one.

    Row a of a class of n moves the AUC of a label by (placement - AUC) / n; the weights of labels
    by prevalence move with every positive row.
    """
    n, L = Y.shape
    A = values(Y, S, np.ones(n), auc)
    mass = np.nansum(Y, axis=0)
    mean = average(Y, np.ones(n), A, kind)
    out = np.zeros(n)
    for k in range(L):
        if np.isnan(A[k]):
            continue
        share = mass[k] / mass.sum() if kind == "prevalence" else 1 / np.count_nonzero(~np.isnan(A))
        own, other = np.flatnonzero(Y[:, k] == 1), np.flatnonzero(Y[:, k] == 0)
        for side, rest in ((own, other), (other, own)):
            size = len(side)
            wide = np.sqrt(size / (size - 1)) if widened else 1.0
            for a in side:
                sign = 1 if side is own else -1
                gap = sign * (S[a, k] - S[rest, k])
                placement = np.mean((gap > 0) + 0.5 * (gap == 0))
                out[a] += wide * share * (placement - A[k]) / size
        if kind == "prevalence":
            out[own] += (np.sqrt(n / (n - 1)) if widened else 1.0) * (A[k] - mean) / mass.sum()
    return out
