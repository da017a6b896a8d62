"""Confidence levels: checked, and turned into the error that each limit may make."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from polyroc._base.checks import is_number, show
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Floats

SIDES = ("two", "lower", "upper")

Ends = TypeVar("Ends", bound="Sequence[float] | Floats")
_BELOW_ONE = 1.0 - 2.0**-53


def check_confidence(confidence: Any) -> tuple[Floats, bool]:
    """Return confidence levels as a 1-D array, and whether there was just one number."""
    if type(confidence) is float and 0 < confidence < 1:
        return np.array([confidence]), True
    levels = np.asarray(confidence).tolist() if hasattr(confidence, "__array__") else confidence
    scalar = isinstance(levels, (str, bytes)) or not isinstance(levels, Sequence)
    values = [levels] if scalar else list(levels)
    if not values:
        raise ValueError("confidence is empty; pass at least one level, as 0.95")
    checked = np.empty(len(values))
    for k, value in enumerate(values):
        place = "confidence" if scalar else f"confidence[{k}]"
        if not is_number(value):
            kind = type(value).__name__.rstrip("_")
            raise TypeError(f"{place} is {reprlib.repr(value)}, a {kind}; pass a number in (0, 1)")
        if not 0 < value < 1:
            raise ValueError(f"{place} is {show(value)}; it must lie in (0, 1), as 0.95 for 95 %")
        checked[k] = value
    return checked, scalar


def error_at_one_end(levels: Floats, sides: str) -> Floats:
    """Return alpha, the error allowed at one end, for each confidence level."""
    return np.array([tail_at_one_end(level, sides) for level in levels.tolist()])


def tail_at_one_end(level: float, sides: str) -> float:
    """Return alpha, the error allowed at one end, at a confidence level."""
    if sides == "two":
        return (1.0 - level) / 2.0
    # 1 - c rounds to 1 for the tiniest one-sided levels, where Phi^-1 is infinite.
    return min(1.0 - level, _BELOW_ONE)


def normal_quantiles(places: Iterable[float]) -> Floats:
    """Return Phi^-1 of each place."""
    return np.array([normal_quantile(place) for place in places])


def one_sided(
    low: Ends, high: Ends, bounds: tuple[float, float], sides: str
) -> tuple[Ends | Floats, Ends | Floats]:
    """Return limits of which a one-sided interval keeps one; the other is the end of the range."""
    bottom, top = bounds
    if sides == "lower":
        return low, np.full(len(high), top)
    if sides == "upper":
        return np.full(len(low), bottom), high
    return low, high
