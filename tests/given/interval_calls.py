"""Calls that the tests of intervals share."""

from __future__ import annotations

import numpy as np
from polyroc._stats.replicate_interval import Interval, Replicated, interval


def at(data: Replicated, method: str, *confidence: float, sides: str = "two") -> Interval:
    return interval(data, method, np.array(confidence), sides)


def limits(data: Replicated, method: str, confidence: float, sides: str = "two") -> list[float]:
    found = at(data, method, confidence, sides=sides)
    return [float(found.low[0]), float(found.high[0])]


NINE = np.array([0.5, 0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6])
