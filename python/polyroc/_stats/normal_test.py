"""Tests of a value, from an estimate and its closed-form standard error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from polyroc._stats.normal_interval import estimated, method_of, share_of
from polyroc._stats.tails import t_tail

if TYPE_CHECKING:
    from polyroc._stats.normal_interval import Scale
    from polyroc._stats.sided_limits import Spread

ALTERNATIVES = ("two-sided", "greater", "less")


class ZTest(NamedTuple):
    """The distance from a null value in standard errors, its p-value, and how it was measured."""

    statistic: float
    p_value: float
    method: str


def closed_test(
    estimate: float, error: float, scale: Scale, null: float, alternative: str,
    transform: str | None, spread: Spread | None = None,
) -> ZTest:  # fmt: skip
    """Test that the true value is `null`, on the scale on which `closed_interval` makes limits.

    So p < 0.05 where, and only where, `null` lies outside the 95 % interval; of one-sided tests
    outside the 95 % bound. With p and q the shares of estimate and null value, the statistic is
    (logit(p) - logit(q)) p (1 - p) / se, or (estimate - null) / se. Where the standard error is
    zero it is Newcombe's (p - q) / sqrt(V(q)), whose variance follows from the null value.

    With a `spread` p-values are those at which the limits by Student's t meet the null value.
    """
    bottom, top = scale.bounds
    share, other = share_of(estimate, scale), share_of(null, scale)
    method = method_of(estimate, error, scale, transform, spread)
    freedom = math.inf if spread is None else spread.freedom
    if method == "t" and spread is not None:
        ends = estimated(estimate, scale, spread)
        (above, below), (low, high) = ends.tails_at(null), ends.distances(null)
        found = {"two-sided": 2.0 * min(above, below, 0.5), "greater": above, "less": below}
        return ZTest(low if above < below else -high, found[alternative], method)
    if method == "newcombe":
        z = scale.from_auc.quantile(share, scale.sizes, other)
    elif method == "logit":
        z = (_logit(share) - _logit(other)) * (top - bottom) * share * (1.0 - share) / error
    else:
        z = (estimate - null) / error
    tails = {
        "two-sided": 2.0 * t_tail(abs(z), freedom),
        "greater": t_tail(z, freedom),
        "less": t_tail(-z, freedom),
    }
    return ZTest(z, tails[alternative], method)


def _logit(share: float) -> float:
    if share in (0.0, 1.0):
        return math.inf if share else -math.inf
    return math.log(share / (1.0 - share))
