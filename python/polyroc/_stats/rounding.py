"""When a number is rounding alone."""

from __future__ import annotations

from polyroc import _core

ROUNDING = _core.ROUNDING  # the share of its size that a number must have not to be rounding alone


def is_nothing(value: float, scale: float) -> bool:
    """Whether a difference or an error of numbers as large as `scale` is rounding alone."""
    return abs(value) <= ROUNDING * scale
