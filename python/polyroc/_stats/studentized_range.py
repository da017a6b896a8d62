"""Quantiles of the studentised range, by scipy, when it is there."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

_FURTHEST = 1000.0  # scipy's quantiles are right to six digits up to here, and not from 5,000 on


@cache
def studentized_range_quantile(probability: float, size: int, df: int) -> float:
    """Return the quantile of the range of `size` means over their estimated standard error.

    Cost: a tenth of a second, for a double integral in a root search; later calls are free.
    """
    stats = _scipy_stats()
    if size == 2:
        # The range of two means is a difference: Student's t, which has a closed form.
        quantile = math.sqrt(2.0) * float(stats.t.isf((1.0 - probability) / 2.0, df))
    else:
        quantile = float(stats.studentized_range.ppf(probability, size, df))
    if not (quantile < _FURTHEST or (size == 2 and math.isfinite(quantile))):
        raise ValueError(
            f"the studentised range of {size} means with {df} degrees of freedom is not known to "
            f"scipy at probability {probability:.12g}; use a larger alpha, or more folds"
        )
    return quantile


def require_scipy() -> None:
    """Raise if scipy is missing, before any work is done."""
    _scipy_stats()


def _scipy_stats() -> Any:
    try:
        from scipy import stats
    except ImportError as error:
        raise ModuleNotFoundError(
            'bradley needs scipy; install it with pip install "polyroc[stats]"',
            name="scipy",
        ) from error
    return stats
