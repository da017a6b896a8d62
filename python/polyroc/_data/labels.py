"""Labels to class codes, and the order of the classes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import show
from polyroc._data.arrays import (
    as_array,
    as_column,
    first,
    is_missing,
    missing_value,
    of_batches,
    reject,
)

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes


def encode(y_true: Any, n_threads: int = 0) -> tuple[Codes, Array]:
    """Return the class code of every row, and the distinct labels in ascending order."""
    if type(y_true) is np.ndarray and y_true.ndim == 1 and y_true.dtype.kind in "iu":
        return _encode_integers(y_true, n_threads)
    # A pandas Series or Index holds its Categorical in `.array`.
    categorical = getattr(y_true, "array", y_true)
    if hasattr(categorical, "categories") and hasattr(categorical, "codes"):
        return _encode_categorical(categorical, n_threads)
    array = as_array(y_true, "y_true")
    if array.ndim == 2 and array.shape[1] > 1 and _are_indicators(array):
        raise ValueError(
            f"y_true has shape {array.shape}; where a row may have many labels use multilabel, or "
            "pr.Multilabel as the measure; turn one-hot rows into labels with "
            f"np.argmax(y_true, axis=1){of_batches(y_true, 'y_true')}"
        )
    array = as_column(array, "y_true", y_true)
    if isinstance(y_true, (list, tuple)) and len(set(map(type, y_true))) > 1:
        # numpy would make [1, "a"] strings and [True, 2] integers: look at the values themselves.
        return _encode_objects(list(y_true), n_threads)
    return _encode_array(array, n_threads)


def _are_indicators(array: Array) -> bool:
    """Tell whether labels are those of rows with many: 0 and 1, and nan where nobody looked."""
    marks = np.isin(array, (0, 1))
    if array.dtype.kind == "f":
        marks |= np.isnan(array)
    return bool(marks.all())


def align(codes: Codes, found: Array, labels: Any) -> tuple[Codes, Array, Array | None]:
    """Put the codes of the labels `found` into the order of `labels`.

    The third value says which labels have rows; None when all do.
    """
    if labels is None:
        return codes, found, None
    names = label_list(labels, found)
    if len(names) == len(found) and all(a == b for a, b in zip(names, found, strict=True)):
        return codes, found, None
    column = {name: k for k, name in enumerate(names)}
    order = np.zeros(len(found), dtype=np.uint32)
    for k, value in enumerate(found):
        if value not in column:
            raise ValueError(unknown_label(value, first(codes == k, "y_true"), names))
        order[k] = column[value]
    present = np.zeros(len(names), dtype=np.bool_)
    present[order] = True
    every = np.fromiter(names, dtype=object, count=len(names))
    return order[codes], every, None if present.all() else present


def label_list(labels: Any, found: Array) -> list[Any]:
    """Return `labels` as a list of at least two distinct values."""
    if isinstance(labels, (str, bytes, dict, set, frozenset)):
        raise TypeError(f"labels is a {type(labels).__name__}; pass a list, in column order")
    if hasattr(labels, "tolist") and not isinstance(labels, np.ndarray):
        labels = labels.tolist()
    try:
        names = list(labels)
        if found.dtype.kind in "mM":
            with suppress(ValueError):  # what is no date will be no label either
                names = list(np.array(names, dtype=found.dtype))
        seen: set[Any] = set()
        for name in names:
            if is_missing(name):
                raise ValueError(f"labels holds {name!r}, which no row can match; leave it out")
            if name in seen:
                raise ValueError(f"labels holds {show(name)} twice; name every column once")
            seen.add(name)
    except TypeError as error:
        raise TypeError(f"labels must be a flat list, in column order: {error}") from error
    if len(names) < 2:
        raise ValueError(f"labels is {show(names)}; name at least two classes")
    return names


def _encode_integers(array: Array, n_threads: int) -> tuple[Codes, Array]:
    if not array.size:
        raise ValueError("y_true is empty; there is nothing to rank")
    if not (array.flags.aligned and array.dtype.isnative):
        array = np.require(array, array.dtype.newbyteorder("="), "A")
    return _core.encode(y=array, n_threads=n_threads)


def _encode_array(array: Array, n_threads: int) -> tuple[Codes, Array]:
    kind = array.dtype.kind
    if kind in "iu":
        return _encode_integers(array, n_threads)
    if kind == "b":
        codes, found = _core.encode(y=array.view(np.uint8), n_threads=n_threads)
        return codes, found.view(np.bool_)
    if kind in "mM":
        reject(np.isnat(array), "y_true", "NaT")
        codes, found = _encode_integers(array.view(array.dtype.str[0] + "i8"), n_threads)
        return codes, found.view(array.dtype.newbyteorder("="))
    if kind == "f":
        return _encode_floats(array, n_threads)
    if kind in "cV":
        raise TypeError(f"y_true has dtype {array.dtype}; labels are integers, strings or the like")
    return _encode_objects(array.tolist(), n_threads)


def _encode_floats(array: Array, n_threads: int) -> tuple[Codes, Array]:
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int64)
    if (whole == array).all():  # 0.0 and 1.0 are the usual case; the core's scan beats a sort
        codes, integers = _core.encode(y=whole, n_threads=n_threads)
        return codes, integers.astype(array.dtype)
    reject(np.isnan(array), "y_true", "NaN")
    found, inverse = np.unique(array, return_inverse=True)
    return inverse.astype(np.uint32), found


def _encode_categorical(categorical: Any, n_threads: int) -> tuple[Codes, Array]:
    """Order by value, as scikit-learn orders columns; unused categories are no classes."""
    array = as_array(categorical.codes, "y_true")
    reject(array < 0, "y_true", "missing")
    codes, used = _core.encode(y=array, n_threads=n_threads)
    ranks, found = _encode_array(np.asarray(categorical.categories)[used], n_threads)
    return ranks[codes], found


def _encode_objects(values: list[Any], n_threads: int) -> tuple[Codes, Array]:
    kinds = set(map(type, values))
    if len(kinds) > 1 or not issubclass(next(iter(kinds)), str):
        for row, value in enumerate(values):
            if is_missing(value):
                nan = isinstance(value, (float, np.floating))
                raise missing_value(f"y_true[{row}]", "NaN" if nan else repr(value))
    families = set(map(_family, kinds))
    if len(families) > 1:
        rows = {name: _row_of(name, values) for name in families}
        one, other = sorted(rows, key=lambda name: rows[name])[:2]
        raise TypeError(
            f"y_true mixes types: y_true[{rows[one]}] is {show(values[rows[one]])} ({one}) but "
            f"y_true[{rows[other]}] is {show(values[rows[other]])} ({other}); make them one type"
        )
    family = next(iter(families))
    if family in ("bool", "number"):
        array = np.array(values)
        if array.dtype.kind in "biuf":
            return _encode_array(array, n_threads)
    # A dictionary beats np.unique, which sorts all n strings where only K need it.
    try:
        found = sorted(set(values))
    except TypeError as error:
        raise TypeError(f"y_true holds labels that cannot be sorted ({error}); use str") from error
    column = {value: k for k, value in enumerate(found)}
    codes = np.fromiter(map(column.__getitem__, values), dtype=np.uint32, count=len(values))
    if family == "str":
        return codes, np.array(found, dtype=np.str_)
    return codes, np.fromiter(found, dtype=object, count=len(found))


def _family(kind: type) -> str:
    if issubclass(kind, (bool, np.bool_)):
        return "bool"
    if issubclass(kind, (int, float, np.integer, np.floating)):
        return "number"
    return "str" if issubclass(kind, str) else kind.__name__


def _row_of(family: str, values: list[Any]) -> int:
    return next(row for row, value in enumerate(values) if _family(type(value)) == family)


def unknown_label(value: Any, place: str, names: list[Any]) -> str:
    """Say that no column is that of a label, with the likely mistake where one shows."""
    twin = next((name for name in names if str(name) == str(value)), None)
    hint = "add it to labels, in the place of its column"
    if twin is not None:
        hint = f"labels holds {show(twin)}, of another type: make both one type"
    return f"{place} is {show(value)}, which is not in labels {show(names)}; {hint}"
