"""Rates and ranges of rates, as options of measures: checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyroc._base.checks import is_number, show


def rate(name: str, value: Any, example: str) -> float:
    """Return a rate in [0, 1]; `example` is one, as text."""
    if not is_number(value):
        raise TypeError(f"{name} is {value!r}; pass one number in [0, 1], as {name}={example}")
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is {show(value)}; it lies in [0, 1], as {name}={example}")
    return float(value)


def rate_range(name: str, value: Any, example: str) -> tuple[float, float]:
    """Return a range (a, b) of rates with 0 <= a < b <= 1."""
    way = f"pass two rates, as {name}={example}"
    if isinstance(value, (str, bytes)) or np.ndim(value) != 1 or len(value) != 2:
        raise TypeError(f"{name} is {value!r}; {way}")
    low, high = value
    if not (is_number(low) and is_number(high)):
        raise TypeError(f"{name} is {value!r}; {way}")
    shown = f"({show(low)}, {show(high)})"
    if not (0 <= low <= 1 and 0 <= high <= 1):
        raise ValueError(f"{name} is {shown}; rates lie in [0, 1]: {way}")
    if low > high:
        turned = f"({show(high)}, {show(low)})"
        raise ValueError(f"{name} is {shown}, which is reversed; pass {name}={turned}")
    if low == high:
        at = f"pr.tpr_at(y, s, fpr={show(low)})"
        if name == "tpr":
            at = f"pr.fpr_at(y, s, tpr={show(low)})"
        raise ValueError(
            f"{name} is {shown}, an empty range; {way}, or {at} for the curve at one rate"
        )
    return float(low), float(high)
