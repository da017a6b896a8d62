"""What ends a command: a message of one line, and exit code 2."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Refusal(Exception):
    """Something about the call or the data that the user can mend."""


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "; nearest: 'p_Cat'" if some name is like the one that is missing; else nothing."""
    listed = list(names)
    folded = {one.casefold(): one for one in reversed(listed)}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if not close:
        close = [one for one in folded if name.casefold() in one][:1]
    return f"; nearest: {folded[close[0]]!r}" if close else ""


def listed(names: Iterable[str], most: int = 12) -> str:
    """Return names as a list in a sentence, the first ones of many."""
    all_of = list(names)
    more = f" and {len(all_of) - most} more" if len(all_of) > most else ""
    return ", ".join(map(repr, all_of[:most])) + more


def require_errors(measures: Iterable[str], way: str) -> None:
    """Raise if a measure has errors by resampling alone; `way` is the option that asks for it."""
    from polyroc._measures.registry import measure_of

    for name in measures:
        if not measure_of(name).has_influence:
            raise Refusal(f"{name} has no closed-form error; pass {way}")
