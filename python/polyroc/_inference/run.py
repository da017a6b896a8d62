"""A run of replicates, checked: seed, range, memory, and whether there are enough of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import whole
from polyroc._base.display import counted

if TYPE_CHECKING:
    from polyroc._data.sample import Sample

DEGENERATE = ("skip", "redraw", "raise")
MANY_LOST = 0.01  # the share of replicates without a class from which on a warning is due

_MOST = 2**62  # replicates of a run
_MOST_AT_ONCE = 2**30  # 8 GiB of them
_DEFAULT_MEMORY = 256 * 2**20
_FEW = 2.0  # replicates beyond both limits together: with fewer, none is beyond either of them


def replicate_range(replicates: Any, n_resamples: Any) -> tuple[range, int]:
    """Return the replicates to compute, and how many the whole run has."""
    total = whole(n_resamples)
    if total is None:
        raise TypeError(f"n_resamples is {n_resamples!r}; pass a whole number, as 9999")
    if total < 1:
        raise ValueError(f"n_resamples is {total}; at least one replicate is needed")
    if total > _MOST:
        raise ValueError(f"n_resamples is {total}; at most 2^62 replicates can be numbered")
    if replicates is None:
        return _within_memory(range(total)), total
    if not isinstance(replicates, range):
        raise TypeError(f"replicates is {replicates!r}; pass a range, as range(0, 5000)")
    if replicates.step != 1 or len(replicates) == 0:
        raise ValueError(f"replicates is {replicates!r}; pass a range of at least one, step 1")
    if replicates.start < 0 or replicates.stop > total:
        raise ValueError(
            f"replicates is {replicates!r}, beyond the {total} of the run; "
            "raise n_resamples or stay within it"
        )
    return _within_memory(replicates), total


def _within_memory(replicates: range) -> range:
    if len(replicates) > _MOST_AT_ONCE:
        raise MemoryError(
            f"{len(replicates)} replicates at once are too many to hold; "
            "split the run with replicates=range(...)"
        )
    return replicates


def few_replicates(count: int, level: float) -> list[str]:
    """Say if limits at a confidence level are those of the outermost replicates."""
    if count * (1 - level) >= _FEW:
        return []
    wanted = max(1000, round(10 * _FEW / (1 - level)))
    return [
        f"{counted(count, 'replicate')} are few for limits at {100 * level:g} %: they are all but "
        f"the outermost ones; pass n_resamples={wanted} or more"
    ]


class Budget(NamedTuple):
    """The bytes that a run may use beside its input and its result."""

    budget: int
    grows: bool  # where the input needs more
    held: int  # in use already: copies of what was given

    def times(self, models: int) -> Budget:
        """Return the budget of several models of the same rows."""
        return self._replace(budget=models * self.budget, held=models * self.held)


def memory_budget(max_memory: Any, sample: Sample, y_score: Any = None) -> Budget:
    """Return the bytes that a run may use; `y_score` are the scores as they were given."""
    held = 0
    if isinstance(y_score, np.ndarray) and not np.may_share_memory(y_score, sample.scores):
        held = sample.scores.nbytes
    if max_memory is None:
        return Budget(max(_DEFAULT_MEMORY, sample.scores.nbytes), True, held)
    number = whole(max_memory)
    if number is None:
        raise TypeError(f"max_memory is {max_memory!r}; pass a whole number of bytes, or None")
    if number < 1:
        raise ValueError(f"max_memory is {number}; pass a positive number of bytes")
    return Budget(min(number, 2**62), False, held)
