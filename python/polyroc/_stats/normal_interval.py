"""Confidence intervals from an estimate and its closed-form standard error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._stats.confidence import error_at_one_end, normal_quantiles, one_sided
from polyroc._stats.newcombe import FromAuc, without_spread
from polyroc._stats.rounding import is_nothing
from polyroc._stats.sided_limits import Share, Spread, ends_of, signed_t_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats

TRANSFORMS = ("logit", None)
REFERENCES = ("t", "normal")
NAMES = {
    "logit": "DeLong (logit)", "t": "DeLong (t)", "plain": "DeLong", "plain t": "DeLong (plain t)",
    "newcombe": "Newcombe",
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

    low: Floats
    high: Floats
    method: str
    note: str


def closed_interval(
    estimate: float, error: float, scale: Scale, levels: Floats, sides: str, transform: str | None,
    spread: Spread | None = None,
) -> Limits:  # fmt: skip
    """Return confidence limits by the normal distribution, or by Student's t if `spread` is known.

    With p the estimate's share of its range, "logit" has limits logit(p) +- z se / (p (1 - p)),
    turned back; they stay inside the range. Plain limits are estimate +- z se, cut off at the
    range. Where the standard error is zero, as after perfect separation, Newcombe's (2006) method
    5 gives an informative bound from the sizes of the classes. Student's t has limits of its own on
    the logit scale ("t", see `sided_limits`), also after perfect separation.
    """
    bottom, top = scale.bounds
    alpha = error_at_one_end(levels, sides)
    method = method_of(estimate, error, scale, transform, spread)
    note = ""
    if method == "t" and spread is not None:
        ends, tails = ends_of(on_scale_of_auc(estimate, scale, spread)), alpha.tolist()
        low, high = (np.array([value_of(end.at(tail), scale) for tail in tails]) for end in ends)
        if is_nothing(error, top - bottom):
            note = NOTHING_VARIES
    elif method == "newcombe":
        z = -normal_quantiles(alpha)
        low, high = without_spread(estimate, scale.bounds, scale.from_auc, scale.sizes, z)
        note = (
            "the closed-form error is zero: Newcombe's (2006) method 5, from the sizes of "
            + scale.classes
        )
    elif method == "logit":
        z, share = -normal_quantiles(alpha), share_of(estimate, scale)
        middle = math.log(share / (1.0 - share))
        step = z * error / ((top - bottom) * share * (1.0 - share))
        ends_by_z = np.array((middle - step, middle + step))
        low, high = bottom + (top - bottom) * (0.5 * (1.0 + np.tanh(0.5 * ends_by_z)))
    else:
        z = -normal_quantiles(alpha)
        if spread is not None:
            z = np.array([signed_t_quantile(a, spread.freedom) for a in alpha.tolist()])
        # Both ends count for either limit: one-sided levels below 1/2 have z < 0.
        low, high = (np.clip(estimate + end, bottom, top) for end in (-z * error, z * error))
    return Limits(*one_sided(low, high, scale.bounds, sides), method, note)


def share_of(value: float, scale: Scale) -> float:
    """Return where a value lies in its range: 0 at the bottom, 1 at the top."""
    bottom, top = scale.bounds
    return min(max((value - bottom) / (top - bottom), 0.0), 1.0)


def on_scale_of_auc(estimate: float, scale: Scale, spread: Spread) -> Share:
    """Return an estimate as the AUC that goes with it, with its variance by the delta method.

    Rounding is no variance.
    """
    bottom, top = scale.bounds
    share, degree = share_of(estimate, scale), scale.from_auc.degree
    if is_nothing(math.sqrt(spread.variance), top - bottom):
        share = round(share) if _at_an_end(share) else share
        return Share(scale.from_auc.auc(share), 0.0, 0.0, 0.0, spread.pull)
    steep = share ** (1.0 / degree - 1.0) / degree if share > 0.0 else 1.0
    by = (steep / (top - bottom)) ** 2
    return Share(
        scale.from_auc.auc(share), spread.variance * by, spread.doubt * by * by,
        spread.inner_doubt * by * by, spread.pull,
    )  # fmt: skip


def value_of(auc: float, scale: Scale) -> float:
    """Return the value that goes with an AUC."""
    bottom, top = scale.bounds
    return float(bottom + (top - bottom) * auc**scale.from_auc.degree)


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
