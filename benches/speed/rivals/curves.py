"""Rivals of the table of curves: scikit-learn's, and the H measure of the PyPI package hmeasure."""

from __future__ import annotations

from typing import Any

import numpy as np

from benches.speed.rivals.bootstrap import spread
from benches.speed.rivals.measures import thread_count
from benches.speed.row import Answer, Call, Prepare, Task


def polyroc_area(function: str) -> Prepare:
    """A curve, of which the area below its steps or lines is compared."""

    def prepare(task: Task) -> Call:
        import polyroc

        curve = getattr(polyroc, function)
        keywords = thread_count(task.threads)

        def call() -> Answer:
            first, second, _ = curve(task.y, task.scores, **keywords)
            return Answer(_check_sum(first, second))

        return call

    return prepare


def sklearn_curve(function: str, **options: Any) -> Prepare:
    """The same of scikit-learn."""

    def prepare(task: Task) -> Call:
        from sklearn import metrics

        curve = getattr(metrics, function)

        def call() -> Answer:
            first, second, _ = curve(task.y, task.scores, **options)
            return Answer(_check_sum(first, second))

        return call

    return prepare


def _check_sum(first: Any, second: Any) -> float:
    """A number that few points would change: what both arrays hold in the middle."""
    middle = len(first) // 2
    return float(first[middle] + 2.0 * second[middle])


def sklearn_average_precision(task: Task) -> Call:
    """``average_precision_score``."""
    from sklearn.metrics import average_precision_score

    return lambda: float(average_precision_score(task.y, task.scores))


def hmeasure(task: Task) -> Call:
    """``hmeasure.h_score``, whose default severity is that of the R package."""
    from hmeasure import h_score

    return lambda: float(h_score(task.y, task.scores))


def average_precision_loop(task: Task) -> Call:
    """``average_precision_score`` of rows drawn by numpy, again and again."""
    from sklearn.metrics import average_precision_score

    def call() -> Answer:
        rng = np.random.default_rng(1)
        values = []
        for _ in range(task.replicates):
            rows = rng.integers(0, task.y.size, task.y.size)
            values.append(average_precision_score(task.y[rows], task.scores[rows]))
        return spread(values)

    return call
