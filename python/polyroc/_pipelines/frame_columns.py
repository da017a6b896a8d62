"""Columns of any frame by name, uncopied where the types allow, and frames of the kind that came.

pandas and polars frames are read by themselves, pyarrow's tables, readers and datasets by pyarrow,
and whatever else hands out an Arrow stream (``__arrow_c_stream__``: duckdb, daft, Spark 4, ...) by
pyarrow or else polars, whichever is there. None of them is imported before a frame asks for it.
"""

from __future__ import annotations

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show
from polyroc._data.arrays import is_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from polyroc._base.types import Array

KINDS = "pandas, polars, pyarrow or duckdb, or one with __arrow_c_stream__"


class Columns(NamedTuple):
    """Some columns of a frame, by name."""

    library: str  # "pandas", "polars" or "pyarrow": what holds the columns
    result: str  # the library whose frame is to come back
    by_name: dict[Hashable, Any]


class Coded(NamedTuple):
    """A column as numbers of its distinct values."""

    codes: Array  # -1 for nulls
    values: list[Any]


def is_frame(x: Any) -> bool:
    """Tell whether `x` has named columns that can be read here."""
    return _reader(x) is not None


def read_columns(frame: Any, names: Sequence[Hashable]) -> Columns:
    """Return the named columns of a frame; the others are not read where that can be avoided."""
    reader = _reader(frame)
    if reader is None:
        raise TypeError(f"{type(frame).__name__} is no frame that can be read; pass one of {KINDS}")
    return reader(frame, list(dict.fromkeys(names)))


def _reader(x: Any) -> Callable[[Any, list[Hashable]], Columns] | None:
    if isinstance(x, type):
        return None
    if hasattr(x, "iloc") and getattr(x, "ndim", 0) == 2:
        return _from_pandas
    if hasattr(x, "collect_schema") and hasattr(x, "lazy"):
        return _from_polars
    if hasattr(x, "scanner") and hasattr(x, "schema"):  # a dataset of pyarrow
        return _from_dataset
    if hasattr(x, "read_next_batch") and hasattr(x, "schema"):
        return _from_reader
    if hasattr(x, "column_names") and hasattr(x, "schema"):
        return _from_table
    if type(x).__module__.split(".")[0] in ("duckdb", "_duckdb") and hasattr(x, "columns"):
        return _from_duckdb
    return _from_capsule if hasattr(x, "__arrow_c_stream__") else None


def _check(names: Sequence[Hashable], known: Sequence[Hashable]) -> None:
    """Raise for the first name that no column has, with the nearest one there is."""
    for name in names:
        found = list(known).count(name)
        if found == 1:
            continue
        if found:
            raise ValueError(
                f"the frame has {found} columns named {show(name)}; rename all but one"
            )
        from difflib import get_close_matches  # for this line alone

        texts = {str(one): one for one in known}
        near = get_close_matches(str(name), texts, 1, 0.5)
        way = f"did you mean {show(texts[near[0]])}?" if near else f"it has {show(list(known))}"
        raise ValueError(f"the frame has no column {show(name)}; {way}")


def _from_pandas(frame: Any, names: list[Hashable]) -> Columns:
    _check(names, list(frame.columns))
    return Columns("pandas", "pandas", {name: frame[name] for name in names})


def _from_polars(frame: Any, names: list[Hashable]) -> Columns:
    _check(names, frame.collect_schema().names())
    wanted = frame.lazy().select(names).collect() if hasattr(frame, "collect") else frame
    return Columns("polars", "polars", {name: wanted.get_column(name) for name in names})


def _from_table(table: Any, names: list[Hashable]) -> Columns:
    _check(names, list(table.column_names))
    return Columns("pyarrow", "pyarrow", {name: _combined(table.column(name)) for name in names})


def _from_dataset(dataset: Any, names: list[Hashable]) -> Columns:
    _check(names, list(dataset.schema.names))
    return _from_table(dataset.to_table(columns=names), names)


def _from_reader(reader: Any, names: list[Hashable]) -> Columns:
    """Read batch by batch, so that columns nobody asks for are let go at once."""
    _check(names, list(reader.schema.names))
    arrow = _library("pyarrow", "a stream of record batches")
    schema = arrow.schema([reader.schema.field(name) for name in names])
    batches = [batch.select(names) for batch in reader]
    return _from_table(arrow.Table.from_batches(batches, schema), names)


def _from_duckdb(relation: Any, names: list[Hashable]) -> Columns:
    _check(names, list(relation.columns))
    quoted = ", ".join('"' + str(name).replace('"', '""') + '"' for name in names)
    return _from_capsule(relation.project(quoted), names)


def _from_capsule(stream: Any, names: list[Hashable]) -> Columns:
    with suppress(ModuleNotFoundError):
        arrow = importlib.import_module("pyarrow")
        return _from_reader(arrow.RecordBatchReader.from_stream(stream), names)
    polars = _library("polars", f"the Arrow stream of a {type(stream).__name__}", "pyarrow")
    return _from_polars(polars.DataFrame(stream), names)


def _library(name: str, what: str, other: str | None = None) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        best = other or name
        also = f" or {name}" if other else ""
        raise ModuleNotFoundError(f"{what} needs {best}{also}: pip install {best}") from error


def _combined(column: Any) -> Any:
    """Return a chunked column as one array; a single chunk is not copied."""
    if not hasattr(column, "num_chunks"):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _null_at(place: str, row: int) -> ValueError:
    return ValueError(f"{place} is null in row {row}; drop or fill that row first")


def numbers(columns: Columns, name: Hashable) -> Array:
    """Return a column of numbers without nulls, NaN counting as one."""
    column, place = columns.by_name[name], f"column {show(name)}"
    if columns.library == "pandas":
        if column.dtype.kind not in "biuf":
            _refuse(column.dtype, place)
        array = np.asarray(
            column if isinstance(column.dtype, np.dtype) else _of_pandas(column, place)
        )
    elif columns.library == "polars":
        if not (column.dtype.is_numeric() or str(column.dtype) == "Boolean"):
            _refuse(column.dtype, place)
        if column.null_count():
            raise _null_at(place, int(column.is_null().arg_true()[0]))
        array = column.cast(_float_of(column.dtype)).to_numpy()
    else:
        array = _of_arrow(column, place)
    if array.dtype.kind == "f":
        missing = np.isnan(array)
        if missing.any():
            raise _null_at(place, int(missing.argmax()))
    return array


def _refuse(dtype: Any, place: str) -> None:
    raise TypeError(f"{place} holds {dtype}, but scores and weights are numbers; cast it first")


def _float_of(dtype: Any) -> Any:
    """Return the type itself, or float64 for the decimals of polars, which numpy has not."""
    if str(dtype).startswith("Decimal"):
        return importlib.import_module("polars").Float64
    return dtype


def _of_pandas(column: Any, place: str) -> Array:
    missing = np.asarray(column.isna())
    if missing.any():
        raise _null_at(place, int(missing.argmax()))
    return np.asarray(column.to_numpy(dtype=getattr(column.dtype, "numpy_dtype", np.float64)))


def _of_arrow(column: Any, place: str) -> Array:
    kind = str(column.type)
    if kind.startswith("decimal"):
        column = column.cast("float64")
    elif not kind.startswith(("int", "uint", "float", "double", "half", "bool")):
        _refuse(kind, place)
    if column.null_count:
        raise _null_at(place, int(np.asarray(column.is_null()).argmax()))
    return np.asarray(column.to_numpy(zero_copy_only=False))


def coded(columns: Columns, name: Hashable) -> Coded:
    """Return a column as numbers of its distinct values, which stand in ascending order."""
    column = columns.by_name[name]
    if columns.library == "pandas":
        codes, found = importlib.import_module("pandas").factorize(column)
        values = found.tolist()
    elif columns.library == "polars":
        codes, values = _of_series(column)
    else:
        arrow_type = str(column.type)
        if not arrow_type.startswith("dictionary"):
            column = column.dictionary_encode()
        codes = np.asarray(column.indices.fill_null(-1).to_numpy(zero_copy_only=False))
        values = column.dictionary.to_pylist()
    return _ascending(np.asarray(codes), values)


def _of_series(column: Any) -> tuple[Array, list[Any]]:
    """Return the numbers of a column of polars, whose distinct values are listed."""
    ranks = column.rank("dense") if not _is_text(column) else None
    if ranks is None:
        polars = importlib.import_module("polars")
        physical = column.cast(polars.String).cast(polars.Categorical).to_physical()
        missing = physical.null_count() > 0
        array = physical.cast(polars.Int64).fill_null(-1).to_numpy()
        found, first = np.unique(array, return_index=True)
        dense = np.searchsorted(found, array)
        values = column[first.tolist()].to_list()
        return (dense - 1, values[1:]) if missing else (dense, values)
    distinct = column.drop_nulls().unique().sort().to_list()
    polars = importlib.import_module("polars")
    return ranks.cast(polars.Int64).fill_null(0).to_numpy() - 1, distinct


def _is_text(column: Any) -> bool:
    return str(column.dtype).startswith(("String", "Categorical", "Enum"))


def _ascending(codes: Array, values: list[Any]) -> Coded:
    """Sort the distinct values; those that are missing in another way (NaN) become nulls too."""
    kept = [k for k, value in enumerate(values) if not is_missing(value)]
    try:
        kept.sort(key=values.__getitem__)
    except TypeError:  # values of several types
        kept.sort(key=lambda k: (type(values[k]).__name__, str(values[k])))
    if kept == list(range(len(values))):
        return Coded(codes, values)
    number = np.full(len(values) + 1, -1, dtype=np.int64)  # the last one is that of -1
    # Values that are equal but stand twice, as in an Arrow dictionary, have one number.
    listed: list[Any] = []
    for k in kept:
        if not listed or values[k] != listed[-1]:
            listed.append(values[k])
        number[k] = len(listed) - 1
    return Coded(number[codes], listed)


def frame_of_columns(columns: dict[str, list[Any]], library: str) -> Any:
    """Return columns as a frame of a library."""
    module = _library(library, "the result")
    if library == "pandas":
        # Beside None, whole numbers would turn into floats; as objects all stay what they are.
        kept = {
            name: module.Series(cells, dtype=object) if None in cells else cells
            for name, cells in columns.items()
        }
        return module.DataFrame(kept)
    return module.DataFrame(columns) if library == "polars" else module.table(columns)
