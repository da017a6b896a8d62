"""A study that is one table, with a line for each of its designs."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benches import machine, pages, report
from benches.studies import runs
from benches.studies.options import PACKAGES


class OneTable(NamedTuple):
    """How data sets of a design are run, what its line says, and where the table goes."""

    page: Path
    mark: str  # of its place on the page
    header: Sequence[str]
    run: Callable[[runs.Job], Any]
    texts: Callable[[Any, Sequence[Any]], list[str]]


def carry_out(
    this: OneTable,
    designs: Sequence[Any],
    sets: int,
    replicates: int,
    options: argparse.Namespace,
) -> None:
    """Run the designs and print the table, or write it."""
    about, start = machine.describe(options.processes, "processes", PACKAGES), time.monotonic()
    parts = [runs.parts(design, sets, replicates, options.quick) for design in designs]
    found = runs.run(this.run, parts, options.processes, getattr(options, "minutes", math.inf))
    rows = [this.texts(design, own) for design, own in zip(designs, found, strict=True)]
    sets = min(sets, runs.PART * min(map(len, found)))
    each = f", {replicates:,} replicates each" if replicates else ""
    about["data sets"] = f"{sets:,} a line{each}"
    about["time"] = f"{(time.monotonic() - start) / 60:.1f} minutes"
    table = report.table(this.header, rows, markdown=options.markdown or options.write)
    text = f"{table}\n\n" + "\n".join(f"- {name}: {told}" for name, told in about.items())
    if options.write:
        pages.put(this.page, this.mark, text)
    else:
        print(text)
