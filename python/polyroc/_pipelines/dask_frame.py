"""Shards of a Dask frame: a task takes a partition; what tasks return is merged in a tree."""

from __future__ import annotations

import importlib
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from polyroc._pipelines.engine_passes import Segment, merged_by_segment, pieces_of
from polyroc._pipelines.engine_plan import ROW_ID
from polyroc._pipelines.frame_columns import check_names

if TYPE_CHECKING:
    from polyroc._pipelines.engine_fault import Fault
    from polyroc._pipelines.engine_passes import Work
    from polyroc._pipelines.engine_plan import Columns
    from polyroc._pipelines.engine_progress import Passes

_BRANCH = 8  # what one task merges
_PAUSE = 0.1  # seconds between two looks at how far tasks are


class DaskFrame:
    """A frame of Dask as shards.

    Rows without an id of their own go by their number in the frame, as in one of pandas: it stays
    when rows are parted in another way.
    """

    def __init__(self, frame: Any) -> None:
        self.frame, self.dask = frame, importlib.import_module("dask")
        self.sizes: list[int] = []  # rows of each partition, known after a pass

    def require(self, columns: Columns, ids: bool) -> Columns:
        """Check that columns are there; return them with one that tells rows apart, if needed."""
        check_names(columns.names, list(self.frame.columns))
        return columns._replace(row_id=ROW_ID) if ids and columns.row_id is None else columns

    def zones(self, columns: Iterable[str]) -> dict[str, Any]:
        """Return the time zones of the columns that have one."""
        kinds = {name: self.frame.dtypes[name] for name in columns}
        kinds = {name: getattr(kind, "pyarrow_dtype", kind) for name, kind in kinds.items()}
        return {name: getattr(kind, "tz", None) for name, kind in kinds.items()}

    def labels(self, column: str) -> list[Any]:
        """Return the distinct labels, None for nulls."""
        delayed = self.dask.delayed
        level = [delayed(distinct)(part) for part in self.frame[column].to_delayed()]
        return list(self._compute([_tree(delayed(union), level)])[0])

    def run(self, work: Work, passes: Passes | None) -> dict[Segment, bytes]:
        """Run a pass over all rows; return one piece of each segment."""
        delayed = self.dask.delayed
        partitions = self.frame[[name for name in work.plan.columns.names if name != ROW_ID]]
        told = delayed(work, name=f"polyroc-plan-{uuid4()}", traverse=False)
        parts = partitions.to_delayed()
        if work.plan.columns.row_id == ROW_ID and work.looks_at_ids and not self.sizes:
            self.sizes = self._compute([delayed(len)(part) for part in parts])
        sizes, level, start = list[Any](), list[Any](), 0
        for k, partition in enumerate(parts):
            size, pieces = delayed(take, nout=2)(told, partition, k, start)
            sizes.append(size)
            level.append(pieces)
            start += self.sizes[k] if self.sizes else 0
        total = _tree(partial(delayed(merge), told), level)
        found, *self.sizes = self._compute([total, *sizes], passes)
        return dict(found)

    def _compute(self, tasks: list[Any], passes: Passes | None = None) -> list[Any]:
        """Return what tasks return. Whatever ends the wait ends the work too.

        Somebody who wants to know is told how many of them are done, but for the first one.
        """
        client = getattr(self.dask.base.get_scheduler(), "__self__", None)
        if client is None or not hasattr(client, "gather"):  # a scheduler of this process
            with nullcontext() if passes is None else self._counting(tasks[1:], passes):
                return list(self.dask.compute(*tasks))
        with warnings.catch_warnings():
            # What every shard is told has to reach it, however large it is.
            warnings.filterwarnings("ignore", message="Sending large graph", category=UserWarning)
            futures = client.compute(tasks)
        try:
            if passes is not None:
                _watch(futures[1:], passes)
            return list(client.gather(futures))
        finally:
            client.cancel(futures, force=True)  # nothing to do but after an interrupt or an error

    def _counting(self, tasks: list[Any], passes: Passes) -> Any:
        """Return a context in which a scheduler of this process tells which tasks are done."""
        callbacks = importlib.import_module("dask.callbacks")
        left = {task.key for task in tasks}

        def done(key: Any, *_: Any) -> None:
            left.discard(key)
            passes.update(len(tasks) - len(left), len(tasks))

        return callbacks.Callback(posttask=done)

    def place(self, fault: Fault, columns: Columns, labels: tuple[Any, ...]) -> str:
        """Say where a row is that a shard found fault with."""
        at = f"row {fault.row} of " if fault.row >= 0 else ""
        return f"{at}partition {fault.partition}"


def _watch(futures: list[Any], passes: Passes) -> None:
    """Tell how many futures are done until all are, or one has failed."""
    done = -1
    while done < len(futures):
        states = [future.status for future in futures]
        if "error" in states or "cancelled" in states:
            return
        done = states.count("finished")
        passes.update(done, len(futures))
        time.sleep(_PAUSE)


def _tree(join: Callable[[list[Any]], Any], level: list[Any]) -> Any:
    """Return what is left when some at a time are made one."""
    while len(level) > 1:
        level = [join(level[k : k + _BRANCH]) for k in range(0, len(level), _BRANCH)]
    return level[0]


def distinct(column: Any) -> list[Any]:
    """Return the distinct values of a column, None for nulls."""
    found = column.drop_duplicates()
    return [
        None if missing else value
        for value, missing in zip(found.tolist(), found.isna(), strict=True)
    ]


def union(found: list[list[Any]]) -> list[Any]:
    """Return what is in any of the lists, once."""
    return list(dict.fromkeys(value for values in found for value in values))


def take(work: Work, partition: Any, number: int, start: int) -> tuple[int, dict[Segment, bytes]]:
    """Return the rows and pieces of a partition; `start` is the number of its first row."""
    arrow = importlib.import_module("pyarrow")
    table = arrow.Table.from_pandas(partition, preserve_index=False)
    if work.plan.columns.row_id == ROW_ID:
        numbers = np.arange(start, start + table.num_rows, dtype=np.int64)
        table = table.append_column(ROW_ID, arrow.array(numbers))
    return table.num_rows, merged_by_segment(work, pieces_of(work, table.to_batches(), number))


def merge(work: Work, shards: list[dict[Segment, bytes]]) -> dict[Segment, bytes]:
    """Return the pieces of several shards as those of one."""
    return merged_by_segment(work, (piece for shard in shards for piece in shard.items()))
