"""Comparisons with few rows in a class: t-tests, F tests, and where these end."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from polyroc._inference.influence import Influences
from polyroc._inference.small_sample import allowance, kinds_of
from polyroc._inference.spread import Cells, parts_of
from scipy import stats

from given.strategies import Sample
from oracle import compare_reference as slow
from oracle import limits_reference as limits
from oracle import small_sample_reference as small
from oracle.replicates import Design

Array = NDArray[Any]
CONTRASTS = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
KINDS = ["strata", "varying", "groups", "weights"]


def three(n: int = 30, digits: int = 8, seed: int = 0) -> tuple[Array, dict[str, Array]]:
    """Labels and three models."""
    y, A, B = slow.scored(n, digits=digits, seed=seed)
    noise = np.random.default_rng([n, seed, 5]).normal(size=A.shape)
    return y, {"a": A, "b": B, "c": (A + noise).round(digits)}


def binary(n: int = 30, seed: int = 0) -> tuple[Array, dict[str, Array]]:
    """The same with two classes."""
    y, A, B = slow.binary(n, seed)
    return y, {"a": A, "b": B, "c": A + np.random.default_rng([n, seed, 5]).normal(size=n)}


def design(y: Array, kind: str) -> tuple[dict[str, Any], dict[str, Any], Array | None]:
    """Options of compare, those of the slow design, and the kinds of units."""
    if kind == "varying":
        return {"stratify": False}, {"stratified": False}, y
    if kind == "groups":
        # Class 2 is in groups 0, 10, 11 and 12, class 1 in 0 to 4, and class 0 in 0 to 9 and 13.
        assert y.tolist() == [0] * 10 + [1] * 10 + [2] * 4 + [0] * 6
        groups = np.array([*range(10), *range(5), *range(5), 10, 11, 12, 0, *range(5, 10), 13])
        kinds = np.array([2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 2, 2, 2, 0])
        return {"groups": groups}, {"stratified": False, "groups": groups}, kinds
    if kind == "weights":
        w = np.random.default_rng(2).integers(0, 4, len(y)) / 2.0
        return {"sample_weight": w, "stratify": True}, {"w": w}, None
    return {"stratify": True}, {}, None


def influence(y: Array, models: dict[str, Array], name: str, **given: Any) -> tuple[Array, Array]:
    w, K = given.pop("w", None), int(y.max()) + 1
    return small.influence([Design(Sample(K, y, P, w), **given) for P in models.values()], name)


# All models


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["M", "mu", "micro"])
def test_all_models_are_referred_to_f(name: str, kind: str) -> None:
    y, models = three()
    options, given, kinds = design(y, kind)
    c = pr.compare(y, models, slow.MEASURES[name], reference="t", **options)
    moved, strata = influence(y, models, name, **given)
    w, groups = given.get("w"), given.get("groups")
    cells = limits.cells_of(y, w, groups, given.get("stratified", True))
    L = np.array([limits.moved(y, P, w, name, cells) for P in models.values()])
    V = limits.spread(CONTRASTS @ L, cells).V
    d, f = CONTRASTS @ c.estimates, small.widened(CONTRASTS @ moved, strata, kinds).f
    F = (f - 1) / (2 * f) * float(d @ np.linalg.solve(V, d))
    assert c.overall.df == 2
    assert c.overall.statistic == pytest.approx(F, rel=1e-4)
    assert c.overall.freedom == pytest.approx(f - 1, rel=1e-5)
    least = min(one.p_value for one in c.pairs)
    assert c.overall.p_value == pytest.approx(max(stats.f.sf(F, 2, f - 1), least), rel=1e-4)
    normal = pr.compare(y, models, slow.MEASURES[name], reference="normal", **options).overall
    assert c.overall.p_value > normal.p_value
    assert math.isinf(normal.freedom)


@pytest.mark.filterwarnings("ignore::polyroc.BootstrapWarning")
@pytest.mark.parametrize("method", ["delong", "bootstrap"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_test_of_two_models_is_that_of_their_difference(method: Any, kind: str) -> None:
    y, models = three()
    del models["c"]
    options, _, _ = design(y, kind)
    run: dict[str, Any] = {"method": method, "reference": "t", "n_resamples": 99, "seed": 1}
    c = pr.compare(y, models, **run, **options)
    assert c.overall.p_value == pytest.approx(c.p_value, rel=1e-9)
    assert c.overall.df == 1
    assert c.overall.freedom == pytest.approx(c.pairs[0].freedom, rel=1e-9)
    again = pr.compare(y, models | {"twin": models["b"]}, **run, **options)
    assert again.overall.p_value == pytest.approx(c.p_value, rel=1e-6)
    assert again.overall.df == 1
    assert any("all equal: differences vary in 1 of 2 directions" in note for note in again.notes)


@pytest.mark.parametrize("method", ["delong", "bootstrap"])
@pytest.mark.parametrize("stratify", [True, False])
def test_the_order_of_models_does_not_matter(method: Any, stratify: bool) -> None:
    y, models = three()
    run: dict[str, Any] = {"method": method, "reference": "t", "n_resamples": 99, "seed": 1}
    one = pr.compare(y, models, stratify=stratify, **run).overall
    other = pr.compare(y, {k: models[k] for k in "cab"}, stratify=stratify, **run).overall
    assert other.p_value == pytest.approx(one.p_value, rel=1e-8)
    assert other.freedom == pytest.approx(one.freedom, rel=1e-8)


def test_f_of_resamples_is_that_of_influence_values_in_the_long_run() -> None:
    y, models = three(45)
    one = pr.compare(y, models, "hand_till", reference="t").overall
    run: dict[str, Any] = {"method": "bootstrap", "n_resamples": 20_000, "seed": 1}
    other = pr.compare(y, models, "hand_till", **run).overall
    chi_square = pr.compare(y, models, "hand_till", reference="normal", **run).overall
    assert other.freedom == pytest.approx(one.freedom, rel=1e-9)
    assert other.statistic == pytest.approx(one.statistic, rel=0.1)
    assert math.isinf(chi_square.freedom)
    assert chi_square.p_value < other.p_value


@pytest.mark.parametrize("measure", ["hand_till", "auc_mu"])
def test_many_rows_leave_nothing_to_allow_for(measure: str) -> None:
    y, models = three(30_000)
    z, t = (pr.compare(y, models, measure, reference=how) for how in ("normal", "t"))
    for one, other in zip(z.pairs, t.pairs, strict=True):
        assert other.p_value == pytest.approx(one.p_value, abs=1e-4)
        # Limits on the logit scale are skewed, the less the more rows there are.
        assert other.low == pytest.approx(one.low, abs=1e-2 * one.standard_error)
        assert other.high == pytest.approx(one.high, abs=1e-2 * one.standard_error)
    assert t.overall.p_value == pytest.approx(z.overall.p_value, abs=1e-4)
    assert t.overall.df * t.overall.statistic == pytest.approx(z.overall.statistic, rel=1e-3)


def test_identical_models_have_p_one() -> None:
    y, models = three()
    same = pr.compare(y, dict.fromkeys("abcd", models["a"]), reference="t")
    assert same.overall[:3] == (0, 0, 1)
    assert {(one.p_value, one.low, one.high) for one in same.pairs} == {(1, 0, 0)}
    assert math.isinf(same.pairs[0].freedom)
    z = np.arange(20) % 2
    perfect = pr.compare(z, {"a": z, "b": 2 * z, "c": 0 * z}, "auc", reference="t")
    assert perfect.overall == pr.compare(z, {"a": z, "b": 2 * z, "c": 0 * z}, "auc").overall


# Where F ends


def test_a_class_with_few_rows_leaves_the_test_to_the_pairs() -> None:
    y, models = binary()
    y = np.where(np.arange(30) < 2, 1, 0)
    c = pr.compare(y, models, "auc", reference="t", adjust="bonferroni")
    assert math.isnan(c.overall.statistic)
    assert c.overall.p_value == min(one.p_adjusted for one in c.pairs)
    few = "2 units in a class are too few for F in 2 directions"
    text = f"{few}: p-value by Bonferroni from the pairs"
    assert c.overall.note == text
    assert f"all equal: {text}" in c.notes
    assert "  all equal: p = " in repr(c)
    assert c.to_dict()["overall"]["statistic"] is None


@given(st.integers(1, 6), st.integers(1, 4), st.booleans(), st.integers(0, 10**6))
def test_otherwise_there_are_as_many_degrees_of_freedom_as_directions(
    p: int, n_strata: int, mixed: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(p + 1, p + 9, n_strata)
    strata = np.repeat(np.arange(n_strata), sizes)
    heavy = rng.normal(size=(p, len(strata))) * np.exp(rng.normal(0, 3, len(strata)))
    for s in range(n_strata):
        heavy[:, strata == s] -= heavy[:, strata == s].mean(axis=1, keepdims=True)
    bounds, kinds = (0, *np.cumsum(sizes).tolist()), None
    if mixed:
        heavy -= heavy.mean(axis=1, keepdims=True)
        bounds, kinds = (0, len(strata)), strata.astype(np.uint32)
    found = allowance(Influences(heavy, bounds, kinds))
    assert found.least == sizes.min()
    assert found.freedom >= p * (1 - 1e-9)
    together = np.zeros_like(strata) if mixed else strata
    expected = small.widened(heavy, together, kinds)
    assert found.freedom == pytest.approx(expected.f, rel=1e-6)
    assert found.widened == pytest.approx(expected.V, rel=1e-9, abs=1e-12 * abs(expected.V).max())


def test_effective_sizes_count_in_the_degrees_of_freedom_of_f() -> None:
    """Heavy rows are fewer rows; equal ones are as many as there are, whatever they weigh."""
    y, models = three(60)
    weights = np.where(np.arange(60) % 6 == 0, 8.0, 1.0)
    for stratify in (True, False):
        run: dict[str, Any] = {"stratify": stratify}
        plain = pr.compare(y, models, "hand_till", **run).overall
        alike = pr.compare(y, models, "hand_till", sample_weight=np.full(60, 5.0), **run).overall
        heavy = pr.compare(y, models, "hand_till", sample_weight=weights, **run).overall
        assert alike.freedom == pytest.approx(plain.freedom, rel=1e-9)
        assert heavy.freedom < 0.7 * plain.freedom
    # Of one number F is the t-test of a single difference, which counts effective sizes too.
    moved = np.random.default_rng(2).normal(size=(1, 30))
    bounds, share = (0, 12, 30), np.exp(np.random.default_rng(3).normal(size=30))
    for part in (slice(0, 12), slice(12, 30)):
        moved[:, part] -= moved[:, part].mean()
    known = allowance(Influences(moved, bounds, None, share))
    cells = Cells(True, None, share, None, *(np.zeros(2),) * 3)
    parts = parts_of(moved, bounds, cells)
    assert known.widened == pytest.approx(parts.covariance, rel=1e-12)
    assert known.freedom == pytest.approx(parts.covariance[0, 0] ** 2 / parts.doubt[0], rel=1e-12)
    assert known.plain == pytest.approx(np.square(moved).sum(), rel=1e-12)


# Kinds of units


def kinds(y: Any, groups: Any = None, **options: Any) -> list[int] | None:
    P = np.random.default_rng(0).random((len(y), 3))
    models, _ = slow.listed(np.array(y), {"a": P, "b": P}, groups=groups, **options)
    found = kinds_of(models[0].sample, models[0].units)
    return None if found is None else found.tolist()


def test_a_unit_is_of_the_rarest_kind_of_its_rows() -> None:
    y = [0, 0, 0, 1, 1, 1, 2, 2, 0, 1]
    assert kinds(y) is None
    assert kinds(y, stratify=False) == y
    w = [1, 0, 1, 1, 1, 1, 1, 1, 1, 2]
    assert kinds(y, stratify=False, sample_weight=w) == [0, 0, 1, 1, 1, 2, 2, 0, 1]
    # Class 2 is in two groups, which are its own kind; classes 1 and 0 are in three and four, of
    # which too few are left to be one.
    groups = ["a", "b", "c", "d", "d", "e", "e", "a", "f", "f"]
    assert kinds(y, groups) == [0, 0, 0, 0, 0, 0]
    many = np.arange(12) % 3
    assert kinds(many, np.arange(12), stratify=False) == many.tolist()


def test_a_few_odd_groups_do_not_take_all_degrees_of_freedom() -> None:
    # Forty groups have rows of both classes, three rows of one class alone.
    rng = np.random.default_rng(0)
    y = np.r_[np.tile([0, 1], 40), [1, 1, 1]]
    groups = np.r_[np.repeat(np.arange(40), 2), 40, 41, 42]
    models = {name: y + rng.normal(size=83) for name in "abcd"}
    c = pr.compare(y, models, "auc", groups=groups, reference="t")
    assert min(one.freedom for one in c.pairs) > 15
    assert 10 < c.overall.freedom < math.inf
    assert not any("too few" in note for note in c.notes)


# What is recorded and printed


def test_the_reference_by_default() -> None:
    y, models = three()
    for method in ("delong", "permutation", "bootstrap"):
        run: dict[str, Any] = {"method": method, "n_resamples": 20, "seed": 1}
        c = pr.compare(y, models, **run)
        assert (c.reference, c.to_dict()["reference"]) == ("t", "t")
        named = pr.compare(y, models, **run, reference="t")
        assert repr(named) == repr(c)
        assert named.to_dict() == c.to_dict()


def test_a_permutation_stands_beside_t_intervals_and_f() -> None:
    y, models = three()
    run: dict[str, Any] = {"method": "permutation", "n_resamples": 49, "seed": 1}
    c, other = (pr.compare(y, models, reference=how, **run) for how in ("t", "normal"))
    t = pr.compare(y, models, reference="t")
    assert [one.p_value for one in c.pairs] == [one.p_value for one in other.pairs]
    assert [(one.low, one.high) for one in c.pairs] == [(one.low, one.high) for one in t.pairs]
    assert c.overall == t.overall != other.overall
    assert "models are exchangeable; errors, intervals, F by DeLong, t" in repr(c)
    assert "errors, intervals, chi-square by DeLong\n" in repr(other)


def test_t_and_f_are_printed() -> None:
    y, models = three()
    text = repr(pr.compare(y, models, reference="t")).splitlines()
    assert text[0] == "auc_mu of 3 models on the same 30 rows: DeLong, t"
    assert text[-1] == "  all equal: F 0.1191 on 2 and 6.4 degrees of freedom, p = 0.8896"
    run: dict[str, Any] = {"method": "bootstrap", "n_resamples": 20, "seed": 1}
    t, z = (repr(pr.compare(y, models, reference=r, **run)) for r in ("t", "normal"))
    assert t.splitlines()[0].endswith(": paired bootstrap, t, 20 resamples, seed 1")
    assert z.splitlines()[0].endswith(": paired bootstrap, z, 20 resamples, seed 1")


def test_a_rate_has_t_by_the_bootstrap_alone() -> None:
    y, models = binary(80)
    run: dict[str, Any] = {"n_resamples": 50, "seed": 1}
    measure = pr.TprAt(0.3)
    c = pr.compare(y, models, measure, method="bootstrap", **run)
    assert c.reference == "t"
    assert math.isfinite(c.overall.freedom)
    message = r"takes degrees of freedom from influence values, and TprAt\(fpr=0.3\) has none; "
    with pytest.raises(ValueError, match=message):
        pr.compare(y, models, measure, reference="t", method="permutation", **run)
    z = pr.compare(y, models, measure, method="bootstrap", reference="normal", **run)
    assert math.isinf(z.overall.freedom)


@pytest.mark.parametrize("reference", ["z", "student", 1, ["t"]])
def test_other_references(reference: Any) -> None:
    y, models = binary()
    with pytest.raises(ValueError, match=r"^reference is .*; choose one of 'normal', 't', None$"):
        pr.compare(y, models, "auc", reference=reference)


# Levels


@pytest.mark.slow
@pytest.mark.parametrize("stratify", [True, False])
def test_t_and_f_keep_their_level_where_z_and_chi_square_do_not(stratify: bool) -> None:
    rng = np.random.default_rng(12)
    runs, y = 400, np.repeat([0, 1], [36, 4])
    rejected = dict.fromkeys(("normal", "t"), np.zeros(2))
    for _ in range(runs):
        shared = rng.normal(size=40) + 0.7 * y
        models = {name: shared + rng.normal(size=40) for name in "abc"}
        for how in rejected:
            reference: Any = how
            c = pr.compare(y, models, "auc", reference=reference, stratify=stratify, n_threads=1)
            found = np.array([c.pairs[0].p_value, c.overall.p_value]) <= 0.05
            rejected[how] = rejected[how] + found
    high = stats.binom.ppf(0.999, runs, 0.05)
    assert (rejected["t"] <= high).all()
    assert rejected["normal"][1] > high


def test_partial_areas_without_spread_have_the_limits_of_the_models() -> None:
    y, s = np.repeat([0, 1], 10), np.arange(20.0)
    for limit in (0.3, 0.9):
        c = pr.compare(
            y, {"a": s, "b": s**2}, pr.Auc(max_fpr=limit), method="bootstrap", n_resamples=50
        )
        alone = pr.delong(y, s, pr.Auc(max_fpr=limit)).interval
        assert c.pairs[0].low == pytest.approx(alone[0] - 1)
        assert c.pairs[0].high == pytest.approx(1 - alone[0])
