"""Models compared by influence values: DeLong's covariances, z-tests and t-tests."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._compare.difference import Difference
from polyroc._compare.evidence import Evidence, Pair, between, contrasts, measured_models, sides_of
from polyroc._inference.small_sample import allowance

if TYPE_CHECKING:
    from polyroc._compare.models import Model
    from polyroc._measures.measure import Measure


def by_delong(
    models: list[Model], measure: Measure[Any], level: float, paired: bool, reference: str
) -> Evidence:
    """Compare models by the covariance of their influence values: z-tests, or t-tests."""
    m = len(models)
    estimates, influence = measured_models(models, measure, paired, by_kind=reference == "t")
    covariance = influence.covariance(np.eye(m))
    sides = sides_of(models, measure, estimates, covariance)
    intervals, notes = [], []
    for model, side in zip(models, sides, strict=True):
        limits = side.limits(np.array([level]))
        intervals.append((limits.low[0], limits.high[0]))
        notes.append((model.name, limits.note))
    pairs = {}
    for i, j in combinations(range(m), 2):
        apart = influence.sum(between(m, i, j))
        difference = Difference(sides[i], sides[j], math.sqrt(apart.variances()[0]))
        if reference == "t" and difference.varies:
            allowed = allowance(apart)
            inflation = float(allowed.widened[0, 0] / allowed.formula[0, 0])
            difference = difference._replace(inflation=inflation, freedom=allowed.freedom)
        pairs[i, j] = Pair(difference, *difference.interval(level), difference.p_value())
    between_all = influence.covariance(contrasts(m))
    return Evidence(
        estimates, covariance, between_all, np.array(intervals), pairs, notes, influence
    )
