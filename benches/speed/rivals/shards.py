"""States and their second pass: how fast rows are taken, how large and how exact states are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benches.speed.row import Call, Prepare, Task

REGIMES = ("moderate", "confident", "skewed")


def _scores(task: Task, regime: str) -> Any:
    """The scores of the speed tables, or those of a more confident or a more partial classifier.

    Softmax scores to the fifth power, normalised, are those of logits five times as large; a prior
    of 2^-k for class k skews them.
    """
    scores = task.scores
    if regime == "confident":
        scores = scores**5
    elif regime == "skewed":
        scores = scores * 0.5 ** np.arange(scores.shape[1])
    return scores / scores.sum(axis=1, keepdims=True)


def _state(task: Task, measure: str, bins: int, scores: Any, **options: Any) -> Any:
    import polyroc

    labels = range(task.scores.shape[1])
    return polyroc.State(labels, measure, max_bins=bins, **options).update(task.y, scores)


def update(measure: str, bins: int, regime: str = "moderate") -> Prepare:
    """``State.update`` of a state that has seen rows before, on one core."""

    def prepare(task: Task) -> Call:
        scores = _scores(task, regime)
        state = _state(task, measure, bins, scores)
        return lambda: state.update(task.y, scores).n * 0.0

    return prepare


def second_pass(measure: str, bins: int, regime: str = "moderate") -> Prepare:
    """``InfluenceSums.update`` on one core."""

    def prepare(task: Task) -> Call:
        import polyroc

        scores = _scores(task, regime)
        tables = polyroc.InfluenceTables(_state(task, measure, bins, scores))
        return lambda: polyroc.InfluenceSums(tables).update(task.y, scores).n * 0.0

    return prepare


def wire(measure: str, bins: int, *, counts: bool = False) -> Prepare:
    """The bytes of a state; with class counts given beforehand."""

    def prepare(task: Task) -> Call:
        options = {"class_counts": np.bincount(task.y)} if counts else {}
        state = _state(task, measure, bins, task.scores, **options)
        return lambda: float(len(state.to_bytes()))

    return prepare


def _exact(measure: str) -> Any:
    import polyroc

    return polyroc.AucMu(ties="exact") if measure == "auc_mu" else measure


def estimate_error(measure: str, bins: int, regime: str) -> Prepare:
    """How far the estimate of a state is from that of the rows themselves."""

    def prepare(task: Task) -> Call:
        import polyroc

        scores = _scores(task, regime)
        found = _state(task, measure, bins, scores).compute()[measure]
        wanted = polyroc.delong(task.y, scores, _exact(measure)).estimate
        return _constant(abs(found.estimate - wanted))

    return prepare


def standard_error_error(measure: str, bins: int, regime: str) -> Prepare:
    """How far the standard error of two passes is from DeLong's, relative to it."""

    def prepare(task: Task) -> Call:
        import polyroc

        scores, labels = _scores(task, regime), range(task.scores.shape[1])
        found = polyroc.evaluate_batches(
            [(task.y, scores)], labels=labels, measures=measure, max_bins=bins
        )[measure]
        wanted = polyroc.delong(task.y, scores, _exact(measure)).standard_error
        return _constant(abs(found.standard_error / wanted - 1.0))

    return prepare


def _constant(figure: float) -> Callable[[], float]:
    return lambda: figure
