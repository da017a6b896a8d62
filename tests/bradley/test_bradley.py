"""Bradley's protocol as users call it: forms of input, averaging and pooling, what is printed."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pytest
from numpy.typing import NDArray
from polyroc._bradley.bradley import bradley
from polyroc._stats.hanley_mcneil import hanley_mcneil
from scipy import stats

Floats = NDArray[np.float64]


def binary(r: int = 6, n: int = 30) -> list[Any]:
    """Folds of two classes: a good, a fair and a poor classifier, scores with ties."""
    rng = np.random.default_rng([r, n])
    folds = []
    for k in range(r):
        y = np.arange(n + k) % 3 == 0
        scores = {
            name: (rng.normal(size=n + k) + shift * y).round(1)
            for name, shift in (("good", 2.0), ("poor", 0.2), ("fair", 1.0))
        }
        folds.append((y, scores))
    return folds


def matrix(r: int = 5, n: int = 45, K: int = 3) -> list[Any]:
    rng = np.random.default_rng([r, n, K])
    folds = []
    for _ in range(r):
        y = np.arange(n) % K
        scores = {
            name: rng.normal(size=(n, K)) + shift * np.eye(K)[y]
            for name, shift in (("good", 2.0), ("fair", 1.0))
        }
        folds.append((y, scores))
    return folds


def bits(value: Any) -> bytes:
    return np.asarray(value, dtype=np.float64).tobytes()


RESULT = bradley(binary())
TABLE = [
    (fold, name, float(RESULT.values[i, j]))
    for i, fold in enumerate("uvwxyz")
    for j, name in enumerate(RESULT.classifiers)
]


# Averaging, SE(W), pooling


def test_values_are_the_measure_in_each_fold() -> None:
    folds = binary()
    assert RESULT.classifiers == ("good", "poor", "fair")
    assert RESULT.folds == tuple(range(6))
    assert RESULT.n_rows == (30, 31, 32, 33, 34, 35)
    expected = [[pr.auc(y, scores[name]) for name in RESULT.classifiers] for y, scores in folds]
    assert bits(RESULT.values) == bits(expected)


def test_means_and_their_errors_are_those_over_folds() -> None:
    assert RESULT.mean == pytest.approx(RESULT.values.mean(axis=0), rel=1e-14)
    spread = [float(np.std(column, ddof=1)) for column in RESULT.values.T]
    assert RESULT.standard_deviation == pytest.approx(np.array(spread), rel=1e-14)
    assert RESULT.standard_error == pytest.approx(np.array(spread) / math.sqrt(6), rel=1e-14)


def test_the_standard_error_of_w_is_that_of_a_fold() -> None:
    # Folds of 10 and of 20 rows a class: at the average AUC, the mean of SE(W)^2.
    y = np.arange(30) % 3 == 0
    folds = [(y, {"a": s, "b": -s}) for s in np.random.default_rng(1).normal(size=(4, 30))]
    result = bradley(folds)
    assert result.standard_error_w is not None
    assert result.standard_error_w[0] == pytest.approx(hanley_mcneil(result.mean[0], 10, 20))
    both = bradley([*folds, (np.tile(y, 2), {n: np.tile(s, 2) for n, s in folds[0][1].items()})])
    assert both.standard_error_w is not None
    squares = [hanley_mcneil(both.mean[1], 10, 20) ** 2] * 4
    squares.append(hanley_mcneil(both.mean[1], 20, 40) ** 2)
    assert both.standard_error_w[1] == pytest.approx(math.sqrt(np.mean(squares)))


def test_the_standard_error_of_w_is_for_the_whole_binary_auc_alone() -> None:
    assert bradley(binary(), pr.Auc(max_fpr=1)).standard_error_w is not None
    assert bradley(binary(), pr.Auc(max_fpr=0.5)).standard_error_w is None
    assert bradley(matrix(), "hand_till").standard_error_w is None


def test_pooling_puts_all_rows_together() -> None:
    folds = binary()
    y = np.concatenate([y for y, _ in folds])
    assert RESULT.pooled is not None
    for k, name in enumerate(RESULT.classifiers):
        together = np.concatenate([scores[name] for _, scores in folds])
        assert RESULT.pooled[k] == pr.auc(y, together)


def test_pooling_suffers_where_folds_disagree_about_the_scale() -> None:
    # Perfect in each fold, but the scores of one fold lie above all of the other's.
    y = [0, 0, 1, 1]
    folds = [(y, {"a": np.arange(4.0) + 10 * k, "b": [0, 1, 0, 1]}) for k in range(2)]
    result = bradley(folds)
    assert result.mean[0] == 1.0
    assert result.pooled is not None
    assert result.pooled[0] == 0.75


@pytest.mark.parametrize(
    ("measure", "one"),
    [
        ("hand_till", pr.HandTill()),
        ("auc_mu", pr.AucMu()),
        ("one_vs_rest", pr.OneVsRest()),
        ("polar_area", pr.PolarArea()),
        (pr.OneVsRest("micro"), pr.OneVsRest("micro")),
        (pr.AucMu(pair_weights="prevalence"), pr.AucMu(pair_weights="prevalence")),
    ],
)
def test_any_measure_will_do(measure: Any, one: Any) -> None:
    folds = matrix()
    result = bradley(folds, measure)
    assert result.measure == one
    assert result.values[2, 1] == one(folds[2][0], folds[2][1]["fair"])
    y = np.concatenate([y for y, _ in folds])
    together = np.concatenate([scores["good"] for _, scores in folds])
    assert result.pooled is not None
    assert result.pooled[0] == one(y, together)
    assert result.ranking == ("good", "fair")


def test_two_classifiers_are_the_paired_t_test() -> None:
    result = bradley(matrix(), "auc_mu")
    p_value = stats.ttest_rel(*result.values.T).pvalue
    assert result.anova.classifiers.p_value == pytest.approx(p_value, rel=1e-9)
    for alpha, differ in ((p_value * 1.01, True), (p_value * 0.99, False)):
        again = bradley(matrix(), "auc_mu", alpha=alpha)
        assert again.duncan.differ("good", "fair") == again.tukey.differ("good", "fair") == differ


# Forms of input


@pytest.mark.parametrize(
    "form",
    [
        TABLE,
        iter(TABLE),
        [list(row) for row in TABLE],
        [dict(zip(("fold", "classifier", "value"), row, strict=True)) for row in TABLE],
        {name: [row[k] for row in TABLE] for k, name in enumerate(("fold", "classifier", "value"))},
        pd.DataFrame(TABLE, columns=["fold", "classifier", "value"]),
        pl.DataFrame(TABLE, schema=["fold", "classifier", "value"], orient="row"),
        np.array(TABLE, dtype=[("fold", "U1"), ("classifier", "U9"), ("value", "f8")]),
    ],
    ids=["tuples", "iterator", "lists", "records", "columns", "pandas", "polars", "structured"],
)
def test_a_table_of_values_gives_the_same_tests(form: Any) -> None:
    result = bradley(form, "auc")
    assert (result.measure, result.folds) == ("auc", tuple("uvwxyz"))
    assert result.classifiers == RESULT.classifiers
    for name in ("values", "mean", "standard_error"):
        assert bits(getattr(result, name)) == bits(getattr(RESULT, name))
    assert result.anova == RESULT.anova
    assert result.duncan.groups == RESULT.duncan.groups
    assert (result.pooled, result.standard_error_w, result.n_rows) == (None, None, None)
    assert "pooled, SE(W): not available, they need labels and scores" in repr(result)


def test_rows_of_a_table_may_come_in_any_order() -> None:
    mixed = [TABLE[k] for k in np.random.default_rng(0).permutation(len(TABLE))]
    result = bradley(mixed)
    assert result.measure == "value"
    order = [result.classifiers.index(name) for name in RESULT.classifiers]
    assert bits(result.mean[order]) == bits(RESULT.mean)
    assert result.anova == RESULT.anova


def test_folds_may_come_one_by_one_with_frames_and_named_labels() -> None:
    folds = []
    for k, (y, scores) in enumerate(matrix()):
        labels = np.array(["x", "y", "z"])[y]
        frames: dict[str, Any] = {
            name: pd.DataFrame(p, columns=["x", "y", "z"]) for name, p in scores.items()
        }
        if k == 2:  # columns are found by name, in the pool too
            frames = {name: frame[["z", "x", "y"]] for name, frame in frames.items()}
        folds.append((pd.Series(labels), frames))
    named, bare = bradley(iter(folds), "auc_mu"), bradley(matrix(), "auc_mu")
    assert bits(named.values) == bits(bare.values)
    assert bits(named.pooled) == bits(bare.pooled)


def test_two_columns_beside_one_and_other_labels() -> None:
    folds = binary(3)
    both = []
    for y, s in folds:
        two = np.column_stack([-s["poor"], s["poor"]])
        both.append((np.where(y, "sick", "well"), {"a": s["good"], "b": two}))
    turned = bradley(both, labels=["well", "sick"])
    plain = bradley([(y, {"a": s["good"], "b": s["poor"]}) for y, s in folds])
    assert bits(turned.values) == bits(plain.values)
    assert bits(turned.standard_error_w) == bits(plain.standard_error_w)


def test_absent_classes_may_be_skipped() -> None:
    folds = matrix()
    y, scores = folds[1]
    keep = y != 2
    folds[1] = y[keep], {name: p[keep] for name, p in scores.items()}
    measure = pr.HandTill(absent="skip")
    result = bradley(folds, measure)
    expected = measure(folds[1][0], folds[1][1]["good"], labels=[0, 1, 2])
    assert result.values[1, 0] == expected


def test_whole_numbers_beyond_float64_are_ranked_per_fold_and_refused_in_the_pool() -> None:
    y = [0, 1, 0, 1]
    large = 2**60 + np.arange(4)
    with pytest.raises(
        ValueError, match=r"all folds of 'a' together: y_score of folds\[1\]\[0\] is"
    ):
        bradley([(y, {"a": [1, 2, 3, 4], "b": y}), (y, {"a": large, "b": y})])


# No error, no difference


def test_identical_classifiers_are_one_group() -> None:
    folds = [(y, {"a": s["fair"], "b": s["fair"], "c": 2 * s["fair"]}) for y, s in binary()]
    result = bradley(folds)
    assert result.duncan.groups == result.tukey.groups == (("a", "b", "c"),)
    assert (result.anova.classifiers.f, result.anova.classifiers.p_value) == (0, 1)
    assert result.notes[0].startswith("the classifiers do not differ in any fold; ")


def test_perfect_separation_in_every_fold() -> None:
    y = [0, 0, 1, 1]
    folds = [(y, {"best": y, "other": [1, 2, 3, 4], "none": [0] * 4}) for _ in range(3)]
    result = bradley(folds)
    assert result.duncan.groups == result.tukey.groups == (("best", "other"), ("none",))
    assert (result.anova.classifiers.f, result.anova.classifiers.p_value) == (math.inf, 0)
    assert result.standard_error.tolist() == [0, 0, 0]
    assert result.standard_error_w is not None
    assert result.standard_error_w[0] == 0
    assert "nan" not in repr(result)


def test_a_difference_that_is_none_is_said() -> None:
    rng = np.random.default_rng(3)
    values = [(k, name, v) for name in "abc" for k, v in enumerate(rng.normal(size=8))]
    result = bradley(values)
    assert result.anova.classifiers.p_value is not None
    assert result.anova.classifiers.p_value > 0.05
    assert result.notes[-1].startswith("F is not significant (p 0.")
    assert not any("not significant" in note for note in RESULT.notes)


# The result


SHOWN = """\
accuracy of 3 classifiers over 4 folds
     classifier     mean      SE      SD
  1  c           87.0000  1.7795  3.5590
  2  b           82.0000  1.0801  2.1602
  3  a           80.0000  1.6330  3.2660
  SE: of the mean; SD: over folds
  pooled, SE(W): not available, they need labels and scores
Analysis of variance, folds as blocks
  source       sum of squares  df  mean square      F       p
  classifiers        104.0000   2      52.0000  13.00  0.0066
  folds               60.0000   3      20.0000   5.00  0.0452
  error               24.0000   6       4.0000
  total              188.0000  11
Duncan's multiple range test, alpha 0.05: a line joins those that do not differ
     c        b        a
  87.0000  82.0000  80.0000
  -------
           ----------------
Tukey's honestly significant difference, alpha 0.05: the same groups"""


def test_what_is_printed() -> None:
    rows = [[80, 83, 89], [76, 82, 82], [84, 84, 90], [80, 79, 87]]
    table = [(k, name, x) for k, row in enumerate(rows) for name, x in zip("abc", row, strict=True)]
    result = bradley(table, "accuracy")
    assert repr(result) == str(result) == SHOWN
    # At 1 % Duncan's R_3 is 5.439 and Tukey's 6.331, times sqrt(4 / 4): c - a = 7 exceeds both;
    # c - b = 5 is below R_2 = 5.243, and the groups overlap.
    assert bradley(table, alpha=0.01).tukey.groups == (("c", "b"), ("b", "a"))


def test_tukeys_lines_are_drawn_where_they_differ_from_duncans() -> None:
    text = repr(bradley(TABLE))
    assert text.count("a line joins those that do not differ") + text.count("the same groups") == 2
    names = [f"quite a long name of classifier {k}" for k in range(4)]
    rng = np.random.default_rng(5)
    wide = [(i, name, x) for i in range(4) for name, x in zip(names, rng.random(4), strict=True)]
    lines = repr(bradley(wide)).splitlines()
    assert "  (by their numbers in the table)" in lines
    assert max(map(len, lines)) <= 100


def test_the_result_is_frozen_and_survives_pickling_and_json() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        RESULT.alpha = 0.1  # type: ignore[misc]
    for result in (RESULT, pickle.loads(pickle.dumps(RESULT)), copy.deepcopy(RESULT)):
        with pytest.raises(ValueError, match="read-only"):
            result.values[0, 0] = 0
        assert repr(result) == repr(RESULT)
    plain = json.loads(json.dumps(RESULT.to_dict()))
    assert plain["measure"] == "Auc()"
    assert plain["mean"] == RESULT.mean.tolist()
    assert plain["duncan"]["groups"] == [list(group) for group in RESULT.duncan.groups]
    assert plain["anova"]["error"]["df"] == 10
    assert bradley(TABLE).to_dict()["pooled"] is None


def test_threads_change_nothing() -> None:
    one = bradley(binary(), n_threads=1)
    assert bits(one.values) == bits(RESULT.values)
    assert bits(one.pooled) == bits(RESULT.pooled)
