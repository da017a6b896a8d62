"""A Parquet file through a State, and rows that are made while they are read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benches.speed.row import Call, Task

_ROWS = 1 << 17  # of a batch
_BINS = 4096


def _names(task: Task) -> list[str]:
    return [f"p_{k}" for k in range(task.scores.shape[1])]


class _File:
    """The rows of a task in a Parquet file, which goes with this object."""

    def __init__(self, task: Task) -> None:
        import pyarrow as pa
        import pyarrow.dataset
        import pyarrow.parquet

        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "rows.parquet"
        columns = {name: task.scores[:, k] for k, name in enumerate(_names(task))}
        table = pa.table({"label": task.y, **columns})
        pyarrow.parquet.write_table(table, path, row_group_size=1 << 20)
        self.dataset = pyarrow.dataset.dataset(path)
        self.names = ["label", *columns]


def read_by_pyarrow(task: Task) -> Call:
    """Read the file and do nothing with it."""
    file = _File(task)

    def call() -> None:
        for _ in file.dataset.to_batches(columns=file.names, batch_size=_ROWS):
            pass

    return call


def _state(task: Task, frame: Any) -> float:
    import polyroc as pr

    state = pr.State(range(task.scores.shape[1]), "hand_till", max_bins=_BINS)
    state.update_frame(frame, y_true="label", y_score=_names(task), n_threads=task.threads)
    return float(state.compute()["hand_till"].estimate)


def state_of_file(task: Task) -> Call:
    """M of the rows in the file, batch by batch."""
    file = _File(task)
    return lambda: _state(task, file.dataset)


def state_of_stream(task: Task) -> Call:
    """M of the rows many times over (as many as replicates), other scores each time."""
    import pyarrow as pa

    names = ["label", *_names(task)]

    def batches() -> Iterator[Any]:
        for turn in range(task.replicates):
            for first in range(0, len(task.y), _ROWS):
                scores = task.scores[first : first + _ROWS].T * (1.0 - 1e-3 * turn)
                yield pa.record_batch([task.y[first : first + _ROWS], *scores], names=names)

    def call() -> float:
        first = next(batches())
        return _state(task, pa.RecordBatchReader.from_batches(first.schema, batches()))

    return call
