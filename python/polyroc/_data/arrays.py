"""Arrays out of whatever holds them, and the places in them that messages name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._data.narrow import widened

if TYPE_CHECKING:
    from polyroc._base.types import Array


def as_array(x: Any, name: str) -> Array:
    """Return `x` as a plain ndarray that is not empty, uncopied where its protocol allows."""
    array = x if type(x) is np.ndarray else _convert(x, name)
    if array.ndim == 0:
        kind = "0-d array" if isinstance(x, np.ndarray) else type(x).__name__
        raise TypeError(f"{name} is a {kind}; {_way(x)}")
    if array.size == 0:
        raise ValueError(f"{name} is empty; there is nothing to rank")
    return array


def _way(x: Any) -> str:
    """Say what to call on `x` to have its numbers, where it has such a call."""
    if hasattr(x, "collect") and hasattr(x, "lazy"):
        return "pass its .collect()"
    if hasattr(x, "toarray") and hasattr(x, "nnz"):
        return "pass its .toarray()"
    if hasattr(x, "read_all"):  # a reader of Arrow
        return "pass its .read_all()"
    if hasattr(x, "fetchnumpy"):  # a relation of duckdb
        return "pass its .df() or its .pl()"
    return "pass an array, a list or a data frame column"


def as_column(x: Any, name: str, given: Any = None) -> Array:
    """Return `x` as a 1-D array; a single column of shape (n, 1) is one too.

    `given` is what the caller passed, where `x` was made of it.
    """
    array = as_array(x, name)
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0]
    if array.ndim != 1:
        hint = "; if those are scores, pass (y_true, y_score)" if name == "y_true" else ""
        hint = of_batches(x if given is None else given, name) or hint
        raise ValueError(f"{name} has shape {array.shape}; it must be 1-D, one value per row{hint}")
    return array


def of_batches(x: Any, name: str) -> str:
    """Say how to join a list of arrays, which are batches rather than rows; empty for other input.

    Rows are lists of numbers mostly; whoever scores batch by batch has a list of arrays.
    """
    batches = isinstance(x, (list, tuple)) and all(hasattr(part, "shape") for part in x)
    return f"; of a list of batches pass np.concatenate({name})" if batches else ""


def of_models() -> str:
    """Say how scores of several models are passed."""
    return 'of models a dict by name, {"boost": A, "forest": B}, to compare or evaluate'


def reject(mask: Array, name: str, state: str) -> None:
    """Raise for the first True of `mask`: that value is missing, masked or NaN."""
    if mask.any():
        raise missing_value(first(mask, name), state)


def missing_value(place: str, state: str) -> ValueError:
    """Return the error for a value that is not there; `state` is what stands in its place."""
    remedy = "label" if place.startswith("y_true") else "impute"
    return ValueError(f"{place} is {state}; drop or {remedy} that row first")


def is_missing(value: Any) -> bool:
    """Tell None, NaN, and pandas' NA and NaT, without importing pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    real = isinstance(value, (float, np.floating, np.datetime64, np.timedelta64))
    return real and bool(value != value)


def first(mask: Array, name: str) -> str:
    """Name the first True entry of `mask`: ``y_score[17, 2]``."""
    index = np.unravel_index(int(mask.argmax()), mask.shape)
    return f"{name}[{', '.join(map(str, index))}]"


def _convert(x: Any, name: str) -> Array:
    dtype = getattr(getattr(x, "dtype", None), "numpy_dtype", None)
    if dtype is not None and dtype.kind in "biuf":
        # pandas' nullable and Arrow-backed types: a bare asarray would give objects, or hide NA.
        reject(np.asarray(x.isna()), name, "missing")
        return np.asarray(x.to_numpy(dtype=dtype))
    if isinstance(x, np.ndarray) and hasattr(x, "mask"):
        reject(np.ma.getmaskarray(x), name, "masked")
    try:
        x = widened(x)
        if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
            return np.from_dlpack(x)
        array = np.asarray(x)
        if array.dtype.kind in "US" and isinstance(x, (list, tuple)):
            return np.array(x, dtype=object)  # else [0.1, "b"] would all be strings
    except Exception as error:
        # Each library refuses in its own words (gradients, devices, odd dtypes): pass them on.
        ragged = _ragged(x, name)
        refused = TypeError(f"{name} cannot be read as an array: {error}")
        if hasattr(x, "fetchnumpy"):
            refused = TypeError(f"{name} is a {type(x).__name__}; {_way(x)}")
        raise ragged or refused from error
    return array


def _ragged(x: Any, name: str) -> ValueError | None:
    """Return the error that names the first row of another length, if there is one."""
    if not isinstance(x, (list, tuple)):
        return None
    sizes = [len(row) if hasattr(row, "__len__") else None for row in x]
    row = next((k for k, size in enumerate(sizes) if size != sizes[0]), None)
    if row is None:
        return None
    one, other = ("none" if size is None else size for size in (sizes[0], sizes[row]))
    return ValueError(
        f"rows of {name} must be equally long: {name}[0] has {one} entries, {name}[{row}] {other}"
        f"{of_batches(x, name)}"
    )
