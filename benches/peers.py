"""polyroc beside what users run today: ``python benches/peers.py``.

All contestants of a row work on the same arrays in the same process.  Each answers once, and
the answers are compared; who answers differently is not timed.  Then they take turns, so that
a noisy moment hits all alike, and the best turn of each counts.
"""

from __future__ import annotations

import argparse
import fnmatch
import gc
import json
import os
import sys
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import data
import numpy as np
import report
from rows import ROWS, Row

if TYPE_CHECKING:
    from rivals import Call, Prepare, Result

_OURS = "polyroc"
_TURN = 0.02  # seconds: a call shorter than this is repeated within a turn
_LEAST = 3  # turns that even the slowest contestant gets


@dataclass
class Entry:
    """One contestant in one row."""

    name: str
    target: float | None
    call: Call | None = None
    answer: Result = None
    seconds: float = float("inf")
    turns: int = 0
    spent: float = 0.0
    problem: str = ""

    def turn(self) -> None:
        """Time one turn; the mean over it if the call is short."""
        assert self.call is not None
        calls = 1 if self.seconds > _TURN else max(1, round(_TURN / self.seconds))
        start = time.perf_counter()
        for _ in range(calls):
            self.answer = self.call()
        taken = time.perf_counter() - start
        self.seconds = min(self.seconds, taken / calls)
        self.spent += taken
        self.turns += 1


@lru_cache(maxsize=1)  # neighbouring rows share their data; one set at a time fits in memory
def _data(n: int, k: int, options: tuple[tuple[str, Any], ...]) -> tuple[Any, Any]:
    if k == 2:
        return data.two_classes(n, **dict(options))
    return data.many_classes(n, k, **dict(options))


def _start(name: str, target: float | None, prepare: Prepare, args: tuple[Any, ...]) -> Entry:
    """Prepare a contestant and take its first answer, which also warms it up."""
    entry = Entry(name, target)
    try:
        entry.call = prepare(*args)
        entry.turn()
    except ImportError as error:
        entry.problem = f"not installed ({error.name})"
    return entry


def race(row: Row, *, quick: bool, threads: int, turns: int, budget: float) -> list[Entry]:
    """Answers, their comparison, and the timed turns of one row; polyroc comes first."""
    size = row.quick if quick else row.size
    args = (*_data(*size, tuple(sorted(row.data.items()))), threads)
    entries = [_start(_OURS, None, row.ours, args)]
    entries += [_start(rival.name, rival.target, rival.prepare, args) for rival in row.rivals]
    running = [entry for entry in entries if not entry.problem]
    if not running:
        return entries
    # The first rival is the judge (scikit-learn wherever it can run at all).
    truth = (running[1] if running[0].name == _OURS and len(running) > 1 else running[0]).answer
    for entry in running:
        gap = float(np.max(np.abs(np.asarray(entry.answer) - np.asarray(truth))))
        if not gap <= row.tolerance:
            entry.problem = f"WRONG: {entry.answer!r} against {truth!r}"
    running = [entry for entry in running if not entry.problem]
    gc.collect()
    gc.disable()
    try:
        for shift in range(turns):
            for place in range(len(running)):
                entry = running[(place + shift) % len(running)]
                if entry.turns < _LEAST or entry.spent + entry.seconds <= budget:
                    entry.turn()
    finally:
        gc.enable()
    return entries


def lines(row: Row, entries: list[Entry], *, quick: bool) -> list[list[str]]:
    """The row's lines in the printed table."""
    ours, *others = entries
    work = row.describe(row.quick if quick else row.size)
    mine = ours.problem or f"{report.duration(ours.seconds)}, best of {ours.turns}"
    out = []

    def verdict(reached: bool) -> str:
        word = "yes" if reached else "NO"
        return f"({word})" if quick else word

    if row.limit is not None:
        reached = "" if ours.problem else verdict(ours.seconds < row.limit)
        out.append([work, mine, "time limit", "", "", f"< {report.duration(row.limit)}", reached])
    for entry in others:
        sign = ">" if entry.target == 1.0 else ">="  # to be as fast is not to be faster
        target = "" if entry.target is None else f"{sign} {entry.target:g}x"
        taken = entry.problem or f"{report.duration(entry.seconds)}, best of {entry.turns}"
        cells = [work, mine, entry.name, taken]
        if entry.problem or ours.problem:
            out.append([*cells, "", target, ""])
            continue
        times = entry.seconds / ours.seconds
        reached = ""
        if entry.target is not None:
            reached = verdict(times >= entry.target and times > 1.0)
        out.append([*cells, report.ratio(times), target, reached])
    for line in out[1:]:
        line[0] = line[1] = ""
    return out


def record(row: Row, entries: list[Entry], *, quick: bool) -> dict[str, Any]:
    """The row for --json."""
    n, k = row.quick if quick else row.size
    contestants = [
        {
            "name": entry.name,
            "seconds": None if entry.problem else entry.seconds,
            "turns": entry.turns,
            "answer": np.asarray(entry.answer).tolist() if entry.call else None,
            "target": entry.target,
            "problem": entry.problem or None,
        }
        for entry in entries
    ]
    return {
        "key": row.key,
        "work": row.describe((n, k)),
        "n": n,
        "k": k,
        "limit": row.limit,
        "contestants": contestants,
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="polyroc beside what users run today")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, about a minute")
    parser.add_argument("--only", metavar="PATTERN", help="rows whose key matches, e.g. 'mu-*'")
    parser.add_argument("--list", action="store_true", help="print the keys of the rows and stop")
    parser.add_argument("--turns", type=int, default=9, help="turns after the first (9)")
    parser.add_argument(
        "--budget", type=float, default=30.0, help="seconds a contestant; 3 turns in any case (30)"
    )
    parser.add_argument("--threads", type=int, help="for all that can use them (2, or all cores)")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    return parser.parse_args()


def main() -> int:
    """Run the chosen rows and print the table; 1 if any answer was wrong."""
    arguments = _arguments()
    chosen = [row for row in ROWS if fnmatch.fnmatch(row.key, arguments.only or "*")]
    if arguments.list or not chosen:
        print("\n".join(f"{row.key:12} {row.describe(row.size)}" for row in ROWS))
        return 0 if arguments.list else 2
    threads = arguments.threads or min(2, len(os.sched_getaffinity(0)))
    os.environ["POLARS_MAX_THREADS"] = str(threads)  # read when polars is first imported
    machine = report.machine(threads)
    printed: list[list[str]] = []
    records = []
    wrong = False
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
        records.append(record(row, entries, quick=arguments.quick))
        wrong |= any(entry.problem.startswith("WRONG") for entry in entries)
    header = ["work", "polyroc", "rival", "time", "ratio", "target", "reached"]
    print(report.table(header, printed, markdown=arguments.markdown), end="\n\n")
    notes = [row.note for row in chosen if row.note]
    if arguments.quick:
        notes.append("quick sizes; the targets are meant for the full sizes")
    for note in notes:
        print(f"- {note}")
    for name, text in machine.items():
        print(f"- {name}: {text}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": machine, "rows": records}, indent=1))
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
