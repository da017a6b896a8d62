"""The gate of `--fail-under`: what missed it is named, so that a failed step explains itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyroc._cli.output import tell

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 10  # values that are named one by one


def gate(values: Iterable[tuple[str, float]], least: float | None) -> int:
    """Tell which of some named values are below `least`; return the exit code."""
    if least is None:
        return 0
    missed = [(name, value) for name, value in values if value < least]
    for name, value in missed[:MOST]:
        short = f"{value:.4f}"
        # Four digits may round up to the gate itself, which would look like a gate that was met.
        shown = short if float(short) < least else repr(value)
        tell(f"{name} {shown} is below --fail-under {least:g}")
    if len(missed) > MOST:
        tell(f"and {len(missed) - MOST:,} more are below --fail-under {least:g}")
    return int(bool(missed))
