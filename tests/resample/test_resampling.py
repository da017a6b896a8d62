"""The core's weights are those of the plain Python twin, bit for bit, and follow their laws.

Seeds are fixed, so a test of a law gives the same p-value on every run; a law that is broken gives
one far below the threshold.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from polyroc import _core
from scipy import stats

from given import core_weights
from oracle import resampling
from oracle.binomial import binomial
from oracle.laws import UNLIKELY, binomial_law, fits, independent, of, pair_law
from oracle.logarithm import ln
from oracle.resampling import SCHEMES
from oracle.stream import Draw

Array = NDArray[Any]


def drawn(
    strata: Any,
    scheme: str = "Multinomial",
    seed: int = 1,
    first: int = 0,
    last: int = 32,
    attempt: int = 0,
    again: bool = False,
) -> Array:
    """The core's weights."""
    strata = np.asarray(strata, dtype=np.uint32)
    how = getattr(_core.Scheme, scheme)
    n_strata = int(strata.max()) + 1
    return core_weights.weights(
        strata, n_strata, how, seed, first, last, attempt=attempt, again=again
    )


def one_stratum(n: int) -> Array:
    return np.zeros(n, dtype=np.uint32)


def interleaved(*sizes: int) -> Array:
    """Strata of given sizes, in an order of units that keeps none together."""
    strata = np.repeat(np.arange(len(sizes)), sizes)
    return np.random.default_rng(len(strata)).permutation(strata)


def slow(value: Any) -> Any:
    """A case whose twin takes its time."""
    return pytest.param(value, marks=pytest.mark.slow)


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("n", [1, 2, 63, slow(64), 65, slow(200), slow(1000)])
def test_weights_are_the_twins(n: int, scheme: str, again: bool) -> None:
    last = 9 if n == 1000 else 40
    for seed in (0, 1, 20_240_229, 2**63, 2**64 - 1):
        values = drawn(one_stratum(n), scheme, seed, 0, last, again=again)
        np.testing.assert_array_equal(
            values, resampling.table(one_stratum(n), scheme, seed, 0, last)
        )


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "sizes", [(1, 1, 1), (3, 64, 5), slow((70, 130, 63, 64)), slow((100, 1, 400)), slow((81, 99))]
)
def test_weights_in_strata_are_the_twins(sizes: tuple[int, ...], scheme: str, again: bool) -> None:
    strata = interleaved(*sizes)
    for seed, first, last, attempt in [(1, 0, 33, 0), (2, 5, 6, 1), (3, 62, 67, 7), (4, 31, 65, 2)]:
        values = drawn(strata, scheme, seed, first, last, attempt, again)
        exact = resampling.table(strata, scheme, seed, first, last, attempt)
        np.testing.assert_array_equal(values, exact)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_far_replicates_and_attempts_are_the_twins(scheme: str) -> None:
    strata = interleaved(66, 4)
    for first, attempt in [(2**32 - 3, 0), (2**53 + 1, 3), (2**63 - 2, 2**32 - 1)]:
        for again in (False, True):
            values = drawn(strata, scheme, 9, first, first + 6, attempt, again)
            exact = resampling.table(strata, scheme, 9, first, first + 6, attempt)
            np.testing.assert_array_equal(values, exact)


@pytest.mark.parametrize("again", [False, True])
def test_a_stratum_may_be_empty(again: bool) -> None:
    strata = np.array([0, 2, 2, 0, 2] * 15, dtype=np.uint32)
    values = drawn(strata, again=again)
    np.testing.assert_array_equal(values, resampling.table(strata, "Multinomial", 1, 0, 32))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_slices_are_slices_of_the_whole(scheme: str) -> None:
    strata = interleaved(90, 30, 200)
    whole = drawn(strata, scheme, last=150)
    for first, last in [(0, 1), (1, 2), (3, 5), (30, 34), (63, 65), (64, 128), (127, 150), (9, 9)]:
        for again in (False, True):
            part = drawn(strata, scheme, first=first, last=last, again=again)
            np.testing.assert_array_equal(part, whole[first:last])


def test_a_units_weight_depends_on_its_number_alone() -> None:
    # Where nothing ties units to each other, those that are added change nothing.
    few, many = drawn(one_stratum(40), "Poisson"), drawn(interleaved(300, 200), "Poisson")
    np.testing.assert_array_equal(few, many[:, :40])


@pytest.mark.parametrize("n", [1, 2, 7, 63, 64, 100, 5000, 70_000])
def test_totals_are_exact(n: int) -> None:
    for again in (False, True):
        values = drawn(one_stratum(n), seed=n, last=200 if n < 70_000 else 34, again=again)
        assert (values.sum(axis=1) == n).all()
        assert (values >= 0).all()
        assert (values == np.floor(values)).all()


def test_totals_of_strata_are_exact() -> None:
    sizes = (2, 64, 1, 1000, 63, 300)
    strata = interleaved(*sizes)
    for again in (False, True):
        values = drawn(strata, last=500, again=again)
        for s, size in enumerate(sizes):
            assert (values[:, strata == s].sum(axis=1) == size).all()


@pytest.mark.slow
def test_draws_are_made_and_taken_back() -> None:
    # Else the tests above and below would not see both kinds of correction.
    sums = [
        sum(resampling.poisson(1 - 2 / 10).weight(Draw(1, b), u) for u in range(100))
        for b in range(800)
    ]
    assert sum(N < 100 for N in sums) > 600
    assert sum(N > 100 for N in sums) > 2
    exact = resampling.table(one_stratum(100), "Multinomial", 1, 0, 800)
    np.testing.assert_array_equal(drawn(one_stratum(100), last=800), exact)
    np.testing.assert_array_equal(drawn(one_stratum(100), last=800, again=True), exact)


@pytest.mark.slow
@pytest.mark.parametrize("again", [False, True])
def test_five_units_have_all_outcomes_with_their_probabilities(again: bool) -> None:
    draws = 100_000
    law: Counter[Any] = Counter()
    for outcome in product(range(5), repeat=5):
        law[tuple(float(outcome.count(u)) for u in range(5))] += 1
    values = drawn(one_stratum(5), seed=5, last=draws, again=again)
    counts = of(values)
    assert counts.keys() <= law.keys()
    assert len(counts) == len(law) == 126
    assert fits(counts, {k: p / 5**5 for k, p in law.items()}, draws) > UNLIKELY


@pytest.fixture(scope="module")
def hundred() -> Array:
    return drawn(one_stratum(100), seed=100, last=60_000)


@pytest.fixture(scope="module")
def thousands() -> Array:
    """A few of 5,000 units."""
    parts = [
        drawn(one_stratum(5000), seed=5000, first=first, last=first + 1000)[:, ::157]
        for first in range(0, 12_000, 1000)
    ]
    return np.concatenate(parts)


@pytest.mark.slow
def test_marginals_are_binomial(hundred: Array, thousands: Array) -> None:
    for unit in (0, 1, 50, 99):
        assert fits(of(hundred[:, unit]), binomial_law(100), len(hundred)) > UNLIKELY
    # So few of many units are all but independent.
    assert fits(of(thousands.ravel()), binomial_law(5000), thousands.size) > UNLIKELY


@pytest.mark.slow
def test_pairs_of_units_are_multinomial(hundred: Array, thousands: Array) -> None:
    for a, b in [(0, 1), (3, 67), (98, 99)]:
        assert fits(of(hundred[:, [a, b]]), pair_law(100), len(hundred)) > UNLIKELY
    pairs = np.concatenate([thousands[:, [k, k + 1]] for k in range(0, 32, 2)])
    assert fits(of(pairs), pair_law(5000), len(pairs)) > UNLIKELY


@pytest.mark.slow
def test_covariances_are_multinomial(hundred: Array) -> None:
    # cov = -1/n off the diagonal and 1 - 1/n on it; the mean of a row's products is their variance.
    centred = hundred - 1
    products = centred[:, :50] * centred[:, 50:]
    z = (products.mean() + 1 / 100) / (products.mean(axis=1).std() / math.sqrt(len(products)))
    assert abs(z) < 4
    squares = (centred**2).mean(axis=1)
    z = (squares.mean() - 0.99) / (squares.std() / math.sqrt(len(squares)))
    assert abs(z) < 4
    # The variance of that: n draws give n (n - 1) ordered pairs of draws, each a hit with 1 / n.
    # sum of squares = n + 2 (pairs of draws of one unit); pairs are uncorrelated, so
    # var = 4 C(n, 2) (1/n) (1 - 1/n).
    exact = 4 * math.comb(100, 2) * 0.01 * 0.99 / 100**2
    assert squares.var() == pytest.approx(exact, rel=4 * math.sqrt(3 / len(squares)))


def test_replicates_are_independent(hundred: Array) -> None:
    law = independent(binomial_law(100), binomial_law(100))
    for apart in (
        1,
        2,
        3,
        4,
        32,
    ):  # the four of a quad share their words; others share the unit's bits
        for unit in (0, 77):
            column = hundred[:, unit]
            firsts = np.arange(0, len(column) - apart, 2 * max(apart, 2))
            both = np.stack([column[firsts], column[firsts + apart]], axis=1)
            assert fits(of(both), law, len(both)) > UNLIKELY


@pytest.mark.slow
def test_strata_are_independent_multinomials() -> None:
    sizes = (100, 5, 70)
    strata = interleaved(*sizes)
    values = drawn(strata, seed=8, last=40_000)
    units = [np.flatnonzero(strata == s) for s in range(3)]
    for mine, n in zip(units, sizes, strict=True):
        assert fits(of(values[:, mine[-1]]), binomial_law(n), len(values)) > UNLIKELY
        assert fits(of(values[:, mine[:2]]), pair_law(n), len(values)) > UNLIKELY
    for s, t in [(0, 1), (0, 2), (1, 2)]:
        law = independent(binomial_law(sizes[s]), binomial_law(sizes[t]))
        both = values[:, [units[s][0], units[t][0]]]
        assert fits(of(both), law, len(both)) > UNLIKELY


def test_attempts_and_seeds_are_independent() -> None:
    law = independent(binomial_law(64), binomial_law(64))
    first = drawn(one_stratum(64), last=20_000)
    for other in (
        drawn(one_stratum(64), last=20_000, attempt=1),
        drawn(one_stratum(64), seed=2, last=20_000),
    ):
        both = np.stack([first[:, 9], other[:, 9]], axis=1)
        assert fits(of(both), law, len(both)) > UNLIKELY


@pytest.mark.slow
def test_poisson_weights() -> None:
    values = drawn(one_stratum(40), "Poisson", seed=3, last=25_000)
    law = {float(k): float(stats.poisson.pmf(k, 1)) for k in range(20)}
    assert fits(of(values.ravel()), law, values.size) > UNLIKELY
    assert fits(of(values[:, [4, 5]]), independent(law, law), len(values)) > UNLIKELY
    totals = {float(k): float(stats.poisson.pmf(k, 40)) for k in range(100)}
    assert fits(of(values.sum(axis=1)), totals, len(values)) > UNLIKELY


def test_the_twins_table_holds_the_law() -> None:
    # Weights of 15 and more, one in 3 10^12, are not met by the tests above.
    for rate in (1 - 2 / 8, 1 - 2 / 100, 1.0):
        law, mass = resampling.poisson(rate), [0.0] * 16
        for k in range(16):
            mass[k] += law.c[k] / 4096 / 16
            mass[law.other[k]] += (1 - law.c[k] / 4096) / 16
        exact = [stats.poisson.pmf(k, rate) for k in range(15)]
        assert mass == pytest.approx([*exact, stats.poisson.sf(14, rate)], rel=1e-14, abs=1e-16)
        tail = np.cumsum(stats.poisson.pmf(range(15, 32), rate)) / stats.poisson.sf(14, rate)
        assert law.tail == pytest.approx(tail.tolist(), rel=1e-9)
        assert law.tail[-1] == 1


def test_bayesian_weights() -> None:
    values = drawn(one_stratum(40), "Bayesian", seed=3, last=10_000)
    np.testing.assert_allclose(values.sum(axis=1), 40, rtol=1e-13)
    for k in (0, 39):  # Dirichlet(1, ..., 1), times n
        assert stats.kstest(values[:, k] / 40, stats.beta(1, 39).cdf).pvalue > UNLIKELY
    expected = -1 / 39
    found = np.corrcoef(values[:, 0], values[:, 1])[0, 1]
    assert abs(found - expected) < 4 / math.sqrt(len(values))
    assert abs(np.corrcoef(values[:-1, 0], values[1:, 0])[0, 1]) < 4 / math.sqrt(len(values))


def test_the_logarithm_is_one() -> None:
    for x in np.random.default_rng(1).random(2000):
        assert ln(float(x)) == pytest.approx(math.log(x), rel=4e-16, abs=4e-16)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "part", "whole"),
    [(1, 1, 3), (5, 1, 2), (40, 1, 9), (25, 2, 5), (300, 1, 3), (77, 70, 77)],
)
def test_binomial_numbers_of_the_twin(n: int, part: int, whole: int) -> None:
    draws = 20_000
    words = Draw(n, part).words(whole)
    counts = Counter(binomial(n, part, whole, words) for _ in range(draws))
    law = {k: float(stats.binom.pmf(k, n, part / whole)) for k in range(n + 1)}
    assert fits(counts, law, draws) > UNLIKELY
