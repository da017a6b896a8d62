"""Orders that were not followed: a warning says what was done, and how to say what was meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pyarrow as pa
import pytest

rng = np.random.default_rng(2)
NAMES = np.array(["low", "mid", "top"])[np.arange(60) % 3]
TWO = np.array(["low", "high"])[np.arange(60) % 2]
P = rng.normal(size=(60, 3)) + np.eye(3)[np.arange(60) % 3]
S = P[:, 0]
SORTED, OWN = ["low", "mid", "top"], ["mid", "low", "top"]

CATEGORICALS: dict[str, Callable[[Any, list[str]], Any]] = {
    "Categorical": lambda y, order: pd.Categorical(y, categories=order),
    "ordered": lambda y, order: pd.Categorical(y, categories=order, ordered=True),
    "unused": lambda y, order: pd.Categorical(y, categories=[order[0], "none", *order[1:]]),
    "Series": lambda y, order: pd.Series(pd.Categorical(y, categories=order)),
    "Index": lambda y, order: pd.CategoricalIndex(y, categories=order),
    "Enum": lambda y, order: pl.Series(y.tolist(), dtype=pl.Enum(order)),
}
every_categorical = pytest.mark.parametrize("kind", CATEGORICALS)


@every_categorical
def test_categories_in_another_order_than_the_sorted_one(kind: str) -> None:
    y = CATEGORICALS[kind](NAMES, OWN)
    expected = re.escape(
        "y_true is a categorical in the order ['mid', 'low', 'top'], but the columns of y_score "
        "are taken in sorted order, ['low', 'mid', 'top']; pass labels= with the classes in the "
        "order of the columns"
    )
    numbered = pd.DataFrame(P)
    for scores in (P, numbered, P.tolist()):
        with pytest.warns(UserWarning, match=f"^{expected}$") as caught:
            value = pr.hand_till(y, scores)
        assert value == pr.hand_till(NAMES, P)
        assert [one.filename for one in caught] == [__file__]
    # What says the order leaves no doubt: pytest turns warnings into errors.
    assert pr.hand_till(y, P, labels=SORTED) == value
    assert pr.hand_till(y, P[:, [1, 0, 2]], labels=OWN) == pytest.approx(value)
    assert pr.hand_till(y, pd.DataFrame(P, columns=SORTED)) == value
    assert pr.hand_till(y, pd.DataFrame(P, columns=[f"p_{name}" for name in SORTED])) == value


@every_categorical
def test_one_column_of_scores_and_two_categories(kind: str) -> None:
    y = CATEGORICALS[kind](TWO, ["low", "high"])
    expected = re.escape(
        "y_true is a categorical in the order ['low', 'high'], but y_score is taken as the score "
        "of 'low', the last in sorted order; pass labels=['low', 'high'] if it is that of 'high', "
        "else labels=['high', 'low']"
    )
    with pytest.warns(UserWarning, match=f"^{expected}$"):
        assert pr.auc(y, S) == pr.auc(TWO, S)
    assert pr.auc(y, S, labels=["low", "high"]) == 1 - pr.auc(TWO, S)
    assert pr.auc(y, pd.Series(S, name="p_low")) == pr.auc(TWO, S)


@every_categorical
def test_a_marker_of_ordered_categories(kind: str) -> None:
    y = CATEGORICALS[kind](NAMES, OWN)
    expected = re.escape(
        "y_true is a categorical in the order ['mid', 'low', 'top'], but the classes that y_score "
        "puts in order are taken in sorted order, ['low', 'mid', 'top']; pass labels=['mid', "
        "'low', 'top'] to follow the categories"
    )
    with pytest.warns(UserWarning, match=f"^{expected}$"):
        value = pr.vus(y, S)
    assert value == pr.vus(NAMES, S, labels=SORTED)
    assert pr.vus(y, S, labels=OWN) == pr.vus(NAMES, S, labels=OWN) != value


def test_words_that_a_marker_is_to_put_in_order() -> None:
    expected = re.escape(
        "the classes that y_score puts in order are words, taken in the order of the alphabet, "
        "['low', 'mid', 'top']; pass labels= with the classes in the order in which scores rise"
    )
    for call in (pr.vus, lambda y, s: pr.delong(y, s, "vus").estimate):
        with pytest.warns(UserWarning, match=f"^{expected}$"):
            assert call(NAMES, S) == pr.vus(NAMES, S, labels=SORTED)
    for told in (["a", "b", "c"], ["grade 1", "grade 2", "grade 3"], ["T2", "T3", "T9"]):
        pr.vus(np.array(told)[np.arange(60) % 3], S)
    with pytest.warns(UserWarning, match="in the order of the alphabet"):
        pr.vus(np.array(["T10", "T2", "T9"])[np.arange(60) % 3], S)


@every_categorical
def test_categories_in_sorted_order(kind: str) -> None:
    y = CATEGORICALS[kind](NAMES, SORTED)
    assert pr.hand_till(y, P) == pr.hand_till(NAMES, P)


def test_unused_categories_and_appearance_have_no_order() -> None:
    y = pd.Categorical(NAMES, categories=["zoo", *SORTED, "ant"])
    assert pr.hand_till(y, P) == pr.hand_till(NAMES, P)
    appearance = pl.Series(NAMES[::-1].tolist(), dtype=pl.Categorical)[::-1]
    assert pr.hand_till(appearance, P) == pr.hand_till(NAMES, P)


ORDERS: dict[str, Callable[[Any], Any]] = {
    "text": lambda order: pd.Index([f"row {k}" for k in range(60)])[order],
    "numbers": lambda order: pd.Index(np.arange(60) * 3)[order],
    "dates": lambda order: pd.date_range("2024-01-01", periods=60)[order],
    "two levels": lambda order: pd.MultiIndex.from_product([range(6), list("abcdefghij")])[order],
}


@pytest.mark.parametrize("kind", ORDERS)
def test_scores_whose_rows_come_in_another_order_by_their_index(kind: str) -> None:
    order = rng.permutation(60)
    y = pd.Series(NAMES, index=ORDERS[kind](np.arange(60)))
    frame = pd.DataFrame(P[order], columns=SORTED, index=ORDERS[kind](order))
    expected = re.escape(
        "the index of y_score holds that of y_true in another order, but rows are matched by "
        "position; pass y_score.loc[y_true.index] to match them by index, or y_score.to_numpy() "
        "if the positions are right"
    )
    with pytest.warns(UserWarning, match=f"^{expected}$") as caught:
        assert pr.hand_till(y, frame) == pr.hand_till(NAMES, P[order])
    assert [one.filename for one in caught] == [__file__]
    with pytest.warns(UserWarning, match=expected):
        pr.delong(y == "low", frame["low"], "auc")
    # The ways out that it names.
    assert pr.hand_till(y, frame.loc[y.index]) == pr.hand_till(NAMES, P)
    assert pr.hand_till(y, frame.to_numpy()) == pr.hand_till(NAMES, P[order])


@pytest.mark.parametrize("name", ["sample_weight", "frequency_weight", "groups"])
def test_what_comes_beside_the_scores_in_another_order_by_its_index(name: str) -> None:
    order = rng.permutation(60)
    y = pd.Series(NAMES, index=ORDERS["text"](np.arange(60)))
    beside = pd.Series(np.arange(60) % 20 + 1, index=y.index)
    turned = beside.iloc[order]
    expected = re.escape(
        f"the index of {name} holds that of y_true in another order, but rows are matched by "
        f"position; pass {name}.loc[y_true.index] to match them by index, or {name}.to_numpy()"
    )
    with pytest.warns(UserWarning, match=f"^{expected}") as caught:
        found = pr.delong(y, P, "hand_till", **{name: turned})
    assert [one.filename for one in caught] == [__file__]
    assert found == pr.delong(NAMES, P, "hand_till", **{name: turned.to_numpy()})
    pr.delong(y, P, "hand_till", **{name: beside})  # in the same order: no warning


def test_the_order_of_ordered_classes_is_doubted_whatever_the_marker_is_called() -> None:
    y = pd.Categorical(NAMES, OWN, ordered=True)
    for name in SORTED:
        with pytest.warns(UserWarning, match=r"^y_true is a categorical in the order .* labels="):
            pr.vus(y, pd.Series(P[:, 0], name=name))


def test_columns_of_a_dict_in_another_order_by_their_index() -> None:
    y = pd.Series(NAMES)
    turned = pd.DataFrame(P, columns=SORTED)[::-1]
    columns: Any = {name: turned[name] for name in SORTED}
    with pytest.warns(UserWarning, match=r"^the index of y_score\['\w+'\] holds that of") as caught:
        found = pr.hand_till(y, columns)
    assert len(caught) == 1
    assert found == pr.hand_till(NAMES, P[::-1])


def test_rows_of_states_and_predictions_in_another_order_by_their_index() -> None:
    y = pd.Series(NAMES)
    turned = pd.DataFrame(P, columns=SORTED)[::-1]
    state = pr.State(SORTED, "hand_till", key="float")
    with pytest.warns(UserWarning, match="^the index of y_score holds that of y_true") as caught:
        state.update(y, turned)
    assert [one.filename for one in caught] == [__file__]
    tables = pr.InfluenceTables(state, groups=True)
    with pytest.warns(UserWarning, match="^the index of groups holds that of y_true"):
        pr.InfluenceSums(tables).update(y, P[::-1], groups=pd.Series(range(60))[::-1])
    with pytest.warns(UserWarning, match="^the index of predictions holds that of y_true"):
        pr.ferri_vus(y, y[::-1])


def test_groups_of_many_labels_in_another_order_by_their_index() -> None:
    labels = pd.DataFrame(np.eye(3, dtype=int)[np.arange(60) % 3], columns=SORTED)
    groups = pd.Series(np.arange(60) // 2)[::-1]
    with pytest.warns(UserWarning, match="^the index of groups holds that of y_true"):
        pr.delong(labels, P, pr.Multilabel("auc"), groups=groups)


def test_sorted_scores_of_labels_with_a_default_index() -> None:
    table = pd.DataFrame({"y": TWO == "high", "score": S})
    with pytest.warns(UserWarning, match="^the index of y_score holds that of y_true"):
        pr.auc(table["y"], table["score"].sort_values())


def test_indices_that_say_nothing_about_rows() -> None:
    y = pd.Series(NAMES, index=rng.permutation(60))
    expected = pr.hand_till(NAMES, P)
    names = pd.Index([f"row {k}" for k in range(60)])
    for index in (None, y.index, y.index.copy(), names, pd.RangeIndex(5, 65), y.index % 30):
        assert pr.hand_till(y, pd.DataFrame(P, columns=SORTED, index=index)) == expected
    twice = pd.Series(NAMES, index=[0, 1] * 30)
    turned = pd.DataFrame(P, columns=SORTED, index=[1, 0] * 30)
    assert pr.hand_till(twice, turned) == expected
    assert pr.hand_till(y.tolist(), pd.DataFrame(P, columns=SORTED, index=y.index)) == expected
    assert pr.hand_till(y, pl.DataFrame(P, schema=SORTED)) == expected
    both = pd.MultiIndex.from_product([range(6), range(10)])
    assert pr.hand_till(y, pd.DataFrame(P, columns=SORTED, index=both)) == expected


@pytest.mark.parametrize("chunks", [1, 2])
def test_ordered_dictionaries_of_arrow(chunks: int) -> None:
    codes = np.array([OWN.index(name) for name in NAMES])
    parts = [
        pa.DictionaryArray.from_arrays(pa.array(part), pa.array(OWN), ordered=True)
        for part in np.array_split(codes, chunks)
    ]
    with pytest.warns(UserWarning, match=r"^y_true is a categorical in the order \['mid', 'low'"):
        value = pr.hand_till(pa.chunked_array(parts), P)
    assert value == pr.hand_till(NAMES, P)
    # Others list values as they come.
    assert pr.hand_till(pa.array(NAMES).dictionary_encode(), P) == value


@pytest.mark.parametrize("kind", ["ordered", "Enum"])
def test_categories_of_a_frame_whose_columns_name_no_class(kind: str) -> None:
    y = CATEGORICALS[kind](NAMES, OWN)
    make = pl.DataFrame if kind == "Enum" else pd.DataFrame
    frame = make({"y": y, "0": P[:, 0], "1": P[:, 1], "2": P[:, 2]})
    with pytest.warns(UserWarning, match=r"^y_true is a categorical in the order \['mid', 'low'"):
        table = pr.evaluate(frame, y_true="y", y_score=["0", "1", "2"])
    assert table["estimate"][0] == pr.hand_till(NAMES, P)
    pr.evaluate(frame, y_true="y", y_score=["0", "1", "2"], labels=SORTED)
