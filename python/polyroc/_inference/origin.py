"""Where replicates come from, and what intervals are made of beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats


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
    sizes: tuple[int, ...]  # units of each class
    version: str = _core.__version__


@dataclass(frozen=True)
class Ingredients:
    """What intervals are made of, beside the replicates, for each value of the measure."""

    bounds: tuple[float, float]
    degree: int
    sizes: Array  # of the classes on both sides of each value
    acceleration: Array
    variance: Array
    inflation: Array
    freedom: Array
    errors: Floats | None  # of each replicate, where asked for

    def same_data(self, other: Ingredients) -> bool:
        """Tell whether these can come from the same data as others."""
        if (self.bounds, self.degree) != (other.bounds, other.degree):
            return False
        names = ("sizes", "acceleration", "variance", "inflation", "freedom")
        arrays = [(getattr(self, name), getattr(other, name)) for name in names]
        return all(np.array_equal(*both, equal_nan=True) for both in arrays)
