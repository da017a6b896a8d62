"""The distribution of a bootstrap's replicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._figures.forest import ForestFigure

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._inference.bootstrap_result import BootstrapResult


class ReplicateFigure(NamedTuple):
    """The distribution of replicates with the interval made of it."""

    edges: Floats
    counts: Floats
    estimate: float
    standard_error: float
    low: float
    high: float
    what: str
    method: str
    confidence: float


def replicate_figure(result: BootstrapResult, bins: int = 40) -> ReplicateFigure:
    """Return the replicates of a measure that is one number."""
    if np.ndim(result.estimate):
        raise ValueError("the result has one value per class or pair; a picture shows one number")
    level = one_level(result)
    known = result.replicates[~np.isnan(result.replicates)]
    counts, edges = np.histogram(known, bins)
    low, high = result.interval.tolist()
    return ReplicateFigure(
        edges, counts.astype(np.float64), float(result.estimate), float(result.standard_error), low,
        high, result.measure.name, result.method, level,
    )  # fmt: skip


def class_figure(result: BootstrapResult) -> ForestFigure:
    """Return the values of a measure that has one per class, with their intervals."""
    level = one_level(result)
    limits = np.asarray(result.interval)
    return ForestFigure(
        [(str(label),) for label in result.classes], np.asarray(result.estimate), limits[:, 0],
        limits[:, 1], result.measure.name, level,
    )  # fmt: skip


def one_level(result: BootstrapResult) -> float:
    """Return the confidence level of a result that has one only."""
    if np.ndim(result.confidence):
        raise ValueError(
            "the result has several confidence levels; use with_interval(confidence=0.95)"
        )
    return float(result.confidence)
