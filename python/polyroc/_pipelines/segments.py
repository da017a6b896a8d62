"""Segments of a frame: which rows have the same keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import show
from polyroc._pipelines.frame_columns import Coded, can_be_name, first_rows

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from polyroc._base.types import Array, Codes

Spec = tuple["Hashable", ...]


class Segments(NamedTuple):
    """The segments of one spec, in ascending order of their keys, nulls last."""

    spec: Spec
    codes: Codes  # the segment of each row
    firsts: Array  # the first row of each segment, whose keys are those of the segment

    @property
    def n_segments(self) -> int:
        """How many segments there are."""
        return len(self.firsts)


def specs_of(by: Any) -> list[Spec]:
    """Return which columns part the rows: a tuple of names for each way of doing so.

    A name is one way, a list of names too; a list with a list or a tuple in it lists several.
    """
    if not isinstance(by, (list, tuple)):
        return [(_name(by),)]
    if not any(isinstance(part, (list, tuple)) for part in by):
        return [tuple(map(_name, by))]
    specs = [
        tuple(map(_name, part)) if isinstance(part, (list, tuple)) else (_name(part),)
        for part in by
    ]
    for k, spec in enumerate(specs):
        if spec in specs[:k]:
            raise ValueError(f"by holds {show(list(spec))} twice; name every segmentation once")
    return specs


def _name(part: Any) -> Hashable:
    if isinstance(part, (list, tuple)) or part is None or not can_be_name(part):
        raise TypeError(
            f"by holds {part!r}; pass a column, a list of columns, or a list of such lists"
        )
    name: Hashable = part
    return name


def columns_of(specs: list[Spec]) -> list[Hashable]:
    """Return the columns of all specs, each once, in the order they come in."""
    for spec in specs:
        if len(set(spec)) < len(spec):
            raise ValueError(f"by holds a column twice in {show(list(spec))}; name it once")
    return list(dict.fromkeys(name for spec in specs for name in spec))


def segments_of(
    spec: Spec, columns: Mapping[Hashable, Coded], n_rows: int, threads: int
) -> Segments:
    """Return the segments of a spec, one for every combination of keys that has rows."""
    if not spec:
        return everything(n_rows)
    column = columns[spec[0]]
    if len(spec) == 1 and not (column.codes < 0).any():
        return Segments(spec, column.codes.astype(np.uint32, copy=False), column.firsts)
    codes: Array = np.zeros(n_rows, dtype=np.int64)
    for k, name in enumerate(spec):
        column = columns[name]
        size = len(column.firsts)
        own = np.where(column.codes < 0, size, column.codes)  # nulls are the last number
        if k == 0:
            codes = own
        else:
            # Numbers of what rows have so far stay below the rows times the values of a column.
            codes, _ = _core.encode(y=codes.astype(np.int64) * (size + 1) + own, n_threads=threads)
    firsts = first_rows(codes, int(codes.max()) + 1)
    return Segments(spec, codes.astype(np.uint32), firsts)


def everything(n_rows: int) -> Segments:
    """Return all rows as one segment."""
    return Segments((), np.zeros(n_rows, dtype=np.uint32), np.zeros(1, dtype=np.int64))


class RowsBySegment:
    """The rows of each segment, in ascending order."""

    def __init__(self, segments: Segments) -> None:
        self.order = np.argsort(segments.codes, kind="stable")
        sizes = np.bincount(segments.codes, minlength=segments.n_segments)
        self.bounds = np.append(0, np.cumsum(sizes))

    def of(self, segment: int) -> Array:
        """Return the rows of a segment."""
        return self.order[self.bounds[segment] : self.bounds[segment + 1]]
