"""Wilson's interval of a proportion.

References
----------
E. B. Wilson, Probable inference, the law of succession, and statistical inference, J. Am. Stat.
Assoc. 22 (1927) 209-212.
L. D. Brown, T. T. Cai and A. DasGupta, Interval estimation for a binomial proportion, Stat. Sci. 16
(2001) 101-133.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats


def wilson(successes: Any, trials: Any, confidence: float) -> Floats:
    """Return Wilson's limits (low, high), in the last axis; nan where there are no trials.

    The shares p that a score test of `successes` x out of n `trials` does not refuse,
    abs(x/n - p) <= z sqrt(p (1 - p) / n)::

        (x + z^2/2 -/+ z sqrt(x (n - x) / n + z^2/4)) / (n + z^2)

    Neither need be whole. Within [0, 1], which the outer limit of x = 0 and of x = n reaches to the
    last bit.

    Examples
    --------
    >>> wilson(9, 10, 0.95).round(4)
    array([0.5958, 0.9821])
    >>> wilson([0, 10], 10, 0.95).round(4)
    array([[0.    , 0.2775],
           [0.7225, 1.    ]])
    """
    x, n = np.broadcast_arrays(np.asarray(successes, np.float64), np.asarray(trials, np.float64))
    z = normal_quantile((1.0 + confidence) / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = z * np.sqrt(np.maximum(x * (n - x) / n, 0.0) + z * z / 4)
        low, high = (x + z * z / 2 - half) / (n + z * z), (x + z * z / 2 + half) / (n + z * z)
    low, high = np.where(x <= 0.0, 0.0, low), np.where(x >= n, 1.0, high)
    limits = np.stack([np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)], axis=-1)
    limits[~(n > 0.0)] = np.nan
    return limits
