"""Bootstraps that users run today, in the form of measures.py: prepare once, then call.

Each answers with its standard error, the one number that all of them can be asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from benches.speed.rivals.measures import thread_count
from benches.speed.row import Answer, Call, Prepare, Task

_SEED = 1


def polyroc(
    measure: str | Sequence[str] | Callable[[Any], Any],
    *,
    threads: int | None = None,
    **options: Any,
) -> Prepare:
    """``polyroc.bootstrap`` of a measure, or of several in one call, on the same resamples.

    A measure with options is made by a function of the package.
    """

    def prepare(task: Task) -> Call:
        import polyroc

        asked: Any = measure if isinstance(measure, str) else None
        if asked is None:
            asked = measure(polyroc) if callable(measure) else list(measure)
        keywords = {
            "n_resamples": task.replicates,
            "method": "percentile",
            "seed": _SEED,
            **options,
            **thread_count(threads or task.threads),
        }

        def call() -> Answer:
            found = polyroc.bootstrap(task.y, task.scores, asked, **keywords)
            results = [found[name] for name in asked] if isinstance(asked, list) else [found]
            return Answer(
                np.squeeze([float(result.estimate) for result in results]),
                np.squeeze([float(result.standard_error) for result in results]),
                task.replicates,
            )

        return call

    return prepare


def evaluate(models: int) -> Prepare:
    """``polyroc.evaluate`` of several models: the first as it is, the others with more noise."""

    def prepare(task: Task) -> Call:
        import polyroc

        rng = np.random.default_rng(_SEED)
        scores = {
            f"model {k}": task.scores + 0.1 * k * rng.random(task.scores.shape)
            for k in range(models)
        }
        keywords = {"n_resamples": task.replicates, "seed": _SEED, **thread_count(task.threads)}
        return lambda: Answer(
            polyroc.evaluate(task.y, scores, **keywords).measures["model 0"]["auc_mu"].estimate
        )

    return prepare


def sklearn_accuracy_loop(task: Task) -> Call:
    """``accuracy_score`` of the greatest score, in a loop over resamples of all rows."""
    from sklearn.metrics import accuracy_score

    y, scores = task.y, task.scores

    def call() -> Answer:
        rng, said = np.random.default_rng(_SEED), scores.argmax(axis=1)
        values = []
        for _ in range(task.replicates):
            rows = rng.integers(0, y.size, y.size)
            values.append(accuracy_score(y[rows], said[rows]))
        return Answer(None, float(np.std(values, ddof=1)), task.replicates)

    return call


def one_by_one(measures: Sequence[str]) -> Prepare:
    """What a list of measures saves: a run for each."""

    def prepare(task: Task) -> Call:
        calls = [polyroc(measure)(task) for measure in measures]

        def call() -> Answer:
            found = [one() for one in calls]
            return Answer(
                np.array([answer.estimate for answer in found]),
                np.array([answer.error for answer in found]),
                task.replicates,
            )

        return call

    return prepare


def unjudged(prepare: Prepare) -> Prepare:
    """A rival that computes something else, for its time alone."""

    def silent(task: Task) -> Call:
        call = prepare(task)

        def run() -> Answer:
            call()
            return Answer()

        return run

    return silent


def spread(replicates: Any, estimate: float | None = None) -> Answer:
    """What replicates tell: their standard deviation."""
    return Answer(estimate, float(np.std(replicates, ddof=1)), len(replicates))


def numba(function: str) -> Prepare:
    """The hand-written version in numba_bootstrap.py; the first call compiles it."""

    def prepare(task: Task) -> Call:
        from benches.speed.rivals import numba_bootstrap

        run = getattr(numba_bootstrap, function)
        return lambda: spread(run(task.y, task.scores, task.replicates, task.threads))

    return prepare


def sklearn_loop(task: Task, max_fpr: float | None = None) -> Call:
    """``roc_auc_score`` of rows drawn by numpy, again and again: what most people write."""
    from sklearn.metrics import roc_auc_score

    def call() -> Answer:
        rng = np.random.default_rng(_SEED)
        values = []
        for _ in range(task.replicates):
            rows = rng.integers(0, task.y.size, task.y.size)
            values.append(roc_auc_score(task.y[rows], task.scores[rows], max_fpr=max_fpr))
        return spread(values)

    return call


def rapidstats(task: Task) -> Call:
    """rapidstats (Rust, polars), multinomial; its "standard" interval tells the standard error.

    Its Poisson sampling, advertised as faster, overflows the stack of its threads at 10,000 rows
    and 2,000 replicates, and takes longer than the multinomial one with one thread.
    """
    from rapidstats import Bootstrap
    from scipy.stats import norm

    width = 2.0 * norm.ppf(0.975)  # of its default, a 95 % interval

    def call() -> Answer:
        run = Bootstrap(task.replicates, method="standard", seed=_SEED, n_jobs=task.threads)
        low, estimate, high = run.roc_auc(task.y, task.scores)
        return Answer(float(estimate), float((high - low) / width), task.replicates)

    return call


def scipy(task: Task) -> Call:
    """``scipy.stats.bootstrap`` of two samples, vectorised, on places instead of scores.

    Scores are replaced by their place among the distinct scores, so that a batch of resamples
    needs counting and cumulative sums, no sort: three times as fast as sort and searchsorted.
    """
    from scipy.stats import bootstrap

    def statistic(distinct: int, ones: Any, zeros: Any, axis: int = -1) -> Any:
        assert axis == -1
        above, below = (_count(np.atleast_2d(places), distinct) for places in (ones, zeros))
        doubled = 2 * np.cumsum(below, axis=1) - below
        auc = (above * doubled).sum(axis=1) / (2.0 * ones.shape[-1] * zeros.shape[-1])
        return auc if ones.ndim > 1 else auc[0]

    def call() -> Answer:
        values, places = np.unique(task.scores, return_inverse=True)
        samples = (places[task.y == 1], places[task.y == 0])
        auc = partial(statistic, values.size)
        result = bootstrap(
            samples,
            auc,
            n_resamples=task.replicates,
            batch=20,  # the fastest of those tried from 5 to all
            vectorized=True,
            method="percentile",
            rng=_SEED,
        )
        return Answer(float(auc(*samples)), float(result.standard_error), task.replicates)

    return call


def _count(places: Any, distinct: int) -> Any:
    """How often each place occurs in each row."""
    rows = places.shape[0]
    apart = places + distinct * np.arange(rows)[:, np.newaxis]
    return np.bincount(apart.ravel(), minlength=rows * distinct).reshape(rows, distinct)


def numpy_cells(task: Task) -> Call:
    """Few distinct scores: resample the counts of (score, class) by numpy's multinomial."""

    def auc(cells: Any) -> Any:
        zeros, ones = cells[..., 0, :], cells[..., 1, :]
        doubled = 2 * np.cumsum(zeros, axis=-1) - zeros
        pairs = ones.sum(axis=-1) * zeros.sum(axis=-1)
        return (ones * doubled).sum(axis=-1) / (2.0 * pairs)

    def call() -> Answer:
        values, places = np.unique(task.scores, return_inverse=True)
        cells = np.bincount(task.y * values.size + places, minlength=2 * values.size)
        rng = np.random.default_rng(_SEED)
        drawn = rng.multinomial(task.y.size, cells / task.y.size, size=task.replicates)
        return spread(auc(drawn.reshape(-1, 2, values.size)), float(auc(cells.reshape(2, -1))))

    return call
