"""Wilson's limits of a share of rows, where resamples have no spread.

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
class ShareOfRows(FromAuc):
    """A measure that is a share of the rows of a class: at worst of the smaller one.

    Its limits solve (share - p)^2 = z^2 p (1 - p) / n for p.
    """

    method: ClassVar[str] = "wilson"
    source: ClassVar[str] = "Wilson's (1927) limits of a share of the smaller class"

    def limits(self, share: float, sizes: tuple[float, float], z: Floats) -> tuple[Floats, Floats]:
        n = max(min(sizes), 1.0)
        middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n)
        reach = np.sqrt(share * (1.0 - share) / n + (z / (2.0 * n)) ** 2) / (1.0 + z * z / n)
        ends = middle - z * reach, middle + z * reach
        low, high = (np.clip(end, 0.0, 1.0) for end in ends)
        # At an end of the range they are there to the last bit. Levels below one half have z < 0.
        low = np.where(z > 0.0, np.minimum(low, share), np.maximum(low, share))
        return low, np.where(z > 0.0, np.maximum(high, share), np.minimum(high, share))

    def quantile(self, share: float, sizes: tuple[float, float], limit: float) -> float:
        variance = limit * (1.0 - limit) / max(min(sizes), 1.0)
        if share == limit:
            return 0.0
        if not variance:
            return math.copysign(math.inf, share - limit)
        return (share - limit) / math.sqrt(variance)
