"""Where replicates come from, and what intervals are made of beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._stats.newcombe import FromAuc


@dataclass(frozen=True)
class Origin:
    """Where replicates come from: two runs with equal origins compute the same ones."""

    seed: int
    n_resamples: int
    scheme: str
    stratified: bool
    unit: str
    n_units: int
    degenerate: str
    path: str
    classes: tuple[Any, ...]
    sizes: tuple[int, ...]  # rows of each class
    group_sizes: tuple[int, ...] | None  # groups with rows of each class
    counted_in: str = ""  # the measure that class counts enter, where they vary because of that
    version: str = _core.__version__


class FromOrigin:
    """What a result with an `origin` says of where its replicates come from."""

    origin: Origin

    @property
    def seed(self) -> int:
        """The seed of the run."""
        return self.origin.seed

    @property
    def n_resamples(self) -> int:
        """The number of replicates of the whole run."""
        return self.origin.n_resamples

    @property
    def scheme(self) -> str:
        """How weights were drawn."""
        return self.origin.scheme

    @property
    def stratified(self) -> bool:
        """Whether every class was resampled by itself."""
        return self.origin.stratified

    @property
    def counted_in(self) -> str:
        """The measure that class counts enter, if they varied because of that; else empty."""
        return self.origin.counted_in

    @property
    def unit(self) -> str:
        """What was resampled: "row" or "group"."""
        return self.origin.unit

    @property
    def n_units(self) -> int:
        """How many of them there are."""
        return self.origin.n_units

    @property
    def classes(self) -> tuple[Any, ...]:
        """The label of each class."""
        return self.origin.classes

    @property
    def sizes(self) -> Array:
        """How many rows each class has."""
        return _counts(self.origin.sizes)

    @property
    def group_sizes(self) -> Array | None:
        """How many groups have rows of each class; None without groups."""
        sizes = self.origin.group_sizes
        return None if sizes is None else _counts(sizes)

    @property
    def degenerate(self) -> str:
        """What was done about replicates that lost a class."""
        return self.origin.degenerate

    @property
    def path(self) -> str:
        """What was resampled: "rows" (or groups) by number, "sorted rows" by rank, or "cells".

        Cells are equal rows drawn together. Sorted rows are drawn where a run sorts more than
        131,072 rows by one column of scores: the same law, but not the resamples that other
        measures of the same seed see.
        """
        return self.origin.path

    @property
    def version(self) -> str:
        """The version of polyroc that drew the replicates."""
        return self.origin.version


def _counts(sizes: tuple[int, ...]) -> Array:
    """Return sizes as an array, as other results have them: twice a tuple is another thing."""
    array = np.array(sizes)
    array.flags.writeable = False
    return array


@dataclass(frozen=True)
class Ingredients:
    """What intervals are made of, beside the replicates, for each value of the measure."""

    bounds: tuple[float, float]
    from_auc: FromAuc
    sizes: Array  # of the classes on both sides of each value
    acceleration: Array
    variance: Array
    inflation: Array
    freedom: Array
    pulls: Array  # what one unit may decide of each value; 0 where that is not known
    optimism: Array | None  # by how much choices look too good, where asked for
    errors: Floats | None  # of each replicate, where asked for
    proven: Floats | None = None  # how much of the value is, with how many errors

    def same_data(self, other: Ingredients) -> bool:
        """Tell whether these can come from the same data as others."""
        if (self.bounds, self.from_auc) != (other.bounds, other.from_auc):
            return False
        if (self.optimism is None) != (other.optimism is None):
            return False
        if (self.proven is None) != (other.proven is None):
            return False
        names = ["sizes", "acceleration", "variance", "inflation", "freedom", "pulls"]
        names += [] if self.optimism is None else ["optimism"]
        names += [] if self.proven is None else ["proven"]
        arrays = [(getattr(self, name), getattr(other, name)) for name in names]
        return all(np.array_equal(*both, equal_nan=True) for both in arrays)
