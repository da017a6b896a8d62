"""Poisson numbers in plain Python, as `src/resample/poisson_number.rs` makes them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from oracle.logarithm import exp_negative, ln, ln_factorial
from oracle.stream import fraction


def poisson_number(mean: float, words: Iterator[int]) -> int:
    """A Poisson number of a mean above 0."""
    return by_inversion(mean, words) if mean < 10.0 else by_rejection(mean, words)


def by_inversion(mean: float, words: Iterator[int]) -> int:
    """The least k with f < P(0) + ... + P(k); terms are taken off f, one by one."""
    k, term, f = 0, exp_negative(mean), fraction(next(words))
    while f >= term > 0.0:
        f, k = f - term, k + 1
        term *= mean / k
    return k


def by_rejection(mean: float, words: Iterator[int]) -> int:
    """Transformed rejection; letters are those of Hormann 1993, algorithm PTRS."""
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    alpha, v_r = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u, v = fraction(next(words)) - 0.5, fraction(next(words))
        u_s = 0.5 - abs(u)
        k = math.floor((2.0 * a / u_s + b) * u + mean + 0.43)
        if u_s >= 0.07 and v <= v_r:
            return k
        if k >= 0 and (u_s >= 0.013 or v <= u_s):
            bound = ln(v * alpha / (a / (u_s * u_s) + b))
            if bound <= k * ln(mean) - mean - ln_factorial(k):
                return k
