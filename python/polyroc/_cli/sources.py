"""Files of predictions, read through polars: what it would accept in silence is refused here.

A file is looked at twice: its header first, so that only the columns that are needed are read.
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from polyroc._cli.refusal import Refusal, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

_COMPRESSED = (".gz", ".zst")
_KINDS = {
    ".csv": "csv", ".tsv": "csv", ".txt": "csv", ".tab": "csv", ".parquet": "parquet",
    ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
    ".arrows": "arrow", ".jsonl": "jsonl", ".ndjson": "jsonl",
}  # fmt: skip
_HEAD = 1 << 16  # bytes looked at to tell what a file is
_SEPARATORS = ",\t;|"
_NULLS = ["", "NA", "N/A", "na", "n/a", "null", "NULL", "None", "#N/A"]


class Source(NamedTuple):
    """A file whose header has been read."""

    name: str  # as the user called it
    stem: str  # what a model in it is called
    given: Any  # a path, or the bytes of standard input
    kind: str  # "csv", "parquet", "arrow", "stream" or "jsonl"
    columns: list[str]
    separator: str = ","


def open_source(name: str) -> Source:
    """Read the header of a file."""
    if name == "-":
        held = sys.stdin.buffer.read()
        return _source("standard input", "model", held, _kind_of_bytes(held), held[:_HEAD])
    path = Path(name)
    if path.is_dir():
        raise Refusal(f"{name} is a directory; pass a file")
    if not path.exists():
        raise Refusal(f"there is no file {name}")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    squeezed = bool(suffixes) and suffixes[-1] in _COMPRESSED
    stem = path.name
    for suffix in reversed(path.suffixes[-2 if squeezed else -1 :]):
        stem = stem.removesuffix(suffix)
    with path.open("rb") as file:
        head = file.read(_HEAD)
    inner = suffixes[:-1] if squeezed else suffixes
    kind = _KINDS.get(inner[-1] if inner else "") or _kind_of_bytes(head)
    return _source(name, stem or path.name, path, kind, head)


def _kind_of_bytes(head: bytes) -> str:
    if head[:4] == b"PAR1":
        return "parquet"
    if head[:6] == b"ARROW1":
        return "arrow"
    if head[:4] == b"\xff\xff\xff\xff":
        return "stream"
    return "jsonl" if head.lstrip()[:1] == b"{" else "csv"


def _source(name: str, stem: str, given: Any, kind: str, head: bytes) -> Source:
    if not head:
        raise Refusal(f"{name} is empty")
    if kind == "arrow" and head[:6] != b"ARROW1":
        kind = "stream"
    if kind in ("csv", "jsonl") and head[:2] not in (b"\x1f\x8b", b"\x28\xb5"):
        _require_text(name, head)
    if kind == "csv":
        columns, separator = _csv_header(name, given)
    else:
        columns, separator = _typed_header(name, given, kind), ","
    twice = sorted({column for column in columns if columns.count(column) > 1})
    if twice:
        raise Refusal(f"{name}: {listed(twice)} heads more than one column; rename one of them")
    return Source(name, stem, given, kind, columns, separator)


def _require_text(name: str, head: bytes) -> None:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Refusal(f"{name} is UTF-16; save it as UTF-8")
    if b"\0" in head:
        raise Refusal(f"{name} is no text: it holds NUL bytes. Is it a Parquet or Arrow file?")


def _csv_header(name: str, given: Any) -> tuple[list[str], str]:
    import polars as pl

    try:
        # Whole lines as one column: this unpacks gzip and zstd too.
        lines = pl.read_csv(
            io.BytesIO(given) if isinstance(given, bytes) else given, separator="\x01",
            has_header=False, n_rows=2, quote_char=None, infer_schema=False,
            truncate_ragged_lines=True, encoding="utf8-lossy",
        ).to_series().to_list()  # fmt: skip
    except Exception as error:
        raise Refusal(f"{name} cannot be read: {one_line(error)}") from error
    first = (lines[0] or "").lstrip("\ufeff") if lines else ""
    if not first.strip():
        raise Refusal(f"{name} begins with an empty line; its first line names the columns")
    if "\ufffd" in first:
        raise Refusal(f"{name} is not UTF-8; save it as UTF-8")
    separator = max(_SEPARATORS, key=first.count)
    columns = next(csv.reader([first], delimiter=separator))
    if all(_is_number(column) for column in columns):
        raise Refusal(
            f"{name} has no header: its first line is {first[:60]!r}; name the columns in it"
        )
    return columns, separator


def _typed_header(name: str, given: Any, kind: str) -> list[str]:
    import polars as pl

    source = io.BytesIO(given) if isinstance(given, bytes) else given
    try:
        if kind == "parquet":
            return list(pl.read_parquet_schema(source))
        if kind == "arrow":
            return list(pl.read_ipc_schema(source))
        if kind == "stream":
            return pl.read_ipc_stream(source, n_rows=0).columns
        return pl.read_ndjson(source, infer_schema_length=100).columns
    except Exception as error:
        raise Refusal(f"{name} cannot be read as {kind}: {one_line(error)}") from error


def read_columns(source: Source, words: Sequence[str], numbers: Sequence[str]) -> pl.DataFrame:
    """Read some columns: `words` as they are written, and `numbers`.

    What is no number is refused, by its row; cells that are empty or hold NA are null.
    """
    import polars as pl

    wanted = list(dict.fromkeys([*words, *numbers]))
    for column in wanted:
        if column not in source.columns:
            raise Refusal(
                f"{source.name} has no column {column!r}; it has {listed(source.columns)}"
            )
    frame = _read(source, wanted, set(words))
    if not len(frame):
        raise Refusal(f"{source.name} has a header but no rows")
    for column in words:
        frame = frame.with_columns(_as_words(frame[column]))
        if frame[column].str.contains("\ufffd", literal=True).any():
            row = frame[column].str.contains("\ufffd", literal=True).arg_max() or 0
            raise Refusal(
                f"{source.name}, column {column!r}, row {row + 1} is not UTF-8; save it so"
            )
    for column in numbers:
        frame = frame.with_columns(_as_numbers(source, frame[column]))
    return frame.select(pl.col(wanted))


def _read(source: Source, wanted: list[str], words: set[str]) -> pl.DataFrame:
    import polars as pl

    given = io.BytesIO(source.given) if isinstance(source.given, bytes) else source.given
    try:
        if source.kind == "parquet":
            return pl.read_parquet(given, columns=wanted)
        if source.kind == "arrow":
            return pl.read_ipc(given, columns=wanted)
        if source.kind == "stream":
            return pl.read_ipc_stream(given, columns=wanted)
        if source.kind == "jsonl":
            return pl.read_ndjson(given, infer_schema_length=None).select(wanted)
        kinds: dict[str, Any] = {
            name: pl.String if name in words else pl.Float64 for name in wanted
        }
        options: dict[str, Any] = {
            "separator": source.separator, "columns": wanted, "null_values": _NULLS,
            "encoding": "utf8-lossy",
        }  # fmt: skip
        try:
            return pl.read_csv(given, schema_overrides=kinds, **options)
        except pl.exceptions.ComputeError:
            # Some cell is no number: read as written, it can be named.
            if isinstance(given, io.BytesIO):
                given.seek(0)
            return pl.read_csv(given, infer_schema=False, **options)
    except Exception as error:
        text = one_line(error)
        if "more fields" in text:
            text = f"some row has more cells than the {len(source.columns)} columns of the header"
        raise Refusal(f"{source.name} cannot be read: {text}") from error


def _as_words(column: pl.Series) -> pl.Series:
    import polars as pl

    kind = column.dtype
    if kind.is_float():
        known = column.drop_nulls()
        if (known == known.floor()).all():
            column = column.cast(pl.Int64)
    elif not (
        kind == pl.String or kind.is_integer() or kind in (pl.Boolean, pl.Categorical, pl.Enum)
    ):
        kind_name = str(kind).lower()
        raise Refusal(
            f"column {column.name!r} holds {kind_name} values; labels are words or whole numbers"
        )
    return column.cast(pl.String)


def _as_numbers(source: Source, column: pl.Series) -> pl.Series:
    import polars as pl

    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return column if column.dtype == pl.Float32 else column.cast(pl.Float64)
    if column.dtype == pl.Null:
        return column.cast(pl.Float64)
    if column.dtype != pl.String:
        raise Refusal(f"{source.name}, column {column.name!r} holds {column.dtype}, not numbers")
    numbers = column.str.strip_chars().cast(pl.Float64, strict=False)
    wrong = numbers.is_null() & column.is_not_null()
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        text = column[row]
        comma = "" if not _is_number(text.replace(",", ".")) else "; write decimals with a point"
        raise Refusal(
            f"{source.name}, column {column.name!r}, row {row + 1}: {text!r} is no number{comma}"
        )
    return numbers


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def one_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
