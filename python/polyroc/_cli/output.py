"""What a command writes: text or JSON to standard output, all else to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any


def tell(text: str) -> None:
    """Say something about the run."""
    print(f"polyroc: {text}", file=sys.stderr)


def print_json(document: dict[str, Any]) -> None:
    """Print one strict JSON document: what is not known is null."""
    json.dump(_strict(document), sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def _strict(value: Any) -> Any:
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if isinstance(value, dict):
        return {str(name): _strict(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(one) for one in value]
    return value
