"""Two builds of polyroc side by side: ``python -m benches.speed.builds OLD NEW``.

OLD and NEW are the interpreters of environments that hold one build each.  Every row of the speed
tables is done by both, in processes of their own that take turns, so that a noisy moment hits both
alike; the best turn of each counts.  For use before and after a change that must not cost speed.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import subprocess
import sys
from typing import Any

from benches import report


def serve() -> None:
    """Do rows as they are asked for: a key prepares one, an empty line takes a turn."""
    from benches.speed.peers import TABLES
    from benches.speed.race import _start
    from benches.speed.row import Rival

    rows = {row.key: row for table in TABLES.values() for row in table}
    entry: Any = None
    for line in sys.stdin:
        key, _, quick = line.strip().partition(" ")
        if key:
            row = rows[key]
            entry = _start(row, Rival("", row.ours), quick=bool(quick), threads=os.cpu_count() or 1)
        elif not entry.problem:
            entry.turn(row)
        print(entry.problem or entry.seconds, flush=True)


class Build:
    """A process with one build."""

    def __init__(self, python: str) -> None:
        command = [python, "-m", "benches.speed.builds", "--serve"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, line: str) -> str:
        """Send a line and wait for the answer."""
        process = self.process
        into, out = process.stdin, process.stdout
        assert into is not None
        assert out is not None
        into.write(line + "\n")
        into.flush()
        return out.readline().strip()


def compare(key: str, builds: list[Build], turns: int, *, quick: bool) -> list[str]:
    """Return a line of the table: the row, both times, and their ratio."""
    answers = [build.ask(f"{key} quick" if quick else key) for build in builds]
    for turn in range(turns):
        order = (0, 1) if turn % 2 else (1, 0)
        for k in order:
            answers[k] = builds[k].ask("")
    try:
        old, new = (float(answer) for answer in answers)
    except ValueError:
        return [key, *answers, ""]
    return [key, report.duration(old), report.duration(new), report.ratio(new / old)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="two builds of polyroc side by side")
    parser.add_argument("old", nargs="?", help="the interpreter with the old build")
    parser.add_argument("new", nargs="?", help="the interpreter with the new build")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="rows whose key matches")
    parser.add_argument("--turns", type=int, default=9, help="turns of each build (9)")
    parser.add_argument("--quick", action="store_true", help="smaller sizes")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve()
    if not (options.old and options.new):
        parser.error("name two interpreters")
    from benches.speed.peers import TABLES

    builds = [Build(options.old), Build(options.new)]
    for table in TABLES.values():
        for row in table:
            if row.unit.timed and fnmatch.fnmatch(row.key, options.only):
                cells = compare(row.key, builds, options.turns, quick=options.quick)
                print("  ".join(f"{cell:<24}" for cell in cells).rstrip(), flush=True)
    for build in builds:
        if build.process.stdin is not None:
            build.process.stdin.close()
        build.process.wait()
    return None


if __name__ == "__main__":
    main()
