"""A measure in every segment of a frame: polyroc in one call, others in a loop over segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from benches.speed.rivals.measures import thread_count
from benches.speed.row import Answer, Call, Prepare, Task

EVERY = 50  # a loop does only every so-many-th segment, by size


def zipf(n: int, segments: int) -> Any:
    """The segment of each row: the k-th one has a share of 1 / k, as words and customers have."""
    share = 1.0 / np.arange(1, segments + 1)
    edges = np.cumsum(share / share.sum())
    drawn = np.random.default_rng((segments, n)).random(n)
    return np.minimum(np.searchsorted(edges, drawn, side="right"), segments - 1)


def _looked_at(task: Task) -> list[int]:
    """The segments that all contestants are compared by, those that have all classes.

    Every 50th by size from the 13th on: with these sizes they have 6 % fewer rows than a fiftieth
    of all, so that a loop over all would rather take longer than so many times these.
    """
    keys, k = zipf(len(task.y), task.segments), task.scores.shape[1]
    counts = np.bincount(keys * k + task.y, minlength=task.segments * k).reshape(-1, k)
    return [one for one in range(EVERY // 4, task.segments, EVERY) if counts[one].min() >= 2]


def polyroc(*, by: bool = True, **options: Any) -> Prepare:
    """``polyroc.evaluate`` of a polars frame; without `by`, of all rows."""

    def prepare(task: Task) -> Call:
        import polars as pl
        import polyroc as pr

        names = [f"p_{k}" for k in range(task.scores.shape[1])]
        frame = pl.DataFrame(task.scores, schema=names).with_columns(
            label=pl.Series(task.y), key=pl.Series(zipf(len(task.y), task.segments or 1))
        )
        given: dict[str, Any] = {"y_true": "label", "y_score": names, **options}
        given |= thread_count(task.threads)
        if task.replicates:
            given |= {"interval": "bootstrap", "n_resamples": task.replicates, "seed": 1}
        chosen = _looked_at(task) if by else [0]

        def call() -> Answer:
            table = pr.evaluate(frame, by="key" if by else (), **given)
            found = table["estimate"].to_numpy()[chosen]
            return Answer(found)

        return call

    return prepare


def sklearn_loop(task: Task) -> Call:
    """``roc_auc_score(multi_class="ovo")`` in a loop over segments, with no errors."""
    from sklearn.metrics import roc_auc_score

    keys = zipf(len(task.y), task.segments)
    parts = [(task.y[keys == one], task.scores[keys == one]) for one in _looked_at(task)]

    def call() -> Answer:
        return Answer(np.array([roc_auc_score(y, p, multi_class="ovo") for y, p in parts]))

    return call
