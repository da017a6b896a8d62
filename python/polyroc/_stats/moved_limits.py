"""Limits that were made without doubt in the spread, moved on the side of chance.

A resample has no rows but those of the sample: bad rows that by chance are not among the few of a
class are in no replicate either, and quantiles of replicates end too soon on the side of chance. So
the limit on that side is moved as if the class whose rows count most had half a row more that knows
nothing. With x the estimate, V its variance, x' and S those with the half row (`sided_limits`), a
limit l that is on the logit scale as many errors away from x as l' is from x':

    logit l' = logit x' + (logit l - logit x) (sqrt(S) / (x' (1 - x'))) / (sqrt(V) / (x (1 - x)))

or l itself where that is further out. The half row goes with 1/n, so that nothing of it is left in
large samples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polyroc._stats.normal_interval import estimated, share_of
from polyroc._stats.sided_limits import Spread

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._stats.normal_interval import Scale


def moved_limits(
    estimate: float, scale: Scale, variance: float, pull: float, low: Floats, high: Floats
) -> tuple[Floats, Floats]:
    """Return limits of an estimate, of which `pull` is what one unit may decide, with half a row.

    Without any variance, or at the end of the range, they stay as they are.
    """
    known = estimated(estimate, scale, Spread(variance, 0.0, 0.0, pull))
    x = scale.from_auc.auc(share_of(estimate, scale))
    if not (known.variance > 0.0 and 0.0 < x < 1.0):
        return low, high
    (bottom, top), degree = scale.bounds, scale.from_auc.degree
    centre, moved = known.with_half_row
    before = known.variance**0.5 / (x * (1.0 - x))
    after = moved**0.5 / (centre * (1.0 - centre))

    def further(limit: Floats) -> Floats:
        at = np.clip((limit - bottom) / (top - bottom), 0.0, 1.0) ** (1.0 / degree)
        with np.errstate(divide="ignore"):
            away = np.log(at) - np.log1p(-at) - np.log(x / (1.0 - x))
        there = np.log(centre / (1.0 - centre)) + after / before * away
        value = bottom + (top - bottom) * (0.5 * (1.0 + np.tanh(0.5 * there))) ** degree
        return np.asarray(value)

    if x >= 0.5:
        return np.minimum(low, further(low)), high
    return low, np.maximum(high, further(high))
