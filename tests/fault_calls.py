"""Data and calls that the fault tests of the bootstrap share."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np


def matrix(n: int, K: int) -> tuple[Any, Any]:
    rng = np.random.default_rng([n, K])
    y = np.arange(n) % K
    return y, rng.normal(size=(n, K)) + np.eye(K)[y]


def child(code: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip


def bits(result: Any) -> bytes:
    return bytes(result.replicates.tobytes() + result.interval.tobytes())
