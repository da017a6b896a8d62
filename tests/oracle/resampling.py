"""The weights of replicates in plain Python, one at a time, as `src/resample` documents them.

Letters are those of the documentation: b is a replicate, t an attempt, u a unit, s a stratum, q a
quad of replicates, n the units of a stratum, N the sum of their Poisson weights. Whole numbers are
Python integers cut to 64 or 32 bits; reals are floats, each operation rounded once, in the core's
order. Letters of `by_rejection` are those of Hormann 1993, algorithm BTRS.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

G = 0x9E3779B97F4A7C15
WIDE, NARROW = 2**64 - 1, 2**32 - 1
SMALL = 64  # strata of fewer units are drawn one by one
TAIL, GREATEST, COLUMNS = 15, 31, 16  # outcomes 15 ... 31 share a column of the alias table
MOST = 31  # of more draws of one unit those beyond are lost
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
SCHEMES = ("Multinomial", "Poisson", "Bayesian")


def mix(z: int) -> int:
    """The finaliser of splitmix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WIDE
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WIDE
    return z ^ z >> 31


def derive(h: int, *numbers: int) -> int:
    """h = mix(h + G k), for one k after the other."""
    for k in numbers:
        h = mix(h + G * k & WIDE)
    return h


@cache
def key(seed: int, d: int) -> int:
    """d = 1 units, 2 quads, 3 fine, 4 sequences, 5 steps, 6 numbers."""
    return derive(mix(seed), d)


@cache
def unit(seed: int, u: int) -> int:
    """The 64 bits of a unit."""
    return derive(key(seed, 1), u)


@cache
def quad(seed: int, q: int, t: int) -> tuple[int, int]:
    """kx and ky."""
    h = derive(key(seed, 2), q, t)
    return derive(h, 1), derive(h, 2)


@cache
def step(seed: int, k: int) -> int:
    """What the k-th number of any draw is made of, beside the draw's own bits."""
    return derive(key(seed, 5), k)


def word(z: int, k: int) -> int:
    """32 bits of a unit and a quad."""
    x = ((z & NARROW) + (k & NARROW)) * ((z >> 32 ^ k >> 32) | 1) & NARROW
    x = (x ^ x >> 16) * 0xD35A2D97 & NARROW
    return x ^ x >> 15


def fraction(z: int) -> float:
    """f: an odd multiple of 2^-53 in (0, 1)."""
    return ((z >> 12) + 0.5) / 2.0**52


class Draw(NamedTuple):
    """A replicate b at its attempt t."""

    seed: int
    b: int
    t: int = 0

    def bits(self, u: int) -> int:
        """16 bits: a byte of X and, above it, the same byte of Y."""
        q, i = divmod(self.b, 4)
        x, y = (word(unit(self.seed, u), k) >> 8 * i & 0xFF for k in quad(self.seed, q, self.t))
        return y << 8 | x

    def fine(self, u: int, k: int) -> int:
        """The k-th further 64 bits at a unit."""
        return derive(key(self.seed, 3), self.b, self.t, u, k)

    def fraction(self, u: int, k: int) -> float:
        """f at a unit."""
        return fraction(self.fine(u, k))

    def words(self, s: int) -> Iterator[int]:
        """Sequence s of the draw, 64 bits after 64 bits."""
        h = derive(key(self.seed, 4), self.b, self.t, s)
        return (derive(h, k) for k in count(1))

    def numbers(self, s: int) -> Iterator[int]:
        """Numbers s of the draw, 32 bits after 32 bits."""
        h = derive(key(self.seed, 6), self.b, self.t, s)
        return (word(step(self.seed, k), h) for k in count())


def below(numbers: Iterator[int], n: int) -> int:
    """A whole number below n, each with the same probability (Lemire 2019)."""
    while True:
        product = next(numbers) * n
        if product & NARROW >= 2**32 % n:
            return product >> 32


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


def in_portions(sizes: Sequence[int], most: int, draw: Draw) -> list[int]:
    """Multinomial weights of strata one after the other, in portions of at most `most` units."""
    drawn: list[int] = []
    for s, n in enumerate(sizes):
        first, P, words = len(drawn), -(-n // most), draw.words(s)
        left, units = n, n
        for p in range(P):
            portion = range(first + p * n // P, first + (p + 1) * n // P)
            wanted = binomial(left, len(portion), units, words)
            left, units = left - wanted, units - len(portion)
            weights, root = [0] * len(portion), math.isqrt(len(portion) // 2)
            if root > 2:
                weights = [poisson(1.0 - 2.0 / root).weight(draw, u) for u in portion]
            drawn += brought_to_total(weights, wanted, draw.numbers(s + 2**32 * (p + 1)))
    return drawn


def artanh_series(s: float, last: int) -> float:
    """s^2/3 + s^4/5 + ..., by Horner from the last term."""
    series = 0.0
    for k in range(last, 1, -2):
        series = s * s * (series + 1.0 / k)
    return series


def ln(x: float) -> float:
    """ln x = e ln 2 + 2 artanh((m - 1) / (m + 1)), x = 2^e m; no library's last bits are in it."""
    m, e = math.frexp(x)
    m, e = 2.0 * m, e - 1
    if m > math.sqrt(2.0):
        m, e = 0.5 * m, e + 1
    s = (m - 1.0) / (m + 1.0)
    return e * LN2_HIGH + (2.0 * s + (2.0 * s * artanh_series(s, 23) + e * LN2_LOW))


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


def ln_one_minus(p: float) -> float:
    """ln(1 - p) = -2 artanh(p / (2 - p))."""
    s = p / (2.0 - p)
    return -2.0 * (s + s * artanh_series(s, 37))


def exp_negative(x: float) -> float:
    """exp(-x), x = k ln 2 + r."""
    k = math.floor(x / math.log(2.0))
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    series = 1.0
    for j in range(20, 0, -1):
        series = 1.0 - series * r / j
    return math.ldexp(series, -k)


def ln_factorial(k: float) -> float:
    """ln k!: products below 10, Stirling's series with x = k + 1 from there on."""
    if k < 10:
        return ln(float(math.factorial(int(k))))
    x = k + 1.0
    y = 1.0 / (x * x)
    inner = 1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0))
    series = (1.0 / 12.0 - y * inner) / x
    return (x - 0.5) * ln(x) - x + 0.9189385332046728 + series


def binomial(n: int, part: int, whole: int, words: Iterator[int]) -> int:
    """Hits in n tries of probability p = part / whole."""
    if n == 0 or part == 0:
        return 0
    if part == whole:
        return n
    if 2 * part > whole:
        return n - binomial(n, whole - part, whole, words)
    p = part / whole
    return by_inversion(n, p, words) if n * p < 10.0 else by_rejection(n, p, words)


def by_inversion(n: int, p: float, words: Iterator[int]) -> int:
    """The least k with f < P(0) + ... + P(k); terms are taken off f, one by one."""
    odds, term = p / (1.0 - p), exp_negative(-(n * ln_one_minus(p)))
    f = fraction(next(words))
    for k in range(n):
        if f < term:
            return k
        f -= term
        term *= odds * (n - k) / (k + 1)
        if term == 0.0:
            return k
    return n


def by_rejection(n: int, p: float, words: Iterator[int]) -> int:
    spread = math.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c, v_r, alpha = n * p + 0.5, 0.92 - 4.2 / b, (2.83 + 5.1 / b) * spread
    odds, m = ln(p / (1.0 - p)), math.floor((n + 1.0) * p)
    h = ln_factorial(m) + ln_factorial(n - m)
    while True:
        u, v = fraction(next(words)) - 0.5, fraction(next(words))
        u_s = 0.5 - abs(u)
        k = math.floor((2.0 * a / u_s + b) * u + c)
        if u_s >= 0.07 and v <= v_r:
            return k
        if 0 <= k <= n:
            bound = ln(v * alpha / (a / (u_s * u_s) + b))
            if bound <= h - ln_factorial(k) - ln_factorial(n - k) + (k - m) * odds:
                return k


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
