"""Rows of a frame batch by batch, so that a file or a stream of any length takes little memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._pipelines.frame_columns import (
    check_names,
    is_frame,
    no_frame,
    read_columns,
    stream_of,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from polyroc._pipelines.frame_columns import Columns

ROWS = 1 << 17  # of a batch, at most


def batches_of(frame: Any, names: list[Hashable]) -> Iterator[Columns]:
    """Yield the named columns, some rows at a time; each batch knows its first row."""
    if not is_frame(frame):
        raise no_frame(frame)
    first = 0
    for part in _parts(frame, names):
        columns = read_columns(part, names)
        columns.first_row = first
        yield columns
        first += len(part)


def _parts(frame: Any, names: list[Hashable]) -> Iterator[Any]:
    """Yield parts of a frame, each a frame with a length."""
    if hasattr(frame, "iloc"):
        for first in range(0, len(frame), ROWS):
            yield frame.iloc[first : first + ROWS]
    elif hasattr(frame, "collect_schema"):
        check_names(names, frame.collect_schema().names())
        chosen = frame.lazy().select(names)
        if hasattr(frame, "collect_batches"):  # polars from 1.34 on runs a query piece by piece
            parts = chosen.collect_batches(chunk_size=ROWS, maintain_order=True)
        else:
            parts = [chosen.collect()]
        for part in parts:
            yield from part.iter_slices(ROWS)
    else:
        for batch in _batches(frame, names):
            for first in range(0, batch.num_rows, ROWS):
                yield batch.slice(first, ROWS)


def _batches(frame: Any, names: list[Hashable]) -> Any:
    """Return the record batches of what speaks Arrow."""
    if hasattr(frame, "scanner"):  # a dataset: other columns are not even read
        check_names(names, frame.schema.names)
        return frame.to_batches(columns=names, batch_size=ROWS, **_reading(frame))
    if hasattr(frame, "column_names") and hasattr(frame, "schema"):
        check_names(names, frame.column_names)
        chosen = frame.select(names)
        return chosen.to_batches(max_chunksize=ROWS) if hasattr(chosen, "to_batches") else [chosen]
    return stream_of(frame, names)


def _reading(dataset: Any) -> dict[str, Any]:
    """Return how a dataset is read: pyarrow would hold Parquet files of a local disk as a whole.

    It fetches all that is wanted of a file beforehand, which hides the latency of remote stores.
    From a disk it saves nothing, and memory would grow with the size of files.
    """
    import pyarrow.dataset
    from pyarrow.fs import LocalFileSystem

    parquet = isinstance(getattr(dataset, "format", None), pyarrow.dataset.ParquetFileFormat)
    if not parquet or not isinstance(getattr(dataset, "filesystem", None), LocalFileSystem):
        return {}
    options = pyarrow.dataset.ParquetFragmentScanOptions(pre_buffer=False)
    return {"fragment_scan_options": options, "batch_readahead": 4}
