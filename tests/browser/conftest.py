from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.browser import Opened, launched

EVIL = (
    "</script><script>window.hit = 1</script>",
    '"><img src=x onerror="window.hit = 2">',
    "\u2028'); window.hit = 3; //\u202e<b>",
)


class Case:
    """A report, its page, and the data it is of."""

    def __init__(self, y: Any, models: dict[str, Any], path: Path, **options: Any) -> None:
        self.y, self.models, self.path, self.options = y, models, path, options
        self.report = pr.evaluate(y, models, n_resamples=49, seed=3, **options)
        self.report.save(path)


def _scores(k: int, n: int, names: tuple[str, ...]) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(k)
    y = np.arange(n * k) % k
    away = np.linspace(1.6, 0.8, len(names))
    return y, {name: np.eye(k)[y] * by + rng.normal(size=(n * k, k))
               for name, by in zip(names, away, strict=True)}  # fmt: skip


@pytest.fixture(scope="session")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    """Reports of two classes, of three, of twenty with three models, and with names that bite.

    Some with weights, which need not be whole, and with groups.
    """
    folder = tmp_path_factory.mktemp("pages")
    y, models = _scores(2, 90, ("boost", "forest"))
    two = {name: scores[:, 1] for name, scores in models.items()}
    words = np.array(["cat", "dog", "owl"])
    z, three = _scores(3, 40, ("boost", "forest"))
    t, twenty = _scores(20, 40, ("boost", "forest", "linear"))
    many = np.array([f"class {k:02d}" for k in range(20)])
    e, evil = _scores(3, 40, EVIL[:2])
    n, names = _scores(3, 40, ("logistic_regression", "extremely-randomised/trees", "neighbours"))
    rng = np.random.default_rng(9)
    weights, groups = rng.uniform(0.2, 3.0, 180), rng.integers(40, size=180)
    return {
        "weights": Case(words[y], two, folder / "weights.html", sample_weight=weights),
        "groups": Case(words[z], three, folder / "groups.html", groups=groups[:120]),
        "both": Case(
            words[y], two, folder / "both.html", sample_weight=weights / 500, groups=groups
        ),
        "two": Case(words[y], two, folder / "two.html"),
        "three": Case(words[z], three, folder / "three.html"),
        "twenty": Case(many[t], twenty, folder / "twenty.html"),
        "names": Case(words[n], names, folder / "names.html"),
        "evil": Case(np.array(EVIL)[e], evil, folder / "evil.html"),
    }


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


@pytest.fixture
def opened(browser: Any, cases: dict[str, Case]) -> Iterator[Callable[..., Opened]]:
    """Open the page of a case; at the end nothing may have gone wrong in it."""
    pages: list[Opened] = []

    def open_page(name: str, **options: Any) -> Opened:
        pages.append(Opened(browser, cases[name].path, **options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()
