"""Files that are whole or not there."""

from __future__ import annotations

import os
import secrets
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
    temporary = path.absolute().with_name(f".{path.stem}.{secrets.token_hex(8)}{path.suffix}")
    # Made as any new file is, so that the umask of the process decides who may read it.
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
