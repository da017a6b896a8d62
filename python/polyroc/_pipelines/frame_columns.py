"""Columns of any frame by name, uncopied where the types allow.

pandas and polars frames are read by themselves, pyarrow's tables, readers and datasets by pyarrow,
and whatever else hands out an Arrow stream (``__arrow_c_stream__``: duckdb, daft, Spark 4, ...) by
pyarrow or else polars, whichever is there. None of them is imported before a frame asks for it.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from contextlib import suppress
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeGuard

import numpy as np

from polyroc import _core
from polyroc._base.checks import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from polyroc._base.types import Array

KINDS = "pandas, polars, pyarrow or duckdb, or one with __arrow_c_stream__"

_BLOCK = 1 << 16  # rows that are looked at first


class Coded(NamedTuple):
    """A column as numbers of its distinct values, which are in ascending order."""

    codes: Array  # -1 for nulls
    firsts: Array  # of each value, the first row that has it


def first_rows(codes: Array, count: int) -> Array:
    """Return the first row of each of `count` numbers, every one of which some row has.

    Rows are looked at block by block, until all numbers have been met: mostly soon. Numbers below
    0 are passed over.
    """
    firsts = np.full(count, -1, dtype=np.int64)
    met, start, block = 0, 0, _BLOCK
    while met < count and start < len(codes):
        own = codes[start : start + block]
        new = np.flatnonzero((own >= 0) & (firsts[own] < 0))[::-1]  # of equal ones the first wins
        firsts[own[new]] = start + new
        met = int(np.count_nonzero(firsts >= 0))
        start, block = start + block, 2 * block
    return firsts


class Columns(ABC):
    """Some columns of a frame, by name. Nulls are errors but in keys; NaN is a null."""

    library: ClassVar[str]

    def __init__(self, by_name: dict[Hashable, Any]) -> None:
        self.by_name = by_name
        self.first_row = 0  # where these are rows of a longer frame, the number of the first one

    def numbers(self, name: Hashable, *, nan: bool = False) -> Array:
        """Return a column of numbers; with `nan`, NaN is left for others to find."""
        column = self.by_name[name]
        if not self._is_number(column):
            raise TypeError(
                f"column {show(name)} holds {self._type(column)}, but scores and weights are "
                "numbers; cast it, or split it into a column for each class"
            )
        self._refuse_nulls(name, self._nulls(column))
        array = self._array(column)
        if array is None:
            raise ValueError(
                f"column {show(name)} holds {self._type(column)} with more digits than float64 "
                "has; round it first"
            )
        if not nan:
            self.refuse_nan(name, array)
        return array

    def refuse_nan(self, name: Hashable, array: Array) -> None:
        """Refuse a column whose numbers, these, are not all there."""
        if array.dtype.kind != "f":
            return
        with np.errstate(invalid="ignore", over="ignore"):
            doubtful = bool(np.isnan(array.sum()))  # so is inf - inf, but a sum costs little
        if doubtful:
            self._refuse_nulls(name, np.isnan(array))

    def _refuse_nulls(self, name: Hashable, nulls: Array | None) -> None:
        if nulls is not None and nulls.any():
            row = self.first_row + int(nulls.argmax())
            raise ValueError(
                f"column {show(name)} is null in row {row}; drop or fill that row first"
            )

    def integers(self, name: Hashable) -> Array | None:
        """Return a column of whole numbers without nulls; None for any other."""
        return self._integers(self.by_name[name])

    def ids(self, name: Hashable) -> Any:
        """Return a column of whole numbers or strings that tell rows apart."""
        self._refuse_nulls(name, self._nulls(self.by_name[name]))
        integers = self.integers(name)
        return self._list(self.by_name[name]) if integers is None else integers

    def coded(self, name: Hashable, threads: int = 0) -> Coded:
        """Return a column as numbers of its distinct values."""
        column = self.by_name[name]
        integers = self.integers(name)
        if integers is not None:
            codes = _core.encode(y=integers, n_threads=threads)[0]
        else:
            try:
                codes = self._ranked(column)
            except (TypeError, NotImplementedError) as error:
                raise TypeError(
                    f"column {show(name)} holds {self._type(column)}, which is no key; keys are "
                    "numbers, text, dates and the like"
                ) from error
        count = int(codes.max()) + 1 if len(codes) else 0
        return Coded(codes, first_rows(codes, count))

    def listed(self, name: Hashable, rows: Array) -> list[Any]:
        """Return the values of some rows as plain Python."""
        out: list[Any] = self._list(self.taken(name, rows))
        return out

    @abstractmethod
    def taken(self, name: Hashable, rows: Array) -> Any:
        """Return some rows of a column as a column of the same type, null for row -1."""

    @abstractmethod
    def frame(self, columns: Mapping[Hashable, Any]) -> Any:
        """Return columns as a frame of the library: arrays, lists, or what `taken` gave."""

    @abstractmethod
    def _type(self, column: Any) -> str: ...

    @abstractmethod
    def _is_number(self, column: Any) -> bool: ...

    @abstractmethod
    def _nulls(self, column: Any) -> Array | None:
        """Return which rows are null; None where none is."""

    @abstractmethod
    def _array(self, column: Any) -> Array | None:
        """Return a column of numbers without nulls; None where float64 cannot hold them."""

    @abstractmethod
    def _integers(self, column: Any) -> Array | None:
        """Return a column of whole numbers without nulls; None for what is none."""

    @abstractmethod
    def _ranked(self, column: Any) -> Array:
        """Return the rank of each row's value among the distinct ones, -1 for nulls."""

    @abstractmethod
    def _list(self, column: Any) -> list[Any]: ...


def is_frame(x: Any) -> bool:
    """Tell whether `x` has named columns that can be read here."""
    return _reader(x) is not None


def no_frame(given: Any) -> TypeError:
    """Return the error for what is no frame; the name of a file has to be opened by its library."""
    if isinstance(given, (str, PathLike)):
        return TypeError(
            f"{str(given)!r} is the name of a file; pass what opens it, as "
            "polars.scan_parquet(name) or pyarrow.dataset.dataset(name)"
        )
    return TypeError(f"{type(given).__name__} is no frame that can be read; pass one of {KINDS}")


def read_columns(frame: Any, names: Sequence[Hashable]) -> Columns:
    """Return the named columns of a frame; the others are not read where that can be avoided."""
    reader = _reader(frame)
    if reader is None:
        raise no_frame(frame)
    return reader(frame, list(dict.fromkeys(names)))


def _reader(x: Any) -> Callable[[Any, list[Hashable]], Columns] | None:
    library = type(x).__module__.split(".")[0]
    if isinstance(x, type) or library in ("dask", "dask_expr"):
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
    if library in ("duckdb", "_duckdb") and hasattr(x, "columns"):
        return _from_duckdb
    return _from_capsule if hasattr(x, "__arrow_c_stream__") else None


def check_names(names: Sequence[Hashable], known: Sequence[Hashable]) -> None:
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


def column_name(argument: str, name: Any) -> Hashable:
    """Return the name of a column that an argument gives; raise for what is none."""
    if not can_be_name(name) or isinstance(name, tuple):
        raise TypeError(
            f"{argument} is a {type(name).__name__}; with a frame it is the name of a column"
        )
    return name


def can_be_name(thing: Any) -> TypeGuard[Hashable]:
    """Tell whether a thing can be looked up, as an expression of polars cannot."""
    try:
        hash(thing)
    except TypeError:
        return False
    return True


def score_names(y_score: Any) -> list[Hashable]:
    """Return the names of columns of scores: one, a list, or an index."""
    if isinstance(y_score, Mapping) or (
        isinstance(y_score, (list, tuple)) and any(isinstance(one, list) for one in y_score)
    ):
        raise TypeError(
            f"y_score is a {type(y_score).__name__} of several models; with a frame it names "
            "the columns of one model: call evaluate once for each model, and join the tables"
        )
    if isinstance(y_score, (list, tuple)):
        names = list(y_score)
    elif hasattr(y_score, "__array__") and hasattr(y_score, "tolist") and y_score.ndim == 1:
        names = list(y_score.tolist())  # as of frame.columns[:3]
    else:
        names = [y_score]
    if not names:
        raise ValueError("y_score is empty; name the columns of scores")
    found = [column_name("y_score", name) for name in names]
    twice = [name for k, name in enumerate(found) if name in found[:k]]
    if twice:
        raise ValueError(f"y_score names {show(twice[0])} twice; name one column for each class")
    return found


def _from_pandas(frame: Any, names: list[Hashable]) -> Columns:
    from polyroc._pipelines.pandas_columns import PandasColumns

    check_names(names, list(frame.columns))
    return PandasColumns({name: frame[name] for name in names})


def _from_polars(frame: Any, names: list[Hashable]) -> Columns:
    from polyroc._pipelines.polars_columns import PolarsColumns

    check_names(names, frame.collect_schema().names())
    wanted = frame.lazy().select(names).collect() if hasattr(frame, "collect") else frame
    return PolarsColumns({name: wanted.get_column(name) for name in names})


def _from_table(table: Any, names: list[Hashable]) -> Columns:
    from polyroc._pipelines.arrow_columns import ArrowColumns

    check_names(names, list(table.column_names))
    return ArrowColumns({name: table.column(name) for name in names})


def _from_dataset(dataset: Any, names: list[Hashable]) -> Columns:
    check_names(names, list(dataset.schema.names))
    return _from_table(dataset.to_table(columns=names), names)


def _from_reader(reader: Any, names: list[Hashable]) -> Columns:
    """Read batch by batch, so that columns nobody asks for are let go at once."""
    check_names(names, list(reader.schema.names))
    arrow = _library("pyarrow", "a stream of record batches")
    schema = arrow.schema([reader.schema.field(name) for name in names])
    batches = [batch.select(names) for batch in reader]
    return _from_table(arrow.Table.from_batches(batches, schema), names)


def _from_duckdb(relation: Any, names: list[Hashable]) -> Columns:
    return _from_capsule(_projected(relation, names), names)


def _projected(relation: Any, names: list[Hashable]) -> Any:
    """Return a relation of duckdb with some of its columns; the others are not computed."""
    check_names(names, list(relation.columns))
    return relation.project(", ".join('"' + str(one).replace('"', '""') + '"' for one in names))


def _from_capsule(stream: Any, names: list[Hashable]) -> Columns:
    with suppress(ModuleNotFoundError):
        arrow = importlib.import_module("pyarrow")
        return _from_reader(arrow.RecordBatchReader.from_stream(stream), names)
    polars = _library("polars", f"the Arrow stream of a {type(stream).__name__}", "pyarrow")
    return _from_polars(polars.DataFrame(stream), names)


def stream_of(x: Any, names: list[Hashable]) -> Iterator[Any]:
    """Yield record batches of pyarrow, with these columns, from what hands out an Arrow stream."""
    reader = _reader(x)
    if reader is _from_duckdb:
        x = _projected(x, names)
    if reader is not _from_reader:
        arrow = _library("pyarrow", f"the Arrow stream of a {type(x).__name__}")
        x = arrow.RecordBatchReader.from_stream(x)
    check_names(names, list(x.schema.names))
    for batch in x:
        yield batch.select(names)


def _library(name: str, what: str, other: str | None = None) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        which = f"{other} or {name}" if other else name
        raise ModuleNotFoundError(
            f'{what} is read by {which}: pip install "polyroc[arrow]"'
        ) from error
