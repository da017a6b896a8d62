"""Values by fold and classifier out of a long table, complete and each cell once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import is_number, show
from polyroc._data.arrays import is_missing

if TYPE_CHECKING:
    from polyroc._base.types import Floats

COLUMNS = ("fold", "classifier", "value")


class FoldTable(NamedTuple):
    """A value for each fold and classifier."""

    folds: tuple[Any, ...]
    classifiers: tuple[Any, ...]
    values: Floats  # folds x classifiers


def columns_of(table: Any) -> dict[str, list[Any]] | None:
    """Return the three columns of a mapping or data frame; None for what has no columns."""
    names = _column_names(table)
    if names is None:
        return None
    absent = [name for name in COLUMNS if name not in names]
    if absent:
        raise ValueError(
            f"folds has the columns {show(names)} but none named {absent[0]!r}; "
            "a table needs the columns fold, classifier and value"
        )
    columns = {name: _listed(table[name], name) for name in COLUMNS}
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise ValueError(f"the columns of folds differ in length ({told}); pass one value per row")
    return columns


def columns_of_records(records: list[Any]) -> dict[str, list[Any]]:
    """Return the three columns of a list of triples or of dicts."""
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for row, record in enumerate(records):
        if isinstance(record, Mapping):
            absent = [name for name in COLUMNS if name not in record]
            if absent:
                raise ValueError(
                    f"folds[{row}] has no {absent[0]!r}; "
                    "a record needs the keys fold, classifier and value"
                )
            triple = [record[name] for name in COLUMNS]
        elif is_triple(record):
            triple = list(record)
        else:
            raise TypeError(
                f"folds[{row}] is {_brief(record)}; the rows above it are (fold, classifier, value)"
            )
        for name, entry in zip(COLUMNS, triple, strict=True):
            columns[name].append(entry)
    return columns


def is_triple(record: Any) -> bool:
    """Tell a row of a table: three entries, the last of which is no array."""
    if isinstance(record, (str, bytes)) or not hasattr(record, "__len__"):
        return False
    return len(record) == 3 and not isinstance(record, Mapping) and np.ndim(record[2]) == 0


def read_table(columns: Mapping[str, list[Any]]) -> FoldTable:
    """Return the values by fold and classifier, both in the order in which they first appear."""
    folds: dict[Any, int] = {}
    classifiers: dict[Any, int] = {}
    rows: dict[tuple[int, int], int] = {}
    for row, (fold, classifier) in enumerate(
        zip(columns["fold"], columns["classifier"], strict=True)
    ):
        i = _number(fold, folds, "fold", row)
        j = _number(classifier, classifiers, "classifier", row)
        if (i, j) in rows:
            raise ValueError(
                f"folds[{row}] is fold {show(fold)} of {show(classifier)} again, after "
                f"folds[{rows[i, j]}]; pass one value for each fold and classifier"
            )
        rows[i, j] = row
    values = np.full((len(folds), len(classifiers)), np.nan)
    for i, fold in enumerate(folds):
        for j, classifier in enumerate(classifiers):
            if (i, j) not in rows:
                raise ValueError(
                    f"{show(classifier)} has no value in fold {show(fold)}; the analysis needs "
                    "every classifier in every fold: add the value, or drop the fold"
                )
            row = rows[i, j]
            place = f"folds[{row}], fold {show(fold)} of {show(classifier)}, has the value"
            values[i, j] = _value(columns["value"][row], place)
    return FoldTable(tuple(folds), tuple(classifiers), values)


def _column_names(table: Any) -> list[Any] | None:
    if isinstance(table, Mapping):
        return list(table)
    if hasattr(table, "column_names") and hasattr(table, "schema"):  # pyarrow
        return list(table.column_names)
    if isinstance(table, np.ndarray):
        return list(table.dtype.names) if table.dtype.names else None
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):  # pandas, polars
        return list(table.columns)
    return None


def _listed(column: Any, name: str) -> list[Any]:
    for method in ("to_list", "to_pylist", "tolist"):
        if hasattr(column, method):
            listed = getattr(column, method)()
            break
    else:
        listed = column
    if isinstance(listed, (str, bytes)) or not isinstance(listed, Iterable):
        raise TypeError(f"folds[{name!r}] is {_brief(column)}; pass a column, one value per row")
    return list(listed)


def _number(key: Any, numbers: dict[Any, int], name: str, row: int) -> int:
    if is_missing(key):
        raise ValueError(f"folds[{row}] has no {name} ({key!r}); name it or drop the row")
    try:
        return numbers.setdefault(key, len(numbers))
    except TypeError as error:
        raise TypeError(
            f"folds[{row}] has the {name} {_brief(key)}; name it by a number or a string"
        ) from error


def _value(value: Any, place: str) -> float:
    if is_missing(value):
        shown = "NaN" if isinstance(value, (float, np.floating)) else repr(value)
        raise ValueError(f"{place} {shown}; find out why, or drop the whole fold")
    if not is_number(value):
        raise TypeError(f"{place} {_brief(value)}; pass a number")
    if not math.isfinite(value):
        raise ValueError(f"{place} {float(value)}; means need finite values")
    return float(value)


def _brief(value: Any) -> str:
    shown = show(value) if isinstance(value, (str, int, float, np.generic)) else ""
    kind = type(value).__name__
    return f"{shown}, a {kind}" if shown and len(shown) < 60 else f"a {kind}"
