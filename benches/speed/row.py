"""What a row of the speed tables is made of: sizes, contestants, targets, and units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from benches import report

if TYPE_CHECKING:
    from benches.speed.data import Labels, Scores


class Size(NamedTuple):
    """How much work: rows, classes and, for a bootstrap, replicates; segments of the rows."""

    n: int
    k: int = 2
    replicates: int = 0
    segments: int = 0


@dataclass(frozen=True)
class Task:
    """What a contestant is given."""

    y: Labels
    scores: Scores
    threads: int
    replicates: int = 0
    segments: int = 0


@dataclass(frozen=True)
class Answer:
    """What a contestant found; what is None is not compared.  Numbers, or arrays of numbers."""

    estimate: Any = None
    error: Any = None  # the standard error
    replicates: int = 0  # from so many replicates


Call = Callable[[], Any]  # gives an Answer, or an estimate alone
Prepare = Callable[[Task], Call]


@dataclass(frozen=True)
class Unit:
    """The figure of a contestant: its time, or something per time, or what its call returns."""

    text: Callable[[float], str]
    per: Callable[[Size], float] = lambda size: 1.0  # the time is divided by this
    name: str = ""
    limit: str = "time limit"
    timed: bool = True  # else the call itself returns the figure, and is called once


TIME = Unit(report.duration)
PER_ROW = Unit(
    report.nanoseconds, lambda size: size.n * size.replicates, "per row and replicate", "limit"
)
PER_CELL = Unit(
    report.nanoseconds,
    lambda size: size.n * size.k * size.replicates,
    "per row, column and replicate",
    "limit",
)
MEMORY = Unit(report.mebibytes, name="memory beyond the input", limit="memory limit", timed=False)


@dataclass(frozen=True)
class Rival:
    """A contestant; without a target, a limit or a bound it is shown for information only."""

    name: str
    prepare: Prepare
    target: float | None = None  # its figure is at least so many times polyroc's
    most: float | None = None  # and at most so many times: for what must not grow
    limit: float | None = None  # and below this
    size: Size | None = None  # its own work, where that is not the row's
    quick: Size | None = None  # the same with --quick
    replicates: int | None = None  # it does only so many, and its time is scaled up
    every: int = 1  # it does only every so-many-th segment, and its time is scaled up


@dataclass(frozen=True)
class Row:
    """One line of work, done by polyroc (``ours``) and by its rivals."""

    key: str
    measure: str
    size: Size
    quick: Size  # the same with --quick
    ours: Prepare
    rivals: tuple[Rival, ...] = ()
    limit: float | None = None  # what polyroc's figure must stay below
    unit: Unit = TIME
    tolerance: float = 1e-9  # by how much two estimates may differ
    sigmas: float = 6.0  # by how many of their own standard deviations two standard errors may
    data: Mapping[str, Any] = field(default_factory=dict)  # options of the data generator
    note: str = ""

    def describe(self, size: Size) -> str:
        """The work in words."""
        parts = [self.measure, f"n = {size.n:,}"]
        if size.k > 2:
            parts.append(f"{size.k:,} labels" if self.data.get("labels") else f"K = {size.k:,}")
        if self.data.get("decimals"):
            parts.append(f"{self.data['decimals']} decimals")
        if "dtype" in self.data:
            parts.append(str(self.data["dtype"]))
        if size.segments:
            parts.append(f"{size.segments:,} segments")
        if size.replicates:
            parts.append(f"{size.replicates:,} replicates")
        if self.unit.name:
            parts.append(self.unit.name)
        return ", ".join(parts)
