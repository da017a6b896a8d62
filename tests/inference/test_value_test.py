"""A measure against a value: the p-value says what the interval says."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.bootstrap_calls import matrix
from given.refusals import refused

Y, P = matrix()
TWO, S = (Y == 1).astype(int), P[:, 1]
APART = [0, 0, 0, 1, 1, 1, 1]
ESTIMATES = {
    "auc": pr.delong(TWO, S, "auc"),
    "plain": pr.delong(TWO, S, "auc", transform=None),
    "at the top": pr.delong(TWO, S + TWO * 0.6, "auc", transform=None),
    "M": pr.delong(Y, P, "hand_till"),
    "groups": pr.delong(Y, P, "auc_mu", groups=np.arange(60) // 2),
    "polar area": pr.delong(Y, P, "polar_area"),
    "separated": pr.delong(APART, np.arange(7.0), "auc"),
    "reversed": pr.delong(APART, -np.arange(7.0), "auc"),
    "all tied": pr.delong(APART, np.ones(7), "auc"),
    "separated polar area": pr.delong(Y, np.eye(3)[Y], "polar_area"),
    "weights": pr.delong(TWO, S, "auc", sample_weight=1 + np.arange(60) % 5),
    "below chance": pr.delong(TWO, -S, "auc"),
}
PUBLISHED = {
    "auc": pr.delong(TWO, S, "auc", reference="normal"),
    "plain": pr.delong(TWO, S, "auc", transform=None, reference="normal"),
    "M": pr.delong(Y, P, "hand_till", reference="normal"),
    "groups": pr.delong(Y, P, "auc_mu", groups=np.arange(60) // 2, reference="normal"),
    "polar area": pr.delong(Y, P, "polar_area", reference="normal"),
    "separated": pr.delong(APART, np.arange(7.0), "auc", reference="normal"),
    "reversed": pr.delong(APART, -np.arange(7.0), "auc", reference="normal"),
    "separated polar area": pr.delong(Y, np.eye(3)[Y], "polar_area", reference="normal"),
}
ESTIMATES |= {f"{name}, published": one for name, one in PUBLISHED.items()}
each = pytest.mark.parametrize("name", ESTIMATES)
SIDES = {"two-sided": "two", "greater": "lower", "less": "upper"}


@each
@pytest.mark.parametrize("alternative", SIDES)
@given(share=st.floats(0, 1), confidence=st.sampled_from([0.6, 0.9, 0.95, 0.999]))
def test_the_test_and_the_interval_agree(
    name: str, alternative: Any, share: float, confidence: float
) -> None:
    estimate = ESTIMATES[name].with_interval(confidence, sides=SIDES[alternative])
    bottom, top = estimate.scale.bounds
    low, high = estimate.interval
    for null in (bottom + share * (top - bottom), bottom, top):
        if min(abs(null - low), abs(null - high)) > 1e-9 * top or null in (bottom, top):
            outside = not low <= null <= high
            assert (estimate.test(null, alternative).p_value < 1 - confidence) == outside


@each
def test_p_values_of_limits_are_what_the_level_allows(name: str) -> None:
    estimate = ESTIMATES[name]
    bottom, top = estimate.scale.bounds
    for limit in estimate.interval.tolist():
        if bottom < limit < top:
            found = estimate.test(limit)
            assert found.p_value == pytest.approx(0.05, rel=1e-6)
            if estimate.reference == "normal":
                assert abs(found.statistic) == pytest.approx(1.959964, rel=1e-6)


@each
def test_one_sided_p_values_are_those_of_limits_made_apart(name: str) -> None:
    estimate, (bottom, top) = ESTIMATES[name], ESTIMATES[name].scale.bounds
    last = {"greater": 0.0, "less": 1.0}
    for null in np.linspace(bottom, top, 23):
        above, below = (estimate.test(null, side).p_value for side in ("greater", "less"))
        both = estimate.test(null).p_value
        # The limits at a tail of one half are the moved estimate and the estimate, in that order.
        assert max(above, below) >= 0.5 - 1e-12
        assert both == pytest.approx(2 * min(above, below, 0.5))
        assert above >= last["greater"] - 1e-12
        assert below <= last["less"] + 1e-12
        last = {"greater": above, "less": below}
    assert estimate.test(estimate.estimate).p_value == pytest.approx(1)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_one_sided_p_values_add_up_to_one(name: str) -> None:
    estimate, (bottom, top) = PUBLISHED[name], PUBLISHED[name].scale.bounds
    for null in np.linspace(bottom, top, 7):
        above, below, both = (
            estimate.test(null, side) for side in ("greater", "less", "two-sided")
        )
        assert above.p_value + below.p_value == pytest.approx(1)
        assert both.p_value == pytest.approx(2 * min(above.p_value, below.p_value))
        assert above.statistic == below.statistic == both.statistic


def test_statistics_are_those_of_the_scale() -> None:
    value, error = PUBLISHED["plain"].estimate, PUBLISHED["plain"].standard_error
    assert PUBLISHED["plain"].test(0.5).statistic == (value - 0.5) / error
    logit = math.log(value / (1 - value)) * value * (1 - value) / error
    assert PUBLISHED["auc"].test(0.5).statistic == pytest.approx(logit)
    assert PUBLISHED["auc"].test(value).p_value == 1
    # Newcombe's variance at 1/2 with 3 and 4 rows: 1/4 / 12 (1 + 2/3 + 3/3).
    expected = 0.5 / math.sqrt(0.25 / 12 * (1 + 5 / 3))
    assert PUBLISHED["separated"].test(0.5).statistic == pytest.approx(expected)
    assert PUBLISHED["reversed"].test(0.5).statistic == pytest.approx(-expected)
    assert PUBLISHED["separated"].test(1).p_value == 1
    assert PUBLISHED["separated"].test(0).p_value == 0
    for name, end in (("separated", 1), ("reversed", 0)):
        assert ESTIMATES[name].test(end).p_value == 1
        assert ESTIMATES[name].test(1 - end).p_value == 0


def test_one_test_per_class_and_per_pair() -> None:
    classes = pr.delong(Y, P, pr.OneVsRest(None), reference="normal")
    found = classes.test(0.5)
    assert found.p_value.shape == found.statistic.shape == (3,)
    for k in range(3):
        # The error of one class against the rest with its classes is not that of a binary AUC.
        share, error = classes.estimate[k], classes.standard_error[k]
        logit = math.log(share / (1 - share)) * share * (1 - share) / error
        assert found.statistic[k] == pytest.approx(logit)
    with pytest.raises(ValueError, match="read-only"):
        found.p_value[0] = 0
    of_pairs = pr.delong(Y, P, "hand_till", pairs=True).pairs
    assert of_pairs is not None
    pairs = of_pairs.test(0.5)
    assert np.isnan(np.diag(pairs.p_value)).all()
    assert list(pairs.to_frame("pandas").columns) == [
        "measure", "first", "second", "estimate", "null", "statistic", "p_value", "alternative",
    ]  # fmt: skip
    assert len(pairs.to_frame("pandas")) == 3


def test_tests_are_shown() -> None:
    found = pr.delong([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], "auc").test(0.5, "greater")
    assert repr(found) == (
        f"auc 0.8889 against 0.5: t = {found.statistic:.2f}, p = {found.p_value:.4f}\n"
        '  one-sided ("greater") test, DeLong (t)'
    )
    each = pr.delong(Y, P, pr.OneVsRest(None)).test(0.9)
    lines = repr(each).splitlines()
    assert lines[0] == "OneVsRest(average=None) against 0.9, one test per class"
    assert lines[1].split() == ["class", "value", "null", "t", "p"]
    assert lines[2].split()[:3] == ["0", f"{each.estimate[0]:.4f}", "0.9"]
    assert lines[5] == "  two-sided test, DeLong (t)"
    many = np.arange(60) % 12
    scores = np.random.default_rng(0).normal(size=(60, 12))
    assert "  12 tests" not in repr(pr.delong(many, scores, pr.OneVsRest(None)).test(0.5))
    pairs = pr.delong(many, scores, "hand_till", pairs=True).pairs
    assert pairs is not None
    assert repr(pairs.test(0.5)).splitlines()[1] == (
        "  66 tests: .statistic, .p_value, .to_frame()"
    )
    assert "  two-sided test, Newcombe" in repr(PUBLISHED["separated"].test(0.5))


def test_tests_are_results() -> None:
    found = ESTIMATES["auc"].test(0.6)
    assert found == ESTIMATES["auc"].test(0.6) != ESTIMATES["auc"].test(0.7)
    assert pickle.loads(pickle.dumps(found)) == found
    out = found.to_dict()
    assert (out["measure"], out["null"], out["alternative"]) == ("Auc()", 0.6, "two-sided")
    assert (out["p_value"], out["method"], out["classes"]) == (found.p_value, "t", [0, 1])
    assert "| auc |" in found.to_markdown()


def test_wrong_values() -> None:
    test = ESTIMATES["auc"].test
    refused(ValueError, r"^null is 50 but auc lies within 0 and 1; pass a value", test, 50)
    refused(ValueError, r"^null is nan; pass a finite number$", test, float("nan"))
    refused(TypeError, r"^null is None; pass a number$", test, None)
    refused(ValueError, r"^alternative is 'two'; choose one of 'two-sided', 'greater'", test, 0.5,
            "two")  # fmt: skip
