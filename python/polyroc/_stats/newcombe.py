"""Newcombe's interval for an AUC, which needs no spread: after perfect separation there is none.

References
----------
N06: R. G. Newcombe, Confidence intervals for an effect size measure based on the Mann-Whitney
statistic. Part 2: asymptotic methods and evaluation, Stat. Med. 25 (2006) 559-573.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats


def newcombe(auc: float, m: float, n: float, z: Floats) -> Floats:
    """Solve auc - theta = z sqrt(V(theta)) for each z: lower limits for z > 0, else upper ones.

    N06 method 5 has V(theta) = theta (1 - theta) / (m n) * (1 + (N - 1) (A + B)) with
    A = (1 - theta) / (2 - theta), B = theta / (1 + theta) and N = (m + n) / 2 for either class.
    That is too small where classes differ in size, and here each class has its own size, the larger
    one with the larger of A and B: (small - 1) min(A, B) + (large - 1) max(A, B). Classes of one
    size have Newcombe's limits. Bisection keeps the order of z.
    """
    low, high = np.where(z > 0.0, 0.0, auc), np.where(z > 0.0, auc, 1.0)
    for _ in range(60):  # to the last bit
        theta = (low + high) / 2
        under = auc - theta > z * np.sqrt(_variance(theta, m, n))
        low, high = np.where(under, theta, low), np.where(under, high, theta)
    return np.asarray(np.where(z > 0.0, low, high))  # rounded outwards


def newcombe_quantile(auc: float, m: float, n: float, theta: float) -> float:
    """Return z = (auc - theta) / sqrt(V(theta)), whose limit `theta` is: infinite at 0 and 1."""
    if auc == theta:
        return 0.0
    variance = float(_variance(theta, m, n))
    return math.copysign(math.inf, auc - theta) if not variance else (auc - theta) / variance**0.5


def _variance(theta: Any, m: float, n: float) -> Any:
    one, other = (1 - theta) / (2 - theta), theta / (1 + theta)
    least, most = np.minimum(one, other), np.maximum(one, other)
    spread = (min(m, n) - 1) * least + (max(m, n) - 1) * most
    return theta * (1 - theta) / (m * n) * (1 + spread)


@dataclass(frozen=True)
class FromAuc:
    """What a measure can be where all that is known are limits of its AUC.

    Shares are those of the measure's range: 0 is its least value, 1 its largest. A measure of
    degree p in its AUCs is the p-th power of one.
    """

    degree: float = 1
    method: ClassVar[str] = "newcombe"
    """What limits without any spread are called, and by whom they are."""
    source: ClassVar[str] = "Newcombe's (2006) method 5"

    def auc(self, share: float) -> float:
        """Return the AUC that goes with a share of the range."""
        return float(share ** (1.0 / self.degree))

    def shares(
        self, low: Floats, high: Floats, sizes: tuple[float, float]
    ) -> tuple[Floats, Floats]:
        """Return the least and the largest share that go with limits of the AUC.

        `sizes` are the units of the two classes compared.
        """
        return low**self.degree, high**self.degree

    def limits(self, share: float, sizes: tuple[float, float], z: Floats) -> tuple[Floats, Floats]:
        """Return limits of a share, for each quantile z of the normal."""
        auc = self.auc(share)
        return self.shares(newcombe(auc, *sizes, z), newcombe(auc, *sizes, -z), sizes)

    def quantile(self, share: float, sizes: tuple[float, float], limit: float) -> float:
        """Return the z whose limit of a share is `limit`, where the AUC's limits decide alone."""
        return newcombe_quantile(self.auc(share), *sizes, self.auc(limit))


def without_spread(
    estimate: float,
    bounds: tuple[float, float],
    from_auc: FromAuc,
    sizes: tuple[float, float],
    z: Floats,
) -> tuple[Floats, Floats]:
    """Return Newcombe's limits for a measure made of AUCs, for each quantile z of the normal.

    `sizes` are those of the classes compared, `from_auc` says how the measure follows from its AUC.
    """
    bottom, top = bounds
    share = min(max((estimate - bottom) / (top - bottom), 0.0), 1.0)
    low, high = from_auc.limits(share, sizes, z)
    return bottom + (top - bottom) * low, bottom + (top - bottom) * high
