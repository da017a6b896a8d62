"""Segments in the core, all at once: measures of rows that count one, with all classes there.

What the core leaves open (limits without an error, classes that are skipped, sample weights,
groups) is worked out segment by segment in `segment_errors`, `segment_limits` and
`segment_replicates`, with the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._inference.small_sample import FEWEST
from polyroc._measures.registry import rows_for
from polyroc._pipelines.segment_errors import Errors, Whole
from polyroc._pipelines.segment_replicates import Drawn
from polyroc._stats.normal_interval import NAMES
from polyroc._stats.rounding import ROUNDING

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.segment_limits import Limits
    from polyroc._stats.normal_interval import Scale


def can_go(sample: Sample) -> bool:
    """Tell whether the core has segments of such rows."""
    return sample.weights is None and sample.present is None


def whole_at_once(sample: Sample, measure: Measure[Any], counts: Array) -> Whole:
    """Return a measure of all rows, so many of each class, with the influence value of each."""
    estimate, variance, doubt, plain, moved = _core.row_influence(
        rows=rows_for(sample, [measure]),
        measure=measure._in_core(sample),
        stratified=not measure._counts_enter(sample),
        fewest=FEWEST,
    )
    pull = float(_pulls(measure, counts)[0])
    return Whole(estimate, variance, doubt, plain, pull, moved)


def errors_at_once(
    sample: Sample, keys: Codes, wanted: Codes, counts: Array, measure: Measure[Any],
    whole: Whole | None,
) -> Errors:  # fmt: skip
    """Return closed-form errors of segments; `wanted`: 1 for a value, 2 for its error too."""
    estimate, variance, doubt, plain, shared, apart = _core.segment_errors(
        rows=rows_for(sample, [measure]),
        keys=keys,
        wanted=wanted,
        measure=measure._in_core(sample),
        stratified=not measure._counts_enter(sample),
        fewest=FEWEST,
        moved=None if whole is None else whole.moved,
        variance=0.0 if whole is None else whole.variance,
    )
    pull = np.full(len(wanted), np.nan)
    known = wanted == 2
    pull[known] = _pulls(measure, counts[known])
    return Errors(estimate, variance, doubt, plain, pull, shared, apart)


def whole_replicates_at_once(sample: Sample, measure: Measure[Any], count: int, seed: int) -> Drawn:
    """Return the replicates of all rows."""
    estimate, values, multiplied = _core.row_replicates(
        rows=rows_for(sample, [measure]), measure=measure._in_core(sample), seed=seed, count=count,
        **_how(sample, measure),
    )  # fmt: skip
    return Drawn(estimate, values, multiplied)


def replicates_at_once(
    sample: Sample, keys: Codes, wanted: Codes, measure: Measure[Any], whole: Floats, tail: float,
    seed: int,
) -> tuple[Floats, tuple[Floats, ...], Array, Array]:  # fmt: skip
    """Return what replicates say of each segment.

    Estimates; errors, percentiles at both tails, and errors of differences from all rows, whose
    replicates are `whole`; how many replicates lost a class; which went by influence values.
    """
    estimates, *found, lost, multiplied = _core.segment_replicates(
        rows=rows_for(sample, [measure]), keys=keys, wanted=wanted, whole=whole, tail=tail,
        measure=measure._in_core(sample), seed=seed, **_how(sample, measure),
    )  # fmt: skip
    return estimates, tuple(found), lost, multiplied > 0.0


def _how(sample: Sample, measure: Measure[Any]) -> dict[str, Any]:
    """Return how replicates of many rows go by influence values, if there are any."""
    return {
        "stratified": not measure._counts_enter(sample),
        "fewest": FEWEST,
        "multiplies": measure.has_influence,
    }


def _pulls(measure: Measure[Any], counts: Array) -> Floats:
    """Return the largest share of the measure that one row decides, in each segment."""
    masses = counts.astype(np.float64)
    even = np.arange(1.0, masses.shape[1] + 1.0)
    constant = measure._class_weights(np.ones_like(even))
    if np.array_equal(constant, measure._class_weights(even)):
        return np.asarray((constant / masses).max(axis=1))  # whatever the class counts are
    return np.array([(measure._class_weights(row) / row).max() for row in masses])


def limits_at_once(
    out: Limits, errors: Errors, whole: Whole | None, scale: Scale, level: float, threads: int
) -> Array:
    """Find the limits by Student's t; return which segments are left to be looked at alone."""
    bottom, top = scale.bounds
    size = top - bottom
    with np.errstate(invalid="ignore"):
        error = np.sqrt(errors.variance)
        error[error <= ROUNDING * size] = 0.0
        known = ~np.isnan(error)
        share = (errors.estimate - bottom) / size
        by_t = known & (error > 0.0) & (share > 0.0) & (share < 1.0)
        if whole is not None:
            at = (whole.estimate - bottom) / size
            varies = errors.difference_variance > (ROUNDING * size) ** 2
            by_t &= varies & (whole.variance > (ROUNDING * size) ** 2) & (0.0 < at < 1.0)
    chosen = np.flatnonzero(by_t)
    low, high, down, up, p_value = _core.segment_limits(
        estimates=errors.estimate[chosen],
        spreads=[one[chosen] for one in errors[1:5]],
        covariances=errors.covariance[chosen],
        difference_variances=errors.difference_variance[chosen],
        whole=None if whole is None else (whole.estimate, whole[1:5]),
        bounds=scale.bounds,
        degree=scale.from_auc.degree,
        tail=(1.0 - level) / 2.0,
        n_threads=threads,
    )
    out.error[chosen], out.low[chosen], out.high[chosen] = error[chosen], low, high
    out.difference_low[chosen], out.difference_high[chosen] = down, up
    if whole is not None:
        same = np.abs(errors.estimate[chosen] - whole.estimate) <= ROUNDING * size
        p_value = np.where(same, 1.0, p_value)
    out.p_value[chosen] = p_value
    for k in chosen.tolist():
        out.method[k] = NAMES["t"]
    return np.flatnonzero(known & ~by_t)
