"""The table of `evaluate`, from what shards found."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._pipelines.frame_columns import read_columns
from polyroc._pipelines.frame_table import key_rows, table_of
from polyroc._pipelines.segment_runs import Results
from polyroc._pipelines.segment_status import NOTHING, status_of_counts
from polyroc._pipelines.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from polyroc._base.types import Array
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.frame_columns import Coded, Columns
    from polyroc._pipelines.segments import Spec
    from polyroc._pipelines.shard_passes import Segment
    from polyroc._pipelines.shard_plan import Plan
    from polyroc._pipelines.state_value import StateValue, StateValues


class Found(NamedTuple):
    """What is known of a segment."""

    counts: Array  # rows of each class
    values: StateValues | None  # by measure; None where nothing can be computed


class Listed(NamedTuple):
    """Segments in the order of the table: by spec, then by ascending keys, nulls last."""

    keys: Columns  # a row for each segment
    coded: dict[str, Coded]
    parts: list[Segments]
    segments: list[list[Segment]]  # of each part


def listed(plan: Plan, specs: list[Spec], segments: Iterable[Segment]) -> Listed:
    """Return the segments of some specs in order."""
    pandas = importlib.import_module("pandas")
    every, names = list(segments), plan.columns.keys
    told = [dict(zip(plan.spec(one.spec), one.keys, strict=True)) for one in every]
    frame = pandas.DataFrame(
        {name: pandas.array([keys.get(name) for keys in told]) for name in names},
        index=range(len(every)),
    )
    columns = read_columns(frame, names)
    coded = {name: columns.coded(name, 1) for name in names}
    parts, ordered = [], []
    for spec in specs:
        rows = np.array([k for k, one in enumerate(every) if plan.spec(one.spec) == spec])
        ranks = [coded[name].codes[rows] for name in spec]
        ranks = [np.where(rank < 0, len(every), rank) for rank in ranks]
        rows = rows[np.lexsort(ranks[::-1])] if ranks else rows
        parts.append(Segments(spec, np.arange(len(rows), dtype=np.uint32), rows))
        ordered.append([every[k] for k in rows.tolist()])
    return Listed(columns, coded, parts, ordered)


def table_of_shards(
    sample: Sample, plan: Plan, specs: list[Spec], measures: dict[str, Measure[Any]],
    found: Mapping[Segment, Found], min_rows: int, adjust: str | None,
) -> Any:  # fmt: skip
    """Return a frame of pandas with a line for each measure and segment."""
    lines = listed(plan, specs, found)
    measured = []
    for title, measure in measures.items():
        parts = [
            _results(sample, measure, [found[one] for one in part], bool(spec), min_rows)
            for spec, part in zip(specs, lines.segments, strict=True)
        ]
        measured.append((title, parts))
    table = table_of(sample, lines.parts, list(plan.columns.keys), measured, adjust)
    for name in plan.columns.keys:
        rows = [key_rows(name, part, lines.coded[name]) for _ in measured for part in lines.parts]
        table[name] = lines.keys.taken(name, np.concatenate(rows))
    return lines.keys.frame(table)


_NUMBERS = (
    "estimate", "standard_error", "low", "high", "difference", "difference_low", "difference_high",
    "p_value", "error_bound",
)  # fmt: skip


def _results(
    sample: Sample, measure: Measure[Any], found: list[Found], differs: bool, min_rows: int
) -> Results:
    """Return one measure in the segments of one spec."""
    counts = np.array([one.counts for one in found])
    status = status_of_counts(sample.labels, counts, counts, measure, min_rows)
    columns = {name: np.full(len(found), np.nan) for name in _NUMBERS}
    methods = [""] * len(found)
    for k, one in enumerate(found):
        if one.values is None or status.wanted[k] == NOTHING:
            continue
        value = one.values[measure.name]
        for name, number in _numbers(value, differs).items():
            columns[name][k] = number
        methods[k] = value.method
    return Results(
        counts, *(columns[name] for name in _NUMBERS[:-1]), status.pairs_used, status.texts, methods,
        columns["error_bound"],
    )  # fmt: skip


def _numbers(value: StateValue, differs: bool) -> dict[str, float]:
    numbers = {
        "estimate": value.estimate,
        "standard_error": value.standard_error,
        "low": value.interval[0],
        "high": value.interval[1],
        "error_bound": value.error_bound,
    }
    return numbers
