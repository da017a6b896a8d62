"""Which rows are trained on and which are tested, fold by fold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show, whole
from polyroc._base.seeds import seed_number
from polyroc._base.warn import warn
from polyroc._data.labels import encode

if TYPE_CHECKING:
    from polyroc._base.types import Array

_DEFAULT_FOLDS = 10


class Splits(NamedTuple):
    """The rows of each fold, and where they come from."""

    rows: list[tuple[Array, Array]]  # to train on and to test, by number
    splitter: str | None  # the name of its class; None for rows that were given
    seed: int | None


def split_rows(
    X: Any, codes: Array, labels: Array, n_folds: Any, cv: Any, groups: Any, seed: Any
) -> Splits:
    """Return the folds of rows with class `codes`, checked."""
    if len(labels) < 2:
        raise ValueError(f"every row of y has the label {show(labels[0])}; two classes are needed")
    members = None if groups is None else _members(groups, len(codes))
    if cv is None or whole(cv) is not None:
        found = _drawn(codes, labels, n_folds, cv, members, seed)
    else:
        found = _given(X, labels[codes], n_folds, cv, groups, seed)
    _check(found.rows, codes, labels, members)
    return found


def _drawn(
    codes: Array, labels: Array, n_folds: Any, cv: Any, members: Array | None, seed: Any
) -> Splits:
    """Draw folds of like class shares, groups as a whole."""
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    if cv is not None and n_folds is not None:
        raise TypeError(f"n_folds is {n_folds!r} and cv is {cv!r}; pass one of them")
    name = "n_folds" if cv is None else "cv"
    count = _count(name, n_folds if cv is None else cv)
    _check_sizes(name, count, codes, labels, members)
    number = seed_number(seed) % 2**32
    kind = StratifiedKFold if members is None else StratifiedGroupKFold
    splitter = kind(count, shuffle=True, random_state=number)
    rows = list(splitter.split(np.zeros(len(codes)), codes, members))
    return Splits(rows, kind.__name__, number)


def _given(X: Any, y: Array, n_folds: Any, cv: Any, groups: Any, seed: Any) -> Splits:
    """Take folds from a splitter of scikit-learn, or as pairs of rows."""
    for name, value in (("n_folds", n_folds), ("seed", seed)):
        if value is not None:
            raise TypeError(
                f"{name} is for folds that are drawn here, and cv= brings its own; give it to the "
                "splitter, as KFold(5, shuffle=True, random_state=1)"
            )
    if hasattr(cv, "split") and not isinstance(cv, (str, bytes)):
        return Splits(_read(cv.split(X, y, groups), len(y)), type(cv).__name__, None)
    if isinstance(cv, (str, bytes)) or not isinstance(cv, Iterable):
        raise TypeError(
            f"cv is a {type(cv).__name__}; pass a whole number, a splitter as GroupKFold(5), or "
            "pairs (rows to train on, rows to test)"
        )
    return Splits(_read(cv, len(y)), None, None)


def _read(pairs: Iterable[Any], n_rows: int) -> list[tuple[Array, Array]]:
    folds = []
    for k, pair in enumerate(pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                f"fold {k} of cv is a {type(pair).__name__}; pass pairs (rows to train on, rows to "
                "test)"
            )
        train, test = (_numbers(rows, n_rows, f"fold {k} of cv") for rows in pair)
        folds.append((train, test))
    if len(folds) < 2:
        raise ValueError(f"cv gives {len(folds)} folds; at least two are needed")
    return folds


def _numbers(rows: Any, n_rows: int, place: str) -> Array:
    """Return row numbers; a mask of booleans names them too."""
    array = np.asarray(rows)
    if array.dtype.kind == "b" and array.shape == (n_rows,):
        array = np.flatnonzero(array)
    if array.ndim != 1 or array.dtype.kind not in "iu" or not array.size:
        raise TypeError(f"{place} has rows of shape {array.shape} and dtype {array.dtype}; "
                        "pass row numbers, at least one")  # fmt: skip
    if array.min() < 0 or array.max() >= n_rows:
        wrong = array[(array < 0) | (array >= n_rows)][0]
        raise ValueError(f"{place} names row {wrong}; rows are numbered 0 to {n_rows - 1}")
    return array


def _check(
    folds: list[tuple[Array, Array]], codes: Array, labels: Array, members: Array | None
) -> None:
    """Raise unless rows are tested once at most, by models that saw neither them nor their groups.

    Warn of folds that test without some class.
    """
    tested = np.full(len(codes), -1)
    for k, (train, test) in enumerate(folds):
        numbers, times = np.unique(test, return_counts=True)
        seen = numbers[(tested[numbers] >= 0) | (times > 1)]
        if len(seen):
            before = tested[seen[0]]
            raise ValueError(
                f"row {seen[0]} is tested in fold {before if before >= 0 else k} and again in fold "
                f"{k}, but every row counts once; call it for each repetition by itself"
            )
        tested[numbers] = k
        both = np.intersect1d(train, test)
        if len(both):
            raise ValueError(f"fold {k} trains on row {both[0]} and tests it; keep them apart")
        if members is not None:
            shared = np.intersect1d(members[train], members[test])
            if len(shared):
                row = test[members[test] == shared[0]][0]
                raise ValueError(
                    f"fold {k} trains on rows of the group that row {row} is in, and tests it; use "
                    "a splitter that keeps groups together, as GroupKFold or StratifiedGroupKFold"
                )
        lost = _lost(train, codes, labels)
        if lost:
            raise ValueError(
                f"fold {k} trains on no row of class {lost}, which it could not score then; use "
                "fewer folds, or stratified ones, as of StratifiedGroupKFold"
            )
    for k, (_, test) in enumerate(folds):
        lost = _lost(test, codes, labels)
        if lost:
            warn(
                f"fold {k} tests no row of class {lost}; bradley takes such folds with a measure "
                'that skips classes, as pr.HandTill(absent="skip"), alone',
                UserWarning,
            )
            return


def _lost(rows: Array, codes: Array, labels: Array) -> str:
    """Name the first class without rows; empty if all have some."""
    missing = np.bincount(codes[rows], minlength=len(labels)) == 0
    return show(labels[missing][0]) if missing.any() else ""


def _members(groups: Any, n_rows: int) -> Array:
    try:
        members, _ = encode(groups)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("y_true", "groups")) from error
    if len(members) != n_rows:
        raise ValueError(f"groups has {len(members)} values for {n_rows} rows; pass one per row")
    return members


def _count(name: str, given: Any) -> int:
    count = _DEFAULT_FOLDS if given is None else whole(given)
    if count is None:
        raise TypeError(f"{name} is {given!r}; pass a whole number, as 10")
    if count < 2:
        raise ValueError(f"{name} is {count}; at least two are needed, to train and to test")
    return count


def _check_sizes(name: str, count: int, codes: Array, labels: Array, members: Array | None) -> None:
    """Raise if a class has fewer rows, or groups, than there are folds."""
    kinds, unit = codes, "rows"
    if members is not None:
        kinds, unit = np.unique(np.column_stack([codes, members]), axis=0)[:, 0], "groups"
    sizes = np.bincount(kinds, minlength=len(labels))
    rarest = int(sizes.argmin())
    if sizes[rarest] < count:
        way = f"pass {name}={sizes[rarest]} or fewer" if sizes[rarest] > 1 else "leave it out"
        raise ValueError(
            f"class {show(labels[rarest])} has {sizes[rarest]} {unit} for {count} folds, so that "
            f"some would be without it; {way}"
        )
