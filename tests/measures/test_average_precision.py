"""Average precision against its definition, scikit-learn, and what every measure must do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score
from sklearn.preprocessing import label_binarize

from given import measure_calls as every
from given.agreement import close
from given.strategies import Sample, samples
from oracle import reference as ref

RNG = np.random.default_rng(4)
Y = np.arange(90) % 3 == 0
GOOD = Y + RNG.normal(size=90)
C = np.arange(120) % 4
P = RNG.random((120, 4)) + 0.5 * (C[:, None] == np.arange(4))
KINDS = ("none", "whole", "real")


def exact(sample: Sample, k: int, column: Any) -> Fraction | None:
    own, q = sample.c == k, ref.whole(sample.w, len(sample.c))
    return ref.average_precision(column[own], column[~own], q[own], q[~own])


@given(samples(K=st.just(2), columns=False, weighting=KINDS))
def test_binary(sample: Sample) -> None:
    value = pr.average_precision(sample.c, sample.P, sample_weight=sample.w)
    assert type(value) is float
    close(value, exact(sample, 1, sample.P), 1e-12)


@given(samples(K=st.integers(2, 5), weighting=KINDS, absent=True, most=16))
def test_each_class(sample: Sample) -> None:
    c, w, K = sample.c, sample.w, sample.K
    options: Any = {"labels": np.arange(K), "sample_weight": w, "absent": "skip"}
    values = pr.average_precision(c, sample.P, average=None, **options)
    for k in range(K):
        expected = exact(sample, k, sample.P[:, k])
        if expected is None:
            assert np.isnan(values[k])
        else:
            close(float(values[k]), expected, 1e-12)
    if K == 2:
        return
    there = ~np.isnan(values)
    mass = np.bincount(c, w, K)[there]
    macro = pr.average_precision(c, sample.P, **options)
    assert macro == pytest.approx(values[there].mean(), rel=1e-12)
    prevalence = pr.average_precision(c, sample.P, average="prevalence", **options)
    assert prevalence == pytest.approx(values[there] @ mass / mass.sum(), rel=1e-12)


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_scikit_learn_has_the_same(digits: int) -> None:
    s, w = np.round(GOOD, digits), RNG.random(90)
    assert pr.average_precision(Y, s) == pytest.approx(average_precision_score(Y, s), rel=1e-13)
    peer = average_precision_score(Y, s, sample_weight=w)
    assert pr.average_precision(Y, s, sample_weight=w) == pytest.approx(peer, rel=1e-13)
    many, coded = np.round(P, digits), label_binarize(C, classes=range(4))
    pairs: list[Any] = [("macro", "macro"), ("prevalence", "weighted"), (None, None)]
    for ours, theirs in pairs:
        peer = average_precision_score(coded, many, average=theirs)
        np.testing.assert_allclose(pr.AveragePrecision(ours)(C, many), peer, rtol=1e-13)


def test_tied_positives_are_one_step() -> None:
    # One negative above two tied positives: both are found at a precision of 2/3.
    assert pr.average_precision([0, 1, 1], [3, 2, 2]) == pytest.approx(2 / 3, rel=1e-15)
    assert pr.average_precision([0, 1, 1], [3, 2, 1]) == pytest.approx(7 / 12, rel=1e-15)


def test_ends() -> None:
    weights = RNG.random(90)
    assert pr.average_precision(Y, Y + 0.0) == 1
    assert pr.average_precision(Y, Y + 0.0, sample_weight=weights) == 1
    assert pr.average_precision(Y, np.zeros(90)) == pytest.approx(1 / 3, rel=1e-15)
    two = np.column_stack([-GOOD, GOOD])
    assert pr.average_precision(Y, two) == pr.average_precision(Y, GOOD)
    both = pr.average_precision(Y, two, average=None)
    assert both == pytest.approx(
        [pr.average_precision(~Y, -GOOD), pr.average_precision(Y, GOOD)], rel=1e-15
    )


@pytest.mark.parametrize("digits", [1, 9])
def test_replicates(digits: int) -> None:
    for measure in (pr.AveragePrecision(), pr.AveragePrecision(None)):
        every.replicates_are_the_measure_of_weighted_rows(measure, C, np.round(P, digits))
    every.replicates_are_the_measure_of_weighted_rows(
        pr.AveragePrecision(), Y, np.round(GOOD, digits)
    )
    every.threads_and_memory_change_no_bit(pr.AveragePrecision("prevalence"), C, P)


def test_sorted_rows_have_whole_ties() -> None:
    n = 140_000
    y = RNG.integers(0, 2, n)
    # A few rows to a score: many ties, but too many scores for rows to be drawn as cells.
    s = np.round(y + RNG.normal(size=n), 5)
    run: dict[str, Any] = {"n_resamples": 64, "seed": 1, "stratify": True}
    result = pr.bootstrap(y, s, "average_precision", **run)
    assert result.path == "sorted rows"
    assert result.estimate == pytest.approx(average_precision_score(y, s), rel=1e-12)
    assert abs(result.replicates.mean() - result.estimate) < 5 * result.standard_error / 8
    by_rows = pr.bootstrap(y, s, ["average_precision", "hand_till"], **run)
    ratio = result.standard_error / by_rows["average_precision"].standard_error
    assert 0.7 < ratio < 1.4


def test_comparisons() -> None:
    every.comparisons_are_made(pr.AveragePrecision(), Y, Y + 0.3 * GOOD, RNG.normal(size=90), True)
    every.comparisons_are_made(pr.AveragePrecision(), C, P, RNG.random((120, 4)), True)


def test_perfect_separation_has_an_interval_from_the_sizes() -> None:
    for y, s in ((Y, Y + 0.0), (C, np.eye(4)[C])):
        result = pr.bootstrap(y, s, "average_precision", n_resamples=99, seed=1)
        low, high = result.interval
        assert 0.3 < low < 0.95
        assert high == 1
        assert result.method == "newcombe"
    # Of a rare class less is known: one false alarm in a thousand halves its precision.
    rare = np.arange(2000) % 200 == 0
    assert pr.bootstrap(rare, rare + 0.0, "average_precision", n_resamples=99).interval[0] < 0.2
    for scores in (np.zeros(90), -1.0 * Y):
        result = pr.bootstrap(Y, scores, "average_precision", n_resamples=99, seed=1)
        assert result.interval[0] <= result.estimate <= result.interval[1]
        assert np.ptp(result.interval) > 0.1


def test_no_ranking_is_below_the_bound_given_its_auc() -> None:
    # Positives with rank k where k + negatives above grows as the root of k: the least precision.
    n1, n0 = 2000, 4000
    x = (np.arange(n1) + 0.5) / n1
    above = np.round(n1 * (2.25 * np.sqrt(x) - x)).astype(int)
    s = np.r_[-(above + 0.5) - 1e-6 * np.arange(n1), -(np.arange(n0) + 1.0)]
    hard = (np.r_[np.ones(n1, int), np.zeros(n0, int)], s)
    easy = [(Y, Y * k + RNG.normal(size=90)) for k in (0.0, 0.5, 1.0, 3.0)]
    rare = [(np.arange(400) % 40 == 0, RNG.normal(size=400)) for _ in range(20)]
    for y, scores in (hard, *easy, *rare):
        auc, sizes = pr.auc(y, scores), (int(y.sum()), int(len(y) - y.sum()))
        bound = pr.AveragePrecision().from_auc.shares(np.array([auc]), np.array([auc]), sizes)
        value = pr.average_precision(y, scores)
        assert bound[0][0] <= value <= bound[1][0]


def test_a_single_replicate_has_an_interval_around_the_estimate() -> None:
    y = RNG.integers(0, 2, 2000)
    result = pr.bootstrap(y, y * 4 + RNG.normal(size=2000), "average_precision", n_resamples=1)
    low, high = result.interval
    assert 0.8 < low < result.estimate < high <= 1


def test_more_classes_than_an_ordering_tells_apart_are_refused() -> None:
    scores = np.zeros((4, 70_000), dtype=np.float32)
    with pytest.raises(ValueError, match=r"^70000 classes; an ordering of rows tells at most"):
        pr.average_precision([0, 1, 0, 1], scores, labels=range(70_000), absent="skip")


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"^average is 'weighted'; scikit-learn's name"):
        pr.AveragePrecision("weighted")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^average is 'micro'; choose one of"):
        pr.AveragePrecision("micro")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^average=None has one value per class but y_score is"):
        pr.average_precision(Y, GOOD, average=None)
    with pytest.raises(ValueError, match=r"^AveragePrecision\(None\) has one value per class;"):
        pr.compare(C, {"a": P, "b": P}, pr.AveragePrecision(None))
