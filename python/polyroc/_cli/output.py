"""What a command writes: text or JSON to standard output, all else to standard error."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any


def tell(text: str) -> None:
    """Say something about the run, if anyone listens."""
    with suppress(BrokenPipeError):
        print(f"polyroc: {text}", file=sys.stderr)


def print_result(result: object) -> None:
    """Print what was computed.

    A reader may have enough before the end, as `head` has: the rest is dropped, and what else the
    command does, writing a report or failing a gate, is done all the same.
    """
    try:
        print(result, flush=True)
    except BrokenPipeError:
        # Python would complain once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_json(document: dict[str, Any]) -> None:
    """Print one strict JSON document: what is not known is null."""
    print_result(json.dumps(_strict(document), indent=2, ensure_ascii=False, allow_nan=False))


def _strict(value: Any) -> Any:
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if isinstance(value, dict):
        return {str(name): _strict(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(one) for one in value]
    return value
