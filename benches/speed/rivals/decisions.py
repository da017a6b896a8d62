"""Decisions as users count them today, in the form of measures.py: prepare once, then call."""

from __future__ import annotations

import numpy as np

from benches.speed.rivals.measures import thread_count
from benches.speed.row import Answer, Call, Task

_SEED = 1


def sklearn_confusion(task: Task) -> Call:
    """``confusion_matrix`` of the class of the greatest score: counts, and no rate or interval."""
    from sklearn.metrics import confusion_matrix

    return lambda: Answer(confusion_matrix(task.y, task.scores.argmax(axis=1)))


def polyroc_youden(task: Task) -> Call:
    """``polyroc.operating_point``, whose replicates choose anew; answers with the TPR's error."""
    import polyroc

    options = thread_count(task.threads)

    def call() -> Answer:
        point = polyroc.operating_point(
            task.y, task.scores, rule="youden", stratify=False, n_resamples=task.replicates,
            seed=_SEED, **options,
        )  # fmt: skip
        error = float(np.std(point.replicates[:, 1], ddof=1))
        return Answer(point.tpr, error, task.replicates)

    return call


def sklearn_youden(task: Task) -> Call:
    """The same by ``roc_curve`` of rows drawn by numpy, again and again."""
    from sklearn.metrics import roc_curve

    def best(rows: object) -> float:
        fpr, tpr, _ = roc_curve(task.y[rows], task.scores[rows], drop_intermediate=False)
        return float(tpr[np.argmax(tpr - fpr)])

    def call() -> Answer:
        rng, n = np.random.default_rng(_SEED), task.y.size
        values = [best(rng.integers(0, n, n)) for _ in range(task.replicates)]
        return Answer(best(slice(None)), float(np.std(values, ddof=1)), task.replicates)

    return call
