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
from polyroc._compare.by_delong import by_limits
from polyroc._compare.closed import closed_form
from polyroc._compare.difference import Difference, Side
from polyroc._compare.evidence import (
    Evidence,
    ModelInfluences,
    Pair,
    between,
    contrasts,
    sides_of,
)
from polyroc._data.sample import alike_in_type
from polyroc._inference.bootstrap_result import BootstrapWarning
from polyroc._inference.effective import effective_sizes
from polyroc._inference.optimism import optimism_of, usual_method
from polyroc._inference.run import MANY_LOST, few_replicates, memory_budget
from polyroc._measures.registry import rows_for
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import estimated, method_of
from polyroc._stats.replicate_interval import Replicated, interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Floats
    from polyroc._compare.closed import Closed
    from polyroc._compare.models import Model
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure


_RARE = "leave out labels that few rows have, or lack"


def by_bootstrap(
    models: list[Model], measure: Measure[Any], level: float, paired: bool, seed: int, count: int,
    progress: Any, reference: str, interval_by: str,
) -> Evidence:  # fmt: skip
    """Compare models by their replicates: usual intervals, and limits of differences by t (or z).

    Limits of differences are put together as DeLong's are, from errors and correlations of the
    replicates, widened for small samples. Intervals are those of the tests, unless `interval_by`
    names a method that makes them of replicates.
    """
    m = len(models)
    estimates, closed = closed_form(models, measure, paired, level)
    influences = None if closed is None else closed.influences
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
        if closed is not None and closed.of_aucs:
            data["pull"] = closed.models[k].pull
        data |= _shape(influences, np.eye(m)[k])
        data |= {"sizes": side.scale.sizes, "from_auc": side.scale.from_auc}
        budget = memory_budget(None, model.sample)
        for taken in optimism_of(model.sample, model.units, {"": measure}, seed, budget).values():
            data["optimism"] = float(taken[0])
        _, effective = effective_sizes(model.sample, model.units)
        data["proven"] = measure._proven(model.sample, effective)
        usual = usual_method(measure, model.sample)
        found = interval(Replicated(**data), usual, np.array([level]))
        intervals.append((found.low[0], found.high[0]))
        notes.append((model.name, found.note))
    by_t = closed if reference == "t" else None
    pairs = {}
    for i, j in combinations(range(m), 2):
        away = replicates[i] - replicates[j]
        variance = float(np.var(away, ddof=1)) if paired else covariance[i, i] + covariance[j, j]
        difference = Difference(sides[i], sides[j], math.sqrt(variance))
        # Equal replicates tell of a measure that is no mean of AUCs less than sizes of classes do.
        if by_t is not None and (by_t.of_aucs or difference.varies):
            shared = float(covariance[i, j]) if paired else None
            difference = _limited(difference, by_t, (i, j), shared)
        low, high = difference.interval(level)
        if difference.varies and interval_by != "test":
            span = sides[i].span
            data = _replicated(difference.value, away, (-span, span))
            data |= _shape(influences, between(m, i, j))
            if closed is not None:
                known = closed.pair(i, j, variance)
                data |= {"inflation": known.variance / variance, "freedom": known.freedom}
            found = interval(Replicated(**data), interval_by, np.array([level]))
            low, high = float(found.low[0]), float(found.high[0])
            notes.append((f"{models[i].name} - {models[j].name}", found.note))
        pairs[i, j] = Pair(difference, low, high, difference.p_value())
    least = min(pair.p_value for pair in pairs.values()) if by_t else 0.0
    return Evidence(
        estimates, covariance, apart, np.array(intervals), pairs, notes, influences, least
    )


def _limited(
    difference: Difference, closed: Closed, at: tuple[int, int], covariance: float | None
) -> Difference:
    """Return a difference with limits put together from those of its sides, errors widened."""
    known = closed.pair(*at, difference.error**2)
    first = _widened(difference.first, closed, at[0])
    second = _widened(difference.second, closed, at[1])
    if covariance is not None:
        for wide, side in ((first, difference.first), (second, difference.second)):
            covariance *= _ratio(wide.error, side.error)
    widened = Difference(first, second, math.sqrt(known.variance))
    limits = by_limits(widened, _ends(first), _ends(second), covariance, known.pull)
    return difference._replace(
        inflation=_ratio(widened.error, difference.error) ** 2,
        freedom=known.freedom,
        by_limits=limits,
    )


def _widened(side: Side, closed: Closed, k: int) -> Side:
    """Return a model with the error that it would have without few units, and its spread."""
    spread = closed.model(k, side.error**2)
    scale = side.scale if closed.of_aucs else side.scale._replace(from_auc=FromAuc())
    return Side(side.estimate, math.sqrt(spread.variance), scale, spread)


def _ends(side: Side) -> _core.Estimated | None:
    """Return an estimate with its limits by t; None where it has none, as for constant scores."""
    estimate, error, scale, spread = side
    if spread is None or method_of(estimate, error, scale, "logit", spread) != "t":
        return None
    return estimated(estimate, scale, spread)


def _ratio(widened: float, error: float) -> float:
    return widened / error if error > 0.0 else 1.0


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


def _shape(influences: ModelInfluences | None, weights: Floats) -> dict[str, float]:
    """Return what BCa needs of a weighted sum of the measures, by name."""
    if influences is None:
        return {}
    shape = (float(x[0]) for x in influences.sum(weights).shape())
    known = dict(zip(("acceleration", "inflation", "freedom"), shape, strict=True))
    return known if math.isfinite(known["acceleration"]) else {}
