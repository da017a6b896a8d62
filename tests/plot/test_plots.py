"""Pictures are drawn with the data on their axes, for few and many classes and long names."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.pictures import drawable, labels, points

LONG = "a class with a long name, number {:02d}"


@pytest.mark.parametrize("k", [3, 10, 30, 100])
def test_pairs_have_values_above_and_lower_limits_below(k: int) -> None:
    y, models = drawable(k, name=LONG)
    scores = models["model 0"]
    ax = pr.plot.pairs(y, scores, name="good")
    shown = np.ma.filled(ax.images[0].get_array(), np.nan)
    found: Any = pr.delong(y, scores, "hand_till", pairs=True).pairs
    order = [sorted(set(y)).index(_whole(text, y)) for text in _ticks(ax)]
    at = np.ix_(order, order)
    above = np.triu_indices(k, 1)
    np.testing.assert_array_equal(shown[above], found.estimate[at][above])
    np.testing.assert_array_equal(shown.T[above], found.interval[..., 0][at].T[above])
    assert ax.get_title(loc="left").startswith("good\nabove: A(i,j)")
    assert len(ax.texts) == (k * (k - 1) if k <= 12 else 0)
    assert ("lowest: " in ax.get_title(loc="left")) == (k > 12)


def _ticks(ax: Any) -> list[str]:
    return [label.get_text() for label in ax.get_xticklabels()]


def _whole(text: str, y: Any) -> str:
    """Return the class whose shortened name a tick shows: they end in different numbers."""
    return next(str(name) for name in y if str(name)[-2:] == text[-2:])


def test_values_below_one_half_are_hatched() -> None:
    y, models = drawable(3, 60)
    ax = pr.plot.pairs(y, -models["model 0"])
    hatched = [patch for patch in ax.patches if patch.get_hatch()]
    assert len(hatched) == 6
    assert "hatched: below 0.5" in ax.get_title(loc="left")


@pytest.mark.parametrize("k", [3, 10, 30])
def test_polar_has_a_ray_for_each_pair(k: int) -> None:
    y, models = drawable(k, name=LONG)
    ax = pr.plot.polar(y, models)
    rays = k * (k - 1) // 2
    values = pr.pairwise(y, models["model 0"])[np.triu_indices(k, 1)]
    drawn = points(ax.lines[0])[1]
    assert sorted(drawn[:-1]) == sorted(values.tolist())
    assert drawn[0] == drawn[-1]
    assert len(ax.get_xticks()) == (rays if k <= 10 else 0)
    assert ("the lowest ringed" in ax.get_title()) == (k > 10)
    bars = sum(len(bars.get_segments()) for bars in ax.collections)
    assert bars == (2 * rays if k <= 10 else 0)  # an interval for each model
    key = [text.get_text() for text in ax.texts]
    assert bool(key) == (k <= 10)
    assert labels(ax) == ["model 0", "model 1"]


def test_polar_intervals_are_delongs() -> None:
    y, models = drawable(3, 90)
    ax = pr.plot.polar(y, models["model 1"], confidence=0.9)
    scores = models["model 1"]
    found: Any = pr.delong(y, scores, "hand_till", pairs=True, confidence=0.9).pairs
    ends = sorted(segment[:, 1].tolist() for segment in ax.collections[0].get_segments())
    assert ends == sorted(found.interval[np.triu_indices(3, 1)].tolist())
    assert "90 % intervals" in ax.get_title()


def test_many_models_are_grey_but_one() -> None:
    y, models = drawable(3, 90, models=7)
    ax = pr.plot.polar(y, models)
    assert labels(ax) == ["model 0", "6 others"]
    assert len(ax.collections) == 1
    assert labels(pr.plot.polar(y, models, highlight=["model 3"]))[0] == "6 others"
    with pytest.raises(ValueError, match="highlight names 'model 9'"):
        pr.plot.polar(y, models, highlight="model 9")


@pytest.mark.parametrize("k", [3, 10, 30])
def test_pair_differences_frame_what_tests_find(k: int) -> None:
    y, models = drawable(k, 60 * k, name=LONG)
    ax = pr.plot.pair_differences(y, models, adjust="bonferroni")
    from polyroc._figures.pairs import pair_differences

    figure = pair_differences(y, models, adjust="bonferroni")
    drawn = np.ma.filled(ax.images[0].get_array(), np.nan)
    np.testing.assert_array_equal(drawn, figure.differences)
    sure = int((figure.p_adjusted < 0.05).sum())
    assert sure > 0
    assert len(ax.patches) == sure
    title = ax.get_title(loc="left")
    pairs = k * (k - 1) // 2
    assert f"framed: Bonferroni p < 0.05, in {sure // 2} of {pairs} pairs" in title
    assert f"model 0 wins {int((figure.p_adjusted < 0.05)[drawn > 0].sum()) // 2}" in title


def test_forests() -> None:
    y, models = drawable(3, 120, models=4)
    c = pr.compare(y, models, "hand_till")
    ax = pr.plot.differences(c)
    assert points(ax.lines[0])[0] == [pair.difference for pair in c.pairs]
    assert len([text for text in ax.texts if text.get_text().startswith("p ")]) == 6
    ax = pr.plot.models(c)
    assert points(ax.lines[0])[0] == sorted(c.estimates.tolist(), reverse=True)
    ends = sorted(segment[:, 0].tolist() for segment in ax.collections[0].get_segments())
    assert ends == sorted(c.intervals.tolist())
    assert "bars join what Holm's test does not tell apart" in ax.get_title(loc="right")
    assert len(ax.lines) > 1


def test_replicates_and_scores() -> None:
    y, models = drawable(3, 90)
    b = pr.bootstrap(y, models["model 0"], "hand_till", n_resamples=100, seed=1)
    ax = pr.plot.replicates(b, bins=12, name="good")
    assert sum(ax.patches[0].get_data().values) == 100
    assert [points(line)[0][0] for line in ax.lines] == [b.estimate, *b.interval.tolist()]
    assert "95 % BCa interval" in labels(ax)[1]
    assert ax.get_title() == "good"
    ax = pr.plot.scores(y, models["model 0"])
    assert [sum(patch.get_data().values) for patch in ax.patches] == pytest.approx([1, 1, 1])
    many, scores = drawable(8)
    assert len(pr.plot.scores(many, scores["model 0"]).get_yticks()) == 8


def test_folds() -> None:
    pytest.importorskip("scipy")
    y, models = drawable(3, 90, models=6)
    parts = [slice(30 * k, 30 * k + 30) for k in range(3)]
    folds = [(y[part], {name: s[part] for name, s in models.items()}) for part in parts]
    found = pr.bradley(folds, "auc_mu")
    ax = found.plot(highlight=["model 0", "model 1"])
    assert points(ax.lines[1])[1] == found.values[:, 1].tolist()
    assert [text.split(",")[0] for text in labels(ax)] == ["model 0", "model 1", "4 others"]


def test_a_polar_plot_needs_polar_axes() -> None:
    from matplotlib import pyplot

    y, models = drawable(3, 90)
    with pytest.raises(ValueError, match="ax is not polar"):
        pr.plot.polar(y, models, ax=pyplot.subplots()[1])
