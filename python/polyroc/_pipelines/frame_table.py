"""One long table: a measure in every segment of a frame, with errors and differences."""

from __future__ import annotations

import os
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import choose, show, thread_count, whole
from polyroc._base.display import titled
from polyroc._base.keywords import hinting
from polyroc._base.plain import plain_labels
from polyroc._base.seeds import seed_number
from polyroc._data.frames import side_by_side
from polyroc._data.labels import encode
from polyroc._data.sample import bundle
from polyroc._inference.run import replicate_range
from polyroc._measures.registry import measures_of
from polyroc._pipelines.frame_columns import column_name, read_columns, score_names
from polyroc._pipelines.segment_runs import Options, Run, results_of
from polyroc._pipelines.segments import columns_of, segments_of, specs_of
from polyroc._stats.confidence import check_confidence
from polyroc._stats.wald import adjust as adjusted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array, Codes, Labels, Seed
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.frame_columns import Coded, Columns
    from polyroc._pipelines.segment_runs import Results
    from polyroc._pipelines.segments import Segments

INTERVALS = ("delong", "bootstrap")
ADJUST = ("holm", "bh", None)
_LARGE = 2**24  # bytes of scores from which on threads copy them
NUMBERS = (
    "estimate", "standard_error", "low", "high", "difference", "difference_low",
    "difference_high", "p_value", "p_adjusted",
)  # fmt: skip


@hinting
def evaluate(
    frame: Any,
    /,
    *,
    y_true: Hashable,
    y_score: Hashable | Sequence[Hashable],
    by: Any = (),
    measure: Any = "hand_till",
    interval: str = "delong",
    n_resamples: int = 1000,
    seed: Seed = None,
    adjust: str | None = "holm",
    min_rows: int = 1,
    confidence: float = 0.95,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Hashable | None = None,
    groups: Hashable | None = None,
    n_threads: int | None = None,
) -> Any:
    """Evaluate the segments of a frame; see the second form of :func:`polyroc.evaluate`."""
    choose("interval", interval, INTERVALS)
    choose("adjust", adjust, ADJUST)
    options = options_of(interval, confidence, min_rows, n_resamples, seed)
    measures, _ = measures_of(measure)
    for one in measures.values():
        _admit(one, interval)
    names = score_names(y_score)
    specs = specs_of(by)
    keys = columns_of(specs)
    named = {"y_true": y_true, "sample_weight": sample_weight, "groups": groups}
    used = [column_name(argument, name) for argument, name in named.items() if name is not None]
    columns = read_columns(frame, [*used, *names, *keys])
    marker = any(one.orders_classes for one in measures.values())
    sample = _sample(columns, y_true, names, (labels, pos_label), sample_weight, n_threads, marker)
    for one in measures.values():
        one._admit(sample._replace(present=None))  # what a class lacks is said line by line
    own = own_columns(sample, keys)
    threads = sample.n_threads
    read = {name: columns.coded(name, threads) for name in keys}
    parts = [segments_of(spec, read, len(sample.codes), threads) for spec in specs]
    coded = None if groups is None else _groups(columns, groups, threads)
    measured = [
        (title, results_of(Run(sample, one, value, options, coded), parts))
        for title, one, value in _values(measures, sample)
    ]
    table: dict[Hashable, Any] = dict.fromkeys([*keys, *own])  # in this order
    table |= table_of(sample, parts, measured, adjust)
    for name in keys:
        rows = [key_rows(name, part, read[name]) for _ in measured for part in parts]
        table[name] = columns.taken(name, np.concatenate(rows))
    return columns.frame(table)


def options_of(
    interval: str, confidence: Any, min_rows: Any, n_resamples: Any, seed: Any
) -> Options:
    """Check how numbers are to be found."""
    levels, scalar = check_confidence(confidence)
    if not scalar:
        raise TypeError(f"confidence is {confidence!r}; evaluate takes one level")
    least = whole(min_rows)
    if least is None or least < 0:
        raise ValueError(f"min_rows is {min_rows!r}; pass a whole number of rows")
    _, count = replicate_range(None, n_resamples)
    drawn = seed_number(seed) if interval == "bootstrap" else 0
    return Options(interval, float(levels[0]), least, count, drawn)


def _admit(measure: Measure[Any], interval: str) -> None:
    if measure.row != "row":
        raise ValueError(
            f"{measure!r} is for rows with many labels, and a frame has one column of labels; "
            "pass evaluate arrays, or a measure of classes"
        )
    if interval == "delong" and not measure.has_influence:
        raise ValueError(f'{measure!r} has no closed-form error; pass interval="bootstrap"')


def _values(
    measures: dict[str, Measure[Any]], sample: Sample
) -> list[tuple[str, Measure[Any], int]]:
    """Return the values of all measures with their titles: one each, or one per class."""
    found = []
    for name, measure in measures.items():
        title = name if name != measure.name else titled(measure)
        if measure.is_single:
            found.append((title, measure, 0))
            continue
        parts = plain_labels(measure._value_names(sample.classes))
        found += [(f"{name}[{part}]", measure, k) for k, part in enumerate(parts)]
    return found


def _sample(
    columns: Columns, y_true: Hashable, names: list[Hashable], told: tuple[Any, Any],
    sample_weight: Hashable | None, n_threads: int | None, marker: bool,
) -> Sample:  # fmt: skip
    """Return the rows of a frame; what is missing is named by its column."""
    threads = thread_count(n_threads)
    codes, found = _labels(columns, y_true, threads)
    scores = _side_by_side(columns, names, threads)
    weights = None if sample_weight is None else columns.numbers(sample_weight)
    labels = columns.by_name[y_true]  # whose categories may have an order of their own
    return bundle(labels, (codes, found), scores, told[0], weights, threads, told[1], marker)


def _side_by_side(columns: Columns, names: list[Hashable], threads: int) -> dict[Hashable, Array]:
    """Return columns of numbers, those of one type as parts of one array, made once and for all.

    Most of the time goes into new memory, so that threads share it, and look for nulls meanwhile.
    """
    arrays = [columns.numbers(name, nan=True) for name in names]
    kinds = {(array.dtype, array.shape) for array in arrays}
    one_type = len(kinds) == 1 and arrays[0].dtype.kind == "f"
    copied = one_type and side_by_side(arrays) is None
    size = sum(array.nbytes for array in arrays)
    together: Array | list[Array] = arrays
    if copied:
        together = np.empty((len(arrays), len(arrays[0])), dtype=arrays[0].dtype)

    def take(k: int) -> None:
        if copied:
            np.copyto(together[k], arrays[k])
        columns.refuse_nan(names[k], together[k])

    if size < _LARGE:
        for k in range(len(names)):
            take(k)
    else:
        with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
            list(pool.map(take, range(len(names))))
    return dict(zip(names, together, strict=True))


def _labels(columns: Columns, name: Hashable, threads: int) -> tuple[Codes, Array]:
    column = columns.coded(name, threads)
    if not len(column.codes):
        raise ValueError("the frame has no rows; there is nothing to rank")
    _refuse_nulls(column, name, "label")
    own, found = encode(columns.listed(name, column.firsts), threads)
    if column.codes.dtype == own.dtype and np.array_equal(own, np.arange(len(own))):
        return column.codes, found  # numbered so already; looking every row up takes long
    return own[column.codes], found


def _groups(columns: Columns, name: Hashable, threads: int) -> Codes:
    column = columns.coded(name, threads)
    _refuse_nulls(column, name, "group")
    return column.codes.astype(np.uint32)


def _refuse_nulls(column: Coded, name: Hashable, way: str) -> None:
    missing = column.codes < 0
    if missing.any():
        row = int(missing.argmax())
        raise ValueError(f"column {show(name)} is null in row {row}; drop or {way} that row first")


def key_rows(name: Hashable, part: Segments, column: Coded) -> Array:
    """Return a row with the key of each segment, -1 where that is null or the spec has none."""
    if name not in part.spec:
        return np.full(part.n_segments, -1)
    return np.where(column.codes[part.firsts] < 0, -1, part.firsts)


def own_columns(sample: Sample, keys: list[Hashable]) -> list[str]:
    """Return the columns of the table beside the keys; raise if a key is called as one of them."""
    own = [
        "by", "measure", "n", *_counted(sample), *NUMBERS, "pairs_used", "status", "method",
        "error_bound",
    ]  # fmt: skip
    for name in keys:
        if str(name) in own:
            raise ValueError(f"by holds {show(name)}, a column of the result; rename it first")
    return own


def _counted(sample: Sample) -> list[str]:
    return [f"n_{label}" for label in plain_labels(sample.classes)]


def table_of(
    sample: Sample, parts: list[Segments], measured: list[tuple[str, list[Results]]],
    adjust: str | None,
) -> dict[Hashable, Any]:  # fmt: skip
    """Return the columns of the table beside the keys."""
    every = [one for _, found in measured for one in found]
    sizes = [part.n_segments for part in parts]
    counts = np.concatenate([one.counts for one in every])
    specs = [", ".join(map(str, part.spec)) for part in parts]
    table: dict[Hashable, Any] = {}
    table["by"] = _repeated(specs, sizes) * len(measured)
    table["measure"] = _repeated([title for title, _ in measured], [sum(sizes)] * len(measured))
    table["n"] = counts.sum(axis=1)
    table |= {name: counts[:, k] for k, name in enumerate(_counted(sample))}
    for name in NUMBERS[:-1]:
        table[name] = np.concatenate([getattr(one, name) for one in every])
    table["p_adjusted"] = np.concatenate(
        [_adjusted(p_values, adjust) for p_values in np.split(table["p_value"], len(measured))]
    )
    table["pairs_used"] = np.concatenate([one.pairs_used for one in every])
    table["status"] = [text for one in every for text in one.status]
    table["method"] = [text for one in every for text in one.method]
    table["error_bound"] = np.concatenate([one.error_bound for one in every])
    return table


def _repeated(texts: list[str], times: list[int]) -> list[str]:
    return [text for text, count in zip(texts, times, strict=True) for _ in range(count)]


def _adjusted(p_values: Array, how: str | None) -> Array:
    """Return p-values adjusted for their number; those that are not known do not count."""
    out = np.full(len(p_values), np.nan)
    known = ~np.isnan(p_values)
    out[known] = (
        benjamini_hochberg(p_values[known]) if how == "bh" else adjusted(p_values[known], how)
    )
    return out


def benjamini_hochberg(p_values: Array) -> Array:
    """Return p-values adjusted for the false discovery rate (Benjamini & Hochberg 1995).

    Of the q sorted p-values the k-th times q / k, and no larger than the one after.
    """
    q = len(p_values)
    order = np.argsort(p_values, kind="stable")
    stepped = p_values[order] * q / np.arange(1, q + 1)
    out = np.empty(q)
    out[order] = np.minimum(np.minimum.accumulate(stepped[::-1])[::-1], 1.0)
    return out
