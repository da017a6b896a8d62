"""How well a variance is known, and limits by Student's t that count it.

The core makes the limits, each side by itself: src/tails/limits.rs says how and why.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from polyroc import _core

HALF_ROW = _core.HALF_ROW  # how many rows that know nothing the limit towards 1/2 counts more


class Spread(NamedTuple):
    """The variance of an estimate, and how well it is known."""

    variance: float
    doubt: float  # f = variance^2 / doubt
    inner_doubt: float  # the same for the limit towards 1/2
    pull: float  # k

    @property
    def freedom(self) -> float:
        """The degrees of freedom f."""
        return self.variance**2 / self.doubt if self.doubt > 0.0 else math.inf


def signed_t_quantile(tail: float, freedom: float) -> float:
    """Return the t that leaves `tail` above it, which may be more than one half."""
    if tail > 0.5:
        return -signed_t_quantile(1.0 - tail, freedom)
    found = _core.t_quantile(tail, freedom)
    return math.inf if math.isnan(found) else found  # beyond any number, at a hundredth of a degree
