"""Checks of single arguments that many functions share, and how a message shows a value."""

from __future__ import annotations

import math
import operator
import reprlib
from typing import Any

import numpy as np

_MOST_THREADS = 1024  # more would only cost the system


def choose(name: str, value: Any, options: tuple[Any, ...]) -> None:
    """Raise unless `value` is one of the named `options`."""
    if not (value is None or isinstance(value, str)) or value not in options:
        choices = ", ".join(map(repr, options))
        raise ValueError(f"{name} is {reprlib.repr(value)}; choose one of {choices}")


def show(values: Any) -> str:
    """Print labels without numpy's type wrappers, and only the first few of many."""
    if isinstance(values, np.generic):
        return str(values) if values.dtype.kind in "mM" else repr(values.item())
    if not isinstance(values, (list, np.ndarray)):
        return repr(values)
    more = ", ..." if len(values) > 6 else ""
    return f"[{', '.join(map(show, values[:6]))}{more}]"


def is_number(value: Any) -> bool:
    """Tell a real number, nan and infinities included; True and False are none."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def number(name: str, value: Any) -> float:
    """Return `value` as a finite float."""
    if not is_number(value):
        raise TypeError(f"{name} is {value!r}; pass a number")
    if not math.isfinite(value):
        raise ValueError(f"{name} is {show(value)}; pass a finite number")
    return float(value)


def share(name: str, value: Any, example: str) -> float:
    """Return `value`, which must lie strictly between 0 and 1."""
    part = number(name, value)
    if not 0 < part < 1:
        raise ValueError(f"{name} is {show(value)}; it must lie in (0, 1), as {example}")
    return part


def whole(value: Any) -> int | None:
    """Return `value` as an int, or None if it is no whole number."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def thread_count(n_threads: Any) -> int:
    """Return what the core calls `n_threads`: 0 stands for every core there is."""
    if n_threads is None:
        return 0
    count = whole(n_threads)
    if count is None or count < 1:
        raise ValueError(f"n_threads is {n_threads!r}; pass a whole number >= 1, or None for all")
    return min(count, _MOST_THREADS)
