"""The command line from end to end: ``python -m benches.speed.command_line``.

A Parquet file of a million rows and ten classes is written once.  Then ``polyroc evaluate`` reads
it, draws a thousand replicates and writes the report, in a process of its own, as a user runs it.
Allowed: 20 s on two cores; and in memory what a process takes that has imported polars and read
the header, three times the columns that are read, and the engine's budget, which `evaluate` sets.
Linux and macOS.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benches import report
from benches.speed import data, figures

SECONDS = 20.0
_MODULE = "benches.speed.command_line"
_BASE = "import polars, sys; import polyroc._cli.commands; polars.read_parquet_schema(sys.argv[1])"


@dataclass(frozen=True)
class Ran:
    """What a process took: time on the clock, time of all its threads, and bytes at its most."""

    seconds: float
    processor: float
    memory: int


def run(*command: str) -> Ran:
    """Run a command, and see what it took."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(said.strip() or f"exit code {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Ran(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def write(path: str, n: int, k: int) -> None:
    """Write the predictions."""
    import polars as pl

    y, scores = data.many_classes(n, k)
    pl.DataFrame({"y": y, **{f"p_{c}": scores[:, c] for c in range(k)}}).write_parquet(path)


def _yes(kept: bool) -> str:
    return "yes" if kept else "NO"


def main() -> int:
    """Print what the command takes; 1 if it is more than allowed."""
    from polyroc._report.evaluate import ROOM

    parser = argparse.ArgumentParser(description="the command line from a file to a report")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--classes", type=int, default=10)
    parser.add_argument("--replicates", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=3, help="the best one counts")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--write", action="store_true", help="put the table into FIGURES.md")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, page = Path(folder) / "x.parquet", Path(folder) / "report.html"
        # Elsewhere: the most that a child has counts what its parent had when it was started.
        call = f"write({str(path)!r}, {asked.rows}, {asked.classes})"
        run(sys.executable, "-c", f"from {_MODULE} import write; {call}")
        columns = 8 * asked.rows * (asked.classes + 1)
        base = run(sys.executable, "-c", _BASE, str(path)).memory
        command = [sys.executable, "-m", "polyroc", "evaluate", str(path), "--label", "y",
                   "--scores", "p_*", "--bootstrap", str(asked.replicates), "--seed", "7",
                   "--report", str(page)]  # fmt: skip
        turns = [run(*command) for _ in range(asked.turns)]
        size = page.stat().st_size
    best, most = min(turn.seconds for turn in turns), max(turn.memory for turn in turns)
    allowed = base + 3 * columns + ROOM
    in_time, in_memory = best <= SECONDS, most <= allowed
    lines = [
        ["time", f"{best:.1f} s", f"{SECONDS:.0f} s", _yes(in_time)],
        ["time of all threads", f"{min(turn.processor for turn in turns):.1f} s", "", ""],
        ["memory", report.mebibytes(most), report.mebibytes(allowed), _yes(in_memory)],
        ["of it with polars imported", report.mebibytes(base), "", ""],
        ["the page", f"{size / 1000:.0f} kB", "", ""],
    ]
    work = f"evaluate, n = {asked.rows:,}, K = {asked.classes}, {asked.replicates:,} replicates"
    header = [work, "took", "allowed", "kept"]
    print(report.table(header, lines, markdown=asked.markdown))
    if asked.write:
        figures.put(figures.PAGE, "command line", report.table(header, lines, markdown=True))
    return int(not (in_time and in_memory))


if __name__ == "__main__":
    sys.exit(main())
