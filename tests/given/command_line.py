"""Commands run as processes of their own, as a user runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def run(*args: object, stdin: bytes = b"", cwd: Path | None = None) -> Ran:
    """Run ``python -m polyroc`` with arguments."""
    done = subprocess.run(
        [sys.executable, "-m", "polyroc", *map(str, args)],
        input=stdin, capture_output=True, cwd=cwd, timeout=120,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "TERM": "dumb"},
    )  # fmt: skip
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def two_classes(n: int = 60, seed: int = 1) -> tuple[Any, Any]:
    """Labels and a score that is worth something."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return y, (y + rng.normal(size=n)).round(6)


def three_classes(n: int = 60, seed: int = 1) -> tuple[Any, Any]:
    """Labels and one score per class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return np.array(["cat", "dog", "owl"])[y], (np.eye(3)[y] + rng.normal(size=(n, 3))).round(6)
