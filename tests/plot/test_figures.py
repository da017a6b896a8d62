"""What pictures show is what the library says."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._figures.forest import differences_figure, models_figure, replicate_figure
from polyroc._figures.pairs import by_similarity, pair_differences, pair_figure
from polyroc._figures.polar import LOWEST, largest_area, polar_figure
from polyroc._figures.scores import score_figure


def _data(k: int = 4, n: int = 120, seed: int = 1) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    good, poor = (np.eye(k)[y] * away + rng.normal(size=(n, k)) for away in (1.5, 0.5))
    return np.array([f"c{i}" for i in y]), good, poor


def test_pairs_are_those_of_pairwise_in_the_order_shown() -> None:
    y, good, _ = _data()
    figure = pair_figure(y, good)
    values = pr.pairwise(y, good)
    np.testing.assert_array_equal(figure.values, values[np.ix_(figure.order, figure.order)])
    assert figure.classes == [f"c{k}" for k in figure.order]
    off = ~np.eye(4, dtype=bool)
    assert (figure.low[off] < figure.values[off]).all()
    assert (figure.values[off] < figure.high[off]).all()


def test_classes_that_are_alike_stand_side_by_side() -> None:
    values = np.full((4, 4), 0.99)
    values[0, 3] = values[3, 0] = values[1, 2] = values[2, 1] = 0.6
    order = by_similarity(values)
    assert abs(order.index(0) - order.index(3)) == 1
    assert abs(order.index(1) - order.index(2)) == 1
    assert by_similarity(values[:2, :2]) == [0, 1]


def test_differences_of_pairs_are_those_of_compare() -> None:
    y, good, poor = _data(3)
    figure = pair_differences(y, {"good": good, "poor": poor}, adjust=None)
    rows = np.isin(y, ["c0", "c1"])
    two = {"good": good[rows][:, :2], "poor": poor[rows][:, :2]}
    expected = pr.compare(y[rows], two, "hand_till")
    i, j = figure.classes.index("c0"), figure.classes.index("c1")
    assert figure.differences[i, j] == expected.difference
    assert figure.p_adjusted[i, j] == expected.p_value
    with pytest.raises(ValueError, match="shows two"):
        pair_differences(y, {"good": good})


def test_rays_enclose_the_largest_area() -> None:
    y, good, poor = _data()
    figure = polar_figure(y, {"good": good, "poor": poor})
    values = figure.values["good"]
    area = 0.5 * np.sin(2 * np.pi / 6) * (values * np.roll(values, 1)).sum()
    assert area == pytest.approx(pr.polar_area(y, good))
    assert len(figure.lowest) == LOWEST
    assert figure.lowest[0][1] == min(min(v) for v in figure.values.values())
    assert sorted(largest_area(np.array([0.1, 0.5, 0.3]))) == [0, 1, 2]
    with pytest.raises(ValueError, match="two classes are one pair"):
        polar_figure(y == "c0", {"good": good[:, 0]})


def test_scores_add_up_by_class() -> None:
    y, good, _ = _data(3)
    figure = score_figure(y, good, bins=7)
    assert figure.shares.sum(axis=1) == pytest.approx(1)
    assert figure.what == "score of the row's own class"
    two = score_figure(y == "c0", good[:, 0], sample_weight=np.arange(120.0))
    assert two.what == "score of True"
    assert score_figure([0, 1], [3.0, 3.0]).shares.sum() == 2


def test_forests_and_replicates() -> None:
    y, good, poor = _data()
    c = pr.compare(y, {"good": good, "poor": poor}, "hand_till")
    assert models_figure(c).values.tolist() == c.estimates.tolist()
    assert differences_figure(c).low[0] == c.interval[0]
    b = pr.bootstrap(y, good, "hand_till", n_resamples=200, seed=1)
    figure = replicate_figure(b, 10)
    assert figure.counts.sum() == 200
    assert [figure.low, figure.high] == b.interval.tolist()
    with pytest.raises(ValueError, match="one value per class"):
        replicate_figure(pr.bootstrap(y, good, pr.OneVsRest(None), n_resamples=50, seed=1))
