"""Folds of other splitters, of given rows, and of groups that stay together."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from given.refusals import refusals

X, Y = load_wine(return_X_y=True)
ORDER = np.random.default_rng(3).permutation(len(Y))
X, Y = X[ORDER], Y[ORDER]
GROUPS = np.arange(len(Y)) // 3
MODELS: dict[str, Any] = {"naive Bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
folds_of = partial(pr.cross_validate_folds, MODELS, X, Y)
value_error, type_error = refusals(folds_of)


def rows_of(splits: Any) -> list[list[int]]:
    return [np.asarray(test).tolist() for _, test in splits]


@pytest.mark.parametrize(
    ("splitter", "groups"),
    [
        (KFold(4), None),
        (StratifiedKFold(3), None),
        (GroupKFold(4), GROUPS),
        (StratifiedGroupKFold(4), [f"patient {g}" for g in GROUPS]),
        (LeaveOneGroupOut(), np.arange(len(Y)) // 60),
        (TimeSeriesSplit(3), None),
    ],
    ids=lambda v: type(v).__name__,
)
def test_splitters_of_scikit_learn(splitter: Any, groups: Any) -> None:
    found = folds_of(cv=splitter, groups=groups)
    expected = rows_of(splitter.split(X, Y, groups))
    assert [rows.tolist() for rows in found.rows] == expected
    assert [y.tolist() for y, _ in found] == [Y[rows].tolist() for rows in expected]
    assert (found.seed, found.splitter) == (None, type(splitter).__name__)
    assert f" by {type(splitter).__name__}, classes [0, 1, 2]" in repr(found)
    assert pr.bradley(found, "auc_mu").values.shape == (len(expected), 2)


def test_groups_stay_together_by_default() -> None:
    found = folds_of(groups=GROUPS, n_folds=5, seed=4)
    splitter = StratifiedGroupKFold(5, shuffle=True, random_state=4)
    assert [rows.tolist() for rows in found.rows] == rows_of(splitter.split(X, Y, GROUPS))
    assert (found.seed, found.splitter) == (4, "StratifiedGroupKFold")
    assert repr(found).startswith("5 folds of 178 rows by StratifiedGroupKFold, ")
    assert repr(found).endswith(", seed 4")


def test_a_number_is_a_number_of_folds() -> None:
    one, other = folds_of(cv=3, seed=1), folds_of(n_folds=3, seed=1)
    assert [rows.tolist() for rows in one.rows] == [rows.tolist() for rows in other.rows]
    assert repr(one).startswith("3 stratified folds of 178 rows, classes")


def test_given_rows() -> None:
    pairs = list(StratifiedKFold(3).split(X, Y))
    masks = [tuple(np.isin(np.arange(len(Y)), rows) for rows in pair) for pair in pairs]
    lists = [[rows.tolist() for rows in pair] for pair in pairs]
    for given in (pairs, iter(pairs), masks, lists):
        found = folds_of(cv=given)
        assert [rows.tolist() for rows in found.rows] == rows_of(pairs)
        assert (found.seed, found.splitter) == (None, None)
    assert repr(found).startswith("3 folds of 178 rows, classes")
    assert repr(found).endswith("scored by ['naive Bayes', 'tree']")


def test_no_row_is_tested_twice() -> None:
    repeated = RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0)
    value_error(r"row \d+ is tested in fold [01] and again in fold 2, .*each repetition by itself",
                cv=repeated)  # fmt: skip
    half = np.arange(len(Y)) < 89
    value_error(r"row 3 is tested in fold 0 and again in fold 0",
                cv=[(np.flatnonzero(~half), [3, 3]), (half, ~half)])  # fmt: skip


def test_nothing_that_is_tested_is_trained_on() -> None:
    every, half = np.arange(len(Y)), np.arange(len(Y)) < 89
    value_error(r"fold 1 trains on row 89 and tests it; ", cv=[(~half, half), (every, ~half)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, that KFold reads no groups
        value_error(r"fold 2 trains on rows of the group that row 132 is in, .*as GroupKFold",
                    cv=KFold(4), groups=GROUPS)  # fmt: skip
    pairs = list(StratifiedKFold(3).split(X, Y))
    value_error(r"fold 0 trains on rows of the group that", cv=pairs, groups=GROUPS)


def test_folds_without_some_class() -> None:
    order = np.argsort(Y, kind="stable")
    by_class = [(np.flatnonzero(Y != k), np.flatnonzero(Y == k)) for k in range(3)]
    value_error(r"fold 0 trains on no row of class 0, which it could not score", cv=by_class)
    blocks = [order[k::2] for k in range(2)]
    few = blocks[1][Y[blocks[1]] < 2]
    with pytest.warns(UserWarning, match=r"^fold 1 tests no row of class 2; .*absent=\"skip\""):
        found = folds_of(cv=[(blocks[1], blocks[0]), (blocks[0], few)])
    assert pr.bradley(found, pr.HandTill(absent="skip")).values.shape == (2, 2)


def test_faults_of_arguments() -> None:
    type_error(r"n_folds is 5 and cv is 3; pass one of them", cv=3, n_folds=5)
    type_error(r"n_folds is for folds that are drawn here", cv=KFold(3), n_folds=5)
    type_error(r"seed is for folds that are drawn here, .*random_state=1\)", cv=KFold(3), seed=5)
    type_error(r"cv is a str; pass a whole number, a splitter as GroupKFold", cv="loo")
    type_error(r"cv is a float; ", cv=2.5)
    value_error(r"cv is 1; at least two are needed", cv=1)
    type_error(r"fold 0 of cv is a int; pass pairs", cv=[3, 4])
    type_error(r"fold 0 of cv has rows of shape \(1,\) and dtype float64; ", cv=[([0.5], [1])])
    value_error(r"fold 0 of cv names row 178; rows are numbered 0 to 177", cv=[([178], [1])])
    value_error(r"fold 0 of cv names row -1; ", cv=[([0], [-1])])
    value_error(r"cv gives 1 folds; at least two", cv=[([0], [1])])
    value_error(r"groups has 2 values for 178 rows; pass one per row", groups=[1, 2])
    value_error(r"groups\[1\] is None; ", groups=[1, None] * 89)
    value_error(r"class \d has 2 groups for 10 folds, .*; pass n_folds=2 or fewer",
                groups=np.arange(len(Y)) // 100)  # fmt: skip
