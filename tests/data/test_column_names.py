"""Which class a named column belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pyarrow as pa
import pytest


def named(names: list[str], columns: list[int]) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(rng.random((30, 3))[:, columns], columns=names)


NAMED_CLASSES = np.array(["a", "b", "c"] * 10)


def test_names_that_miss_a_class_are_an_error() -> None:
    for names in (["a", "b", "x"], ["a", "b", "b"]):
        with pytest.raises(ValueError, match=r"^the columns of y_score are named .* but y_true"):
            pr.hand_till(NAMED_CLASSES, named(names, [0, 1, 2]))


def test_names_that_are_no_classes_leave_columns_in_place_with_a_warning() -> None:
    plain = pr.hand_till(NAMED_CLASSES, named(["a", "b", "c"], [0, 1, 2]))
    foreign = named(["p1", "p2", "p3"], [0, 1, 2])
    warning = (
        r"^no column of y_score is named after a class: \['p1', 'p2', 'p3'\] are taken to be those "
        r"of \['a', 'b', 'c'\], in this order; name the columns after the classes, or pass labels="
    )
    with pytest.warns(UserWarning, match=warning) as caught:
        assert pr.hand_till(NAMED_CLASSES, foreign) == plain
    assert caught[0].filename == __file__
    assert pr.hand_till(NAMED_CLASSES, foreign, labels=["a", "b", "c"]) == plain


@pytest.mark.parametrize("names", [["0", "1", "2"], ["column_0", "column_1", "column_2"]])
def test_columns_without_names_are_taken_in_order(names: list[str]) -> None:
    plain = pr.hand_till(NAMED_CLASSES, named(["a", "b", "c"], [0, 1, 2]))
    assert pr.hand_till(NAMED_CLASSES, named(names, [0, 1, 2])) == plain


def test_numbered_columns_that_were_taken_in_another_order_are_named_by_their_numbers() -> None:
    y = np.arange(30) % 3
    frame = named(["0", "1", "2"], [0, 1, 2]).set_axis(range(3), axis=1)
    turned = frame[[2, 1, 0]]  # whose columns are a RangeIndex too, from 2 down to 0
    assert pr.hand_till(y, turned) == pr.hand_till(y, frame)
    with pytest.raises(ValueError, match=r"^labels is \[0, 1, 2\] but the columns of y_score"):
        pr.hand_till(y, turned, labels=[0, 1, 2])
    with pytest.raises(ValueError, match=r"^partition is a data frame with named columns"):
        pr.AucMu(partition=(1 - pd.DataFrame(np.eye(3)))[[2, 1, 0]])


@pytest.mark.parametrize("dress", ["prob_{}", "{}_score", "P(y = {})", "a{}", "abc {} abc"])
def test_names_that_hold_classes_order_the_columns(dress: str) -> None:
    plain = pr.hand_till(NAMED_CLASSES, named(["a", "b", "c"], [0, 1, 2]))
    names = [dress.format(label) for label in "cab"]
    assert pr.hand_till(NAMED_CLASSES, named(names, [2, 0, 1])) == plain


def test_a_class_that_only_columns_name_is_absent() -> None:
    rows = NAMED_CLASSES != "b"
    scores = named(["c", "a", "b"], [2, 0, 1])
    with pytest.raises(ValueError, match=r"^no row has the label 'b'; pass absent=\"skip\""):
        pr.hand_till(NAMED_CLASSES[rows], scores[rows])
    value = pr.hand_till(NAMED_CLASSES[rows], scores[rows], absent="skip")
    bare = scores[["a", "c"]].to_numpy()[rows]
    assert value == pr.hand_till(NAMED_CLASSES[rows], bare)


def test_a_single_column_of_the_other_class_is_an_error() -> None:
    y, scores = ["no", "yes", "no"], pd.Series([0.1, 0.4, 0.3], name="no")
    for column in (scores, scores.to_frame(), pl.Series("no", [0.1, 0.4, 0.3])):
        with pytest.raises(ValueError, match=r"^y_score is named 'no', but 1-D scores are those"):
            pr.auc(y, column)
    assert pr.auc(y, scores, labels=["yes", "no"]) == 0.0
    assert pr.auc(y, scores.rename("yes")) == 1.0


@pytest.mark.parametrize("dress", ["{}", "prob_{}", "P(y = {})"])
def test_labels_do_not_override_names_that_hold_the_classes(dress: str) -> None:
    scores = named([dress.format(label) for label in "cab"], [2, 0, 1])
    plain = pr.hand_till(NAMED_CLASSES, scores)
    assert pr.hand_till(NAMED_CLASSES, scores, labels=["c", "a", "b"]) == plain
    with pytest.raises(ValueError, match=r"^labels is .* but the columns of y_score"):
        pr.hand_till(NAMED_CLASSES, scores, labels=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"^model 'x': labels is|^labels is"):
        pr.compare(NAMED_CLASSES, {"x": scores, "y": scores}, labels=["a", "b", "c"])


@pytest.mark.parametrize(
    "name", ["p_dead", "dead score", "prob.dead", "P(dead)", "pdead", "probDead", "isDead"]
)
def test_a_single_column_that_names_the_other_class_is_an_error(name: str) -> None:
    y, scores = ["dead", "well", "dead", "well"], pd.Series([0.9, 0.1, 0.8, 0.3], name=name)
    with pytest.raises(ValueError, match=r"^y_score is named .*; pass pos_label='dead', or a "):
        pr.auc(y, scores)
    assert pr.auc(y, scores, labels=["well", "dead"]) == 1.0
    for fine in ("p_well", "score", "dead_or_well", "deadline", "pwell", "probWell"):
        assert pr.auc(y, scores.rename(fine)) == 0.0


@pytest.mark.parametrize("names", [["c", "p_a", "p_b"], ["p_c", "p_x", "p_b"], ["P_C", "p_b", "z"]])
def test_a_column_in_the_place_of_another_class_is_an_error(names: list[str]) -> None:
    scores = named(names, [2, 0, 1])
    expected = r"^the column .* of y_score stands in the place of 'a', as classes come in the order"
    with pytest.raises(ValueError, match=expected):
        pr.hand_till(NAMED_CLASSES, scores, labels=["a", "b", "c"])
    if "c" not in names:  # of bare names all have to be classes
        with pytest.raises(ValueError, match=expected):
            pr.hand_till(NAMED_CLASSES, scores)
    bare = scores.to_numpy()
    assert pr.hand_till(NAMED_CLASSES, bare, labels=["c", "a", "b"]) == pr.hand_till(
        NAMED_CLASSES, named(["c", "a", "b"], [2, 0, 1])
    )


def test_names_that_hold_some_classes_in_their_places_are_fine() -> None:
    plain = pr.hand_till(NAMED_CLASSES, named(["a", "b", "c"], [0, 1, 2]))
    for names in (["p_a", "b", "other"], ["p_a_not_b", "b_or_c", "c"]):
        scores = named(names, [0, 1, 2])
        assert pr.hand_till(NAMED_CLASSES, scores, labels=["a", "b", "c"]) == plain


@pytest.mark.parametrize("dress", ["{}", "p_{}"])
def test_whole_numbers_that_became_floats_are_the_classes_in_the_names(dress: str) -> None:
    y = np.arange(30) % 3
    scores = named([dress.format(label) for label in (2, 0, 1)], [2, 0, 1])
    plain = pr.hand_till(y, scores)
    assert pr.hand_till(y.astype(float), scores) == plain
    assert pr.hand_till(pd.Series(y, dtype="float32"), scores) == plain


def test_a_class_whose_name_is_part_of_the_other() -> None:
    y = ["ill", "not ill", "ill", "not ill"]
    scores = pd.Series([0.1, 0.9, 0.3, 0.8], name="p_not_ill")
    assert pr.auc(y, scores) == 1.0
    with pytest.raises(ValueError, match=r"pass pos_label='ill', or a bare array"):
        pr.auc(y, scores.rename("P ill"))


def test_the_case_of_letters_does_not_hide_a_class() -> None:
    y, scores = ["Dead", "Well"] * 2, pd.Series([0.9, 0.1, 0.8, 0.3], name="p_dead")
    with pytest.raises(ValueError, match=r"pass pos_label='Dead'"):
        pr.auc(y, scores)
    # Classes that differ by case alone are told apart by it.
    assert pr.auc(["A", "a"] * 2, scores.rename("p_a")) == 0.0


def test_a_state_refuses_scores_that_are_named_after_the_other_class() -> None:
    state = pr.State(["dead", "well"], "auc")
    with pytest.raises(ValueError, match=r"pass the state labels that end with 'dead', or a bare"):
        state.update(["dead", "well"], pd.Series([0.9, 0.1], name="p_dead"))
    state.update(["dead", "well"], pd.Series([0.1, 0.9], name="p_well"))
    assert state.compute()["auc"].estimate == 1.0


def test_a_state_names_the_order_that_its_columns_must_have() -> None:
    state = pr.State(["a", "b", "c"], "hand_till")
    for names in (["p_c", "p_a", "p_b"], ["c", "a", "b"], ["p_c", "x", "y"]):
        with pytest.raises(ValueError, match=r"but the state's labels are .*; pass the columns in"):
            state.update(NAMED_CLASSES, named(names, [2, 0, 1]))
    state.update(NAMED_CLASSES, named(["p_a", "p_b", "p_c"], [0, 1, 2]))


def test_too_few_columns_are_told_without_a_warning() -> None:
    for names in (["p_a", "p_b"], ["p_c", "p_b"], ["x", "y"]):
        with pytest.raises(ValueError, match=r"^y_score has 2 columns but there are 3 classes"):
            pr.hand_till(NAMED_CLASSES, named(names, [0, 1]))


def test_more_columns_than_classes_name_both_ways_out() -> None:
    with pytest.raises(ValueError, match=r"pass labels= with .*, and absent=\"skip\" if some"):
        pr.hand_till([0, 1, 0, 1], np.ones((4, 3)))


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_single_column_of_a_frame_is_held_to_its_name(library: str) -> None:
    y, scores = ["dead", "well"] * 10, np.tile([0.1, 0.9], 10)
    makers = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}
    frame = makers[library]({"y": y, "p_dead": scores, "p_well": scores, "risk": scores})

    def area(column: str, **options: Any) -> float:
        table = pr.evaluate(frame, y_true="y", y_score=column, **options)
        return float(pd.DataFrame({"value": table["estimate"]}).loc[0, "value"])

    message = r"^y_score is named 'p_dead', .*; pass pos_label='dead', or a bare array or another"
    with pytest.raises(ValueError, match=message):
        area("p_dead")
    assert area("p_dead", pos_label="dead") == 0.0
    assert area("p_well") == area("risk") == 1.0
    state = pr.State(["dead", "well"], "auc")
    with pytest.raises(ValueError, match=r"pass the state labels that end with 'dead', or a bare"):
        state.update_frame(frame, y_true="y", y_score=["p_dead"])


@pytest.mark.parametrize("y", [[0, 1] * 10, [0.0, 1.0] * 10, [False, True] * 10])
def test_a_single_column_that_is_the_probability_of_the_other_number(y: list[object]) -> None:
    scores = pd.Series(np.tile([0.1, 0.9], 10))
    own = ["False", "True"] if isinstance(y[0], bool) else ["0", "1"]
    for dress in ("p_{}", "p{}", "prob_{}", "proba {}", "P(y = {})", "P(class={})"):
        with pytest.raises(ValueError, match=r"^y_score is named .*; pass pos_label="):
            pr.auc(y, scores.rename(dress.format(own[0])))
        assert pr.auc(y, scores.rename(dress.format(own[1]))) == 1.0
    for fine in ("fold_0", "model 0", "score_0", "p_2", "pressure_0", "ph0", "0", 0):
        assert pr.auc(y, scores.rename(fine)) == 1.0


@pytest.mark.parametrize("dress", ["{}", "p_{}", "{}.score"])
def test_names_hold_classes_in_another_writing(dress: str) -> None:
    y = np.array(["Low risk", "mid-risk", "TOP"])[np.arange(30) % 3]
    bare = named(["a", "b", "c"], [0, 1, 2]).to_numpy()
    plain = pr.hand_till(y, bare)
    for words in (["top", "low_risk", "mid_risk"], ["TOP", "Low.risk", "mid.risk"]):
        scores = named([dress.format(word) for word in words], [2, 0, 1])
        # Sorted, "TOP" stands between the two others.
        assert pr.hand_till(y, scores) == pr.hand_till(y, bare[:, [0, 2, 1]])
        with pytest.raises(ValueError, match=r"^labels is .* but the columns|^the column 'TOP' of"):
            pr.hand_till(y, scores, labels=["Low risk", "mid-risk", "TOP"])
    assert plain != pr.hand_till(y, bare[:, [0, 2, 1]])
    assert pr.hand_till([True, False] * 15, named(["false", "true"], [0, 1])) == pr.hand_till(
        [True, False] * 15, bare[:, :2]
    )


def test_a_column_of_structs_is_read_by_the_names_of_its_fields() -> None:
    plain = pr.hand_till(NAMED_CLASSES, named(["a", "b", "c"], [0, 1, 2]))
    scores = named(["c", "a", "b"], [2, 0, 1])
    table = pa.table(dict(scores)).to_struct_array()
    for structs in (pl.DataFrame(dict(scores)).to_struct("scores"), table, table.combine_chunks()):
        assert pr.hand_till(NAMED_CLASSES, structs) == plain
    with pytest.raises(TypeError, match=r"^y_score\[0\] is a dict; pass a dict of columns, or a"):
        pr.hand_till(NAMED_CLASSES, scores.to_dict("records"))


@pytest.mark.parametrize(
    ("y", "names"),
    [
        ([False, True] * 10, ["p_1", "p_0"]),
        ([False, True] * 10, ["1", "0"]),
        ([0, 1] * 10, ["p_True", "p_False"]),
        ([0.0, 1.0] * 10, ["TRUE", "FALSE"]),
        (["False", "True"] * 10, ["p_1", "p_0"]),
        (["low risk", "no risk"] * 10, ["NoRisk", "LowRisk"]),
        (["a\u0308", "o\u0308"] * 10, ["p_\u00f6", "p_\u00e4"]),  # of one and of two signs
    ],
)
def test_two_columns_name_their_classes_in_another_writing(
    y: list[object], names: list[str]
) -> None:
    score = np.arange(20.0) % 7 + (np.arange(20) % 2)
    frame = pd.DataFrame(np.column_stack([score, -score]), columns=names)
    assert pr.auc(y, frame) == pr.auc(y, score)


@pytest.mark.parametrize(
    ("y", "name"),
    [
        ([False, True] * 10, "p_0"),
        ([0, 1] * 10, "P(False)"),
        (["FALSE", "TRUE"] * 10, "prob_0"),
        (["-", "+"] * 10, "p_+"),
        (["-", "+"] * 10, "P(+)"),
        (["low risk", "no risk"] * 10, "lowrisk"),
    ],
)
def test_a_single_column_names_the_other_class_in_another_writing(
    y: list[object], name: str
) -> None:
    score = pd.Series(np.arange(20.0), name=name)
    with pytest.raises(ValueError, match=r"^y_score is named .* but 1-D scores are those of"):
        pr.auc(y, score)
    first = sorted(set(y), key=str)[0]
    assert pr.auc(y, score, pos_label=first) == pytest.approx(1 - pr.auc(y, score.to_numpy()))
