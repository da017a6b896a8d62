"""Files that are whole or not there."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def require_place(name: str | os.PathLike[str]) -> Path:
    """Return the path of a file to write; raise if it cannot be there."""
    path = Path(name)
    if path.is_dir():
        raise IsADirectoryError(f"{name} is a directory; name a file")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"there is no directory {path.absolute().parent}")
    return path


@contextmanager
def written(name: str | os.PathLike[str]) -> Iterator[Path]:
    """Give the path of a file to write, which takes its name when all is done and not before."""
    path = require_place(name)
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
