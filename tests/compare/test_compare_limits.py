"""Differences whose limits are put together from those of two models, against slow references."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from oracle import compare_reference as slow
from oracle import limits_reference as limits

Array = NDArray[Any]
MARGIN = 0.1
Compared = tuple[Array, dict[str, Array], str, dict[str, Any]]


def design(y: Array, kind: str) -> tuple[dict[str, Any], limits.Cells]:
    """Options of compare, and the cells that go with them."""
    n = len(y)
    rng = np.random.default_rng(2)
    if kind == "varying":
        return {"stratify": False}, limits.cells_of(y, None, None, False)
    if kind == "groups":
        groups = np.arange(n) % 11
        return {"groups": groups}, limits.cells_of(y, None, groups, False)
    if kind == "pure groups":
        groups = 100 * y + np.arange(n) % 4
        return {"groups": groups, "stratify": True}, limits.cells_of(y, None, groups, True)
    if kind == "weights":
        w = rng.integers(0, 4, n) / 2.0
        return {"sample_weight": w, "stratify": True}, limits.cells_of(y, w, None, True)
    if kind == "weights, groups":
        w, groups = rng.integers(1, 4, n) / 2.0, np.arange(n) % 11
        return {"sample_weight": w, "groups": groups}, limits.cells_of(y, w, groups, False)
    return {"stratify": True}, limits.cells_of(y, None, None, True)


def estimates(
    values: Array, known: limits.Known, cells: limits.Cells, name: str, uneven: bool
) -> list[limits.Estimate]:
    """What the limits of each model are made of."""
    k, degree = limits.pull(cells, name), 2 if name.startswith("polar") else 1
    inner = known.doubt if uneven else known.plain
    numbers = (values, np.diag(known.V), known.doubt, inner)
    return [
        limits.Estimate(x, V, doubt, plain, k, degree)
        for x, V, doubt, plain in zip(*(one.tolist() for one in numbers), strict=True)
    ]


KINDS = ["strata", "varying", "groups", "pure groups", "weights", "weights, groups"]
NAMES = ["M", "mu", "macro", "prevalence", "polar area True"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_limits_p_values_and_margins_of_two_models(name: str, kind: str) -> None:
    y, A, B = slow.scored(36, digits=1)
    options, cells = design(y, kind)
    w = options.get("sample_weight")
    c = pr.compare(y, {"a": A, "b": B}, slow.MEASURES[name], margin=MARGIN, **options)
    one = c.pairs[0]
    L = np.array([limits.moved(y, P, w, name, cells) for P in (A, B)])
    known = limits.spread(L, cells)
    apart = limits.spread(L[:1] - L[1:], cells)
    V_D = float(apart.V[0, 0])
    assert c.covariance == pytest.approx(known.V, rel=1e-5, abs=1e-9)
    assert one.standard_error == pytest.approx(math.sqrt(V_D), rel=1e-5)
    assert one.freedom == pytest.approx(V_D**2 / apart.doubt[0], rel=1e-4)
    assert one.statistic == pytest.approx(one.difference / math.sqrt(V_D), rel=1e-5)
    a, b = estimates(c.estimates, known, cells, name, w is not None)
    for k, single in enumerate((a, b)):
        assert c.intervals[k] == pytest.approx(limits.limits(single, 0.025), rel=1e-5)
    C = float(known.V[0, 1])
    assert one.low == pytest.approx(limits.low(a, b, C, V_D, 0.025), abs=1e-6)
    assert one.high == pytest.approx(-limits.low(b, a, C, V_D, 0.025), abs=1e-6)
    upper, lower = (a, b) if one.difference > 0 else (b, a)
    p = 2 * limits.p_above(upper, lower, C, V_D, 0.0)
    assert one.p_value == pytest.approx(p, rel=1e-4)
    assert abs(one.difference) < MARGIN
    assert one.p_non_inferior == pytest.approx(limits.p_above(a, b, C, V_D, -MARGIN), rel=1e-4)
    assert one.p_non_superior == pytest.approx(limits.p_above(b, a, C, V_D, -MARGIN), rel=1e-4)
    assert one.p_equivalent == max(one.p_non_inferior, one.p_non_superior)


@pytest.mark.parametrize("stratify", [True, False])
def test_models_on_different_rows_are_independent(stratify: bool) -> None:
    y, A, _ = slow.scored(30)
    z, _, B = slow.scored(41, seed=1)
    apart: dict[str, Any] = {"a": y, "b": z}
    c = pr.compare(apart, {"a": A, "b": B}, "hand_till", stratify=stratify, margin=MARGIN)
    sides, variance, doubt = [], 0.0, 0.0
    for k, (labels, P) in enumerate(((y, A), (z, B))):
        cells = limits.cells_of(labels, None, None, stratify)
        known = limits.spread(limits.moved(labels, P, None, "M", cells)[None], cells)
        sides += estimates(c.estimates[k : k + 1], known, cells, "M", False)
        variance, doubt = variance + float(known.V[0, 0]), doubt + float(known.doubt[0])
    a, b = sides
    one = c.pairs[0]
    assert one.standard_error == pytest.approx(math.sqrt(variance), rel=1e-6)
    assert one.freedom == pytest.approx(variance**2 / doubt, rel=1e-5)
    assert one.low == pytest.approx(limits.low(a, b, None, variance, 0.025), abs=1e-6)
    assert one.high == pytest.approx(-limits.low(b, a, None, variance, 0.025), abs=1e-6)
    above, below = (a, b) if one.difference > 0 else (b, a)
    p = 2 * limits.p_above(above, below, None, variance, 0.0)
    assert one.p_value == pytest.approx(p, rel=1e-5)
    assert c.overall.p_value == one.p_value


# What agrees with what


@st.composite
def compared(draw: st.DrawFn, count: int = 2) -> Compared:
    """Labels of small classes, models with ties that may be perfect or constant, and a design."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    sizes = draw(st.lists(st.integers(2, 12), min_size=2, max_size=3))
    y = np.repeat(np.arange(len(sizes)), sizes)
    K, n = len(sizes), len(y)
    truth = np.eye(K)[y]
    shared = rng.normal(size=(n, K))
    models: dict[str, Array] = {}
    for name in "abcd"[:count]:
        kind = draw(
            st.sampled_from(["noise", "noise", "ties", "like the first", "perfect", "constant"])
        )
        P = 1.5 * truth + shared + rng.normal(size=(n, K)) * draw(st.sampled_from([0.1, 1.0]))
        P = {
            "noise": P, "ties": P.round(), "perfect": truth, "constant": np.zeros((n, K)),
            "like the first": models.get("a", P) * 2.0 + 1.0,
        }[kind]  # fmt: skip
        models[name] = P
    options: dict[str, Any] = {}
    how = draw(st.sampled_from(["strata", "varying", "weights", "groups"]))
    if how == "varying":
        options["stratify"] = False
    elif how == "weights":
        options["sample_weight"] = rng.integers(1, 5, n) / 2.0
    elif how == "groups":
        options["groups"] = np.arange(n) % (n // 2)  # every class is in two or more
    measures = ["hand_till", "auc_mu", "one_vs_rest", *(["polar_area"] if K > 2 else [])]
    return y, models, draw(st.sampled_from(measures)), options


@pytest.mark.slow
@settings(max_examples=60)
@given(compared(), st.sampled_from([0.01, 0.05, 0.2, 0.5]), st.floats(0.01, 0.4))
def test_interval_p_value_and_margins_agree(given: Compared, alpha: float, margin: float) -> None:
    y, models, measure, options = given
    c = pr.compare(y, models, measure, confidence=1 - alpha, margin=margin, **options)
    one = c.pairs[0]
    assert 0 <= one.p_value <= 1
    assert one.low <= one.difference <= one.high
    if abs(one.p_value - alpha) > 1e-6 * alpha:
        assert (one.p_value < alpha) == (not one.low <= 0 <= one.high)
    for p, limit in ((one.p_non_inferior, one.low), (one.p_non_superior, -one.high)):
        assert 0 <= p <= 1
        if abs(p - alpha / 2) > 1e-6 * alpha:
            assert (p < alpha / 2) == (limit > -margin)
    assert c.overall.p_value == pytest.approx(one.p_value, rel=1e-9)
    wider = pr.compare(y, models, measure, confidence=1 - alpha / 2, **options).pairs[0]
    assert wider.low <= one.low + 1e-12
    assert wider.high >= one.high - 1e-12


@pytest.mark.slow
@settings(max_examples=40)
@given(compared())
def test_models_that_change_places_change_signs(given: Compared) -> None:
    y, models, measure, options = given
    one = pr.compare(y, models, measure, margin=MARGIN, **options).pairs[0]
    other = pr.compare(y, {k: models[k] for k in "ba"}, measure, margin=MARGIN, **options).pairs[0]
    turned = other.turned()
    for name in ("difference", "low", "high", "statistic", "standard_error"):
        assert getattr(turned, name) == pytest.approx(getattr(one, name), abs=1e-12), name
    for name in ("p_value", "p_non_inferior", "p_non_superior", "p_equivalent", "freedom"):
        assert getattr(turned, name) == pytest.approx(getattr(one, name), rel=1e-7), name


@pytest.mark.slow
@settings(max_examples=40)
@given(compared(3))
def test_all_models_are_no_surer_to_differ_than_the_two_that_differ_most(given: Compared) -> None:
    y, models, measure, options = given
    c = pr.compare(y, models, measure, **options)
    assert min(one.p_value for one in c.pairs) <= c.overall.p_value <= 1


def test_a_permutation_leaves_the_test_of_all_models_to_delong() -> None:
    y, A, B = slow.scored(36, digits=1)
    for models in ({"a": A, "b": B}, {"a": A, "b": B, "c": A + B}):
        c = pr.compare(y, models, method="permutation", n_resamples=49, seed=1)
        assert c.overall == pr.compare(y, models).overall


# Models without any spread, and with one that does not count


def test_models_of_equal_ranks_do_not_differ() -> None:
    y, a, _ = slow.binary(30, digits=1)
    one = pr.compare(y, {"a": a, "b": np.exp(a)}, "auc", margin=0.01).pairs[0]
    assert (one.difference, one.low, one.high, one.p_value) == (0, 0, 0, 1)
    assert (one.p_non_inferior, one.p_non_superior, one.p_equivalent) == (0, 0, 0)


def test_a_perfect_model_against_another_has_the_limit_that_is_known_of_it() -> None:
    y, a, _ = slow.binary(30)
    c = pr.compare(y, {"perfect": y, "other": a}, "auc", confidence=0.9)
    one = c.pairs[0]
    cells = limits.cells_of(y, None, None, True)
    theta, S = slow.delong_1988(y, [a])
    known = limits.spread(_placed(y, a)[None], cells)
    assert known.V == pytest.approx(S, rel=1e-9)
    k = limits.pull(cells, "auc")
    perfect = limits.Estimate(1.0, 0.0, 0.0, 0.0, k)
    other = limits.Estimate(theta[0], S[0, 0], known.doubt[0], known.plain[0], k)
    assert c.intervals[0] == pytest.approx(limits.limits(perfect, 0.05), rel=1e-9)
    assert c.intervals[1] == pytest.approx(limits.limits(other, 0.05), rel=1e-9)
    assert one.low == pytest.approx(limits.low(perfect, other, 0.0, S[0, 0], 0.05), abs=1e-9)
    assert one.high == pytest.approx(-limits.low(other, perfect, 0.0, S[0, 0], 0.05), abs=1e-9)
    assert one.p_value == pytest.approx(
        2 * limits.p_above(perfect, other, 0.0, S[0, 0], 0.0), rel=1e-8
    )


def _placed(y: Array, scores: Array) -> Array:
    """Influence values of an AUC, cells in order: placements less their mean, by class size."""
    X, Y = scores[y == 1], scores[y == 0]
    psi = (X[:, None] > Y[None, :]) + 0.5 * (X[:, None] == Y[None, :])
    theta = psi.mean()
    return np.concatenate(
        [(psi.mean(axis=0) - theta) / len(Y), (psi.mean(axis=1) - theta) / len(X)]
    )


def test_a_model_of_constant_scores_has_the_error_of_the_other() -> None:
    y, a, _ = slow.binary(30)
    c = pr.compare(y, {"a": a, "constant": 0 * a}, "auc", margin=0.2)
    one, alone = c.pairs[0], pr.delong(y, a, "auc")
    assert one.standard_error == pytest.approx(alone.standard_error, rel=1e-12)
    assert (one.p_value < 0.05) == (one.low > 0)
    assert c.overall.p_value == one.p_value
    assert math.isfinite(one.freedom)
    assert c.overall.freedom == one.freedom


# The bootstrap


def resampled(L: Array, cells: limits.Cells, kind: str) -> float:
    """How widely resamples spread a number, by its influence values."""
    if cells.groups is not None and not cells.stratified:
        owners = np.unique(cells.groups)
        return float(sum(L[cells.groups == g].sum() ** 2 for g in owners))
    total = 0.0
    for c in np.unique(cells.classes):
        own = L[cells.classes == c]
        n, mean = len(own), own.mean()
        total += ((own - mean) ** 2).sum() * (n / (n - 1) if kind == "varying" else 1)
        total += n * mean**2 if kind == "varying" else 0
    return total


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["M", "prevalence"])
def test_the_bootstrap_puts_its_own_errors_into_the_same_limits(name: str, kind: str) -> None:
    y, A, B = slow.scored(36, digits=1)
    options, cells = design(y, kind)
    w = options.get("sample_weight")
    run: dict[str, Any] = {"method": "bootstrap", "n_resamples": 199, "seed": 4, **options}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pr.BootstrapWarning)  # of resamples that lost a class
        c = pr.compare(y, {"a": A, "b": B}, slow.MEASURES[name], margin=MARGIN, **run)
    one = c.pairs[0]
    L = np.array([limits.moved(y, P, w, name, cells) for P in (A, B)])
    known, apart = limits.spread(L, cells), limits.spread(L[:1] - L[1:], cells)
    by = c.standard_errors**2 / [resampled(own, cells, kind) for own in L]
    wide = limits.Known(
        known.V * np.sqrt(np.outer(by, by)), known.doubt * by**2, known.plain * by**2
    )
    V_D = float(apart.V[0, 0]) * one.standard_error**2 / resampled(L[0] - L[1], cells, kind)
    assert one.statistic == pytest.approx(one.difference / math.sqrt(V_D), rel=1e-5)
    assert one.freedom == pytest.approx(apart.V[0, 0] ** 2 / apart.doubt[0], rel=1e-4)
    a, b = estimates(c.estimates, wide, cells, name, w is not None)
    widening = np.sqrt(np.diag(wide.V)) / c.standard_errors
    C = float(c.covariance[0, 1] * widening.prod())
    assert one.low == pytest.approx(limits.low(a, b, C, V_D, 0.025), abs=1e-6)
    assert one.high == pytest.approx(-limits.low(b, a, C, V_D, 0.025), abs=1e-6)
    assert one.p_non_inferior == pytest.approx(limits.p_above(a, b, C, V_D, -MARGIN), rel=1e-4)
