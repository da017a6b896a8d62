"""polyroc in a process of its own: at another instruction set, or to see what memory it takes.

The instruction set is fixed at a process's first call, and the high-water mark of memory is a
process's own.  The arrays go through a file.  ``python -m benches.speed.own_process`` is the
other end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from benches.speed.row import Answer, Call, Prepare, Task


def _command(what: str, folder: str, measure: str, task: Task) -> list[str]:
    numbers = [str(task.threads), str(task.replicates)]
    return [sys.executable, "-m", __name__, what, folder, measure, *numbers]


def _store(task: Task) -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory()
    np.save(Path(folder.name) / "y.npy", task.y)
    np.save(Path(folder.name) / "scores.npy", task.scores)
    return folder


def polyroc(measure: str, **environment: str) -> Prepare:
    """``polyroc.bootstrap`` in a process with other environment variables, which waits for calls.

    A call costs the passing of a line each way besides, some microseconds.
    """

    def prepare(task: Task) -> Call:
        import polyroc  # noqa: F401  to say at once that it is missing

        with _store(task) as folder:
            process = subprocess.Popen(
                _command("serve", folder, measure, task),
                env={**os.environ, **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert process.stdin is not None
            assert process.stdout is not None
            requests, answers = process.stdin, process.stdout
            loaded = answers.readline()  # then the files are no longer needed

        def call() -> Answer:
            requests.write("call\n")
            requests.flush()
            line = answers.readline()
            if not line:
                raise RuntimeError("the other process ended")
            return Answer(**json.loads(line))

        weakref.finalize(call, _stop, process)
        if not loaded:
            raise RuntimeError("the other process did not start")
        return call

    return prepare


def _stop(process: subprocess.Popen[str]) -> None:
    """End of input is the other end's sign to leave."""
    process.communicate()


def memory(measure: str) -> Prepare:
    """The bytes that ``polyroc.bootstrap`` took beyond its input, measured as in memory.py."""

    def prepare(task: Task) -> Call:
        import polyroc  # noqa: F401  to say at once that it is missing

        def call() -> float:
            with _store(task) as folder:
                command = _command("memory", folder, measure, task)
                done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            return float(json.loads(done.stdout)["extra"])

        return call

    return prepare


def _serve(call: Call) -> None:
    print("loaded", flush=True)
    for _ in sys.stdin:
        answer = call()
        found: dict[str, Any] = {
            "estimate": float(answer.estimate),
            "error": float(answer.error),
            "replicates": answer.replicates,
        }
        print(json.dumps(found), flush=True)


def main() -> None:
    """Serve calls, or call once and print the memory that took."""
    from benches.speed import memory as measured
    from benches.speed.rivals import bootstrap

    what, folder, measure, threads, replicates = sys.argv[1:]
    run = bootstrap.polyroc(measure)
    if what == "serve":
        y, scores = (np.load(Path(folder) / f"{name}.npy") for name in ("y", "scores"))
        _serve(run(Task(y, scores, int(threads), int(replicates))))
        return
    measured.BINARY[measure] = lambda _, y, scores, weights: run(
        Task(y, scores, int(threads), int(replicates))
    )()
    measured.child(Path(folder), measure, 2, weighted=False)


if __name__ == "__main__":
    main()
