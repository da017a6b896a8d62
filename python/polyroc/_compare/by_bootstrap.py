"""Models compared by resamples: the same ones for all models that have the same rows."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.display import counted
from polyroc._base.progress import after, watching
from polyroc._base.warn import warn
from polyroc._compare.difference import Difference
from polyroc._compare.evidence import (
    Evidence,
    ModelInfluences,
    Pair,
    between,
    contrasts,
    measured_models,
    sides_of,
)
from polyroc._compare.models import Model, blaming
from polyroc._data.sample import alike_in_type
from polyroc._inference.bootstrap_result import BootstrapWarning
from polyroc._inference.jackknife import jackknifed
from polyroc._inference.run import MANY_LOST, few_replicates, memory_budget
from polyroc._inference.small_sample import allowance
from polyroc._measures.registry import rows_for
from polyroc._stats.replicate_interval import Replicated, interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Floats
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure


_RARE = "leave out labels that few rows have, or lack"


def by_bootstrap(
    models: list[Model], measure: Measure[Any], level: float, paired: bool, seed: int, count: int,
    progress: Any, reference: str, interval_by: str,
) -> Evidence:  # fmt: skip
    """Compare models by their replicates: BCa intervals, and t-tests (or z) with the spread.

    Intervals of differences are those of the tests, unless `interval_by` names a method that makes
    them of replicates. All are widened for small samples in the same way.
    """
    m = len(models)
    estimates, influences = _estimates(models, measure, paired)
    drawn = _drawn(models, measure, paired, seed, count, progress)
    replicates, notes = _kept(drawn, count, models[0].units)
    notes += [("", note) for note in few_replicates(replicates.shape[1], level)]
    covariance = _covariance(replicates)
    if paired:
        apart = _covariance(replicates[1:] - replicates[0])
    else:
        covariance = np.diag(np.diag(covariance))
        apart = contrasts(m) @ covariance @ contrasts(m).T
    sides = sides_of(models, measure, estimates, covariance)
    intervals = []
    for k, (model, side) in enumerate(zip(models, sides, strict=True)):
        data = _replicated(side.estimate, replicates[k], side.scale.bounds)
        data |= _shape(influences, np.eye(m)[k])
        data |= {"sizes": side.scale.sizes, "from_auc": side.scale.from_auc}
        found = interval(Replicated(**data), "bca", np.array([level]))
        intervals.append((found.low[0], found.high[0]))
        notes.append((model.name, found.note))
    pairs = {}
    for i, j in combinations(range(m), 2):
        away = replicates[i] - replicates[j]
        variance = np.var(away, ddof=1) if paired else covariance[i, i] + covariance[j, j]
        shape = _shape(influences, between(m, i, j), by_kind=True)
        difference = Difference(sides[i], sides[j], math.sqrt(variance))
        if reference == "t" and shape:
            inflation, freedom = shape["inflation"], shape["freedom"]
            difference = difference._replace(inflation=inflation, freedom=freedom)
        low, high = difference.interval(level)
        if difference.varies and interval_by != "test":
            span = sides[i].span
            data = _replicated(difference.value, away, (-span, span)) | shape
            found = interval(Replicated(**data), interval_by, np.array([level]))
            low, high = float(found.low[0]), float(found.high[0])
            notes.append((f"{models[i].name} - {models[j].name}", found.note))
        pairs[i, j] = Pair(difference, low, high, difference.p_value())
    return Evidence(estimates, covariance, apart, np.array(intervals), pairs, notes, influences)


def _estimates(
    models: list[Model], measure: Measure[Any], paired: bool
) -> tuple[Floats, ModelInfluences | None]:
    if measure.has_influence:
        return measured_models(models, measure, paired, by_kind=True)
    values, left_out = [], []
    for model in models:
        with blaming(model.name, paired):
            values.append(float(measure._of(model.sample)))
        left_out += jackknifed(model.sample, model.units, [measure]) or []
    known = [one for one in left_out if np.isfinite(one.values).all()]
    # Where a unit cannot be left out, errors are known by replicates alone.
    return np.array(values), ModelInfluences(known, paired) if len(known) == len(models) else None


def _drawn(
    models: list[Model], measure: Measure[Any], paired: bool, seed: int, count: int, progress: Any
) -> Floats:
    """Return the replicates of each model, one row per model."""
    if paired:
        with watching(progress, count) as watcher:
            return _replicates(models, measure, seed, count, watcher)
    # Models on different rows must not share draws: each has a seed of its own.
    seeds = np.random.SeedSequence(seed).generate_state(len(models), np.uint64)
    drawn = []
    with watching(progress, count * len(models)) as watcher:
        for k, model in enumerate(models):
            report = None if watcher is None else after(watcher, k * count)
            drawn.append(_replicates([model], measure, int(seeds[k]), count, report)[0])
    return np.array(drawn)


def _replicates(
    models: list[Model], measure: Measure[Any], seed: int, count: int,
    watcher: Callable[[int], object] | None,
) -> Floats:  # fmt: skip
    """Return the measure of models with the same rows on the same resamples, one row per model."""
    sample, units = models[0].sample, models[0].units
    samples = alike_in_type([model.sample for model in models], measure.projects)
    run = _core.bootstrap(
        models=[rows_for(sample, [measure], units) for sample in samples],
        measures=[measure._in_core(model.sample) for model in models],
        scheme=_core.Scheme.Multinomial,
        stratified=units.stratified,
        seed=seed,
        first=0,
        last=count,
        redraw=False,
        estimates=False,
        influence=False,
        cells=False,  # sets of equal rows differ by model
        **memory_budget(None, sample).times(len(models))._asdict(),
        watcher=watcher,
    )
    return np.array([values[:, 0] for values in run.values])


def _kept(replicates: Floats, count: int, units: Plan) -> tuple[Floats, list[tuple[str, str]]]:
    """Return the resamples in which no model lost a class."""
    valid = ~np.isnan(replicates).any(axis=0)
    keeping = "" if units.by_label else "stratify=True"
    kept, lost = int(np.count_nonzero(valid)), int(np.count_nonzero(~valid))
    # Fewer could not span the differences of so many models.
    needed = len(replicates) + 1
    if kept < needed:
        models, way = f"{len(replicates)} models", "raise n_resamples, as 9999"
        why = f"n_resamples is {count}"
        if lost:
            why = f"{counted(lost, 'resample')} of {count:,} lost a class"
            way = f"pass {keeping}, which keeps all classes" if keeping else _RARE
        raise ValueError(f"{why}; a comparison of {models} needs {needed} or more: {way}")
    if not lost:
        return replicates, []
    note = f"{lost:,} of {count:,} resamples lost a class and were left out"
    if lost > MANY_LOST * count:
        warn(
            f"{note}, so that errors and intervals hold for resamples with all classes only; "
            f"{f'{keeping} avoids that' if keeping else _RARE}",
            BootstrapWarning,
        )
    return replicates[:, valid], [("", note)]


def _covariance(rows: Floats) -> Floats:
    """Return the covariance matrix of rows; np.cov takes longer to check its arguments."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(centred @ centred.T / (rows.shape[1] - 1))


def _replicated(estimate: float, replicates: Floats, bounds: tuple[float, float]) -> dict[str, Any]:
    """Return what every interval needs, by name."""
    return {"estimate": estimate, "replicates": replicates, "bounds": bounds}


def _shape(
    influences: ModelInfluences | None, weights: Floats, by_kind: bool = False
) -> dict[str, float]:
    """Return what is known of a weighted sum of the measures by its influence values, by name.

    `by_kind` allows for few units of a kind as tests do; `bootstrap`, whose intervals a model's own
    are, does not.
    """
    if influences is None:
        return {}
    sums = influences.sum(weights)
    shape = (float(x[0]) for x in sums.shape())
    known = dict(zip(("acceleration", "inflation", "freedom"), shape, strict=True))
    if not math.isfinite(known["acceleration"]):
        return {}
    if by_kind:
        allowed = allowance(sums)
        known["inflation"] = float(allowed.widened[0, 0] / allowed.plain[0, 0])
        known["freedom"] = allowed.freedom
    return known
