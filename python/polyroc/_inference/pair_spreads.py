"""How widely the AUCs of pairs of classes spread, where units weigh differently or are mixed.

The core has the variances of all pairs at once, with n / (n - 1) of each stratum. With uneven
weights, or with groups, each unit counts by its leverage (see `spread`), pair by pair: a pair is
what a measure of pairs is on the rows of its two classes alone. So are ordered pairs, of which the
core has no more than the mean.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._inference.influence import measured
from polyroc._inference.spread import cells_of, parts_of, pull_of, uneven

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure


class PairSpreads(NamedTuple):
    """Of every pair of classes, K x K; nan where there is none."""

    values: Floats
    variances: Floats
    doubts: Floats
    inner_doubts: Floats
    pulls: Floats


def need_leverage(sample: Sample, units: Plan) -> bool:
    """Tell whether units of a class do not all count alike, or may be of several classes."""
    return units.groups is not None or uneven(sample.weights)


def pair_spreads(sample: Sample, units: Plan, measure: Measure[Any]) -> PairSpreads:
    """Return the spread of every pair of classes by leverage."""
    shape = (5, sample.n_classes, sample.n_classes)
    found = np.full(shape, np.nan)
    alone = measure._of_pair()
    # Class counts do not enter the AUC of a pair, whether they vary or not.
    units = units._replace(stratified=units.stratified or units.groups is None)
    for i, j in combinations(np.flatnonzero(units.sizes > 0).tolist(), 2):
        rows = np.flatnonzero((sample.codes == i) | (sample.codes == j))
        two, its = _of_rows(sample, units, rows, (i, j))
        if measure.ordered_pairs:
            found[:, i, j] = _spread(*_in_turn(two, its, [j, i]), alone)
            found[:, j, i] = _spread(*_in_turn(two, its, [i, j]), alone)
        else:
            found[:, i, j] = found[:, j, i] = _spread(two, its, alone)
    return PairSpreads(*found)


def _spread(sample: Sample, units: Plan, measure: Measure[Any]) -> tuple[float, ...]:
    """Return the value of a pair and its spread."""
    cells, cell_of_row = cells_of(sample, units)
    value, influences = measured(sample, units, {"": measure}, cell_of_row)[""]
    parts, pull = parts_of(influences.values, influences.bounds, cells), pull_of(measure, cells)
    spread = parts.spreads([pull], uneven(sample.weights))[0]
    return (value, *spread[:4])


def _in_turn(sample: Sample, units: Plan, order: list[int]) -> tuple[Sample, Plan]:
    """Return the rows of two classes as those of these alone, in this order."""
    if sample.scores.ndim == 1:
        raise ValueError("pairs=True needs a column of scores for each class, and there is one")
    integers = sample.integers
    turned = sample._replace(
        scores=sample.scores[:, order],
        codes=(sample.codes == order[1]).astype(sample.codes.dtype),
        labels=sample.labels[order],
        present=None,
        integers=None if integers is None else integers[:, order],
    )
    return turned, units._replace(sizes=units.sizes[order], row_sizes=units.row_sizes[order])


def _of_rows(
    sample: Sample, units: Plan, rows: Array, pair: tuple[int, int]
) -> tuple[Sample, Plan]:
    """Return the rows of two classes, the others being absent."""
    present = np.zeros(sample.n_classes, dtype=np.bool_)
    present[list(pair)] = True
    two = sample._replace(
        scores=sample.scores[rows],
        codes=sample.codes[rows],
        weights=None if sample.weights is None else sample.weights[rows],
        integers=None if sample.integers is None else sample.integers[rows],
        present=present,
        seen=None,
        n_threads=1,
    )
    sizes, row_sizes = (np.where(present, each, 0) for each in (units.sizes, units.row_sizes))
    units = units._replace(sizes=sizes, row_sizes=row_sizes)
    if units.groups is None:
        return two, units
    kept, groups = np.unique(units.groups[rows], return_inverse=True)
    return two, units._replace(groups=groups.astype(np.uint32), n_groups=len(kept))
