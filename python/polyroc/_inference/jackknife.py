"""Influence values by leaving units out, for measures that have none in closed form.

Without a block g of units, of share h of its stratum, a measure is about theta - L / (1 - h), L
being the sum of the block's influence values. Up to 400 units are left out one by one; more of them
in some 200 blocks, every k-th unit of a class being in the same one: nothing is drawn at random.

What a class's units have in common, c each (not zero where class counts vary and enter the
measure), would count b times its square in blocks of b units: a block has sqrt(b) c of it. Squares
then sum up to those of units, and so do cubes but for terms that are small where there are blocks.

Cost: the measure itself as many times as there are blocks. Large classes go without it.

References
----------
B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, ch. 11 and s. 14.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._inference.influence import Influences
from polyroc._inference.small_sample import kinds_of, mixes_classes
from polyroc._inference.spread import uneven

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure

ONE_BY_ONE, BLOCKS = 400, 200
# From so many units in every class on, acceleration and widening change limits by some hundredths
# of a standard error, while leaving units out would take longer than the replicates.
MANY = 2_000
_FEW_ROWS = 20_000  # up to so many, to start threads takes longer than they save


class _Blocks(NamedTuple):
    """What is left out together, in order of kinds."""

    rows: list[Array]  # of each block
    kinds: Codes  # of each block: its class, or the rarest one of them
    units: Array  # how many each block has


def jackknifed(sample: Sample, units: Plan, measure: Measure[Any]) -> Influences | None:
    """Return influence values of a measure; nan for a value that some block leaves undefined.

    None if a class has a single unit, which cannot be left out, or if every class has so many that
    there is nothing to allow for.
    """
    sizes = [size for size in units.sizes.tolist() if size]
    if 1 in sizes or min(sizes) >= MANY:
        return None
    blocks = _blocks(sample, units)
    core, n_rows = measure._in_core(sample), len(sample.codes)
    weights = np.ones(n_rows) if sample.weights is None else sample.weights.copy()
    kept = weights.copy()
    if n_rows <= _FEW_ROWS:
        sample = sample._replace(n_threads=1)

    def value() -> Floats:
        rows = sample._replace(weights=kept.copy()).rows(measure.projects)
        return np.asarray(_core.values(rows=rows, measure=core))

    whole, without, share = value(), [], []
    stratum = blocks.kinds if units.stratified else np.zeros_like(blocks.kinds)
    masses = [weights[rows].sum() for rows in blocks.rows]
    totals = np.bincount(stratum, masses)
    for rows, mass, total in zip(blocks.rows, masses, totals[stratum].tolist(), strict=True):
        kept[rows] = 0.0
        without.append(value())
        kept[rows] = weights[rows]
        share.append(mass / total)
    moved = (whole - np.array(without)).T * (1.0 - np.array(share))
    bounds = (0, *np.cumsum(np.bincount(stratum)).tolist())
    for part in set(stratum.tolist()):
        own = stratum == part
        moved[:, own] -= _common(moved[:, own], blocks.units[own]) * blocks.units[own]
    for kind in set(blocks.kinds.tolist()):
        own, count = blocks.kinds == kind, blocks.units[blocks.kinds == kind]
        moved[:, own] += _common(moved[:, own], count) * (np.sqrt(count) - count)
    return Influences(
        moved, bounds, None if units.stratified else blocks.kinds,
        np.array(masses) if uneven(sample.weights) and units.groups is None else None,
        mixes_classes(sample, units),
    )  # fmt: skip


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
    of_rows = block[unit]
    listed = np.argsort(of_rows, kind="stable")
    ends = np.cumsum(np.bincount(of_rows, minlength=int(most.sum())))[:-1]
    rows = [weighty[part] for part in np.split(listed, ends)]
    each = np.repeat(np.arange(len(counts), dtype=np.uint32), most)
    return _Blocks(rows, each, np.bincount(block, minlength=int(most.sum())))
