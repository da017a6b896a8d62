"""Columns of a polars frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from polyroc._pipelines.frame_columns import Columns

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from polyroc._base.types import Array


class PolarsColumns(Columns):
    """Series by name."""

    library = "polars"

    def taken(self, name: Hashable, rows: Array) -> Any:
        """Return some rows of a column, null for row -1."""
        places = pl.Series(rows, dtype=pl.Int64)
        return self.by_name[name].gather(places.set(places < 0, None))

    def frame(self, columns: Mapping[Hashable, Any]) -> Any:
        """Return columns as a data frame."""
        return pl.DataFrame({str(name): column for name, column in columns.items()})

    def _type(self, column: Any) -> str:
        return str(column.dtype)

    def _is_number(self, column: Any) -> bool:
        return bool(column.dtype.is_numeric() or column.dtype == pl.Boolean)

    def _nulls(self, column: Any) -> Array | None:
        return np.asarray(column.is_null().to_numpy()) if column.null_count() else None

    def _array(self, column: Any) -> Array | None:
        if column.dtype.is_decimal():
            double = column.cast(pl.Float64)
            same = (double.cast(column.dtype, strict=False) == column).fill_null(False).all()
            return np.asarray(double.to_numpy()) if same else None
        return np.asarray(column.to_numpy())

    def _integers(self, column: Any) -> Array | None:
        plain = column.dtype.is_integer() and not column.null_count()
        array = np.asarray(column.to_numpy()) if plain else None
        return array if array is not None and array.dtype.kind in "iu" else None

    def _ranked(self, column: Any) -> Array:
        if column.dtype.is_nested() or column.dtype == pl.Object:
            raise TypeError("values of many parts have no order")
        if column.dtype in (pl.Categorical, pl.Enum):
            column = column.cast(pl.String)  # by their text, whatever order they were made in
        elif column.dtype.is_float():
            column = column.fill_nan(None) + 0.0  # -0.0 is 0.0
        if column.dtype == pl.Null:
            return np.full(len(column), -1)
        found = column.drop_nulls().unique().sort()
        # By a join, which is some times faster than `rank` is.
        numbered = pl.DataFrame({"key": found, "rank": np.arange(len(found))})
        ranks = column.to_frame("key").join(numbered, on="key", how="left", maintain_order="left")
        return np.asarray(ranks.get_column("rank").fill_null(-1).to_numpy())

    def _list(self, column: Any) -> list[Any]:
        out: list[Any] = column.to_list()
        return out
