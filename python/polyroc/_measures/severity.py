"""What the share of cost of a false positive is thought to be: the severity of the H measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from polyroc._base.checks import is_number, number

Severity: TypeAlias = Literal["prior", "hand2009", "r"] | tuple[float, float] | Sequence[float]

_NAMES = ("prior", "hand2009", "r")
_WAYS = 'pass "prior", "hand2009", "r" or a pair (a, b) of numbers > 0'


def checked(severity: Any, severity_ratio: Any) -> tuple[Any, float | None]:
    """Return both options in the form that measures keep: "prior", the default, is None."""
    if severity is not None and severity_ratio is not None:
        raise ValueError(
            "severity and severity_ratio both say how costs are distributed; pass one of them"
        )
    if severity_ratio is not None:
        ratio = number("severity_ratio", severity_ratio)
        if ratio <= 0:
            raise ValueError(
                f"severity_ratio is {ratio:g}; the cost of a false positive over that of a false "
                "negative is > 0"
            )
        return None, ratio
    if severity is None or isinstance(severity, str):
        if severity is not None and severity not in _NAMES:
            raise ValueError(f"severity is {severity!r}; {_WAYS}")
        return (None if severity == "prior" else severity), None
    try:
        pair = tuple(severity)
    except TypeError:
        raise TypeError(f"severity is {severity!r}; {_WAYS}") from None
    if len(pair) != 2 or not all(map(is_number, pair)):
        raise TypeError(f"severity is {severity!r}; {_WAYS}")
    a, b = (number("severity", value) for value in pair)
    if min(a, b) <= 0:
        raise ValueError(f"severity is ({a:g}, {b:g}); both parameters of the beta must be > 0")
    return (a, b), None


def core_options(severity: Any, severity_ratio: float | None) -> dict[str, str | float]:
    """Return the options as the core takes them."""
    if severity_ratio is not None:
        return {"a": 2.0, "b": 1.0 + 1.0 / severity_ratio}
    if severity == "hand2009":
        return {"a": 2.0, "b": 2.0}
    if isinstance(severity, tuple):
        return {"a": severity[0], "b": severity[1]}
    return {"severity": severity or "prior"}
