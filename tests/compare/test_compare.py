"""Models compared by DeLong's method against slow references, and where nothing varies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from numpy.typing import NDArray
from scipy import stats

from given.strategies import Sample
from oracle import compare_reference as slow
from oracle import limits_reference as limits
from oracle.replicates import Design

Array = NDArray[Any]
Z = stats.norm.ppf(0.975)


def design(y: Array, P: Array, w: Array | None = None, **options: Any) -> Design:
    return Design(Sample(int(y.max()) + 1, y, P, w), **options)


# DeLong


@pytest.mark.parametrize("digits", [8, 1, 0])
@pytest.mark.parametrize("n", [12, 61])
def test_two_models_as_in_delong_1988(n: int, digits: int) -> None:
    y, a, b = slow.binary(n, digits=digits)
    theta, S = slow.delong_1988(y, [a, b])
    c = pr.compare(y, {"a": a, "b": b}, "auc", reference="normal")
    difference, error = theta[0] - theta[1], math.sqrt(S[0, 0] + S[1, 1] - 2 * S[0, 1])
    assert c.estimates == pytest.approx(theta, abs=1e-14)
    assert c.covariance == pytest.approx(S, rel=1e-12)
    assert c.standard_errors == pytest.approx(np.sqrt(np.diag(S)), rel=1e-12)
    assert c.difference == pytest.approx(difference, abs=1e-14)
    assert c.standard_error == pytest.approx(error, rel=1e-12)
    assert c.pairs[0].statistic == pytest.approx(difference / error, rel=1e-12)
    assert c.p_value == pytest.approx(2 * stats.norm.sf(abs(difference / error)), rel=1e-12)
    assert c.interval == pytest.approx([difference - Z * error, difference + Z * error], rel=1e-9)
    single = [pr.delong(y, scores, "auc", reference="normal").interval for scores in (a, b)]
    assert c.intervals == pytest.approx(np.array(single), rel=1e-12)


def test_five_models_as_in_delong_1988() -> None:
    y, a, b = slow.binary(80)
    rng = np.random.default_rng(3)
    models = {f"m{k}": a + k * rng.normal(size=80) for k in range(4)} | {"b": b}
    theta, S = slow.delong_1988(y, list(models.values()))
    c = pr.compare(y, models, "auc", adjust=None, reference="normal")
    assert c.covariance == pytest.approx(S, rel=1e-11)
    L = np.column_stack([np.eye(4), -np.ones(4)])
    chi = (L @ theta) @ np.linalg.inv(L @ S @ L.T) @ (L @ theta)
    assert c.overall.statistic == pytest.approx(chi, rel=1e-9)
    assert c.overall.df == 4
    assert c.overall.p_value == pytest.approx(stats.chi2.sf(chi, 4), rel=1e-9)
    assert len(c.pairs) == 10
    for one in c.pairs:
        i, j = c.models.index(one.first), c.models.index(one.second)
        assert i < j
        error = math.sqrt(S[i, i] + S[j, j] - 2 * S[i, j])
        assert one.standard_error == pytest.approx(error, rel=1e-10)
        assert one.p_adjusted == one.p_value


@pytest.mark.parametrize("name", slow.MEASURES)
def test_covariances_of_several_classes_by_derivatives(name: str) -> None:
    y, A, B = slow.scored(24, digits=1)
    c = pr.compare(y, {"a": A, "b": B}, slow.MEASURES[name], stratify=True)
    expected = slow.covariance([design(y, P) for P in (A, B)], name)
    assert c.covariance == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert abs(expected[0, 1]) > 0.1 * expected[0, 0]
    error = math.sqrt(expected[0, 0] + expected[1, 1] - 2 * expected[0, 1])
    assert c.standard_error == pytest.approx(error, rel=1e-6)


@pytest.mark.parametrize("name", ["M", "mu", "prevalence"])
@pytest.mark.parametrize("kind", ["groups", "weights", "varying"])
def test_covariances_with_groups_weights_and_varying_classes(name: str, kind: str) -> None:
    y, A, B = slow.scored(24, digits=1)
    w = np.random.default_rng(5).integers(1, 4, 24) / 2.0 if kind == "weights" else None
    groups = np.arange(24) % 9 if kind == "groups" else None
    options: dict[str, Any] = {"sample_weight": w, "groups": groups}
    options["stratify"] = kind == "weights"
    c = pr.compare(y, {"a": A, "b": B}, slow.MEASURES[name], **options)
    cells = limits.cells_of(y, w, groups, stratified=kind == "weights")
    expected = limits.spread(
        np.array([limits.moved(y, P, w, name, cells) for P in (A, B)]), cells
    ).V
    assert c.covariance == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert (c.stratified, c.unit) == (kind == "weights", "group" if kind == "groups" else "row")
    assert c.n_units == (9 if kind == "groups" else 24)


def test_models_on_different_rows_add_their_variances() -> None:
    y, A, _ = slow.scored(40)
    z, _, B = slow.scored(57, seed=1)
    c = pr.compare({"a": y, "b": z}, {"b": B, "a": A}, "hand_till")
    one, other = pr.delong(z, B, "hand_till"), pr.delong(y, A, "hand_till")
    assert c.models == ("b", "a")
    assert c.paired is False
    assert c.n_units == 97
    assert c.difference == one.estimate - other.estimate
    variance = one.standard_error**2 + other.standard_error**2
    assert c.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12)
    assert c.covariance[0, 1] == c.covariance[1, 0] == 0
    assert c.overall.statistic == pytest.approx(c.pairs[0].statistic ** 2, rel=1e-12)


@pytest.mark.parametrize("measure", [*slow.MEASURES.values(), pr.PolarArea()], ids=str)
def test_estimates_are_those_of_the_measure(measure: Any) -> None:
    y, A, B = slow.scored(50, digits=1)
    for method in ("delong", "bootstrap", "permutation"):
        c = pr.compare(y, {"a": A, "b": B}, measure, method=method, n_resamples=9, seed=1)
        one = (
            pr.bootstrap(y, A, measure, n_resamples=2, seed=1),
            pr.bootstrap(y, B, measure, n_resamples=2, seed=1),
        )
        assert c.estimates.tolist() == [one[0].estimate, one[1].estimate]


def test_a_difference_much_smaller_than_the_models_errors_keeps_its_digits() -> None:
    # One swap of neighbours: its variance is 1e-12 of the models' own, lost if these were
    # subtracted.
    n = 40_000
    rng = np.random.default_rng(2)
    y = np.arange(n) % 2
    a = rng.normal(size=n) + y
    order = np.argsort(a)
    k = next(k for k in range(n // 2, n) if y[order[k]] != y[order[k + 1]])
    b = a.copy()
    b[order[[k, k + 1]]] = a[order[[k + 1, k]]]
    c = pr.compare(y, {"a": a, "b": b}, "auc")
    # Two rows move by 2 / n each way: l = +-(2 / n)^2 for one of each class, minus its mean.
    half = n // 2
    variance = 2 * half / (half - 1) * (1 / half**4) * (1 - 1 / half)
    assert c.standard_error == pytest.approx(math.sqrt(variance), rel=1e-6)
    assert abs(c.difference) == pytest.approx(1 / half**2, rel=1e-6)


# What does not vary


@pytest.mark.parametrize("method", ["delong", "bootstrap", "permutation"])
@pytest.mark.parametrize("measure", ["hand_till", "auc_mu", pr.OneVsRest("micro"), "polar_area"])
def test_identical_models_have_p_one(method: Any, measure: Any) -> None:
    y, A, B = slow.scored(40, digits=1)
    run: dict[str, Any] = {"method": method, "n_resamples": 50, "seed": 1}
    ranks = {1: {"a": A, "b": A, "c": B}, 0: dict.fromkeys("abcd", A)}
    for df, models in ranks.items():
        c = pr.compare(y, models, measure, **run)
        same = c.pair("a", "b")
        assert (same.difference, same.standard_error, same.statistic) == (0, 0, 0)
        assert (same.p_value, same.p_adjusted, same.low, same.high) == (1, 1, 0, 0)
        assert c.overall.df == df
        assert (c.overall.p_value == 1) == (df == 0)
        assert not math.isnan(c.overall.p_value)
    assert pr.compare(y, {"a": A, "b": A.copy()}, measure, **run).p_value == 1


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_two_perfect_models_are_not_known_to_be_equal(method: Any) -> None:
    y = np.arange(20) % 2
    c = pr.compare(y, {"a": y, "b": 2.0 * y}, "auc", method=method, n_resamples=50, seed=1)
    low = pr.delong(y, y, "auc").interval[0]
    assert (c.difference, c.standard_error, c.p_value) == (0, 0, 1)
    assert c.interval == pytest.approx([low - 1, 1 - low], abs=1e-9)
    assert any("limits of the two models" in note for note in c.notes)


@pytest.mark.slow
def test_a_perfect_and_a_constant_model_differ_by_chance_in_few_rows() -> None:
    p_values = []
    for half in (2, 5, 10, 50, 500):
        y = np.arange(2 * half) % 2
        c = pr.compare(y, {"a": y, "b": np.zeros(2 * half)}, "auc")
        assert (c.difference, c.standard_error, c.pairs[0].statistic) == (0.5, 0, math.inf)
        assert -1 < c.interval[0] < 0.5 < c.interval[1] < 1
        assert (c.interval[0] > 0) == (c.p_value < 0.05)
        turned = pr.compare(y, {"b": np.zeros(2 * half), "a": y}, "auc")
        assert turned.p_value == pytest.approx(c.p_value, rel=1e-9)
        assert turned.interval == pytest.approx(-c.interval[::-1], abs=1e-12)
        p_values.append(c.p_value)
    assert p_values[0] > 0.05 > p_values[2]
    assert p_values == sorted(p_values, reverse=True)
    assert 0 < p_values[-1] < 1e-6


def test_a_perfect_model_against_another() -> None:
    y, A, _ = slow.scored(40)
    c = pr.compare(y, {"perfect": np.eye(3)[y], "other": A}, "auc_mu")
    other = pr.delong(y, A)
    assert c.standard_error == pytest.approx(other.standard_error, rel=1e-12)
    assert c.difference == 1 - other.estimate
    assert c.intervals[0, 0] < 1
    assert c.intervals[0, 1] == 1


# Margins


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_margins_are_two_one_sided_tests(method: Any, margin: float) -> None:
    y, A, B = slow.scored(60)
    run: dict[str, Any] = {"method": method, "n_resamples": 99, "seed": 1, "reference": "normal"}
    c = pr.compare(y, {"a": A, "b": B}, margin=margin, **run)
    d, s, one = c.difference, c.standard_error, c.pairs[0]
    assert one.p_non_inferior == pytest.approx(stats.norm.sf((d + margin) / s), rel=1e-10)
    assert one.p_non_superior == pytest.approx(stats.norm.sf((margin - d) / s), rel=1e-10)
    assert one.p_equivalent == max(one.p_non_inferior, one.p_non_superior)
    turned = c.pair("b", "a")
    assert (turned.p_non_inferior, turned.p_non_superior) == (
        one.p_non_superior, one.p_non_inferior,
    )  # fmt: skip
    assert c.margin == margin


def test_margins_where_nothing_varies() -> None:
    y, A, _ = slow.scored(60)
    one = pr.compare(y, {"a": A, "b": A}, margin=0.01).pairs[0]
    assert (one.p_non_inferior, one.p_non_superior, one.p_equivalent) == (0, 0, 0)
    z = np.arange(20) % 2
    p = [pr.compare(z, {"a": z, "b": 2 * z}, "auc", margin=m).pairs[0] for m in (0.01, 0.2, 0.5)]
    assert p[0].p_equivalent > 0.3
    assert p[0].p_equivalent > p[1].p_equivalent > p[2].p_equivalent
    low = pr.delong(z, z, "auc", confidence=0.9).interval[0]
    edge = pr.compare(z, {"a": z, "b": 2 * z}, "auc", margin=1 - low).pairs[0]
    assert edge.p_non_inferior == pytest.approx(0.05, rel=1e-6)
