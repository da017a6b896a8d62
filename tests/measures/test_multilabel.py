"""Many labels per row: values against scikit-learn and plain loops, containers, and bad input."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

from oracle import multilabel_reference as ref

Array = NDArray[Any]
AVERAGES: list[Any] = ["macro", "micro", "prevalence", None]
MEASURES: list[Any] = [
    "auc", "average_precision", "kolmogorov_smirnov", pr.Auc(max_fpr=0.3),
]  # fmt: skip
RNG = np.random.default_rng(0)
N, L = 200, 4
Y = (RNG.random((N, L)) < [0.5, 0.2, 0.1, 0.3]).astype(int)
S = np.round(RNG.normal(size=(N, L)) + Y, 1)
W = RNG.random(N)


@st.composite
def matrices(draw: Any, missing: bool = True) -> tuple[Array, Array, Array | None]:
    """Labels of which every column has both, scores with ties, and weights or none."""
    n, labels = draw(st.integers(2, 12)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    Y = rng.integers(0, 2, (n, labels)).astype(float)
    if missing:
        Y[rng.random((n, labels)) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    Y[0], Y[1] = 0.0, 1.0
    S = rng.integers(0, draw(st.sampled_from([2, 5, 1000])), (n, labels)) / 8.0
    weights = draw(st.sampled_from(["none", "whole", "real"]))
    w = {"none": None, "whole": rng.integers(1, 4, n), "real": rng.random(n) + 0.1}[weights]
    return Y, S, w


def sklearn_value(score: Any, Y: Array, S: Array, average: Any, w: Any) -> Any:
    name = "weighted" if average == "prevalence" else average
    return score(Y, S, average=name, sample_weight=w)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("weights", [None, W])
def test_values_are_those_of_scikit_learn(average: Any, weights: Any) -> None:
    for name, score in (("auc", roc_auc_score), ("average_precision", average_precision_score)):
        found = pr.multilabel(Y, S, name, average=average, sample_weight=weights)
        expected = sklearn_value(score, Y, S, average, weights)
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@given(matrices(missing=False), st.sampled_from(AVERAGES))
def test_any_values_are_those_of_scikit_learn(data: Any, average: Any) -> None:
    Y, S, w = data
    if Y.shape[1] == 1:
        Y, S = np.column_stack([Y, 1 - Y]), np.column_stack([S, S])
    found = pr.multilabel(Y, S, average=average, sample_weight=w)
    expected = sklearn_value(roc_auc_score, Y, S, average, w)
    np.testing.assert_allclose(found, expected, rtol=1e-11)


@given(matrices(), st.sampled_from(MEASURES))
def test_a_label_is_its_labelled_rows(data: Any, measure: Any) -> None:
    Y, S, w = data
    one = pr.Multilabel(measure)._inner
    weights = np.ones(len(Y)) if w is None else np.asarray(w, float)

    def by_column(y: Array, s: Array, w: Array) -> float:
        return float(one(y, s, sample_weight=w))

    V = ref.values(Y, S, weights, by_column)
    options: Any = {"measure": measure, "sample_weight": w}
    np.testing.assert_allclose(pr.multilabel(Y, S, average=None, **options), V, rtol=1e-12)
    for average in ("macro", "prevalence"):
        expected = ref.average(Y, weights, V, average)
        found = pr.multilabel(Y, S, average=average, **options)
        assert found == pytest.approx(expected, rel=1e-12)
    known = ~np.isnan(Y)
    rows = np.nonzero(known)[0]
    pooled = one(Y[known], S[known], sample_weight=weights[rows])
    assert pr.multilabel(Y, S, average="micro", **options) == pytest.approx(pooled, rel=1e-12)


@given(matrices(), st.sampled_from(AVERAGES), st.sampled_from(MEASURES))
def test_whole_weights_are_repeated_rows(data: Any, average: Any, measure: Any) -> None:
    Y, S, _ = data
    times = np.arange(len(Y)) % 3 + 1
    found = pr.multilabel(Y, S, measure, average=average, sample_weight=times)
    again = pr.multilabel(
        np.repeat(Y, times, axis=0), np.repeat(S, times, axis=0), measure, average=average
    )
    np.testing.assert_allclose(found, again, rtol=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
def test_only_the_order_of_scores_counts(average: Any) -> None:
    found = pr.multilabel(Y, np.exp(3 * S), "auc", average=average)
    np.testing.assert_array_equal(found, pr.multilabel(Y, S, "auc", average=average))


def test_rows_of_weight_zero_are_no_rows() -> None:
    weights = np.where(np.arange(N) < 20, 0.0, 1.0)
    for average in AVERAGES:
        found = pr.multilabel(Y, S, average=average, sample_weight=weights)
        np.testing.assert_array_equal(found, pr.multilabel(Y[20:], S[20:], average=average))


def test_threads_change_no_bit() -> None:
    rng = np.random.default_rng(1)
    many = (rng.random((20_000, 9)) < 0.2).astype(np.int8)
    scores = rng.normal(size=(20_000, 9)).astype(np.float32)
    for average in AVERAGES:
        values = [pr.multilabel(many, scores, average=average, n_threads=k) for k in (1, 2)]
        np.testing.assert_array_equal(*values)
    expected = [pr.auc(many[:, k], scores[:, k]) for k in range(9)]
    np.testing.assert_array_equal(pr.multilabel(many, scores, average=None), expected)


# Containers


def test_containers_say_the_same() -> None:
    known = pr.multilabel(Y, S)
    names = ["a", "b", "c", "d"]
    held: list[Any] = [

        Y.astype(bool), Y.astype(np.uint8), Y.astype(np.int32), Y.astype(float), Y.tolist(),
        np.asfortranarray(Y), Y.astype(np.float32), Y.astype(object), Y[::-1][::-1],
        pd.DataFrame(Y, columns=names), pd.DataFrame(Y == 1, columns=names).astype("boolean"),
        pd.DataFrame(Y, columns=names).astype({"a": float, "b": "Int64"}),
        pl.DataFrame(Y, schema=names), dict(zip(names, Y.T, strict=True)),
    ]  # fmt: skip
    for labels in held:
        assert pr.multilabel(labels, S) == known
    for scores in (np.asfortranarray(S), S.tolist(), pd.DataFrame(S), pl.DataFrame(S)):
        assert pr.multilabel(Y, scores) == known


def test_what_is_missing_is_missing_in_every_container() -> None:
    holes = Y.astype(float)
    holes[::7, 1] = np.nan
    known = pr.multilabel(holes, S)
    objects = holes.astype(object)
    objects[np.isnan(holes)] = None
    frame = pd.DataFrame(holes).astype("Int64")
    for labels in (
        objects, objects.tolist(), frame, pl.DataFrame(objects.tolist(), orient="row"),
        np.ma.masked_invalid(holes),
    ):  # fmt: skip
        assert pr.multilabel(labels, S) == known
    unscored = np.where(np.isnan(holes), np.nan, S)  # what is not labelled needs no score
    assert pr.multilabel(holes, unscored) == known


def test_named_columns_find_each_other() -> None:
    names = ["edema", "mass", "nodule", "effusion"]
    labels, scores = pd.DataFrame(Y, columns=names), pd.DataFrame(S, columns=names)
    known = pr.multilabel(Y, S, average=None)
    turned = scores[names[::-1]]
    np.testing.assert_array_equal(pr.multilabel(labels, turned, average=None), known)
    dressed = turned.rename(columns=lambda name: f"p_{name}")
    np.testing.assert_array_equal(pr.multilabel(labels, dressed, average=None), known)
    with pytest.raises(ValueError, match=r"^the columns of y_score are named .* name both alike"):
        pr.multilabel(labels, scores.rename(columns={"mass": "other"}))
    partly = pd.DataFrame(S, columns=["p_mass", "x", "p_edema", "z"])
    with pytest.raises(ValueError, match=r"^the column 'p_mass' of y_score stands in the place of"):
        pr.multilabel(labels, partly)
    with pytest.warns(UserWarning, match=r"^no column of y_score is named after a label"):
        found = pr.multilabel(labels, scores.set_axis(list("wxyz"), axis=1), average=None)
    np.testing.assert_array_equal(found, known)
    table = pr.delong(labels, turned, pr.Multilabel("auc", None)).to_frame()
    assert table["label"].tolist() == names
    named = pr.delong(Y, S, pr.Multilabel("auc", None), labels=names).to_frame()
    assert named["label"].tolist() == names


# Labels with one class


def test_labels_with_one_class() -> None:
    lacking = np.column_stack([Y, np.zeros(N), np.ones(N), np.full(N, np.nan)])
    scores = np.column_stack([S, S[:, :3]])
    message = (
        r"^a label needs rows with 1 and with 0, but '4' has no 1, '5' has no 0, '6' has no rows; "
        r'pass absent="skip" to average without such labels, or drop their columns$'
    )
    with pytest.raises(ValueError, match=message):
        pr.multilabel(lacking, scores)
    for average in ("macro", "prevalence"):
        found = pr.multilabel(lacking, scores, average=average, absent="skip")
        assert found == pr.multilabel(Y, S, average=average)
    each = pr.multilabel(lacking, scores, average=None, absent="skip")
    np.testing.assert_array_equal(each[:L], pr.multilabel(Y, S, average=None))
    assert np.isnan(each[L:]).all()
    expected = roc_auc_score(lacking[:, :6], scores[:, :6], average="micro")
    assert pr.multilabel(lacking, scores, average="micro") == pytest.approx(expected)
    weights = np.where(Y[:, 2] == 1, 0.0, 1.0)
    with pytest.raises(ValueError, match=r"^a label needs .* '2' has no 1;"):
        pr.multilabel(Y, S, sample_weight=weights)
    with pytest.raises(ValueError, match=r"^no label in y_true has both 0 and 1: '0' has no 1"):
        pr.multilabel(np.zeros((5, 2)), np.zeros((5, 2)), absent="skip")
    with pytest.raises(ValueError, match=r"^every label in y_true is 0;"):
        pr.multilabel(np.zeros((5, 2)), np.zeros((5, 2)), average="micro")


# Bad input


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        ([[0, 2], [1, 1]], [[0, 1], [1, 0]], r"^y_true\[0, 1\] is 2; a label is 0 or 1, or nan"),
        ([[0.5, 1], [1, 0]], [[0, 1], [1, 0]], r"^y_true\[0, 0\] is 0.5; a label is 0 or 1"),
        ([[0, 1], [-1, 1]], [[0, 1], [1, 0]], r"^y_true\[1, 0\] is -1; a label is 0 or 1"),
        ([0, 1, 1], [0.1, 0.2, 0.3], r"^y_true has shape \(3,\); pass \(n, L\), a column of 0"),
        (Y, S[:, :3], r"^y_true has shape \(200, 4\) but y_score has \(200, 3\); pass one score"),
        (Y, S.T, r"^y_true has shape \(200, 4\) but y_score has \(4, 200\); pass y_score.T$"),
        (Y, S[1:], r"^y_true has shape \(200, 4\) but y_score has \(199, 4\)"),
        ([[0, 1], [1, 0]], [[0.1, np.nan], [0, 1]], r"^y_score\[0, 1\] is NaN; drop or impute"),
        ([[0, 1], [1, 0]], [np.ones((2, 2))] * 2, r"^y_score is a list of matrices.*column_stack"),
        (np.zeros((0, 2)), np.zeros((0, 2)), r"^y_true is empty"),
    ],
)
def test_bad_labels_and_scores(labels: Any, scores: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pr.multilabel(labels, scores)


def test_bad_types() -> None:
    with pytest.raises(TypeError, match=r"^y_true has dtype .*; a label is 0 or 1"):
        pr.multilabel(np.array([["a", "b"], ["b", "a"]]), [[0, 1], [1, 0]])
    with pytest.raises(TypeError, match=r"^y_true\[0, 0\] is 'yes'; a label is 0 or 1"):
        pr.multilabel([["yes", 0], [0, 1]], [[0, 1], [1, 0]])


def test_bad_options() -> None:
    with pytest.raises(ValueError, match=r"^pos_label is for two classes"):
        pr.Multilabel()(Y, S, pos_label=1)
    with pytest.raises(ValueError, match=r"^labels names 2 labels but y_true has 4 columns"):
        pr.multilabel(Y, S, labels=["a", "b"])
    with pytest.raises(ValueError, match=r"^sample_weight\[3\] is -1.0; weights must be finite"):
        pr.multilabel(Y, S, sample_weight=np.where(np.arange(N) == 3, -1.0, 1.0))
    with pytest.raises(ValueError, match=r"^average is 'weighted'; scikit-learn's name for"):
        pr.multilabel(Y, S, average="weighted")  # type: ignore[call-overload]
    values = pr.ExpectedCorrect(threshold=(2, 5))
    with pytest.raises(ValueError, match=r"reads scores as numbers, and .* pass average=\"micro\""):
        pr.multilabel(Y, S, values)
    with pytest.raises(ValueError, match=r"^measure is 'auk'; choose one of 'auc'"):
        pr.Multilabel("auk")
    with pytest.raises(ValueError, match=r"^measure is Multilabel\('auc'\), of many labels itself"):
        pr.Multilabel(pr.Multilabel())
    with pytest.raises(
        ValueError, match=r"^measure is AveragePrecision\(average=None\), one value"
    ):
        pr.Multilabel(pr.AveragePrecision(None))
    with pytest.raises(ValueError, match=r"^stratify=True needs rows of one class each"):
        pr.delong(Y, S, pr.Multilabel(), stratify=True)
    with pytest.raises(ValueError, match=r"do not read labels alike.*make one for each$"):
        pr.delong(Y, S, {"a": pr.Multilabel(), "b": pr.Multilabel(average="micro")})


def test_other_measures_name_the_way() -> None:
    with pytest.raises(ValueError, match=r"where a row may have many labels use multilabel, or pr"):
        pr.one_vs_rest(Y, S)


# The object


def test_objects_are_values() -> None:
    assert pr.Multilabel() == pr.Multilabel("auc") == pr.Multilabel(pr.Auc())
    variants = [
        pr.Multilabel(), pr.Multilabel(average=None), pr.Multilabel(absent="skip"),
        pr.Multilabel("average_precision"), pr.Multilabel(pr.Auc(max_fpr=0.1), "micro"),
    ]  # fmt: skip
    assert len(set(variants)) == len(variants)
    for one in variants:
        assert pickle.loads(pickle.dumps(one)) == one
        assert copy.deepcopy(one) == one
        assert eval(repr(one), {"Multilabel": pr.Multilabel, "Auc": pr.Auc}) == one
    assert repr(variants[-1]) == "Multilabel(Auc(max_fpr=0.1), average='micro')"


def test_labels_in_another_order_than_the_names_of_the_columns_are_an_error() -> None:
    y, scores = pd.DataFrame(np.eye(3, dtype=int), columns=list("abc")), np.eye(3)
    for frame, bare in ((y, scores), (y.to_numpy(), pd.DataFrame(scores, columns=list("abc")))):
        with pytest.raises(ValueError, match=r"^labels is \['c', 'a', 'b'\] but the columns are"):
            pr.multilabel(frame, bare, labels=list("cab"))
        for names in (["p_c", "p_a", "p_b"], ["p_c", "x", "z"]):  # all or some tell the order
            with pytest.raises(ValueError, match=r"^labels is .* in another order; drop labels="):
                pr.multilabel(y.to_numpy(), pd.DataFrame(scores, columns=names), labels=list("abc"))
        for labels in ("abc", "xyz"):
            assert pr.multilabel(frame, bare, labels=list(labels)) == 1.0
