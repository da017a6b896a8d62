"""On what machine figures were taken: processor, instructions, versions, load."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

PEERS = (
    "polyroc",
    "numpy",
    "scipy",
    "scikit-learn",
    "lightgbm",
    "polars",
    "polars-ds",
    "rapidstats",
    "numba",
)
_SIMD = (
    "sse4_2",
    "avx2",
    "bmi2",
    "avx512f",
    "avx512bw",
    "avx512vbmi",
    "avx512_vbmi2",
    "asimd",
    "sve",
)


def processor() -> tuple[str, set[str]]:
    """The processor's name, and the instruction sets it has."""
    model, flags = platform.processor() or platform.machine(), set[str]()
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.exists() else ():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            model = value.strip()
        elif name.strip() in ("flags", "Features"):
            flags = set(value.split())
    return model, flags


def describe(
    count: int, workers: str = "threads", packages: Sequence[str] = PEERS
) -> dict[str, str]:
    """Processor, vector instructions, versions, date and load, as text."""
    model, flags = processor()
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{package} not installed")
    return {
        "processor": f"{model}, {os.cpu_count()} cores, {count} {workers} used",
        "simd": " ".join(name for name in _SIMD if name in flags) or "unknown",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "packages": ", ".join(versions),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "load": f"{os.getloadavg()[0]:.2f} at the start",
    }
