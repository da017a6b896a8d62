"""The convex hull of ROC curves and its costs, against brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.strategies import FLOATS, Sample, samples
from oracle import curve_reference as ref

RNG = np.random.default_rng(8)
Y = RNG.integers(0, 2, 300)
S = Y + RNG.normal(size=300)


@given(samples(st.just(2), (*FLOATS, "int8"), columns=False))
def test_corners(sample: Sample) -> None:
    own, scores = sample.c == 1, sample.P.astype(np.float64)
    hull = pr.roc_hull(sample.c, sample.P, sample_weight=sample.w)
    curve = ref.rates(own, scores, sample.w)
    expected = ref.hull(curve)
    np.testing.assert_allclose(hull.fpr, [float(x) for x, _ in expected], rtol=1e-14)
    np.testing.assert_allclose(hull.tpr, [float(y) for _, y in expected], rtol=1e-14)
    thresholds = [t for t, _, _ in ref.points(own, scores, sample.w)]
    where = [thresholds[curve.index(corner)] for corner in expected]
    np.testing.assert_array_equal(hull.thresholds, where)


@given(samples(st.just(2), (*FLOATS, "int8"), columns=False), st.sampled_from([None, 0.01, 0.7]))
def test_each_corner_is_best_for_its_costs(sample: Sample, prevalence: float | None) -> None:
    hull = pr.roc_hull(sample.c, sample.P, sample_weight=sample.w, prevalence=prevalence)
    curve = pr.roc_curve(sample.c, sample.P, sample_weight=sample.w)
    assert hull.cost_high[0] == 1
    assert hull.cost_low[-1] == 0
    np.testing.assert_array_equal(hull.cost_high[1:], hull.cost_low[:-1])
    assert (hull.cost_low <= hull.cost_high).all()
    pi = hull.prevalence
    for k in range(len(hull.fpr)):
        for c in (hull.cost_low[k], (hull.cost_low[k] + hull.cost_high[k]) / 2, hull.cost_high[k]):
            losses = c * (1 - pi) * curve.fpr + (1 - c) * pi * (1 - curve.tpr)
            own = c * (1 - pi) * hull.fpr[k] + (1 - c) * pi * (1 - hull.tpr[k])
            assert own <= losses.min() + 1e-12


def test_area_and_prevalence() -> None:
    hull = pr.roc_hull(Y, S)
    assert hull.area == pytest.approx(pr.hull_area(Y, S), abs=1e-14)
    assert hull.area > pr.auc(Y, S)
    assert hull.prevalence == Y.mean()
    rare = pr.roc_hull(Y, S, prevalence=0.001)
    np.testing.assert_array_equal(rare.fpr, hull.fpr)
    assert (rare.cost_low <= hull.cost_low).all()


def test_large_samples_and_threads() -> None:
    n = 100_000
    y = RNG.integers(0, 2, n)
    s = y + RNG.normal(size=n)
    one, two = (pr.roc_hull(y, s, n_threads=k) for k in (1, 2))
    assert one == two
    assert (np.diff(np.diff(one.tpr) / np.maximum(np.diff(one.fpr), 1e-300)) < 0).all()


def test_ends() -> None:
    perfect = pr.roc_hull([0, 0, 1], [1, 2, 3])
    np.testing.assert_array_equal(perfect.fpr, [0, 0, 1])
    np.testing.assert_array_equal(perfect.cost_low, [1, 0, 0])
    for scores in ([3, 2, 1], [7, 7, 7]):
        useless = pr.roc_hull([0, 0, 1], scores)
        np.testing.assert_array_equal(useless.fpr, [0, 1])
        np.testing.assert_allclose(useless.cost_low, [1 / 3, 0])


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, np.nan, "half"])
def test_bad_prevalence(prevalence: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^prevalence is "):
        pr.roc_hull(Y, S, prevalence=prevalence)


def test_more_classes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^roc_hull compares two classes but there are 3"):
        pr.roc_hull(np.arange(6) % 3, np.ones((6, 3)))


def test_results_go_into_other_forms() -> None:
    hull = pr.roc_hull(Y, S)
    assert list(hull.to_frame().columns) == ["fpr", "tpr", "thresholds", "cost_low", "cost_high"]
    assert "more; .to_frame() has them all" in repr(hull)
    assert hull.to_dict()["thresholds"][0] is None
