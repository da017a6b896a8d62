"""The Kolmogorov-Smirnov distance against its definition, scipy, and what every measure must do."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from given import measure_calls as every
from given.agreement import close, same
from given.strategies import Sample, samples
from oracle import reference as ref

RNG = np.random.default_rng(12)
Y = np.arange(90) % 3 == 0
GOOD = Y + RNG.normal(size=90)
COARSE = np.round(GOOD)


def exact(sample: Sample) -> object:
    c, q = sample.c, ref.whole(sample.w, len(sample.c))
    s = sample.P
    return ref.kolmogorov_smirnov(s[c == 1], s[c == 0], q[c == 1], q[c == 0])


@given(samples(K=st.just(2), columns=False))
def test_value(sample: Sample) -> None:
    value = pr.kolmogorov_smirnov(sample.c, sample.P, sample_weight=sample.w)
    assert type(value) is float
    same(value, exact(sample))  # type: ignore[arg-type]


@given(samples(K=st.just(2), columns=False, weighting=("real",)))
def test_real_weights(sample: Sample) -> None:
    value = pr.kolmogorov_smirnov(sample.c, sample.P, sample_weight=sample.w)
    close(value, exact(sample), 1e-13)  # type: ignore[arg-type]


@pytest.mark.parametrize("scores", [GOOD, COARSE, -GOOD])
def test_value_is_that_of_scipy(scores: np.ndarray) -> None:
    # The distribution function of the positives lies below: scipy calls that "less".
    peer = stats.ks_2samp(scores[Y], scores[~Y], alternative="less").statistic
    assert pr.kolmogorov_smirnov(Y, scores) == pytest.approx(peer, rel=1e-14)


def test_ends_and_direction() -> None:
    assert pr.kolmogorov_smirnov([0, 0, 1], [1, 2, 3]) == 1
    assert pr.kolmogorov_smirnov([0, 0, 1], [3, 2, 1]) == 0
    assert pr.kolmogorov_smirnov([0, 0, 1], [7, 7, 7]) == 0
    assert pr.kolmogorov_smirnov([0, 1] * 5, [np.inf, -np.inf] * 5) == 0
    two = np.column_stack([-GOOD, GOOD])
    assert pr.kolmogorov_smirnov(Y, two) == pr.kolmogorov_smirnov(Y, GOOD)


def test_ends_are_exact_with_real_weights() -> None:
    weights = RNG.gamma(1.0, size=90)
    for scores, expected in ((Y + 0.0, 1.0), (-1.0 * Y, 0.0), (np.ones(90), 0.0)):
        result = pr.bootstrap(
            Y, scores, "kolmogorov_smirnov", n_resamples=200, seed=1, sample_weight=weights
        )
        assert result.estimate == expected
        assert (result.replicates == expected).all()
        assert result.standard_error == 0
    for scheme in ("multinomial", "bayesian"):
        result = pr.bootstrap(Y, GOOD, "kolmogorov_smirnov", n_resamples=200, seed=1, scheme=scheme)
        assert ((result.replicates >= 0) & (result.replicates <= 1)).all()


@pytest.mark.parametrize("scores", [GOOD, COARSE])
def test_replicates(scores: np.ndarray) -> None:
    every.replicates_are_the_measure_of_weighted_rows(pr.KolmogorovSmirnov(), Y, scores)
    every.threads_and_memory_change_no_bit(pr.KolmogorovSmirnov(), Y, scores)


def test_sorted_rows_agree_with_rows() -> None:
    n = 140_000
    y = RNG.integers(0, 2, n)
    s = np.round(y + RNG.normal(size=n), 3)
    result = pr.bootstrap(y, s, "kolmogorov_smirnov", n_resamples=64, seed=1)
    assert result.path == "sorted rows"
    rows = pr.bootstrap(y, s, ["kolmogorov_smirnov", "hand_till"], n_resamples=64, seed=1)
    assert rows["kolmogorov_smirnov"].estimate == result.estimate
    ratio = result.standard_error / rows["kolmogorov_smirnov"].standard_error
    assert 0.7 < ratio < 1.4


def test_comparisons() -> None:
    every.comparisons_are_made(pr.KolmogorovSmirnov(), Y, Y + 0.3 * GOOD, RNG.normal(size=90))


def test_perfect_separation_has_an_interval_from_the_sizes() -> None:
    result = pr.bootstrap(Y, Y + 0.0, "kolmogorov_smirnov", n_resamples=99, seed=1)
    low, high = result.interval
    auc = pr.bootstrap(Y, Y + 0.0, "auc", n_resamples=99, seed=1).interval[0]
    assert low == pytest.approx(1 - np.sqrt(2 * (1 - auc)))
    assert high == 1
    assert result.method == "newcombe"
    constant = pr.bootstrap(Y, np.zeros(90), "kolmogorov_smirnov", n_resamples=99, seed=1)
    assert constant.estimate == constant.interval[0] == 0
    assert 0.5 < constant.interval[1] < 0.7


def test_more_classes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^kolmogorov_smirnov compares two classes but there are"):
        pr.kolmogorov_smirnov(np.arange(6) % 3, np.ones((6, 3)))


def test_the_interval_takes_off_what_the_threshold_looks_too_good_by() -> None:
    """Of scores without worth the distance is 0; the limits of replicates alone lie above it."""
    y, run = np.repeat([0, 1], [50, 50]), dict[str, Any](n_resamples=99)
    held, by_bca = 0, 0
    for seed in range(40):
        scores = np.random.default_rng(seed).normal(size=100)
        plain = pr.bootstrap(y, scores, "kolmogorov_smirnov", seed=seed, method="bca", **run)
        assert 'lies too high, method="corrected" takes that off' in plain.notes[0]
        result = pr.bootstrap(y, scores, "kolmogorov_smirnov", seed=seed, **run)
        assert result.method == "corrected"
        assert result.interval[0] <= plain.interval[0]
        held, by_bca = held + (result.interval[0] == 0), by_bca + (plain.interval[0] == 0)
    assert held >= 36
    assert by_bca < 30
