"""The permutation test of two models: its coins, its replicates, its p-values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from polyroc import _core
from polyroc._compare.by_permutation import permutation_p_value, permuted_differences
from scipy import stats

from given import core_weights, strategies
from given.strategies import Sample
from oracle import compare_reference as slow
from oracle.stream import Draw

Array = NDArray[Any]


def drawn(
    y: Array, A: Array, B: Array, measure: Any, seed: int = 1, count: int = 32, **options: Any
) -> Array:
    """The permuted differences of the package."""
    models, one = slow.listed(y, {"a": A, "b": B}, measure, **options)
    return permuted_differences(models[0], models[1], one, seed, count, None)


# Coins


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_every_row_goes_to_one_model_and_the_complement_turns_all(seed: int) -> None:
    n = 70
    coins, others = (slow.coins(n, seed, 50, complement) for complement in (False, True))
    assert set(np.unique(coins)) == {0.0, 1.0}
    assert (coins[:, :n] + coins[:, n:] == 1).all()
    assert (coins + others == 1).all()


def test_a_coin_is_the_highest_bit_of_the_documented_stream() -> None:
    coins = slow.coins(40, 9, 11)
    expected = [[Draw(9, b).bits(u) >> 15 for u in range(40)] for b in range(11)]
    assert (coins[:, :40] == expected).all()


def test_any_part_of_a_run_has_the_same_coins() -> None:
    strata = np.zeros(60, dtype=np.uint32)
    scheme = _core.Scheme.Exchange
    whole = slow.coins(30, 3, 41)
    part = core_weights.weights(strata, 1, scheme, 3, 17, 41)
    assert (whole[17:] == part).all()
    again = core_weights.weights(strata, 1, scheme, 3, 0, 41, again=True)
    assert (whole == again).all()


SEEDS = [1, 2, 3, 20_000]


def uniform(z: Array) -> None:
    """Standard normal values, as many as there are: their squares add up to a chi-square."""
    p = stats.chi2.sf(float((z**2).sum()), z.size)
    assert 1e-4 < p < 1 - 1e-4
    assert abs(z).max() < stats.norm.isf(1e-5 / z.size)


@pytest.mark.parametrize("seed", SEEDS)
def test_coins_are_fair_for_every_row_and_in_every_permutation(seed: int) -> None:
    signs = 2 * slow.coins(500, seed, 1000)[:, :500] - 1
    uniform(signs.sum(axis=0) / math.sqrt(1000))
    uniform(signs.sum(axis=1) / math.sqrt(500))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lag", [1, 2, 3, 4, 5, 8, 32, 64])
def test_coins_of_neighbours_are_independent(seed: int, lag: int) -> None:
    signs = 2 * slow.coins(500, seed, 1000)[:, :500] - 1
    rows = (signs[:, lag:] * signs[:, :-lag]).sum(axis=0) / math.sqrt(1000)
    permutations = (signs[lag:] * signs[:-lag]).sum(axis=1) / math.sqrt(500)
    assert abs(rows).max() < 5
    assert abs(permutations).max() < 5
    assert abs((signs[:, lag:] * signs[:, :-lag]).mean()) < 5 / math.sqrt(1000 * (500 - lag))
    assert abs((signs[lag:] * signs[:-lag]).mean()) < 5 / math.sqrt((1000 - lag) * 500)


@pytest.mark.parametrize("seed", SEEDS)
def test_coins_of_all_pairs_of_rows_are_independent(seed: int) -> None:
    signs = 2 * slow.coins(200, seed, 1200)[:, :200] - 1
    z = (signs.T @ signs / math.sqrt(1200))[np.triu_indices(200, 1)]
    assert abs(z).max() < 5.5
    assert np.mean(z**2) == pytest.approx(1, abs=0.05)


# Replicates


@pytest.mark.parametrize("name", [*slow.MEASURES, "auc"])
@pytest.mark.parametrize("digits", [8, 0])
def test_permutations_exchange_ranks_within_rows(name: str, digits: int) -> None:
    measure = slow.MEASURES.get(name, name)
    make = slow.binary if name == "auc" else slow.scored
    y, A, B = make(23, digits=digits)
    K = int(y.max()) + 1
    found = drawn(y, A, B, measure)
    expected = slow.permuted(Sample(K, y, A, None), Sample(K, y, B, None), name, 1, 32)
    assert found.tolist() == expected.tolist()
    assert len(set(found.tolist())) > 5


@pytest.mark.parametrize("name", ["M", "mu", "macro", "micro", "polar area True"])
@pytest.mark.parametrize("kind", ["whole", "real", "zeros"])
def test_sample_weights(name: str, kind: str) -> None:
    y, A, B = slow.scored(23, digits=0)
    rng = np.random.default_rng(4)
    w = rng.random(23) if kind == "real" else rng.integers(1, 5, 23).astype(float)
    if kind == "zeros":
        w[::4] = 0
    found = drawn(y, A, B, slow.MEASURES[name], sample_weight=w)
    expected = slow.permuted(Sample(3, y, A, w), Sample(3, y, B, w), name, 1, 32)
    assert found == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("name", ["M", "mu", "prevalence", "micro", "polar area True"])
def test_groups_are_exchanged_as_a_whole(name: str) -> None:
    y, A, B = slow.scored(24, digits=1)
    groups = np.array([5, 0, 3, 1, 4, 2, 6] * 4)[:24]
    found = drawn(y, A, B, slow.MEASURES[name], groups=groups)
    sides = Sample(3, y, A, None), Sample(3, y, B, None)
    # Groups are numbered in order of appearance.
    expected = slow.permuted(*sides, name, 1, 32, np.arange(24) % 7)
    assert found.tolist() == expected.tolist()
    assert found.tolist() != slow.permuted(*sides, name, 1, 32).tolist()


def test_groups_of_which_some_have_no_weight() -> None:
    y, A, B = slow.scored(24, digits=1)
    groups, w = np.arange(24) // 3, np.ones(24)
    w[groups == 2] = 0
    found = drawn(y, A, B, "hand_till", groups=groups, sample_weight=w)
    expected = slow.permuted(Sample(3, y, A, w), Sample(3, y, B, w), "M", 1, 32, groups)
    assert found.tolist() == expected.tolist()


@pytest.mark.slow
@given(
    sample=strategies.samples(
        K=st.integers(3, 4), dtypes=("float64",), most=14,
        scores=st.floats(-4, 4) | st.integers(0, 9).map(lambda v: v / 9),
        weighting=("none", "whole"),
    ),
    name=st.sampled_from(sorted(slow.MEASURES)),
    data=st.data(),
)  # fmt: skip
@settings(max_examples=40)
def test_any_two_models(sample: Sample, name: str, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(sample.c))))
    other = Sample(sample.K, sample.c, np.ascontiguousarray(sample.P[order]), sample.w)
    labels = list(range(sample.K))
    found = drawn(
        sample.c, np.array(sample.P), other.P, slow.MEASURES[name], 7, 8,
        sample_weight=sample.w, labels=labels,
    )  # fmt: skip
    expected = slow.permuted(sample, other, name, 7, 8)
    assert found == pytest.approx(expected, abs=1e-13)


def test_votes_tie_although_their_differences_are_rounded() -> None:
    # 2/9 - 1/9 and 3/9 - 2/9 differ in the last bit; either model's ties are settled by itself.
    rng = np.random.default_rng(6)
    y = np.arange(30) % 3
    A, B = (rng.multinomial(9, [1 / 3] * 3, 30) / 9 for _ in range(2))
    found = drawn(y, A, B, "auc_mu")
    expected = slow.permuted(Sample(3, y, A, None), Sample(3, y, B, None), "mu", 1, 32)
    assert found.tolist() == expected.tolist()
    exact = drawn(y, A, B, pr.AucMu(ties="exact"))
    assert found.tolist() != exact.tolist()


@pytest.mark.parametrize("other", ["float32", "float64"])
def test_votes_of_single_precision(other: str) -> None:
    rng = np.random.default_rng(6)
    y = np.arange(30) % 3
    A, B = (rng.multinomial(9, [1 / 3] * 3, 30) / 9 for _ in range(2))
    A, B = A.astype(np.float32), B.astype(other)
    found = drawn(y, A, B, "auc_mu")
    first, second = (Sample(3, y, P.astype(float), None) for P in (A, B))
    assert found.tolist() == slow.permuted(first, second, "mu", 1, 32, u=2.0**-24).tolist()


def test_auc_mu_of_two_columns() -> None:
    rng = np.random.default_rng(1)
    y, p = np.arange(40) % 2, rng.random(40).round(2)
    probabilities, margins = np.column_stack([1 - p, p]), rng.normal(size=(40, 2)).round(1)
    for A, B in ((probabilities, probabilities[::-1].copy()), (margins, margins[::-1].copy())):
        expected = slow.permuted(Sample(2, y, A, None), Sample(2, y, B, None), "mu", 1, 32)
        assert drawn(y, A, B, "auc_mu").tolist() == expected.tolist()


@pytest.mark.parametrize("name", ["M", "macro", "micro"])
def test_infinities_and_negative_zeros(name: str) -> None:
    y, A, B = slow.scored(23, digits=0)
    A[A == 0] = np.where(np.arange(np.count_nonzero(A == 0)) % 2, -0.0, 0.0)
    A[3, 1], A[5, 0], B[2, 1:] = math.inf, -math.inf, math.inf
    expected = slow.permuted(Sample(3, y, A, None), Sample(3, y, B, None), name, 1, 32)
    assert drawn(y, A, B, slow.MEASURES[name]).tolist() == expected.tolist()


@pytest.mark.parametrize("count", [1, 3, 64, 65, 200])
def test_any_number_of_permutations_is_the_beginning_of_more(count: int) -> None:
    y, A, B = slow.scored(100)
    assert drawn(y, A, B, "auc_mu", count=count).tolist() == (
        drawn(y, A, B, "auc_mu", count=200)[:count].tolist()
    )


# p-values


@pytest.mark.parametrize("name", ["M", "mu", "micro", "auc"])
def test_p_values_count_the_observed_difference(name: str) -> None:
    measure = slow.MEASURES.get(name, name)
    y, A, B = (slow.binary if name == "auc" else slow.scored)(21, digits=1)
    K = int(y.max()) + 1
    c = pr.compare(y, {"a": A, "b": B}, measure, method="permutation", n_resamples=99, seed=6)
    expected = slow.permuted(Sample(K, y, A, None), Sample(K, y, B, None), name, 6, 99)
    assert c.p_value == slow.p_value(c.difference, expected)
    assert (c.seed, c.n_resamples, c.method) == (6, 99, "permutation")


def test_the_least_p_value_is_one_in_all_permutations_and_one() -> None:
    assert permutation_p_value(0.5, np.zeros(99)) == 0.01
    assert permutation_p_value(0.5, np.array([0.5, -0.5, 0.5 - 1e-15, 0.49])) == 4 / 5
    assert permutation_p_value(0.0, np.array([0.1, 0.0, -0.2])) == 1
    y = np.arange(200) % 2
    rng = np.random.default_rng(0)
    models = {"perfect": y, "noise": rng.random(200)}
    c = pr.compare(y, models, "auc", method="permutation", n_resamples=199, seed=1)
    assert c.p_value == 1 / 200


def test_the_exact_test_of_few_rows_is_reached() -> None:
    # All 2^8 exchanges of 8 rows, each as likely.
    y, a, b = slow.binary(8, seed=3)
    own, others = slow.midranks(a, np.ones(8, bool)), slow.midranks(b, np.ones(8, bool))
    observed, far = pr.auc(y, a) - pr.auc(y, b), 0
    for bits in range(256):
        turned = np.array([bits >> u & 1 for u in range(8)], dtype=bool)
        apart = pr.auc(y, np.where(turned, own, others)) - pr.auc(y, np.where(turned, others, own))
        far += abs(apart) >= abs(observed) - 1e-12
    models = {"a": a, "b": b}
    c = pr.compare(y, models, "auc", method="permutation", n_resamples=40_000, seed=2)
    assert 0.1 < far / 256 < 0.9
    assert c.p_value == pytest.approx(far / 256, abs=0.01)


@pytest.mark.parametrize("measure", ["auc", "hand_till", "one_vs_rest", "polar_area"])
def test_monotone_transforms_of_columns_change_nothing(measure: str) -> None:
    y, A, B = slow.binary(50, digits=1) if measure == "auc" else slow.scored(50, digits=1)
    run: dict[str, Any] = {"method": "permutation", "n_resamples": 199, "seed": 3}
    c = pr.compare(y, {"a": A, "b": B}, measure, **run)
    for models in (
        {"a": np.exp(A), "b": B},
        {"a": A, "b": 1e6 * B - 7},
        {"a": A.astype(np.float32), "b": np.arctan(B)},
    ):
        assert pr.compare(y, models, measure, **run).p_value == c.p_value
    turned = pr.compare(y, {"b": B, "a": A}, measure, **run)
    assert turned.p_value == c.p_value


@pytest.mark.parametrize("measure", ["auc_mu", "hand_till", pr.OneVsRest("micro")])
def test_threads_do_not_matter(measure: Any) -> None:
    y, A, B = slow.scored(400)
    one, two = (drawn(y, A, B, measure, count=200, n_threads=k) for k in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_all_pairs_are_permuted() -> None:
    y, A, B = slow.scored(30)
    models = {"a": A, "b": B, "c": A[::-1].copy()}
    run: dict[str, Any] = {"method": "permutation", "n_resamples": 99, "seed": 3}
    c = pr.compare(y, models, **run)
    for one in c.pairs:
        two = {name: models[name] for name in (one.first, one.second)}
        assert pr.compare(y, two, **run).p_value == one.p_value
    # Errors and intervals are DeLong's.
    delong = pr.compare(y, models)
    assert (c.covariance == delong.covariance).all()
    assert c.overall == delong.overall
    assert [(p.low, p.high) for p in c.pairs] == [(p.low, p.high) for p in delong.pairs]


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_progress_only_goes_forward(method: Any) -> None:
    y, A, B = slow.scored(3000)
    seen: list[tuple[int, int]] = []
    models = {"a": A, "b": B, "c": -A}
    pr.compare(
        y, models, method=method, n_resamples=600, seed=1,
        progress=lambda done, total: seen.append((done, total)),
    )  # fmt: skip
    done, totals = zip(*seen, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {600 if method == "bootstrap" else 3600}
    assert seen[-1][0] == seen[-1][1]


# Levels


@pytest.mark.slow
def test_five_percent_are_rejected_where_models_are_equally_good() -> None:
    rng = np.random.default_rng(12)
    n, runs = 60, 500
    y = np.arange(n) % 3
    rejected: dict[Any, int] = {"delong": 0, "permutation": 0}
    for run in range(runs):
        shared = rng.normal(size=(n, 3)) + 1.2 * np.eye(3)[y]
        A, B = (shared + rng.normal(size=(n, 3)) for _ in range(2))
        for method in rejected:
            c = pr.compare(
                y, {"a": A, "b": 5 * B}, method=method, n_resamples=199, seed=run, n_threads=1
            )
            rejected[method] += c.p_value <= 0.05
    for method, count in rejected.items():
        low, high = stats.binom.ppf([0.001, 0.999], runs, 0.05)
        assert low <= count <= high, method
