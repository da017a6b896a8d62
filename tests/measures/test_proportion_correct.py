"""The proportion correct: definition, peers, simulation of the paper's case, resamples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import accuracy_score

from given import measure_calls as every
from given.refusals import refusals
from given.strategies import Sample, samples
from oracle import proportions as slow

RNG = np.random.default_rng(5)
Y = np.arange(90) % 3
GOOD = RNG.normal(size=(90, 3)) + np.eye(3)[Y]
COARSE = np.round(GOOD)
BOTH = [pr.ProportionCorrect(), pr.ProportionCorrect(pairs=True)]
value_error, type_error = refusals(pr.proportion_correct)


def weights_of(sample: Sample) -> Any:
    return np.ones(len(sample.c)) if sample.w is None else sample.w


@given(samples(K=st.integers(2, 4)))
def test_value(sample: Sample) -> None:
    c, P, q = sample.c, np.asarray(sample.P), weights_of(sample)
    found = pr.proportion_correct(c, P, sample_weight=sample.w)
    assert type(found) is float
    assert found == pytest.approx(slow.c1(c, P, q), rel=1e-12, abs=1e-15)
    found = pr.proportion_correct(c, P, pairs=True, sample_weight=sample.w)
    assert found == pytest.approx(slow.c2(c, P, q), rel=1e-12, abs=1e-15)


@given(samples(K=st.just(2)))
def test_two_classes_are_one_pair(sample: Sample) -> None:
    one, other = (pr.proportion_correct(sample.c, sample.P, pairs=pairs) for pairs in (False, True))
    assert one == pytest.approx(other, abs=1e-15)


def test_whole_weights_are_repeated_rows() -> None:
    weights = RNG.integers(0, 4, 90)
    rows = np.repeat(np.arange(90), weights)
    for measure in BOTH:
        for P in (GOOD, COARSE):
            found = measure(Y, P, sample_weight=weights)
            assert found == pytest.approx(measure(Y[rows], P[rows]), rel=1e-14)


def test_without_ties_it_is_accuracy() -> None:
    assert pr.proportion_correct(Y, GOOD) == accuracy_score(Y, GOOD.argmax(axis=1))


def test_ends_are_exact() -> None:
    for measure in BOTH:
        assert measure(Y, np.eye(3)[Y]) == 1
        assert measure(Y, np.eye(3)[Y], sample_weight=RNG.gamma(1.0, size=90)) == 1
        assert measure(Y, np.eye(3)[(Y + 1) % 3]) == (0 if measure is BOTH[0] else 0.25)
    assert pr.proportion_correct(Y, np.ones((90, 3))) == pytest.approx(1 / 3)
    assert pr.proportion_correct(Y, np.ones((90, 3)), pairs=True) == pytest.approx(0.5)
    assert pr.proportion_correct(Y, np.full((90, 3), np.inf)) == pytest.approx(1 / 3)


@pytest.mark.parametrize("c", [2, 3, 5])
@pytest.mark.parametrize("mu", [0.5, 1.5])
def test_normal_classes_have_the_values_of_the_paper(c: int, mu: float) -> None:
    """HT01 s.4: x ~ N(i mu, 1) in class i; of scores -(x - i mu)^2 the nearest is greatest."""
    each = 40_000
    y = np.repeat(np.arange(c), each)
    x = np.random.default_rng(c).normal(size=len(y)) + mu * y
    P = -((x[:, np.newaxis] - mu * np.arange(c)) ** 2)
    k, phi = np.arange(1, c), stats.norm.cdf
    mean = 2 / (c * (c - 1))
    eq9 = mean * np.sum((c - k) * phi(k * mu / math.sqrt(2)))
    eq10 = 2 * (c - 1) / c * phi(mu / 2) - 1 + 2 / c
    eq11 = mean * np.sum((c - k) * phi(k * mu / 2))  # printed with 2 / c, which exceeds 1
    assert pr.proportion_correct(y, P) == pytest.approx(eq10, abs=0.006)
    assert pr.proportion_correct(y, P, pairs=True) == pytest.approx(eq11, abs=0.006)
    # Eq. 9 compares x itself: so does the difference of two scores, and one score does not.
    assert pr.auc_mu(y, P) == pytest.approx(eq9, abs=0.006)
    if c > 2:
        assert pr.hand_till(y, P) < eq9 - 0.01


def test_absent_classes() -> None:
    P = np.column_stack([GOOD, GOOD[:, 0] - 1.0])
    value_error(r"no row has the label 3; pass absent=", Y, P, labels=range(4))
    for measure in (pr.ProportionCorrect(absent="skip"), pr.ProportionCorrect(True, "skip")):
        found = measure(Y, P, labels=range(4))
        # The column of the absent class may have the greatest score, but is in no pair.
        expected = (slow.c2 if measure.pairs else slow.c1)(Y, P, np.ones(90))
        assert found == pytest.approx(expected, rel=1e-14)


def test_refusals() -> None:
    value_error(
        r"proportion_correct compares the scores of a row's classes but y_score is 1-D; pass both "
        r"columns, as np\.column_stack\(\[1 - p, p\]\)",
        [0, 1, 1], [0.1, 0.2, 0.3],
    )  # fmt: skip
    type_error(r"pairs is 1; pass True or False", Y, GOOD, pairs=1)
    value_error(r"absent is 'no'; choose one of", Y, GOOD, absent="no")
    value_error(r"y_score\[1, 2\] is NaN", [0, 1, 2], [[1, 0, 0], [1, 1, np.nan], [0, 0, 0]])


@pytest.mark.parametrize("measure", BOTH, ids=repr)
@pytest.mark.parametrize("scores", [GOOD, COARSE])
def test_replicates(measure: Any, scores: Any) -> None:
    every.replicates_are_the_measure_of_weighted_rows(measure, Y, scores)
    every.threads_and_memory_change_no_bit(measure, Y, scores)


@pytest.mark.parametrize("measure", BOTH, ids=repr)
@pytest.mark.parametrize("scheme", ["multinomial", "poisson", "bayesian"])
def test_every_way_of_resampling(measure: Any, scheme: Any) -> None:
    groups = np.arange(90) // 3
    for stratify in (False, None):
        result = pr.bootstrap(
            Y, GOOD, measure, scheme=scheme, stratify=stratify, n_resamples=400, seed=1
        )
        assert not result.stratified  # class counts enter
        assert result.method == "bca"
        error = pr.delong(Y, GOOD, measure).standard_error
        assert result.standard_error == pytest.approx(error, rel=0.2)
    grouped = pr.bootstrap(Y, GOOD, measure, scheme=scheme, groups=groups, n_resamples=400, seed=1)
    closed = pr.delong(Y, GOOD, measure, groups=groups).standard_error
    assert grouped.standard_error == pytest.approx(closed, rel=0.25)


def test_the_error_of_c1_is_that_of_a_proportion() -> None:
    p = pr.proportion_correct(Y, GOOD)
    found = pr.delong(Y, GOOD, "proportion_correct", reference="normal").standard_error
    assert found == pytest.approx(math.sqrt(p * (1 - p) / 90), rel=0.03)


@pytest.mark.parametrize("measure", BOTH, ids=repr)
@pytest.mark.parametrize("way", ["rows", "weights", "groups", "mixed"])
def test_influence_values_are_derivatives(measure: Any, way: str) -> None:
    """A little more weight on a unit moves the measure by its influence value."""
    from polyroc._data.sample import prepare
    from polyroc._data.units import plan
    from polyroc._inference.influence import measured

    w = RNG.gamma(2.0, size=90) if way == "weights" else np.ones(90)
    groups = {"groups": Y + 3 * (np.arange(90) // 9), "mixed": np.arange(90) % 20}.get(way)
    sample = prepare(Y, COARSE, None, w if way == "weights" else None, 1)
    units = plan(sample, "multinomial", False, groups)
    found = measured(sample, units, {"": measure})[""]
    unit = np.arange(90) if groups is None else groups
    expected = every.moved_by_weight(measure, Y, COARSE, w, unit)
    expected -= expected.mean()
    assert found.influences.values[0] == pytest.approx(expected, abs=1e-9)


def test_equal_rows_are_drawn_together() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 9000)
    P = rng.integers(0, 3, (9000, 3)) + 0.0
    for measure in BOTH:
        result = pr.bootstrap(y, P, measure, n_resamples=300, seed=1)
        assert result.path == "cells"
        assert result.standard_error == pytest.approx(
            pr.delong(y, P, measure).standard_error, rel=0.15
        )
        assert result.method == "bca"


@pytest.mark.parametrize("measure", BOTH, ids=repr)
def test_comparisons(measure: Any) -> None:
    bad = RNG.normal(size=(90, 3))
    for method in ("delong", "bootstrap", "permutation"):
        c = pr.compare(
            Y, {"good": GOOD, "bad": bad}, measure, method=method, n_resamples=300, seed=1
        )
        assert c.estimates == pytest.approx([measure(Y, GOOD), measure(Y, bad)])
        assert 0 < c.p_value < 0.05
        same = pr.compare(Y, {"a": GOOD, "b": GOOD}, measure, method=method, n_resamples=50, seed=1)
        assert same.p_value == 1


def test_a_permutation_keeps_scales_apart() -> None:
    """Rows go from one model to the other with their own scores, whatever scale these are on."""
    other = RNG.normal(size=(90, 3)) + 0.5 * np.eye(3)[Y]
    run: dict[str, Any] = {"method": "permutation", "n_resamples": 300, "seed": 1}
    for statistic in ("difference", "studentized"):
        run["statistic"] = statistic
        plain = pr.compare(Y, {"a": GOOD, "b": other}, "proportion_correct", **run)
        scaled = pr.compare(Y, {"a": 1000 * GOOD + 7, "b": other}, "proportion_correct", **run)
        assert plain.p_value == scaled.p_value


def test_all_right_has_an_interval_of_a_proportion() -> None:
    for measure, n in ((BOTH[0], 90), (BOTH[1], 60)):
        result = pr.bootstrap(Y, np.eye(3)[Y], measure, n_resamples=99, seed=1)
        assert result.method == "wilson"
        assert result.interval == pytest.approx([n / (n + 1.959964**2), 1.0])
        assert "Wilson's (1927) score interval" in result.notes[0]
        assert "95 % Wilson interval" in repr(result)
        closed = pr.delong(Y, np.eye(3)[Y], measure)
        assert 0.9 < closed.interval[0] < 1 == closed.interval[1]
    normal = pr.delong(Y, np.eye(3)[Y], BOTH[0], reference="normal")
    assert normal.interval == pytest.approx([90 / (90 + 1.959964**2), 1.0])


def test_a_scorer_makes_columns_of_margins() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    X, y = GOOD, (Y == 1).astype(int)
    for model in (LogisticRegression().fit(X, y), LinearSVC().fit(X, y)):
        assert pr.scorer("proportion_correct")(model, X, y) == pytest.approx(model.score(X, y))
