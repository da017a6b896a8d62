"""Estimates with their intervals, one line each: models, differences, folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Floats
    from polyroc._bradley.result import BradleyResult
    from polyroc._compare.result import Comparison

LEVEL = 0.05  # p-values below it tell models apart


class ForestFigure(NamedTuple):
    """Lines of a forest plot."""

    names: list[tuple[str, ...]]  # a model, or the two of a difference
    values: Floats
    low: Floats
    high: Floats
    what: str
    confidence: float
    p_adjusted: list[float] | None = None  # of differences
    alike: Sequence[tuple[int, int]] = ()  # runs of lines, first and last, that no test tells apart
    margin: float | None = None  # of differences: what counts as no worse, or as good


class FoldFigure(NamedTuple):
    """The value of each classifier in each fold."""

    folds: list[str]
    classifiers: list[str]
    values: Floats  # one row per classifier
    means: Floats
    standard_errors: Floats
    what: str


def models_figure(comparison: Comparison) -> ForestFigure:
    """Return the models of a comparison, the greatest value first, and which of them are alike."""
    limits = comparison.intervals
    order = np.argsort(-comparison.estimates, kind="stable").tolist()
    names = [comparison.models[k] for k in order]
    apart = {
        frozenset((pair.first, pair.second)) for pair in comparison.pairs if pair.p_adjusted < LEVEL
    }
    return ForestFigure(
        [(name,) for name in names],
        comparison.estimates[order],
        limits[order, 0],
        limits[order, 1],
        comparison.measure.name,
        comparison.confidence,
        alike=runs_of_alike(names, apart),
    )


def runs_of_alike(names: Sequence[str], apart: set[frozenset[str]]) -> list[tuple[int, int]]:
    """Return the longest runs of lines in which no two are told apart, of two lines or more."""
    runs: list[tuple[int, int]] = []
    for first in range(len(names)):
        last = first
        while last + 1 < len(names) and not any(
            frozenset((names[k], names[last + 1])) in apart for k in range(first, last + 1)
        ):
            last += 1
        if last > first and not (runs and last <= runs[-1][1]):
            runs.append((first, last))
    return runs


def differences_figure(comparison: Comparison) -> ForestFigure:
    """Return the differences of every two models."""
    pairs = comparison.pairs
    return ForestFigure(
        [(pair.first, pair.second) for pair in pairs],
        np.array([pair.difference for pair in pairs]),
        np.array([pair.low for pair in pairs]),
        np.array([pair.high for pair in pairs]),
        f"difference in {comparison.measure.name}",
        comparison.confidence,
        [pair.p_adjusted for pair in pairs],
        margin=comparison.margin,
    )


def fold_figure(result: BradleyResult) -> FoldFigure:
    """Return the values of classifiers over folds."""
    measure = result.measure
    return FoldFigure(
        [str(fold) for fold in result.folds],
        [str(name) for name in result.classifiers],
        np.asarray(result.values).T,
        np.asarray(result.mean),
        np.asarray(result.standard_error),
        measure if isinstance(measure, str) else measure.name,
    )
