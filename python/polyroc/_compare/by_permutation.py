"""The permutation test of two models: their scores exchanged within rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.progress import after, watching
from polyroc._compare.studentized import away_by, studentized_p_value
from polyroc._data.sample import alike_in_type
from polyroc._inference.run import memory_budget
from polyroc._stats.rounding import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Floats
    from polyroc._compare.evidence import Evidence
    from polyroc._compare.models import Model
    from polyroc._measures.measure import Measure


def permuted(
    evidence: Evidence,
    models: list[Model],
    measure: Measure[Any],
    seed: int,
    count: int,
    progress: Any,
    test: tuple[str, str],
) -> Evidence:
    """Return what DeLong's method found with p-values by permutation.

    `test` is the statistic, "difference" or "studentized" for differences in standard errors, and
    the alternative.
    """
    (statistic, alternative), pairs = test, {}
    studentized = statistic == "studentized"
    each = count if studentized else 2 * count
    with watching(progress, each * len(evidence.pairs)) as watcher:
        for k, ((i, j), pair) in enumerate(evidence.pairs.items()):
            report = None if watcher is None else after(watcher, k * each)
            if studentized:
                p = studentized_p_value(
                    models[i], models[j], measure, seed, count, report, alternative
                )
                pairs[i, j] = pair._replace(p_value=p)
                continue
            drawn = permuted_differences(models[i], models[j], measure, seed, count, report)
            p_value = permutation_p_value(pair.difference.value, drawn, alternative)
            pairs[i, j] = pair._replace(p_value=p_value)
    return evidence._replace(pairs=pairs)


def permuted_differences(
    first: Model, second: Model, measure: Measure[Any], seed: int, count: int,
    watcher: Callable[[int], object] | None,
) -> Floats:  # fmt: skip
    """Return the difference of two models in each of `count` permutations.

    A permutation gives each row (each group, where there are groups) to one model or the other
    with probability one half. Each ordering ranks either model's scores among its own first, so
    that models with different scales can be exchanged; measures of AUCs do not change by that.
    """
    samples = alike_in_type([first.sample, second.sample], measure.projects)
    # The rows of both models, one after the other: what is drawn is which of the two has a row.
    sample, units = samples[0], first.units
    both = sample._replace(
        scores=np.concatenate([sample.scores for sample in samples]),
        codes=np.tile(sample.codes, 2),
        weights=None if sample.weights is None else np.tile(sample.weights, 2),
    )
    if units.groups is not None:
        groups = np.concatenate([units.groups, units.groups + np.uint32(units.n_groups)])
        units = units._replace(groups=groups, n_groups=2 * units.n_groups)
    halves = []
    for half, scheme in enumerate((_core.Scheme.Exchange, _core.Scheme.Complement)):
        run = _core.bootstrap(
            models=[both.rows(units=units)],
            measures=[measure._in_core(first.sample)],
            scheme=scheme,
            stratified=False,
            seed=seed,
            first=0,
            last=count,
            redraw=False,
            estimates=False,
            influence=False,
            cells=False,
            **memory_budget(None, sample).times(2)._asdict(),
            watcher=None if watcher is None else after(watcher, half * count),
        )
        halves.append(run.values[0][:, 0])
    return halves[0] - halves[1]


def permutation_p_value(
    difference: float, permuted: Floats, alternative: str = "two-sided"
) -> float:
    """Return the share of permutations as far apart, the one observed among them.

    One-sided: as far up, or as far down.
    """
    away = away_by(alternative)
    far = away(permuted) >= away(np.float64(difference)) - ROUNDING
    return (1 + int(np.count_nonzero(far))) / (1 + len(permuted))
