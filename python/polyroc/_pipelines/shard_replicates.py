"""Replicates of measures by influence values, from the sums that shards returned.

With w the Poisson weights of a replicate, S_c the sum of w x over the rows of class c, W_c that of
w, and m_c the mean of x itself, a replicate of a measure is

    estimate + sum over classes of  S_c / W_c - m_c

since influence values add up class by class; so the counts of classes are fixed, as ratios have it.
Where they enter the measure, each class adds m_c (W_c / n_c) / (W / n), what its share of the
replicate does. The measure itself would differ by terms of the order of 1 / n: a multiplier
bootstrap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polyroc._pipelines.segment_replicates import in_place, variance_of
from polyroc._pipelines.shard_errors import Errors, counts_enter

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._base.types import Floats
    from polyroc._pipelines.influence_tables import InfluenceTables
    from polyroc._pipelines.state_value import StateValues


def replicates_of(
    tables: InfluenceTables, sums: _core.Sums, values: list[StateValues]
) -> dict[str, list[Floats]]:
    """Return for each measure the replicates of each model; nan where one lost a class."""
    n_classes, count = len(tables.labels), tables.n_resamples
    found = sums.replicate_sums().reshape(n_classes, -1, count)
    weights, centres = found[:, 0], np.array(tables._core.centres())
    means = _means(tables, sums)
    sizes = np.array(sums.masses if tables.groups else sums.rows, dtype=np.float64)
    share = weights / sizes[:, np.newaxis]
    share = share / (weights.sum(axis=0) / sizes.sum())
    out: dict[str, list[Floats]] = {name: [] for name in tables.measures}
    with np.errstate(divide="ignore", invalid="ignore"):
        for model, by_name in enumerate(values):
            for k, name in enumerate(tables.measures):
                number = model * len(tables.measures) + k
                beyond = found[:, number + 1] / weights - means[number][:, np.newaxis]
                moved = beyond.sum(axis=0)
                if counts_enter(name, n_classes):
                    mean = (centres[number] + means[number])[:, np.newaxis]
                    moved = moved + (mean * share).sum(axis=0)
                moved[(weights == 0.0).any(axis=0)] = np.nan
                out[name].append(by_name[name].estimate + moved)
    return out


def drawn_errors(closed: Errors, replicates: list[Floats]) -> Errors:
    """Return errors with the variances of each model's replicates, and of their differences."""
    models = [
        in_place(spread, *variance_of(drawn))
        for spread, drawn in zip(closed.models, replicates, strict=True)
    ]
    differences = {
        (i, j): in_place(spread, *variance_of(replicates[i] - replicates[j]))
        for (i, j), spread in closed.differences.items()
    }
    return closed._replace(models=models, differences=differences)


def _means(tables: InfluenceTables, sums: _core.Sums) -> Floats:
    """Return the mean of x over each class: 0 where states tell all classes apart."""
    count = len(tables._core.centres())
    if tables.groups:
        _, classes, _, cells = sums.group_cells()
        masses = np.array(sums.masses)
        return np.array([np.bincount(classes, one, len(masses)) / masses for one in cells])
    if tables._states[0]._core.weighted:
        return np.zeros((count, len(tables.labels)))
    rows = sums.rows
    size = count + len(tables._core.differences())
    powers = sums.powers()
    first = [
        [
            int.from_bytes(powers[code * size + number][0], "little", signed=True) / 2**384 / n
            for code, n in enumerate(rows)
        ]
        for number in range(count)
    ]
    return np.array(first)
