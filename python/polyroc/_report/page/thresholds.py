"""Thresholds as a person reads them: as few digits as give the same rows again."""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

MOST_DIGITS = 17


def threshold_texts(thresholds: Floats, kept: Array, kind: Any) -> list[str]:
    """Return some of the thresholds of a curve, which fall from the greatest score to the least.

    Every number above the next lower score, and not above the threshold, says the same of all
    rows; the shortest is shown. `kind` is the type of the scores: a reader may compare in it.
    """
    texts = []
    for k in kept.tolist():
        lower = thresholds[k + 1] if k + 1 < len(thresholds) else -math.inf
        texts.append(_shortest(float(thresholds[k]), float(lower), kind))
    return texts


def _shortest(threshold: float, lower: float, kind: Any) -> str:
    if not math.isfinite(threshold):
        return "inf" if threshold > 0 else "-inf"
    exact = Decimal(threshold)
    for digits in range(2, MOST_DIGITS + 1):
        place = Decimal(1).scaleb(exact.adjusted() - digits + 1)
        near = exact.quantize(place, rounding=ROUND_FLOOR)
        told = kind(float(near))
        if lower < told <= threshold and lower < float(near) <= threshold:
            return _plain(near)
    return repr(threshold)


def _plain(number: Decimal) -> str:
    """Return a number without an exponent where it is near 1."""
    value = float(number)
    return repr(value) if value and not 1e-4 <= abs(value) < 1e15 else f"{number.normalize():f}"
