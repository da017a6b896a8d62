"""What is known of models and their differences without replicates: spreads, and how well known.

Replicates spread by about R, the covariance of resamples as influence values have it
(`resampled_covariance`), where V would be right: V by DeLong's method, or by a jackknife for
measures without a closed form. A variance W of replicates is widened to W V / R, known as well as V
is.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._compare.by_delong import by_delong
from polyroc._compare.evidence import ModelInfluences, between, measured_models
from polyroc._compare.models import blaming
from polyroc._inference.jackknife import jackknifed
from polyroc._inference.small_sample import allowance, resampled_covariance
from polyroc._inference.spread import cells_of, pull_of
from polyroc._stats.sided_limits import Spread

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._compare.models import Model
    from polyroc._inference.influence import Influences
    from polyroc._measures.measure import Measure


class Closed(NamedTuple):
    """Influence values, and the spread of each model and of each difference."""

    influences: ModelInfluences
    models: list[Spread]
    pairs: dict[tuple[int, int], Spread]
    of_aucs: bool  # whether the measure follows from AUCs, on whose scale its limits are then

    def model(self, k: int, variance: float) -> Spread:
        """Return the spread of a model whose replicates have this variance."""
        return _widened(self.models[k], self.influences.sum(np.eye(len(self.models))[k]), variance)

    def pair(self, i: int, j: int, variance: float) -> Spread:
        """Return the spread of a difference whose replicates have this variance."""
        sums = self.influences.sum(between(len(self.models), i, j))
        return _widened(self.pairs[i, j], sums, variance)


def closed_form(
    models: list[Model], measure: Measure[Any], paired: bool, level: float
) -> tuple[Floats, Closed | None]:
    """Return the measure of each model, and what is known of it; None if a unit has no influence.

    So it is if a class of a measure without a closed form has one unit, which cannot be left out,
    or so many that there is nothing to allow for.
    """
    if measure.has_influence:
        estimates, influences = measured_models(models, measure, paired)
        evidence = by_delong(models, measure, level, paired, "t")
        found = {at: pair.difference for at, pair in evidence.pairs.items()}
        sides = [found[0, 1].first, *(found[0, k].second for k in range(1, len(models)))]
        pull = max(side.spread.pull for side in sides if side.spread)
        pairs = {at: _spread(one.error**2, one.freedom, pull) for at, one in found.items()}
        return estimates, Closed(influences, [s.spread for s in sides if s.spread], pairs, True)
    values, left_out = [], []
    for model in models:
        with blaming(model.name, paired):
            values.append(float(measure._of(model.sample)))
        left_out += jackknifed(model.sample, model.units, [measure]) or []
    estimates = np.array(values)
    known = [one for one in left_out if np.isfinite(one.values).all()]
    if len(known) < len(models):
        return estimates, None
    influences, m = ModelInfluences(known, paired), len(models)
    pulls = [pull_of(measure, cells_of(model.sample, model.units)[0]) for model in models]
    alone = [_by_jackknife(influences.sum(np.eye(m)[k]), pulls[k]) for k in range(m)]
    pairs = {
        (i, j): _by_jackknife(influences.sum(between(m, i, j)), max(pulls[i], pulls[j]))
        for i, j in combinations(range(m), 2)
    }
    return estimates, Closed(influences, alone, pairs, False)


def _by_jackknife(sums: Influences, pull: float) -> Spread:
    if not float(sums.variances()[0]) > 0.0:
        return Spread(0.0, 0.0, 0.0, pull)
    allowed = allowance(sums)
    return _spread(float(allowed.widened[0, 0]), allowed.freedom, pull)


def _spread(variance: float, freedom: float, pull: float) -> Spread:
    doubt = variance * variance / freedom if math.isfinite(freedom) else 0.0
    return Spread(variance, doubt, doubt, pull)


def _widened(spread: Spread, sums: Influences, variance: float) -> Spread:
    expected = float(resampled_covariance(sums)[0, 0])
    by = variance / expected if expected > 0.0 else 0.0
    known = (spread.variance * by, spread.doubt * by * by, spread.inner_doubt * by * by)
    return Spread(*known, spread.pull)
