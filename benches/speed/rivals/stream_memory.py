"""The memory that a State of a stream takes, in a process of its own.

``python -m benches.speed.rivals.stream_memory`` is that process: it makes the rows, warms up on a
few of them, and prints by how many bytes its memory then grew at most.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from benches.speed.row import Call, Task

_FEW = 1000


def of_stream(task: Task) -> Call:
    """The bytes beyond the rows that are streamed many times over (as many as replicates)."""
    sizes = [*task.scores.shape, task.replicates, task.threads]
    command = [sys.executable, "-m", __name__, *map(str, sizes)]

    def call() -> float:
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    return call


def main() -> None:
    """Print the bytes."""
    from benches.speed import data, memory
    from benches.speed.rivals.parquet import state_of_stream

    n, k, times, threads = map(int, sys.argv[1:])
    y, scores = data.many_classes(n, k)
    task = Task(y, scores, threads, times)
    state_of_stream(replace(task, y=y[:_FEW], scores=scores[:_FEW]))()
    before = memory.status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark starts again
    state_of_stream(task)()
    print(max(0, memory.status("VmHWM") - before))


if __name__ == "__main__":
    main()
