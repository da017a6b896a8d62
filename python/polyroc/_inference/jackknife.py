"""Influence values by leaving units out, for measures that have none in closed form.

Without a block g of units, of share h of its stratum, a measure is about theta - L / (1 - h), L
being the sum of the block's influence values. Up to 400 units are left out one by one; more of them
in some 200 blocks, every k-th unit of a class being in the same one: nothing is drawn at random.

What a class's units have in common, c each (not zero where class counts vary and enter the
measure), would count b times its square in blocks of b units: a block has sqrt(b) c of it. Squares
then sum up to those of units, and so do cubes but for terms that are small where there are blocks.

A block left out is a weight of zero in one replicate of a run like any other (`leave_out.rs` in
the core): all measures are walked together, and cost as much as so many replicates.

References
----------
B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, ch. 11 and s. 14.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._inference.influence import Influences
from polyroc._inference.run import memory_budget
from polyroc._inference.small_sample import kinds_of, mixes_classes
from polyroc._inference.spread import uneven
from polyroc._measures.registry import rows_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure

ONE_BY_ONE, BLOCKS = 400, 200


class _Blocks(NamedTuple):
    """What is left out together, in order of kinds."""

    of_row: Codes  # the block of each row; any for rows of weight zero
    kinds: Codes  # of each block: its class, or the rarest one of them
    units: Array  # how many each block has


def jackknifed(
    sample: Sample, units: Plan, measures: Sequence[Measure[Any]]
) -> list[Influences] | None:
    """Return influence values of each measure; nan for a value that some block leaves undefined.

    None if a class has a single unit, which cannot be left out.
    """
    if 1 in units.sizes.tolist():
        return None
    blocks = _blocks(sample, units)
    count = len(blocks.kinds)
    stratum = blocks.kinds if units.stratified else np.zeros_like(blocks.kinds)
    masses = np.bincount(blocks.of_row, sample.weights, count)
    share = masses / np.bincount(stratum, masses)[stratum]
    kinds = None if units.stratified else blocks.kinds
    bounds = (0, *np.cumsum(np.bincount(stratum)).tolist())
    by_weight = uneven(sample.weights) and units.groups is None
    weights = masses.astype(np.float64) if by_weight else None
    about = (bounds, kinds, weights, mixes_classes(sample, units))
    return [
        Influences(_by_unit((whole - without).T * (1.0 - share), stratum, blocks), *about)
        for without, whole in _left_out(sample, units, measures, blocks)
    ]


def _left_out(
    sample: Sample, units: Plan, measures: Sequence[Measure[Any]], blocks: _Blocks
) -> list[tuple[Floats, Floats]]:
    """Return for each measure its values without each block, and with all of them."""
    count = len(blocks.kinds)
    run = _core.bootstrap(
        models=[rows_for(sample, measures, units._replace(groups=blocks.of_row, n_groups=count))],
        measures=[measure._in_core(sample) for measure in measures],
        scheme=_core.Scheme.LeaveOut,
        stratified=False,
        seed=0,
        first=0,
        last=count + 1,  # there is no block of the last number
        redraw=False,
        estimates=False,
        influence=False,
        cells=False,
        **memory_budget(None, sample)._asdict(),
        watcher=None,
    )
    return [(values[:-1], values[-1]) for values in run.values]


def _by_unit(moved: Floats, stratum: Codes, blocks: _Blocks) -> Floats:
    """Return what blocks move, centred, as their units would move it."""
    for part in set(stratum.tolist()):
        own = stratum == part
        moved[:, own] -= _common(moved[:, own], blocks.units[own]) * blocks.units[own]
    for kind in set(blocks.kinds.tolist()):
        own, count = blocks.kinds == kind, blocks.units[blocks.kinds == kind]
        moved[:, own] += _common(moved[:, own], count) * (np.sqrt(count) - count)
    return moved


def _common(moved: Floats, units: Array) -> Floats:
    """Return what units have in common, for each number."""
    return np.asarray(moved.sum(axis=1, keepdims=True) / units.sum())


def _blocks(sample: Sample, units: Plan) -> _Blocks:
    weighty = np.arange(len(sample.codes))
    if sample.weights is not None:
        weighty = np.flatnonzero(sample.weights > 0.0)
    codes = sample.codes[weighty]
    if units.groups is None:
        unit, kinds = np.arange(len(weighty)), codes
    else:
        _, first, unit = np.unique(units.groups[weighty], return_index=True, return_inverse=True)
        mixed = kinds_of(sample, units)
        kinds = codes[first] if mixed is None else mixed
    counts = np.bincount(kinds)
    each_at_most = ONE_BY_ONE
    if len(kinds) > ONE_BY_ONE:
        each_at_most = max(2, BLOCKS // int(np.count_nonzero(counts)))
    most = np.minimum(counts, each_at_most)
    # Every k-th unit of a kind is in one block; blocks are numbered kind by kind.
    order = np.argsort(kinds, kind="stable")
    within = np.arange(len(kinds)) - np.repeat(np.cumsum(counts) - counts, counts)
    block = np.empty(len(kinds), dtype=np.int64)
    ordered = kinds[order]
    block[order] = (np.cumsum(most) - most)[ordered] + within % np.maximum(most, 1)[ordered]
    of_row = np.zeros(len(sample.codes), dtype=np.uint32)
    of_row[weighty] = block[unit]
    each = np.repeat(np.arange(len(counts), dtype=np.uint32), most)
    return _Blocks(of_row, each, np.bincount(block, minlength=int(most.sum())))
