"""What a command writes: text or JSON to standard output, all else to standard error."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyroc._cli.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator


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


@contextmanager
def written(name: str) -> Iterator[Path]:
    """Give the path of a file to write, which takes its name when all is done and not before."""
    path = Path(name)
    if path.is_dir():
        raise Refusal(f"{name} is a directory; name a file")
    if not path.absolute().parent.is_dir():
        raise Refusal(f"there is no directory {path.absolute().parent}")
    handle, temporary = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=path.suffix, dir=path.absolute().parent
    )
    os.close(handle)
    try:
        yield Path(temporary)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
