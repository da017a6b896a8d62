"""The ROC curve at a rate, and the recall at a precision, against their definitions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import precision_recall_curve, roc_curve

from given import measure_calls as every
from given.agreement import close
from given.strategies import Sample, samples
from oracle import partial_reference as ref
from oracle.reference import whole

RNG = np.random.default_rng(15)
Y = np.arange(90) % 3 == 0
GOOD = Y + RNG.normal(size=90)
COARSE = np.round(GOOD)
AT: list[Any] = [pr.TprAt(0.2), pr.FprAt(0.8), pr.RecallAt(0.6)]
RATES = st.integers(1, 30).flatmap(lambda d: st.integers(0, d).map(lambda k: Fraction(k, d)))
TWO = samples(K=st.just(2), columns=False, weighting=("none", "whole", "real"))


@given(TWO, RATES)
def test_values(sample: Sample, rate: Fraction) -> None:
    c, s, w = sample.c, sample.P, sample.w
    q = whole(w, len(c))
    sides = s[c == 1], s[c == 0], q[c == 1], q[c == 0]
    curve = ref.points(*sides)
    if w is not None and w.max() > 1e5 * w[w > 0].min():
        return  # a row that weighs nothing beside the others may lie within rounding of the rate
    close(pr.tpr_at(c, s, fpr=float(rate), sample_weight=w), ref.tpr_at(curve, rate), 1e-10)
    close(pr.fpr_at(c, s, tpr=float(rate), sample_weight=w), ref.fpr_at(curve, rate), 1e-10)
    found = pr.recall_at(c, s, precision=float(rate), sample_weight=w)
    close(found, ref.recall_at(*sides, rate), 1e-13)


@pytest.mark.parametrize("weight", [1.0, 0.1, 1 / 3, 7e5])
def test_a_point_is_at_its_rate_whatever_rows_weigh(weight: float) -> None:
    # 29 of 100 rows: 0.29 * 100 is less than 29 in floats, and 0.1 * 29 over 0.1 * 100 is not 0.29.
    y, s = np.repeat([0, 1], [100, 10]), np.r_[np.arange(100.0), np.full(10, 70.5)]
    w = np.full(110, weight)
    for k in range(1, 100):
        assert pr.tpr_at(y, s, fpr=k / 100, sample_weight=w) == (1 if k >= 29 else 0)
        assert pr.fpr_at(~y.astype(bool), -s, tpr=k / 100, sample_weight=w) == (0 if k <= 71 else 1)
    assert pr.fpr_at(y, s, tpr=1, sample_weight=w) == pytest.approx(0.29, rel=1e-14)


def test_ends() -> None:
    y, s = [0, 0, 1, 1], [1, 3, 2, 4]
    assert pr.tpr_at(y, s, fpr=0) == 0.5  # vertical: the greatest
    assert pr.tpr_at(y, s, fpr=1) == 1
    assert pr.tpr_at(y, s, fpr=0.25) == 0.5
    assert pr.tpr_at(y, s, fpr=0.5) == 1
    assert pr.fpr_at(y, s, tpr=0) == 0
    assert pr.fpr_at(y, s, tpr=0.5) == 0  # horizontal: the least
    assert pr.fpr_at(y, s, tpr=0.75) == 0.5
    assert pr.fpr_at(y, s, tpr=1) == 0.5
    assert pr.tpr_at([0, 1], [0, 0], fpr=0.3) == pytest.approx(0.3)  # the diagonal
    assert pr.fpr_at([0, 1], [0, 0], tpr=0.3) == pytest.approx(0.3)
    assert pr.recall_at(y, s, precision=1) == 0.5
    assert pr.recall_at(y, s, precision=2 / 3) == 1
    assert pr.recall_at(y, s, precision=0) == 1
    assert pr.recall_at([0, 1], [1, 0], precision=0.6) == 0  # none is precise enough
    assert pr.recall_at([0, 1], [0, 0], precision=0.5) == 1


def test_values_are_those_of_scikit_learn() -> None:
    for scores in (GOOD, COARSE):
        fpr, tpr, _ = roc_curve(Y, scores, drop_intermediate=False)
        for u in np.unique(fpr):
            assert pr.tpr_at(Y, scores, fpr=u) == pytest.approx(tpr[fpr == u].max(), rel=1e-14)
        for v in np.unique(tpr):
            assert pr.fpr_at(Y, scores, tpr=v) == pytest.approx(fpr[tpr == v].min(), abs=1e-15)
        precision, recall, _ = precision_recall_curve(Y, scores)
        for p in np.unique(precision):
            best = recall[precision >= p].max()
            assert pr.recall_at(Y, scores, precision=p) == pytest.approx(best, rel=1e-14)


def test_increasing_transforms_change_nothing() -> None:
    for measure in AT:
        assert (
            measure(Y, GOOD) == measure(Y, np.exp(GOOD)) == measure(Y, np.argsort(np.argsort(GOOD)))
        )


@pytest.mark.parametrize("scores", [GOOD, COARSE])
@pytest.mark.parametrize("measure", AT, ids=repr)
def test_replicates(measure: Any, scores: Any) -> None:
    every.replicates_are_the_measure_of_weighted_rows(measure, Y, scores)
    every.threads_and_memory_change_no_bit(measure, Y, scores)
    groups = np.arange(90) // 3
    result = pr.bootstrap(Y, scores, measure, groups=groups, n_resamples=50, seed=1)
    assert np.isfinite(result.replicates).all()


@pytest.mark.parametrize("measure", AT, ids=repr)
def test_comparisons(measure: Any) -> None:
    good, bad = Y + 0.3 * GOOD, RNG.normal(size=90) - Y
    if measure.name == "fpr_at":
        good, bad = bad, good  # low values are good ones
    every.comparisons_are_made(measure, Y, good, bad)


@pytest.mark.parametrize("level", [0.6, 0.95])
@pytest.mark.parametrize("weights", [None, 3.0 * np.ones(90)], ids=["rows", "equal weights"])
def test_lower_limit_is_no_more_than_precision_proves(level: float, weights: Any) -> None:
    """By Wilson's score limit of the precision at each threshold."""
    scores = GOOD + 1.5 * Y
    run: dict[str, Any] = {"n_resamples": 300, "seed": 1, "confidence": level}
    result = pr.bootstrap(Y, scores, pr.RecallAt(0.6), sample_weight=weights, **run)
    found, z = 0.0, stats.norm.ppf((1 + level) / 2)
    for cut in np.unique(scores):
        above = Y[scores >= cut]
        n, q = len(above), above.mean()
        middle, half = q + z**2 / (2 * n), z * np.sqrt(q * (1 - q) / n + z**2 / (4 * n**2))
        if (middle - half) / (1 + z**2 / n) > 0.6:
            found = max(found, above.sum() / Y.sum())
    plain = replace(result, ingredients=replace(result.ingredients, proven=None))
    assert found > 0
    assert result.interval[0] == pytest.approx(min(found, plain.interval[0]), abs=1e-12)
    assert result.interval[1] == plain.interval[1]
    proves = any("score test of the precision" in note for note in result.notes)
    assert proves == (found < plain.interval[0])
    same = [one.with_interval("percentile").interval.tolist() for one in (result, plain)]
    assert same[0] == same[1]
    assert result.with_interval(sides="upper").interval[0] == 0
    models = {"this": scores, "other": GOOD}
    options: dict[str, Any] = {"sample_weight": weights, "n_resamples": 300, "seed": 1}
    both = pr.compare(Y, models, pr.RecallAt(0.6), method="bootstrap", confidence=level, **options)
    assert both.intervals[0, 0] <= found + 1e-12


def test_what_a_precision_proves_at_its_ends() -> None:
    """All of a precision of 0 is proven, nothing of one of 1; groups prove less than their rows."""
    groups = np.arange(90) // 9
    lows = []
    cases: list[tuple[float, dict[str, Any]]] = [(1.0, {}), (0.6, {}), (0.6, {"groups": groups})]
    for precision, options in cases:
        result = pr.bootstrap(
            Y, GOOD + 2 * Y, pr.RecallAt(precision), n_resamples=99, seed=1, **options
        )
        proven = result.ingredients.proven
        assert proven is not None
        assert (np.diff(proven[:, 0]) > 0).all()
        assert (np.diff(proven[:, 1]) < 0).all()
        lows.append(proven[:, 0].max(initial=0.0))
    assert lows[0] == 0
    assert lows[1] > lows[2] > 0


def test_luck_of_the_first_rows_is_no_recall() -> None:
    """Where precision hardly reaches the bound, limits of replicates alone lay above the truth.

    They did in 10 % of samples of 50 and 50 rows with an AUC of 0.7, where a precision of 0.8 goes
    with a recall of 0.148.
    """
    rng = np.random.default_rng(4)
    above = 0
    for k in range(120):
        y = rng.integers(0, 2, 100)
        scores = rng.normal(size=100) + 0.7416 * y
        result = pr.bootstrap(y, scores, pr.RecallAt(0.8), n_resamples=299, seed=k)
        above += result.interval[0] > 0.148
    assert above <= 6


def test_class_counts_enter_precision_alone() -> None:
    run: dict[str, Any] = {"n_resamples": 20, "seed": 1}
    assert pr.bootstrap(Y, GOOD, pr.TprAt(0.2), **run).stratified
    assert not pr.bootstrap(Y, GOOD, pr.RecallAt(0.6), **run).stratified


@pytest.mark.parametrize("measure", AT, ids=repr)
def test_equal_replicates_have_limits_of_a_share_of_rows(measure: Any) -> None:
    result = pr.bootstrap(Y, Y + 0.0, measure, n_resamples=99, seed=1, stratify=True)
    low, high = result.interval
    assert result.method == "wilson"
    assert "Wilson interval" in repr(result)
    away = 1.959964**2 / (30 + 1.959964**2)  # Wilson's for 30 of 30
    expected = [0, away] if measure.name == "fpr_at" else [1 - away, 1]
    assert [low, high] == pytest.approx(expected, abs=1e-6)
    lower = result.with_interval(sides="lower").interval
    assert 0 <= lower[0] <= result.estimate <= lower[1]


@pytest.mark.parametrize(
    ("call", "name"), [(pr.tpr_at, "fpr"), (pr.fpr_at, "tpr"), (pr.recall_at, "precision")]
)
def test_refusals(call: Any, name: str) -> None:
    for wrong in (-0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match=rf"^{name} is .*; it lies in \[0, 1\], as {name}="):
            call(Y, GOOD, **{name: wrong})
    others: tuple[Any, ...] = ((0, 0.1), "0.1", None, True)
    for wrong in others:
        with pytest.raises(TypeError, match=rf"^{name} is .*; pass one number in \[0, 1\], as "):
            call(Y, GOOD, **{name: wrong})
    with pytest.raises(ValueError, match=rf"^{call.__name__} compares two classes but there are 3"):
        call(np.arange(6) % 3, np.ones((6, 3)), **{name: 0.5})
    with pytest.raises(ValueError, match=rf"^measure is '{call.__name__}', which has no default"):
        pr.bootstrap(Y, GOOD, call.__name__)
