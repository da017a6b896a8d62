"""Turns timings into a table, and says on what machine they were taken."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

_PACKAGES = (
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


def machine(threads: int) -> dict[str, str]:
    """Processor, vector instructions, versions, date and load, as text."""
    model, flags = processor()
    versions = []
    for package in _PACKAGES:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{package} not installed")
    return {
        "processor": f"{model}, {os.cpu_count()} cores, {threads} threads used",
        "simd": " ".join(name for name in _SIMD if name in flags) or "unknown",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "packages": ", ".join(versions),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "load": f"{os.getloadavg()[0]:.2f} at the start",
    }


def duration(seconds: float) -> str:
    """Three significant digits with a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size or unit == "us":
            return f"{_three(seconds / size)} {unit}"
    raise AssertionError


def nanoseconds(seconds: float) -> str:
    """Thousandths of a nanosecond, for what is done very often."""
    return f"{seconds * 1e9:.3f} ns"


def mebibytes(count: float) -> str:
    """Bytes as MiB."""
    return f"{count / 2**20:.1f} MiB"


def _three(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def ratio(value: float) -> str:
    """How many times as long, with an x."""
    return _three(value) + "x"


def table(header: Sequence[str], lines: Sequence[Sequence[str]], *, markdown: bool) -> str:
    """Columns of equal width; with ``markdown`` a pipe table."""
    widths = [max(len(line[c]) for line in (header, *lines)) for c in range(len(header))]
    padded = [[cell.ljust(w) for cell, w in zip(line, widths, strict=True)] for line in lines]
    top = [cell.ljust(w) for cell, w in zip(header, widths, strict=True)]
    rule = ["-" * w for w in widths]
    if markdown:
        return "\n".join("| " + " | ".join(line) + " |" for line in (top, rule, *padded))
    return "\n".join("  ".join(line).rstrip() for line in (top, rule, *padded))
