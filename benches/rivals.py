"""What users run today, each brought to one form: prepare once, then call without arguments.

``prepare(y, scores, threads)`` does what a timing should not contain (imports, a library's own
container) and returns the call to time.  Where a rival has a choice, it gets the faster one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from data import Labels, Scores

Result = Any  # a number, or an array of numbers
Call = Callable[[], Result]
Prepare = Callable[["Labels", "Scores", int], Call]


def polyroc(function: str, pick: Callable[[Any], Result] = float, **options: Any) -> Prepare:
    """``polyroc.<function>(y, scores, **options)``; ``pick`` takes the number out of a result."""

    def prepare(y: Labels, scores: Scores, threads: int) -> Call:
        import polyroc

        measure = getattr(polyroc, function)
        # Left out when it is what polyroc does anyway: most callers never name it.
        count = {} if threads == len(os.sched_getaffinity(0)) else {"n_threads": threads}
        keywords = {**options, **count}
        return lambda: pick(measure(y, scores, **keywords))

    return prepare


def sklearn(**options: Any) -> Prepare:
    """``sklearn.metrics.roc_auc_score`` with the given options."""

    def prepare(y: Labels, scores: Scores, threads: int) -> Call:
        from sklearn.metrics import roc_auc_score

        return lambda: float(roc_auc_score(y, scores, **options))

    return prepare


def sklearn_pairs(y: Labels, scores: Scores, threads: int) -> Call:
    """AUC-mu by hand: ``roc_auc_score`` of p_i - p_j for every pair of classes."""
    from sklearn.metrics import roc_auc_score

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


def numpy_sort(y: Labels, scores: Scores, threads: int) -> Call:
    """Binary AUC as numpy users write it: sort both classes, look one up in the other."""

    def call() -> float:
        ones, zeros = np.sort(scores[y == 1]), np.sort(scores[y == 0])
        below = np.searchsorted(zeros, ones, side="left").sum()
        up_to = np.searchsorted(zeros, ones, side="right").sum()
        return float((below + up_to) / (2.0 * ones.size * zeros.size))

    return call


def polars_ds(y: Labels, scores: Scores, threads: int) -> Call:
    """polars-ds groups equal scores before it counts; the frame is built beforehand."""
    return _polars_ds(y, scores)


def polars_ds_cast(y: Labels, scores: Scores, threads: int) -> Call:
    """The same with labels cast beforehand to the type it works in, which it does itself else."""
    return _polars_ds(y.astype(np.uint32), scores)


def _polars_ds(y: Labels, scores: Scores) -> Call:
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

    def prepare(y: Labels, scores: Scores, threads: int) -> Call:
        import lightgbm as lgb

        params: dict[str, Any] = {"objective": "none", "metric": metric, "verbose": -1}
        if scores.ndim == 2:
            params["num_class"] = scores.shape[1]
        feature = np.arange(y.size).reshape(-1, 1) % 2
        dataset = lgb.Dataset(feature, y, init_score=scores.ravel(order="F"), params=params)
        booster = lgb.Booster({**params, "num_threads": threads}, dataset)

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

        fastest = min({1, threads}, key=seconds)
        booster.reset_parameter({"num_threads": fastest})
        return call

    return prepare


def numba(function: str) -> Prepare:
    """The hand-written version in numba_rival.py; the first call compiles it."""

    def prepare(y: Labels, scores: Scores, threads: int) -> Call:
        import numba_rival

        measure = getattr(numba_rival, function)
        return lambda: float(measure(y, scores, threads))

    return prepare
