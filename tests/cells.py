"""Cells of equal rows drawn together, in plain Python, as `src/resample/cells.rs` documents it.

Letters of `by_rejection` are those of Hormann 1993, algorithm BTRS.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from resampling import LN2_HIGH, LN2_LOW, Draw, artanh_series, fraction, ln


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
