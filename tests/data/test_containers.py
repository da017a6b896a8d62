"""Scores in containers that are no matrices: read where that is exact, else told what to call."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pyarrow as pa
import pytest
from scipy import sparse

Y = np.arange(12) % 3
P = np.random.default_rng(2).random((12, 3))
M = pr.hand_till(Y, P)
COLUMN_OF_LISTS = r"^y_score\['p'\] holds a list in each row; pass that column by itself: y_score"
READ: dict[str, Any] = {
    "a dict of columns": {k: P[:, k] for k in range(3)},
    "a dict of lists, in another order": {k: P[:, k].tolist() for k in (2, 0, 1)},
    "a structured array": np.array(
        [tuple(row) for row in P], dtype=[(f"p_{k}", np.float64) for k in range(3)]
    ),
    "Arrow lists of one length": pa.FixedSizeListArray.from_arrays(pa.array(P.ravel()), 3),
    "polars lists": pl.Series([row.tolist() for row in P]),
    "polars arrays": pl.Series(P.tolist(), dtype=pl.Array(pl.Float64, 3)),
}


@pytest.mark.parametrize("container", READ)
def test_read(container: str) -> None:
    assert pr.hand_till(Y, READ[container]) == M


def test_single_precision_stays_single() -> None:
    single = P.astype(np.float32)
    rows = pl.Series(single.tolist(), dtype=pl.List(pl.Float32))
    assert pr.auc_mu(Y, rows) == pr.auc_mu(Y, single)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (pl.DataFrame(P).lazy(), r"^y_score is a LazyFrame; pass its \.collect\(\)$"),
        (sparse.csr_matrix(P), r"^y_score is a csr_matrix; pass its \.toarray\(\)$"),
        (pl.DataFrame({"p": P.tolist()}), COLUMN_OF_LISTS),
        (
            pl.DataFrame({"p": pl.Series(P.tolist(), dtype=pl.Array(pl.Float64, 3))}),
            COLUMN_OF_LISTS,
        ),
        (pa.table({"p": pa.array(P.tolist())}), COLUMN_OF_LISTS),
        (pl.Series([*P[:11].tolist(), None]), r"^y_score\[11\] is missing; drop or impute"),
        (pa.table({"p": P[:, 0]}).to_reader(), r"^y_score is a .*; pass its \.read_all\(\)$"),
        ([P[:6], P[6:]], r"of a list of batches pass np\.concatenate\(y_score\), of models a dict"),
        ([P[:4], P[4:]], r"equally long.*of a list of batches pass np\.concatenate\(y_score\)$"),
        (pl.Series([[0.1, 0.2], [0.3]] * 6), r"^rows of y_score must be equally long"),
        (
            {"0": P[:, 0], "1": P[:5, 1], "2": P[:, 2]},
            r"^columns of y_score must be equally long: y_score\['0'\] has 12 values, .*'1'\] 5$",
        ),
    ],
)
def test_told(scores: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        pr.hand_till(Y, scores)


def test_a_relation_of_duckdb_is_told() -> None:
    with duckdb.connect() as connection:
        relation: Any = connection.sql("select 1 as p")
        with pytest.raises(TypeError, match=r"is a \w+; pass its \.df\(\) or its \.pl\(\)$"):
            pr.hand_till(Y, relation)


@pytest.mark.parametrize("at", [6, 4])
def test_batches_of_labels_and_of_single_scores_are_told(at: int) -> None:
    labels, scores = Y > 0, P[:, 1]
    assert pr.auc(labels, scores) > 0.0
    with pytest.raises(ValueError, match=r"of a list of batches pass np\.concatenate\(y_true\)$"):
        pr.auc([labels[:at], labels[at:]], scores)
    with pytest.raises(ValueError, match=r"of a list of batches pass np\.concatenate\(y_score\)$"):
        pr.auc(labels, [scores[:at], scores[at:]])


S = P[:, 1]
TWO: Any = {"a": S, "b": P[:, 2]}
OF_MODELS = r"of models a dict by name, {.*}, to compare or evaluate$"


@pytest.mark.parametrize("call", [pr.auc, pr.delong, pr.evaluate, pr.plot.roc])
def test_a_list_of_models_is_not_to_be_turned_into_columns_of_classes(call: Any) -> None:
    expected = rf"has 2; of classes pass np\.column_stack\(y_score\), {OF_MODELS}"
    with pytest.raises(ValueError, match=expected):
        call(Y > 0, list(TWO.values()))
    with pytest.raises(ValueError, match=r"has 2; pass y_score\.T if it has a row for each class$"):
        call(Y > 0, np.array(list(TWO.values())))


@pytest.mark.parametrize("call", [pr.hand_till, pr.evaluate])
def test_a_list_of_matrices_may_be_models(call: Any) -> None:
    with pytest.raises(ValueError, match=rf"np\.concatenate\(y_score\), {OF_MODELS}"):
        call(Y, [P, P])


@pytest.mark.parametrize("call", [pr.hand_till, pr.delong, pr.bootstrap, pr.confusion])
def test_a_dict_of_models_is_told_from_one_of_columns(call: Any) -> None:
    message = (
        r"^y_score\['a'\] has shape \(12, 3\) and is no column; pass the scores of one model, as"
    )
    for scores in (P, pd.DataFrame(P)):
        with pytest.raises(ValueError, match=message):
            call(Y, {"a": scores, "b": scores})
    with pytest.warns(UserWarning, match=r", or the scores of one model if these are of two$"):
        pr.auc(Y > 0, TWO)


@pytest.mark.parametrize("y", [Y > 0, (Y > 0).astype(int)], ids=["bool", "int"])
def test_one_class_against_the_rest_has_one_column(y: Any) -> None:
    with pytest.raises(ValueError, match=r"class or not, pass that class's column alone$"):
        pr.auc(y, P)


@pytest.mark.parametrize(
    ("measure", "way"),
    [
        (pr.auc, r"pr\.Auc\(\), or 'auc'"),
        (pr.HandTill, r"pr\.HandTill\(\), or 'hand_till'"),
        (pr.partial_auc, r"pr\.PartialAuc\(fpr=\(0\.0, 0\.1\)\)"),
        (len, "a name, a measure object, or a list or dict of them"),
    ],
)
def test_functions_and_classes_of_measures_are_told(measure: Any, way: str) -> None:
    with pytest.raises(TypeError, match=rf"^measure is a \w+; pass {way}$"):
        pr.delong(Y > 0, S, measure)


def test_words_in_the_place_of_scores_are_told_from_numbers_as_text() -> None:
    for words in (["cat", "dog"] * 6, np.array(["cat", "dog"] * 6), pd.Series(["", "0.1"] * 6)):
        with pytest.raises(
            TypeError, match=r"^y_score\[0\] is '.*', a str; pass scores, as predict_"
        ):
            pr.auc(Y > 0, words)
    with pytest.raises(TypeError, match=r"^y_score\[0\] is '0.1', a str; convert it to a number"):
        pr.auc(Y > 0, ["0.1", "0.2"] * 6)
