"""Pictures are drawn, with the data on their axes, for few and many classes and long names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polyroc as pr
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def _data(k: int, n: int = 0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(k)
    y = np.arange(n or 15 * k) % k
    good, poor = (np.eye(k)[y] * away + rng.normal(size=(len(y), k)) for away in (1.5, 0.5))
    return np.array([f"a class with a long name, number {i}" for i in y]), good, poor


@pytest.mark.parametrize("k", [3, 10, 30])
def test_pairs_and_polar(k: int) -> None:
    y, good, poor = _data(k)
    ax = pr.plot.pairs(y, good)
    assert ax.images[0].get_array().shape == (k, k)
    ax = pr.plot.polar(y, {"good": good, "poor": poor})
    assert len(ax.lines[0].get_xdata()) == k * (k - 1) // 2 + 1
    ax.figure.canvas.draw()
    named = len(ax.get_xticks())
    assert named == (k * (k - 1) // 2 if k <= 10 else 0)
    assert ("lowest: " in ax.get_title()) == (k > 10)


def test_differences() -> None:
    y, good, poor = _data(3, 120)
    models = {"good": good, "poor": poor}
    ax = pr.plot.pair_differences(y, models)
    assert "Holm p < 0.05" in ax.get_title()
    c = pr.compare(y, models, "hand_till")
    assert pr.plot.differences(c).lines[0].get_xdata().tolist() == [c.difference]
    assert pr.plot.models(c).lines[0].get_xdata().tolist() == c.estimates.tolist()


def test_replicates_scores_and_a_given_axes() -> None:
    y, good, _ = _data(3, 90)
    from matplotlib import pyplot

    _, ax = pyplot.subplots()
    b = pr.bootstrap(y, good, "hand_till", n_resamples=100, seed=1)
    assert pr.plot.replicates(b, ax=ax) is ax
    assert pr.plot.scores(y, good).get_ylabel() == "share of the class"
    many, scores, _ = _data(8)
    assert len(pr.plot.scores(many, scores).get_yticks()) == 8
    with pytest.raises(ValueError, match="ax is not polar"):
        pr.plot.polar(y, good, ax=ax)


def test_folds() -> None:
    pytest.importorskip("scipy")
    y, good, poor = _data(3, 90)
    parts = [slice(30 * k, 30 * k + 30) for k in range(3)]
    folds = [(y[part], {"good": good[part], "poor": poor[part]}) for part in parts]
    found = pr.bradley(folds, "auc_mu")
    ax = pr.plot.folds(found)
    assert ax.lines[1].get_ydata().tolist() == found.values[:, 1].tolist()
