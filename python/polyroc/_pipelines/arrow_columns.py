"""Columns of an Arrow table, in one chunk or many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from polyroc._pipelines.frame_columns import Columns

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from polyroc._base.types import Array


class ArrowColumns(Columns):
    """Arrays by name; a single chunk is not copied, several become one."""

    library = "pyarrow"

    def __init__(self, by_name: dict[Hashable, Any]) -> None:
        # One after the other: chunks that nobody else holds are let go as soon as they are joined.
        for name in list(by_name):
            by_name[name] = _plain(_joined(by_name[name]))
        super().__init__(by_name)

    def taken(self, name: Hashable, rows: Array) -> Any:
        """Return some rows of a column, null for row -1."""
        return self.by_name[name].take(pa.array(rows, mask=rows < 0))

    def frame(self, columns: Mapping[Hashable, Any]) -> Any:
        """Return columns as a table."""
        return pa.table({str(name): column for name, column in columns.items()})

    def _type(self, column: Any) -> str:
        return str(column.type)

    def _is_number(self, column: Any) -> bool:
        types = pa.types
        kinds = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
        return any(is_kind(column.type) for is_kind in kinds)

    def _nulls(self, column: Any) -> Array | None:
        return np.asarray(column.is_null()) if column.null_count else None

    def _array(self, column: Any) -> Array | None:
        if pa.types.is_decimal(column.type):
            double = column.cast(pa.float64())
            try:
                same = double.cast(column.type).equals(column)
            except pa.ArrowInvalid:
                same = False
            return np.asarray(double.to_numpy()) if same else None
        return np.asarray(column.to_numpy(zero_copy_only=False))

    def _integers(self, column: Any) -> Array | None:
        plain = pa.types.is_integer(column.type) and not column.null_count
        return np.asarray(column.to_numpy()) if plain else None

    def _ranked(self, column: Any) -> Array:
        kind = column.type
        if pa.types.is_null(kind):
            return np.full(len(column), -1)
        if pa.types.is_dictionary(kind):
            # Its values may stand twice in a dictionary, or be null; rows may be too.
            of_value = np.append(self._ranked(column.dictionary), -1)
            codes = np.asarray(of_value[column.indices.fill_null(-1).to_numpy()])
            known = codes >= 0
            codes[known] = np.unique(codes[known], return_inverse=True)[1]  # all have rows
            return codes
        if pa.types.is_floating(kind):
            double = column.cast(pa.float64())
            column = pc.if_else(pc.is_nan(double), None, pc.add(double, 0.0))  # -0.0 is 0.0
        coded = column.dictionary_encode()
        order = pc.sort_indices(coded.dictionary).to_numpy()
        ranks = np.empty(len(order) + 1, dtype=np.int64)
        ranks[order], ranks[-1] = np.arange(len(order)), -1
        return np.asarray(ranks[coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)])

    def _list(self, column: Any) -> list[Any]:
        out: list[Any] = column.to_pylist()
        return out


def _joined(column: Any) -> Any:
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _plain(column: Any) -> Any:
    """Return a column in a layout that can be taken from and sorted."""
    kind = column.type
    if pa.types.is_run_end_encoded(kind):
        return pc.run_end_decode(column)
    if pa.types.is_string_view(kind):
        return column.cast(pa.large_string())
    if pa.types.is_binary_view(kind):
        return column.cast(pa.large_binary())
    return column
