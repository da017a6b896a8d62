"""Rows counted by what they are and what is said of them, and the same in resamples."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._data.arrays import first
from polyroc._points.rates import Margins

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.sample import Sample

_VALUES = 2**22  # weights drawn at a time, by all threads


def check_weights(weights: Floats | None) -> None:
    """Raise if a weight is none."""
    if weights is None:
        return
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        place = first(wrong, "sample_weight")
        raise ValueError(f"{place} is {weights[wrong][0]}; weights must be finite and >= 0")


def tally(sample: Sample, said: Array) -> Array:
    """Return ``counts[true, said]``: rows, or the sum of their weights."""
    k = sample.n_classes
    cells = sample.codes.astype(np.intp) * k + said
    return np.bincount(cells, sample.weights, minlength=k * k).reshape(k, k)


class Entries(NamedTuple):
    """What units have in cells of the matrix, cell after cell; rows without weight are left out."""

    unit: Array
    cell: Array
    mass: Floats
    times: Array  # how many such units there are, for each of them

    @property
    def n_units(self) -> int:
        """How many units are told apart."""
        return len(self.times)

    def true(self, n_classes: int) -> Array:
        """Return the class of each entry."""
        return self.cell // n_classes

    def said(self, n_classes: int) -> Array:
        """Return the class said of each entry."""
        return self.cell % n_classes


def entries_of(sample: Sample, said: Array, groups: Codes | None) -> Entries:
    """Return the rows by unit and cell; of one unit, those in one cell are one entry.

    Rows that are units are numbered cell after cell. Those that all count one are told apart by
    their cells alone.
    """
    k = sample.n_classes
    cell = sample.codes.astype(np.intp) * k + said
    if groups is None and sample.weights is None:
        cells, counts = np.unique(cell, return_counts=True)
        return Entries(np.arange(len(cells)), cells, np.ones(len(cells)), counts)
    mass = np.ones(len(cell)) if sample.weights is None else sample.weights
    kept = mass > 0
    cell, mass = cell[kept], mass[kept]
    if groups is None:
        order = np.argsort(cell, kind="stable")
        once = np.ones(len(order), dtype=np.intp)
        return Entries(np.arange(len(order)), cell[order], mass[order], once)
    unit = np.unique(groups[kept], return_inverse=True)[1]
    n_units = int(unit.max()) + 1
    keys, places = np.unique(cell * n_units + unit, return_inverse=True)
    sums = weighted_sums(places, mass, len(keys))
    return Entries(keys % n_units, keys // n_units, sums, np.ones(n_units, dtype=np.intp))


def weighted_sums(places: Array, mass: Floats, count: int) -> Floats:
    """Return the sum of `mass` at each place."""
    return np.asarray(np.bincount(places, mass, count), np.float64)


def resampled(
    entries: Entries, n_classes: int, n_resamples: int, seed: int, n_threads: int
) -> Margins:
    """Return the margins of resamples of the units, of all classes together.

    Replicates of units are a function of the seed and their number: threads take a block each, and
    `n_threads`, of which 0 is as many as there are cores, changes no number.
    """
    alike = int(entries.times.max()) > 1
    threads = 1 if alike else n_threads or os.cpu_count() or 1
    draw = _cells(entries, seed) if alike else _units(entries, seed)
    starts = np.flatnonzero(np.diff(entries.cell, prepend=-1))
    cells = entries.cell[starts]
    width = max(entries.n_units, len(entries.unit))
    most = max(1, _VALUES // (width * threads))
    blocks = [(first, min(most, n_resamples - first)) for first in range(0, n_resamples, most)]

    def made(block: tuple[int, int]) -> Margins:
        return _margins(draw(*block, starts), cells, n_classes)

    if threads == 1 or len(blocks) == 1:
        found = [made(block) for block in blocks]
    else:
        with ThreadPoolExecutor(threads) as pool:
            found = list(pool.map(made, blocks))
    return Margins(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _cells(entries: Entries, seed: int) -> Callable[[int, int, Array], Array]:
    """Draw rows that all count one: how many of n draws fall on each cell is multinomial."""
    total = int(entries.times.sum())
    generator = np.random.Generator(np.random.PCG64(seed))
    return lambda _, size, __: generator.multinomial(total, entries.times / total, size=size)


def _units(entries: Entries, seed: int) -> Callable[[int, int, Array], Array]:
    """Draw units, whose weights in replicate b are those of the core's stream."""
    strata = np.zeros(entries.n_units, dtype=np.uint32)
    in_order = len(entries.unit) == entries.n_units and (np.diff(entries.unit) == 1).all()

    def draw(first_of_block: int, size: int, starts: Array) -> Array:
        weights = _core.resample(
            strata=strata, n_strata=1, scheme=_core.Scheme.Multinomial, seed=seed,
            first=first_of_block, last=first_of_block + size, attempt=0, again=False,
        )  # fmt: skip
        if not in_order:
            weights = weights[:, entries.unit]
        weights *= entries.mass
        return np.asarray(np.add.reduceat(weights, starts, axis=1))

    return draw


def _margins(drawn: Array, cells: Array, n_classes: int) -> Margins:
    """Return margins of replicates, one per row, that know the cells of the matrix with rows."""
    true, said = cells // n_classes, cells % n_classes

    def sums(classes: Array, values: Array) -> Array:
        out = np.zeros((len(values), n_classes), dtype=values.dtype)
        order = np.argsort(classes, kind="stable")
        if len(order):
            starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
            summed = np.add.reduceat(values[:, order], starts, axis=1)
            out[:, classes[order][starts]] = summed
        return out

    right = true == said
    return Margins(sums(true[right], drawn[:, right]), sums(true, drawn), sums(said, drawn))
