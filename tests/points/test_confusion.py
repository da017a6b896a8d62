"""Confusion matrices and their rates against definitions and scikit-learn."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from given.refusals import refusals
from given.strategies import Sample, samples
from oracle import points_reference as ref

RATES = ("sensitivity", "specificity", "ppv", "npv", "f1")
RNG = np.random.default_rng(3)
Y = RNG.integers(0, 3, 200)
P = RNG.dirichlet(np.ones(3), 200) + 0.6 * np.eye(3)[Y]
P /= P.sum(axis=1, keepdims=True)
B = Y == 1
S = P[:, 1]
value_error, type_error = refusals(pr.confusion)


def whole(sample: Sample) -> list[Fraction]:
    w = np.ones(len(sample.c)) if sample.w is None else sample.w
    return [Fraction(x) for x in w.tolist()]


def agree(c: pr.Confusion, counts: list[list[Fraction]]) -> None:
    assert c.counts.tolist() == counts
    total = sum(map(sum, counts))
    right = sum(counts[k][k] for k in range(len(counts)))
    assert c.accuracy == pytest.approx(float(right / total), rel=1e-12)
    for k in range(len(counts)):
        for name, value in ref.rates(counts, k).items():
            assert getattr(c, name)[k] == pytest.approx(value, rel=1e-12, abs=1e-15, nan_ok=True)


@given(samples())
def test_greatest_score(sample: Sample) -> None:
    c = pr.confusion(sample.c, sample.P, sample_weight=sample.w, seed=1, n_resamples=5)
    agree(c, ref.confusion(sample.c, sample.P.argmax(axis=1), whole(sample), sample.K))


@given(samples(K=st.just(2), columns=False), st.data())
def test_threshold(sample: Sample, data: Any) -> None:
    s = sample.P[:, 0] if sample.P.ndim == 2 else sample.P
    t = data.draw(st.sampled_from([*s.tolist(), -math.inf, math.inf, 0, 0.5, 2.5]))
    c = pr.confusion(
        sample.c, s, threshold=float(t) if isinstance(t, bool) else t, sample_weight=sample.w,
        seed=1, n_resamples=5,
    )  # fmt: skip
    said = np.array([x >= t for x in s.tolist()])
    agree(c, ref.confusion(sample.c, said.astype(int), whole(sample), 2))


@given(samples(scores=st.integers(0, 8).map(lambda x: x / 8), dtypes=("float64",)), st.data())
def test_least_cost(sample: Sample, data: Any) -> None:
    K = sample.K
    cells = data.draw(st.lists(st.integers(0, 4), min_size=K * K, max_size=K * K))
    A = np.array(cells, dtype=float).reshape(K, K)
    if not (A != A[:1]).any():
        return
    c = pr.confusion(sample.c, sample.P, costs=A, sample_weight=sample.w, seed=1, n_resamples=5)
    said = np.array([ref.least_cost(p, A) for p in sample.P])
    counts = ref.confusion(sample.c, said, whole(sample), K)
    agree(c, counts)
    paid = sum(counts[i][j] * Fraction(A[j, i]) for i in range(K) for j in range(K))
    assert c.cost == pytest.approx(float(paid), rel=1e-12)


def test_scikit_learn_agrees() -> None:
    w = RNG.random(200)
    for y, scores, said in ((Y, P, P.argmax(axis=1)), (B, S, S >= 0.5)):
        for weights in (None, w):
            c = pr.confusion(y, scores, sample_weight=weights, seed=1, n_resamples=20)
            options: dict[str, Any] = {"sample_weight": weights}
            np.testing.assert_allclose(c.counts, metrics.confusion_matrix(y, said, **options))
            assert c.accuracy == pytest.approx(metrics.accuracy_score(y, said, **options))
            options["average"] = None
            np.testing.assert_allclose(c.sensitivity, metrics.recall_score(y, said, **options))
            np.testing.assert_allclose(c.ppv, metrics.precision_score(y, said, **options))
            np.testing.assert_allclose(c.f1, metrics.f1_score(y, said, **options))
            options["average"] = "macro"
            assert c.macro["f1"] == pytest.approx(metrics.f1_score(y, said, **options))


def test_whole_weights_are_repeated_rows() -> None:
    w = RNG.integers(0, 4, 200)
    many = np.repeat(np.arange(200), w)
    again = pr.confusion(Y[many], P[many])
    weighted = pr.confusion(Y, P, sample_weight=w, seed=1, n_resamples=10)
    frequent = pr.confusion(Y, P, frequency_weight=w)
    np.testing.assert_array_equal(weighted.counts, again.counts)
    np.testing.assert_array_equal(weighted.f1, again.f1)
    assert frequent == again  # intervals too: rows that were seen are rows
    assert weighted.n_rows == np.count_nonzero(w)


def test_unit_costs_say_the_greatest_score_to_the_last_bit() -> None:
    near = np.array([[1 / 3, np.nextafter(1 / 3, 1), 1 / 3], [0.1, 0.1, 0.1], [0.2, 0.3, 0.3]])
    scores = np.concatenate([near, P])
    y = np.concatenate([[0, 1, 2], Y])
    for factor in (1, 3, 0.1):
        costs = factor * (1 - np.eye(3))
        np.testing.assert_array_equal(
            pr.confusion(y, scores, costs=costs).counts, pr.confusion(y, scores).counts
        )


def test_expected_costs_tie_but_for_rounding() -> None:
    # Votes of 10 neighbours: 3 x 0.1 and 1 x 0.3 are one cost, though not in floating point.
    votes = np.array([(a, b, 10 - a - b) for a in range(11) for b in range(11 - a)])
    y = np.arange(len(votes)) % 3
    for costs in ([[0, 1, 1], [1, 0, 3], [4, 3, 0]], [[0, 7, 1], [3, 0, 5], [1, 6, 0]]):
        said = [ref.least_cost(row, np.array(costs)) for row in votes]
        counts = ref.confusion(y, np.array(said), [Fraction(1)] * len(y), 3)
        for scores in (votes / 10, (votes / 10).astype(np.float32)):
            assert pr.confusion(y, scores, costs=costs).counts.tolist() == counts
    y, yes = np.arange(11) % 2, np.arange(11)
    said = [ref.least_cost(np.array([10 - k, k]), np.array([[0, 3], [7, 0]])) for k in yes]
    counts = ref.confusion(y, np.array(said), [Fraction(1)] * 11, 2)
    assert pr.confusion(y, yes / 10, costs=(7, 3)).counts.tolist() == counts


def test_costs_of_two_classes() -> None:
    # A pair is (false positive, false negative); the probability from which on to act is 1/6.
    c = pr.confusion(B, S, costs=(1, 5))
    assert c.cost == c.counts[0, 1] + 5 * c.counts[1, 0]
    np.testing.assert_array_equal(c.counts, pr.confusion(B, S, threshold=1 / 6).counts)
    matrix = pr.confusion(B, S, costs=[[0, 5], [1, 0]])
    assert matrix.cost == c.cost
    columns = pr.confusion(B, np.column_stack([1 - S, S]), costs=(1, 5))
    np.testing.assert_array_equal(columns.counts, c.counts)
    # With a threshold they price what is said, and decide nothing.
    priced = pr.confusion(B, S, threshold=0.7, costs=(1, 5))
    np.testing.assert_array_equal(priced.counts, pr.confusion(B, S, threshold=0.7).counts)
    assert priced.cost == priced.counts[0, 1] + 5 * priced.counts[1, 0]
    assert pr.confusion(B, S).cost is None


def test_corners() -> None:
    none, every = pr.confusion(B, S, threshold=math.inf), pr.confusion(B, S, threshold=-1)
    assert none.counts[:, 1].tolist() == [0, 0]
    assert every.counts[:, 0].tolist() == [0, 0]
    assert none.sensitivity[1] == 0
    assert none.specificity[1] == 1
    assert none.f1[1] == 0
    assert math.isnan(none.ppv[1])
    assert np.isnan(none.interval["ppv"][1]).all()
    assert math.isnan(every.npv[1])
    assert math.isnan(none.macro["ppv"])


def test_a_class_without_rows() -> None:
    y, scores = Y[Y < 2], P[Y < 2]
    c = pr.confusion(y, scores, labels=[0, 1, 2])
    assert c.counts[2].tolist() == [0, 0, 0]
    assert math.isnan(c.sensitivity[2])
    assert c.specificity[2] < 1
    assert math.isnan(c.macro["sensitivity"])
    assert not math.isnan(c.macro["specificity"])


def test_rows_of_one_class() -> None:
    scores = [0.1, 0.6, 0.3]
    c = pr.confusion([0, 0, 0], scores, labels=[0, 1])
    assert c.counts.tolist() == [[2, 1], [0, 0]]
    assert c.specificity[1] == 2 / 3
    assert c.ppv[1] == 0
    assert math.isnan(c.sensitivity[1])
    assert np.isnan(c.interval["sensitivity"][1]).all()
    repeated = pr.confusion([0, 0, 0, 0, 0], [0.1, 0.6, 0.6, 0.3, 0.3], labels=[0, 1])
    assert pr.confusion([0, 0, 0, 1], [*scores, 1], frequency_weight=[1, 2, 2, 0]) == repeated
    weighted = pr.confusion([0, 0, 0, 1], [*scores, 1], sample_weight=[1, 2, 2, 0])
    assert weighted.counts.tolist() == repeated.counts.tolist()
    value_error(r"every row has the label 0; pass labels= with all classes", [0, 0, 0], scores)


def test_which_class_is_positive() -> None:
    c = pr.confusion(B, 1 - S, threshold=0.5, pos_label=False)
    assert c.classes == (True, False)
    two = pr.confusion(B, np.column_stack([1 - S, S]), threshold=0.3)
    np.testing.assert_array_equal(two.counts, pr.confusion(B, S, threshold=0.3).counts)


def test_threshold_is_read_in_the_type_of_the_scores() -> None:
    s = np.array([0.1, 0.7, 0.2, 0.3], dtype=np.float32)
    for t in (0.1, 0.7):
        c = pr.confusion([0, 1, 1, 0], s, threshold=t)
        assert c.counts[:, 1].sum() == np.count_nonzero(s >= t)
    big = np.array([2**60, 2**60 + 1, 2**60 + 2, 5])
    for t, expected in ((2**60 + 1, 2), (2**60, 3), (4.5, 4), (-math.inf, 4), (math.inf, 0)):
        assert pr.confusion([0, 1, 1, 0], big, threshold=t).counts[:, 1].sum() == expected


def test_result_in_other_forms() -> None:
    for c in (pr.confusion(B, S), pr.confusion(Y, P, costs=1 - np.eye(3), method="bootstrap")):
        assert pickle.loads(pickle.dumps(c)) == c
        again = json.loads(json.dumps(c.to_dict()))
        assert again["counts"] == c.counts.tolist()
        assert again["interval"]["f1"] == c.interval["f1"].tolist()
        frame = c.to_frame("pandas")
        assert frame["value"][0] == c.accuracy
        assert len(frame) == 1 + 5 * len(c.classes) + (5 if len(c.classes) > 2 else 0)
        assert "sensitivity" in c.to_markdown()
        assert "sensitivity" in c._repr_html_()
        for array in (c.counts, c.f1, c.interval["f1"]):
            assert not array.flags.writeable


def test_many_classes_print_shortly() -> None:
    y = np.arange(60) % 30
    text = repr(pr.confusion(y, RNG.random((60, 30))))
    assert ".counts is 30 x 30" in text
    assert len(text.splitlines()) < 15


def test_refusals() -> None:
    value_error(r"threshold is for one column of scores but there are 3; leave", Y, P, threshold=1)
    value_error(r"y_score reaches from .* to .*, where 0\.5 says nothing; pass", B, 10 * S - 5)
    type_error(r"threshold is '1'; pass a number", B, S, threshold="1")
    value_error(r"threshold is nan; pass a number", B, S, threshold=math.nan)
    value_error(r"y_score\[0\] is NaN; drop", [0, 1], [math.nan, 1])
    value_error(r"y_score\[1, 2\] is NaN; drop", [0, 1, 2], [[0, 0, 1], [0, 0, math.nan], [0] * 3])
    value_error(r"sample_weight\[1\] is -1\.0; weights must", [0, 1], [0, 1], sample_weight=[1, -1])
    value_error(r"costs\[0, 1\] is -1\.0; costs must", B, S, costs=[[0, -1], [1, 0]])
    value_error(r"costs\[1\] is -5; costs must be >= 0", B, S, costs=(1, -5))
    value_error(r"costs are both 0", B, S, costs=(0, 0))
    value_error(r"costs are the same whatever is said", Y, P, costs=np.ones((3, 3)))
    value_error(r"costs has shape \(2, 2\) but there are 3 classes; pass 3 x 3", Y, P,
                costs=np.eye(2))  # fmt: skip
    value_error(r"y_score\[0\] is 1\.5; expected costs need probabilities, in \[0, 1\]",
                [0, 1], [1.5, 0], costs=(1, 2))  # fmt: skip
    value_error(r"y_score\[1, 0\] is -1\.0; expected costs need probabilities", [0, 1, 2],
                [[0.0, 1, 0], [-1, 1, 1], [0, 0, 1]], costs=1 - np.eye(3))  # fmt: skip
    value_error(r"method is 'exact'; choose one of 'wilson'", B, S, method="exact")
    for method in ("wilson", "bootstrap", None):
        value_error(r"groups puts all rows into one group", B, S, groups=np.zeros(200),
                    method=method)  # fmt: skip
    type_error(r"confidence holds several levels", B, S, confidence=[0.9, 0.95])
    value_error(r"confidence is 1\.5", B, S, confidence=1.5)
    type_error(r"confusion\(\) got an unexpected .* 'random_state'; it is called seed", B, S,
               random_state=1)  # fmt: skip


def test_costs_whose_classes_have_names_are_refused_as_they_would_be_passed_over() -> None:
    y, scores = ["a", "b", "c"] * 4, np.full((12, 3), 1 / 3)
    costs = pd.DataFrame(1.0 - np.eye(3), index=list("cab"), columns=list("cab"))
    with pytest.raises(ValueError, match=r"^costs is a data frame with named columns, which are"):
        pr.confusion(y, scores, costs=costs)
    assert pr.confusion(y, scores, costs=costs.to_numpy()).cost == 8.0
