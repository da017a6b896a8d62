"""Limits of segments and of their differences from all rows, as in `delong` and `compare`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._compare.by_delong import by_limits
from polyroc._compare.difference import Difference, Side
from polyroc._stats.normal_interval import NAMES
from polyroc._stats.rounding import is_nothing
from polyroc._stats.sided_limits import Spread

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._pipelines.segment_errors import Errors, Whole
    from polyroc._stats.normal_interval import Scale


class Limits(NamedTuple):
    """What the table shows of each segment beside its estimate."""

    error: Floats
    low: Floats
    high: Floats
    difference_low: Floats
    difference_high: Floats
    p_value: Floats
    method: list[str]

    @classmethod
    def unknown(cls, count: int) -> Limits:
        """Return room for so many segments."""
        error, low, high, down, up, p_value = np.full((6, count), np.nan)
        return cls(error, low, high, down, up, p_value, [""] * count)


def side_of(estimate: float, spread: Spread, scale: Scale) -> Side:
    """Return an estimate with its error, 0 where it is rounding."""
    bottom, top = scale.bounds
    error = math.sqrt(spread.variance)
    return Side(estimate, 0.0 if is_nothing(error, top - bottom) else error, scale, spread)


def add_limits(
    out: Limits,
    k: int,
    errors: Errors,
    whole: Whole | None,
    scales: tuple[Scale, Any],
    level: float,
) -> None:
    """Find the limits of the k-th segment; `scales` are its own and that of all rows."""
    if math.isnan(errors.variance[k]):
        return  # nearly all replicates lost a class
    spread = Spread(*(float(one[k]) for one in errors[1:5]))
    side = side_of(float(errors.estimate[k]), spread, scales[0])
    limits = side.limits(np.array([level]))
    out.error[k], out.low[k], out.high[k] = side.error, limits.low[0], limits.high[0]
    out.method[k] = NAMES[limits.method]
    if whole is None or math.isnan(errors.difference_variance[k] + whole.variance):
        return
    other = side_of(whole.estimate, Spread(*whole[1:5]), scales[1])
    ends = other.limits(np.array([level])).ends
    error = math.sqrt(max(float(errors.difference_variance[k]), 0.0))
    if (side.error == 0.0 and limits.ends is None) or (other.error == 0.0 and ends is None):
        error = 0.0  # a few rows by chance without spread: their limits count, not that they agree
    difference = Difference(
        side, other, error, freedom=min(spread.freedom, Spread(*whole[1:5]).freedom)
    )
    # The half row that knows nothing decides more of a segment than of all rows.
    pull = math.sqrt(spread.pull * whole.pull)
    shared = float(errors.covariance[k])
    difference = difference._replace(
        by_limits=by_limits(difference, limits.ends, ends, shared, pull)
    )
    out.difference_low[k], out.difference_high[k] = difference.interval(level)
    out.p_value[k] = difference.p_value()
