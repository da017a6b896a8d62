"""Many data sets of many designs over processes; the outcome does not depend on their number."""

from __future__ import annotations

import math
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple, TypeVar

PART = 100  # data sets at a time


class Job(NamedTuple):
    """Some data sets of a design."""

    design: Any
    numbers: range
    replicates: int
    quick: bool


_Found = TypeVar("_Found")


def parts(design: Any, sets: int, replicates: int, quick: bool) -> list[Job]:
    """The data sets of a design, a few at a time."""
    return [
        Job(design, range(start, min(start + PART, sets)), replicates, quick)
        for start in range(0, sets, PART)
    ]


def run(
    work: Callable[[Job], _Found],
    jobs_of_designs: Sequence[Sequence[Job]],
    processes: int,
    minutes: float = math.inf,
) -> list[list[_Found]]:
    """Do the jobs of designs; what they found, by design and in order.

    All designs have their first job done before any has its second, so that a run can end after so
    many minutes with about as many data sets of each.
    """
    rounds = [
        [(place, jobs[number]) for place, jobs in enumerate(jobs_of_designs) if len(jobs) > number]
        for number in range(max(map(len, jobs_of_designs)))
    ]
    if minutes == math.inf:
        rounds = [[one for these in rounds for one in these]]
    found: list[list[_Found]] = [[] for _ in jobs_of_designs]
    done = _in_rounds(work, [[job for _, job in one] for one in rounds], processes, minutes)
    for these, of_round in zip(rounds, done, strict=False):
        for (place, _), one in zip(these, of_round, strict=True):
            found[place].append(one)
    return found


def _in_rounds(
    work: Callable[[Job], _Found],
    rounds: Sequence[Sequence[Job]],
    processes: int,
    minutes: float,
) -> list[list[_Found]]:
    """Do one round of jobs after the other; what they found, by round and in order.

    After the first, a round is begun only if it would end in time, were it as long as the last.
    """
    found: list[list[_Found]] = []
    total, count = sum(map(len, rounds)), 0
    start = begun = time.monotonic()
    with ExitStack() as stack:
        each: Callable[..., Iterable[_Found]] = map
        if processes > 1:
            # Fresh processes: a pool of threads does not survive a fork.
            most = min(processes, max(map(len, rounds)))
            each = stack.enter_context(multiprocessing.get_context("spawn").Pool(most)).imap
        for jobs in rounds:
            found.append([])
            for one in each(work, jobs):
                found[-1].append(one)
                count += 1
                if processes > 1 and (count == total or count % 20 == 0):
                    print(f"{count}/{total}", file=sys.stderr, flush=True)
            now = time.monotonic()
            if now - start + (now - begun) > 60 * minutes:
                break
            begun = now
    return found
