"""The expected proportion correct: definition, identities, quadrature, resamples."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from given import measure_calls as every
from given.refusals import refusals
from given.strategies import Sample, samples
from oracle import proportions as slow

RNG = np.random.default_rng(7)
Y = (np.arange(90) % 3 == 0).astype(int)
GOOD = stats.norm.cdf(Y + RNG.normal(size=90) - 0.5)
COARSE = np.round(GOOD, 1)
MIXTURE, BY_THRESHOLD = pr.ExpectedCorrect(), pr.ExpectedCorrect(threshold=(2, 5))
AT_SHARE, OVER_SHARES = pr.ExpectedCorrect(screened=0.3), pr.ExpectedCorrect(screened=(1, 9))
ALL = [MIXTURE, BY_THRESHOLD, AT_SHARE, OVER_SHARES]
SHAPES = [(1.0, 1.0), (2.0, 5.0), (1.0, 9.0), (0.4, 0.7), (30.0, 12.0)]
value_error, type_error = refusals(pr.expected_correct)


def weights_of(sample: Sample) -> Any:
    return np.ones(len(sample.c)) if sample.w is None else sample.w


@given(samples(K=st.just(2), columns=False))
def test_a_random_row_as_threshold(sample: Sample) -> None:
    found = pr.expected_correct(sample.c, sample.P, sample_weight=sample.w)
    assert type(found) is float
    q = weights_of(sample)
    assert found == pytest.approx(slow.over_rows(sample.c, np.asarray(sample.P), q), rel=1e-12)
    auc = pr.auc(sample.c, sample.P, sample_weight=sample.w)
    pi = np.bincount(sample.c, q) / q.sum()
    assert found == pytest.approx((pi @ pi) / 2 + 2 * pi[0] * pi[1] * auc, rel=1e-12)
    uniform = pr.expected_correct(sample.c, sample.P, screened=(1, 1), sample_weight=sample.w)
    assert uniform == pytest.approx(found, rel=1e-12)


@given(samples(K=st.just(2), columns=False), st.floats(0, 1))
def test_a_share_of_the_rows(sample: Sample, share: float) -> None:
    found = pr.expected_correct(sample.c, sample.P, screened=share, sample_weight=sample.w)
    s = np.asarray(sample.P) + 0.0  # -0.0 ties 0.0
    expected = slow.at_share(sample.c, s, weights_of(sample), share)
    assert found == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("scores", [GOOD, COARSE])
def test_a_distribution_of_shares(scores: Any, shapes: tuple[float, float]) -> None:
    c, s = Y[:30], scores[:30]
    for w in (None, np.random.default_rng(1).gamma(1.0, size=30)):
        found = pr.expected_correct(c, s, screened=shapes, sample_weight=w)
        expected = slow.over_shares(c, s, np.ones(30) if w is None else w, *shapes)
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("shapes", [*SHAPES, (0.01, 3.0), (500.0, 400.0)])
@pytest.mark.parametrize("scores", [GOOD, COARSE, np.round(GOOD), GOOD.astype("f4")])
def test_a_distribution_of_thresholds(scores: Any, shapes: tuple[float, float]) -> None:
    for w in (np.ones(90), RNG.gamma(1.0, size=90)):
        found = pr.expected_correct(Y, scores, threshold=shapes, sample_weight=w)
        expected = slow.over_thresholds(Y, scores.astype(float), w, *shapes)
        assert found == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("shapes", [(1e-10, 5.0), (1e-3, 1e3), (0.5, 500.0), (500.0, 0.5)])
def test_thresholds_and_shares_near_an_end(shapes: tuple[float, float]) -> None:
    """A series of the share below a score took 1e11 terms for scores of 1e-10, beyond the mean."""
    scores = 10.0 ** -np.linspace(0.0, 12.0, 90)
    scores = scores if shapes[0] < shapes[1] else 1.0 - scores
    below = stats.beta.cdf(scores, *shapes)
    wanted = np.where(Y == 1, below, 1.0 - below).mean()
    assert pr.expected_correct(Y, scores, threshold=shapes) == pytest.approx(wanted, rel=1e-9)
    # Every further row, the highest score first, is rightly or wrongly said to be positive.
    (p, q), shares = shapes, np.arange(91) / 90
    gain = np.where(Y[np.argsort(-scores)] == 1, 1.0, -1.0)
    right = np.mean(Y == 0) + np.concatenate([[0.0], gain.cumsum() / 90])
    mass, mean = np.diff(stats.beta.cdf(shares, p, q)), p / (p + q)
    moment = mean * np.diff(stats.beta.cdf(shares, p + 1.0, q))
    wanted = float(((right - np.append(gain, 0.0) * shares)[:-1] * mass + gain * moment).sum())
    assert pr.expected_correct(Y, scores, screened=shapes) == pytest.approx(wanted, rel=1e-9)


def test_whole_weights_are_repeated_rows() -> None:
    weights = RNG.integers(0, 4, 90)
    rows = np.repeat(np.arange(90), weights)
    for measure in ALL:
        found = measure(Y, COARSE, sample_weight=weights)
        assert found == pytest.approx(measure(Y[rows], COARSE[rows]), rel=1e-13)


def test_only_order_counts_but_for_thresholds() -> None:
    for measure in (MIXTURE, AT_SHARE, OVER_SHARES):
        assert measure(Y, np.exp(5 * COARSE)) == measure(Y, COARSE)
        assert measure(Y, np.column_stack([-COARSE, COARSE])) == measure(Y, COARSE)
        assert measure(1 - Y, -COARSE, pos_label=0) == pytest.approx(measure(Y, -COARSE))


def test_ends() -> None:
    n1 = Y.mean()
    assert pr.expected_correct(Y, GOOD, screened=0) == pytest.approx(1 - n1)
    assert pr.expected_correct(Y, GOOD, screened=1) == pytest.approx(n1)
    assert pr.expected_correct(Y, Y, screened=n1) == pytest.approx(1)
    assert pr.expected_correct(Y, Y, threshold=(2, 5)) == 1
    assert pr.expected_correct(Y, 1 - Y, threshold=(2, 5)) == 0
    # A threshold at the score itself says positive: both rows have the score of all thresholds.
    assert pr.expected_correct([0, 1], [1.0, 1.0], threshold=(2, 5)) == 0.5
    # A narrow distribution is a threshold, or a share.
    narrow = pr.expected_correct(Y, GOOD, threshold=(5e6, 5e6))
    assert narrow == pytest.approx(np.mean((GOOD >= 0.5) == Y), abs=1e-9)
    narrow = pr.expected_correct(Y, GOOD, screened=(3e5, 7e5))
    assert narrow == pytest.approx(pr.expected_correct(Y, GOOD, screened=0.3), abs=1e-3)


def test_refusals() -> None:
    value_error(r"threshold and screened are both given", Y, GOOD, threshold=(1, 1), screened=0.1)
    type_error(r"threshold is 0\.5; pass the shapes \(a, b\) of a Beta", Y, GOOD, threshold=0.5)
    type_error(r"threshold is \(1,\); pass the shapes", Y, GOOD, threshold=(1,))
    type_error(r"threshold is 'ab'; pass the shapes", Y, GOOD, threshold="ab")
    value_error(r"threshold is \(0, 1\); the shapes of a Beta distribution are positive", Y, GOOD,
                threshold=(0, 1))  # fmt: skip
    value_error(r"screened is \(1, inf\); the shapes", Y, GOOD, screened=(1, np.inf))
    value_error(r"screened is 1\.5; a share of the rows lies in \[0, 1\]", Y, GOOD, screened=1.5)
    value_error(r"screened is nan; a share", Y, GOOD, screened=float("nan"))
    type_error(r"screened is True; pass the shapes", Y, GOOD, screened=True)
    value_error(
        r"y_score\[2\] is 1\.5, but thresholds of a Beta distribution lie in \[0, 1\]; pass scores",
        [0, 1, 1], [0.1, 0.2, 1.5], threshold=(1, 1),
    )  # fmt: skip
    value_error(
        r"y_score\[0, 1\] is -0\.1, but thresholds", [0, 1], [[0, -0.1], [1, 0]], threshold=(1, 1)
    )
    value_error(r"y_score\[1\] is NaN", [0, 1], [0.1, np.nan], threshold=(1, 1))
    value_error(r"y_score holds integers beyond", [0, 1], [1, 2**60 + 1], threshold=(1, 1))
    value_error(r"expected_correct compares two classes but there are 3", [0, 1, 2], np.eye(3))


@pytest.mark.parametrize("measure", ALL, ids=repr)
@pytest.mark.parametrize("scores", [GOOD, COARSE])
def test_replicates(measure: Any, scores: Any) -> None:
    every.replicates_are_the_measure_of_weighted_rows(measure, Y, scores)
    every.threads_and_memory_change_no_bit(measure, Y, scores)


@pytest.mark.parametrize("measure", ALL, ids=repr)
@pytest.mark.parametrize("scheme", ["multinomial", "poisson", "bayesian"])
def test_every_way_of_resampling(measure: Any, scheme: str) -> None:
    run: dict[str, Any] = {"n_resamples": 400, "seed": 1, "scheme": scheme}
    result = pr.bootstrap(Y, GOOD, measure, **run)
    assert not result.stratified  # class counts enter
    assert result.method == "bca"
    # At one share the curve's own steps decide what a row moves, and a jackknife sees little more.
    near = 0.8 if measure is AT_SHARE else 0.3
    spread = np.sqrt(result.ingredients.variance[0])
    assert spread == pytest.approx(result.standard_error, rel=near)
    groups = np.arange(90) // 3
    grouped = pr.bootstrap(Y, GOOD, measure, groups=groups, **run)
    spread = np.sqrt(grouped.ingredients.variance[0])
    assert spread == pytest.approx(grouped.standard_error, rel=near)


@pytest.mark.parametrize("measure", [MIXTURE, BY_THRESHOLD], ids=repr)
@pytest.mark.parametrize("way", ["rows", "weights", "groups", "strata"])
def test_influence_values_are_derivatives(measure: Any, way: str) -> None:
    from polyroc._data.sample import prepare
    from polyroc._data.units import plan
    from polyroc._inference.influence import measured

    w = RNG.gamma(2.0, size=90) if way == "weights" else np.ones(90)
    groups = np.arange(90) % 20 if way == "groups" else None
    sample = prepare(Y, COARSE, None, w if way == "weights" else None, 1)
    units = plan(sample, "multinomial", way == "strata", groups)
    found = measured(sample, units, {"": measure})[""].influences
    unit = np.arange(90) if groups is None else groups
    expected = every.moved_by_weight(measure, Y, COARSE, w, unit)
    if way == "strata":
        expected = np.concatenate([expected[Y == k] - expected[Y == k].mean() for k in (0, 1)])
    else:
        expected -= expected.mean()
    assert found.values[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("measure", ALL, ids=repr)
def test_comparisons(measure: Any) -> None:
    bad = RNG.random(90)
    methods: list[Any] = ["bootstrap", "permutation"]
    methods += ["delong"] if measure.has_influence else []
    for method in methods:
        c = pr.compare(Y, {"good": 0.5 * Y + 0.5 * GOOD, "bad": bad}, measure, method=method,
                       n_resamples=300, seed=1)  # fmt: skip
        assert 0 < c.p_value < 0.05
        same = pr.compare(Y, {"a": GOOD, "b": GOOD}, measure, method=method, n_resamples=50, seed=1)
        assert same.p_value == 1


def test_a_permutation_exchanges_scores_not_ranks_where_thresholds_count() -> None:
    low = GOOD / 4  # ordered alike, but below nearly all thresholds
    run: dict[str, Any] = {"method": "permutation", "n_resamples": 300, "seed": 1}
    measure = pr.ExpectedCorrect(threshold=(20, 20))
    for statistic in ("difference", "studentized"):
        c = pr.compare(Y, {"a": GOOD, "b": low}, measure, statistic=statistic, **run)
        assert c.estimates[0] != pytest.approx(c.estimates[1], abs=0.01)
        assert c.p_value < 1


def test_perfect_separation_has_an_interval() -> None:
    y = np.arange(90) % 2  # equal classes: the share of a class moves nothing
    result = pr.bootstrap(y, y + 0.0, "expected_correct", stratify=True, n_resamples=99, seed=1)
    auc = pr.bootstrap(y, y + 0.0, "auc", n_resamples=99, seed=1).interval[0]
    assert result.estimate == result.interval[1] == 0.75
    assert result.interval[0] == pytest.approx(0.25 + auc / 2)
    uneven = pr.bootstrap(Y, Y + 0.0, "expected_correct", stratify=True, n_resamples=99, seed=1)
    auc = pr.bootstrap(Y, Y + 0.0, "auc", n_resamples=99, seed=1).interval[0]
    q = 2 / 9
    assert uneven.interval == pytest.approx([(1 - 2 * q) / 2 + 2 * q * auc, 0.5 + q])
    whole = pr.bootstrap(Y, Y + 0.0, BY_THRESHOLD, n_resamples=99, seed=1)
    assert whole.method == "wilson"
    assert 0.95 < whole.interval[0] < 1 == whole.interval[1]
