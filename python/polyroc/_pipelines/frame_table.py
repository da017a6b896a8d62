"""One long table: a measure in every segment of a frame, with errors and differences."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import choose, show, thread_count, whole
from polyroc._base.display import titled
from polyroc._base.keywords import hinting
from polyroc._base.plain import plain_labels
from polyroc._base.seeds import seed_number
from polyroc._data.labels import encode
from polyroc._data.sample import bundle
from polyroc._inference.run import replicate_range
from polyroc._measures.registry import measures_of
from polyroc._pipelines.frame_columns import (
    Coded,
    Columns,
    coded,
    frame_of_columns,
    numbers,
    read_columns,
)
from polyroc._pipelines.segment_runs import Options, results_of
from polyroc._pipelines.segments import columns_of, segments_of, specs_of
from polyroc._stats.confidence import check_confidence
from polyroc._stats.wald import adjust as adjusted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array, Codes, Labels, Seed
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.segment_runs import Results
    from polyroc._pipelines.segments import Segments

INTERVALS = ("delong", "bootstrap")
ADJUST = ("holm", "bh", None)
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
    n_threads: int | None = None,
) -> Any:
    """Evaluate the segments of a frame; see the second form of :func:`polyroc.evaluate`."""
    choose("interval", interval, INTERVALS)
    choose("adjust", adjust, ADJUST)
    levels, scalar = check_confidence(confidence)
    if not scalar:
        raise TypeError(f"confidence is {confidence!r}; evaluate takes one level")
    least = whole(min_rows)
    if least is None or least < 0:
        raise ValueError(f"min_rows is {min_rows!r}; pass a whole number of rows")
    _, count = replicate_range(None, n_resamples)
    measures, _ = measures_of(measure)
    for one in measures.values():
        _admit(one, interval)
    names = list(y_score) if isinstance(y_score, (list, tuple)) else [y_score]
    if not names:
        raise ValueError("y_score is empty; name the columns of scores")
    specs = specs_of(by)
    keys = columns_of(specs)
    weight = [] if sample_weight is None else [sample_weight]
    columns = read_columns(frame, [_named("y_true", y_true), *names, *weight, *keys])
    sample = _sample(columns, y_true, names, (labels, pos_label), sample_weight, n_threads)
    read = {name: coded(columns, name) for name in keys}
    threads = sample.n_threads
    parts = [segments_of(spec, read, len(sample.codes), threads) for spec in specs]
    options = Options(
        interval, float(levels[0]), least, count, seed_number(seed) if interval != "delong" else 0
    )
    found = [results_of(sample, parts, one, options) for one in measures.values()]
    titles = [
        name if name != one.name else titled(one) for name, one in measures.items()
    ]  # fmt: skip
    table = _table(sample, parts, keys, list(zip(titles, found, strict=True)), adjust)
    return frame_of_columns(table, columns.result)


def _named(argument: str, name: Any) -> Hashable:
    if not isinstance(name, Hashable) or isinstance(name, tuple):
        raise TypeError(
            f"{argument} is a {type(name).__name__}; with a frame it is the name of a column"
        )
    return name


def _admit(measure: Measure[Any], interval: str) -> None:
    if not measure.is_single or measure.row != "row":
        raise ValueError(f"{measure!r} has many values; segments take measures of one value")
    if interval == "delong" and not measure.has_influence:
        raise ValueError(f'{measure!r} has no closed-form error; pass interval="bootstrap"')


def _sample(
    columns: Columns, y_true: Hashable, names: list[Hashable], told: tuple[Any, Any],
    sample_weight: Hashable | None, n_threads: int | None,
) -> Sample:  # fmt: skip
    """Return the rows of a frame; what is missing is named by its column."""
    threads = thread_count(n_threads)
    codes, found = _labels(coded(columns, y_true), y_true, threads)
    scores = {name: numbers(columns, name) for name in names}
    weights = None if sample_weight is None else numbers(columns, sample_weight)
    given: Any = scores if len(names) > 1 else scores[names[0]]
    return bundle(codes, (codes, found), given, told[0], weights, threads, told[1])


def _labels(column: Coded, name: Hashable, threads: int) -> tuple[Codes, Array]:
    if not len(column.codes):
        raise ValueError("the frame has no rows; there is nothing to rank")
    missing = column.codes < 0
    if missing.any():
        row = int(missing.argmax())
        raise ValueError(f"column {show(name)} is null in row {row}; drop or label that row first")
    own, found = encode(column.values, threads)
    return own[column.codes], found


class _Line(NamedTuple):
    """The results of one measure in one list of segments."""

    segments: Segments
    results: Results


def _table(
    sample: Sample, parts: list[Segments], keys: list[Hashable],
    measured: list[tuple[str, list[Results]]], adjust: str | None,
) -> dict[str, Any]:  # fmt: skip
    """Return the columns of the table."""
    counted = [f"n_{label}" for label in plain_labels(sample.classes)]
    own = [
        "by",
        "measure",
        "n",
        *counted,
        *NUMBERS,
        "pairs_used",
        "status",
        "method",
        "error_bound",
    ]
    for name in keys:
        if str(name) in own:
            raise ValueError(f"by holds {show(name)}, a column of the result; rename it first")
    table: dict[str, list[Any]] = {str(name): [] for name in [*keys, *own]}
    for title, found in measured:
        p_values = np.concatenate([results.p_value for results in found])
        p_adjusted = iter(
            np.split(_adjusted(p_values, adjust), np.cumsum([s.n_segments for s in parts]))
        )
        for segments, results in zip(parts, found, strict=True):
            count = segments.n_segments
            for name in keys:
                in_spec = name in segments.spec
                table[str(name)] += (
                    segments.keys[segments.spec.index(name)] if in_spec else [None] * count
                )
            table["by"] += [", ".join(map(str, segments.spec))] * count
            table["measure"] += [title] * count
            table["n"] += results.counts.sum(axis=1).tolist()
            for k, name in enumerate(counted):
                table[name] += results.counts[:, k].tolist()
            for name in NUMBERS[:-1]:
                table[name] += getattr(results, name).tolist()
            table["p_adjusted"] += next(p_adjusted).tolist()
            table["pairs_used"] += results.pairs_used.tolist()
            table["status"] += results.status
            table["method"] += results.method
            table["error_bound"] += [0.0] * count
    return table


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
