"""How numbers and names are shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._measures.measure import Measure


UNKNOWN = "-"  # in a table, where a number is not known


def known(value: float, form: str) -> str:
    """Return a number as `form` has it, or a dash for nan."""
    return UNKNOWN if math.isnan(value) else f"{value:{form}}"


def limits_text(limits: Any, digits: int, sides: str) -> str:
    """Return limits as a reader wants them: both, or the bound that was asked for."""
    low, high = (f"{limit:.{digits}f}" for limit in limits)
    return {"two": f"{low} to {high}", "lower": low, "upper": high}[sides]


def decimals(errors: Floats) -> int:
    """Return as many decimals, 4 to 9, as show at least one digit of the smallest error."""
    positive = errors[errors > 0]
    return 4 if not len(positive) else min(max(4, 1 - math.floor(math.log10(positive.min()))), 9)


def error_text(error: float) -> str:
    """Return a standard error with two digits that count: 0.030, not 0.03."""
    return f"{error:#.2g}".rstrip(".") if 0.0 < error < math.inf else known(error, "g")


def p_text(value: float) -> str:
    """Return a p-value as it is printed."""
    return "< 0.0001" if value < 1e-4 else known(value, ".4f")


def p_sentence(value: float) -> str:
    """Return a p-value in a line of text: p < 0.0001, p = 0.0312."""
    text = p_text(value)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def titled(measure: Measure[Any]) -> str:
    """Return the name of a measure, or what it is with its options where it has any."""
    return measure.name if repr(measure).endswith("()") else repr(measure)


def percents(levels: Any) -> str:
    """Return confidence levels in per cent."""
    return ", ".join(f"{100 * level:g}" for level in levels) + " %"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: 1 row, 2,000 rows."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def rows_counted(sizes: Any, unit: str, n_units: int, row: str = "row") -> str:
    """Return the rows of all classes, and the groups that they are in: 1,200 rows in 40 groups.

    Rows with many labels are units of their own; `row` is what groups of them hold.
    """
    if unit == "row":
        return counted(n_units, unit)
    return f"{counted(int(np.sum(sizes)), row)} in {counted(n_units, unit)}"
