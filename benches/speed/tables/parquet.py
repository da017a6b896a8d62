"""The rows of the speed table of files and streams: rows that are never all in memory."""

from __future__ import annotations

from benches.speed.rivals import parquet, stream_memory
from benches.speed.row import MEMORY, PER_CELL, Rival, Row, Size

_FLAT = 128 * 2**20  # bytes, of however many rows

ROWS: tuple[Row, ...] = (
    Row(
        key="parquet-state",
        measure="M of a Parquet file through State",
        size=Size(10_000_000, 10),
        quick=Size(1_000_000, 10),
        ours=parquet.state_of_file,
        rivals=(Rival("pyarrow, reading the file", parquet.read_by_pyarrow, 0.5),),
    ),
    Row(
        key="stream-growth",
        measure="M of a stream through State, a million rows at a time",
        size=Size(1_000_000, 10, 1),
        quick=Size(200_000, 10, 1),
        ours=parquet.state_of_stream,
        unit=PER_CELL,
        rivals=tuple(
            Rival(
                "polyroc", parquet.state_of_stream, most=1.3, size=Size(1_000_000, 10, times),
                quick=Size(200_000, 10, times),
            )
            for times in (10, 100)
        ),
        note="replicates are how many times over; making the rows is part of the time",
    ),
    Row(
        key="stream-memory",
        measure="M of a stream through State, a million rows at a time",
        size=Size(1_000_000, 10, 1),
        quick=Size(200_000, 10, 1),
        ours=stream_memory.of_stream,
        unit=MEMORY,
        limit=_FLAT,
        rivals=tuple(
            Rival(
                "polyroc", stream_memory.of_stream, most=1.5, limit=_FLAT,
                size=Size(1_000_000, 10, times), quick=Size(200_000, 10, times),
            )
            for times in (10, 100)
        ),
        note="replicates are how many times over; each in a process of its own",
    ),
)  # fmt: skip
