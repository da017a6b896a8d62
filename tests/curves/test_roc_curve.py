"""ROC curves against their definition, scikit-learn, and the areas that they have."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from given.strategies import FLOATS, Sample, samples
from oracle import curve_reference as ref

DTYPES = (*FLOATS, "int8", "uint32", "bool")
RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 200)
S = Y + RNG.normal(size=200)
COARSE = np.round(S, 1)
Y3 = np.arange(150) % 3
P3 = RNG.dirichlet([1, 1, 1], size=150) + 0.5 * np.eye(3)[Y3]


@given(samples(st.just(2), DTYPES, columns=False))
def test_points(sample: Sample) -> None:
    own = sample.c == 1
    curve = pr.roc_curve(sample.c, sample.P, sample_weight=sample.w)
    expected = ref.points(own, sample.P.astype(np.float64), sample.w)
    np.testing.assert_array_equal(curve.thresholds, [t for t, _, _ in expected])
    rates = ref.rates(own, sample.P.astype(np.float64), sample.w)
    np.testing.assert_allclose(curve.fpr, [float(x) for x, _ in rates], rtol=1e-14)
    np.testing.assert_allclose(curve.tpr, [float(y) for _, y in rates], rtol=1e-14)
    assert curve.fpr[0] == curve.tpr[0] == 0
    assert curve.fpr[-1] == curve.tpr[-1] == 1
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()


@pytest.mark.parametrize("scores", [S, COARSE, COARSE.astype(np.float32), -S, np.zeros(200)])
@pytest.mark.parametrize("weights", [None, RNG.integers(0, 4, 200), RNG.random(200)])
def test_points_are_those_of_scikit_learn(scores: Any, weights: Any) -> None:
    fpr, tpr, thresholds = pr.roc_curve(Y, scores, sample_weight=weights)
    peer = metrics.roc_curve(Y, scores, sample_weight=weights, drop_intermediate=False)
    for own, other in zip((fpr, tpr, thresholds), peer, strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("scores", [S, COARSE])
def test_thresholds_give_the_points_again(scores: Any) -> None:
    curve = pr.roc_curve(Y, scores)
    for fpr, tpr, threshold in zip(*curve, strict=True):
        said = scores >= threshold
        assert (said[Y == 0].mean(), said[Y == 1].mean()) == pytest.approx((fpr, tpr))


def test_whole_weights_are_repeated_rows() -> None:
    weights = RNG.integers(0, 4, 200)
    rows = np.repeat(np.arange(200), weights)
    by_weight = pr.roc_curve(Y, COARSE, sample_weight=weights)
    assert by_weight == pr.roc_curve(Y[rows], COARSE[rows])


@given(samples(st.just(2), DTYPES, columns=False), st.integers(0, 12))
def test_at(sample: Sample, twelfths: int) -> None:
    rate, w = Fraction(twelfths, 12), sample.w
    if w is not None and w.max() > 1e5 * w[w > 0].min():
        return  # a row that weighs nothing beside the others may lie within rounding of the rate
    curve = pr.roc_curve(sample.c, sample.P, sample_weight=w)
    points = [(Fraction(x), Fraction(y)) for x, y in zip(curve.fpr, curve.tpr, strict=True)]
    asked = Fraction(float(rate))
    assert curve.at(fpr=float(rate)) == pytest.approx(float(ref.tpr_at(points, asked)), abs=1e-9)
    turned = [(1 - y, 1 - x) for x, y in reversed(points)]
    expected = 1 - ref.tpr_at(turned, 1 - asked)
    assert curve.at(tpr=float(rate)) == pytest.approx(float(expected), abs=1e-9)


def test_at_ends_and_arrays() -> None:
    curve = pr.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    assert curve.at(fpr=0) == 0.5  # the curve rises at once
    assert curve.at(fpr=1) == 1
    assert curve.at(tpr=0) == 0
    assert curve.at(tpr=1) == 0.5  # and ends with a level piece
    np.testing.assert_array_equal(curve.at(fpr=[0, 0.25, 0.5]), [0.5, 0.75, 1])
    with pytest.raises(ValueError, match=r"^fpr is 1\.5; rates lie in \[0, 1\]"):
        curve.at(fpr=[0.5, 1.5])
    with pytest.raises(TypeError, match=r"^pass either fpr or tpr"):
        curve.at()


def test_at_a_rate_but_for_rounding_of_weights() -> None:
    y, s = np.arange(100) % 2, np.arange(100) // 20
    curve = pr.roc_curve(y, s, sample_weight=np.full(100, 0.1))
    for fifths in range(6):
        at = fifths / 5
        assert curve.at(fpr=at) == pytest.approx(min(at, 1.0), abs=1e-12)
        assert curve.at(tpr=at) == pytest.approx(at, abs=1e-12)
    y, s = np.repeat([0, 1, 0, 1], 5), np.repeat([1, 2, 3, 4], 5)  # up, along, up, along
    w = np.random.default_rng(3).permutation(np.tile([0.1, 0.2, 0.3, 0.7, 0.9], 4))
    curve = pr.roc_curve(y, s, sample_weight=w)
    middle, height = curve.fpr[2], curve.tpr[1]
    for rounded in (1 - 4e-16, 1.0, 1 + 4e-16):
        rate = float(middle * rounded)
        assert curve.at(fpr=rate) == pr.tpr_at(y, s, fpr=rate, sample_weight=w) == 1.0
        rate = float(height * rounded)
        assert curve.at(tpr=rate) == pr.fpr_at(y, s, tpr=rate, sample_weight=w) == 0.0


@given(samples(st.just(2), DTYPES, columns=False))
def test_area_is_the_auc(sample: Sample) -> None:
    curve = pr.roc_curve(sample.c, sample.P, sample_weight=sample.w)
    auc = pr.auc(sample.c, sample.P, sample_weight=sample.w)
    assert curve.auc == pytest.approx(auc, abs=1e-12)
    fewer = pr.roc_curve(sample.c, sample.P, sample_weight=sample.w, drop_collinear=True)
    assert fewer.auc == pytest.approx(auc, abs=1e-12)
    assert set(fewer.thresholds) <= set(curve.thresholds)


def test_collinear_points_are_dropped() -> None:
    y = [1, 1, 0, 0, 1, 0, 1, 0]
    s = [9, 8, 7, 6, 5, 5, 4, 4]
    np.testing.assert_array_equal(
        pr.roc_curve(y, s, drop_collinear=True).thresholds, [np.inf, 8, 6, 4]
    )
    peer = metrics.roc_curve(Y, S)
    own = pr.roc_curve(Y, S, drop_collinear=True)
    assert len(own.fpr) <= len(peer[0])


def test_curves_by_class() -> None:
    curves = pr.roc_curve(Y3, P3)
    assert list(curves) == [0, 1, 2]
    for k, auc in enumerate(pr.one_vs_rest(Y3, P3, average=None)):
        assert curves[k].auc == pytest.approx(auc, abs=1e-13)
        one = pr.roc_curve(Y3 == k, P3[:, k])
        for own, other in zip(curves[k], one, strict=True):
            np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize("weights", [None, RNG.random(150)])
def test_curves_by_pair(weights: Any) -> None:
    curves = pr.roc_curve(Y3, P3, kind="pairwise", sample_weight=weights)
    values = pr.pairwise(Y3, P3, kind="conditional", sample_weight=weights)
    assert list(curves) == list(permutations(range(3), 2))
    for (i, j), curve in curves.items():
        assert curve.auc == pytest.approx(values[i, j], abs=1e-13)
        assert (curve.favoured, curve.against) == (i, j)


@pytest.mark.parametrize("weights", [None, RNG.random(150)])
def test_curves_of_projections(weights: Any) -> None:
    for scores in (P3, np.round(9 * P3) / 9):  # ties but for rounding
        curves = pr.roc_curve(Y3, scores, kind="auc_mu", sample_weight=weights)
        values = pr.pairwise(Y3, scores, kind="auc_mu", sample_weight=weights)
        assert list(curves) == [(0, 1), (0, 2), (1, 2)]
        for (i, j), curve in curves.items():
            assert curve.auc == pytest.approx(values[i, j], abs=1e-13)
            gap = scores[:, i] - scores[:, j]
            both = np.isin(Y3, (i, j))
            for fpr, threshold in zip(curve.fpr, curve.thresholds, strict=True):
                said = gap[both & (Y3 == j)] >= threshold
                w = np.ones(len(said)) if weights is None else weights[both & (Y3 == j)]
                assert np.average(said, weights=w) == pytest.approx(fpr)


def test_two_columns_are_one_curve_or_pairs() -> None:
    both = np.column_stack([1 - S, S])
    assert pr.roc_curve(Y, both) == pr.roc_curve(Y, S)
    assert list(pr.roc_curve(Y, both, kind="pairwise")) == [(0, 1), (1, 0)]
    assert pr.roc_curve(Y, both, kind="pairwise")[1, 0].auc == pytest.approx(pr.auc(Y, S))
    with pytest.raises(ValueError, match=r"^kind is 'pairwise' but y_score is 1-D"):
        pr.roc_curve(Y, S, kind="pairwise")


def test_labels_and_positive_class() -> None:
    y = np.where(Y == 1, "ill", "well")
    turned = pr.roc_curve(y, S, pos_label="ill")
    assert turned.auc == pytest.approx(pr.auc(Y, S))
    assert turned.favoured == "ill"
    with pytest.raises(ValueError, match=r"^no row has the label 3"):
        pr.roc_curve(Y3, np.column_stack([P3, P3[:, 0]]), labels=[0, 1, 2, 3])
    skipped = pr.roc_curve(Y3, np.column_stack([P3, P3[:, 0]]), labels=[0, 1, 2, 3], absent="skip")
    assert list(skipped) == [0, 1, 2]


def test_bad_input() -> None:
    with pytest.raises(ValueError, match=r"^y_score\[3\] is NaN"):
        pr.roc_curve([0, 1, 0, 1], [1, 2, 3, np.nan])
    with pytest.raises(ValueError, match=r"^kind is 'mu'; choose one of 'pairwise', 'auc_mu'"):
        pr.roc_curve(Y3, P3, kind="mu")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"as thresholds need"):
        pr.roc_curve([0, 1, 0, 1], np.array([2**53, 2**53 + 1, 5, 2**60 + 1]))
    with pytest.raises(KeyError, match=r"no curve 7; there are \[0, 1, 2\]"):
        pr.roc_curve(Y3, P3)[7]


def test_threads_change_nothing_in_large_samples() -> None:
    n = 200_000
    y = RNG.integers(0, 2, n)
    s = np.round(y + RNG.normal(size=n), 4)
    weights = RNG.random(n)
    ways: list[dict[str, Any]] = [{}, {"sample_weight": weights}]
    for options in ways:
        one = pr.roc_curve(y, s, n_threads=1, **options)
        two = pr.roc_curve(y, s, n_threads=2, **options)
        assert one == two
        peer = metrics.roc_curve(y, s, drop_intermediate=False, **options)
        np.testing.assert_allclose(one.tpr, peer[1], rtol=1e-12)
        np.testing.assert_array_equal(one.thresholds, peer[2])


def test_results_go_into_other_forms() -> None:
    curve = pr.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert curve.to_dict()["thresholds"] == [None, 0.8, 0.4, 0.35, 0.1]
    assert list(curve.to_frame().columns) == ["fpr", "tpr", "thresholds"]
    assert repr(curve).startswith("ROC curve of 1: 5 points, area 0.7500")
    with pytest.raises(ValueError, match="read-only"):
        curve.fpr[0] = 1
    curves = pr.roc_curve(Y3, P3, kind="auc_mu")
    assert "against" in repr(curves)
    assert curves.to_frame()["curve"].nunique() == 3
    assert len(curves.to_markdown().splitlines()) == 2 + 3
    assert curves.to_latex().count(r"\\") == 1 + 3
