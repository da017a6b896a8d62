"""How widely the AUCs of pairs of classes spread, where units weigh differently or are mixed.

The core has the variances of all pairs at once, with n / (n - 1) of each stratum. With uneven
weights, or with groups, each unit counts by its leverage (see `spread`), pair by pair: a pair is
what a measure of pairs is on the rows of its two classes alone.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._inference.influence import measured
from polyroc._inference.spread import cells_of, parts_of, uneven

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure


class PairSpreads(NamedTuple):
    """Of every pair of classes, K x K; nan where there is none."""

    variances: Floats
    doubts: Floats
    inner_doubts: Floats


def need_leverage(sample: Sample, units: Plan) -> bool:
    """Tell whether units of a class do not all count alike, or may be of several classes."""
    return units.groups is not None or uneven(sample.weights)


def pair_spreads(sample: Sample, units: Plan, measure: Measure[Any]) -> PairSpreads:
    """Return the spread of every pair of classes by leverage."""
    shape = (3, sample.n_classes, sample.n_classes)
    found = np.full(shape, np.nan)
    alone = measure._of_pair()
    kurtosis = uneven(sample.weights)
    # Class counts do not enter the AUC of a pair, whether they vary or not.
    units = units._replace(stratified=units.stratified or units.groups is None)
    for i, j in combinations(np.flatnonzero(units.sizes > 0).tolist(), 2):
        rows = np.flatnonzero((sample.codes == i) | (sample.codes == j))
        two, its = _of_rows(sample, units, rows, (i, j))
        cells, cell_of_row = cells_of(two, its)
        influences = measured(two, its, {"": alone}, cell_of_row)[""].influences
        spread = parts_of(influences.values, influences.bounds, cells).spreads([0.0], kurtosis)[0]
        found[:, i, j] = found[:, j, i] = spread[:3]
    return PairSpreads(*found)


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
