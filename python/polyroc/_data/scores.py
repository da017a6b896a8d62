"""Scores: one array the core can read, its rounding, and the names of its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._data.arrays import as_array, of_batches, of_models, reject
from polyroc._data.frames import frame_of, read_frame
from polyroc._data.narrow import narrow_roundoff
from polyroc._data.numbers import as_numbers, ranks

if TYPE_CHECKING:
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
    as_is = None
    if type(y_score) is np.ndarray and y_score.flags.aligned:
        as_is = _AS_IS.get(y_score.dtype)
        if as_is is not None and y_score.ndim == 1:
            return Scores(y_score, as_is, None)  # nothing else to look at
    if as_is is not None and y_score.ndim > 0:
        array, roundoff, names = y_score, as_is, None
    else:
        array, roundoff, names = _read(y_score, name)
    integers = None
    if array.dtype.kind != "f":
        integers, array = array, ranks(array)
    if array.ndim == 1:
        name_of_all = getattr(y_score, "name", None)
        return Scores(array, roundoff, None if name_of_all is None else [name_of_all], integers)
    if array.ndim != 2:
        joined = of_batches(y_score, name)
        raise ValueError(
            f"{name} has shape {array.shape}; pass (n,) for two classes, or (n, K) with one column "
            f"per class{f'{joined}, {of_models()}' if joined else ''}"
        )
    if array.shape[1] == 1:
        return Scores(array[:, 0], roundoff, names, integers)
    return Scores(array, roundoff, names, integers)


def _read(x: Any, name: str) -> tuple[Array, float, list[Any] | None]:
    frame = frame_of(x)
    if frame is None:
        array, roundoff = as_numbers(_stacked(as_array(x, name), name), name)
        # A tensor that was widened keeps the rounding of its own type.
        return array, narrow_roundoff(getattr(x, "dtype", None)) or roundoff, None
    return *read_frame(x, frame, name), frame.names


def _stacked(array: Array, name: str) -> Array:
    """Return a column of rows, as Arrow's and polars' lists are, as a matrix."""
    if array.dtype != object or array.ndim != 1 or not isinstance(array[0], (list, np.ndarray)):
        return array
    reject(np.array([row is None for row in array]), name, "missing")
    sizes = [np.shape(row) for row in array]
    row = next((k for k, size in enumerate(sizes) if size != sizes[0] or len(size) != 1), None)
    if row is not None:
        raise ValueError(
            f"rows of {name} must be equally long: {name}[0] has shape {sizes[0]}, {name}[{row}] "
            f"{sizes[row]}"
        )
    return np.array(array.tolist(), dtype=getattr(array[0], "dtype", None))
