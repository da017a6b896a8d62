"""Numbers in the dtypes the core reads, with no value changed on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import is_number, show
from polyroc._data.arrays import first, is_missing, missing_value
from polyroc._data.narrow import narrow_roundoff

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

_UNIT_ROUNDOFF = {2: 2.0**-11, 4: 2.0**-24, 8: 2.0**-53}  # by bytes per float
EXACT = 2**52  # up to here float64 holds whole numbers and their differences exactly


def as_numbers(array: Array, name: str) -> tuple[Array, float]:
    """Return `array` as float32 or float64, and its first dtype's unit roundoff.

    Native and aligned afterwards. Integers widen to the narrowest float that holds them all; those
    that none does stay as they are.
    """
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f" and size > 1:
        if size > 8:
            return exact_float64(array, name), _UNIT_ROUNDOFF[8]
        return _as(array, np.float32 if size < 8 else np.float64), _UNIT_ROUNDOFF[size]
    if kind in "biu":
        if size == 8 and array.size and not _within_float64(array):
            return _as(array, np.int64 if kind == "i" else np.uint64), 0.0
        return _as(array, np.float32 if size < 4 else np.float64), 0.0
    if kind == "O":
        return as_numbers(_unbox(array, name), name)
    narrow = narrow_roundoff(array.dtype)
    if narrow is not None:
        return array.astype(np.float32), narrow
    raise _not_a_number(array[(0,) * array.ndim], name + str([0] * array.ndim))


def exact_float64(array: Array, name: str, why: str = "") -> Floats:
    """Return `array` as float64, or raise naming the first value that would change."""
    kind = array.dtype.kind
    if kind in "iu":
        if not _within_float64(array):
            large = (array > EXACT) | (array < -EXACT if kind == "i" else False)
            raise ValueError(
                f"{first(large, name)} is {array.ravel()[int(large.ravel().argmax())]}, beyond "
                f"2^52, where float64 does not tell all whole numbers apart{why}; "
                "round or rank the values first"
            )
        return array.astype(np.float64)
    with np.errstate(over="ignore"):
        floats = _as(array, np.float64)
    if array.dtype.itemsize > 8:
        lost = (floats != array) & ~np.isnan(array)
        if lost.any():
            raise _inexact(array, lost, name, why)
    return floats


def _within_float64(array: Array) -> bool:
    return -EXACT <= int(array.min()) and int(array.max()) <= EXACT


def ranks(array: Array) -> Floats:
    """Return numbers that compare as the values of `array` do."""
    _, places = np.unique(array, return_inverse=True)
    return places.reshape(array.shape).astype(np.float64)


def _as(array: Array, dtype: Any) -> Array:
    if array.dtype == dtype and array.flags.aligned:
        return array
    return np.require(array, dtype, "A")


def _unbox(array: Array, name: str) -> Array:
    """Turn an object array of numbers into integers if all are, else into float64."""
    values = array.ravel().tolist()
    for row, value in enumerate(values):
        if not (is_number(value) or isinstance(value, (bool, np.bool_))):
            at = np.unravel_index(row, array.shape)
            raise _not_a_number(value, f"{name}[{', '.join(map(str, at))}]")
    if not any(isinstance(value, (float, np.floating)) for value in values):
        low, high = int(min(values)), int(max(values))
        if -(2**63) <= low and high < 2**63:
            return np.array(values, dtype=np.int64).reshape(array.shape)
        if low >= 0 and high < 2**64:
            return np.array(values, dtype=np.uint64).reshape(array.shape)
    lost = np.array([not _survives(value) for value in values]).reshape(array.shape)
    if lost.any():
        raise _inexact(array, lost, name, "")
    return np.array(values, dtype=np.float64).reshape(array.shape)


def _survives(value: Any) -> bool:
    try:
        return bool(float(value) == value or value != value)
    except OverflowError:
        return False


def _not_a_number(value: Any, place: str) -> Exception:
    if is_missing(value):
        return missing_value(place, repr(value))
    if isinstance(value, (complex, np.complexfloating)):
        return TypeError(f"{place} is complex; only real numbers are ordered: pass .real or abs()")
    if isinstance(value, dict):
        return TypeError(
            f"{place} is a dict; pass a dict of columns, or a data frame, as pandas.DataFrame(rows)"
        )
    kind = type(value).__name__.rstrip("_")
    way = "convert it to a number first"
    if place.startswith("y_score") and isinstance(value, str) and not _is_written_number(value):
        way = (
            "pass scores, as predict_proba gives them, not labels; of a gap drop or impute the row"
        )
    return TypeError(f"{place} is {show(value)}, a {kind}; {way}")


def _is_written_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _inexact(array: Array, lost: Array, name: str, why: str) -> ValueError:
    value = array.ravel()[int(lost.ravel().argmax())]
    return ValueError(
        f"{first(lost, name)} is {value}, which float64 cannot hold exactly{why}; "
        "round or rank the values first"
    )
