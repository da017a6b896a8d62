"""Errors made of sums of influence values, as the library makes them of the values themselves.

The formulas are those of `polyroc._inference.spread`: each class is a part of the variance, with
second and fourth the sums of the squares and fourth powers of its rows' values, widened for what
they lack in small samples. A part is known as well as 1 / (1 / (e - 1) + max(k, 0) / (2 n)) normal
values tell it, e being its effective size and k its excess kurtosis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._inference.small_sample import FEWEST
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import NAMES, Scale, closed_interval
from polyroc._stats.rounding import ROUNDING
from polyroc._stats.sided_limits import Spread

if TYPE_CHECKING:
    from polyroc._base.types import Floats


class Part(NamedTuple):
    """The rows of one class."""

    n: int
    effective: float  # n, unless they weigh differently
    second: float
    fourth: float


def alike(n: int, second: float, fourth: float) -> Part:
    """Return the part of rows that count alike, of which sums are not widened yet."""
    scale = n / (n - 1.0)
    return Part(n, float(n), scale * second, scale * scale * fourth)


def spread_of(
    parts: Sequence[Part], pull: float, between: float = 0.0, uneven: bool = False
) -> Spread:
    """Return the variance of a number, and how well it is known.

    `between` is what lies between classes, where their counts vary; with `uneven` weights the
    kurtosis counts for both limits.
    """
    n_all = sum(part.n for part in parts)
    variance = between
    plain = between * between / (n_all - 1.0)
    doubt = plain
    for n, effective, second, fourth in parts:
        squared = second * second
        sure = squared / max(effective - 1.0, 2.0**-10)
        variance += second
        plain += sure
        doubt += sure + max(n * fourth - 3.0 * squared, 0.0) / (2.0 * n)
    least = min(part.n for part in parts)
    if least < FEWEST:
        floor = variance * variance / (least - 1.0)
        doubt, plain = max(doubt, floor), max(plain, floor)
    return Spread(variance, doubt, doubt if uneven else plain, pull)


def error_of(spread: Spread) -> float:
    """Return the standard error of a measure within 0 and 1; 0 where it is rounding."""
    error = math.sqrt(spread.variance)
    return 0.0 if error <= ROUNDING else error


def limits_of(
    found: tuple[float, Sequence[tuple[int, float, float]]],
) -> tuple[float, Floats, str]:
    """Return the standard error of a binary AUC, its 95 % limits, and how they are made."""
    estimate, moments = found
    sizes = sorted(float(n) for n, _, _ in moments)
    spread = spread_of([alike(*one) for one in moments], 1.0 / sizes[0])
    error = error_of(spread)
    scale = Scale((0.0, 1.0), FromAuc(), (sizes[0], sizes[1]))
    limits = closed_interval(estimate, error, scale, np.array([0.95]), "two", "logit", spread)
    return error, np.array([limits.low[0], limits.high[0]]), NAMES[limits.method]
