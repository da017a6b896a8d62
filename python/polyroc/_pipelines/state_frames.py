"""Rows of a frame, a file or a stream put into a state, batch by batch and on all cores.

A state depends on the rows alone, not on their order: each thread has a state of its own, to which
it adds whichever batch is next, and all of them are merged at the end. If a batch is refused, no
row of the frame has been taken.
"""

from __future__ import annotations

import os
import re
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import show
from polyroc._data.column_names import labels_of_columns, refuse_other_class
from polyroc._data.frames import side_by_side
from polyroc._data.numbers import exact_float64
from polyroc._data.row_weights import row_weights
from polyroc._pipelines.frame_batches import batches_of
from polyroc._pipelines.shard_rows import ENDING, numbers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from polyroc._base.types import Array, Codes, Floats
    from polyroc._pipelines.frame_columns import Columns
    from polyroc._pipelines.state import State


class Batch(NamedTuple):
    """Rows of a frame as a state takes them."""

    codes: Codes
    scores: Array | list[Array]  # a matrix, or columns that lie apart
    weights: Floats | None
    ids: Array | None


class Named:
    """Which columns of a frame hold what, for a state of such labels."""

    def __init__(
        self, labels: tuple[Any, ...], y_true: Hashable, y_score: list[Hashable],
        sample_weight: Hashable | None, row_id: Hashable | None,
    ) -> None:  # fmt: skip
        width = 2 if len(y_score) == 1 else len(y_score)
        if width != len(labels):
            raise ValueError(
                f"y_score names {len(y_score)} columns but the state has the {len(labels)} labels "
                f"{show(list(labels))}; name a column for each, in this order"
            )
        self.code_of = {label: code for code, label in enumerate(labels)}
        if len(y_score) > 1:  # names of classes in another order are refused
            every = np.fromiter(labels, dtype=object, count=len(labels))
            try:
                labels_of_columns(y_score, every, list(labels))
            except ValueError as error:
                raise ValueError(
                    f"y_score names {show(y_score)}, but the state's labels are "
                    f"{show(list(labels))}; name the columns in this order"
                ) from error
        else:
            refuse_other_class(y_score[0], labels, ENDING)
        self.y_true, self.y_score = y_true, y_score
        self.sample_weight, self.row_id = sample_weight, row_id

    @property
    def columns(self) -> list[Hashable]:
        """All of them."""
        told = [name for name in (self.sample_weight, self.row_id) if name is not None]
        return [self.y_true, *self.y_score, *told]

    def add(self, state: State, batch: Columns) -> None:
        """Add a batch to a state, which is thrown away if this fails."""
        codes, weights, ids = self._codes(batch), None, None
        arrays = [_floats(batch, name) for name in self.y_score]
        if self.sample_weight is not None:
            weights = row_weights(batch.numbers(self.sample_weight), len(codes))
        if self.row_id is not None:
            ids = numbers_of(batch.ids(self.row_id), f"column {show(self.row_id)}", len(codes))
        together = side_by_side(arrays)
        scores = _alike(arrays) if together is None else together
        try:
            state._add(Batch(codes, scores, weights, ids))
        except ValueError as error:
            for name in self.y_score:
                batch.numbers(name)  # what is NaN is told as what is null
            raise ValueError(self._told(str(error), batch.first_row)) from error

    def _told(self, words: str, first_row: int) -> str:
        """Return what the core says of a batch, with the names of columns and rows of the frame."""

        def place(found: re.Match[str]) -> str:
            argument, row, k = found["argument"], first_row + int(found["row"]), found["column"]
            names = [self.sample_weight] if argument == "sample_weight" else self.y_score
            if k is None and len(names) > 1:
                return f"row {row} of columns {show(names)}"
            return f"row {row} of column {show(names[int(k or 0)])}"

        return _PLACE.sub(place, words)

    def _codes(self, batch: Columns) -> Codes:
        """Return the class of each row."""
        integers = batch.integers(self.y_true)
        if integers is None:
            found, firsts = batch.coded(self.y_true)
            if (found < 0).any():
                row = batch.first_row + int((found < 0).argmax())
                raise ValueError(
                    f"column {show(self.y_true)} is null in row {row}; drop or label that row first"
                )
            values = batch.listed(self.y_true, firsts)
        else:
            found, distinct = _core.encode(y=integers, n_threads=1)
            values = distinct.tolist()
        code_of = np.empty(len(values), dtype=np.uint32)
        for k, value in enumerate(values):
            if value not in self.code_of:
                row = batch.first_row + int((found == k).argmax())
                raise ValueError(
                    f"column {show(self.y_true)} holds {show(value)} in row {row}, which is none "
                    f"of the state's labels {show(list(self.code_of))}"
                )
            code_of[k] = self.code_of[value]
        if found.dtype == code_of.dtype and np.array_equal(code_of, np.arange(len(values))):
            return found  # numbered as the state has them; looking every row up takes long
        return code_of.take(found)


# How the core names the place of what it refuses.
_PLACE = re.compile(r"(?P<argument>y_score|sample_weight)\[(?P<row>\d+)(?:, (?P<column>\d+))?\]")


def _floats(batch: Columns, name: Hashable) -> Array:
    """Return scores as floats of the type that they have, or else as float64 that are equal."""
    column = batch.numbers(name, nan=True)
    if column.dtype in (np.float32, np.float64):
        return column
    try:
        return exact_float64(column, "")
    except ValueError as error:
        row, rest = str(error).removeprefix("[").split("]", 1)
        place = f"row {batch.first_row + int(row)} of column {show(name)}"
        raise ValueError(place + rest) from error


def _alike(columns: list[Array]) -> list[Array]:
    """Return columns in one piece each and of one type, copied only if they have to be."""
    kind = np.result_type(*columns)
    return [np.ascontiguousarray(column, dtype=kind) for column in columns]


def parts_of_frame(
    empty: Callable[[], State], frame: Any, named: Named, threads: int
) -> list[State]:
    """Return states that have all rows of a frame together; `empty` makes one without rows."""
    count = threads or os.cpu_count() or 1
    own = [empty() for _ in range(count)]
    free: SimpleQueue[State] = SimpleQueue()
    for one in own:
        free.put(one)

    def take(batch: Columns) -> None:
        mine = free.get()
        try:
            named.add(mine, batch)
        finally:
            free.put(mine)

    waiting: deque[Future[None]] = deque()
    with ThreadPoolExecutor(count) as pool:
        for batch in batches_of(frame, named.columns):
            waiting.append(pool.submit(take, batch))
            if len(waiting) > count:  # no more batches in memory than are worked on, and one
                waiting.popleft().result()
        for done in waiting:
            done.result()
    return own
