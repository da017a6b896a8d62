"""Figures as text: numbers with their units, and tables."""

from __future__ import annotations

from collections.abc import Sequence


def duration(seconds: float) -> str:
    """Three significant digits with a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size or unit == "us":
            return f"{_three(seconds / size)} {unit}"
    raise AssertionError


def nanoseconds(seconds: float) -> str:
    """Thousandths of a nanosecond, for what is done very often."""
    return f"{seconds * 1e9:.3f} ns"


def kilobytes(count: float) -> str:
    """Bytes as kB, as networks count them."""
    return f"{count / 1e3:,.1f} kB"


def mebibytes(count: float) -> str:
    """Bytes as MiB."""
    return f"{count / 2**20:.1f} MiB"


def _three(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def ratio(value: float) -> str:
    """How many times as long, with an x."""
    return _three(value) + "x"


def table(header: Sequence[str], lines: Sequence[Sequence[str]], *, markdown: bool) -> str:
    """Columns of equal width; with ``markdown`` a pipe table."""
    widths = [max(len(line[c]) for line in (header, *lines)) for c in range(len(header))]
    padded = [[cell.ljust(w) for cell, w in zip(line, widths, strict=True)] for line in lines]
    top = [cell.ljust(w) for cell, w in zip(header, widths, strict=True)]
    rule = ["-" * w for w in widths]
    if markdown:
        return "\n".join("| " + " | ".join(line) + " |" for line in (top, rule, *padded))
    return "\n".join("  ".join(line).rstrip() for line in (top, rule, *padded))
