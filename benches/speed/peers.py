"""polyroc beside what users run today: ``python -m benches.speed.peers``.

Tables (``tables/``): measures computed once, their bootstrap, their closed-form errors and
comparisons, curves, volumes of all classes at once, and segments of a frame.  All contestants of a
row work on the same arrays in the same process, except where a row is about other sizes or
processes.  Each answers once, and the answers are compared; who answers differently is not timed.
Then they take turns, so that a noisy moment hits all alike, and the best turn of each counts.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benches import machine, report
from benches.speed import ceiling, figures
from benches.speed.race import Entry, race
from benches.speed.row import Row
from benches.speed.tables import (
    bootstrap,
    curves,
    engines,
    errors,
    measures,
    parquet,
    pipelines,
    segments,
    small_calls,
    volumes,
)

TABLES = {
    "measures": measures.ROWS,
    "bootstrap": bootstrap.ROWS,
    "errors": errors.ROWS,
    "curves": curves.ROWS,
    "volumes": volumes.ROWS,
    "segments": segments.ROWS,
    "pipelines": pipelines.ROWS,
    "parquet": parquet.ROWS,
    "engines": engines.ROWS,
    "small calls": small_calls.ROWS,
}
_HEADER = ["work", "polyroc", "rival", "time", "ratio", "target", "reached"]


def _figure(row: Row, entry: Entry) -> str:
    """A contestant's figure as text."""
    if entry.problem:
        return entry.problem
    text = row.unit.text(entry.figure)
    if entry.scale != 1.0:
        done = (entry.size.replicates or entry.size.segments) / entry.scale
        text += f", scaled from {round(done):,}"
    return f"{text}, best of {entry.turns}" if row.unit.timed else text


def verdict(row: Row, entry: Entry, ours: Entry) -> tuple[str, bool | None]:
    """What a contestant's figure has to be, and whether it is; None if nobody asked."""
    wanted, reached = [], []
    times = entry.figure / ours.figure
    rival = entry.rival
    if rival.limit is not None:
        wanted.append(f"< {row.unit.text(rival.limit)}")
        reached.append(entry.figure < rival.limit)
    if rival.target is not None:
        # To be as fast is not to be faster.
        wanted.append("> 1x" if rival.target == 1.0 else f">= {rival.target:.4g}x")
        reached.append(times >= rival.target and (times > 1.0 or rival.target < 1.0))
    if rival.most is not None:
        wanted.append(f"<= {rival.most:g}x")
        reached.append(times <= rival.most)
    known = reached and not (entry.problem or ours.problem)
    return ", ".join(wanted), all(reached) if known else None


def lines(row: Row, entries: list[Entry], *, quick: bool) -> list[list[str]]:
    """The row's lines in the printed table."""
    ours, *others = entries
    first = [row.describe(ours.size), _figure(row, ours)]
    out = []
    for entry in entries:
        if entry is ours and others and row.limit is None:
            continue
        target, reached = verdict(row, entry, ours)
        word = "" if reached is None else "yes" if reached else "NO"
        cells = [row.unit.limit, "", ""] if entry is ours else [entry.name, _figure(row, entry), ""]
        if not (entry is ours or entry.problem or ours.problem):
            cells[2] = report.ratio(entry.figure / ours.figure)
        out.append([*first, *cells, target, f"({word})" if quick and word else word])
        first = ["", ""]
    return out


def _plain(value: Any) -> Any:
    return None if value is None else np.asarray(value).tolist()


def record(table: str, row: Row, entries: list[Entry]) -> dict[str, Any]:
    """The row for --json; ``figure`` is in seconds (or bytes), scaled, in the row's unit."""
    contestants = []
    for entry in entries:
        target, reached = verdict(row, entry, entries[0])
        good = not entry.problem
        contestants.append(
            {
                "name": entry.name,
                "work": row.describe(entry.size),
                "seconds": entry.seconds if good else None,
                "figure": entry.figure if good else None,
                "scale": entry.scale,
                "turns": entry.turns,
                "answer": _plain(entry.answer.estimate),
                "standard_error": _plain(entry.answer.error),
                "target": target or None,
                "reached": reached,
                "problem": entry.problem or None,
            }
        )
    size = entries[0].size
    return {
        "table": table,
        "key": row.key,
        "work": row.describe(size),
        **size._asdict(),
        "contestants": contestants,
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="polyroc beside what users run today")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, some minutes")
    parser.add_argument("--only", metavar="PATTERN", help="rows whose key matches, e.g. 'mu-*'")
    parser.add_argument("--list", action="store_true", help="print the keys of the rows and stop")
    parser.add_argument("--turns", type=int, default=9, help="turns after the first (9)")
    parser.add_argument(
        "--budget", type=float, default=30.0, help="seconds a contestant; 3 turns in any case (30)"
    )
    parser.add_argument("--threads", type=int, help="for all that can use them (2, or all cores)")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--write", action="store_true", help="put all into FIGURES.md and README")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    asked = parser.parse_args()
    if asked.write and (asked.quick or asked.only):
        parser.error("--write is for all rows at full size; leave out --quick and --only")
    return asked


def _run(
    name: str, chosen: list[Row], threads: int, arguments: argparse.Namespace
) -> dict[str, list[Entry]]:
    """Run and print one table, and write it where asked; the contestants of its rows by key."""
    printed: list[list[str]] = []
    entered = {}
    for row in chosen:
        print(f"{row.key} ...", file=sys.stderr, flush=True)
        entries = race(
            row,
            quick=arguments.quick,
            threads=threads,
            turns=arguments.turns,
            budget=arguments.budget,
        )
        printed += lines(row, entries, quick=arguments.quick)
        entered[row.key] = entries
    notes = [f"- {row.measure}: {row.note}" for row in chosen if row.note]
    print(f"**{name}**\n" if arguments.markdown else name.upper())
    print(report.table(_HEADER, printed, markdown=arguments.markdown), end="\n\n")
    print(*notes, sep="\n")
    if arguments.write:
        table = report.table(_HEADER, printed, markdown=True)
        figures.put(figures.PAGE, name, "\n".join([table, "", *notes]))
    return entered


def main() -> int:
    """Run the chosen rows and print the tables; 1 if any answer was wrong, or missing."""
    arguments = _arguments()
    pattern = arguments.only or "*"
    chosen = {
        name: [row for row in table if fnmatch.fnmatch(row.key, pattern)]
        for name, table in TABLES.items()
    }
    if arguments.list or not any(chosen.values()):
        for row in (row for table in TABLES.values() for row in table):
            print(f"{row.key:14} {row.describe(row.size)}")
        return 0 if arguments.list else 2
    if arguments.write:
        figures.check(TABLES)
    threads = arguments.threads or min(2, len(os.sched_getaffinity(0)))
    os.environ["POLARS_MAX_THREADS"] = str(threads)  # read when polars is first imported
    about = machine.describe(threads)
    if threads > 1:
        about["threads"] = ceiling.describe(threads)
    records = []
    entered: dict[str, list[Entry]] = {}
    for name, table in chosen.items():
        if table:
            ran = _run(name, table, threads, arguments)
            records += [record(name, row, ran[row.key]) for row in table]
            entered |= ran
    if arguments.quick:
        print("- quick sizes; the targets are meant for the full sizes")
    said = "\n".join(f"- {name}: {text}" for name, text in about.items())
    print(said)
    if arguments.write:
        figures.put(figures.PAGE, "machine", said)
        rows = {row.key: row for table in TABLES.values() for row in table}
        figures.put_readme(rows, entered, about)
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": about, "rows": records}, indent=1))
    problems = [c["problem"] or "" for record in records for c in record["contestants"]]
    return int(any(problem.startswith(("WRONG", "FAILED")) for problem in problems))


if __name__ == "__main__":
    sys.exit(main())
