"""Columns as a data frame of pandas or polars, whichever is there."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterable, Mapping
from typing import Any

from polyroc._base.checks import choose

_LIBRARIES = ("pandas", "polars")


def data_frame(columns: Mapping[str, list[Any]], library: str | None = None) -> Any:
    """Return columns as a data frame; without a `library` of pandas, or else of polars."""
    choose("library", library, (*_LIBRARIES, None))
    if library is not None:
        return _FRAMES[library](_library(library), columns)
    for name in _LIBRARIES:
        with contextlib.suppress(ModuleNotFoundError):
            return _FRAMES[name](_library(name), columns)
    raise ModuleNotFoundError(
        "a data frame needs pandas or polars: pip install pandas, or pip install polars; "
        ".to_dict() needs nothing"
    )


def _of_pandas(pandas: Any, columns: Mapping[str, list[Any]]) -> Any:
    # Beside None, whole numbers would turn into floats; as objects all stay what they are.
    return pandas.DataFrame(
        {
            name: pandas.Series(cells, dtype=object) if None in cells else cells
            for name, cells in columns.items()
        }
    )


def _of_polars(polars: Any, columns: Mapping[str, list[Any]]) -> Any:
    # What is not known is null in polars, where nan is a number like others.
    return polars.DataFrame(columns).fill_nan(None)


_FRAMES = {"pandas": _of_pandas, "polars": _of_polars}


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"a {name} data frame needs {name}: pip install {name}; .to_dict() needs nothing"
        ) from error


def label_column(labels: Iterable[Any]) -> list[Any]:
    """Return labels as a column of one type: as they are where all are alike, else by name.

    None stands for no label and stays.
    """
    listed = list(labels)
    kinds = {type(label) for label in listed if label is not None}
    if len(kinds) == 1 and kinds <= {bool, int, float, str}:
        return listed
    return [None if label is None else str(label) for label in listed]
