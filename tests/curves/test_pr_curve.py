"""Precision-recall curves against scikit-learn, and the averages that they have."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from given.strategies import FLOATS, Sample, samples

RNG = np.random.default_rng(9)
Y = RNG.integers(0, 2, 200)
S = Y + RNG.normal(size=200)
COARSE = np.round(S, 1)
Y3 = np.arange(150) % 3
P3 = RNG.dirichlet([1, 1, 1], size=150) + 0.5 * np.eye(3)[Y3]


@pytest.mark.parametrize("scores", [S, COARSE, COARSE.astype(np.float32), -S, np.zeros(200)])
@pytest.mark.parametrize("weights", [None, RNG.integers(1, 4, 200), RNG.random(200)])
def test_points_are_those_of_scikit_learn(scores: Any, weights: Any) -> None:
    own = pr.pr_curve(Y, scores, sample_weight=weights)
    peer = metrics.precision_recall_curve(Y, scores, sample_weight=weights)
    for mine, other in zip(own, peer, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-13, atol=1e-15)


@given(samples(st.just(2), (*FLOATS, "int8"), columns=False))
def test_average_and_ends(sample: Sample) -> None:
    curve = pr.pr_curve(sample.c, sample.P, sample_weight=sample.w)
    value = pr.average_precision(sample.c, sample.P, sample_weight=sample.w)
    assert curve.average_precision == pytest.approx(value, abs=1e-12)
    assert len(curve.precision) == len(curve.recall) == len(curve.thresholds) + 1
    assert (curve.precision[-1], curve.recall[-1], curve.recall[0]) == (1, 0, 1)
    assert (np.diff(curve.thresholds) > 0).all()
    assert (np.diff(curve.recall) <= 0).all()


def test_curves_by_class() -> None:
    curves = pr.pr_curve(Y3, P3)
    assert list(curves) == [0, 1, 2]
    for k, value in enumerate(pr.average_precision(Y3, P3, average=None)):
        assert curves[k].average_precision == pytest.approx(value, abs=1e-13)
        peer = metrics.precision_recall_curve(Y3 == k, P3[:, k])
        np.testing.assert_allclose(curves[k].precision, peer[0])
    assert repr(curves).startswith("3 precision-recall curves")
    assert curves.to_frame()["curve"].nunique() == 3


def test_results_go_into_other_forms() -> None:
    curve = pr.pr_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert curve.to_dict()["thresholds"] == [0.1, 0.35, 0.4, 0.8]
    assert curve.to_frame().shape == (5, 3)
    assert repr(curve).startswith("precision-recall curve of 1: 4 thresholds")
    two = np.column_stack([1 - S, S])
    assert pr.pr_curve(Y, two) == pr.pr_curve(Y, S)
