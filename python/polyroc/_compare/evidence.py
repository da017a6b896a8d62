"""What every method of comparison knows of models: estimates, influence values, differences."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._compare.difference import Difference, Side
from polyroc._compare.models import Model, blaming
from polyroc._inference.influence import Influences, measured
from polyroc._inference.scale import scale_of
from polyroc._inference.small_sample import kinds_of, mixes_classes
from polyroc._inference.spread import cells_of

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._inference.spread import Cells
    from polyroc._measures.measure import Measure


class Pair(NamedTuple):
    """What a method knows of two models."""

    difference: Difference
    low: float
    high: float
    p_value: float


class Evidence(NamedTuple):
    """What a method knows: of the models, and of every two of them."""

    estimates: Floats
    covariance: Floats
    apart: Floats  # the covariance of differences from the first model
    intervals: Floats
    pairs: dict[tuple[int, int], Pair]
    notes: list[tuple[str, str]]  # whom it concerns, and what
    influences: ModelInfluences | None  # influence values, where the measure has them
    least: float = 0.0  # the p-value below which that of all models does not go


class ModelInfluences(NamedTuple):
    """Influence values of each model's measure; where models are paired, of the same units."""

    models: list[Influences]
    paired: bool

    def sum(self, weights: Floats) -> Influences:
        """Return the influence values of a weighted sum of the measures."""
        used = [(w, self.models[k]) for k, w in enumerate(weights.tolist()) if w]
        if self.paired:
            (w, first), *more = used
            values = first.values if w == 1 else w * first.values
            for w, other in more:
                values = values + w * other.values
            return first._replace(values=values)
        return _apart([model._replace(values=w * model.values) for w, model in used])

    def sums(self, weights: Floats) -> Influences:
        """Return the influence values of weighted sums of the measures, a row of weights each."""
        if self.paired:
            values = weights @ np.concatenate([model.values for model in self.models])
            return self.models[0]._replace(values=values)
        weighted = [weights[:, [k]] * model.values for k, model in enumerate(self.models)]
        return _apart(
            [model._replace(values=v) for model, v in zip(self.models, weighted, strict=True)]
        )

    def covariance(self, weights: Floats) -> Floats:
        """Return the covariance of weighted sums of the measures, a row of weights each.

        Sums are made before they are squared: the difference of two models that are nearly the
        same would be lost in the rounding of their variances.
        """
        if not self.paired:
            variances = [model.variances()[0] for model in self.models]
            return weights @ np.diag(variances) @ weights.T
        return self.sums(weights).covariance()


def _apart(parts: list[Influences]) -> Influences:
    """Return influence values of units of different models, which are strata of their own."""
    bounds = [0]
    for part in parts:
        bounds += [bounds[-1] + end for end in part.bounds[1:]]
    values = np.hstack([part.values for part in parts])
    kinds = [part.kinds for part in parts if part.kinds is not None]
    weights = None
    if any(part.weights is not None for part in parts):
        alike = [np.ones(part.values.shape[1]) for part in parts]
        weights = np.concatenate(
            [one if part.weights is None else part.weights
             for one, part in zip(alike, parts, strict=True)]
        )  # fmt: skip
    mixed = any(part.mixed for part in parts)
    kinds_of_all = np.concatenate(kinds) if kinds else None
    return Influences(values, tuple(bounds), kinds_of_all, weights, mixed)


def contrasts(count: int) -> Floats:
    """Return the weights of all models but the first minus the first, a row each."""
    return np.column_stack([-np.ones(count - 1), np.eye(count - 1)])


def between(count: int, i: int, j: int) -> Floats:
    """Return the weights of model i minus model j."""
    models = np.eye(count)
    return np.asarray(models[i] - models[j])


def measured_models(
    models: list[Model], measure: Measure[Any], paired: bool
) -> tuple[Floats, ModelInfluences]:
    """Return the measure of each model, and their influence values, with what units are."""
    estimates, listed = [], []
    known: Influences | None = None
    for model in models:
        with blaming(model.name, paired):
            estimate, found = measured(model.sample, model.units, {"": measure})[""]
        if known is None or not paired:
            cells, _ = cells_of(model.sample, model.units)
            known = of_units(model, cells, found.values, found.bounds)
        estimates.append(float(estimate))
        listed.append(known._replace(values=found.values))
    return np.array(estimates), ModelInfluences(listed, paired)


def of_units(model: Model, cells: Cells, values: Floats, bounds: tuple[int, ...]) -> Influences:
    """Return influence values of a model's units, with their kinds and weights."""
    sample, units = model.sample, model.units
    weights = cells.weights if cells.groups is None else None
    return Influences(
        values, bounds, kinds_of(sample, units), weights, mixes_classes(sample, units)
    )


def sides_of(
    models: list[Model], measure: Measure[Any], estimates: Floats, covariance: Floats
) -> list[Side]:
    """Return each model's estimate, error and scale."""
    errors = np.sqrt(np.diag(covariance)).tolist()
    scales = [scale_of(measure, model.sample, model.units) for model in models]
    return [Side(*side) for side in zip(estimates.tolist(), errors, scales, strict=True)]


def without_errors(models: list[Model], measure: Measure[Any], paired: bool) -> Evidence:
    """Return the measure of each model alone, for tests that need no error; what is unknown is nan.

    So for a rate at a point of the curve, and where a class has a single unit.
    """
    m, values = len(models), []
    for model in models:
        with blaming(model.name, paired):
            values.append(float(measure._of(model.sample)))
    estimates, unknown = np.array(values), np.full((m, m), np.nan)
    sides = sides_of(models, measure, estimates, unknown)
    pairs = {
        (i, j): Pair(Difference(sides[i], sides[j], math.nan), math.nan, math.nan, math.nan)
        for i, j in combinations(range(m), 2)
    }
    note = "no closed-form errors here, so that errors and intervals are nan"
    limits, apart = np.full((m, 2), np.nan), unknown[1:, 1:]
    return Evidence(estimates, unknown, apart, limits, pairs, [("", note)], None)
