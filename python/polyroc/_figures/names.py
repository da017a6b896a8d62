"""Names cut to what fits beside a picture, so that different ones still differ."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = "\u2026"


def cut(name: str, most: int) -> str:
    """Return a name that fits; the middle goes, as names often differ at their ends."""
    if len(name) <= most:
        return name
    end = most // 2
    return f"{name[: most - 1 - end]}{GAP}{name[-end:]}"


def cut_apart(names: Sequence[str], most: int) -> list[str]:
    r"""Return names that fit; where cutting the middle makes two alike, they keep what differs.

    Names that differ nowhere within so many letters are numbered by their places.

    >>> cut_apart(["species 12 (borealis)", "species 13 (borealis)"], 12)
    ['species 12\u2026', 'species 13\u2026']
    """
    for texts in ([cut(name, most) for name in names], _without_common(names, most)):
        if len(set(texts)) == len(set(names)):
            return texts
    return [cut(f"{k + 1} {name}", most) for k, name in enumerate(names)]


def _without_common(names: Sequence[str], most: int) -> list[str]:
    """Return long names as what differs between them, after as much of their beginning as fits."""
    long = [name for name in names if len(name) > most]
    # A number is not cut in two: 10 and 11 differ by more than their last digits.
    head = re.sub(r"\d+$", "", _common(long))
    ends = [name[len(head) :][::-1] for name in long]
    tail = re.sub(r"\d+$", "", _common(ends))[::-1]
    texts = []
    for name in names:
        text = name
        if len(name) > most:
            own = name[len(head) : len(name) - len(tail)]
            room = max(most - len(own) - bool(tail), 0)  # letters, and the gap at the end
            before = head if len(head) <= room else f"{head[: max(room - 1, 0)].rstrip()}{GAP}"
            after = tail[: room - len(before)].rstrip() + GAP if tail else ""
            text = cut(f"{before}{own}{after}", most)
        texts.append(text)
    return texts


def _common(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    letters = zip(*names, strict=False)
    return "".join(column[0] for column in takewhile(lambda each: len(set(each)) == 1, letters))
