"""Binomial draws in plain Python, as `src/resample/binomial.rs` makes them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from oracle.logarithm import exp_negative, ln, ln_factorial, ln_one_minus
from oracle.stream import fraction


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
    """Transformed rejection; letters are those of Hormann 1993, algorithm BTRS."""
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
