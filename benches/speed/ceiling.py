"""What more threads can be worth here: a loop of arithmetic that stays in the first cache.

Virtual processors may be two threads of one core, or share one with others; then nothing runs
twice as fast on two of them.  No program's gain can be judged without knowing the machine's.
"""

from __future__ import annotations

import statistics
import threading
import time
from typing import Any

import numpy as np
from numba import njit

_ROUNDS = 40_000  # some 20 milliseconds
_TURNS = 15


@njit(nogil=True, cache=True)
def _arithmetic(words: Any, rounds: int) -> None:
    """The multiplications and shifts of a random number, again and again."""
    for _ in range(rounds):
        for k in range(words.size):
            x = words[k]
            x = (x ^ (x >> np.uint32(16))) * np.uint32(0xD35A2D97)
            words[k] = x ^ (x >> np.uint32(15))


def _seconds(threads: int) -> float:
    """The time of as much arithmetic in every thread."""
    words = [np.arange(1024, dtype=np.uint32) for _ in range(threads)]
    start = time.perf_counter()
    # New threads, which systems put on idle cores; one that wakes up stays where it slept.
    others = [threading.Thread(target=_arithmetic, args=(part, _ROUNDS)) for part in words[1:]]
    for other in others:
        other.start()
    _arithmetic(words[0], _ROUNDS)
    for other in others:
        other.join()
    return time.perf_counter() - start


def gains(threads: int) -> list[float]:
    """How many times as much arithmetic so many threads do than one, turn by turn; sorted."""
    _seconds(threads)
    return sorted(threads * _seconds(1) / _seconds(threads) for _ in range(_TURNS))


def describe(threads: int) -> str:
    """Least, median and greatest gain."""
    found = gains(threads)
    middle = statistics.median(found)
    return (
        f"a loop of arithmetic alone gains {middle:.2f}x by {threads} of them "
        f"({found[0]:.2f}x to {found[-1]:.2f}x in {_TURNS} turns)"
    )
