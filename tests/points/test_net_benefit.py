"""Net benefit and the decision curve against their definitions."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.refusals import refusals
from given.strategies import Sample, samples
from oracle import points_reference as ref

RNG = np.random.default_rng(5)
Y = RNG.random(300) < 0.3
S = np.clip(RNG.beta(2, 4, 300) + 0.25 * Y, 0, 1)
T = [0.0, 0.05, 0.1, 0.3, 0.5, 0.9]


@given(
    samples(K=st.just(2), columns=False, weighting=("none",), dtypes=("float32", "float64"),
            scores=st.integers(0, 20).map(lambda x: x / 20)),
    st.integers(0, 19).map(lambda x: x / 20),
)  # fmt: skip
def test_value(sample: Sample, t: float) -> None:
    value = pr.net_benefit(sample.c, sample.P, t)
    assert type(value) is float
    assert value == pytest.approx(ref.net_benefit(sample.c, sample.P, t), abs=1e-13)


def test_curve_is_the_net_benefit_at_its_thresholds() -> None:
    w = RNG.random(300)
    for options in ({}, {"prevalence": 0.02}, {"sample_weight": w}):
        curve = pr.decision_curve(Y, S, thresholds=T, **options)
        each = [pr.net_benefit(Y, S, t, **options) for t in T]
        np.testing.assert_allclose(curve.net_benefit, each, rtol=1e-14)
        everyone = pr.decision_curve(Y, np.ones(300), thresholds=T, **options)
        np.testing.assert_allclose(everyone.net_benefit, curve.treat_all, atol=1e-14)
        assert curve.treat_none.tolist() == [0.0] * len(T)
        assert curve.net_benefit[0] == pytest.approx(curve.prevalence)


def test_whole_weights_are_repeated_rows() -> None:
    w = RNG.integers(0, 4, 300)
    many = np.repeat(np.arange(300), w)
    one, other = (
        pr.decision_curve(Y, S, sample_weight=w),
        pr.decision_curve(Y[many], S[many]),
    )
    np.testing.assert_allclose(one.net_benefit, other.net_benefit, rtol=1e-12)
    np.testing.assert_allclose(one.treat_all, other.treat_all, rtol=1e-12)


def test_the_samples_own_prevalence_changes_nothing() -> None:
    own = float(Y.mean())
    one, other = pr.decision_curve(Y, S), pr.decision_curve(Y, S, prevalence=own)
    np.testing.assert_allclose(one.net_benefit, other.net_benefit, atol=1e-14)
    np.testing.assert_allclose(one.treat_all, other.treat_all, atol=1e-12)


def test_confusion_has_the_same_counts() -> None:
    c = pr.confusion(Y, S, threshold=0.3)
    expected = (c.counts[1, 1] - c.counts[0, 1] * 0.3 / 0.7) / 300
    assert pr.net_benefit(Y, S, 0.3) == pytest.approx(expected, rel=1e-14)


def test_standard_errors() -> None:
    """That of a mean of v = 1, -t / (1 - t), 0; at a given prevalence those of two shares."""
    curve = pr.decision_curve(Y, S, thresholds=T)
    for k, t in enumerate(T):
        v = (S >= t) * np.where(Y, 1.0, -t / (1 - t))
        assert curve.standard_error[k] == pytest.approx(v.std(ddof=1) / math.sqrt(300))
    given_share = pr.decision_curve(Y, S, thresholds=T, prevalence=0.1)
    for k, t in enumerate(T):
        tpr, fpr = np.mean(S[Y] >= t), np.mean(S[~Y] >= t)
        expected = 0.01 * tpr * (1 - tpr) / Y.sum()
        expected += (0.9 * t / (1 - t)) ** 2 * fpr * (1 - fpr) / (~Y).sum()
        expected *= 300 / 299
        assert given_share.standard_error[k] == pytest.approx(math.sqrt(expected))
    low, high = curve.interval.T
    np.testing.assert_allclose((high - low) / 2, 1.959964 * curve.standard_error, rtol=1e-6)


def test_thresholds_by_default() -> None:
    curve = pr.decision_curve(Y, S)
    np.testing.assert_allclose(curve.thresholds, np.arange(0.01, 0.995, 0.01))
    text = repr(curve)
    assert "treat all" in text
    assert ".to_frame() has all of them" in text
    assert len(curve.to_frame("pandas")) == 99
    assert json.loads(json.dumps(curve.to_dict()))["prevalence"] == curve.prevalence


def test_refusals() -> None:
    value_error, type_error = refusals(pr.net_benefit)
    value_error(r"threshold is 1; a threshold probability lies in \[0, 1\)", Y, S, 1)
    value_error(r"threshold is -0\.1; a threshold probability", Y, S, -0.1)
    type_error(r"threshold is None; pass a number", Y, S, None)
    value_error(r"y_score\[1\] is 1\.5; net benefit weighs errors", [0, 1], [0, 1.5], 0.5)
    value_error(r"y_score\[0\] is NaN; drop", [0, 1], [math.nan, 1.0], 0.5)
    value_error(r"prevalence is 0; it must lie in \(0, 1\)", Y, S, 0.5, prevalence=0)
    value_error(r"net_benefit compares two classes but there are 3", [0, 1, 2], np.eye(3), 0.5)
    curve_error, _ = refusals(pr.decision_curve)
    curve_error(
        r"thresholds\[1\] is 0\.1 after 0\.1; pass them rising", Y, S, thresholds=[0.1, 0.1]
    )
    curve_error(r"thresholds\[1\] is 1\.0; a threshold probability", Y, S, thresholds=[0.1, 1.0])
    curve_error(r"thresholds is empty; pass probabilities", Y, S, thresholds=[])
    wrong: Any = {"sample_weight": np.full(300, math.nan)}
    curve_error(r"sample_weight\[0\] is nan; weights must be finite", Y, S, **wrong)
