"""Batches of rows as shards read them: labels, scores, and numbers of rows and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._data.arrays import as_column, is_missing, reject
from polyroc._data.column_names import labels_of_columns, refuse_other_class
from polyroc._data.labels import align, encode
from polyroc._data.scores import read_scores

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes, Floats, Labels, Scores

ENDING = "the state labels that end with {}"  # the way out where one column is of another class
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def codes_of(y_true: Labels, labels: tuple[Any, ...], threads: int) -> tuple[Codes, Array]:
    """Return the class code of each row, and the labels that are there."""
    codes, found = encode(y_true, threads)
    return align(codes, found, list(labels))[0], found


def scores_of(y_score: Scores, labels: tuple[Any, ...], found: Array, n_rows: int) -> Floats:
    """Return scores that fit the labels of a state, and so many rows."""
    scores, _, names, integers = read_scores(y_score)
    if integers is not None:
        raise ValueError(
            "y_score holds integers beyond 2^53, which shards cannot compare as float64; "
            "divide them by one constant"
        )
    if len(scores) != n_rows:
        raise ValueError(
            f"y_true has {n_rows} rows but y_score has {len(scores)}; "
            "pass one label and one row of scores each"
        )
    count = len(labels)
    if (2 if scores.ndim == 1 else scores.shape[1]) != count:
        form = "is 1-D" if scores.ndim == 1 else f"has {scores.shape[1]} columns"
        raise ValueError(
            f"y_score {form} but the state has the {count} labels {show(list(labels))}; "
            "pass a column for each, in this order"
        )
    if names is not None and scores.ndim == 2:
        try:
            labels_of_columns(names, found, list(labels))
        except ValueError as error:
            raise ValueError(
                f"the columns of y_score are named {show(names)}, but the state's labels are "
                f"{show(list(labels))}; pass the columns in this order"
            ) from error
    elif names is not None:
        refuse_other_class(names[0], labels, ENDING)
    return scores


def is_empty(y_true: Any, y_score: Any) -> bool:
    """Tell whether a batch has no rows."""
    return bool(np.shape(y_true) == (0,) and np.shape(y_score)[:1] == (0,))


def numbers_of(ids: Any, name: str, n_rows: int) -> Array:
    """Return a 64-bit number for each row id or group: itself, or a hash of a string.

    A hash depends on the string alone, so that every shard has the same.
    """
    array = as_column(ids, name)
    if len(array) != n_rows:
        raise ValueError(f"{name} has {len(array)} values for {n_rows} rows; pass one per row")
    if array.dtype.kind == "O":
        reject(np.array([is_missing(value) for value in array]), name, "missing")
        kinds = {type(value) for value in array.tolist()}
        if all(issubclass(kind, (int, np.integer)) for kind in kinds):
            array = array.astype(np.int64)
        elif all(issubclass(kind, str) for kind in kinds):
            array = array.astype(np.str_)
        else:
            listed = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(f"{name} holds {listed}; pass whole numbers or strings, of one kind")
    if array.dtype.kind in "iub":
        if array.dtype.kind == "i":
            array = array.astype(np.int64)
        return np.ascontiguousarray(array).astype(np.uint64)
    if array.dtype.kind in "US":
        return _hashed(np.ascontiguousarray(array))
    raise TypeError(f"{name} is of dtype {array.dtype}; pass whole numbers or strings")


def _hashed(texts: Array) -> Array:
    """Return a hash of each string: its letters one by one, by the finaliser of splitmix64."""
    size = np.uint32 if texts.dtype.kind == "U" else np.uint8
    letters = texts.view(size).reshape(len(texts), -1)
    found = np.full(len(texts), _GOLDEN)
    for column in letters.T:
        z = found ^ column.astype(np.uint64) * _GOLDEN
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        found = np.where(
            column != np.uint32(0), z ^ z >> np.uint64(31), found
        )  # strings end where zeros begin
    return found
