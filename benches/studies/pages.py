"""Pages of figures: what a study measured goes between marks, the rest is left alone."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent


def put(page: Path, name: str, text: str) -> None:
    """Put text between the page's marks of this name."""
    start, end = f"<!-- {name}: made by the study -->", f"<!-- end of {name} -->"
    before = page.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(before):
        raise ValueError(f"{page} has no marks {start} and {end}; put them where the figures go")
    after = pattern.sub(lambda _: f"{start}\n\n{text.strip()}\n\n{end}", before)
    page.write_text(after, encoding="utf-8")
