"""VUS, HUM and PDI against all tuples, and what every measure must do."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given import measure_calls as every
from given.agreement import close
from given.strategies import Sample, rounded_rows, samples
from oracle import reference as ref
from oracle import volumes as slow

KINDS = ("none", "whole", "real")
RNG = np.random.default_rng(11)
C = np.arange(90) % 3
MARKER = C + RNG.normal(size=90)
P = RNG.random((90, 3)) + 0.7 * (C[:, None] == np.arange(3))


def weights_of(sample: Sample) -> list[list[Any]]:
    return slow.by_class(sample.c, ref.whole(sample.w, len(sample.c)), sample.K)


@given(samples(K=st.integers(3, 5), columns=False, weighting=KINDS, most=12))
def test_vus_is_the_share_of_ordered_tuples(sample: Sample) -> None:
    x, w = slow.by_class(sample.c, sample.P, sample.K), weights_of(sample)
    value = pr.vus(sample.c, sample.P, sample_weight=sample.w)
    assert type(value) is float
    close(value, slow.vus(x, w), 1e-12)


@given(samples(K=st.integers(2, 4), weighting=KINDS, most=11))
def test_pdi_is_the_share_of_tuples_won(sample: Sample) -> None:
    x, w = slow.by_class(sample.c, sample.P, sample.K), weights_of(sample)
    values = pr.pdi(sample.c, sample.P, average=None, sample_weight=sample.w)
    for i in range(sample.K):
        close(float(values[i]), slow.pdi(x, w, i), 1e-12)
    assert pr.pdi(sample.c, sample.P, sample_weight=sample.w) == pytest.approx(values.mean())


@st.composite
def votes(draw: st.DrawFn, K: int, most: int) -> tuple[Sample, int]:
    """Votes out of k: fractions whose sums round."""
    k = draw(st.integers(1, 12))
    one = rounded_rows(k)
    kinds = ("none", "whole")
    return draw(
        samples(K=st.just(K), dtypes=("float64",), weighting=kinds, most=most, scores=one)
    ), k


@given(st.one_of(votes(3, 12), votes(4, 11), votes(5, 9)))
def test_hum_is_the_share_of_right_assignments(given_votes: tuple[Sample, int]) -> None:
    sample, k = given_votes
    exact = [[Fraction(round(p * k), k) for p in row] for row in sample.P]
    x = [[row for row, c in zip(exact, sample.c, strict=True) if c == i] for i in range(sample.K)]
    value = pr.hum(sample.c, sample.P, sample_weight=sample.w)
    close(value, slow.hum(x, weights_of(sample)), 1e-12)


@pytest.mark.parametrize("K", [3, 4, 5])
def test_hum_of_scores_that_do_not_tie(K: int) -> None:
    for n in (K, 3 * K, 4 * K + 1):
        c = np.arange(n) % K
        scores = RNG.normal(size=(n, K)) + (c[:, None] == np.arange(K))
        w = RNG.integers(1, 4, n)
        x = [[list(map(Fraction, row)) for row in scores[c == k].tolist()] for k in range(K)]
        expected = slow.hum(x, slow.by_class(c, w, K))
        assert pr.hum(c, scores, sample_weight=w) == pytest.approx(float(expected), rel=1e-13)


def test_two_classes_are_the_auc() -> None:
    y = np.arange(60) % 2
    p = np.round(RNG.random(60) * 0.6 + 0.4 * y, 2)
    two = np.column_stack([1 - p, p])
    auc = pr.auc(y, p)
    for function in (pr.vus, pr.hum, pr.pdi):
        assert function(y, p) == auc
        assert function(y, two) == pytest.approx(auc, rel=1e-14)
    assert pr.pdi(y, p, average=None).tolist() == [auc, auc]
    free = RNG.random((60, 2))
    assert pr.pdi(y, free) == pytest.approx(pr.hand_till(y, free), rel=1e-14)
    assert pr.hum(y, free) == pytest.approx(pr.auc_mu(y, free), rel=1e-14)
    assert pr.vus(y, free) == pr.auc(y, free[:, 1])


@pytest.mark.parametrize("K", [3, 4])
def test_ends_and_chance(K: int) -> None:
    c = np.arange(12 * K) % K
    assert pr.vus(c, c) == pr.hum(c, np.eye(K)[c]) == pr.pdi(c, np.eye(K)[c]) == 1
    weights = RNG.random(12 * K)
    for value in (
        pr.vus(c, c, sample_weight=weights),
        pr.hum(c, np.eye(K)[c], sample_weight=weights),
    ):
        assert value == pytest.approx(1, rel=1e-14)
        assert value <= 1
    assert pr.vus(c, -c) == 0
    assert pr.vus(c, 0 * c) == pytest.approx(1 / math.factorial(K), rel=1e-14)
    assert pr.hum(c, np.zeros((12 * K, K))) == pytest.approx(1 / math.factorial(K), rel=1e-14)
    assert pr.pdi(c, np.zeros((12 * K, K))) == pytest.approx(1 / K, rel=1e-14)


def test_volumes_depend_on_what_they_say_they_do() -> None:
    assert pr.vus(C, np.exp(MARKER)) == pr.vus(C, MARKER)
    assert pr.pdi(C, np.exp(P)) == pr.pdi(C, P)
    # Totals: what all columns of a row gain, or one factor for all, changes no assignment.
    assert pr.hum(C, 3 * P + RNG.normal(size=(90, 1))) == pytest.approx(pr.hum(C, P), rel=1e-12)
    order = RNG.permutation(3)
    assert pr.hum(np.argsort(order)[C], P[:, order]) == pytest.approx(pr.hum(C, P), rel=1e-13)
    # Always right by argmax, if only just.
    near = np.full((90, 3), 0.5)
    near[np.arange(90), C] = np.nextafter(0.5, 1)
    assert pr.hum(C, near) == 1


def test_totals_that_differ_by_rounding_tie() -> None:
    scores = RNG.integers(0, 10, (90, 3)) / 9
    exact = pr.hum(C, np.round(9 * scores))
    assert pr.hum(C, scores) == pytest.approx(exact, rel=1e-13)
    assert pr.hum(C, scores.astype(np.float32)) == pytest.approx(exact, rel=1e-13)
    assert abs(pr.hum(C, scores, ties="exact") - exact) > 1e-4


def test_whole_weights_are_repeated_rows() -> None:
    w = RNG.integers(0, 4, 90)
    w[:3] = 1
    again = np.repeat(np.arange(90), w)
    for function, scores in ((pr.vus, MARKER), (pr.pdi, np.round(P, 1)), (pr.hum, np.round(P, 1))):
        value = function(C, scores, sample_weight=w)
        assert value == pytest.approx(function(C[again], scores[again]), rel=1e-13)


def test_absent_classes_are_left_out() -> None:
    labels = [0, 1, 2, 3]
    four = np.column_stack([P, RNG.random(90)])
    assert pr.vus(C, MARKER, labels=labels, absent="skip") == pr.vus(C, MARKER)
    assert pr.pdi(C, four, labels=labels, absent="skip") == pr.pdi(C, P)
    assert pr.hum(C, four, labels=labels, absent="skip") == pr.hum(C, P)
    assert np.isnan(pr.pdi(C, four, labels=labels, absent="skip", average=None)[3])
    two = C < 2
    left = pr.hum(C[two], P[two], labels=[0, 1, 2], absent="skip")
    assert left == pytest.approx(pr.auc_mu(C[two], P[two][:, :2]), rel=1e-13)
    with pytest.raises(ValueError, match=r"^no row has the label 3; pass absent"):
        pr.vus(C, MARKER, labels=labels)


@pytest.mark.parametrize("digits", [0, 9])
def test_many_rows_by_parts_and_by_sorting_are_the_same(digits: int) -> None:
    n = 150_000
    c = RNG.integers(0, 4, n)
    x = np.round(c + 3 * RNG.normal(size=n), digits)
    by_parts = pr.vus(c, x)
    # Weights of two: the same rows by an ordering.
    assert pr.vus(c, x, sample_weight=np.full(n, 2.0)) == pytest.approx(by_parts, rel=1e-11)
    assert pr.vus(c, x.astype(np.float32)) == pytest.approx(by_parts, rel=1e-3)
    assert pr.vus(c, x, n_threads=1) == by_parts


@pytest.mark.parametrize("digits", [1, 9])
def test_replicates(digits: int) -> None:
    every.replicates_are_the_measure_of_weighted_rows(pr.Vus(), C, np.round(MARKER, digits))
    for measure in (pr.Pdi(), pr.Pdi(None), pr.Hum()):
        every.replicates_are_the_measure_of_weighted_rows(measure, C, np.round(P, digits))
    every.threads_and_memory_change_no_bit(pr.Vus(), C, MARKER)
    every.threads_and_memory_change_no_bit(pr.Hum(), C, P)
    every.threads_and_memory_change_no_bit(pr.Pdi(), C, P)


@pytest.mark.parametrize("scheme", ["multinomial", "poisson", "bayesian"])
def test_groups_and_strata(scheme: Any) -> None:
    groups = np.arange(90) // 2
    for measure, scores in (("vus", MARKER), ("hum", P), ("pdi", P)):
        for way in ({"groups": groups}, {"stratify": False}, {"stratify": True}):
            if scheme == "poisson" and way.get("stratify") is True:
                continue  # which fixes no class count
            options: Any = {"n_resamples": 400, "seed": 3, "scheme": scheme, **way}
            result = pr.bootstrap(C, scores, measure, **options)
            closed = pr.delong(C, scores, measure, **way)
            assert result.standard_error == pytest.approx(closed.standard_error, rel=0.2)
            low, high = result.interval
            assert 0 < low < result.estimate < high <= 1


def test_coarse_rows_are_drawn_as_cells() -> None:
    n = 6000
    c = np.arange(n) % 3
    scores = np.clip(RNG.integers(0, 4, (n, 3)) + (c[:, None] == np.arange(3)), 0, 3) / 3
    result = pr.bootstrap(c, scores, ["hum", "pdi"], n_resamples=200, seed=1)
    assert result["hum"].path == "cells"
    for name in ("hum", "pdi"):
        closed = pr.delong(c, scores, name)
        assert result[name].estimate == pytest.approx(closed.estimate, rel=1e-12)
        assert result[name].standard_error == pytest.approx(closed.standard_error, rel=0.2)


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_closed_form_errors_are_those_of_the_u_statistic(digits: int) -> None:
    marker, scores = np.round(MARKER, digits), np.round(P, digits)
    for weights in (np.ones(90), RNG.random(90)):
        for measure, x in (
            (pr.Vus(), marker), (pr.Hum(), scores), (pr.Pdi(), scores), (pr.AucMu(), scores),
        ):  # fmt: skip

            def value(w: Any, measure: Any = measure, x: Any = x) -> float:
                return float(measure(C, x, sample_weight=w))

            moved = slow.jackknife(value, C, weights)
            found = every.influence_values(measure, C, x, weights)
            np.testing.assert_allclose(found, moved, rtol=1e-9, atol=1e-13)


def test_closed_form_errors_of_each_class_and_more_classes() -> None:
    c = np.arange(40) % 4
    scores = np.round(RNG.random((40, 4)) + 0.5 * (c[:, None] == np.arange(4)), 1)
    for i in range(4):

        def value(w: Any, i: int = i) -> float:
            return float(pr.pdi(c, scores, average=None, sample_weight=w)[i])

        found = every.influence_values(pr.Pdi(None), c, scores, np.ones(40), i)
        np.testing.assert_allclose(
            found, slow.jackknife(value, c, np.ones(40)), rtol=1e-9, atol=1e-13
        )
    for measure, x in ((pr.Hum(), scores), (pr.Vus(), np.round(scores[:, 0] + c, 1))):

        def volume(w: Any, measure: Any = measure, x: Any = x) -> float:
            return float(measure(c, x, sample_weight=w))

        found = every.influence_values(measure, c, x, np.ones(40))
        np.testing.assert_allclose(
            found, slow.jackknife(volume, c, np.ones(40)), rtol=1e-9, atol=1e-13
        )


def test_comparisons() -> None:
    worse = {
        "vus": RNG.normal(size=90) - MARKER,
        "hum": RNG.random((90, 3)),
        "pdi": RNG.random((90, 3)),
    }
    for name, good in (("vus", MARKER), ("hum", P), ("pdi", P)):
        models = {"good": good, "bad": worse[name]}
        for method in ("delong", "bootstrap"):
            options: Any = {} if method == "delong" else {"n_resamples": 300, "seed": 1}
            c = pr.compare(C, models, name, method=method, **options)
            assert 0 < c.p_value < 0.05
        if name != "hum":
            exchanged = pr.compare(C, models, name, method="permutation", n_resamples=200, seed=1)
            assert exchanged.p_value < 0.05
    with pytest.raises(ValueError, match=r"exchanged by the ranks .* adds scores up; use method="):
        pr.compare(C, {"a": P, "b": worse["hum"]}, "hum", method="permutation", n_resamples=20)


def test_scorers() -> None:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression().fit(P, C)
    for name, function in (("hum", pr.hum), ("pdi", pr.pdi)):
        assert pr.scorer(name)(model, P, C) == function(C, model.predict_proba(P))
    drawn = pr.scorer(pr.Hum(n_tuples=1000, seed=1))(model, P, C)
    assert drawn == pr.hum(C, model.predict_proba(P), n_tuples=1000, seed=1)
    with pytest.raises(ValueError, match=r"vus orders classes by one score per row"):
        pr.scorer("vus")(model, P, C)


def test_perfect_separation_has_an_interval() -> None:
    for name, scores in (("vus", C), ("hum", np.eye(3)[C]), ("pdi", np.eye(3)[C])):
        for result in (
            pr.bootstrap(C, scores, name, n_resamples=99, seed=1), pr.delong(C, scores, name),
        ):  # fmt: skip
            low, high = result.interval
            assert 0.4 < low < 1
            assert high == 1


def test_sampled_tuples() -> None:
    exact = pr.hum(C, P)
    w = RNG.random(90)
    drawn = pr.hum(C, P, n_tuples=20_000, seed=3)
    assert isinstance(drawn, pr.TupleSample)
    assert 0 < drawn.standard_error < 0.01
    assert abs(drawn - exact) < 4 * drawn.standard_error
    assert drawn == pr.hum(C, P, n_tuples=20_000, seed=3)
    assert repr(drawn).endswith("(standard error of 20,000 tuples, seed 3)")
    again = pickle.loads(pickle.dumps(drawn))
    assert (again, again.standard_error, again.seed) == (drawn, drawn.standard_error, 3)
    weighted = pr.hum(C, P, sample_weight=w, n_tuples=20_000, seed=3)
    assert abs(weighted - pr.hum(C, P, sample_weight=w)) < 4 * weighted.standard_error
    y = np.arange(90) % 2
    two = pr.hum(y, MARKER, n_tuples=20_000, seed=3)
    assert abs(two - pr.auc(y, MARKER)) < 4 * two.standard_error
    many = np.arange(60) % 12
    assert (
        0 < pr.hum(many, 0.5 * np.eye(12)[many] + RNG.random((60, 12)), n_tuples=2000, seed=1) < 1
    )


def test_work_that_would_take_hours_is_refused() -> None:
    n, K = 4000, 4
    c = np.arange(n * K) % K
    scores = RNG.random((n * K, K))
    with pytest.raises(
        ValueError,
        match=r"^hum of 4 classes of 4,000 x .* would take about \d+ \w+; pass n_tuples=",
    ):
        pr.hum(c, scores)
    few = RNG.integers(0, 2, (n * K, K)).astype(float)
    assert 0 < pr.hum(c, few) < 1  # equal rows are one
    third = np.arange(3 * n) % 3
    with pytest.raises(ValueError, match=r"^9,999 replicates of hum .* use delong"):
        pr.bootstrap(third, scores[: 3 * n, :3], "hum", n_resamples=9999)
    models = {"a": scores[: 3 * n, :3], "b": scores[: 3 * n, 1:]}
    with pytest.raises(ValueError, match=r"^9,999 replicates of hum .* use delong"):
        pr.compare(third, models, "hum", method="bootstrap", n_resamples=9999)
    many = np.arange(63) % 21
    with pytest.raises(ValueError, match=r"^hum compares assignments of 21 classes; .* pdi has no"):
        pr.hum(many, np.eye(21)[many], n_tuples=10)


def test_refusals() -> None:
    with pytest.raises(
        ValueError, match=r"^vus orders classes by one score per row but y_score has 3"
    ):
        pr.vus(C, P)
    with pytest.raises(ValueError, match=r"one score orders two classes only: .* or use vus"):
        pr.auc(C, MARKER)
    with pytest.raises(ValueError, match=r"one score orders two classes only"):
        pr.bootstrap(C, MARKER, ["vus", "auc"], n_resamples=9)
    with pytest.raises(ValueError, match=r"one score orders two classes only"):
        pr.hum(C, MARKER)
    with pytest.raises(ValueError, match=r"fractional values, which are hardly labels"):
        pr.vus(RNG.random(90), MARKER)
    with pytest.raises(ValueError, match=r"^average is 'prevalence'; choose one of 'macro', None"):
        pr.Pdi("prevalence")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^n_tuples is 1; pass a whole number >= 2"):
        pr.Hum(n_tuples=1)
    with pytest.raises(ValueError, match=r"^seed is given but nothing is drawn"):
        pr.Hum(seed=1)
    with pytest.raises(ValueError, match=r"draws tuples, whose error is not that of the rows"):
        pr.bootstrap(C, P, pr.Hum(n_tuples=10), n_resamples=9)
    for bad, message in (
        (np.nan, r"^y_score\[4, 1\] is NaN"),
        (np.inf, r"^y_score\[4, 1\] is inf; hum adds"),
    ):
        spoiled = P.copy()
        spoiled[4, 1] = bad
        with pytest.raises(ValueError, match=message):
            pr.hum(C, spoiled)
    spoiled = MARKER.copy()
    spoiled[4] = np.nan
    with pytest.raises(ValueError, match=r"^y_score\[4\] is NaN"):
        pr.vus(C, spoiled)
    with pytest.raises(ValueError, match=r"^pos_label is for two classes but there are 3"):
        pr.vus(C, MARKER, pos_label=2)
