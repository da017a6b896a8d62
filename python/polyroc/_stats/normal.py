"""The normal distribution, from the standard library.

Its module brings fractions and decimals along, which `import polyroc` need not wait for.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statistics import NormalDist


def normal_quantile(probability: float) -> float:
    """Return the value that a standard normal number stays below with this probability."""
    return _standard().inv_cdf(probability)


def normal_cdf(z: float) -> float:
    """Return the probability that a standard normal number stays below z."""
    return _standard().cdf(z)


@cache
def _standard() -> NormalDist:
    from statistics import NormalDist

    return NormalDist()
