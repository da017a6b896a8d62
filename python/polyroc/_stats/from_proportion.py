"""Limits of a proportion of rows, which need no spread: where all are right there is none.

References
----------
E. B. Wilson, Probable inference, the law of succession, and statistical inference, J. Am. Stat.
Assoc. 22 (1927) 209-212.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from polyroc._base.types import Floats


@dataclass(frozen=True)
class FromProportion(FromAuc):
    """A measure that is a proportion of the units of the classes compared, or a mean of such.

    Its limits theta solve p - theta = z sqrt(theta (1 - theta) / n), n the units that it is of.
    """

    method: ClassVar[str] = "wilson"
    source: ClassVar[str] = "Wilson's (1927) score interval"

    def units(self, sizes: tuple[float, float]) -> float:
        """Return how many units the proportion is of: those of both classes."""
        return sum(sizes)

    def limits(self, share: float, sizes: tuple[float, float], z: Floats) -> tuple[Floats, Floats]:
        """Return Wilson's limits of a share, for each quantile z of the normal."""
        n = self.units(sizes)
        middle = share + z * z / (2.0 * n)
        half = z * np.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
        wide = 1.0 + z * z / n
        ends = (middle - half) / wide, (middle + half) / wide
        low, high = (np.clip(end, 0.0, 1.0) for end in ends)
        # At an end of the range they are there to the last bit. Levels below one half have z < 0.
        low = np.where(z > 0.0, np.minimum(low, share), np.maximum(low, share))
        return low, np.where(z > 0.0, np.maximum(high, share), np.minimum(high, share))

    def quantile(self, share: float, sizes: tuple[float, float], limit: float) -> float:
        """Return z = (p - theta) / sqrt(theta (1 - theta) / n)."""
        if share == limit:
            return 0.0
        variance = limit * (1.0 - limit) / self.units(sizes)
        away = share - limit
        return away / math.sqrt(variance) if variance > 0.0 else math.copysign(math.inf, away)


@dataclass(frozen=True)
class ShareOfRows(FromProportion):
    """A measure that is a share of the rows of one class: at worst of the smaller one."""

    source: ClassVar[str] = "Wilson's (1927) limits of a share of the smaller class"

    def units(self, sizes: tuple[float, float]) -> float:
        """Return the units of the smaller class."""
        return max(min(sizes), 1.0)
