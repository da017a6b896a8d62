"""Confidence intervals from an estimate and its closed-form standard error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._stats.confidence import error_at_one_end, normal_quantiles, one_sided
from polyroc._stats.newcombe import FromAuc, without_spread
from polyroc._stats.rounding import is_nothing

if TYPE_CHECKING:
    from polyroc._base.types import Floats

TRANSFORMS = ("logit", None)
NAMES = {"logit": "DeLong (logit)", "plain": "DeLong", "newcombe": "Newcombe"}


class Scale(NamedTuple):
    """What a measure can be, and what it is made of."""

    bounds: tuple[float, float]
    from_auc: FromAuc  # how it follows from its AUCs
    sizes: tuple[int, int]  # units of the classes compared, of the two smallest if several
    classes: str = "the two smallest classes"


class Limits(NamedTuple):
    """Limits for each confidence level, how they were made, and what was special."""

    low: Floats
    high: Floats
    method: str
    note: str


def closed_interval(
    estimate: float, error: float, scale: Scale, levels: Floats, sides: str, transform: str | None
) -> Limits:
    """Return confidence limits by the normal distribution.

    With p the estimate's share of its range, "logit" has limits logit(p) +- z se / (p (1 - p)),
    turned back; they stay inside the range. Plain limits are estimate +- z se, cut off at the
    range. Where the standard error is zero, as after perfect separation, Newcombe's (2006) method
    5 gives an informative bound from the sizes of the classes.
    """
    bottom, top = scale.bounds
    z = -normal_quantiles(error_at_one_end(levels, sides))
    share, method = share_of(estimate, scale), method_of(estimate, error, scale, transform)
    note = ""
    if method == "newcombe":
        low, high = without_spread(estimate, scale.bounds, scale.from_auc, scale.sizes, z)
        note = (
            "the closed-form error is zero: Newcombe's (2006) method 5, from the sizes of "
            + scale.classes
        )
    elif method == "logit":
        middle = math.log(share / (1.0 - share))
        step = z * error / ((top - bottom) * share * (1.0 - share))
        ends = np.array((middle - step, middle + step))
        low, high = bottom + (top - bottom) * (0.5 * (1.0 + np.tanh(0.5 * ends)))
    else:
        # Both ends count for either limit: one-sided levels below 1/2 have z < 0.
        low, high = (np.clip(estimate + end, bottom, top) for end in (-z * error, z * error))
    return Limits(*one_sided(low, high, scale.bounds, sides), method, note)


def share_of(value: float, scale: Scale) -> float:
    """Return where a value lies in its range: 0 at the bottom, 1 at the top."""
    bottom, top = scale.bounds
    return min(max((value - bottom) / (top - bottom), 0.0), 1.0)


def method_of(estimate: float, error: float, scale: Scale, transform: str | None) -> str:
    """Return how limits are made: "logit", "plain", or "newcombe" where the error is zero."""
    bottom, top = scale.bounds
    if is_nothing(error, top - bottom):
        return "newcombe"
    return "logit" if transform == "logit" and 0.0 < share_of(estimate, scale) < 1.0 else "plain"
