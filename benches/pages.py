"""Pages of figures: what a command measured goes between marks, the rest is left alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

STUDY = "the study"


def _marks(name: str, maker: str) -> tuple[str, str]:
    return f"<!-- {name}: made by {maker} -->", f"<!-- end of {name} -->"


def check(page: Path, names: Iterable[str], maker: str = STUDY) -> None:
    """Raise where the page lacks the marks of a name."""
    text = page.read_text(encoding="utf-8")
    for name in names:
        start, end = _marks(name, maker)
        if start not in text or end not in text[text.index(start) :]:
            raise ValueError(
                f"{page} has no marks {start} and {end}; put them where the figures go"
            )


def put(page: Path, name: str, text: str, maker: str = STUDY) -> None:
    """Put text between the page's marks of this name; ``maker`` is what the mark says made it."""
    check(page, [name], maker)
    start, end = _marks(name, maker)
    pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    before = page.read_text(encoding="utf-8")
    after = pattern.sub(lambda _: f"{start}\n\n{text.strip()}\n\n{end}", before)
    page.write_text(after, encoding="utf-8")
