"""The table of `evaluate`, from what shards found."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._pipelines.engine_passes import EVERYTHING, Segment
from polyroc._pipelines.frame_columns import read_columns
from polyroc._pipelines.frame_table import INTERVALS, key_rows, own_columns, table_of
from polyroc._pipelines.segment_limits import Limits
from polyroc._pipelines.segment_replicates import said_of_lost
from polyroc._pipelines.segment_runs import Options, Results
from polyroc._pipelines.segment_status import ERROR, NOTHING, status_of_counts
from polyroc._pipelines.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from polyroc._base.types import Array
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.engine_plan import Plan
    from polyroc._pipelines.frame_columns import Coded, Columns
    from polyroc._pipelines.segments import Spec
    from polyroc._pipelines.state_value import StateValue, StateValues


class Found(NamedTuple):
    """What is known of a segment."""

    counts: Array  # rows of each class
    values: StateValues | None  # by measure; None where nothing can be computed
    groups: Array | None = None  # of each class, where rows come in groups and were looked at twice

    @property
    def units(self) -> Array:
        """What varies by itself in each class: rows, or groups."""
        return self.counts if self.groups is None else self.groups


class Listed(NamedTuple):
    """Segments in the order of the table: by spec, then by ascending keys, nulls last."""

    keys: Columns  # a row for each segment
    coded: dict[Hashable, Coded]
    parts: list[Segments]
    segments: list[list[Segment]]  # of each part


def listed(
    plan: Plan, specs: list[Spec], segments: Iterable[Segment], zones: Mapping[str, Any]
) -> Listed:
    """Return the segments of some specs in order; `zones` are those of keys that are times."""
    pandas = importlib.import_module("pandas")
    every, names = list(segments), plan.columns.keys
    told = [dict(zip(plan.spec(one.spec), one.keys, strict=True)) for one in every]
    frame = pandas.DataFrame(
        {name: _column([keys.get(name, ...) for keys in told], zones.get(name)) for name in names},
        index=range(len(every)),
    )
    columns = read_columns(frame, names)
    coded: dict[Hashable, Coded] = {name: columns.coded(name, 1) for name in names}
    parts, ordered = [], []
    for spec in specs:
        rows = np.array([k for k, one in enumerate(every) if plan.spec(one.spec) == spec])
        ranks = [coded[name].codes[rows] for name in spec]
        ranks = [np.where(rank < 0, len(every), rank) for rank in ranks]
        rows = rows[np.lexsort(ranks[::-1])] if ranks else rows
        parts.append(Segments(spec, np.arange(len(rows), dtype=np.uint32), rows))
        ordered.append([every[k] for k in rows.tolist()])
    return Listed(columns, coded, parts, ordered)


def _column(keys: list[Any], zone: Any) -> Any:
    """Return keys as a column of pandas; where a segment has none (...), any of the others."""
    pandas = importlib.import_module("pandas")
    some = next(key for key in keys if key is not ...)
    filled = [some if key is ... else key for key in keys]
    kinds = {type(key) for key in filled if key is not None}
    whole = kinds and kinds <= {int, bool}  # which pandas would turn into floats beside None
    column = pandas.array(filled) if None in filled and whole else pandas.Series(filled)
    instants = zone is not None and isinstance(column.dtype, pandas.DatetimeTZDtype)
    return column.dt.tz_convert(zone) if instants else column


def table_of_shards(
    sample: Sample, plan: Plan, specs: list[Spec], measures: dict[str, Measure[Any]],
    found: Mapping[Segment, Found], options: Options, adjust: str | None, zones: Mapping[str, Any],
) -> Any:  # fmt: skip
    """Return a frame of pandas with a line for each measure and segment."""
    lines, whole = listed(plan, specs, found, zones), found[EVERYTHING]
    measured = []
    for title, measure in measures.items():
        parts = [
            _results(sample, measure, [found[one] for one in segments], whole, spec, options)
            for spec, segments in zip(specs, lines.segments, strict=True)
        ]
        measured.append((title, parts))
    keys: list[Hashable] = list(plan.columns.keys)
    table: dict[Hashable, Any] = dict.fromkeys([*keys, *own_columns(sample, keys)])
    table |= table_of(sample, lines.parts, measured, adjust)
    for name in keys:
        rows = [key_rows(name, part, lines.coded[name]) for _ in measured for part in lines.parts]
        table[name] = lines.keys.taken(name, np.concatenate(rows))
    return lines.keys.frame(table)


def _results(
    sample: Sample, measure: Measure[Any], found: list[Found], everything: Found, spec: Spec,
    options: Options,
) -> Results:  # fmt: skip
    """Return one measure in the segments of one spec."""
    counts = np.array([one.counts for one in found])
    counted = None
    if any(one.groups is not None for one in found):
        counted = np.array([one.units for one in found]), "group"
    status = status_of_counts(sample.labels, counts, measure, options.min_rows, counted)
    limits = Limits.unknown(len(found))
    estimate, bound = np.full(len(found), np.nan), np.zeros(len(found))
    whole = None
    if spec and everything.values is not None:
        whole = everything.values[measure.name]
    for k, one in enumerate(found):
        if one.values is None or status.wanted[k] == NOTHING:
            continue
        value = one.values[measure.name]
        estimate[k], bound[k] = value.estimate, value.error_bound
        if value.sampled is not None:
            limits.method[k] = f"{value.sampled:,} of {value.n:,} rows sampled"
        if status.wanted[k] != ERROR or options.interval not in INTERVALS:
            continue  # a state has errors of its own where there are two classes
        _add(limits, k, value)
        if value.replicates is not None:
            lost = int(np.isnan(value.replicates).sum())
            status.texts[k] = said_of_lost(lost, len(value.replicates)) or status.texts[k]
    difference = estimate - (np.nan if whole is None else whole.estimate)
    return Results(
        counts, estimate, limits.error, limits.low, limits.high, difference, *limits[3:6],
        status.pairs_used, status.texts, limits.method, bound,
    )  # fmt: skip


def _add(limits: Limits, k: int, value: StateValue) -> None:
    """Put closed-form errors into the table."""
    limits.error[k], limits.method[k] = value.standard_error, value.method
    limits.low[k], limits.high[k] = value.interval
    limits.difference_low[k], limits.difference_high[k] = value.difference_interval
    limits.p_value[k] = value.p_value
