"""How results are shown, and turned into plain values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polyroc._base.types import Floats
    from polyroc._measures.measure import Measure

_MOST_LINES = 20  # of a table
_KINDS = {"two": "interval", "lower": "lower bound", "upper": "upper bound"}


def number_lines(
    name: str, estimate: Any, error: Any, interval: Any, levels: Any, sides: str, method: str,
    classes: Sequence[Any],
) -> Iterable[str]:  # fmt: skip
    """Yield an estimate with its error, and a line for each confidence level.

    A value a class is a table, where there are some classes and one level.
    """
    how = f"{method} {_KINDS[sides]}"
    if np.ndim(estimate) == 1 and len(levels) == 1 and len(classes) <= _MOST_LINES:
        yield f"{name}, a value a class"
        yield from _class_lines(estimate, error, interval, f"{percents(levels)} {how}s", sides,
                                [str(label) for label in classes])  # fmt: skip
        return
    if np.ndim(estimate):
        shape = " x ".join(map(str, np.shape(estimate)))
        yield f"{name}, {shape} values: .estimate, .standard_error, .interval"
        yield f"  {percents(levels)} {how}s"
        return
    digits = decimals(np.array([error]))
    yield f"{name} {estimate:.{digits}f}, standard error {error:.2g}"
    for level, limits in zip(levels, np.reshape(interval, (len(levels), 2)), strict=True):
        yield f"  {percents([level])} {how}: {_limits(limits, digits, sides)}"


def _class_lines(
    estimates: Any, errors: Any, intervals: Any, how: str, sides: str, names: list[str]
) -> Iterable[str]:
    digits, width = decimals(errors), max(5, *map(len, names))
    yield f"  {'class':<{width}}  {'value':>{digits + 2}}  {'std error':>9}  {how}"
    for name, value, error, limits in zip(names, estimates, errors, intervals, strict=True):
        shown = f"{value:>{digits + 2}.{digits}f}  {error:>9.2g}"
        yield f"  {name:<{width}}  {shown}  {_limits(limits, digits, sides)}"


def _limits(limits: Any, digits: int, sides: str) -> str:
    low, high = (f"{limit:.{digits}f}" for limit in limits)
    return {"two": f"{low} to {high}", "lower": low, "upper": high}[sides]


def decimals(errors: Floats) -> int:
    """Return as many decimals, 4 to 9, as show at least one digit of the smallest error."""
    known = errors[errors > 0]
    return 4 if not len(known) else min(max(4, 1 - math.floor(math.log10(known.min()))), 9)


def titled(measure: Measure[Any]) -> str:
    """Return the name of a measure, or what it is with its options where it has any."""
    return measure.name if repr(measure).endswith("()") else repr(measure)


def percents(levels: Any) -> str:
    """Return confidence levels in per cent."""
    return ", ".join(f"{100 * level:g}" for level in levels) + " %"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: 1 row, 2,000 rows."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def plain_labels(labels: Iterable[Any]) -> list[Any]:
    """Return labels as numbers and strings; others, as dates or infinity, by their names."""

    def is_plain(label: Any) -> bool:
        return isinstance(label, (int, str)) or (isinstance(label, float) and np.isfinite(label))

    return [label if is_plain(label) else str(label) for label in labels]


def plain(value: Any) -> Any:
    """Return lists and numbers; nan and infinities, which JSON does not know, as None."""
    if isinstance(value, np.ndarray):
        return [plain(part) for part in value] if value.ndim else plain(value[()])
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
