"""Closed-form errors and comparisons that users run today, in the form of measures.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from benches.speed.rivals.measures import thread_count
from benches.speed.row import Answer, Call, Prepare, Task

_SEED = 1


def delong(name: str, /, **options: Any) -> Prepare:
    """``polyroc.delong`` of a measure by name, or with options of one by its class."""

    def prepare(task: Task) -> Call:
        import polyroc

        keywords = thread_count(task.threads)
        chosen = getattr(polyroc, name)(**options) if options else name

        def call() -> Answer:
            found = polyroc.delong(task.y, task.scores, chosen, **keywords)
            return Answer(found.estimate, found.standard_error)

        return call

    return prepare


def confidenceinterval(task: Task) -> Call:
    """confidenceinterval's DeLong; its interval tells the standard error."""
    from confidenceinterval import roc_auc_score
    from scipy.stats import norm

    def call() -> Answer:
        estimate, (low, high) = roc_auc_score(task.y, task.scores)
        return Answer(float(estimate), float(high - low) / (2.0 * norm.ppf(0.975)))

    return call


def sun_xu(task: Task) -> Call:
    """Sun & Xu's formulas on scipy's mid-ranks."""
    from scipy.stats import rankdata

    def call() -> Answer:
        one = task.y == 1
        x, y = task.scores[one], task.scores[~one]
        m, n = x.size, y.size
        pooled = rankdata(np.concatenate([x, y]))
        v10 = (pooled[:m] - rankdata(x)) / n
        v01 = 1.0 - (pooled[m:] - rankdata(y)) / m
        variance = v10.var(ddof=1) / m + v01.var(ddof=1) / n
        return Answer(float(v10.mean()), float(np.sqrt(variance)))

    return call


def _second(task: Task) -> Any:
    """Another model's scores for the same rows."""
    noise = np.random.default_rng(_SEED).normal(size=task.scores.shape)
    return (task.scores + 0.3 * noise).astype(task.scores.dtype)


def compare(measure: str, models: int) -> Prepare:
    """``polyroc.compare`` of many models by DeLong."""

    def prepare(task: Task) -> Call:
        import polyroc

        rng = np.random.default_rng(_SEED)
        given = {
            f"model {k}": task.scores + 0.1 * k * rng.random(task.scores.shape)
            for k in range(models)
        }
        keywords = thread_count(task.threads)
        return lambda: float(polyroc.compare(task.y, given, measure, **keywords).overall.statistic)

    return prepare


def paired(task: Task) -> Call:
    """``polyroc.compare`` of two models by the bootstrap."""
    import polyroc

    models = {"a": task.scores, "b": _second(task)}
    keywords = {"n_resamples": task.replicates, "seed": _SEED, **thread_count(task.threads)}

    def call() -> Answer:
        found = polyroc.compare(task.y, models, "auc", method="bootstrap", **keywords)
        return Answer(found.difference, found.standard_error, task.replicates)

    return call


def sklearn_paired(task: Task) -> Call:
    """Two ``roc_auc_score`` of the same drawn rows, again and again."""
    from sklearn.metrics import roc_auc_score

    other = _second(task)

    def call() -> Answer:
        rng = np.random.default_rng(_SEED)
        values = []
        for _ in range(task.replicates):
            rows = rng.integers(0, task.y.size, task.y.size)
            y = task.y[rows]
            values.append(roc_auc_score(y, task.scores[rows]) - roc_auc_score(y, other[rows]))
        return Answer(None, float(np.std(values, ddof=1)), len(values))

    return call


def numba_paired(task: Task) -> Call:
    """The hand-written version in numba_bootstrap.py: one draw per replicate for both models."""
    from benches.speed.rivals import numba_bootstrap

    other = _second(task)

    def call() -> Answer:
        found = numba_bootstrap.auc_difference(
            task.y, task.scores, other, task.replicates, task.threads
        )
        return Answer(None, float(np.std(found, ddof=1)), task.replicates)

    return call
