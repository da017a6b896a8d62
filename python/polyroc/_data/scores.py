"""Scores: one array the core can read, its rounding, and the names of its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._data.arrays import as_array
from polyroc._data.numbers import as_numbers, exact_float64, ranks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Array

# The types that need no look at the values, with their unit roundoff. A dtype of foreign byte
# order is another key.
_AS_IS = {np.dtype(np.float64): 2.0**-53, np.dtype(np.float32): 2.0**-24}


class Scores(NamedTuple):
    """Scores of shape (n,) or (n, columns), as the core reads them."""

    array: Array
    unit_roundoff: float
    names: list[Any] | None
    integers: Array | None = None  # as given, where `array` holds their ranks


def read_scores(y_score: Any, name: str = "y_score") -> Scores:
    """Return `y_score` with its values unchanged; native float arrays are not copied."""
    plain = type(y_score) is np.ndarray and y_score.ndim > 0 and y_score.flags.aligned
    if plain and y_score.dtype in _AS_IS:
        array, roundoff, names = y_score, _AS_IS[y_score.dtype], None
    else:
        array, roundoff, names = _read(y_score, name)
    integers = None
    if array.dtype.kind != "f":
        integers, array = array, ranks(array)
    if array.ndim == 1:
        name_of_all = getattr(y_score, "name", None)
        return Scores(array, roundoff, None if name_of_all is None else [name_of_all], integers)
    if array.ndim != 2:
        raise ValueError(
            f"{name} has shape {array.shape}; pass (n,) for two classes or (n, K), a column a class"
        )
    if array.shape[1] == 1:
        return Scores(array[:, 0], roundoff, names, integers)
    return Scores(array, roundoff, names, integers)


def _read(x: Any, name: str) -> tuple[Array, float, list[Any] | None]:
    frame = _frame(x)
    if frame is None:
        return *as_numbers(as_array(x, name), name), None
    names, columns, alike = frame
    if alike:
        array = np.asarray(x)
        if array.ndim == 2 and array.dtype.kind in "biuf":
            return *as_numbers(array, name), names
    return *_by_column(list(columns), names, name), names


def _frame(x: Any) -> tuple[list[Any] | None, Iterable[Any], bool] | None:
    """Return a data frame's names, columns, and whether all have one type; None for the rest."""
    if hasattr(x, "column_names") and hasattr(x, "schema"):  # pyarrow
        return list(x.column_names), x.columns, len(set(x.schema.types)) == 1
    if hasattr(x, "get_columns"):  # polars
        return list(x.columns), x.get_columns(), len(set(x.dtypes)) == 1
    if hasattr(x, "iloc") and getattr(x, "ndim", 0) == 2:  # pandas
        # A default RangeIndex numbers columns; it does not name classes.
        names = None if type(x.columns).__name__ == "RangeIndex" else list(x.columns)
        return names, (x.iloc[:, k] for k in range(x.shape[1])), len(set(x.dtypes)) == 1
    return None


def _by_column(columns: list[Any], names: list[Any] | None, name: str) -> tuple[Array, float]:
    """Read each column by its own rules, and stack them in a type that holds them all."""
    if not columns:
        raise ValueError(f"{name} has no columns; pass one a class")
    places = [f"{name}[{key!r}]" for key in (names or range(len(columns)))]
    read = [as_numbers(as_array(c, p), p) for c, p in zip(columns, places, strict=True)]
    arrays = [array for array, _ in read]
    if len({array.dtype for array in arrays}) > 1:
        arrays = [exact_float64(a, p) for a, p in zip(arrays, places, strict=True)]
    return np.column_stack(arrays), max(roundoff for _, roundoff in read)
