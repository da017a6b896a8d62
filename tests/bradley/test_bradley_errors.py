"""Bad input to Bradley's protocol: each kind is an error that names the place and the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest
from polyroc._bradley.bradley import bradley

from given.refusals import refusals

nan, inf = float("nan"), float("inf")
Y = np.arange(12) % 2
S = np.random.default_rng(0).random(12)
C = np.arange(12) % 3
P = np.random.default_rng(1).random((12, 3))
FOLDS: list[Any] = [(Y, {"a": S, "b": S[::-1]}), (Y, {"a": S + Y, "b": S}), (Y, {"a": S, "b": Y})]
THREE: list[Any] = [(C, {"a": P, "b": P[::-1]}), (C, {"a": P[:, ::-1], "b": P})]
TABLE: list[Any] = [(k, name, k + len(name) / 7) for k in (1, 2, 3) for name in ("knn", "trees")]


value_error, type_error = refusals(bradley)


def replaced(folds: list[Any], k: int, fold: Any) -> list[Any]:
    return [*folds[:k], fold, *folds[k + 1 :]]


# Options


def test_alpha() -> None:
    for alpha in (0, 1, -0.05, 5, inf, nan):
        value_error(rf"alpha is {alpha}; it must lie in \(0, 1\), as 0\.05$", FOLDS, alpha=alpha)
    for wrong in ("0.05", None, True, [0.05]):
        type_error(r"alpha is .*; pass a number in \(0, 1\), as 0\.05$", FOLDS, alpha=wrong)


def test_measures() -> None:
    value_error(
        r"measure is 'AUC'; did you mean 'auc'\? choose one of 'auc', 'hand_till'", FOLDS, "AUC"
    )
    type_error(r"measure holds several; bradley compares by one: call it for each$", FOLDS, ["auc"])
    type_error(r"measure is an? int; pass a name", FOLDS, 5)
    type_error(r"measure is 5; name what the values of the table are$", TABLE, 5)
    each = r"folds\[0\], 'a': OneVsRest\(average=None\) has a value for each class, "
    value_error(each, THREE, pr.OneVsRest(None))
    value_error(r'.*; use OneVsRest\("macro"\) or another average$', THREE, pr.OneVsRest(None))
    own = r'.*; use AveragePrecision\("macro"\) or another average$'
    value_error(own, THREE, pr.AveragePrecision(None))
    three = r"folds\[0\], 'a': auc compares two classes but there are 3 "
    value_error(three, THREE)


def test_threads() -> None:
    value_error(r"n_threads is 0; pass a whole number >= 1", FOLDS, n_threads=0)


def test_labels() -> None:
    value_error(r"labels= is for folds with scores, but folds is a table", TABLE, labels=[0, 1])
    unknown = r"folds\[0\], 'a': y_true\[0\] is 0, which is not in labels \[1, 2\]; "
    value_error(unknown, FOLDS, labels=[1, 2])


# Folds of labels and scores


def test_what_is_no_list_of_folds() -> None:
    forms = r'; pass folds as \(y_true, \{"name": scores, \.\.\.\}\), or a table of fold, '
    type_error(r"folds is a int" + forms, 5)
    type_error(r"folds is a str" + forms, "folds")
    value_error(r"folds is empty" + forms, [])
    type_error(r"folds\[1\] is a ndarray" + forms, replaced(FOLDS, 1, Y))
    type_error(r"folds\[0\] is a tuple of 4" + forms, [(Y, S, S, S)])
    type_error(r"folds is one \(y_true, scores\) by itself; pass a list of them", FOLDS[0])
    scores = r"folds\[2\]\[1\] is a ndarray; pass the scores of all classifiers as a dict by name, "
    type_error(scores, replaced(FOLDS, 2, (Y, S)))


def test_folds_that_differ_in_their_classifiers() -> None:
    missing = r"folds\[2\] has no scores of 'b', which folds\[0\] has; score every classifier on "
    value_error(missing, replaced(FOLDS, 2, (Y, {"a": S})))
    more = r"folds\[1\] has scores of 'c', which folds\[0\] has not; score every classifier on "
    value_error(more, replaced(FOLDS, 1, (Y, {"a": S, "b": S, "c": S})))


def test_scores_of_another_number_of_rows() -> None:
    rows = r"folds\[1\], 'b': y_true has 12 rows but y_score has 11; "
    value_error(rows, replaced(FOLDS, 1, (Y, {"a": S, "b": S[:11]})))


def test_a_fold_without_a_class() -> None:
    lost = r"folds\[1\] has no row of class 1, so that the measure is not defined there; use strat"
    value_error(lost, replaced(FOLDS, 1, (np.zeros(12, int), FOLDS[1][1])))
    few = (C[C < 2], {"a": P[C < 2], "b": P[C < 2]})
    value_error(lost.replace("class 1", "class 2"), replaced(THREE, 1, few), "auc_mu")
    value_error(
        lost.replace("class 1", "class 2"), replaced(THREE, 1, few), "auc_mu", labels=[0, 1, 2]
    )
    one = r"folds\[0\], 'a': every row has the label 0; "
    value_error(one, [(np.zeros(12, int), fold[1]) for fold in FOLDS])


def test_labels_of_different_types() -> None:
    type_error(
        r"the folds have labels of different types \(.*\); make them one type$",
        replaced(FOLDS, 1, (np.where(Y, "yes", "no"), FOLDS[1][1])),
    )


def test_missing_scores_and_labels() -> None:
    scores = S.copy()
    scores[7] = nan
    place = r"folds\[2\], 'a': y_score\[7\] is NaN; drop or impute that row first$"
    value_error(place, replaced(FOLDS, 2, (Y, {"a": scores, "b": S})))
    label = r"folds\[1\]: y_true\[3\] is NaN; drop or label that row first$"
    y = Y.astype(float)
    y[3] = nan
    value_error(label, replaced(FOLDS, 1, (y, FOLDS[1][1])))


def test_scores_of_another_kind() -> None:
    two = (Y, {"a": np.column_stack([-S, S]), "b": S})
    kinds = r"all folds of 'a' together: folds\[0\] has 1-D scores, folds\[1\] 2-D; pass all of one"
    value_error(kinds, replaced(FOLDS, 1, two))


def test_too_few_classifiers_or_folds() -> None:
    alone = r"folds holds one classifier, 'a'; a comparison needs at least two$"
    value_error(alone, [(Y, {"a": S})] * 3)
    value_error(r"folds holds no classifier; a comparison needs at least two$", [(Y, {})] * 3)
    value_error(r"folds holds one fold; a spread over folds needs at least two$", FOLDS[:1])
    value_error(alone.replace("'a'", "'knn'"), TABLE[::2])
    value_error(r"folds holds one fold; a spread over folds needs at least two$", TABLE[:2])


# Tables


def test_tables_without_their_columns() -> None:
    columns = r"; a table needs the columns fold, classifier and value$"
    frame = pd.DataFrame(TABLE, columns=["fold", "model", "value"])
    value_error(
        r"folds has the columns \['fold', 'model', 'value'\] but none named 'classifier'" + columns,
        frame,
    )
    value_error(r"folds has the columns \['a', 'b'\] but none named 'fold'", {"a": [1], "b": [2]})
    uneven = {"fold": [1, 1, 2], "classifier": ["a", "b"], "value": [1, 2]}
    value_error(
        r"the columns of folds differ in length \(fold 3, classifier 2, value 2\); ", uneven
    )
    type_error(r"folds\['value'\] is 3, a int; pass a column", {**uneven, "value": 3})
    records = [{"fold": 1, "classifier": "a", "value": 0.5}, {"fold": 1, "classifier": "b"}]
    value_error(r"folds\[1\] has no 'value'; a record needs the keys fold, ", records)
    type_error(r"folds\[1\] is a tuple; the rows above it are \(fold, ", [TABLE[0], FOLDS[0]])


def test_a_cell_given_twice() -> None:
    again = r"folds\[6\] is fold 2 of 'knn' again, after folds\[2\]; pass one value for each fold "
    value_error(again, [*TABLE, (2, "knn", 0.5)])


def test_a_cell_not_given() -> None:
    hole = r"'trees' has no value in fold 2; the analysis needs every classifier in every fold: "
    value_error(hole, [row for row in TABLE if row[:2] != (2, "trees")])


def test_values_that_are_no_numbers() -> None:
    place = r"folds\[3\], fold 2 of 'trees', has the value "
    for value, shown in ((nan, "NaN"), (None, "None"), (np.nan, "NaN"), (pd.NA, "<NA>")):
        message = place + shown + r"; find out why, or drop the whole fold$"
        value_error(message, replaced(TABLE, 3, (2, "trees", value)))
    value_error(place + r"inf; means need finite values$", replaced(TABLE, 3, (2, "trees", inf)))
    for wrong, shown in (("0.5", "'0.5', a str"), (True, "True, a bool")):
        type_error(place + shown + "; pass a number$", replaced(TABLE, 3, (2, "trees", wrong)))


def test_folds_and_classifiers_without_a_name() -> None:
    value_error(r"folds\[1\] has no fold \(None\); name it", replaced(TABLE, 1, (None, "knn", 1.0)))
    value_error(r"folds\[1\] has no classifier \(nan\); ", replaced(TABLE, 1, (1, nan, 1.0)))
    type_error(
        r"folds\[1\] has the classifier a list; name it by a number or a string$",
        replaced(TABLE, 1, (1, ["knn"], 1.0)),
    )


def test_an_array_of_numbers_does_not_say_what_they_are() -> None:
    with pytest.raises(TypeError, match=r"pass tuples \(fold, classifier, value\)"):
        bradley(np.random.default_rng(0).random((10, 3)))
