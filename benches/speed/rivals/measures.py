"""What users run today, each brought to one form: prepare once, then call without arguments.

``prepare(task)`` does what a timing should not contain (imports, a library's own container) and
returns the call to time.  Where a rival has a choice, it gets the faster one.  Here are those
who compute a measure once; bootstrap.py and errors.py have the others.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benches.speed.row import Call, Prepare, Task


def thread_count(threads: int) -> dict[str, int]:
    """``n_threads``, left out when it is what polyroc does anyway: most callers never name it."""
    return {} if threads == len(os.sched_getaffinity(0)) else {"n_threads": threads}


def polyroc(function: str, pick: Callable[[Any], Any] = float, **options: Any) -> Prepare:
    """``polyroc.<function>(y, scores, **options)``; ``pick`` takes the number out of a result."""

    def prepare(task: Task) -> Call:
        import polyroc

        measure = getattr(polyroc, function)
        keywords = {**options, **thread_count(task.threads)}
        return lambda: pick(measure(task.y, task.scores, **keywords))

    return prepare


def sklearn(**options: Any) -> Prepare:
    """``sklearn.metrics.roc_auc_score`` with the given options."""

    def prepare(task: Task) -> Call:
        from sklearn.metrics import roc_auc_score

        return lambda: float(roc_auc_score(task.y, task.scores, **options))

    return prepare


def sklearn_accuracy(task: Task) -> Call:
    """``sklearn.metrics.accuracy_score`` of the class with the greatest score."""
    from sklearn.metrics import accuracy_score

    y, scores = task.y, task.scores
    return lambda: float(accuracy_score(y, scores.argmax(axis=1)))


def sklearn_pairs(task: Task) -> Call:
    """AUC-mu by hand: ``roc_auc_score`` of p_i - p_j for every pair of classes."""
    from sklearn.metrics import roc_auc_score

    y, scores = task.y, task.scores

    def call() -> float:
        k = scores.shape[1]
        rows = [np.flatnonzero(y == c) for c in range(k)]
        values = []
        for i in range(k):
            for j in range(i):
                pair = np.concatenate((rows[i], rows[j]))
                favoured = np.arange(pair.size) < rows[i].size
                values.append(roc_auc_score(favoured, scores[pair, i] - scores[pair, j]))
        return float(np.mean(values))

    return call


def numpy_sort(task: Task) -> Call:
    """Binary AUC as numpy users write it: sort both classes, look one up in the other."""
    y, scores = task.y, task.scores

    def call() -> float:
        ones, zeros = np.sort(scores[y == 1]), np.sort(scores[y == 0])
        below = np.searchsorted(zeros, ones, side="left").sum()
        up_to = np.searchsorted(zeros, ones, side="right").sum()
        return float((below + up_to) / (2.0 * ones.size * zeros.size))

    return call


def polars_ds(task: Task) -> Call:
    """polars-ds groups equal scores before it counts; the frame is built beforehand."""
    return _polars_ds(task.y, task.scores)


def polars_ds_cast(task: Task) -> Call:
    """The same with labels cast beforehand to the type it works in, which it does itself else."""
    return _polars_ds(task.y.astype(np.uint32), task.scores)


def _polars_ds(y: Any, scores: Any) -> Call:
    import polars as pl
    import polars_ds as pds

    frame = pl.DataFrame({"y": y, "score": scores})
    query = pds.query_roc_auc("y", "score")
    return lambda: float(frame.select(query).item())


def lightgbm(metric: str) -> Prepare:
    """LightGBM's own metric, evaluated on the given scores and nothing else.

    The scores go in as the initial scores of a data set with one dummy feature; a booster
    without trees then evaluates exactly them.  On a busy machine two threads were seen to take
    several times as long as one, so both are tried and the faster kept.
    """

    def prepare(task: Task) -> Call:
        import lightgbm as lgb

        y, scores = task.y, task.scores
        params: dict[str, Any] = {"objective": "none", "metric": metric, "verbose": -1}
        if scores.ndim == 2:
            params["num_class"] = scores.shape[1]
        feature = np.arange(y.size).reshape(-1, 1) % 2
        dataset = lgb.Dataset(feature, y, init_score=scores.ravel(order="F"), params=params)
        booster = lgb.Booster({**params, "num_threads": task.threads}, dataset)

        def call() -> float:
            return float(booster.eval_train()[0][2])

        def seconds(count: int) -> float:
            booster.reset_parameter({"num_threads": count})
            best = np.inf
            for _ in range(2):
                start = time.perf_counter()
                call()
                best = min(best, time.perf_counter() - start)
            return float(best)

        fastest = min({1, task.threads}, key=seconds)
        booster.reset_parameter({"num_threads": fastest})
        return call

    return prepare


def numba(function: str) -> Prepare:
    """The hand-written version in numba_measures.py; the first call compiles it."""

    def prepare(task: Task) -> Call:
        from benches.speed.rivals import numba_measures

        measure = getattr(numba_measures, function)
        return lambda: float(measure(task.y, task.scores, task.threads))

    return prepare
