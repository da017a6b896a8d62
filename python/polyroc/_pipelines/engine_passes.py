"""The two passes over a shard, and how what shards return is added up.

A shard returns *pieces*: for each segment that it has rows of, the bytes of a state (first pass) or
of sums of influence values (second pass). Pieces of one segment are merged in any order, in any
tree, with the same bytes in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from polyroc._pipelines.engine_fault import BadRow, Fault
from polyroc._pipelines.engine_plan import Plan
from polyroc._pipelines.engine_rows import Rows, blame, parts_of, rows_of, tables_of
from polyroc._pipelines.influence_sums import InfluenceSums
from polyroc._pipelines.influence_tables import InfluenceTables
from polyroc._pipelines.state import State

if TYPE_CHECKING:
    from typing import TypeAlias

FAULTY = -1

# Bytes of states whose tables a task keeps for rows to come. Packed; in use they take some twenty
# times as much.
_MOST_HELD = 1 << 24


@dataclass(frozen=True)
class Segment:
    """Which rows: the number of a spec, and the keys that they have in common.

    No tuple: Dask's messages turn those that have names into those that have none.
    """

    spec: int  # FAULTY stands for what is wrong with a shard
    keys: tuple[Any, ...] = ()


EVERYTHING = Segment(0)  # all rows: the first spec of every plan

Pieces: TypeAlias = "Iterator[tuple[Segment, bytes]]"


class Work(Protocol):
    """A pass over the rows."""

    title: str  # as engines show it

    @property
    def plan(self) -> Plan:
        """Return what every shard is told."""

    @property
    def looks_at_ids(self) -> bool:
        """Tell whether numbers of rows, where a column of them was asked for, have to be right."""

    def start(self, segment: Segment) -> Any:
        """Return what takes the rows of a segment; None if nothing does."""

    def update(self, taken: Any, rows: Rows) -> None:
        """Take rows."""

    def held(self, segment: Segment) -> int:
        """Return how many bytes of another pass are kept with a segment's rows."""

    def merged(self, segment: Segment, pieces: Iterable[bytes]) -> bytes:
        """Return pieces of one segment as one."""


@dataclass(frozen=True)
class Count:
    """The first pass: counts by score."""

    plan: Plan
    title = "counts by score, the first pass"

    @property
    def looks_at_ids(self) -> bool:
        """Tell whether rows are sampled."""
        return self.plan.state().sample_rows is not None

    def start(self, segment: Segment) -> State:
        """Return what takes the rows of a segment."""
        return self.plan.state()

    def update(self, state: State, rows: Rows) -> None:
        """Take rows."""
        state.update(
            rows.codes, rows.scores, sample_weight=rows.weights, row_id=rows.ids,
            n_threads=self.plan.n_threads,
        )  # fmt: skip

    def held(self, segment: Segment) -> int:
        """Return 0: states are no larger than the rows that they have taken."""
        return 0

    def merged(self, segment: Segment, pieces: Iterable[bytes]) -> bytes:
        """Return pieces of one segment as one."""
        total: State | None = None
        for piece in pieces:
            state = State.from_bytes(piece)
            total = state if total is None else total.merge(state)
        assert total is not None
        return total.to_bytes()


@dataclass
class Influence:
    """The second pass: sums of how much each row moves the measures of its segments."""

    plan: Plan
    states: dict[Segment, bytes]  # of the first pass: those whose errors are asked for
    n_resamples: int  # 0 for closed-form errors
    seed: int
    beside: bool  # whether segments are looked at beside all rows
    title = "influence values, the second pass"
    looks_at_ids = True

    @cached_property
    def whole(self) -> InfluenceTables:
        """Tables of all rows: made once by each task, and shared by the segments beside them."""
        return self._tables(EVERYTHING, None)

    def tables(self, segment: Segment) -> InfluenceTables:
        """Return what rows of a segment are looked up in."""
        if segment == EVERYTHING:
            return self.whole
        return self._tables(segment, self.whole if self.beside else None)

    def _tables(self, segment: Segment, whole: InfluenceTables | None) -> InfluenceTables:
        return InfluenceTables(
            State.from_bytes(self.states[segment]),
            groups=self.plan.columns.groups is not None,
            n_resamples=self.n_resamples,
            seed=self.seed,
            whole=whole,
        )

    def start(self, segment: Segment) -> InfluenceSums | None:
        """Return what takes the rows of a segment; None if nothing is asked about it."""
        return InfluenceSums(self.tables(segment)) if segment in self.states else None

    def update(self, sums: InfluenceSums, rows: Rows) -> None:
        """Take rows."""
        sums.update(
            rows.codes, rows.scores, sample_weight=rows.weights, row_id=rows.ids,
            groups=rows.groups, n_threads=self.plan.n_threads,
        )  # fmt: skip

    def held(self, segment: Segment) -> int:
        """Return the bytes of the first pass's state."""
        return len(self.states.get(segment, b""))

    def total(self, segment: Segment, pieces: Iterable[bytes]) -> InfluenceSums:
        """Return the sums of all pieces of a segment."""
        tables = self.tables(segment)
        total = InfluenceSums(tables)
        for piece in pieces:
            total.merge(InfluenceSums.from_bytes(piece, tables))
        return total

    def merged(self, segment: Segment, pieces: Iterable[bytes]) -> bytes:
        """Return pieces of one segment as one."""
        return self.total(segment, pieces).to_bytes()


def pieces_of(work: Work, batches: Iterable[Any], partition: int = -1) -> Pieces:
    """Return pieces of each segment of a shard, or a single one that says what is wrong."""
    plan, taken, ready = work.plan, dict[Segment, Any](), list[tuple[Segment, bytes]]()
    before, held, table = 0, 0, None
    try:
        for table in tables_of(batches, len(plan.columns.y_score), len(plan.specs) > 1):
            for segment, rows in _by_segment(plan, table):
                if segment not in taken:
                    taken[segment] = work.start(segment)
                    held += work.held(segment)
                one = taken[segment]
                if one is not None:
                    work.update(one, rows)
                if held > _MOST_HELD and segment != EVERYTHING:
                    ready += _pieces(taken)
                    taken, held = {}, 0
            before += table.num_rows
    except BadRow as bad:
        fault = _fault(bad, partition, before)
    except TypeError as error:
        fault = _fault(BadRow(str(error)), partition, before)._replace(type_error=True)
    except ValueError as error:
        fault = _fault(blame(plan, table, error), partition, before)
    else:
        yield from ready
        yield from _pieces(taken)
        return
    yield Segment(FAULTY), fault.to_bytes()


def _pieces(taken: dict[Segment, Any]) -> Pieces:
    return ((segment, one.to_bytes()) for segment, one in taken.items() if one is not None)


def _fault(bad: BadRow, partition: int, before: int) -> Fault:
    row = bad.row if bad.row < 0 else before + bad.row
    return Fault(partition, row, bad.kind, bad.column, bad.text, value=bad.value)


def _by_segment(plan: Plan, table: Any) -> Iterator[tuple[Segment, Rows]]:
    """Return the rows of each segment of a table, spec by spec."""
    rows = rows_of(plan, table)
    for number, spec in enumerate(plan.specs):
        if not spec:
            yield Segment(number), _with_weight(rows)
            continue
        parts = parts_of(table, spec)
        ordered, start = rows.take(parts.order), 0
        for keys, stop in zip(parts.keys, parts.ends, strict=True):
            yield Segment(number, keys), _with_weight(ordered.take(slice(start, stop)))
            start = stop


def _with_weight(rows: Rows) -> Rows:
    """Return the rows that count; a segment that has none of them is a segment nevertheless."""
    if rows.weights is None or rows.weights.all():
        return rows
    return rows.take(rows.weights != 0.0)


def merged(work: Work, segment: Segment, pieces: list[bytes]) -> bytes:
    """Return pieces of one segment as one; of faults the first."""
    if len(pieces) == 1:
        return pieces[0]
    if segment.spec == FAULTY:
        return min(map(Fault.from_bytes, pieces)).to_bytes()
    return work.merged(segment, pieces)


def merged_by_segment(work: Work, pieces: Iterable[tuple[Segment, bytes]]) -> dict[Segment, bytes]:
    """Return one piece of each segment that there are pieces of."""
    gathered: dict[Segment, list[bytes]] = {}
    for segment, piece in pieces:
        gathered.setdefault(segment, []).append(piece)
    return {segment: merged(work, segment, several) for segment, several in gathered.items()}
