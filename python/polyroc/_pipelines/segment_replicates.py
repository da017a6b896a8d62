"""A measure in each segment by the bootstrap: weights hang on rows, whatever segment they are in.

Each row has a Poisson weight of its own in each replicate, from the stream of (seed, replicate,
row). So a segment, its parts and all rows see the same resamples, and the replicates of a
difference are the differences of replicates.

Measures that have influence values get the limits of the closed form with the errors of replicates
(`in_place`): by Student's t on the logit, differences put together from both limits. Those without
have percentiles; their differences, and p-values, are normal with the replicates' error: counts of
replicates would end at 2 / n_resamples, which no adjustment for many segments lets be small. Where
thresholds are chosen on the rows they are judged by, that is taken off (`segment_optimism`).

Where every class has a thousand rows, the core has replicates by influence values (a multiplier
bootstrap, src/segments/multiplier.rs), and the method says so.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from polyroc import _core
from polyroc._measures.registry import rows_for
from polyroc._pipelines.segment_limits import Limits
from polyroc._stats.confidence import normal_quantiles
from polyroc._stats.rounding import ROUNDING, is_nothing
from polyroc._stats.sided_limits import Spread
from polyroc._stats.tails import normal_tail

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.segment_errors import Errors, Whole

    Closed = TypeVar("Closed", Spread, Whole, Errors)

METHOD = "Poisson bootstrap"
MULTIPLIER = "Poisson multiplier bootstrap"
NO_SPREAD = "replicates do not spread: no interval"
_BUDGET = 256 * 2**20


class Drawn(NamedTuple):
    """A measure of rows and its replicates."""

    estimate: float
    values: Floats  # nan where a replicate lost a class
    multiplied: bool  # whether they went by influence values

    @property
    def by(self) -> str:
        """How they were made."""
        return MULTIPLIER if self.multiplied else METHOD


def in_place(closed: Closed, drawn: Any, count: Any) -> Closed:
    """Return a variance, or many, that `count` replicates have in the place of the closed form's.

    It is known as well as that one, and as the chance of the draws lets it be. Nothing is lacking
    in small samples, unlike where resamples have all as many rows: a class of n rows weighs W in
    all, and 1 / W is about (1 + 1 / n) / n on average.
    """
    known = closed.variance > 0.0
    squared = np.square(drawn / np.where(known, closed.variance, 1.0)) * known
    chance = np.square(drawn) / np.maximum(count - 1.0, 1.0)
    return closed._replace(
        variance=drawn,
        doubt=closed.doubt * squared + chance,
        inner_doubt=closed.inner_doubt * squared + chance,
    )


def by_replicates(method: str, by: str) -> str:
    """Return the name of limits that are made of the errors of replicates."""
    return method.replace("DeLong", by)


def beside(own: Floats, whole: Floats) -> tuple[float, float]:
    """Return the covariance of replicates of a segment and all rows; variance of the difference."""
    both = np.stack([own, whole])
    both = both[:, ~np.isnan(both).any(axis=0)]
    if both.shape[1] < 2:
        return math.nan, math.nan
    centred = both - both.mean(axis=1, keepdims=True)
    apart, free = centred[0] - centred[1], both.shape[1] - 1
    return float(centred[0] @ centred[1]) / free, float(apart @ apart) / free


def put_drawn(out: Errors, k: int, own: Drawn, whole: Drawn | None) -> int:
    """Put the variances of replicates in the place of a segment's; return how many were lost."""
    variance, count = variance_of(own.values)
    found = in_place(
        Spread(out.variance[k], out.doubt[k], out.inner_doubt[k], 0.0), variance, count
    )
    out.variance[k], out.doubt[k], out.inner_doubt[k] = found[:3]
    if whole is not None:
        out.covariance[k], out.difference_variance[k] = beside(own.values, whole.values)
    return len(own.values) - count


def variance_of(values: Floats) -> tuple[float, int]:
    """Return the variance of replicates, nan of fewer than two, and how many kept all classes."""
    known = values[~np.isnan(values)]
    return (float(known.var(ddof=1)) if len(known) > 1 else math.nan), len(known)


def replicates_of(
    sample: Sample, numbers: Array, n_units: int, measure: Measure[Any], count: int, seed: int,
    core: _core.Measure | None = None,
) -> Floats:  # fmt: skip
    """Return replicates of a measure's values on rows of a sample, nan where a class was lost.

    `numbers` are those of each row's unit, a row or a group, among all `n_units`. With `core` they
    are of what it says, as the measure's optimism.
    """
    numbered = rows_for(sample, [measure]).grouped(codes=numbers.astype(np.uint32), count=n_units)
    run = _core.bootstrap(
        models=[numbered], measures=[core or measure._in_core(sample)], scheme=_core.Scheme.Poisson,
        stratified=False, seed=seed, first=0, last=count, redraw=False, estimates=False,
        influence=False, cells=False, budget=max(_BUDGET, sample.scores.nbytes), grows=True, held=0,
        watcher=None,
    )  # fmt: skip
    values = np.asarray(run.values[0])
    values[np.asarray(run.lost, dtype=np.bool_)] = np.nan
    return values


def add_percentiles(out: Limits, k: int, own: Drawn, whole: Drawn, level: float) -> str:
    """Find the limits of a segment from its replicates and those of all rows.

    Returns what is wrong with them; empty if nothing is.
    """
    known, moved = own.values[~np.isnan(own.values)], own.values - whole.values
    moved = moved[~np.isnan(moved)]
    tail, found = (1.0 - level) / 2.0, np.full(4, np.nan)
    if len(known) > 1:
        found[:3] = known.std(ddof=1), *np.quantile(known, [tail, 1.0 - tail])
    if len(moved) > 1:
        found[3] = moved.std(ddof=1)
    inner = Limits.unknown(1)
    add_resampled(
        inner, np.zeros(1, dtype=np.int64), np.array([own.estimate - whole.estimate]),
        tuple(found[:, np.newaxis]), np.array([own.multiplied]), tail,
    )  # fmt: skip
    for column, value in zip(out[:6], inner[:6], strict=True):
        column[k] = value[0]
    out.method[k] = inner.method[0]
    return said_of_lost(len(own.values) - len(known), len(own.values))


def said_of_lost(lost: int, count: int) -> str:
    """Say how many resamples lost a class; empty for none."""
    if count < 2:
        return "a single resample has no spread: no error"
    if count - lost < 2:
        return "nearly every resample lost a class: no error"
    return f"{lost} of {count} resamples lost a class" if lost else ""


def add_resampled(
    out: Limits, chosen: Array, difference: Floats, found: tuple[Floats, ...], multiplied: Array,
    tail: float,
) -> None:  # fmt: skip
    """Put what replicates say of the `chosen` segments into the table.

    `found` are their errors, percentiles, and the errors of differences from all rows.
    """
    error, low, high, apart = (column[chosen] for column in found)
    value = difference[chosen]
    out.error[chosen], out.low[chosen], out.high[chosen] = error, low, high
    # Perfect separation: every resample says the same, which is no proof that all rows would.
    alike = error <= ROUNDING
    out.low[chosen[alike]] = out.high[chosen[alike]] = apart[alike] = np.nan
    step = -float(normal_quantiles([tail])[0]) * apart
    out.difference_low[chosen], out.difference_high[chosen] = value - step, value + step
    for k, away, by in zip(chosen.tolist(), value.tolist(), apart.tolist(), strict=True):
        out.method[k] = f"{MULTIPLIER if multiplied[k] else METHOD} (percentile)"
        if not math.isnan(by) and is_nothing(away, 1.0):
            out.p_value[k] = 1.0
        elif by > 0.0:
            out.p_value[k] = 2.0 * normal_tail(abs(away) / by)
