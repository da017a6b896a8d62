"""What the studies of intervals and of tests share: runs, tables by family, pages."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from benches import machine, pages, report
from benches.studies import runs
from benches.studies.designs import families
from benches.studies.options import PACKAGES, QUICK_REPLICATES, QUICK_SETS, matching


class AnyLine(Protocol):
    """A line of a table, whatever it is about."""

    @property
    def family(self) -> str: ...

    @property
    def sets(self) -> int: ...

    @property
    def texts(self) -> list[str]: ...


_Line = TypeVar("_Line", bound=AnyLine)


class Asked(NamedTuple):
    """How much is run: `sets` and `replicates` of each design, by how many processes."""

    processes: int
    quick: bool
    sets: int | None
    replicates: int
    minutes: float = math.inf  # after which no more data sets are drawn


class Study(NamedTuple):
    """A study: all that it may run, how, and where its tables go."""

    page: Path
    header: Sequence[str]
    all_designs: Sequence[Any]
    sets_of: Callable[[Any], int]
    replicates: int
    drawn: str  # what replicates are called
    summary: Callable[[Sequence[Any], bool], str]
    marks: tuple[str, str] = ("summary", "figures")  # of their places on the page


def study(
    designs: Sequence[Any],
    asked: Asked,
    sets_of: Callable[[Any], int],
    run: Callable[[runs.Job], Any],
    lines: Callable[[Any, Sequence[Any], Asked], list[_Line]],
) -> list[_Line]:
    """Run designs; their lines, in order."""
    parts = []
    for design in designs:
        count = asked.sets or (QUICK_SETS if asked.quick else sets_of(design))
        parts.append(runs.parts(design, count, asked.replicates, asked.quick))
    found = runs.run(run, parts, asked.processes, asked.minutes)
    return [
        line
        for design, own in zip(designs, found, strict=True)
        for line in lines(design, own, asked)
    ]


def figures(found: Sequence[AnyLine], header: Sequence[str], markdown: bool) -> str:
    """A table for each family."""
    out = []
    for family in dict.fromkeys(line.family for line in found):
        texts = [line.texts for line in found if line.family == family]
        out.append(f"### {family}\n\n{report.table(header, texts, markdown=markdown)}\n")
    return "\n".join(out)


def carry_out(
    this: Study,
    options: argparse.Namespace,
    run_all: Callable[[Sequence[Any], Asked], Sequence[AnyLine]],
) -> int:
    """Run the chosen designs and print or write the tables; 2 if there is no such design."""
    few = options.quick and not options.only
    chosen = matching(families.few(this.all_designs) if few else this.all_designs, options.only)
    if options.list or not chosen:
        for design in this.all_designs:
            print(f"{design.key:90} {this.sets_of(design):5,} data sets")
        return 0 if options.list else 2
    about = machine.describe(options.processes, "processes", PACKAGES)
    start = time.monotonic()
    replicates = options.replicates or (QUICK_REPLICATES if options.quick else this.replicates)
    found = run_all(
        chosen,
        Asked(options.processes, options.quick, options.sets, replicates, options.minutes),
    )
    about[this.drawn] = f"{replicates:,} of each data set"
    counts = sorted({line.sets for line in found})
    about["data sets"] = " to ".join(f"{count:,}" for count in counts[:: len(counts) - 1 or 1])
    about["data sets"] += " a line"
    about["time"] = f"{(time.monotonic() - start) / 60:.1f} minutes"
    markdown = options.markdown or options.write
    top, below = this.summary(found, markdown), figures(found, this.header, markdown)
    below += "\n" + "\n".join(f"- {name}: {text}" for name, text in about.items())
    if options.write:
        pages.put(this.page, this.marks[0], top)
        pages.put(this.page, this.marks[1], below)
    else:
        print(f"{top}\n\n{below}")
    return 0
