"""Many data sets of many designs over processes; the outcome does not depend on their number."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Sequence
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


def run(work: Callable[[Job], _Found], jobs: Sequence[Job], processes: int) -> list[_Found]:
    """Do all jobs; what they found, in order."""
    if processes == 1:
        return [work(job) for job in jobs]
    found = []
    # Fresh processes: a pool of threads does not survive a fork.
    with multiprocessing.get_context("spawn").Pool(min(processes, len(jobs))) as pool:
        for number, one in enumerate(pool.imap(work, jobs), start=1):
            found.append(one)
            if number == len(jobs) or number % 20 == 0:
                print(f"{number}/{len(jobs)}", file=sys.stderr, flush=True)
    return found
