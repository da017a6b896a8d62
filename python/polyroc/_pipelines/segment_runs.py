"""A measure in all segments: by which way its numbers are found, and the table's columns of them.

What rows that count one say of segments with all classes is found in the core, for all segments at
once (`at_once`); sample weights, groups and classes that are skipped go segment by segment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._data.units import Plan
from polyroc._inference.scale import scale_of
from polyroc._pipelines.at_once import (
    can_go,
    errors_at_once,
    limits_at_once,
    replicates_at_once,
    whole_at_once,
    whole_replicates_at_once,
)
from polyroc._pipelines.segment_errors import Errors, Whole, add_segment, part_of, whole_of
from polyroc._pipelines.segment_limits import Limits, add_limits
from polyroc._pipelines.segment_optimism import take_off_optimism
from polyroc._pipelines.segment_replicates import (
    METHOD,
    MULTIPLIER,
    NO_SPREAD,
    Drawn,
    add_percentiles,
    add_resampled,
    by_replicates,
    in_place,
    put_drawn,
    replicates_of,
    said_of_lost,
    variance_of,
)
from polyroc._pipelines.segment_status import ERROR, NOTHING, Status, status_of, status_of_counts
from polyroc._pipelines.segments import RowsBySegment, Segments, everything
from polyroc._stats.rounding import ROUNDING

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
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

    counts: Array  # rows of each class, one line per segment
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
    error_bound: Floats  # how far bins may have moved the estimate; 0 where rows were looked at


class Run(NamedTuple):
    """One number of rows, which may come in groups."""

    sample: Sample
    measure: Measure[Any]
    value: int  # which of its values
    options: Options
    groups: Codes | None

    @property
    def at_once(self) -> bool:
        """Whether the core has all segments at once."""
        return self.groups is None and self.measure.is_single and can_go(self.sample)

    @property
    def n_units(self) -> int:
        """How many units all rows are: rows, or groups."""
        return len(self.sample.codes) if self.groups is None else int(self.groups.max()) + 1

    def units(self, rows: Array) -> Array:
        """Return the numbers of the units of some rows."""
        return rows if self.groups is None else self.groups[rows]

    def status(self, part: Segments, min_rows: int) -> Status:
        """Return what can be known of each segment."""
        return status_of(self.sample, part, self.measure, min_rows, self.groups)

    def status_of_all(self, of_parts: Status) -> Status:
        """Return the same of all rows, of which these are parts."""
        if self.groups is not None:  # one group may have rows in several parts
            return self.status(everything(len(self.sample.codes)), 0)
        counts = of_parts.counts.sum(axis=0, keepdims=True)
        return status_of_counts(self.sample.labels, counts, self.measure, 0)

    def whole_of(self, sample: Sample, rows: Array) -> Whole:
        """Return the number of some rows with influence values."""
        grouped = self.groups is not None
        return whole_of(sample, self.measure, self.value, self.units(rows), grouped)

    def estimate(self, sample: Sample) -> float:
        """Return the measure of rows."""
        return float(np.ravel(self.measure._of(sample))[self.value])


class AllRows(NamedTuple):
    """What segments stand beside."""

    estimate: float
    whole: Whole | None  # None where it has no error
    scale: Scale
    drawn: Drawn | None  # its replicates, by the bootstrap

    def above(self) -> Whole | None:
        """Return it with the variance that its limits are made of."""
        if self.whole is None or self.drawn is None:
            return self.whole
        return in_place(self.whole, *variance_of(self.drawn.values))


def results_of(run: Run, parts: list[Segments]) -> list[Results]:
    """Return a measure in the segments of each spec, and its difference from all rows."""
    each = [run.status(part, run.options.min_rows) for part in parts]
    status = run.status_of_all(each[0])
    known = status.wanted[0]
    resampled = run.options.interval == "bootstrap"
    if resampled and not run.measure.has_influence:
        drawn = None if known == NOTHING else _whole_replicates(run)
        return [_by_percentiles(run, *both, drawn) for both in zip(parts, each, strict=True)]
    whole, drawn, estimate = None, None, np.nan
    if known == ERROR:
        whole, drawn = _whole(run, status), _whole_replicates(run) if resampled else None
        estimate = whole.estimate
    elif known != NOTHING:
        estimate = run.estimate(run.sample)
    scale = _scale(run.measure, run.sample, status.units[0])
    every = AllRows(estimate, whole, scale, drawn)
    return [_by_limits(run, *both, every) for both in zip(parts, each, strict=True)]


def _whole(run: Run, status: Status) -> Whole:
    """Return the measure of all rows; influence values stand at the numbers of their units."""
    if run.at_once:
        return whole_at_once(run.sample, run.measure, status.counts)
    rows = np.arange(len(run.sample.codes))
    found = run.whole_of(run.sample, rows)
    moved = np.zeros(run.n_units)
    moved[found.units] = found.moved
    return found._replace(moved=moved, units=None)


def _scale(measure: Measure[Any], sample: Sample, sizes: Array) -> Scale:
    """Return what the measure can be on rows with so many units of each class."""
    return scale_of(measure, sample, Plan("multinomial", False, None, 0, sizes, sizes))


def _shared_out(status: Status, at_once: bool) -> tuple[Codes, list[int]]:
    """Return what the core is to find of each segment, and which are looked at alone."""
    wanted = status.wanted.copy()
    alone = (wanted > NOTHING) & (status.lacks_class if at_once else True)
    wanted[alone] = NOTHING
    return wanted, np.flatnonzero(alone).tolist()


def _by_limits(run: Run, part: Segments, status: Status, every: AllRows) -> Results:
    """Return limits by Student's t, of closed-form errors or of replicates."""
    sample, measure, level = run.sample, run.measure, run.options.level
    errors, limits = Errors.unknown(part.n_segments), Limits.unknown(part.n_segments)
    at_once, resampled = run.at_once, run.options.interval == "bootstrap"
    wanted, alone = _shared_out(status, at_once)
    # All rows do not differ from themselves.
    whole, drawn = (every.whole, every.drawn) if part.spec else (None, None)
    above = every.above() if part.spec else None
    multiplied = np.zeros(part.n_segments, dtype=np.bool_)
    lost = np.zeros(part.n_segments)
    if at_once and not part.spec and every.whole is not None and wanted[0] == ERROR:
        for column, value in zip(errors[:5], every.whole[:5], strict=True):
            column[0] = value
        if every.drawn is not None:
            lost[0], multiplied[0] = put_drawn(errors, 0, every.drawn, None), every.drawn.multiplied
    elif wanted.any():
        errors = errors_at_once(sample, part.codes, wanted, status.counts, measure, whole)
        if resampled:
            errors, lost, multiplied = _drawn_at_once(run, part, wanted, errors, drawn)
    left = alone
    if wanted.any():
        open_ones = limits_at_once(limits, errors, above, every.scale, level, sample.n_threads)
        left = [*alone, *open_ones.tolist()]
    rows = RowsBySegment(part) if left else None
    for k in left:
        mine = rows.of(k) if rows is not None else np.arange(0)
        own = part_of(sample, mine)
        if status.wanted[k] != ERROR:
            errors.estimate[k] = run.estimate(own)
            continue
        if wanted[k] == NOTHING:
            found = run.whole_of(own, mine)
            add_segment(errors, k, found, whole)
            own_scale = found.scale or every.scale
            if resampled:
                known = every.drawn if not part.spec else None  # all rows were drawn already
                mine_drawn = known or _replicates(run, own, mine)
                lost[k], multiplied[k] = put_drawn(errors, k, mine_drawn, drawn), False
        else:
            own_scale = _scale(measure, own, status.units[k])  # the core found all but limits
        add_limits(limits, k, errors, above, (own_scale, every.scale), level)
    if resampled:
        for k in np.flatnonzero(status.wanted == ERROR).tolist():
            by = MULTIPLIER if multiplied[k] else METHOD
            limits.method[k] = by_replicates(limits.method[k], by)
            status.texts[k] = said_of_lost(int(lost[k]), run.options.n_resamples) or "ok"
    return _results(part, status, errors.estimate, limits, every.estimate)


def _drawn_at_once(
    run: Run, part: Segments, wanted: Codes, errors: Errors, whole: Drawn | None
) -> tuple[Errors, Array, Array]:
    """Return errors with the variances of replicates, how many were lost, which went by values."""
    options = run.options
    unknown = np.full(options.n_resamples, np.nan)
    above = unknown if whole is None else whole.values
    _, (error, _, _, apart), lost, multiplied = replicates_at_once(
        run.sample, part.codes, wanted, run.measure, above, (1.0 - options.level) / 2.0,
        options.seed,
    )  # fmt: skip
    errors = in_place(errors, error * error, options.n_resamples - lost)
    of_all = np.nan if whole is None else variance_of(whole.values)[0]
    shared = (errors.variance + of_all - apart * apart) / 2.0
    return errors._replace(covariance=shared, difference_variance=apart * apart), lost, multiplied


def _results(
    part: Segments, status: Status, estimates: Floats, limits: Limits, whole: float
) -> Results:
    difference = estimates - whole if part.spec else np.full(part.n_segments, np.nan)
    return Results(
        status.counts, estimates, limits.error, limits.low, limits.high, difference, *limits[3:6],
        status.pairs_used, status.texts, limits.method, np.zeros(part.n_segments),
    )  # fmt: skip


def _whole_replicates(run: Run) -> Drawn:
    """Return the replicates of all rows."""
    sample, measure, options = run.sample, run.measure, run.options
    if run.at_once:
        return whole_replicates_at_once(sample, measure, options.n_resamples, options.seed)
    return _replicates(run, sample, np.arange(len(sample.codes)))


def _replicates(run: Run, own: Sample, rows: Array) -> Drawn:
    options = run.options
    values = replicates_of(
        own, run.units(rows), run.n_units, run.measure, options.n_resamples, options.seed
    )
    values = values[:, min(run.value, values.shape[1] - 1)]  # one column has one AUC for all
    return Drawn(run.estimate(own), values, multiplied=False)


def _by_percentiles(run: Run, part: Segments, status: Status, whole: Drawn | None) -> Results:
    """Return errors and percentiles of replicates, of a measure without influence values."""
    options = run.options
    estimates, limits = np.full(part.n_segments, np.nan), Limits.unknown(part.n_segments)
    wanted, alone = _shared_out(status, run.at_once and whole is not None)
    unknown = Drawn(np.nan, np.full(options.n_resamples, np.nan), multiplied=False)
    above = whole if whole is not None and part.spec else unknown
    if not part.spec and whole is not None:  # all rows were drawn already
        wanted[:] = NOTHING
        if status.wanted[0] != NOTHING:
            alone = [0]
    if wanted.any():
        tail = (1.0 - options.level) / 2.0
        estimates, found, lost, multiplied = replicates_at_once(
            run.sample, part.codes, wanted, run.measure, above.values, tail, options.seed
        )
        ok = np.flatnonzero(wanted == ERROR)
        add_resampled(limits, ok, estimates - above.estimate, found, multiplied, tail)
        for k in ok[(lost[ok] > 0) | (options.n_resamples < 2)].tolist():
            status.texts[k] = said_of_lost(int(lost[k]), options.n_resamples)
    rows = RowsBySegment(part) if alone and part.spec else None
    for k in alone:
        if rows is None:
            drawn = whole if whole is not None else unknown
        else:
            own = part_of(run.sample, rows.of(k))
            if status.wanted[k] != ERROR:
                estimates[k] = run.estimate(own)
                continue
            drawn = _replicates(run, own, rows.of(k))
        estimates[k] = drawn.estimate
        if status.wanted[k] == ERROR:
            told = add_percentiles(limits, k, drawn, above, options.level)
            status.texts[k] = told or status.texts[k]
    for k in np.flatnonzero(limits.error <= ROUNDING).tolist():
        status.texts[k] = NO_SPREAD
    if whole is not None and run.measure._optimism(run.sample) is not None:
        take_off_optimism(run, part, estimates, limits, above.estimate)
    return _results(part, status, estimates, limits, np.nan if whole is None else whole.estimate)
