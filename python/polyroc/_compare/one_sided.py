"""One-sided tests: that the first model's measure is greater than the second's, or less.

The interval of a one-sided test has one limit, the other end being what a difference can be at
most; zero lies outside if and only if p is below one minus the confidence, as with two sides.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from polyroc._base.checks import choose
from polyroc._stats.normal_test import ALTERNATIVES

if TYPE_CHECKING:
    from polyroc._compare.evidence import Evidence, Pair


def check_alternative(alternative: str, interval: str, level: float) -> None:
    """Raise unless there is such a test, and an interval to go with it."""
    choose("alternative", alternative, ALTERNATIVES)
    if alternative == "two-sided":
        return
    if interval != "test":
        raise ValueError(
            f"interval={interval!r} has two sides, and alternative={alternative!r} tests one; "
            "leave interval out, or alternative"
        )
    if level <= 0.5:
        raise ValueError(
            f"confidence is {level:g} with alternative={alternative!r}; an interval with one limit "
            "needs more than 0.5"
        )


def one_sided(evidence: Evidence, alternative: str, level: float) -> Evidence:
    """Return what a method found with one-sided intervals and p-values."""
    if alternative == "two-sided":
        return evidence
    pairs = {key: _turned_to(pair, alternative, level) for key, pair in evidence.pairs.items()}
    return evidence._replace(pairs=pairs)


def _turned_to(pair: Pair, alternative: str, level: float) -> Pair:
    difference = pair.difference
    if math.isnan(difference.error):
        return pair
    low, high = difference.interval(2.0 * level - 1.0)
    if alternative == "greater":
        p = difference.p_not_above(0.0)
        return pair._replace(low=low, high=difference.first.span, p_value=p)
    p = difference.turned().p_not_above(0.0)
    return pair._replace(low=-difference.first.span, high=high, p_value=p)


def mirrored(alternative: str) -> str:
    """Return what is tested of two models when their order is turned."""
    return {"greater": "less", "less": "greater"}.get(alternative, alternative)
