"""Matrices of labels, and the scores that go with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.warn import warn
from polyroc._data.arrays import as_array, is_missing
from polyroc._data.column_names import dressed, misplaced
from polyroc._data.frames import frame_of
from polyroc._data.scores import read_scores

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

_WAY = "a label is 0 or 1, or nan where a row is not labelled"


def read_indicators(y_true: Any) -> tuple[Array, list[Any] | None]:
    """Return labels of shape (n, L) as the core reads them, and the names of their columns."""
    frame = None if type(y_true) is np.ndarray and not y_true.dtype.names else frame_of(y_true)
    names = None if frame is None else frame.names
    if frame is None:
        array = _numbers(y_true, "y_true")
    elif frame.alike and (whole := np.asarray(y_true)).dtype.kind in "biuf":
        array = _numbers(whole, "y_true")
    else:
        columns = list(frame.columns)
        places = [f"y_true[{key!r}]" for key in (names or range(len(columns)))]
        read = [_numbers(c, place) for c, place in zip(columns, places, strict=True)]
        array = np.column_stack([np.asarray(column, dtype=np.float64) for column in read])
    if array.ndim != 2:
        raise ValueError(
            f"y_true has shape {array.shape}; pass (n, L), a column of 0 and 1 for each label"
        )
    return array, names


def _numbers(labels: Any, place: str) -> Array:
    """Return labels as int64, uint8 or float64, what is missing as nan."""
    array: Array
    if isinstance(labels, np.ma.MaskedArray):
        array = np.ma.filled(labels.astype(np.float64), np.nan)
    elif type(labels).__module__.startswith("pandas"):
        array = np.asarray(labels, dtype=object if labels.isna().any() else None)
    else:
        array = as_array(labels, place)
    kind = array.dtype.kind
    if kind == "b":
        return array.view(np.uint8)
    if kind in "iu":
        return array.astype(np.int64, copy=False)
    if kind == "f":
        return array.astype(np.float64, copy=False)
    if kind == "O":
        return _objects(array, place)
    raise TypeError(f"{place} has dtype {array.dtype}; {_WAY}")


def _objects(array: Array, place: str) -> Floats:
    out = np.full(array.shape, np.nan)
    for index, value in np.ndenumerate(array):
        if is_missing(value):
            continue
        try:
            if isinstance(value, str):
                raise TypeError
            out[index] = float(value)
        except (TypeError, ValueError) as error:
            at = f"{place}[{', '.join(map(str, index))}]"
            raise TypeError(f"{at} is {show(value)}; {_WAY}") from error
    return out


def scores_of_labels(
    y_score: Any, shape: tuple[int, ...], names: list[Any] | None
) -> tuple[Floats, float, list[Any] | None]:
    """Return scores of shape (n, L), their rounding and the names of their columns.

    Named columns are put into the order of the labels' `names`.
    """
    if isinstance(y_score, (list, tuple)) and all(np.ndim(part) == 2 for part in y_score):
        raise ValueError(
            "y_score is a list of matrices, as predict_proba of several outputs gives; pass one "
            "column per label, as np.column_stack([p[:, 1] for p in y_score])"
        )
    scores, roundoff, own, _ = read_scores(y_score)
    if scores.ndim == 1:
        scores = scores[:, np.newaxis]
    if scores.shape != shape:
        turned = scores.shape == shape[::-1]
        way = "pass y_score.T" if turned else "pass one score for each label of a row"
        raise ValueError(f"y_true has shape {shape} but y_score has {scores.shape}; {way}")
    if names is None or own is None or own == names:
        return scores, roundoff, own
    order = _order(own, names)
    return (scores, roundoff, own) if order is None else (scores[:, order], roundoff, names)


def _order(own: list[Any], names: list[Any]) -> list[int] | None:
    """Return which columns of the scores, named `own`, are those of labels; None as they come."""
    if set(own) == set(names):
        return [own.index(name) for name in names]
    if set(own) & set(names):
        raise ValueError(
            f"the columns of y_score are named {show(own)} but the labels {show(names)}; name "
            "both alike, or pass bare arrays"
        )
    told = dressed(own, names)
    if told is None:
        k = misplaced(own, names)
        if k is not None:
            raise ValueError(
                f"the column {show(own[k])} of y_score stands in the place of {show(names[k])}, as "
                f"labels come in the order {show(names)}; name both alike, or pass bare arrays"
            )
        warn(
            f"no column of y_score is named after a label: {show(own)} are taken to be those of "
            f"{show(names)}, in this order; name both alike, or pass bare arrays if it is right",
            UserWarning,
        )
        return None
    return [told.index(name) for name in names]


def label_names(labels: Any, names: list[Any] | None, count: int) -> list[str]:
    """Return what labels are called: as `labels` says, or their columns, or by number."""
    if labels is not None:
        if isinstance(labels, (str, bytes)):
            raise TypeError("labels is a string; pass a list with the name of each label")
        given = list(labels)
        if len(given) != count:
            raise ValueError(
                f"labels names {len(given)} labels but y_true has {count} columns; name each once"
            )
        told = None if names is None else dressed(names, given)
        wrong = names is not None and misplaced(names, given) is not None
        if told not in (None, given) or (told is None and wrong):
            raise ValueError(
                f"labels is {show(given)} but the columns are named {show(names)}, in another "
                "order; drop labels= to follow the names, or pass bare arrays"
            )
        names = given
    return [str(name) for name in (range(count) if names is None else names)]
