"""Models compared by influence values: DeLong's covariances, z-tests, or limits by Student's t."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._compare.difference import Difference, Side
from polyroc._compare.evidence import Evidence, ModelInfluences, Pair, of_units
from polyroc._compare.models import blaming
from polyroc._inference.covariance import Covariance
from polyroc._inference.influence import measured
from polyroc._inference.scale import scale_of
from polyroc._inference.spread import Parts, cells_of, parts_of, pull_of, uneven

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._compare.models import Model
    from polyroc._data.units import Plan
    from polyroc._inference.influence import Influences
    from polyroc._inference.spread import Cells
    from polyroc._measures.measure import Measure
    from polyroc._stats.sided_limits import Spread


class _Known(NamedTuple):
    """What is known of one model."""

    estimate: float
    values: Floats  # influence values of cells, in one line
    bounds: tuple[int, ...]
    cells: Cells
    units: Plan  # of which each class has as many as its cells are worth
    pull: float


def by_delong(
    models: list[Model], measure: Measure[Any], level: float, paired: bool, reference: str
) -> Evidence:
    """Compare models by the covariance of their influence values."""
    m, known = len(models), _measured(models, measure, paired)
    covariance, spreads = _together(models, known, paired)
    by_t, levels = reference == "t", np.array([level])
    sides, ends, intervals, notes = [], [], [], []
    for k, model in enumerate(models):
        spread = spreads[k] if by_t else None
        error, scale = math.sqrt(covariance[k, k]), scale_of(measure, model.sample, known[k].units)
        side = Side(known[k].estimate, error, scale, spread)
        limits = side.limits(levels)
        intervals.append((limits.low[0], limits.high[0]))
        notes.append((model.name, limits.note))
        sides.append(side)
        ends.append(limits.ends)  # a model of constant scores has no limits by t
    pairs = {}
    for i, j in combinations(range(m), 2):
        parts = _between(known[i], known[j], paired)
        of_both = sides[i], sides[j], math.sqrt(parts.variances[0])
        difference = Difference(*of_both)
        if by_t:
            spread = parts.spreads([max(known[i].pull, known[j].pull)], kurtosis=False)[0]
            shared = float(covariance[i, j]) if paired else None
            mover = by_limits(difference, ends[i], ends[j], shared, spread.pull)
            difference = Difference(*of_both, freedom=spread.freedom, by_limits=mover)
        pairs[i, j] = Pair(difference, *difference.interval(level), difference.p_value())
    return Evidence(
        np.array([model.estimate for model in known]),
        covariance,
        _from_first(known, covariance, pairs, paired),
        np.array(intervals),
        pairs,
        notes,
        _of_units(models, known, paired) if by_t and m > 2 else None,
        min(pair.p_value for pair in pairs.values()) if by_t else 0.0,
    )


def _measured(models: list[Model], measure: Measure[Any], paired: bool) -> list[_Known]:
    found: list[_Known] = []
    for model in models:
        if not (paired and found):
            cells, cell_of_row = cells_of(model.sample, model.units)
            units = model.units._replace(sizes=cells.effective)
            pull = pull_of(measure, cells)
        with blaming(model.name, paired):
            one = measured(model.sample, model.units, {"": measure}, cell_of_row, cells.summed)[""]
        influences = one.influences
        found.append(
            _Known(float(one.estimate), influences.values, influences.bounds, cells, units, pull)
        )
    return found


def _together(
    models: list[Model], known: list[_Known], paired: bool
) -> tuple[Floats, list[Spread]]:
    """Return the covariance of the models' measures, and the spread of each."""
    kurtosis = [uneven(model.sample.weights) for model in models]
    pulls = [one.pull for one in known]
    if paired:
        values = np.concatenate([one.values for one in known])
        parts = parts_of(values, known[0].bounds, known[0].cells)
        return parts.covariance, list(parts.spreads(pulls, kurtosis[0]))
    alone = [parts_of(one.values, one.bounds, one.cells) for one in known]
    each = zip(alone, pulls, kurtosis, strict=True)
    spreads = [parts.spreads([pull], heavy)[0] for parts, pull, heavy in each]
    return np.diag([spread.variance for spread in spreads]), spreads


def _between(first: _Known, second: _Known, paired: bool) -> Parts:
    """Return the variance of a difference.

    Values are subtracted before they are squared: the difference of two models that are nearly the
    same would be lost in the rounding of their variances.
    """
    if paired:
        return parts_of(first.values - second.values, first.bounds, first.cells)
    one, other = (parts_of(model.values, model.bounds, model.cells) for model in (first, second))
    doubts = ([a[0] + b[0]] for a, b in zip(one[1:], other[1:], strict=True))
    return Parts(Covariance.known(one.covariance + other.covariance), *doubts)


def _from_first(
    known: list[_Known], covariance: Floats, pairs: dict[tuple[int, int], Pair], paired: bool
) -> Floats:
    """Return the covariance of differences from the first model."""
    first, *others = known
    if not others[1:]:
        return np.array([[pairs[0, 1].difference.error ** 2]])
    if not paired:
        return np.asarray(covariance[1:, 1:] + covariance[0, 0])
    values = np.concatenate([one.values for one in others]) - first.values
    return parts_of(values, first.bounds, first.cells).covariance


def by_limits(
    difference: Difference, first: _core.Estimated | None, second: _core.Estimated | None,
    covariance: float | None, pull: float,
) -> _core.Mover | None:  # fmt: skip
    """Return the limits of a difference, put together from those of its two sides."""
    if first is None or second is None or difference.is_constant:
        return None
    if not difference.varies or covariance is None:
        # As if they were independent, which for models on the same rows is on the safe side.
        return _core.Mover(first, second, None)
    one, other = difference.first.error**2, difference.second.error**2
    steep = math.sqrt(first.variance * second.variance / max(one * other, 2.0**-1000))
    left = difference.error**2 / (one + other)
    return _core.Mover(first, second, (covariance * steep, left, pull))


def _of_units(models: list[Model], known: list[_Known], paired: bool) -> ModelInfluences:
    """Return influence values of whole units, with their kinds."""
    listed: list[Influences] = []
    for model, one in zip(models, known, strict=True):
        values, bounds = one.values, one.bounds
        if one.cells.groups is not None:
            count = int(one.cells.groups.max()) + 1
            summed = np.bincount(one.cells.groups, values[0], count)
            values = np.asarray(summed[np.newaxis], dtype=np.float64)
            bounds = (0, count)
        if paired and listed:
            listed.append(listed[0]._replace(values=values))
        else:
            listed.append(of_units(model, one.cells, values, bounds))
    return ModelInfluences(listed, paired)
