"""What is wrong with a row of a shard, found far away and told where the job was started.

A fault is part of what a shard returns and is no exception of its task: an engine would run a task
that raised again, some times over, and hand back the text of a traceback. Rows do not get better by
that.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show

if TYPE_CHECKING:
    from polyroc._base.types import Array

PLACE = "\0"  # stands in a text for where the row is, which the shard cannot know


class BadRow(Exception):
    """Raised and caught within a shard.

    `row` is that of the batch, -1 where no single row is to blame; `kind` says how an engine may
    find the row again: "null", "label", "value", or nothing. `value` is what the row has there, as
    other rows may be wrong in another way.
    """

    def __init__(
        self, text: str, kind: str = "", column: str = "", row: int = -1, value: Any = None
    ) -> None:
        super().__init__(text)
        self.text, self.kind, self.column, self.row = text, kind, column, row
        self.value = value if isinstance(value, (str, int, float)) else None  # what JSON can hold


class Fault(NamedTuple):
    """What is wrong, and where; of several, the first one is told."""

    partition: int
    row: int
    kind: str
    column: str
    text: str
    type_error: bool = False
    value: str | float | None = None

    def to_bytes(self) -> bytes:
        """Return the fault as bytes."""
        return json.dumps(self).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Fault:
        """Return the fault of such bytes."""
        return cls(*json.loads(data))

    def error(self, place: str) -> Exception:
        """Return what to raise; `place` says which row it is."""
        return (TypeError if self.type_error else ValueError)(self.text.replace(PLACE, place))


def null(column: str, row: int, way: str = "drop or fill that row first") -> BadRow:
    """Return what is wrong with a row that has no value."""
    return BadRow(f"column {show(column)} is null in {PLACE}; {way}", "null", column, row)


def require_numbers(column: str, values: Array) -> None:
    """Raise for the first NaN of a column."""
    missing = np.isnan(values)
    if missing.any():
        raise null(column, int(missing.argmax()))


def require_probabilities(column: str, values: Array) -> None:
    """Raise for the first score of a column that is no probability."""
    beyond = ~((values >= 0.0) & (values <= 1.0))
    if beyond.any():
        row = int(beyond.argmax())
        told = f"column {show(column)} is {show(values[row])} in {PLACE}, which is no probability"
        way = 'pass key="float" for other scores'
        raise BadRow(f"{told}; {way}", "value", column, row, float(values[row]))


def require_weights(column: str, values: Array) -> None:
    """Raise for the first weight that is none."""
    require_numbers(column, values)
    bad = ~((values >= 0.0) & np.isfinite(values))
    if bad.any():
        row = int(bad.argmax())
        told = f"column {show(column)} is {show(values[row])} in {PLACE}"
        way = "weights are finite and not below 0"
        raise BadRow(f"{told}; {way}", "value", column, row, float(values[row]))
