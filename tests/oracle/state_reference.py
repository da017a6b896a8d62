"""A state the slow way: keys from the bits of floats, bins by trying, areas in fractions."""

from __future__ import annotations

import struct
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
HALF = struct.unpack("<Q", struct.pack("<d", 0.5))[0]


def bits(x: float) -> int:
    """The 64 bits of a double; those of 0.0 for -0.0."""
    return int(struct.unpack("<Q", struct.pack("<d", float(x) + 0.0))[0])


def fold_key(p: float) -> int:
    """The bits of p up to one half, above it those of 1 - p counted down."""
    return bits(p) if p <= 0.5 else 2 * HALF - bits(1.0 - p)


def float_key(x: float) -> int:
    """Bits that order as numbers do."""
    own = bits(x)
    return own | 1 << 63 if own < 1 << 63 else own ^ (1 << 64) - 1


def difference_key(d: float) -> int:
    """The fold of |d| to both sides of 0."""
    return (1 << 63) + (fold_key(d) if d >= 0 else -fold_key(-d))


def shift_of(keys: list[int], most: int) -> int:
    """The fewest low bits whose loss leaves at most so many different keys."""
    shift = 0
    while len({key >> shift for key in keys}) > most:
        shift += 1
    return shift


class Area(NamedTuple):
    """An area of bins, and half the mass of pairs that share a bin."""

    value: Fraction
    loose: Fraction


def area(x: list[int], y: list[int], wx: list[Fraction], wy: list[Fraction]) -> Area:
    """The area of x above y: all pairs one by one."""
    wins = together = Fraction(0)
    for a, u in zip(x, wx, strict=True):
        for b, v in zip(y, wy, strict=True):
            wins += u * v * Fraction((a > b) - (a < b) + 1, 2)
            together += u * v * (a == b)
    pairs = sum(wx) * sum(wy)
    return Area(wins / pairs, together / (2 * pairs))


def mean(areas: list[Area]) -> Area:
    """The mean of areas, and of how far they may be off."""
    values, loose = zip(*areas, strict=True)
    return Area(sum(values, Fraction(0)) / len(areas), sum(loose, Fraction(0)) / len(areas))


def measure(
    name: str, c: Array, P: Array, w: Array | None, most: int, key: str = "fold"
) -> tuple[Area, bool]:
    """A measure of the bins of a state, and whether these are single keys everywhere."""
    K = P.shape[1]
    weights = [Fraction(float(x)) for x in (np.ones(len(c)) if w is None else w)]
    exact, areas = True, []

    def contest(keys: list[int], x: Any, y: Any) -> Area:
        nonlocal exact
        shift = shift_of(keys, most)
        exact &= shift == 0
        own = [key >> shift for key in keys]
        return area([own[a] for a in x], [own[a] for a in y],
                    [weights[a] for a in x], [weights[a] for a in y])  # fmt: skip

    rows = [np.flatnonzero(c == k) for k in range(K)]
    if name == "auc_mu":
        difference = difference_key if key == "fold" else float_key
        for i, j in combinations(range(K), 2):
            both = np.concatenate([rows[i], rows[j]])
            by_row = dict(zip(both.tolist(), map(difference, P[both, i] - P[both, j]), strict=True))
            shift = shift_of(list(by_row.values()), most)
            exact &= shift == 0
            own = [[by_row[a] >> shift for a in rows[k].tolist()] for k in (i, j)]
            mass = [[weights[a] for a in rows[k]] for k in (i, j)]
            areas.append(area(*own, *mass))
        return mean(areas), exact
    for i in range(K):
        keys = list(map(fold_key if key == "fold" else float_key, P[:, i]))
        if name == "one_vs_rest":
            areas.append(contest(keys, rows[i], np.flatnonzero(c != i)))
        else:
            areas += [contest(keys, rows[i], rows[j]) for j in range(K) if j != i]
    return mean(areas), exact
