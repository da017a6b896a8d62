"""Rows of a frame, a file or a stream put into a state, batch by batch and on all cores.

A state depends on the rows alone, not on their order: each thread has a state of its own, to which
it adds whichever batch is next, and all of them are merged at the end. If a batch is refused, no
row of the frame has been taken.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._data.column_names import labels_of_columns
from polyroc._data.frames import side_by_side
from polyroc._data.numbers import exact_float64
from polyroc._data.row_weights import row_weights
from polyroc._pipelines.frame_batches import batches_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from polyroc import _core
    from polyroc._base.types import Array, Codes
    from polyroc._pipelines.frame_columns import Columns


class Named:
    """Which columns of a frame hold what, for a state of such labels."""

    def __init__(
        self, labels: tuple[Any, ...], y_true: Hashable, y_score: list[Hashable],
        sample_weight: Hashable | None,
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
        self.y_true, self.y_score, self.sample_weight = y_true, y_score, sample_weight

    @property
    def columns(self) -> list[Hashable]:
        """All of them."""
        weight = [] if self.sample_weight is None else [self.sample_weight]
        return [self.y_true, *self.y_score, *weight]

    def add(self, state: _core.State, batch: Columns) -> None:
        """Add a batch to a state of the core."""
        codes = self._codes(batch)
        arrays = [_floats(batch.numbers(name), name) for name in self.y_score]
        weights = None
        if self.sample_weight is not None:
            weights = row_weights(batch.numbers(self.sample_weight), len(codes))
        scores = arrays[0] if len(arrays) == 1 else _matrix(arrays)
        state.update(scores=scores, codes=codes, weights=weights, n_threads=1)

    def _codes(self, batch: Columns) -> Codes:
        """Return the class of each row."""
        found, firsts = batch.coded(self.y_true)
        if (found < 0).any():
            row = batch.first_row + int((found < 0).argmax())
            raise ValueError(
                f"column {show(self.y_true)} is null in row {row}; drop or label that row first"
            )
        code_of = np.empty(len(firsts), dtype=np.uint32)
        for k, (value, first) in enumerate(
            zip(batch.listed(self.y_true, firsts), firsts.tolist(), strict=True)
        ):
            if value not in self.code_of:
                raise ValueError(
                    f"column {show(self.y_true)} holds {show(value)} in row "
                    f"{batch.first_row + first}, which is none of the state's labels "
                    f"{show(list(self.code_of))}"
                )
            code_of[k] = self.code_of[value]
        return code_of[found]


def _floats(column: Array, name: Hashable) -> Array:
    """Return scores as floats of the type that they have, or else as float64 that are equal."""
    plain = column.dtype in (np.float32, np.float64)
    return column if plain else exact_float64(column, f"column {show(name)}")


def _matrix(columns: list[Array]) -> Array:
    """Return columns side by side."""
    together = side_by_side(columns)
    return np.stack(columns).T if together is None else together


def state_of_frame(
    empty: Callable[[], _core.State], frame: Any, named: Named, threads: int
) -> _core.State:
    """Return a state of all rows of a frame; `empty` makes one without rows."""
    count = threads or os.cpu_count() or 1
    own = [empty() for _ in range(count)]
    free: SimpleQueue[_core.State] = SimpleQueue()
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
    for one in own[1:]:
        own[0].merge(one)
    return own[0]
