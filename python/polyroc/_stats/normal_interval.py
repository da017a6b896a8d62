"""Confidence intervals from an estimate and its closed-form standard error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._stats.confidence import normal_quantiles, one_sided, tail_at_one_end
from polyroc._stats.newcombe import FromAuc, without_spread
from polyroc._stats.rounding import is_nothing
from polyroc._stats.sided_limits import signed_t_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._stats.sided_limits import Spread

TRANSFORMS = ("logit", None)
REFERENCES = ("t", "normal")
NAMES = {
    "logit": "DeLong (logit)", "t": "DeLong (t)", "plain": "DeLong", "plain t": "DeLong (plain t)",
    "newcombe": "Newcombe", "wilson": "Wilson",
}  # fmt: skip
NOTHING_VARIES = (
    "the closed-form error is zero: the limit is that with half a row more that knows nothing"
)


class Scale(NamedTuple):
    """What a measure can be, and what it is made of."""

    bounds: tuple[float, float]
    from_auc: FromAuc  # how it follows from its AUCs
    sizes: tuple[float, float]  # effective units of the two classes compared, or smallest
    classes: str = "the two smallest classes"


class Limits(NamedTuple):
    """Limits for each confidence level, how they were made, and what was special."""

    low: Floats | list[float]
    high: Floats | list[float]
    method: str
    note: str
    ends: _core.Estimated | None = None  # where they are by Student's t, at any tail


def closed_interval(
    estimate: float, error: float, scale: Scale, levels: Floats, sides: str, transform: str | None,
    spread: Spread | None = None,
) -> Limits:  # fmt: skip
    """Return confidence limits by the normal distribution, or by Student's t if `spread` is known.

    With p the estimate's share of its range, "logit" has limits logit(p) +- z se / (p (1 - p)),
    turned back; they stay inside the range. Plain limits are estimate +- z se, cut off at the
    range. Where the standard error is zero, as after perfect separation, Newcombe's (2006) method
    5 gives an informative bound from the sizes of the classes. Student's t has limits of its own on
    the logit scale ("t", src/tails/limits.rs), also after perfect separation.
    """
    bottom, top = scale.bounds
    tails = [tail_at_one_end(level, sides) for level in levels.tolist()]
    method = method_of(estimate, error, scale, transform, spread)
    note, ends = "", None
    low: Floats | list[float]
    high: Floats | list[float]
    if method == "t" and spread is not None:
        ends = estimated(estimate, scale, spread)
        each = [ends.limits(tail) for tail in tails]
        low, high = [limits[0] for limits in each], [limits[1] for limits in each]
        if is_nothing(error, top - bottom):
            note = NOTHING_VARIES
    elif method == "newcombe":
        z = -normal_quantiles(tails)
        low, high = without_spread(estimate, scale.bounds, scale.from_auc, scale.sizes, z)
        note = f"the closed-form error is zero: {scale.from_auc.source}, from the sizes of "
        note, method = note + scale.classes, scale.from_auc.method
    elif method == "logit":
        z, share = -normal_quantiles(tails), share_of(estimate, scale)
        middle = math.log(share / (1.0 - share))
        step = z * error / ((top - bottom) * share * (1.0 - share))
        ends_by_z = np.array((middle - step, middle + step))
        low, high = bottom + (top - bottom) * (0.5 * (1.0 + np.tanh(0.5 * ends_by_z)))
    else:
        z = -normal_quantiles(tails)
        if spread is not None:
            z = np.array([signed_t_quantile(tail, spread.freedom) for tail in tails])
        # Both ends count for either limit: one-sided levels below 1/2 have z < 0.
        low, high = (np.clip(estimate + end, bottom, top) for end in (-z * error, z * error))
    return Limits(*one_sided(low, high, scale.bounds, sides), method, note, ends)


def share_of(value: float, scale: Scale) -> float:
    """Return where a value lies in its range: 0 at the bottom, 1 at the top."""
    bottom, top = scale.bounds
    return min(max((value - bottom) / (top - bottom), 0.0), 1.0)


def estimated(estimate: float, scale: Scale, spread: Spread) -> _core.Estimated:
    """Return an estimate with its limits by Student's t at any tail."""
    return _core.Estimated(estimate, spread, scale.bounds, scale.from_auc.degree)


def method_of(
    estimate: float, error: float, scale: Scale, transform: str | None, spread: Spread | None
) -> str:
    """Return how limits are made; "newcombe" where the error is zero.

    By the normal distribution "logit" or "plain", by Student's t "t" or "plain t". Without any
    error Student's t stands at the ends of the range only.
    """
    bottom, top = scale.bounds
    share = share_of(estimate, scale)
    if is_nothing(error, top - bottom):
        sided = transform == "logit" and spread is not None and _at_an_end(share)
        return "t" if sided else "newcombe"
    if transform != "logit" or share in (0.0, 1.0):
        return "plain" if spread is None else "plain t"
    return "logit" if spread is None else "t"


def _at_an_end(share: float) -> bool:
    """Whether a share is 0 or 1 but for rounding."""
    return is_nothing(min(share, 1.0 - share), 1.0)
