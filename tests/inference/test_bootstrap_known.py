"""Known variances, and faults seen in other packages."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from scipy import stats

from given.bootstrap_calls import (
    METHODS,
    PERFECT,
    Floats,
    Ints,
    binary,
    bits,
    boot,
    matrix,
    quietly,
    unbalanced,
)

# Against what is known


SCIPY: list[Any] = [
    pr.HandTill(),
    pr.AucMu(),
    pr.OneVsRest(),
    pr.OneVsRest("micro"),
    pr.PolarArea(),
]


@pytest.mark.slow
@pytest.mark.parametrize("measure", SCIPY, ids=repr)
def test_standard_errors_agree_with_scipy(measure: Any) -> None:
    y, scores = matrix(75, digits=1)
    B, many = 999, 9999
    peer = stats.bootstrap(
        (y, np.arange(75)), lambda c, rows: measure(c, scores[rows], n_threads=1), paired=True,
        vectorized=False, n_resamples=B, method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    ours = boot(y, scores, measure, stratify=False, n_resamples=many, method="percentile")
    # The relative error of a standard deviation of B numbers is about 1 / sqrt(2 B).
    noise = math.sqrt(1 / (2 * B) + 1 / (2 * many))
    assert ours.standard_error == pytest.approx(peer.standard_error, rel=4 * noise)
    theirs = peer.bootstrap_distribution
    assert ours.replicates.mean() == pytest.approx(
        theirs.mean(), abs=4 * ours.standard_error / math.sqrt(B)
    )
    limits = [peer.confidence_interval.low, peer.confidence_interval.high]
    # A quantile at 2.5 % of B normal numbers has an error of about 2.7 standard errors / sqrt(B).
    assert ours.interval == pytest.approx(limits, abs=4 * 2.7 * ours.standard_error / math.sqrt(B))
    assert stats.ks_2samp(ours.replicates, theirs).pvalue > 1e-4


@pytest.mark.parametrize("limit", [None, 0.3])
def test_standard_errors_of_two_classes_agree_with_scipy(limit: float | None) -> None:
    y, scores = binary(50, digits=1)
    measure = pr.Auc(max_fpr=limit)
    positive, negative = scores[y == 1], scores[y == 0]
    c = np.repeat([1, 0], 25)

    def statistic(one: Floats, zero: Floats) -> float:
        return measure(c, np.concatenate([one, zero]), n_threads=1)

    peer = stats.bootstrap(
        (positive, negative), statistic, vectorized=False, n_resamples=999,
        method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    ours = boot(y, scores, measure, n_resamples=9999)
    noise = math.sqrt(1 / 1998 + 1 / 19998)
    assert ours.standard_error == pytest.approx(peer.standard_error, rel=4 * noise)


def exact_variance(y: Ints, scores: Floats) -> float:
    """The variance of the stratified bootstrap of one pair, without any resampling.

    [s11 + (n - 1) s10 + (m - 1) s01] / (m n) with plug-in moments: X of m rows, Y of n rows,
    psi(x, y) the share won, s10 the variance of its mean given x, s01 given y, s11 of itself.
    """
    x, z = scores[y == 1], scores[y == 0]
    m, n = len(x), len(z)
    psi = (x[:, None] > z) + 0.5 * (x[:, None] == z)
    s11, s10, s01 = psi.var(), psi.mean(axis=1).var(), psi.mean(axis=0).var()
    return float((s11 + (n - 1) * s10 + (m - 1) * s01) / (m * n))


@pytest.mark.parametrize(("n", "few", "digits"), [(12, 5, 9), (12, 5, 0), (30, 3, 1), (80, 40, 1)])
def test_the_variance_of_one_pair_is_the_known_one(n: int, few: int, digits: int) -> None:
    y, scores = unbalanced(n, few)
    scores = scores.round(digits)
    B = 100_000
    result = boot(y, scores, "auc", n_resamples=B, method="percentile")
    deviations = (result.replicates - result.estimate) ** 2
    noise = deviations.std() / math.sqrt(B)
    assert deviations.mean() == pytest.approx(exact_variance(y, scores), abs=4 * noise)
    error = result.standard_error / math.sqrt(B)
    assert result.replicates.mean() == pytest.approx(result.estimate, abs=4 * error)


def test_the_variance_of_one_pair_of_many_equal_rows_is_the_known_one() -> None:
    y, scores = binary(4200, digits=0)
    result = boot(y, scores, "auc", n_resamples=20_000, method="percentile")
    assert result.path == "cells"
    wanted = exact_variance(y, scores)
    assert result.standard_error**2 == pytest.approx(wanted, rel=4 * math.sqrt(2 / 20_000))
    assert result.replicates.mean() == pytest.approx(result.estimate, abs=4e-2 * wanted**0.5)


# Faults seen in other packages


def test_bca_of_perfect_scores_is_no_nan() -> None:
    # scipy, arch and confidenceinterval give nan; DeLong's interval is (1, 1).
    result = boot(*PERFECT, "auc", method="bca")
    assert np.isfinite(result.interval).all()
    assert result.interval[0] < 1.0


@pytest.mark.parametrize("method", [*METHODS, "studentized"])
def test_nearly_perfect_scores_have_no_limit_beyond_one(method: Any) -> None:
    # 1.0177 and 1.056 were seen.
    y, s = np.repeat([0, 1], 10), np.arange(20.0)
    s[[9, 10]] = s[[10, 9]]
    result = boot(y, s, "auc", method=method, n_resamples=999, confidence=0.99)
    assert result.estimate == 0.99
    assert result.interval[0] < 0.99 <= result.interval[1] <= 1.0


def test_one_positive_in_twenty_rows_has_an_interval() -> None:
    y, scores = unbalanced(20, 1)
    for options in ({"stratify": True}, {"stratify": False}, {"scheme": "poisson"}):
        result = quietly(y, scores, "auc", n_resamples=400, **options)
        assert np.isfinite(result.interval).all()
        assert result.notes  # and it says what is wrong with it


def test_no_replicate_is_dropped_without_a_word() -> None:
    y, scores = unbalanced(60, 6)
    result = boot(y, scores, "auc", stratify=False, n_resamples=3000)
    assert len(result.replicates) == 3000
    assert any("left out" in note for note in result.notes)
    assert "left out" in repr(result)


def test_the_direction_is_not_chosen_anew_in_each_resample() -> None:
    y = np.arange(60) % 2
    scores = np.random.default_rng(1).normal(size=60)
    scores[y == 1] += np.median(scores[y == 0]) - np.median(scores[y == 1])
    up, down = (boot(y, sign * scores, "auc", n_resamples=2000) for sign in (1, -1))
    assert abs(up.estimate - 0.5) < 0.1
    for result in (up, down):
        assert result.replicates.min() < 0.45
        assert result.replicates.max() > 0.55
        assert abs(result.replicates.mean() - result.estimate) < 5 * result.standard_error / 44
    np.testing.assert_allclose(down.replicates, 1 - up.replicates, atol=1e-15)


def test_all_scores_tied_is_no_certainty() -> None:
    # p = 0 was seen here.
    result = boot(np.arange(40) % 2, np.ones(40), "auc")
    assert result.estimate == 0.5
    assert result.interval[0] < 0.45
    assert result.interval[1] > 0.55


def test_multi_class_intervals_exist_and_fit_their_estimates() -> None:
    # "not implemented" in pROC; M at AUC = 1 fails in multiROC.
    y, scores = matrix(90, 5)
    for result in boot(y, scores, ["hand_till", "auc_mu"]).values():
        assert result.interval[0] < result.estimate < result.interval[1]
    perfect = boot(y, np.eye(5)[y], "hand_till")
    assert perfect.interval[0] < 1.0 == perfect.interval[1]


def test_rounded_probabilities_need_not_sum_to_one() -> None:
    y, margins = matrix(90, digits=6)
    P = np.exp(margins) / np.exp(margins).sum(axis=1, keepdims=True)
    assert (P.round(2).sum(axis=1) != 1.0).any()
    exact, rounded = (boot(y, p, n_resamples=999) for p in (P, P.round(2)))
    np.testing.assert_allclose(rounded.interval, exact.interval, atol=0.02)


def test_counts_of_replicates_do_not_overflow() -> None:
    # 2 * 200,000^2 pairs are more than 32 bits hold.
    n = 400_000
    y = np.arange(n) % 2
    fine = np.random.default_rng(0).random(n) + y
    for scores in (fine, fine.round(1), fine.astype(np.float32), np.ones(n)):
        result = boot(y, scores, "auc", n_resamples=8)
        np.testing.assert_allclose(result.replicates, result.estimate, atol=0.005)
    weighted = boot(y, fine, "auc", n_resamples=8, sample_weight=np.full(n, 1e6))
    np.testing.assert_allclose(weighted.replicates, weighted.estimate, atol=0.005)


@pytest.mark.parametrize("shape", ["sorted", "organ pipe", "constant"])
def test_no_order_of_rows_overflows_a_stack(shape: str) -> None:
    n = 500_000
    up = np.arange(n, dtype=float)
    orders = {"sorted": up, "organ pipe": np.minimum(up, up[::-1]), "constant": np.zeros(n)}
    result = boot(np.arange(n) % 2, orders[shape], "auc", n_resamples=8)
    np.testing.assert_allclose(result.replicates, 0.5, atol=0.01)


def test_the_zeros_tie_in_resamples() -> None:
    y = np.arange(40) % 2
    zeros = np.where(np.arange(40) % 3 == 0, -0.0, 0.0)
    assert (boot(y, zeros, "auc").replicates == 0.5).all()
    y = np.arange(6000) % 2
    zeros = np.where(np.arange(6000) % 3 == 0, -0.0, 0.0)
    assert (boot(y, zeros, "auc").replicates == 0.5).all()


def test_an_absent_class_counts_neither_as_zero_nor_in_the_mean() -> None:
    y, scores = matrix()
    y, scores = y[y < 2], scores[y < 2]
    measure = pr.HandTill(absent="skip")
    three = boot(y, scores, measure, labels=[0, 1, 2])
    two = boot(y, scores[:, :2], "hand_till")
    assert bits(three.replicates) == bits(two.replicates)
    with pytest.raises(ValueError, match=r'^no row has the label 2; pass absent="skip"'):
        boot(y, scores, "hand_till", labels=[0, 1, 2])
