"""Limits of segments whose measure chooses its thresholds on their rows, as hulls and maxima do.

Such a measure is too high by M on the rows that it is made of, and the fewer they are the more: a
small segment looks better than all rows where nothing differs. M lies between O / 2 and O, the
optimism of its resamples (`_stats.optimism`). Limits are those of `bootstrap` with
method="corrected", by normal quantiles. With O_s of the segment, O_a of all rows and d the
difference as it is seen, the true one lies between

    d - O_s + O_a / 2   and   d - O_s / 2 + O_a

but for what is drawn: its limits are made of either end with the error of the difference in the
replicates, grown as the segment's loss, and no p-value is below 1 between the two.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from polyroc._inference.optimism import REPLICATES
from polyroc._pipelines.segment_errors import part_of
from polyroc._pipelines.segment_replicates import replicates_of
from polyroc._pipelines.segments import RowsBySegment
from polyroc._stats.confidence import normal_quantiles
from polyroc._stats.optimism import LEAST, MOST, corrected_limits
from polyroc._stats.rounding import ROUNDING
from polyroc._stats.tails import normal_tail

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample
    from polyroc._pipelines.segment_limits import Limits
    from polyroc._pipelines.segment_runs import Run
    from polyroc._pipelines.segments import Segments


def take_off_optimism(
    run: Run, part: Segments, estimates: Floats, limits: Limits, whole: float
) -> None:
    """Take off what thresholds look too good by on the rows of each segment, and on all rows.

    The table has percentiles. `whole` is the measure of all rows, nan where these are the segment.
    """
    rows, tail = RowsBySegment(part), (1.0 - run.options.level) / 2.0
    every = _optimism(run, run.sample, np.arange(len(run.sample.codes)))
    for k in np.flatnonzero(limits.error > ROUNDING).tolist():
        mine, optimism = rows.of(k), every
        own = part_of(run.sample, mine)
        if part.spec:
            optimism = _optimism(run, own, mine)
        values = float(estimates[k]), whole
        take_off(limits, k, values, run.measure._bounds(own), (optimism, every), tail)


def _optimism(run: Run, own: Sample, rows: Array) -> float:
    """Return the mean optimism of some rows, nan where every resample loses a class.

    Units are numbered anew: it need not be of the same draws as others, and costs what they do.
    """
    core, numbers = run.measure._optimism(own), np.arange(len(rows))
    if run.groups is not None:
        numbers = np.unique(run.units(rows), return_inverse=True)[1]
    count = int(numbers.max()) + 1
    values = replicates_of(own, numbers, count, run.measure, REPLICATES, run.options.seed, core)
    known = values[:, min(run.value, values.shape[1] - 1)]
    known = known[~np.isnan(known)]
    return float(known.mean()) if len(known) else math.nan


def take_off(
    out: Limits,
    k: int,
    values: tuple[float, float],
    bounds: tuple[float, float],
    optimism: tuple[float, float],
    tail: float,
) -> None:
    """Put limits without the `optimism` into the table.

    Of that and of `values`, the first is the segment's and the second that of all rows.
    """
    (estimate, of_all), (bottom, top) = values, bounds
    own, whole = (max(value, 0.0) for value in optimism)
    error, span = float(out.error[k]), top - bottom
    if math.isnan(optimism[0]) or not error > ROUNDING or top - estimate <= ROUNDING * span:
        return  # as of perfect separation, of which nothing can be taken off
    t = np.asarray(normal_quantiles([tail]))
    low, high = corrected_limits(estimate, bounds, own, error, t)
    out.low[k], out.high[k] = low[0], high[0]
    out.method[k] = out.method[k].replace("(percentile)", "(corrected)")
    step = (out.difference_high[k] - out.difference_low[k]) / 2.0
    if math.isnan(optimism[1]) or not step > ROUNDING:
        return  # no difference is asked for, or the segment is all rows
    difference = estimate - of_all
    least = difference - MOST * own + LEAST * whole
    most = difference - LEAST * own + MOST * whole
    least, most = min(least, most), max(least, most)
    # What is lost was too little, and its error with it.
    lost = top - estimate
    down, up = (step * (1.0 + share * own / lost) for share in (MOST, LEAST))
    out.difference_low[k], out.difference_high[k] = least - down, most + up
    away, by = (least, down) if least > 0.0 else (-most, up)
    z = -float(t[0])
    out.p_value[k] = 2.0 * normal_tail(max(away, 0.0) / by * z) if by > 0.0 else math.nan
