"""Bootstraps of AUC, M and AUC-mu as a careful user would write them with numpy and numba.

The scores are sorted once.  A replicate is one byte per row, how often it was drawn (n uniform
draws, counted), and a walk over each sorted order that weighs rows by it.  Replicates are dealt
to threads in equal parts.  Counts are doubled integers, ties are one half; a replicate that
loses a class is nan.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from benches.speed.rivals.numba_measures import pool, rows_by_class

Array = npt.NDArray[Any]

_U64 = np.uint64


@njit(inline="always")
def _mixed(seed: int) -> int:
    """SplitMix64's output function, to turn a small number into a seed."""
    z = (seed ^ (seed >> _U64(30))) * _U64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> _U64(27))) * _U64(0x94D049BB133111EB)
    return z ^ (z >> _U64(31))


@njit(nogil=True, cache=True)
def _draw(times: Array, replicate: int) -> None:
    """Draw as many rows as there are, with replacement: times[row] counts them.

    xoroshiro128+, two draws per word; of four generators tried it was the fastest here.
    """
    n = _U64(times.size)
    times[:] = 0
    a = _mixed(_U64(2 * replicate + 1))
    b = _mixed(_U64(2 * replicate + 2))
    word = _U64(0)
    for _ in range((times.size + 1) // 2):
        word = a + b
        b ^= a
        a = ((a << _U64(24)) | (a >> _U64(40))) ^ b ^ (b << _U64(16))
        b = (b << _U64(37)) | (b >> _U64(27))
        times[((word >> _U64(32)) * n) >> _U64(32)] += np.uint8(1)
        times[((word & _U64(0xFFFFFFFF)) * n) >> _U64(32)] += np.uint8(1)
    if times.size % 2:  # one draw too many
        times[((word & _U64(0xFFFFFFFF)) * n) >> _U64(32)] -= np.uint8(1)


@njit(nogil=True, cache=True)
def _bytes(n: int) -> Array:
    """One byte a row, in cache lines that no other thread writes to."""
    return np.empty(n + 256, np.uint8)[128 : 128 + n]


def _deal(kernel: Callable[..., Any], replicates: int, threads: int, *args: Any) -> Array:
    """Run ``kernel(*args, first, out)`` in every thread on its part of the replicates."""
    out = np.empty(replicates)
    bounds = [replicates * t // threads for t in range(threads + 1)]

    def work(t: int) -> None:
        kernel(*args, bounds[t], out[bounds[t] : bounds[t + 1]])

    list(pool(threads).map(work, range(threads)))
    return out


def _sorted(s: Array, own: Array) -> tuple[Array, Array, bool]:
    """The order of the scores, own rows first in a tie; where ties end; whether there are any."""
    order = np.argsort(s)
    ascending = s[order]
    last = np.append(ascending[1:] != ascending[:-1], True)
    tied = not last.all()
    if tied:
        order = np.lexsort((~own, s))
    return order, last.view(np.uint8), tied


@njit(nogil=True, cache=True, error_model="numpy")
def _auc_replicates(own: Array, last: Array, tied: bool, first: int, out: Array) -> None:
    """``own`` is 255 where the row is of class 1: then the weight is masked without a branch."""
    times = _bytes(own.size)
    for b in range(out.size):
        _draw(times, first + b)
        # met: weight of class 1 so far; below: the same up to the last tie that ended.
        met = below = lost = 0
        if tied:
            for t in range(own.size):
                one = np.int64(times[t] & own[t])
                met += one
                lost += (np.int64(times[t]) - one) * (below + met)
                if last[t]:
                    below = met
        else:
            for t in range(own.size):
                one = np.int64(times[t] & own[t])
                met += one
                lost += (np.int64(times[t]) - one) * met
            lost *= 2
        out[b] = 1.0 - lost / (2.0 * met * (own.size - met))


def auc(y: Array, s: Array, replicates: int, threads: int = 2) -> Array:
    """Binary AUC: rows are drawn in sorted order, so that nothing is looked up elsewhere."""
    order, last, tied = _sorted(s, y == 1)
    own = y[order].astype(np.uint8) * np.uint8(255)
    return _deal(_auc_replicates, replicates, threads, own, last, tied)


@njit(nogil=True, cache=True, error_model="numpy")
def _difference_replicates(
    own: Array, other_order: Array, other_own: Array, first: int, out: Array
) -> None:
    """Rows are numbered by the first model's order; the second one looks its rows up.  No ties."""
    times = _bytes(own.size)
    for b in range(out.size):
        _draw(times, first + b)
        met = lost = 0
        for t in range(own.size):
            one = np.int64(times[t] & own[t])
            met += one
            lost += (np.int64(times[t]) - one) * met
        met_other = lost_other = 0
        for t in range(own.size):
            drawn = times[other_order[t]]
            one = np.int64(drawn & other_own[t])
            met_other += one
            lost_other += (np.int64(drawn) - one) * met_other
        out[b] = (lost_other - lost) / (1.0 * met * (own.size - met))


def auc_difference(y: Array, s: Array, other: Array, replicates: int, threads: int = 2) -> Array:
    """The difference of two models' AUCs on the same draws; scores without ties."""
    order = np.argsort(s)
    place = np.empty(order.size, np.uint32)
    place[order] = np.arange(order.size, dtype=np.uint32)
    second = np.argsort(other)
    masks = y.astype(np.uint8) * np.uint8(255)
    return _deal(
        _difference_replicates, replicates, threads, masks[order], place[second], masks[second]
    )


@njit(nogil=True, cache=True)
def _class_weights(times: Array, start: Array, weight: Array) -> None:
    for c in range(weight.size):
        total = 0
        for t in range(start[c], start[c + 1]):
            total += times[t]
        weight[c] = total


@njit(nogil=True, cache=True, error_model="numpy")
def _m_replicates(
    orders: Array, classes: Array, last: Array, tied: Array, start: Array, first: int, out: Array
) -> None:
    """Row c of orders, classes and last is column c of the scores, sorted."""
    k, n = orders.shape
    times, weight = _bytes(n), np.empty(k)
    lost = np.empty(k, np.int64)  # by class: twice the weighted pairs that class c loses to it
    for b in range(out.size):
        _draw(times, first + b)
        _class_weights(times, start, weight)
        total = 0.0
        for c in range(k):
            order, other, end = orders[c], classes[c], last[c]
            lost[:] = 0
            met = below = 0
            if tied[c]:
                for t in range(n):
                    drawn = np.int64(times[order[t]])
                    met += drawn if other[t] == c else 0
                    lost[other[t]] += drawn * (below + met)
                    if end[t]:
                        below = met
            else:
                for t in range(n):
                    drawn = np.int64(times[order[t]])
                    met += drawn if other[t] == c else 0
                    lost[other[t]] += drawn * met
                lost *= 2
            for j in range(k):
                if j != c:
                    total += 1.0 - lost[j] / (2.0 * weight[c] * weight[j])
        out[b] = total / (k * (k - 1))


def hand_till(y: Array, scores: Array, replicates: int, threads: int = 2) -> Array:
    """M: every column is sorted once; a row adds the favoured weight met so far to its class."""
    n, k = scores.shape
    rows, start = rows_by_class(y, k)
    by_class = y[rows].astype(np.uint16 if k > 256 else np.uint8)
    orders, last = np.empty((k, n), np.uint32), np.empty((k, n), np.uint8)
    classes, tied = np.empty((k, n), by_class.dtype), np.empty(k, np.bool_)

    def work(c: int) -> None:
        orders[c], last[c], tied[c] = _sorted(scores[rows, c], by_class == c)
        classes[c] = by_class[orders[c]]

    list(pool(threads).map(work, range(k)))
    return _deal(_m_replicates, replicates, threads, orders, classes, last, tied, start)


@njit(nogil=True, cache=True, error_model="numpy")
def _mu_replicates(
    orders: Array, last: Array, tied: Array, pairs: Array, start: Array, first: int, out: Array
) -> None:
    """The pairs one after another, each sorted: bit 31 marks class i, the rest is the row."""
    times, weight = _bytes(start[-1]), np.empty(start.size - 1)
    for b in range(out.size):
        _draw(times, first + b)
        _class_weights(times, start, weight)
        total, at = 0.0, 0
        for p in range(tied.size):
            i, j = pairs[p, 0], pairs[p, 1]
            end = at + start[i + 1] - start[i] + start[j + 1] - start[j]
            met = below = lost = 0
            if tied[p]:
                for t in range(at, end):
                    drawn = np.int64(times[orders[t] & 0x7FFFFFFF])
                    one = drawn if orders[t] >> 31 else 0
                    met += one
                    lost += (drawn - one) * (below + met)
                    if last[t]:
                        below = met
            else:
                for t in range(at, end):
                    drawn = np.int64(times[orders[t] & 0x7FFFFFFF])
                    one = drawn if orders[t] >> 31 else 0
                    met += one
                    lost += (drawn - one) * met
                lost *= 2
            at = end
            total += 1.0 - lost / (2.0 * weight[i] * weight[j])
        out[b] = total / tied.size


def auc_mu(y: Array, scores: Array, replicates: int, threads: int = 2) -> Array:
    """AUC-mu, argmax partition: p_i - p_j is sorted once for every pair of classes."""
    k = scores.shape[1]
    rows, start = rows_by_class(y, k)
    columns = np.ascontiguousarray(scores[rows].T, np.float64)
    pairs = list(combinations(range(k), 2))

    def work(pair: tuple[int, int]) -> tuple[Array, Array, bool]:
        two = np.concatenate([np.arange(start[c], start[c + 1], dtype=np.uint32) for c in pair])
        favoured = two < start[pair[0] + 1]
        order, last, tied = _sorted(columns[pair[0], two] - columns[pair[1], two], favoured)
        return (two | favoured.astype(np.uint32) << np.uint32(31))[order], last, tied

    done = list(pool(threads).map(work, pairs))
    orders, last = (np.concatenate([one[part] for one in done]) for part in (0, 1))
    tied = np.array([one[2] for one in done])
    return _deal(_mu_replicates, replicates, threads, orders, last, tied, np.array(pairs), start)
