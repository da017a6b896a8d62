"""Errors made of sums of influence values, as the library makes them of the values themselves.

The formulas are those of `polyroc._inference.spread`, for rows that count alike: with s2 and s4 the
sums of the squares and fourth powers of the n values of a class, its part of the variance is
v = n / (n - 1) s2, known as well as 1 / (1 / (n - 1) + max(k, 0) / (2 n)) normal values tell it, k
being the excess kurtosis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from polyroc._inference.small_sample import FEWEST
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import Scale, closed_interval
from polyroc._stats.rounding import ROUNDING
from polyroc._stats.sided_limits import Spread

if TYPE_CHECKING:
    from polyroc._base.types import Floats

Moments = Sequence[tuple[int, float, float]]  # of each class: n, s2, s4


def spread_of(moments: Moments, pull: float, between: float = 0.0) -> Spread:
    """Return the variance of a number, and how well it is known.

    `between` is what lies between classes, where their counts vary.
    """
    n_all = sum(n for n, _, _ in moments)
    variance = between
    plain = between * between / (n_all - 1.0)
    doubt = plain
    for n, second, fourth in moments:
        scale = n / (n - 1.0)
        part = scale * second
        sure = part * part / (n - 1.0)
        variance += part
        plain += sure
        doubt += sure + max(n * scale * scale * fourth - 3.0 * part * part, 0.0) / (2.0 * n)
    least = min(n for n, _, _ in moments)
    if least < FEWEST:
        floor = variance * variance / (least - 1.0)
        doubt, plain = max(doubt, floor), max(plain, floor)
    return Spread(variance, doubt, plain, pull)


def error_of(spread: Spread) -> float:
    """Return the standard error of a measure within 0 and 1; 0 where it is rounding."""
    error = math.sqrt(spread.variance)
    return 0.0 if error <= ROUNDING else error


def limits_of(found: tuple[float, Moments]) -> tuple[float, Floats]:
    """Return the standard error and the 95 % limits of a binary AUC."""
    estimate, moments = found
    sizes = sorted(float(n) for n, _, _ in moments)
    spread = spread_of(moments, 1.0 / sizes[0])
    error = error_of(spread)
    scale = Scale((0.0, 1.0), FromAuc(), (sizes[0], sizes[1]))
    limits = closed_interval(estimate, error, scale, np.array([0.95]), "two", "logit", spread)
    return error, np.array([limits.low[0], limits.high[0]])
