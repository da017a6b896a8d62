"""Data frames of pandas, polars and Arrow, read without importing any of them.

A dict of columns is one too, and so are a structured array and a column of structs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._data.arrays import as_array
from polyroc._data.numbers import as_numbers, exact_float64

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Array


class Frame(NamedTuple):
    """The columns of a data frame."""

    names: list[Any] | None  # None where columns are only numbered
    columns: Iterable[Any]
    alike: bool  # whether all columns have one type


def frame_of(x: Any) -> Frame | None:
    """Return the columns of a data frame; None for what is none."""
    if isinstance(x, Mapping):
        return Frame(list(x), list(x.values()), alike=False)
    if isinstance(x, np.ndarray):
        fields = x.dtype.names
        return None if fields is None else Frame(list(fields), [x[f] for f in fields], alike=False)
    if hasattr(x, "column_names") and hasattr(x, "schema"):  # pyarrow
        return Frame(list(x.column_names), x.columns, len(set(x.schema.types)) == 1)
    if hasattr(x, "get_columns"):  # polars
        return Frame(list(x.columns), x.get_columns(), len(set(x.dtypes)) == 1)
    fields = _fields(x)
    if fields is not None:
        return Frame(list(fields), list(fields.values()), alike=False)
    if hasattr(x, "iloc") and getattr(x, "ndim", 0) == 2:  # pandas
        names = None if is_default(x.columns) else list(x.columns)
        columns = (x.iloc[:, k] for k in range(x.shape[1]))
        return Frame(names, columns, len(set(x.dtypes)) == 1)
    return None


def is_default(index: Any) -> bool:
    """Tell whether an index of pandas only counts rows or columns, and names none.

    Columns of a numbered frame that are taken in another order, ``df[[1, 0]]``, are named by that.
    """
    return type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)


def _fields(x: Any) -> dict[str, Any] | None:
    """Return the fields of a column of structs, of polars or Arrow, by name."""
    if type(getattr(x, "dtype", None)).__name__ == "Struct":
        return {name: x.struct.field(name) for name in x.struct.fields}
    kind: Any = getattr(x, "type", None)
    if type(kind).__name__ != "StructType" or not hasattr(x, "flatten"):
        return None
    return dict(zip((field.name for field in kind), x.flatten(), strict=True))


def read_frame(x: Any, frame: Frame, name: str) -> tuple[Array, float]:
    """Return the numbers of a data frame, a column each, and their unit roundoff."""
    if frame.alike:
        array = np.asarray(x)
        if array.ndim == 2 and array.dtype.kind in "biuf":
            return as_numbers(array, name)
    columns = list(frame.columns)
    if isinstance(x, Mapping):
        _refuse_models(x, name)
    return _by_column(columns, frame.names, name)


def _refuse_models(columns: Mapping[Any, Any], name: str) -> None:
    """Raise if columns are matrices, as where a dict has the scores of several models."""
    for key, column in columns.items():
        shape: tuple[int, ...] = getattr(column, "shape", ())
        if len(shape) == 2 and shape[1] > 1:
            raise ValueError(
                f"{name}[{key!r}] has shape {tuple(shape)} and is no column; pass the scores of "
                f"one model, as {name}[{key!r}], or all of them to compare or evaluate"
            )


def _by_column(columns: list[Any], names: list[Any] | None, name: str) -> tuple[Array, float]:
    """Read each column by its own rules, and stack them in a type that holds them all."""
    if not columns:
        raise ValueError(f"{name} has no columns; pass one per class")
    places = [f"{name}[{key!r}]" for key in (names or range(len(columns)))]
    read = [as_numbers(_flat(as_array(c, p), p), p) for c, p in zip(columns, places, strict=True)]
    arrays = [array for array, _ in read]
    for array, place in zip(arrays, places, strict=True):
        if len(array) != len(arrays[0]):
            raise ValueError(
                f"columns of {name} must be equally long: {places[0]} has {len(arrays[0])} values, "
                f"{place} {len(array)}"
            )
    if len({array.dtype for array in arrays}) > 1:
        arrays = [exact_float64(a, p) for a, p in zip(arrays, places, strict=True)]
    together = arrays[0][:, np.newaxis] if len(arrays) == 1 else side_by_side(arrays)
    if together is None:
        together = np.stack(arrays).T  # column by column: no pass over memory in steps of a row
    return together, max(roundoff for _, roundoff in read)


def _flat(column: Array, place: str) -> Array:
    """Return a column that has one number in a row; raise for one of lists."""
    if column.ndim > 1 or (column.dtype == object and isinstance(column[0], (list, np.ndarray))):
        raise ValueError(f"{place} holds a list in each row; pass that column by itself: {place}")
    return column


def side_by_side(columns: list[Array]) -> Array | None:
    """Return columns that are those of one array, in their order, as that array; else None."""
    first, owner = columns[0], _owner(columns[0])
    if len(columns) < 2 or any(_owner(one) is not owner for one in columns):
        return None
    places = np.array([one.__array_interface__["data"][0] for one in columns])
    steps = np.diff(places)
    alike = {(one.dtype, one.strides, one.shape) for one in columns}
    if len(alike) > 1 or (steps != steps[0]).any() or steps[0] <= 0:
        return None
    strides = (*first.strides, int(steps[0]))
    return np.lib.stride_tricks.as_strided(first, (len(first), len(columns)), strides)


def _owner(array: Array) -> Any:
    """Return the array whose memory it is."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array
