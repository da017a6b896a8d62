"""One row's race: all contestants answer, the answers are compared, then they take turns."""

from __future__ import annotations

import gc
import math
import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from benches.speed import data
from benches.speed.row import Answer, Call, Rival, Row, Size, Task

OURS = "polyroc"
_TURN = 0.02  # seconds: a call shorter than this is repeated within a turn
_LEAST = 3  # turns that even the slowest contestant gets


@dataclass
class Entry:
    """One contestant in one row."""

    name: str
    rival: Rival
    size: Size
    scale: float  # its time counts so many times
    call: Call | None = None
    answer: Answer = field(default_factory=Answer)
    seconds: float = float("inf")
    figure: float = float("inf")
    turns: int = 0
    spent: float = 0.0
    problem: str = ""

    def turn(self, row: Row) -> None:
        """Take one turn; the mean over it if the call is short."""
        assert self.call is not None
        calls = 1 if self.seconds > _TURN else max(1, round(_TURN / self.seconds))
        start = time.perf_counter()
        for _ in range(calls):
            result = self.call()
        taken = time.perf_counter() - start
        self.seconds = min(self.seconds, taken / calls)
        self.spent += taken
        self.turns += 1
        if not row.unit.timed:
            self.figure = result
            return
        self.figure = self.seconds * self.scale / row.unit.per(self.size)
        self.answer = result if isinstance(result, Answer) else Answer(estimate=result)


@lru_cache(maxsize=1)  # neighbouring rows share their data; one set at a time fits in memory
def _data(n: int, k: int, options: tuple[tuple[str, Any], ...]) -> tuple[Any, Any]:
    if dict(options).get("labels"):
        return data.many_labels(n, k)
    if k == 2:
        return data.two_classes(n, **dict(options))
    return data.many_classes(n, k, **dict(options))


def _start(row: Row, rival: Rival, *, quick: bool, threads: int) -> Entry:
    """Prepare a contestant and take its first answer, which also warms it up."""
    usual = row.quick if quick else row.size
    size = (rival.quick if quick else rival.size) or usual
    name = rival.name
    if size.n != usual.n:
        name += f", n = {size.n:,}"
    if size.replicates != usual.replicates:
        name += f", {size.replicates:,} replicates"
    replicates = min(rival.replicates or size.replicates, size.replicates)
    scale = size.replicates / replicates if replicates else 1.0
    entry = Entry(name, rival, size, scale * rival.every)
    y, scores = _data(size.n, size.k, tuple(sorted(row.data.items())))
    try:
        entry.call = rival.prepare(Task(y, scores, threads, replicates, size.segments))
        entry.turn(row)
    except ImportError as error:
        entry.problem = f"not installed ({error.name})"
    except Exception as error:  # the other rows shall not be lost for it
        entry.problem = f"FAILED: {type(error).__name__}: {error}".splitlines()[0][:100]
    return entry


def _off(found: Answer, truth: Answer, row: Row) -> str:
    """What is wrong with an answer, if anything.

    The standard error of B replicates has itself a relative standard deviation of about
    sqrt(1 / (2 B)), as the replicates are nearly normal; two independent ones add up.
    """
    if found.estimate is not None and truth.estimate is not None:
        gap = np.max(np.abs(np.asarray(found.estimate) - np.asarray(truth.estimate)))
        if not gap <= row.tolerance:
            return f"WRONG: {found.estimate} against {truth.estimate}"
    if found.error is not None and truth.error is not None:
        gap = np.max(np.abs(np.asarray(found.error) / np.asarray(truth.error) - 1.0))
        # Closed-form errors come from no replicates and have no noise of their own.
        noise = math.sqrt(sum(0.5 / one.replicates for one in (found, truth) if one.replicates))
        if not gap <= row.sigmas * noise + row.tolerance:
            return f"WRONG: standard error {found.error} against {truth.error}"
    return ""


def _truth(entries: list[Entry]) -> Answer:
    """By whom the answers are judged, among those who do the row's own work.

    Estimates: the first rival (scikit-learn wherever it can run at all).  Standard errors: the
    rival with the most replicates.  Polyroc, in whatever setting, only where nobody else answers.
    """
    last = sorted(entries, key=lambda entry: entry.name.startswith(OURS))
    point = next((e.answer.estimate for e in last if e.answer.estimate is not None), None)
    spread = [entry for entry in last if entry.answer.error is not None]
    others = [entry for entry in spread if not entry.name.startswith(OURS)]
    judges = [entry.answer for entry in others or spread]
    judge = max(judges, key=lambda answer: answer.replicates, default=Answer())
    return Answer(point, judge.error, judge.replicates)


def race(row: Row, *, quick: bool, threads: int, turns: int, budget: float) -> list[Entry]:
    """Answers, their comparison, and the timed turns of one row; polyroc comes first."""
    contestants = (Rival(OURS, row.ours, limit=row.limit), *row.rivals)
    entries = [_start(row, rival, quick=quick, threads=threads) for rival in contestants]
    running = [entry for entry in entries if not entry.problem]
    alike = [entry for entry in running if entry.size == entries[0].size]
    truth = _truth(alike)
    for entry in alike:
        entry.problem = _off(entry.answer, truth, row)
    running = [entry for entry in running if not entry.problem]
    gc.collect()
    gc.disable()
    try:
        for shift in range(turns if row.unit.timed else 0):
            for place in range(len(running)):
                entry = running[(place + shift) % len(running)]
                if entry.turns < _LEAST or entry.spent + entry.seconds <= budget:
                    entry.turn(row)
    finally:
        gc.enable()
    return entries
