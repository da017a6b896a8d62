"""Volumes as numpy users write them, and polyroc's on the same scores.  Ties are not looked for.

The marker of ordered classes is the difference of the last and the first score of a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benches.speed.rivals.measures import thread_count
from benches.speed.row import Answer, Call, Prepare, Task


def marker(task: Task) -> Any:
    """One score a row, which rises with the classes."""
    return np.ascontiguousarray(task.scores[:, -1] - task.scores[:, 0])


def on_marker(function: str, pick: Callable[[Any], Any] = float) -> Prepare:
    """``polyroc.<function>(y, marker)``."""

    def prepare(task: Task) -> Call:
        import polyroc

        measure, x = getattr(polyroc, function), marker(task)
        return lambda: pick(measure(task.y, x, **thread_count(task.threads)))

    return prepare


def curve_of_marker(task: Task) -> Call:
    """The ROC curve of the last class against the others, by polyroc; nothing to compare."""
    import polyroc

    curve: Any = getattr(polyroc, "roc_curve")  # noqa: B009
    y, x = (task.y == task.scores.shape[1] - 1).astype(np.int64), marker(task)

    def call() -> Answer:
        curve(y, x, **thread_count(task.threads))
        return Answer()

    return call


def vus_on_marker(task: Task) -> Call:
    """VUS by polyroc, as a contestant of the curve; nothing to compare."""
    value = on_marker("vus")(task)

    def call() -> Answer:
        value()
        return Answer()

    return call


def numpy_vus(task: Task) -> Call:
    """A sort and a running sum for each class."""
    y, x, k = task.y, marker(task), task.scores.shape[1]

    def call() -> float:
        sorted_y = y[np.argsort(x)]
        chains = np.ones(y.size)
        for c in range(k):
            own = sorted_y == c
            chains = np.cumsum(own * chains) / own.sum()
        return float(chains[-1])

    return call


def numpy_pdi(task: Task) -> Call:
    """For each class, how much of every other lies below its rows, by binary search."""
    y, scores = task.y, task.scores

    def call() -> float:
        values = []
        for i in range(scores.shape[1]):
            column = scores[:, i]
            own = column[y == i]
            won = np.ones(own.size)
            for j in range(scores.shape[1]):
                if j != i:
                    other = np.sort(column[y == j])
                    won *= np.searchsorted(other, own) / other.size
            values.append(won.mean())
        return float(np.mean(values))

    return call


def numpy_hum(task: Task) -> Call:
    """Three classes: for each row of the first a matrix of all pairs of the others."""
    a, b, c = (task.scores[task.y == k] for k in range(3))

    def call() -> float:
        right = 0
        for row in a:
            ok_b = row[0] + b[:, 1] > row[1] + b[:, 0]
            ok_c = row[0] + c[:, 2] > row[2] + c[:, 0]
            one, two = b[ok_b][:, None, :], c[ok_c][None, :, :]
            own = row[0] + one[..., 1] + two[..., 2]
            best = own > row[0] + one[..., 2] + two[..., 1]
            best &= own > row[1] + one[..., 2] + two[..., 0]
            best &= own > row[2] + one[..., 0] + two[..., 1]
            right += np.count_nonzero(best)
        return float(right / (len(a) * len(b) * len(c)))

    return call
