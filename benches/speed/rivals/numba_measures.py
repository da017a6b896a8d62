"""AUC, M and AUC-mu as a careful user would write them with numpy and numba.

numpy's vectorised sort releases the GIL, so a pool of threads sorts; compiled loops do the
linear work around it.  Counts are doubled integers, ties are one half.  The projection of
AUC-mu is the plain difference of two float64, so scores on a coarse grid can lose ties.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

Array = npt.NDArray[Any]
_SMALL = 20_000  # rows below which one thread does it all; a guess, not tuned
_FEW = 400  # rows a class below which AUC-mu stays in compiled code; a guess between 50 and 10^5


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads)


@njit(nogil=True, cache=True)
def _doubled_u(x: Array, z: Array) -> int:
    """2 #(z < x) + #(z = x) over all pairs; both arrays ascending.

    Two branch-free merges: ranks with ties taken low, then (only if a tie was met) high.
    """
    low = ties = i = j = 0
    while i < x.size and j < z.size:
        ties += x[i] == z[j]
        step = z[j] < x[i]
        low += (1 - step) * j
        j += step
        i += 1 - step
    low += (x.size - i) * z.size
    if ties == 0:
        return 2 * low
    high = i = j = 0
    while i < x.size and j < z.size:
        step = z[j] <= x[i]
        high += (1 - step) * j
        j += step
        i += 1 - step
    return low + high + (x.size - i) * z.size


@njit(nogil=True, cache=True)
def _split(y: Array, s: Array, ones: Array, zeros: Array) -> None:
    """Copy the scores of each class; both outputs have one spare place at the end."""
    p = q = 0
    for r in range(y.size):
        ones[p] = s[r]
        zeros[q] = s[r]
        p += y[r]
        q += 1 - y[r]


def auc(y: Array, s: Array, threads: int = 2) -> float:
    """Binary AUC: one sort per class, one merge."""
    n_ones = int(np.count_nonzero(y))
    n_zeros = y.size - n_ones
    ones, zeros = np.empty(n_ones + 1, s.dtype), np.empty(n_zeros + 1, s.dtype)
    _split(y, s, ones, zeros)
    ones, zeros = ones[:-1], zeros[:-1]
    if y.size < _SMALL or threads == 1:
        ones.sort()
        zeros.sort()
        return float(_doubled_u(ones, zeros) / (2.0 * n_ones * n_zeros))
    run = pool(threads).map
    list(run(np.ndarray.sort, (ones, zeros)))
    # Cut both arrays at one value: the halves merge apart, and across them all is decided.
    cut = zeros[n_zeros // 2]
    i, j = np.searchsorted(ones, cut), np.searchsorted(zeros, cut)
    halves = sum(run(_doubled_u, (ones[:i], ones[i:]), (zeros[:j], zeros[j:])))
    return float((halves + 2 * (n_ones - int(i)) * int(j)) / (2.0 * n_ones * n_zeros))


@njit(nogil=True, cache=True)
def rows_by_class(y: Array, k: int) -> tuple[Array, Array]:
    """Counting sort of the row numbers by class; class c has rows[start[c]:start[c + 1]]."""
    start = np.zeros(k + 1, np.int64)
    for c in y:
        start[c + 1] += 1
    for c in range(k):
        start[c + 1] += start[c]
    free = start[:-1].copy()
    rows = np.empty(y.size, np.int64)
    for r in range(y.size):
        rows[free[y[r]]] = r
        free[y[r]] += 1
    return rows, start


@njit(nogil=True, cache=True)
def _gather(scores: Array, rows: Array, out: Array, first: int, last: int) -> None:
    """out[c, t] = scores[rows[t], c] for t in first .. last - 1, in tiles that stay in cache."""
    for block in range(first, last, 128):
        end = min(block + 128, last)
        for c in range(scores.shape[1]):
            for t in range(block, end):
                out[c, t] = scores[rows[t], c]


def _by_class(y: Array, scores: Array, threads: int) -> tuple[Array, list[int]]:
    """The score matrix as (K, n) float64, its places grouped by class, and the class starts."""
    n, k = scores.shape
    rows, start = rows_by_class(y, k)
    columns = np.empty((k, n))
    bounds = [n * t // threads for t in range(threads + 1)]

    def work(t: int) -> None:
        _gather(scores, rows, columns, bounds[t], bounds[t + 1])

    list(pool(threads).map(work, range(threads)))
    return columns, start.tolist()


@njit(nogil=True, cache=True)
def _column_sum(column: Array, start: Array, own: int) -> float:
    """Sum over j of A(own | j) on one column whose classes are each sorted."""
    x = column[start[own] : start[own + 1]]
    total = 0.0
    for j in range(start.size - 1):
        if j != own:
            z = column[start[j] : start[j + 1]]
            total += _doubled_u(x, z) / (2.0 * x.size * z.size)
    return total


def hand_till(y: Array, scores: Array, threads: int = 2) -> float:
    """M: in every column sort each class apart, then merge the own class with each other."""
    k = scores.shape[1]
    columns, start = _by_class(y, scores, threads)
    starts = np.array(start)

    def work(c: int) -> float:
        column = columns[c]
        for a, b in pairwise(start):
            column[a:b].sort()
        return float(_column_sum(column, starts, c))

    return float(sum(pool(threads).map(work, range(k))) / (k * (k - 1)))


@njit(nogil=True, cache=True)
def _small_pairs(columns: Array, start: Array, i: int) -> float:
    """Sum over j > i of S(i, j), sorting in compiled code."""
    total = 0.0
    for j in range(i + 1, start.size - 1):
        x = columns[i, start[i] : start[i + 1]] - columns[j, start[i] : start[i + 1]]
        z = columns[i, start[j] : start[j + 1]] - columns[j, start[j] : start[j + 1]]
        x.sort()
        z.sort()
        total += _doubled_u(x, z) / (2.0 * x.size * z.size)
    return total


def auc_mu(y: Array, scores: Array, threads: int = 2) -> float:
    """AUC-mu, argmax partition: p_i - p_j on the rows of classes i and j, for every pair."""
    k = scores.shape[1]
    columns, start = _by_class(y, scores, threads)
    run = pool(threads).map
    if y.size < _FEW * k:
        starts = np.array(start)
        total = sum(run(lambda i: _small_pairs(columns, starts, i), range(k)))
        return float(2 * total / (k * (k - 1)))
    pairs = list(combinations(range(k), 2))

    def work(pair: tuple[int, int]) -> float:
        i, j = pair
        own, other = slice(start[i], start[i + 1]), slice(start[j], start[j + 1])
        x = columns[i, own] - columns[j, own]
        z = columns[i, other] - columns[j, other]
        x.sort()
        z.sort()
        return float(_doubled_u(x, z) / (2.0 * x.size * z.size))

    return float(sum(run(work, pairs)) / len(pairs))
