"""The studentised permutation test: differences in standard errors, models exchanged within rows.

Each permutation has its own standard error of the difference, by influence values. As the rows grow
many the test has the right size for equal measures whether or not the models are exchangeable
(Janssen 1997; Chung & Romano 2013), which the plain one has not. With the numbers of rows that one
has it mostly differs little from the plain one: what unequal spread does to few rows is to skew the
difference, and permuted differences are symmetric.

References
----------
A. Janssen, Studentized permutation tests for non-i.i.d. hypotheses and the generalized
Behrens-Fisher problem, Stat. Probab. Lett. 36 (1997) 9-21.
E. Chung and J. P. Romano, Exact and asymptotically robust permutation tests, Ann. Stat. 41 (2013)
484-507.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._data.sample import alike_in_type
from polyroc._inference.influence import Influences
from polyroc._stats.rounding import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Array, Floats
    from polyroc._compare.models import Model
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure

MOST_WORK = 10**9  # scores times permutations: a minute or two
_AT_ONCE = 64  # permutations whose coins are drawn together


def require_studentized(models: list[Model], measure: Measure[Any], count: int) -> None:
    """Raise if a studentised permutation test is not to be had, or takes too long."""
    sample = models[0].sample
    if not measure.has_influence:
        raise ValueError(
            "statistic='studentized' needs a standard error in every permutation, and "
            f"{measure!r} has none in closed form; leave statistic out"
        )
    if measure.projects and not measure._is_auc(sample):
        raise ValueError(
            f"statistic='studentized' exchanges columns of scores, and {measure!r} projects them; "
            "compare by hand_till or one_vs_rest, or leave statistic out"
        )
    if 1 in models[0].units.sizes.tolist():
        raise ValueError(
            "statistic='studentized' needs a standard error, which a class of a single "
            f"{models[0].units.unit} does not have; leave statistic out"
        )
    work = 2 * sample.scores.size * count * len(models) * (len(models) - 1) // 2
    if work > MOST_WORK:
        fewer = count * MOST_WORK // work
        raise ValueError(
            f"statistic='studentized' finds a standard error in every permutation, too much for "
            f"{count} permutations of {len(sample.codes)} rows; "
            + (f"pass n_resamples={fewer}, or " if fewer >= 99 else "")
            + "leave statistic out: so many rows hardly need it"
        )


def studentized_p_value(
    first: Model, second: Model, measure: Measure[Any], seed: int, count: int,
    report: Callable[[int], object] | None, alternative: str = "two-sided",
) -> float:  # fmt: skip
    """Return the share of permutations as far apart in errors, the observed one among them."""
    away = away_by(alternative)
    samples = alike_in_type([first.sample, second.sample], measure.projects)
    sample, units = samples[0], first.units
    ranks = [_ranked(one, measure) for one in samples]
    n_units = len(sample.codes) if units.groups is None else units.n_groups
    strata = np.zeros(2 * n_units, dtype=np.uint32)

    def statistic(own: Array) -> float:
        """Return the difference in errors, where the first model has the rows that it owns."""
        own = own if units.groups is None else own[units.groups]
        own = own.reshape(-1, *(1,) * (ranks[0].ndim - 1))
        halves = [np.where(own, *pair) for pair in (ranks, ranks[::-1])]
        values = [_measured(sample, units, measure, scores) for scores in halves]
        (a, moved_a, bounds), (b, moved_b, _) = values
        variance = float(Influences(moved_a - moved_b, bounds).variances()[0])
        if abs(a - b) <= ROUNDING:
            return 0.0
        error = math.sqrt(variance)
        return float(away(a - b)) / error if error > ROUNDING else float(away(a - b)) * math.inf

    observed = statistic(np.ones(n_units, dtype=np.bool_))
    near = ROUNDING * abs(observed) if math.isfinite(observed) else 0.0
    as_far = 1
    for start in range(0, count, _AT_ONCE):
        last = min(start + _AT_ONCE, count)
        coins = _core.resample(
            strata=strata, n_strata=1, scheme=_core.Scheme.Exchange, seed=seed, first=start,
            last=last, attempt=0, again=False,
        )  # fmt: skip
        for bits in coins[:, :n_units] > 0.0:
            as_far += statistic(bits) >= observed - near
        if report is not None:
            report(last)
    return as_far / (1 + count)


def away_by(alternative: str) -> Callable[[Any], Any]:
    """Return how far a difference is from none: either way, up, or down."""
    return {"greater": np.positive, "less": np.negative}.get(alternative, np.abs)


def _measured(
    sample: Sample, units: Plan, measure: Measure[Any], scores: Floats
) -> tuple[float, Floats, tuple[int, ...]]:
    """Return the measure of other scores of the same rows, and its influence values."""
    rows = sample._replace(scores=scores, n_threads=1).rows(units=units)
    found = _core.influence(
        rows=rows, measures=[measure._in_core(sample)], stratified=units.stratified, widened=False
    )
    return float(found.estimates[0][0]), found.values[0], tuple(found.bounds)


def _ranked(sample: Sample, measure: Measure[Any]) -> Floats:
    """Return mid-ranks of each column, or of all columns where the measure pools them.

    Scores stay as they are where the measure reads their values.
    """
    if measure.reads_values:
        return sample.scores
    counted = np.ones(len(sample.codes), dtype=np.bool_)
    if sample.weights is not None:
        counted = sample.weights > 0.0
    scores = sample.scores
    out = np.zeros(scores.shape)
    if sample.entries is not None and not sample.entries.pooled:
        for label in range(sample.n_classes // 2):
            own = counted & (sample.codes // 2 == label)
            out[own] = _midranks(scores[own])
        return out
    if scores.ndim == 1 or measure.needs_columns:
        out[counted] = _midranks(scores[counted].ravel()).reshape(scores[counted].shape)
        return out
    for k in range(scores.shape[1]):
        out[counted, k] = _midranks(scores[counted, k])
    return out


def _midranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2.0)[place])
