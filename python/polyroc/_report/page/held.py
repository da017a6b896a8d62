"""What a page holds beside what it shows: its numbers and their origin, as JSON."""

from __future__ import annotations

import json
import re
from typing import Any

_HELD = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
_NEEDED = ("version", "report", "origin", "reading")


def in_script(data: dict[str, Any]) -> str:
    """Return JSON that cannot end the element it stands in."""
    text = json.dumps(data, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def held_in(text: str) -> dict[str, Any]:
    """Return what a page holds; raise a ValueError if it is no page of a report."""
    found = _HELD.search(text)
    if found is None:
        raise ValueError("it is no page of a polyroc report: it holds no numbers")
    try:
        held = json.loads(found[1])
    except ValueError as error:
        raise ValueError(f"the numbers that it holds are no JSON: {error}") from error
    lacking = [name for name in _NEEDED if not isinstance(held, dict) or name not in held]
    if lacking:
        raise ValueError(f"the numbers that it holds lack {lacking[0]!r}")
    return dict(held)
