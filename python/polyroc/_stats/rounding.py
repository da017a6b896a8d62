"""When a number is rounding alone."""

from __future__ import annotations

# Sums of the same terms in another order differ by less than this share of their size, and no
# estimate from data is known so well: whatever is smaller is taken for zero.
ROUNDING = 2.0**-40


def is_nothing(value: float, scale: float) -> bool:
    """Whether a difference or an error of numbers as large as `scale` is rounding alone."""
    return abs(value) <= ROUNDING * scale
