"""Models compared by influence values: DeLong's covariances, z-tests, or limits by Student's t."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._compare.difference import Difference, Side
from polyroc._compare.evidence import Evidence, ModelInfluences, Pair, between, contrasts
from polyroc._compare.models import blaming
from polyroc._compare.mover import estimated, mover
from polyroc._inference.influence import Influences, measured
from polyroc._inference.scale import scale_of
from polyroc._inference.small_sample import kinds_of
from polyroc._inference.spread import Parts, cells_of, parts_of, pull_of, uneven
from polyroc._stats.normal_interval import method_of

if TYPE_CHECKING:
    from polyroc._base.types import Codes, Floats
    from polyroc._compare.models import Model
    from polyroc._inference.spread import Cells
    from polyroc._measures.measure import Measure


class _Known(NamedTuple):
    """What is known of one model."""

    estimate: float
    values: Floats  # influence values of cells, in one line
    bounds: tuple[int, ...]
    cells: Cells
    pull: float


def by_delong(
    models: list[Model], measure: Measure[Any], level: float, paired: bool, reference: str
) -> Evidence:
    """Compare models by the covariance of their influence values."""
    m, known = len(models), _measured(models, measure, paired)
    estimates = np.array([model.estimate for model in known])
    covariance, spreads = _together(known, np.eye(m), paired)
    sides = []
    for k, model in enumerate(models):
        units = model.units._replace(sizes=known[k].cells.effective)
        kurtosis = uneven(model.sample.weights)
        spread = spreads[k].spreads([known[k].pull], kurtosis)[0] if reference == "t" else None
        error = math.sqrt(covariance[k, k])
        sides.append(Side(known[k].estimate, error, scale_of(measure, model.sample, units), spread))
    intervals, notes = [], []
    for model, side in zip(models, sides, strict=True):
        limits = side.limits(np.array([level]))
        intervals.append((limits.low[0], limits.high[0]))
        notes.append((model.name, limits.note))
    pairs = {}
    for i, j in combinations(range(m), 2):
        variance, parts = _together(known, between(m, i, j)[np.newaxis], paired)
        difference = Difference(sides[i], sides[j], math.sqrt(variance[0, 0]))
        if reference == "t":
            shared = covariance[i, j] if paired else None
            difference = _by_limits(difference, parts[0], shared, max(known[i].pull, known[j].pull))
        pairs[i, j] = Pair(difference, *difference.interval(level), difference.p_value())
    apart = _together(known, contrasts(m), paired)[0]
    influences = None
    if reference == "t" and m > 2:
        influences = _of_units(models, known, paired)
    return Evidence(estimates, covariance, apart, np.array(intervals), pairs, notes, influences)


def _measured(models: list[Model], measure: Measure[Any], paired: bool) -> list[_Known]:
    found: list[_Known] = []
    for model in models:
        if not (paired and found):
            cells, cell_of_row = cells_of(model.sample, model.units)
            pull = pull_of(measure, cells)
        with blaming(model.name, paired):
            one = measured(model.sample, model.units, {"": measure}, cell_of_row)[""]
        influences = one.influences
        found.append(_Known(float(one.estimate), influences.values, influences.bounds, cells, pull))
    return found


def _together(known: list[_Known], weights: Floats, paired: bool) -> tuple[Floats, list[Parts]]:
    """Return the covariance of weighted sums of the measures, a row of weights each, and its parts.

    Sums are made before they are squared: the difference of two models that are nearly the same
    would be lost in the rounding of their variances.
    """
    if paired and len(weights) == 1:
        used = [(w, model.values) for w, model in zip(weights[0].tolist(), known, strict=True) if w]
        values = sum(w * values for w, values in used)
        found = parts_of(np.asarray(values), known[0].bounds, known[0].cells)
        return found.covariance, [found]
    if paired:
        values = weights @ np.concatenate([model.values for model in known])
        found = parts_of(values, known[0].bounds, known[0].cells)
        diagonal = [
            Parts(found.covariance[k : k + 1, k : k + 1], found.doubt[k : k + 1],
                  found.plain_doubt[k : k + 1])
            for k in range(len(weights))
        ]  # fmt: skip
        return found.covariance, diagonal
    alone = [parts_of(model.values, model.bounds, model.cells) for model in known]
    variances = np.array([float(part.covariance[0, 0]) for part in alone])
    squares = weights * weights
    doubts = np.array([[part.doubt[0], part.plain_doubt[0]] for part in alone])
    of_rows = squares * squares @ doubts
    covariance = weights @ np.diag(variances) @ weights.T
    return covariance, [
        Parts(covariance[k : k + 1, k : k + 1], of_rows[k, :1], of_rows[k, 1:])
        for k in range(len(weights))
    ]


def _by_limits(
    difference: Difference, parts: Parts, covariance: float | None, pull: float
) -> Difference:
    """Return a difference whose limits are put together from those of its two sides."""
    first, second = difference.first, difference.second
    spread = parts.spreads([pull], kurtosis=False)[0]
    difference = difference._replace(freedom=spread.freedom)
    if difference.is_constant:
        return difference
    ends = []
    for side in (first, second):
        if side.spread is None or method_of(side.estimate, side.error, side.scale, "logit",
                                            side.spread) != "t":  # fmt: skip
            return difference  # a model of constant scores has no limits by t
        ends.append(estimated(side.estimate, side.scale, side.spread))
    one, other = ends
    if not difference.varies or covariance is None:
        # As if they were independent, which for models on the same rows is on the safe side.
        return difference._replace(by_limits=mover(one, other, None, 1.0, pull))
    steep = math.sqrt(
        one.share.variance * other.share.variance
        / max(first.error**2 * second.error**2, 2.0**-1000)
    )  # fmt: skip
    apart = first.error**2 + second.error**2
    left = difference.error**2 / apart if apart > 0.0 else 1.0
    return difference._replace(by_limits=mover(one, other, covariance * steep, left, pull))


def _of_units(models: list[Model], known: list[_Known], paired: bool) -> ModelInfluences:
    """Return influence values of whole units, with their kinds."""
    listed = []
    kinds: Codes | None = None
    for k, (model, one) in enumerate(zip(models, known, strict=True)):
        values, bounds = one.values, one.bounds
        if one.cells.groups is not None:
            count = int(one.cells.groups.max()) + 1
            summed = np.bincount(one.cells.groups, values[0], count)
            values = np.asarray(summed[np.newaxis], dtype=np.float64)
            bounds = (0, count)
        if not (paired and k):
            kinds = kinds_of(model.sample, model.units)
        listed.append(Influences(values, bounds, kinds))
    return ModelInfluences(listed, paired)
