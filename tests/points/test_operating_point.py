"""Operating points against brute force over all thresholds, and their replicates."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from polyroc import _core
from polyroc._stats.wilson_interval import wilson

from given import core_weights
from given.refusals import refusals
from given.strategies import Sample, samples
from oracle import points_reference as ref

RNG = np.random.default_rng(21)
Y = np.arange(120) % 3 == 0
S = np.round(Y + RNG.normal(size=120), 1)
BOUNDS = [0.0, 0.1, 0.29, 1 / 3, 0.5, 2 / 3, 0.9, 1.0]
FEW: dict[str, Any] = {"seed": 3, "n_resamples": 8}
RULES: list[dict[str, Any]] = [
    {"max_fpr": 0.1}, {"min_tpr": 0.9}, {"rule": "youden"}, {"costs": (1, 5)},
    {"costs": (1, 5), "prevalence": 0.02},
]  # fmt: skip
value_error, type_error = refusals(pr.operating_point)


def near(x: float) -> Fraction:
    """1/3 where a float stands for it: bounds are inclusive but for rounding."""
    return Fraction(x).limit_denominator(1000)


def expected(points: list[ref.Point], q: list[Fraction], y: Any, options: Any) -> ref.Point:
    if "max_fpr" in options:
        return ref.most_within(points, near(options["max_fpr"]))
    if "min_tpr" in options:
        return ref.least_reaching(points, near(options["min_tpr"]))
    if "rule" in options:
        return ref.youden(points)
    own = sum(w for w, c in zip(q, y.tolist(), strict=True) if c) / sum(q)
    pi = near(options["prevalence"]) if "prevalence" in options else own
    return ref.cheapest(points, *map(near, options["costs"]), pi)  # type: ignore[call-arg]


rules = st.one_of(
    st.sampled_from(BOUNDS).map(lambda b: {"max_fpr": b}),
    st.sampled_from(BOUNDS).map(lambda b: {"min_tpr": b}),
    st.just({"rule": "youden"}),
    st.tuples(st.integers(0, 4), st.integers(1, 4)).map(lambda c: {"costs": c}),
    st.tuples(st.integers(1, 4), st.integers(0, 4)).map(lambda c: {"costs": c}),
    st.tuples(st.sampled_from([0.1, 0.3]), st.sampled_from([0.3, 0.9])).map(
        lambda c: {"costs": c, "prevalence": 0.25}
    ),
)


@given(samples(K=st.just(2), columns=False, infinite=False), rules)
def test_point(sample: Sample, options: dict[str, Any]) -> None:
    w = np.ones(len(sample.c)) if sample.w is None else sample.w
    q = [Fraction(x) for x in w.tolist()]
    found = pr.operating_point(sample.c, sample.P, sample_weight=sample.w, **options, **FEW)
    points = ref.curve(sample.c, sample.P, q)
    fpr, tpr, _ = expected(points, q, sample.c, options)
    assert (found.fpr, found.tpr) == (float(fpr), float(tpr))
    # The threshold reproduces the point on the scores themselves.
    said = np.array([x >= found.threshold for x in sample.P.tolist()])
    for code, rate in ((0, fpr), (1, tpr)):
        of = sample.c == code
        assert w[of & said].sum() / w[of].sum() == pytest.approx(float(rate), rel=1e-12)


@given(samples(K=st.just(2), columns=False, infinite=False, weighting=("real",)), rules)
def test_real_weights(sample: Sample, options: dict[str, Any]) -> None:
    assert sample.w is not None
    found = pr.operating_point(sample.c, sample.P, sample_weight=sample.w, **options, **FEW)
    said = np.array([x >= found.threshold for x in sample.P.tolist()])
    for code, rate in ((0, found.fpr), (1, found.tpr)):
        of = sample.c == code
        assert sample.w[of & said].sum() / sample.w[of].sum() == pytest.approx(rate, abs=1e-12)
    if "max_fpr" in options:
        assert found.fpr <= options["max_fpr"] + 1e-11
    if "min_tpr" in options:
        assert found.tpr >= options["min_tpr"] - 1e-11


def test_bounds_are_inclusive() -> None:
    # 29 of 100 is 0.29, though 0.29 * 100 in floating point is less than 29.
    y = np.repeat([0, 1], 100)
    s = np.concatenate([np.arange(100.0), np.arange(100) + 0.5])
    assert pr.operating_point(y, s, max_fpr=0.29, **FEW).fpr == 0.29
    assert pr.operating_point(y, s, min_tpr=0.29, **FEW).tpr == 0.29
    w = np.full(200, 0.1)  # whose sums are rounded
    found = pr.operating_point(y, s, max_fpr=0.29, sample_weight=w, **FEW)
    assert found.fpr == pytest.approx(0.29, abs=1e-12)


def test_equals() -> None:
    #           t = 4      t = 3 .. each step as good as the one before
    y, s = [1, 0, 1, 0], [4, 3, 2, 1]
    youden = pr.operating_point(y, s, rule="youden", **FEW)
    assert (youden.fpr, youden.tpr, youden.threshold) == (0, 0.5, 4)
    # Positive rows behind the bound cost nothing: the higher TPR.
    y, s = [1, 1, 1, 0], [4, 3, 2, 1]
    found = pr.operating_point(y, s, min_tpr=0.3, **FEW)
    assert (found.fpr, found.tpr, found.threshold) == (0, 1, 2)
    # A free false positive: the first threshold that finds all, not a lower one.
    found = pr.operating_point([0, 1, 0, 0], [4, 3, 2, 1], costs=(0, 1), **FEW)
    assert found.threshold == 3
    # A free false negative: no false positive, and what comes for nothing.
    found = pr.operating_point([1, 0, 1, 0], [4, 3, 2, 1], costs=(1, 0), **FEW)
    assert (found.fpr, found.tpr, found.threshold) == (0, 0.5, 4)


def test_nothing_is_worth_saying() -> None:
    y, s = [0, 0, 1, 1], [4, 3, 2, 1]
    for options in ({"rule": "youden"}, {"max_fpr": 0.4}, {"costs": (1, 1)}):
        found = pr.operating_point(y, s, **options, **FEW)
        assert (found.fpr, found.tpr, found.threshold) == (0, 0, math.inf)
    assert "said 1 of no row" in repr(found)


@pytest.mark.parametrize("options", RULES, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("coarse", [False, True])
def test_replicates_choose_anew(options: Any, weighted: bool, coarse: bool) -> None:
    """Replicate b is the point of rows with the b-th weights."""
    y, s = (np.tile(Y, 3), np.tile(np.round(S), 3)) if coarse else (Y, S)
    base = np.random.default_rng(1).random(len(y)) if weighted else None
    count = 20
    found = pr.operating_point(
        y, s, stratify=True, sample_weight=base, seed=9, n_resamples=count, **options
    )
    if coarse and not weighted:
        return  # drawn by cells, whose weights are not those of rows: tested by law below
    drawn = core_weights.weights(y.astype(np.uint32), 2, _core.Scheme.Multinomial, 9, 0, count)
    for b in range(count):
        w = drawn[b] if base is None else drawn[b] * base
        one = pr.operating_point(y, s, sample_weight=w, **options, **FEW)
        np.testing.assert_allclose(
            found.replicates[b], [one.fpr, one.tpr, one.threshold], rtol=1e-12, atol=1e-15
        )


@pytest.mark.parametrize("options", RULES, ids=str)
def test_thresholds_of_replicates_are_scores_of_the_positive(options: Any) -> None:
    """Whether rows come one by one, in groups, or equal ones together."""
    y, s = np.tile(Y, 30), np.tile(np.round(S, 1), 30)
    known = {math.inf, *s[y]}
    for way in ({}, {"groups": np.arange(len(y)) // 7}, {"stratify": False}):
        found = pr.operating_point(y, s, seed=1, n_resamples=50, **way, **options)
        assert set(found.replicates[:, 2]) <= known
        # Near the rates of that threshold on all rows, as 3,600 of them allow.
        for fpr, tpr, t in found.replicates:
            assert np.mean(s[~y] >= t) == pytest.approx(fpr, abs=0.06)
            assert np.mean(s[y] >= t) == pytest.approx(tpr, abs=0.06)


@pytest.mark.parametrize("options", RULES, ids=str)
def test_intervals(options: Any) -> None:
    found = pr.operating_point(Y, S, seed=1, n_resamples=999, confidence=0.9, **options)
    for k, name in enumerate(("fpr", "tpr", "threshold")):
        column = found.replicates[:, k]
        low, high = found.interval[name]
        if name == "threshold":
            assert low in column
            assert high in column
        assert np.mean(column < low) <= 0.0505
        assert np.mean(column > high) <= 0.0505
        assert low <= getattr(found, name) <= high


def test_seeds_and_threads() -> None:
    options: dict[str, Any] = {"rule": "youden", "n_resamples": 50}
    one = pr.operating_point(Y, S, seed=4, n_threads=1, **options)
    assert one == pr.operating_point(Y, S, seed=4, n_threads=2, **options)
    assert one != pr.operating_point(Y, S, seed=5, **options)
    drawn = pr.operating_point(Y, S, **options)
    assert drawn == pr.operating_point(Y, S, seed=drawn.seed, **options)


def test_which_rows_are_drawn() -> None:
    for options in RULES:
        found = pr.operating_point(Y, S, **options, **FEW)
        # At the prevalence of the rows a cost depends on how many there are of each class.
        assert found.stratified is (options != {"costs": (1, 5)})
    groups = np.arange(120) // 4
    found = pr.operating_point(Y, S, rule="youden", groups=groups, **FEW)
    assert (found.unit, found.n_units, found.stratified) == ("group", 30, False)


def test_lost_classes() -> None:
    y, s = np.arange(12) == 0, np.arange(12)[::-1]
    found = pr.operating_point(y, s, rule="youden", stratify=False, seed=1, n_resamples=300)
    lost = int(np.isnan(found.replicates).any(axis=1).sum())
    assert 50 < lost < 200
    assert f"{lost} of 300 replicates lost a class and were left out" in found.notes


def test_perfect_separation_has_wilsons_interval() -> None:
    y = np.repeat([0, 1], [30, 20])
    found = pr.operating_point(y, np.arange(50), rule="youden", seed=1, n_resamples=200)
    assert (found.fpr, found.tpr, found.threshold) == (0, 1, 30)
    np.testing.assert_allclose(found.interval["fpr"], wilson(0, 30, 0.95))
    np.testing.assert_allclose(found.interval["tpr"], wilson(20, 20, 0.95))
    assert "the interval is Wilson's for the rows of the class" in repr(found)


def test_expected_cost() -> None:
    found = pr.operating_point(Y, S, costs=(1, 5), **FEW)
    c = pr.confusion(Y, S, threshold=found.threshold, costs=(1, 5))
    assert c.cost is not None
    assert found.expected_cost == pytest.approx(c.cost / 120)
    every = [pr.confusion(Y, S, threshold=t, costs=(1, 5)).cost for t in {math.inf, *S}]
    assert c.cost == min(cost for cost in every if cost is not None)
    assert pr.operating_point(Y, S, max_fpr=0.1, **FEW).expected_cost is None


def test_optimism() -> None:
    """A corrected point is nearer to what its threshold does with new rows."""
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], 40)
    phi = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))
    apparent, corrected, true = [], [], []
    for seed in range(120):
        s = rng.normal(size=80) + y
        found = pr.operating_point(y, s, rule="youden", seed=seed, n_resamples=200)
        apparent.append(found.tpr - found.fpr)
        corrected.append(found.corrected["tpr"] - found.corrected["fpr"])
        true.append(phi(1 - found.threshold) - phi(-found.threshold))
    a, c, t = np.mean(apparent), np.mean(corrected), np.mean(true)
    assert a - t > 0.08
    assert abs(c - t) < 0.4 * (a - t)


def test_large_whole_numbers_and_narrow_floats() -> None:
    big = np.array([2**60 + k for k in (0, 3, 1, 2)])
    found = pr.operating_point([0, 1, 0, 1], big, rule="youden", **FEW)
    assert found.threshold == 2**60 + 2
    assert (big >= found.threshold).tolist() == [False, True, False, True]
    s = np.array([0.1, 0.7, 0.2, 0.3], dtype=np.float32)
    found = pr.operating_point([0, 1, 0, 1], s, rule="youden", **FEW)
    assert (s >= found.threshold).tolist() == [False, True, False, True]


def test_columns_and_labels() -> None:
    two = pr.operating_point(Y, np.column_stack([-S, S]), max_fpr=0.1, **FEW)
    assert two == pr.operating_point(Y, S, max_fpr=0.1, **FEW)
    turned = pr.operating_point(~Y, S, max_fpr=0.1, pos_label=False, **FEW)
    assert (turned.fpr, turned.tpr) == (two.fpr, two.tpr)
    seen = np.arange(120) % 4
    often = np.repeat(np.arange(120), seen)
    one = pr.operating_point(Y, S, rule="youden", frequency_weight=seen, **FEW)
    assert one == pr.operating_point(Y[often], S[often], rule="youden", **FEW)


def test_result_in_other_forms() -> None:
    found = pr.operating_point(Y, S, costs=(1, 5), **FEW)
    assert pickle.loads(pickle.dumps(found)) == found
    assert json.loads(json.dumps(found.to_dict()))["tpr"] == found.tpr
    assert found.to_frame("pandas")["value"].tolist() == [found.fpr, found.tpr, found.threshold]
    assert "looks better than it is" in repr(found)
    assert "looks better than it is" in found._repr_html_()
    assert not found.interval["fpr"].flags.writeable


def test_refusals() -> None:
    one = r"pass exactly one of max_fpr=, min_tpr=, rule='youden' or costs=.*; got "
    value_error(one + "none of them", Y, S)
    value_error(one + "max_fpr and rule", Y, S, max_fpr=0.1, rule="youden")
    value_error(r"prevalence weighs costs and does not matter to rule", Y, S, rule="youden",
                prevalence=0.1)  # fmt: skip
    value_error(r"rule is 'J'; choose one of 'youden'", Y, S, rule="J")
    value_error(r"max_fpr is -0\.1; it must lie in \[0, 1\]", Y, S, max_fpr=-0.1)
    value_error(r"min_tpr is 1\.5; it must lie in \[0, 1\]", Y, S, min_tpr=1.5)
    type_error(r"max_fpr is '0\.1'; pass a number", Y, S, max_fpr="0.1")
    type_error(r"costs is 3; pass two numbers", Y, S, costs=3)
    value_error(r"costs\[0\] is -1; costs must be >= 0", Y, S, costs=(-1, 2))
    value_error(r"costs are both 0", Y, S, costs=(0, 0))
    value_error(r"prevalence is 1; it must lie in \(0, 1\)", Y, S, costs=(1, 2), prevalence=1)
    value_error(r"operating_point compares two classes but there are 3", [0, 1, 2], np.eye(3),
                rule="youden")  # fmt: skip
    value_error(r"y_score\[1\] is NaN; drop or impute", [0, 1], [1, math.nan], rule="youden")
    value_error(r"groups puts all rows into one group", Y, S, rule="youden", groups=np.zeros(120))
    value_error(r"n_resamples is 0", Y, S, rule="youden", n_resamples=0)
    value_error(r"sample_weight\[0\] is -1\.0", [0, 1], [0, 1], rule="youden",
                sample_weight=[-1, 1])  # fmt: skip


@given(samples(K=st.just(2), columns=False, dtypes=("float64",), infinite=False))
def test_monotone_transforms_keep_the_point(sample: Sample) -> None:
    s = np.unique(sample.P, return_inverse=True)[1].astype(float)
    assume(len(s) > 1)
    for options in RULES:
        one = pr.operating_point(sample.c, sample.P, sample_weight=sample.w, **options, **FEW)
        other = pr.operating_point(sample.c, s, sample_weight=sample.w, **options, **FEW)
        assert (one.fpr, one.tpr) == (other.fpr, other.tpr)
