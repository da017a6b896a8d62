"""Columns of a pandas frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from polyroc._pipelines.frame_columns import Columns

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from polyroc._base.types import Array


class PandasColumns(Columns):
    """Series by name: of numpy's types, nullable ones, categories, or held by Arrow."""

    library = "pandas"

    def taken(self, name: Hashable, rows: Array) -> Any:
        """Return some rows of a column, null for row -1.

        numpy's whole numbers and truth values know no null; beside one they become nullable.
        """
        column, absent = self.by_name[name], rows < 0
        if not absent.any():
            return column.iloc[rows].reset_index(drop=True)
        if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biu":
            column = column.astype(_nullable(column.dtype))
        values = column.array.take(rows, allow_fill=True)
        out = pd.Series(values, dtype=column.dtype if column.dtype != object else None)
        return out.where(~absent, None) if column.dtype == object else out

    def frame(self, columns: Mapping[Hashable, Any]) -> Any:
        """Return columns as a data frame."""
        return pd.DataFrame(dict(columns))

    def _type(self, column: Any) -> str:
        if column.dtype == object and len(column):
            return f"objects ({type(column.iloc[0]).__name__})"
        return str(column.dtype)

    def _is_number(self, column: Any) -> bool:
        return getattr(column.dtype, "kind", "O") in "biuf" or _holds_decimals(column)

    def _nulls(self, column: Any) -> Array | None:
        # numpy's types have no nulls but NaN, which is looked for anyway.
        plain = isinstance(column.dtype, np.dtype)
        return None if plain else np.asarray(column.isna(), dtype=np.bool_)

    def _array(self, column: Any) -> Array | None:
        if _holds_decimals(column):
            from polyroc._pipelines.arrow_columns import ArrowColumns

            held = ArrowColumns({0: column.array.__arrow_array__()})
            return held._array(held.by_name[0])
        if isinstance(column.dtype, np.dtype):
            return np.asarray(column)
        return np.asarray(column.to_numpy(dtype=getattr(column.dtype, "numpy_dtype", np.float64)))

    def _integers(self, column: Any) -> Array | None:
        dtype = column.dtype
        plain = isinstance(dtype, np.dtype) and dtype.kind in "iu" and dtype.isnative
        return np.asarray(column) if plain else None

    def _ranked(self, column: Any) -> Array:
        if isinstance(column.dtype, pd.CategoricalDtype):
            # By the values of the categories, whatever order they stand in; unused ones go.
            used = column.cat.remove_unused_categories().array
            ranks = _ranks(used.categories)
            return np.asarray(np.append(ranks, -1)[used.codes])
        if getattr(column.dtype, "kind", "O") == "f":
            # As numpy has them, where -0.0 is 0.0 and NaN the only null.
            column = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return _ranks(column)

    def _list(self, column: Any) -> list[Any]:
        out: list[Any] = column.tolist()
        return out


def _ranks(values: Any) -> Array:
    """Return the rank of each value; those of several types are in the order of type and text."""
    try:
        return np.asarray(pd.factorize(values, sort=True)[0], dtype=np.int64)
    except TypeError:
        codes, found = pd.factorize(values)  # raises if values cannot be told apart by hash
        order = sorted(range(len(found)), key=lambda k: (type(found[k]).__name__, str(found[k])))
        ranks = np.empty(len(found) + 1, dtype=np.int64)
        ranks[order], ranks[-1] = np.arange(len(found)), -1
        return np.asarray(ranks[codes])


def _holds_decimals(column: Any) -> bool:
    """Tell whether a column is of Arrow's decimals; those of Python are objects like any other."""
    return str(getattr(column.dtype, "pyarrow_dtype", "")).startswith("decimal")


def _nullable(dtype: np.dtype[Any]) -> str:
    if dtype.kind == "b":
        return "boolean"
    return f"{'Int' if dtype.kind == 'i' else 'UInt'}{8 * dtype.itemsize}"
