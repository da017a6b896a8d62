"""Limits by Student's t the slow way, one line of the formulas at a time."""

from __future__ import annotations

from typing import NamedTuple

from scipy.special import expit, logit
from scipy.stats import t


class Sided(NamedTuple):
    """Lower and upper limit of a share of a range."""

    low: float
    high: float


def sided(x: float, V: float, f: float, plain_f: float, k: float, tail: float) -> Sided:
    """Return limits that leave `tail` beyond either; f is with kurtosis, plain_f without.

    Away from 1/2 they are logit x + t sqrt(V) / (x (1 - x)). Towards 1/2 half a row of size k that
    knows nothing is added to the estimate and to its variance, and counts as known.
    """
    if x < 0.5:
        low, high = sided(1 - x, V, f, plain_f, k, tail)
        return Sided(1 - high, 1 - low)
    outer = 1.0
    if x < 1:
        outer = float(expit(logit(x) + t.ppf(1 - tail, f) * V**0.5 / (x * (1 - x))))
    centre = (x + k / 4) / (1 + k / 2)
    S = V + 0.5 * (centre - 0.5) ** 2 * k**2
    freedom = S**2 / V**2 * plain_f if V > 0 else float("inf")
    inner = float(
        expit(logit(centre) - t.ppf(1 - tail, freedom) * S**0.5 / (centre * (1 - centre)))
    )
    if V == 0 and x == 1:
        inner = min(inner, tail**k)
    return Sided(inner, outer)
