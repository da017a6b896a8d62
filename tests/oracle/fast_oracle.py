"""The reference's counts again in O(n log n): numpy's sort and binary search, integers throughout.

For samples too large for `reference.py`. Shares no code with it; `test_reference.py` shows that
the two agree.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def doubled_u(x: Array, y: Array, wx: Array | None = None, wy: Array | None = None) -> int:
    """2U, x favoured. Weights are whole numbers of total below 2^31 or so."""
    x_order, y_order = np.argsort(x, kind="stable"), np.argsort(y, kind="stable")
    x, y = x[x_order], y[y_order]
    below, upto = np.searchsorted(y, x, "left"), np.searchsorted(y, x, "right")
    if wy is None or wx is None:
        return int((below + upto).sum(dtype=np.uint64))
    mass = np.concatenate([[0], np.cumsum(wy[y_order].astype(np.int64))])
    return int(((mass[below] + mass[upto]).astype(object) * wx[x_order].astype(int)).sum())


def auc(x: Array, y: Array, wx: Array | None = None, wy: Array | None = None) -> Fraction:
    """A = U / (n0 n1), exact."""
    n0, n1 = (len(x), len(y)) if wx is None or wy is None else (int(wx.sum()), int(wy.sum()))
    return Fraction(doubled_u(x, y, wx, wy), 2 * n0 * n1)


def conditional(P: Array, c: Array, K: int) -> Array:
    """A(i|j) rounded to float64, nan on the diagonal."""
    table = np.full((K, K), np.nan)
    for i in range(K):
        column = [P[c == j, i] for j in range(K)]
        for j in range(K):
            if i != j:
                table[i, j] = float(auc(column[i], column[j]))
    return table


def tie_groups(s: Array, m: Array, u: float) -> Array:
    """`reference.tie_groups` by whole-array operations; s is finite."""
    value, inverse = np.unique(s, return_inverse=True)
    top = np.zeros(len(value))
    np.maximum.at(top, inverse, m)
    linked = np.diff(value) <= 2 * u * (top[1:] + top[:-1])
    linked &= np.sign(value[1:]) == np.sign(value[:-1])
    first = np.flatnonzero(np.concatenate([[True], ~linked]))  # where each chain begins
    chain = np.cumsum(np.concatenate([[True], ~linked])) - 1
    last = np.append(first[1:], len(value)) - 1
    short = value[last] - value[first] <= 4 * u * np.maximum.reduceat(top, first)
    group = np.where(short[chain], first[chain], np.arange(len(value)))
    return np.asarray(group[inverse])


def separation(P: Array, c: Array, K: int, u: float) -> Array:
    """S(i,j) of the argmax partition rounded to float64, nan on the diagonal."""
    table = np.full((K, K), np.nan)
    for i in range(K):
        for j in range(i + 1, K):
            rows = (c == i) | (c == j)
            p, q, of = P[rows, i].astype(float), P[rows, j].astype(float), c[rows]
            s = tie_groups(q - p, np.abs(p) + np.abs(q), u)
            table[i, j] = table[j, i] = float(auc(s[of == j], s[of == i]))
    return table
