"""The examples of the pages write files; they do it elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    yield
    import sys

    if "matplotlib.pyplot" in sys.modules:  # windows of one page are not those of the next
        sys.modules["matplotlib.pyplot"].close("all")
