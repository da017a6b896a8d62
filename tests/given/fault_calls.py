"""Data and calls that the fault tests share."""

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


# To follow a `def work()`: children, and a child's child, work as their parent does.
FORKED = """
import os, signal, sys

before = work()
for _ in range(3):
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # a child that waits for its parent's threads waits for ever
        ok = work() == before
        grandchild = os.fork()
        if grandchild == 0:
            os._exit(0 if work() == before else 1)
        _, status = os.waitpid(grandchild, 0)
        os._exit(0 if ok and status == 0 else 1)
    _, status = os.waitpid(child, 0)
    if status != 0:
        sys.exit(f"the child ended with {status}")
sys.exit(0 if work() == before else "the parent changed")
"""


def bits(result: Any) -> bytes:
    return bytes(result.replicates.tobytes() + result.interval.tobytes())
