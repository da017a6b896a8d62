"""What a state refuses, by message; a batch that is refused leaves the state as it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

from given.shards import softmax_rows
from pipelines.test_state import state_of

ROWS = softmax_rows(30, 3, "moderate", 1)


def changed(at: Any, value: float) -> Any:
    P = ROWS.P.copy()
    P[at] = value
    return P


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"labels": [1]}, ValueError, "two"),
        ({"labels": [1, 1, 2]}, ValueError, "twice|duplicate|once"),
        ({"labels": [(1, 2), (3, 4)]}, (TypeError, ValueError), "labels"),
        ({"measures": []}, ValueError, "measures is empty; name at least one"),
        ({"measures": "polar_area"}, ValueError, "a state has auc, hand_till, one_vs_rest, auc_mu"),
        ({"measures": ["auc_mu", "auc_mu"]}, ValueError, "'auc_mu' twice"),
        ({"measures": "auc"}, ValueError, "auc is a measure of two classes but labels has 3"),
        ({"key": "linear"}, ValueError, "key"),
        ({"max_bins": 1}, ValueError, "max_bins is 1; pass a whole number, 2 to 16,777,216"),
        ({"max_bins": 2.5}, ValueError, "max_bins is 2.5"),
        ({"class_counts": [1, 2]}, ValueError, "give the rows of each of the 3 labels"),
        ({"class_counts": [1, 2, 0]}, ValueError, "whole numbers above 0"),
        ({"class_counts": [1.5, 2, 3]}, ValueError, "whole numbers above 0"),
        ({"class_counts": [1, 2, 2**40 + 1]}, ValueError, "from 2\\^40 on a row's share of its"),
        (
            {"class_counts": [1, 2, 3], "measures": "auc_mu"}, ValueError,
            "class_counts makes no difference to auc_mu",
        ),
    ],
)  # fmt: skip
def test_arguments(options: dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        pr.State(**{"labels": range(3), "measures": "hand_till", **options})


@pytest.mark.parametrize(
    ("y", "P", "weights", "message"),
    [
        (ROWS.y, changed((7, 2), np.nan), None, r"y_score\[7, 2\] is NaN"),
        (ROWS.y, changed((7, 2), 1.5), None, r"y_score\[7, 2\] is 1.5, which is no probability"),
        (ROWS.y, changed((7, 2), -1e-9), None, "which is no probability"),
        (ROWS.y, changed((7, 2), np.inf), None, "which is no probability"),
        (ROWS.y, ROWS.P[:, :2], None, "y_score has 2 columns but the state has the 3 labels"),
        (ROWS.y, ROWS.P[:, 0], None, "y_score is 1-D but the state has the 3 labels"),
        (ROWS.y[:-1], ROWS.P, None, "y_true has 29 rows but y_score has 30"),
        (np.where(np.arange(30) == 4, 9, ROWS.y), ROWS.P, None, "9"),
        (ROWS.y, ROWS.P, np.ones(29), "sample_weight"),
        (ROWS.y, ROWS.P, np.where(np.arange(30) == 4, -1.0, 1.0), r"sample_weight\[4\]"),
        (ROWS.y, ROWS.P, np.where(np.arange(30) == 4, np.nan, 1.0), r"sample_weight\[4\]"),
        (ROWS.y, ROWS.P, np.full(30, 2.0**62), "more than a state can count"),
        (ROWS.y, ROWS.P, np.full(30, 2.0**60), "too large for a state"),
        (ROWS.y, ROWS.P, np.where(np.arange(30) == 4, 1e-12, 1.0), "units of 2\\^-32"),
        (ROWS.y, np.full((30, 3), "a"), None, "y_score"),
    ],
)  # fmt: skip
def test_a_batch_is_taken_whole_or_not_at_all(y: Any, P: Any, weights: Any, message: str) -> None:
    state = state_of(ROWS, "hand_till")
    before = state.to_bytes()
    with pytest.raises((ValueError, TypeError), match=message):
        state.update(y, P, sample_weight=weights)
    assert state.to_bytes() == before
    assert state.update(ROWS.y, ROWS.P).n == 60


def test_columns_by_name_have_to_be_the_labels() -> None:
    y, frame = np.array(["a", "b", "c"] * 4), pd.DataFrame(np.eye(3).repeat(4, axis=0))
    state = pr.State(["a", "b", "c"], "hand_till")
    with pytest.raises(ValueError, match="column"):
        state.update(y, frame.set_axis(["b", "a", "c"], axis=1))
    state.update(y, frame.set_axis(["a", "b", "c"], axis=1))


def test_one_form_of_scores() -> None:
    y, p = np.array([0, 1, 0, 1]), np.array([0.1, 0.4, 0.3, 0.8])
    state = pr.State([0, 1], "auc").update(y, p)
    with pytest.raises(ValueError, match="has 2 columns but the state has seen rows of 1"):
        state.update(y, np.column_stack([1 - p, p]))


def test_differences_that_are_no_number() -> None:
    state = pr.State([0, 1, 2], "auc_mu", key="float")
    with pytest.raises(ValueError, match="inf"):
        state.update([0, 1], [[np.inf, np.inf, 0.0], [0.0, 1.0, 2.0]])
    with pytest.raises(ValueError, match="0"):
        state.update([0, 1], [[1.7e308, -1.7e308, 0.0], [0.0, 1.0, 2.0]])
    assert state.n == 0


def test_integers_that_doubles_cannot_hold() -> None:
    state = pr.State([0, 1], "auc", key="float")
    with pytest.raises(ValueError, match="integers beyond 2\\^53"):
        state.update([0, 1], np.array([2**60, 2**60 + 1]))


def test_classes_without_rows() -> None:
    state = pr.State(range(3), "hand_till").update(ROWS.y[ROWS.y < 2], ROWS.P[ROWS.y < 2])
    with pytest.raises(ValueError, match=r"no row has a label of \[2\]; merge all shards"):
        state.compute()


def test_class_counts_that_were_wrong() -> None:
    counts = np.bincount(ROWS.y)
    state = pr.State(range(3), "hand_till", class_counts=counts)
    state.update(ROWS.y[:-1], ROWS.P[:-1])
    with pytest.raises(ValueError, match="a shard is missing, or class_counts is of other rows"):
        state.compute()
    before = state.to_bytes()
    with pytest.raises(ValueError, match="more came; a shard was read twice"):
        state.update(ROWS.y, ROWS.P)
    assert state.to_bytes() == before
    other = pr.State(range(3), "hand_till", class_counts=counts).update(ROWS.y, ROWS.P)
    with pytest.raises(ValueError, match="a shard was read twice"):
        other.merge(state)
    with pytest.raises(ValueError, match="takes weights that are whole numbers"):
        state.update(ROWS.y[-1:], ROWS.P[-1:], sample_weight=[0.5])
