"""Bad input: each kind is a ValueError or TypeError that names the place and the way out."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.refusals import refused

Y = [0, 1, 2, 0, 1, 2]
P = np.array([[6, 3, 1], [2, 5, 3], [1, 2, 7], [5, 2, 3], [3, 4, 3], [2, 2, 6]]) / 10
MATRIX_MEASURES: list[Callable[..., Any]] = [
    pr.hand_till,
    pr.auc_mu,
    pr.one_vs_rest,
    pr.polar_area,
    pr.pairwise,
    pr.HandTill(),
    pr.AucMu(),
    pr.OneVsRest(),
    pr.PolarArea(),
]
BINARY_MEASURES = [pr.auc, pr.Auc()]
nan, inf = float("nan"), float("inf")

matrix_measures = pytest.mark.parametrize("call", MATRIX_MEASURES)
binary_measures = pytest.mark.parametrize("call", BINARY_MEASURES)
every_measure = pytest.mark.parametrize("call", [*MATRIX_MEASURES, *BINARY_MEASURES])


def value_error(call: Any, begins: str, y: Any = Y, scores: Any = P, **options: Any) -> None:
    """The call raises a ValueError whose message begins with this pattern."""
    refused(ValueError, begins, call, y, scores, **options)


def type_error(call: Any, begins: str, y: Any = Y, scores: Any = P, **options: Any) -> None:
    """The call raises a TypeError whose message begins with this pattern."""
    refused(TypeError, begins, call, y, scores, **options)


def changed(matrix: Any, row: int, column: int, value: Any, dtype: Any = object) -> Any:
    """A copy with one entry replaced."""
    copy = np.array(matrix, dtype=dtype)
    copy[row, column] = value
    return copy


@matrix_measures
def test_scores_that_are_no_numbers(call: Any) -> None:
    for dtype in (np.float64, np.float32, np.float16):
        scores = changed(P, 4, 2, nan, dtype)
        for P_nan in (scores, np.asfortranarray(scores), scores.tolist()):
            value_error(call, r"y_score\[4, 2\] is NaN; drop or impute that row first$", Y, P_nan)
    value_error(call, r"y_score\[1, 0\] is None; drop or impute", Y, changed(P, 1, 0, None))
    value_error(
        call, r"y_score\[1, 0\] is None; drop or impute", Y, changed(P, 1, 0, None).tolist()
    )
    type_error(call, r"y_score\[0, 0\] is complex; .*\.real", Y, P.astype(complex))
    type_error(call, r"y_score\[1, 0\] is complex; .*\.real", Y, changed(P, 1, 0, 1j))
    type_error(
        call,
        r"y_score\[1, 0\] is 'a', a str; pass scores, as predict_proba",
        Y,
        changed(P, 1, 0, "a"),
    )
    type_error(call, r"y_score\[0, 0\] is '0\.6', a str; convert it", Y, P.astype(str))
    for strange in (Decimal("0.1"), Fraction(1, 3), "0.5", b"1", object()):
        type_error(call, r"y_score\[2, 1\] is .*; convert it", Y, changed(P, 2, 1, strange))


@pytest.mark.parametrize("dtype", [np.longdouble, object])
@matrix_measures
def test_scores_that_float64_cannot_hold(call: Any, dtype: Any) -> None:
    # 1 + 2^-60 as a wide float where there is one; 2^53 + 1 beside a float as an object.
    value = np.longdouble(1) + np.longdouble(2) ** -60 if dtype is np.longdouble else 2**53 + 1
    if value != float(value):
        value_error(
            call, r"y_score\[3, 1\] is .*float64 .*exactly", Y, changed(P, 3, 1, value, dtype)
        )


@matrix_measures
def test_shapes_of_scores(call: Any) -> None:
    type_error(call, r"y_score is an? .*float; pass an array", Y, 3.0)
    type_error(call, r"y_score is a.*None.*; pass an array", Y, None)
    value_error(call, r"y_score has shape \(6, 3, 1\); pass \(n,\)", Y, P[:, :, None])
    ragged = [*P[:2].tolist(), [0.1, 0.2], *P[3:].tolist()]
    value_error(call, r"rows of y_score must be equally long: .*y_score\[2\] 2", Y, ragged)
    value_error(call, r"y_true has 6 rows but y_score has 5; pass one label", Y, P[:5])
    value_error(call, r"y_true has 6 rows but y_score has 3; pass y_score\.T", Y, P.T)
    value_error(call, r"y_score has 2 columns but there are 3 classes .*labels=", Y, P[:, :2])
    value_error(call, r"y_score has 6 columns but there are 3 classes .*labels=", Y, np.eye(6))
    value_error(call, r"y_score is 1-D but there are 3 classes .*one column per class", Y, P[:, 0])


@every_measure
def test_nothing_there(call: Any) -> None:
    value_error(call, r"y_true is empty; there is nothing", [], [])
    value_error(call, r"y_true is empty; there is nothing", np.empty(0, int), np.empty((0, 3)))
    value_error(call, r"y_score is empty; there is nothing", Y, [])
    value_error(call, r"y_score ", Y, np.empty((6, 0)))


@binary_measures
def test_binary_scores(call: Any) -> None:
    y, s = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]
    value_error(call, r"y_score\[2\] is NaN; drop or impute that row", y, [0.1, 0.2, nan, 0.4])
    two = np.array([[0.1, 0.2], [0.2, 0.3], [0.4, nan], [0.1, 0.3]])
    value_error(call, r"y_score\[2, 1\] is NaN; drop or impute that row", y, two)
    value_error(call, r"y_true has 4 rows but y_score has 3", y, s[:3])
    value_error(call, r"y_score has 3 columns but there are 2 classes", y, [[0, 1, 2]] * 4)
    value_error(call, r"auc compares two classes but there are 3 .*hand_till or auc_mu")
    value_error(call, r"y_score is 1-D but there are 3 .*hand_till or auc_mu", [0, 1, 2, 1], s)
    curve = r".*polyroc\.auc takes \(y_true, y_score\).*sklearn\.metrics\.auc\(fpr, tpr\)"
    value_error(call, curve, [0.0, 0.2, 0.7, 1.0], [0.0, 0.6, 0.9, 1.0])
    value_error(call, r"every row has the label 1; .*at least two", [1, 1], [0.1, 0.2])


def test_max_fpr() -> None:
    limit: Any
    for limit in (0, 0.0, -0.1, 1.01, nan, inf):
        value_error(pr.auc, r"max_fpr is .*; .*\(0, 1\]", [0, 1], [0, 1], max_fpr=limit)
    for limit in ("0.1", [0.1], True, 1j):
        type_error(pr.auc, r"max_fpr is .*; pass a number", [0, 1], [0, 1], max_fpr=limit)


@matrix_measures
def test_values_of_labels(call: Any) -> None:
    value_error(call, r"y_true\[3\] is nan; drop|y_true\[3\] is NaN; drop", [0, 1, 2, nan, 1, 2])
    value_error(call, r"y_true\[3\] is NaN; drop", np.array([0, 1, 2, nan, 1, 2]))
    value_error(call, r"y_true\[3\] is None; drop", [*"abc", None, *"bc"])
    mixed = r"y_true mixes types: y_true\[0\] is 0 .* but y_true\[1\] is "
    type_error(call, mixed + "'b' .*make them one type", [0, "b", 2, 0, 1, 2])
    type_error(call, mixed + "True .*make them one type", [0, True, 2, 0, 1, 2])
    type_error(call, mixed + "b'b' .*one type", np.array([0, b"b", 2, 0, 1, 2], dtype=object))
    type_error(call, r"y_true has dtype complex128; labels are", np.array(Y) * 1j)
    type_error(call, r"y_true ", [{}, [], {}, [], {}, []])


@matrix_measures
def test_shapes_of_labels(call: Any) -> None:
    value_error(
        call, r"y_true has shape \(6, 3\); .*np\.argmax\(y_true, axis=1\)", np.eye(3, dtype=int)[Y]
    )
    swapped = r"y_true has shape \(6, 2\); .* 1-D.*; if those are scores, pass \(y_true, y_score\)"
    value_error(call, swapped, np.full((6, 2), 7))
    type_error(call, r"y_true is an? .*int; pass an array", 1)
    type_error(call, r"y_true is a.*None.*; pass an array", None)


@matrix_measures
def test_named_labels(call: Any) -> None:
    unknown = r"y_true\[2\] is 2, which is not in labels \[0, 1, 7\]; add it"
    value_error(call, unknown, labels=[0, 1, 7])
    another = r"y_true\[0\] is 0, which is not in labels .*of another type"
    value_error(call, another, labels=["0", "1", "2"])
    value_error(call, r"labels holds 1 twice; name every column once", labels=[0, 1, 1, 2])
    value_error(call, r"labels is \[0\]; name at least two", labels=[0])
    value_error(call, r"labels is \[\]; name at least two", labels=[])
    value_error(call, r"labels holds nan, .*leave it out", labels=[0, 1, nan])
    value_error(call, r"labels holds None, .*leave it out", labels=[0, 1, None])
    type_error(call, r"labels is a str; pass a list", labels="012")
    type_error(call, r"labels is a set; pass a list", labels={0, 1, 2})
    type_error(call, r"labels must be a flat list", labels=5)
    type_error(call, r"labels must be a flat list", labels=[[0], [1], [2]])
    value_error(call, r"y_score has 3 columns but there are 4 classes", labels=[0, 1, 2, 3])


@matrix_measures
def test_fewer_than_two_classes(call: Any) -> None:
    value_error(call, r"every row has the label 1; .*at least two", [1] * 6, labels=[0, 1, 2])
    value_error(call, r"every row has the label 1; .*at least two", [1] * 6)
    weights = [0, 1, 0, 0, 1, 0]
    value_error(call, r"every row of positive weight has the label 1; ", sample_weight=weights)


@matrix_measures
def test_a_class_without_rows(call: Any) -> None:
    one = r'no row .*has the label 2; pass absent="skip"'
    value_error(call, one, [0, 1, 0, 0, 1, 0], labels=[0, 1, 2])
    value_error(call, one, sample_weight=[1, 1, 0, 1, 1, 0])
    two = r'no row .*label.* \[0, 5\]; pass absent="skip"'
    value_error(call, two, [1, 2] * 3, np.eye(6)[:, :4], labels=[0, 1, 2, 5])


def test_a_class_without_rows_skipped() -> None:
    y = [0, 1] * 3
    too_few = r"polar_area needs at least three classes with rows, not 2; "
    value_error(pr.polar_area, too_few, y, labels=[0, 1, 2], absent="skip")
    value_error(pr.polar_area, too_few, [0, 1], np.eye(2))
    weights = [0, 1, 0, 0, 1, 0]
    one = r"every row of positive weight has the label 1; "
    for call in (pr.hand_till, pr.auc_mu, pr.one_vs_rest, pr.polar_area, pr.pairwise):
        value_error(call, one, absent="skip", sample_weight=weights)
        for absent in ("ignore", None, 1):
            choice = r"absent is .*; choose one of 'raise', 'skip'"
            value_error(call, choice, absent=absent)


@matrix_measures
def test_sample_weights(call: Any) -> None:
    def weights(value: Any, dtype: Any = object) -> Any:
        return np.array([1, 2, 1, value, 1, 1], dtype=dtype)

    for value, shown in ((-1, r"-1\.0"), (nan, "NaN"), (inf, "inf")):
        message = rf"sample_weight\[3\] is {shown}; weights must be finite and >= 0$"
        value_error(call, message, sample_weight=weights(value, float))
        value_error(call, message, sample_weight=weights(value, float).tolist())
    value_error(call, r"sample_weight\[3\] is None; ", sample_weight=weights(None))
    type_error(call, r"sample_weight\[3\] is complex; ", sample_weight=weights(1j))
    type_error(call, r"sample_weight\[3\] is 'a', a str; ", sample_weight=weights("a"))
    value_error(call, r"sample_weight is zero in every row; give some", sample_weight=[0] * 6)
    value_error(call, r"sample_weight has 5 values for 6 rows; pass", sample_weight=[1] * 5)
    value_error(call, r"sample_weight has shape \(6, 3\); it must be 1-D", sample_weight=P)
    value_error(call, r"sample_weight is empty", sample_weight=[])
    type_error(call, r"sample_weight is an? .*float; pass", sample_weight=2.0)


def test_infinities_that_cancel() -> None:
    message = r"y_score\[3\]: infinite scores cancel \(inf - inf\) .*columns 0 and 1; .*hand_till"
    costs = [[0, 1, 4], [1, 0, 1], [1, 2, 0]]
    for dtype in (np.float64, np.float32):
        scores = changed(changed(P, 3, 0, inf, dtype), 3, 1, inf, dtype)
        value_error(pr.auc_mu, message, Y, scores)
        value_error(pr.auc_mu, message, Y, scores, partition=costs)
        value_error(pr.pairwise, message, Y, scores, kind="auc_mu")
        assert 0 <= pr.hand_till(Y, scores) <= 1


def separation(y: Any, scores: Any, **options: Any) -> Any:
    return pr.pairwise(y, scores, kind="auc_mu", **options)


@pytest.mark.parametrize("call", [pr.auc_mu, separation])
def test_partition(call: Any) -> None:
    def costs(i: int, k: int, value: Any, dtype: Any = float) -> Any:
        return changed([[0, 1, 2], [3, 0, 1], [1, 1, 0]], i, k, value, dtype)

    square = r"; it must be K x K, a row and a column for each class"
    value_error(call, r"partition has shape \(2, 3\)" + square, partition=costs(0, 0, 0)[:2])
    value_error(call, r"partition has shape \(3,\)" + square, partition=[0, 1, 1])
    ragged = r"rows of partition must be equally long"
    value_error(call, ragged, partition=[[0, 1, 1], [1, 0], [1, 1, 0]])
    small = r"partition is 2 x 2 but there are 3 classes; "
    value_error(call, small, partition=[[0, 1], [1, 0]])
    diagonal = r"partition\[1, 1\] is 0\.5; the diagonal must be 0"
    value_error(call, diagonal, partition=costs(1, 1, 0.5))
    for value in (0.0, -2.0):
        positive = rf"partition\[0, 2\] is {value}; off-diagonal costs must be > 0.*pair_weights"
        value_error(call, positive, partition=costs(0, 2, value))
    for value in (nan, inf, -inf):
        finite = rf"partition\[2, 1\] is {value}; costs must be finite"
        value_error(call, finite, partition=costs(2, 1, value))
    value_error(call, r"partition is 'argmax'; pass a K x K", partition="argmax")
    type_error(call, r"partition\[0, 2\] is complex", partition=costs(0, 2, 1j, object))
    type_error(call, r"partition\[0, 2\] is 'x', a str", partition=costs(0, 2, "x", object))


@pytest.mark.parametrize("call", [pr.hand_till, pr.auc_mu])
def test_pair_weights(call: Any) -> None:
    def weights(i: int, j: int, value: Any, dtype: Any = float) -> Any:
        return changed([[0, 1, 2], [1, 0, 1], [2, 1, 0]], i, j, value, dtype)

    for value in (-1.0, nan, inf):
        message = rf"pair_weights\[2, 0\] is {value}; weights must be finite and >= 0"
        value_error(call, message, pair_weights=weights(2, 0, value))
    for zero in (np.zeros((3, 3)), np.eye(3)):
        value_error(call, r"pair_weights sum to zero; give", pair_weights=zero)
    square = r"; it must be K x K, a row and a column for each class"
    value_error(call, r"pair_weights has shape \(3,\)" + square, pair_weights=[1, 1, 1])
    small = r"pair_weights is 2 x 2 but there are 3 classes; "
    value_error(call, small, pair_weights=[[0, 1], [1, 0]])
    word = r"pair_weights is 'uniform'; pass None, 'prevalence' or a K x K"
    value_error(call, word, pair_weights="uniform")
    type_error(call, r"pair_weights\[0, 2\] is complex", pair_weights=weights(0, 2, 1j, object))
    absent = r"pair_weights sum to zero over the classes that have rows; "
    only = [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    options = {"labels": [0, 1, 2], "absent": "skip", "pair_weights": only}
    value_error(call, absent, [0, 1] * 3, **options)


def test_choices() -> None:
    kinds = r"kind is 'ovo'; choose one of 'hand_till', 'conditional', 'auc_mu'"
    value_error(pr.pairwise, kinds, kind="ovo")
    for call in (pr.auc_mu, separation):
        value_error(call, r"ties is 'none'; choose one of 'rounding', 'exact'", ties="none")
    averages = r"average is 'median'; choose one of "
    value_error(pr.one_vs_rest, averages, average="median")
    pooled = r'average="micro" pools one column per class'
    value_error(pr.one_vs_rest, pooled, [0, 1], [0.1, 0.2], average="micro")
    type_error(pr.polar_area, r"normalize is 'yes'; pass True or False", normalize="yes")
    costs = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    value_error(pr.pairwise, r'partition is for kind="auc_mu" only', partition=costs)


@every_measure
def test_thread_counts(call: Any) -> None:
    y, scores = ([0, 1], [0, 1]) if call in BINARY_MEASURES else (Y, P)
    for count in (0, -1, 1.5, "2", True, -(2**70)):
        message = r"n_threads is .*; pass a whole number >= 1, or None"
        value_error(call, message, y, scores, n_threads=count)
    for count in (2**62, 2**64, 10**30):  # absurd, but a whole number >= 1
        try:
            call(y, scores, n_threads=count)
        except ValueError as error:
            assert str(error).startswith("n_threads is ")  # noqa: PT017


ORDERS = {
    "no such word": "random",
    "a number": 3,
    "a pair is missing": [(0, 1), (0, 2)],
    "a pair twice": [(0, 1), (0, 2), (0, 1)],
    "a pair twice, turned": [(0, 1), (0, 2), (1, 2), (2, 1)],
    "no such label": [(0, 1), (0, 2), (1, 9)],
    "a class with itself": [(0, 1), (0, 2), (1, 1)],
    "three labels": [(0, 1, 2)],
    "no pairs": [0, 1, 2],
}


@pytest.mark.parametrize("order", ORDERS)
def test_polar_order(order: str) -> None:
    with pytest.raises((ValueError, TypeError), match=r"^order .*; "):
        pr.polar_area(Y, P, order=ORDERS[order])  # type: ignore[arg-type]


@every_measure
def test_arguments_that_are_not_there(call: Any) -> None:
    with pytest.raises(TypeError, match="positional"):
        call(Y, P, [0, 1, 2])
    with pytest.raises(TypeError, match="multi_class"):
        call(Y, P, multi_class="ovo")
