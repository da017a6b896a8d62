"""The rows of a shard, from Arrow's columns: classes as numbers, scores as a matrix, segments."""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import show
from polyroc._data.arrays import is_missing
from polyroc._data.labels import unknown_label
from polyroc._data.numbers import EXACT
from polyroc._pipelines.engine_fault import (
    PLACE,
    BadRow,
    null,
    require_numbers,
    require_probabilities,
    require_weights,
)

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._pipelines.engine_plan import Plan
    from polyroc._pipelines.segments import Spec

# Scores that are taken at once: batches of engines are small, and segments of them smaller. With
# segments it is more, as each of them has tables of its own, which a batch of rows makes anew.
_SCORES_AT_ONCE, _WITH_SEGMENTS = 1 << 21, 4


class Rows(NamedTuple):
    """Rows as a state takes them."""

    codes: Array  # the class of each
    scores: Floats  # a column for each class, or one for two classes
    weights: Floats | None
    ids: Array | None  # whole numbers, or strings
    groups: Array | None

    def take(self, rows: Any) -> Rows:
        """Return some rows, in some order."""
        return Rows(*(None if column is None else column[rows] for column in self))  # type: ignore[arg-type]


def tables_of(batches: Iterable[Any], n_columns: int, segments: bool) -> Iterator[Any]:
    """Return record batches as tables of some size, empty ones left out."""
    arrow = importlib.import_module("pyarrow")
    held: list[Any] = []
    scores = _SCORES_AT_ONCE * (_WITH_SEGMENTS if segments else 1)
    rows, most = 0, max(1, scores // n_columns)
    for part in (
        batch.slice(start, most) for batch in batches for start in range(0, batch.num_rows, most)
    ):
        held.append(part)
        rows += part.num_rows
        if rows >= most:
            yield arrow.Table.from_batches(held)
            held, rows = [], 0
    if held:
        yield arrow.Table.from_batches(held)


def rows_of(plan: Plan, table: Any) -> Rows:
    """Return the rows of a table; raise BadRow for what is missing or unknown in them."""
    columns = plan.columns
    codes = _classes(columns.y_true, table.column(columns.y_true), plan.labels)
    read = [_numbers(name, table.column(name)) for name in columns.y_score]
    scores = read[0] if len(read) == 1 else _matrix(read)
    weights = None
    if columns.sample_weight is not None:
        weights = _numbers(columns.sample_weight, table.column(columns.sample_weight))
        weights = weights.astype(np.float64, copy=False)
    told = [columns.row_id, columns.groups]
    ids, groups = (None if name is None else _ids(name, table.column(name)) for name in told)
    return Rows(codes, scores, weights, ids, groups)


def blame(plan: Plan, table: Any, error: Exception) -> BadRow:
    """Return which row a state refused, and why."""
    try:
        for name in plan.columns.y_score:
            values = _numbers(name, table.column(name))
            require_numbers(name, values)
            if plan.shape.key == "fold":
                require_probabilities(name, values)
        weight = plan.columns.sample_weight
        if weight is not None:
            require_weights(weight, _numbers(weight, table.column(weight)))
    except BadRow as found:
        return found
    return BadRow(str(error))


def _matrix(columns: list[Array]) -> Floats:
    """Return columns side by side, a row after the other."""
    out = np.empty((len(columns[0]), len(columns)), dtype=np.result_type(*columns))
    for k, column in enumerate(columns):
        out[:, k] = column
    return out


def _numbers(name: str, column: Any) -> Floats:
    kind = str(column.type)
    if not kind.startswith(("int", "uint", "float", "double", "half", "bool", "decimal")):
        told = (
            f"column {show(name)} holds {kind}, but scores and weights are numbers; cast it first"
        )
        raise TypeError(told)
    _require_all(name, column)
    if kind.startswith("decimal"):
        decimals = _decimals(column)
        if decimals is None:
            told = f"column {show(name)} holds {kind} with more digits than float64 has"
            raise BadRow(f"{told}; round it first")
        return decimals
    array: Array = column.to_numpy()
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        large = (array > EXACT) | (array < -EXACT)
        if large.any():
            row = int(large.argmax())
            told = f"column {show(name)} is {array[row]} in {PLACE}, beyond 2^52, where float64"
            way = "does not tell all whole numbers apart; round or rank the values first"
            raise BadRow(f"{told} {way}", "", name, row)
    return array if array.dtype in (np.float64, np.float32) else array.astype(np.float64)


def _decimals(column: Any) -> Floats | None:
    """Return decimals as floats; None where some have more digits than these."""
    from polyroc._pipelines.arrow_columns import ArrowColumns

    held = ArrowColumns({0: column})
    return held._array(held.by_name[0])


def _require_all(name: str, column: Any, *way: str) -> None:
    if column.null_count:
        raise null(name, int(np.asarray(column.is_null()).argmax()), *way)


def _classes(name: str, column: Any, labels: tuple[Any, ...]) -> Array:
    """Return the number of the class of each row."""
    _require_all(name, column, "drop or label that row first")
    codes, values = _coded(name, column)
    number = {label: k for k, label in enumerate(labels)}
    known = np.array([number.get(value, -1) for value in values], dtype=np.int64)
    found = known[codes]
    # Categories that no row has are of no matter.
    if (known < 0).any() and (found < 0).any():
        row = int((found < 0).argmax())
        value = values[codes[row]]
        if is_missing(value):
            raise null(name, row, "drop or label that row first")
        place = f"column {show(name)} in {PLACE}"
        raise BadRow(unknown_label(value, place, list(labels)), "label", name, row, value)
    return found


def _ids(name: str, column: Any) -> Array:
    """Return what tells rows, or groups of them, apart on all shards: whole numbers, or texts."""
    _require_all(name, column)
    if str(column.type).startswith("dictionary"):
        column = column.cast(column.type.value_type)
        _require_all(name, column)
    kind = str(column.type)
    if kind.startswith(("int", "uint")):
        array: Array = column.to_numpy()
        return array
    if "string" in kind or "binary" in kind:
        return np.asarray(column.to_pylist())
    raise TypeError(f"column {show(name)} holds {kind}, but ids are whole numbers or strings")


def _coded(name: Hashable, column: Any) -> tuple[Array, list[Any]]:
    """Return a column without nulls as numbers of its distinct values."""
    column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    try:
        if not str(column.type).startswith("dictionary"):
            column = column.dictionary_encode()
        elif hasattr(column.type.value_type, "extension_name"):  # of pandas: periods, intervals
            raise NotImplementedError
    except NotImplementedError as error:
        told = f"column {show(name)} holds {column.type}, which is no key or label"
        way = "those are numbers, text, dates and the like: cast it first"
        raise TypeError(f"{told}; {way}") from error
    if hasattr(column, "chunk"):  # as pyarrow leaves it where there are no or many chunks
        column = column.combine_chunks()
    indices = column.indices.fill_null(-1) if column.null_count else column.indices
    codes = np.asarray(indices.to_numpy(zero_copy_only=False))
    return codes, instants(column.dictionary).to_pylist()


def instants(values: Any) -> Any:
    """Return times with a zone as those of UTC.

    Python takes two times of one zone for equal if their clocks say the same, although the hour
    that clocks are put back by comes twice.
    """
    if not str(values.type).startswith("timestamp") or values.type.tz in (None, "UTC"):
        return values
    return values.cast(importlib.import_module("pyarrow").timestamp(values.type.unit, "UTC"))


class Parts(NamedTuple):
    """The rows of a table by segment."""

    order: Array  # rows, those of one segment after those of the other
    ends: list[int]  # of each segment, in that order
    keys: list[tuple[Any, ...]]  # of each segment, a value for each column of the spec; None: null


def parts_of(table: Any, spec: Spec) -> Parts:
    """Return which rows have the same keys."""
    joined = np.zeros(table.num_rows, dtype=np.int64)
    columns = []
    for name in spec:
        codes, known = _coded(name, table.column(name))
        own = np.arange(len(known) + 1)
        own[[k for k, value in enumerate(known) if is_missing(value)]] = len(known)
        codes = own[codes]  # nulls, which are -1 among codes, have the last number
        columns.append((codes, [*known, None]))
        # Numbers of what rows have so far stay below the number of rows.
        joined = _core.encode(y=joined * (len(known) + 1) + codes, n_threads=1)[0].astype(np.int64)
    order = np.argsort(joined, kind="stable")
    ends = np.cumsum(np.bincount(joined))
    firsts = order[np.concatenate([[0], ends[:-1]])]
    keys = zip(*([values[k] for k in codes[firsts]] for codes, values in columns), strict=True)
    return Parts(order, ends.tolist(), list(keys))
