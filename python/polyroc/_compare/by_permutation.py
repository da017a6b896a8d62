"""The permutation test of two models: their scores exchanged within rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.progress import watching
from polyroc._compare.by_bootstrap import after
from polyroc._inference.run import memory_budget
from polyroc._measures.registry import scores_for
from polyroc._stats.rounding import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Floats
    from polyroc._compare.evidence import Found
    from polyroc._compare.models import Model
    from polyroc._measures.measure import Measure


def permuted(
    found: Found, models: list[Model], one: Measure[Any], seed: int, count: int, progress: Any
) -> Found:
    """Return what DeLong's method found with p-values by permutation."""
    pairs = {}
    with watching(progress, 2 * count * len(found.pairs)) as watcher:
        for k, ((i, j), pair) in enumerate(found.pairs.items()):
            report = None if watcher is None else after(watcher, 2 * k * count)
            drawn = permuted_differences(models[i], models[j], one, seed, count, report)
            p_value = permutation_p_value(pair.difference.value, drawn)
            pairs[i, j] = pair._replace(p_value=p_value)
    return found._replace(pairs=pairs)


def permuted_differences(
    first: Model, second: Model, measure: Measure[Any], seed: int, count: int,
    watcher: Callable[[int], object] | None,
) -> Floats:  # fmt: skip
    """Return the difference of two models in each of `count` permutations.

    A permutation gives each row (each group, where there are groups) to one model or the other
    with probability one half. Each ordering ranks either model's scores among its own first, so
    that models with different scales can be exchanged; measures of AUCs do not change by that.
    """
    named = {measure.name: measure}
    a, b = (scores_for(one.sample, named) for one in (first, second))
    sample, chosen = first.sample, first.chosen
    groups, n_groups = None, 0
    if chosen.groups is not None:
        n_groups = 2 * chosen.n_groups
        groups = np.concatenate([chosen.groups, chosen.groups + np.uint32(chosen.n_groups)])
    weights = None if sample.weights is None else np.tile(sample.weights, 2)
    halves = []
    for half, scheme in enumerate((_core.Scheme.Exchange, _core.Scheme.Complement)):
        report = None if watcher is None else after(watcher, half * count)
        values, *_ = _core.bootstrap(
            np.concatenate([a, b]), 1, np.tile(sample.codes, 2), sample.n_classes, weights, groups,
            n_groups, [measure._statistic(sample)], scheme, False, seed, 0, count, False, False,
            False, 2 * memory_budget(None, sample), sample.n_threads, report,
        )  # fmt: skip
        halves.append(values[0][0][:, 0])
    return halves[0] - halves[1]


def permutation_p_value(difference: float, permuted: Floats) -> float:
    """Return the share of permutations as far apart, the one observed among them."""
    far = np.abs(permuted) >= abs(difference) - ROUNDING
    return (1 + int(np.count_nonzero(far))) / (1 + len(permuted))
