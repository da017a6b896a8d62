"""Confidence intervals from an estimate and its closed-form standard error."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._stats.replicate_interval import newcombe

if TYPE_CHECKING:
    from polyroc._base.types import Floats

TRANSFORMS = ("logit", None)
NAMES = {"logit": "DeLong (logit)", "plain": "DeLong", "newcombe": "Newcombe"}
_NORMAL = NormalDist()
NOTHING = 2.0**-40  # relative: a standard error of rounding alone
_BELOW_ONE = 1.0 - 2.0**-53


class Scale(NamedTuple):
    """What a measure can be, and what it is made of."""

    bounds: tuple[float, float]
    degree: int  # in its AUCs
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
    # 1 - c rounds to 1 for the tiniest one-sided levels, where Phi^-1 is infinite.
    alpha = np.minimum((1.0 - levels) / (2.0 if sides == "two" else 1.0), _BELOW_ONE)
    z = -np.array([_NORMAL.inv_cdf(a) for a in alpha.tolist()])
    share = min(max((estimate - bottom) / (top - bottom), 0.0), 1.0)
    note = ""
    if error <= NOTHING * (top - bottom):
        root = share ** (1.0 / scale.degree)
        low, high = (newcombe(root, *scale.sizes, end) ** scale.degree for end in (z, -z))
        low, high = bottom + (top - bottom) * low, bottom + (top - bottom) * high
        method = "newcombe"
        note = (
            "the closed-form error is zero: Newcombe's (2006) method 5, from the sizes of "
            + scale.classes
        )
    elif transform == "logit" and 0.0 < share < 1.0:
        middle = math.log(share / (1.0 - share))
        step = z * error / ((top - bottom) * share * (1.0 - share))
        low, high = (bottom + (top - bottom) * _expit(middle + end) for end in (-step, step))
        method = "logit"
    else:
        # Both ends count for either limit: one-sided levels below 1/2 have z < 0.
        low, high = (np.clip(estimate + end, bottom, top) for end in (-z * error, z * error))
        method = "plain"
    if sides == "lower":
        high = np.full_like(high, top)
    elif sides == "upper":
        low = np.full_like(low, bottom)
    return Limits(low, high, method, note)


def _expit(x: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x)))
