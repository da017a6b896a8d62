"""Segments of a frame: which rows have the same keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import show
from polyroc._pipelines.frame_columns import Coded

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from polyroc._base.types import Array, Codes

Spec = tuple["Hashable", ...]


class Segments(NamedTuple):
    """The segments of one spec, in ascending order of their keys, nulls last."""

    spec: Spec
    codes: Codes  # the segment of each row
    keys: list[list[Any]]  # of each column of the spec, one value per segment; None for a null

    @property
    def n_segments(self) -> int:
        """How many segments there are."""
        return len(self.keys[0]) if self.keys else 1


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
    if isinstance(part, (list, tuple)) or part is None or type(part).__hash__ is None:
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
        return Segments(spec, np.zeros(n_rows, dtype=np.uint32), [])
    codes: Array | None = None
    firsts: list[Array] = []  # of each column so far: the number of its value in each segment
    for name in spec:
        column = columns[name]
        size = len(column.values) + 1
        own = (
            np.where(column.codes < 0, size - 1, column.codes)
            if len(column.codes)
            else column.codes
        )
        # Numbers of what rows have so far stay small: below the rows times the values of a column.
        joined = own.astype(np.int64) if codes is None else codes.astype(np.int64) * size + own
        codes, found = _core.encode(y=joined, n_threads=threads)
        before, last = np.divmod(found, size)
        firsts = [*(first[before] for first in firsts), last]
    keys = [[*columns[name].values, None] for name in spec]  # nulls are the last number
    listed = [
        [values[k] for k in first.tolist()] for values, first in zip(keys, firsts, strict=True)
    ]
    return Segments(spec, np.asarray(codes, dtype=np.uint32), listed)


def rows_by_segment(segments: Segments) -> list[Array]:
    """Return the rows of each segment, in ascending order."""
    order = np.argsort(segments.codes, kind="stable")
    ends = np.cumsum(np.bincount(segments.codes, minlength=segments.n_segments))[:-1]
    return np.split(order, ends)
