"""The weights of replicates in plain Python, one at a time, as `src/resample` documents them.

Letters are those of the documentation: u is a unit, s a stratum, n the units of a stratum, N the
sum of their Poisson weights. Reals are floats, each operation rounded once, in the core's order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracle.binomial import binomial
from oracle.logarithm import ln
from oracle.poisson_number import poisson_number
from oracle.stream import Draw, below

Array = NDArray[Any]

SMALL = 64  # strata of fewer units are drawn one by one
TAIL, GREATEST, COLUMNS = 15, 31, 16  # outcomes 15 ... 31 share a column of the alias table
MOST = 31  # of more draws of one unit those beyond are lost
SCHEMES = ("Multinomial", "Poisson", "Bayesian")


class Poisson:
    """The law of Poisson weights with one rate, by Walker's alias method."""

    def __init__(self, rate: float) -> None:
        term = [1.0]
        for k in range(1, GREATEST + 1):
            term.append(term[-1] * (rate / k))
        e = list(accumulate(term))[-1]  # one after the other: Python's sum() compensates
        p = [x / e for x in term]
        cumulated = list(accumulate(p[TAIL:]))
        self.tail = [x / cumulated[-1] for x in cumulated]
        height = [16.0 * x for x in (*p[:TAIL], cumulated[-1])]
        self.other = list(range(COLUMNS))
        is_open = [True] * COLUMNS
        while True:
            low = [k for k in range(COLUMNS) if is_open[k] and height[k] < 1.0]
            high = [k for k in range(COLUMNS) if is_open[k] and height[k] >= 1.0]
            if not (low and high):
                break
            self.other[low[0]], is_open[low[0]] = high[0], False
            height[high[0]] -= 1.0 - height[low[0]]
        # What is still open is full but for rounding, whatever its place.
        self.c = [4096.0 * (1.0 if is_open[k] else height[k]) for k in range(COLUMNS)]

    def weight(self, draw: Draw, u: int) -> int:
        r = draw.bits(u)
        column, v = r % 16, r // 16 ^ (2**11 + 2**3)
        cut = math.floor(self.c[column])
        if v == cut:
            own = draw.fine(u, 0) >> 12 < int((self.c[column] - cut) * 2.0**52)
        else:
            own = v < cut
        outcome = column if own else self.other[column]
        if outcome < TAIL:
            return outcome
        f = draw.fraction(u, 1)
        return next((TAIL + k for k, share in enumerate(self.tail) if f < share), GREATEST)


poisson = cache(Poisson)


def multinomial(draw: Draw, s: int, units: Sequence[int]) -> list[int]:
    """n draws with replacement among the n units of stratum s."""
    n = len(units)
    weights = [0] * n
    if n >= SMALL:
        law = poisson(1.0 - 2.0 / math.isqrt(n))
        weights = [law.weight(draw, u) for u in units]
    return brought_to_total(weights, n, draw.numbers(s))


def brought_to_total(weights: list[int], wanted: int, numbers: Iterator[int]) -> list[int]:
    """The same weights with as many draws as wanted: missing ones made, others taken back."""
    n, N = len(weights), sum(weights)
    bound = 256 if max(weights, default=0) > 15 else 16
    for _ in range(wanted - N):
        j = below(numbers, n)
        weights[j] = min(weights[j] + 1, MOST)
    for _ in range(N - wanted):
        while True:
            j = below(numbers, n)
            if below(numbers, bound) < weights[j]:
                weights[j] -= 1
                break
    return weights


def in_portions(
    sizes: Sequence[int],
    most: int,
    draw: Draw,
    scheme: str = "Multinomial",
    stratified: bool = True,
) -> list[int]:
    """Weights of classes one after the other, in portions of at most `most` units.

    Stratified, each class has as many draws as units; else all classes together. Where weights are
    Poisson, each portion has a Poisson number of draws.
    """
    together = scheme == "Poisson" or not stratified
    drawn: list[int] = []
    words, left, units = draw.words(0), sum(sizes), sum(sizes)
    for s, n in enumerate(sizes):
        first, P = len(drawn), -(-n // most)
        if not together:
            words, left, units = draw.words(s), n, n
        for p in range(P):
            portion = range(first + p * n // P, first + (p + 1) * n // P)
            if scheme == "Poisson":
                wanted = poisson_number(float(len(portion)), words)
            else:
                wanted = binomial(left, len(portion), units, words)
            left, units = left - wanted, units - len(portion)
            weights, root = [0] * len(portion), math.isqrt(len(portion) // 2)
            if root > 2:
                weights = [poisson(1.0 - 2.0 / root).weight(draw, u) for u in portion]
            drawn += brought_to_total(weights, wanted, draw.numbers(s + 2**32 * (p + 1)))
    return drawn


def dirichlet(draw: Draw, units: Sequence[int]) -> list[float]:
    """Exponential weights, times n over their sum."""
    drawn = [-ln(draw.fraction(u, 2)) for u in units]
    total = 0.0
    for weight in drawn:
        total += weight
    return [weight * (len(units) / total) for weight in drawn] if units else []


def weights(strata: Sequence[int] | Array, scheme: str, draw: Draw) -> list[float]:
    """The weight of each unit; `strata` is the stratum of each, or negative for no unit at all."""
    of = [int(s) for s in strata]
    drawn = [0.0] * len(of)
    for s in range(max(of) + 1):
        units = [u for u, of_u in enumerate(of) if of_u == s]
        counts: Sequence[float]
        if scheme == "Bayesian":
            counts = dirichlet(draw, units)
        elif scheme == "Poisson":
            counts = [poisson(1.0).weight(draw, u) for u in units]
        else:
            counts = multinomial(draw, s, units)
        for u, drawn_u in zip(units, counts, strict=True):
            drawn[u] = float(drawn_u)
    return drawn


def table(
    strata: Sequence[int] | Array, scheme: str, seed: int, first: int, last: int, attempt: int = 0
) -> Array:
    """The weights of replicates first ... last - 1, a row each."""
    rows = [weights(strata, scheme, Draw(seed, b, attempt)) for b in range(first, last)]
    return np.array(rows).reshape(last - first, len(strata))


def cell_counts(rows: Sequence[int], strata: Sequence[int], draw: Draw) -> list[int]:
    """How often each cell is drawn: `rows` are its rows, `strata` its stratum."""
    drawn = [0] * len(rows)
    for s in range(max(strata) + 1):
        words = draw.words(s)
        mine = [k for k, of in enumerate(strata) if of == s]
        left = whole = sum(rows[k] for k in mine)
        for k in mine:
            drawn[k] = binomial(left, rows[k], whole, words)
            left, whole = left - drawn[k], whole - rows[k]
    return drawn
