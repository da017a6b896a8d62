"""A measure in all segments: which of them have a number, and by which way it is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import show
from polyroc._data.units import plan
from polyroc._inference.scale import scale_of
from polyroc._inference.small_sample import FEWEST
from polyroc._measures.registry import counts_enter, rows_for
from polyroc._pipelines.at_once import can_go, errors_at_once, limits_at_once, whole_at_once
from polyroc._pipelines.segment_errors import Errors, Whole, add_segment, part_of, whole_of
from polyroc._pipelines.segment_limits import Limits, add_limits
from polyroc._pipelines.segment_replicates import (
    MULTIPLIER,
    add_percentiles,
    add_resampled,
    replicates_of,
    said_of_lost,
)
from polyroc._pipelines.segments import rows_by_segment

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.segments import Segments
    from polyroc._stats.normal_interval import Scale


class Options(NamedTuple):
    """How numbers are found."""

    interval: str
    level: float
    min_rows: int
    n_resamples: int
    seed: int


class Results(NamedTuple):
    """One measure in the segments of one spec."""

    counts: Array  # rows of each class, a row a segment
    estimate: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    difference: Floats
    difference_low: Floats
    difference_high: Floats
    p_value: Floats
    pairs_used: Array
    status: list[str]
    method: list[str]


def results_of(
    sample: Sample, parts: list[Segments], measure: Measure[Any], options: Options
) -> list[Results]:
    """Return a measure in the segments of each spec, and its difference from all rows."""
    counts = _counts(sample, np.zeros(len(sample.codes), dtype=np.uint32), 1)
    status = _status(sample, counts, measure, 0)[0]
    if options.interval == "bootstrap":
        whole = None
        if _has_estimate(status):
            values = _whole_replicates(sample, measure, options)
            whole = (float(measure._of(sample)), values)
        return [_resampled(sample, part, measure, options, whole) for part in parts]
    found, estimate = None, np.nan
    if status == "ok":
        found = (whole_at_once if can_go(sample, measure) else whole_of)(sample, measure)
        estimate = found.estimate
    elif _has_estimate(status):
        estimate = float(measure._of(sample))
    return [_closed(sample, part, measure, options, found, estimate) for part in parts]


def _counts(sample: Sample, codes: Array, count: int) -> Array:
    """Return the rows of each class in each segment; those without weight are none."""
    k = sample.n_classes
    joined = codes.astype(np.int64) * k + sample.codes
    if sample.weights is not None:
        joined = joined[sample.weights > 0.0]
    return np.bincount(joined, minlength=count * k).reshape(count, k)


_NO_ERROR = ": no error"


def _status(sample: Sample, counts: Array, measure: Measure[Any], min_rows: int) -> list[str]:
    """Say of each segment whether it has numbers, or why not."""
    out = []
    sizes = counts.sum(axis=1)
    absent = (counts == 0).sum(axis=1)
    single = (counts == 1).any(axis=1)
    few = np.flatnonzero((sizes < min_rows) | (absent > 0) | single)
    out = ["ok"] * len(counts)
    for k in few.tolist():
        present = len(counts[k]) - absent[k]
        if sizes[k] < min_rows:
            out[k] = f"fewer than {min_rows} rows"
        elif absent[k] and not (measure.skips_absent and present >= 2):
            out[k] = f"no rows of {show(sample.labels[counts[k] == 0])}"
        elif single[k]:
            out[k] = f"one row of {show(sample.labels[counts[k] == 1])}{_NO_ERROR}"
    return out


def _has_estimate(status: str) -> bool:
    return status == "ok" or status.endswith(_NO_ERROR)


def _pairs_used(counts: Array, status: list[str]) -> Array:
    present = (counts > 0).sum(axis=1)
    known = np.array([_has_estimate(one) for one in status], dtype=np.bool_)
    return np.where(known, present * (present - 1) // 2, 0)


def _wanted(status: list[str], counts: Array, at_once: bool) -> tuple[Codes, list[int]]:
    """Return what the core is to find of each segment, and which are looked at alone.

    0 for nothing, 1 for the measure, 2 for its error too.
    """
    has = [(one == "ok") + _has_estimate(one) for one in status]
    wanted = np.array(has, dtype=np.uint32)
    alone = (wanted > 0) & ((counts == 0).any(axis=1) if at_once else True)
    wanted[alone] = 0
    return wanted, np.flatnonzero(alone).tolist()


def _closed(
    sample: Sample, part: Segments, measure: Measure[Any], options: Options, whole: Whole | None,
    estimate: float,
) -> Results:  # fmt: skip
    """Return closed-form errors."""
    counts = _counts(sample, part.codes, part.n_segments)
    status = _status(sample, counts, measure, options.min_rows)
    errors, limits = Errors.unknown(part.n_segments), Limits.unknown(part.n_segments)
    at_once, scale = can_go(sample, measure), _scale(sample, measure)
    wanted, alone = _wanted(status, counts, at_once)
    above = whole if part.spec else None  # all rows do not differ from themselves
    if at_once and not part.spec and whole is not None and wanted[0] == 2:
        for column, value in zip(errors[:5], whole[:5], strict=True):
            column[0] = value
    elif wanted.any():
        errors = errors_at_once(sample, part.codes, wanted, counts, measure, above)
    left = alone
    if wanted.any():
        threads = sample.n_threads
        open_ones = limits_at_once(limits, errors, above, scale, options.level, threads)
        left = [*alone, *open_ones.tolist()]
    rows = rows_by_segment(part) if left else []
    for k in left:
        own = part_of(sample, rows[k])
        if status[k] != "ok":
            errors.estimate[k] = measure._of(own)
            continue
        if wanted[k] == 0:
            add_segment(errors, k, own, rows[k], measure, above)
        scales = (_scale(own, measure), scale)
        add_limits(limits, k, errors, above, scales, options.level)
    return _results(part, counts, status, errors.estimate, limits, estimate)


def _results(
    part: Segments, counts: Array, status: list[str], estimates: Floats, limits: Limits,
    whole: float,
) -> Results:  # fmt: skip
    difference = estimates - whole if part.spec else np.full(part.n_segments, np.nan)
    return Results(
        counts, estimates, limits.error, limits.low, limits.high, difference, *limits[3:6],
        _pairs_used(counts, status), status, limits.method,
    )  # fmt: skip


def _scale(sample: Sample, measure: Measure[Any]) -> Scale:
    units = plan(sample, "multinomial", None, None, counts_enter(sample, [measure]))
    return scale_of(measure, sample, units)


def _whole_replicates(sample: Sample, measure: Measure[Any], options: Options) -> Floats:
    if can_go(sample, measure):
        return _core.row_replicates(
            rows=rows_for(sample, [measure]), measure=measure._in_core(sample),
            stratified=not measure._counts_enter(sample), fewest=FEWEST,
            seed=options.seed, count=options.n_resamples,
        )  # fmt: skip
    everything = np.arange(len(sample.codes))
    return replicates_of(
        sample, everything, len(everything), measure, options.n_resamples, options.seed
    )


def _resampled(
    sample: Sample, part: Segments, measure: Measure[Any], options: Options,
    whole: tuple[float, Floats] | None,
) -> Results:  # fmt: skip
    """Return errors by the bootstrap."""
    counts = _counts(sample, part.codes, part.n_segments)
    status = _status(sample, counts, measure, options.min_rows)
    estimates, limits = np.full(part.n_segments, np.nan), Limits.unknown(part.n_segments)
    known = can_go(sample, measure) and whole is not None
    wanted, alone = _wanted(status, counts, known)
    unknown = np.full(options.n_resamples, np.nan)
    value, values = whole if whole is not None and part.spec else (np.nan, unknown)
    if wanted.any():
        tail = (1.0 - options.level) / 2.0
        estimates, error, low, high, apart, lost, linear = _core.segment_replicates(
            rows=rows_for(sample, [measure]), keys=part.codes, wanted=wanted,
            measure=measure._in_core(sample), stratified=not measure._counts_enter(sample),
            fewest=FEWEST, seed=options.seed, whole=values, tail=tail,
        )  # fmt: skip
        ok = np.flatnonzero(wanted == 2)
        add_resampled(limits, ok, estimates - value, (error, low, high, apart), tail)
        for k in ok.tolist():
            status[k] = said_of_lost(int(lost[k]), options.n_resamples) or status[k]
            if linear[k]:
                limits.method[k] = MULTIPLIER
    rows = rows_by_segment(part) if alone else []
    for k in alone:
        own = part_of(sample, rows[k])
        estimates[k] = measure._of(own)
        if status[k] == "ok":
            n = len(sample.codes)
            found = replicates_of(own, rows[k], n, measure, options.n_resamples, options.seed)
            pair = (float(value), values)
            told = add_percentiles(limits, k, float(estimates[k]), found, pair, options.level)
            status[k] = told or "ok"
    return _results(part, counts, status, estimates, limits, np.nan if whole is None else whole[0])
