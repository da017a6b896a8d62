"""Estimates with their intervals, one line each: models, differences, replicates, folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._bradley.result import BradleyResult
    from polyroc._compare.result import Comparison
    from polyroc._inference.bootstrap_result import BootstrapResult


class ForestFigure(NamedTuple):
    """Lines of a forest plot."""

    names: list[str]
    values: Floats
    low: Floats
    high: Floats
    p_adjusted: list[float] | None  # of differences
    what: str
    confidence: float


class ReplicateFigure(NamedTuple):
    """The distribution of replicates with the interval made of it."""

    edges: Floats
    counts: Floats
    estimate: float
    low: float
    high: float
    what: str


class FoldFigure(NamedTuple):
    """The value of each classifier in each fold."""

    folds: list[str]
    classifiers: list[str]
    values: Floats  # one row per classifier
    means: Floats
    what: str


def models_figure(comparison: Comparison) -> ForestFigure:
    """Return the models of a comparison."""
    limits = comparison.intervals
    return ForestFigure(
        list(comparison.models), comparison.estimates, limits[:, 0], limits[:, 1], None,
        comparison.measure.name, comparison.confidence,
    )  # fmt: skip


def differences_figure(comparison: Comparison) -> ForestFigure:
    """Return the differences of every two models."""
    pairs = comparison.pairs
    return ForestFigure(
        [f"{pair.first} - {pair.second}" for pair in pairs],
        np.array([pair.difference for pair in pairs]),
        np.array([pair.low for pair in pairs]),
        np.array([pair.high for pair in pairs]),
        [pair.p_adjusted for pair in pairs],
        f"difference in {comparison.measure.name}",
        comparison.confidence,
    )


def replicate_figure(result: BootstrapResult, bins: int = 40) -> ReplicateFigure:
    """Return the replicates of a measure that is one number."""
    if np.ndim(result.estimate):
        raise ValueError("the result has one value per class or pair; a picture shows one number")
    if np.ndim(result.confidence):
        raise ValueError(
            "the result has several confidence levels; use with_interval(confidence=0.95)"
        )
    known = result.replicates[~np.isnan(result.replicates)]
    counts, edges = np.histogram(known, bins)
    low, high = result.interval.tolist()
    return ReplicateFigure(
        edges, counts.astype(np.float64), float(result.estimate), low, high, result.measure.name
    )


def fold_figure(result: BradleyResult) -> FoldFigure:
    """Return the values of classifiers over folds."""
    measure = result.measure
    return FoldFigure(
        [str(fold) for fold in result.folds],
        [str(name) for name in result.classifiers],
        np.asarray(result.values).T,
        np.asarray(result.mean),
        measure if isinstance(measure, str) else measure.name,
    )
