"""Pictures of tests: no windows, none left open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    yield
    from matplotlib import pyplot

    pyplot.close("all")
