"""A state depends on its rows alone: any split, order and tree of merges gives the same bytes."""

from __future__ import annotations

import copy
import pickle
from functools import reduce
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.shards import REGIMES, Rows, shuffled, softmax_rows, split
from pipelines.test_state import MEASURES, state_of, weights_of

ROWS = 240
CUTS = st.lists(st.integers(0, ROWS), max_size=12)


def tree(states: list[pr.State], order: list[int]) -> pr.State:
    """Merge neighbours, starting anywhere, until one state is left; each travels as bytes."""
    states = [pr.State.from_bytes(state.to_bytes()) for state in states]
    for k in order:
        if len(states) == 1:
            break
        at = k % (len(states) - 1)
        states[at : at + 2] = [states[at].merge(states[at + 1])]
    return reduce(pr.State.merge, states)


@given(
    regime=st.sampled_from(REGIMES),
    most=st.sampled_from([2, 5, 16, 100, 4096]),
    weights=st.sampled_from(["none", "whole", "real"]),
    cuts=CUTS,
    order=st.lists(st.integers(0, 100), max_size=12),
    seed=st.integers(0, 2**32),
    step=st.sampled_from([0.0, 0.05]),
    batches=st.booleans(),
)
def test_any_split_order_and_tree_gives_the_same_bytes(
    regime: str, most: int, weights: str, cuts: list[int], order: list[int], seed: int,
    step: float, batches: bool,
) -> None:  # fmt: skip
    rows = softmax_rows(ROWS, 3, regime, seed % 7)
    P = np.round(rows.P / step).clip(0, 1 / step) * step if step else rows.P
    rows = Rows(rows.y, P, weights_of(weights, ROWS, seed % 5))
    whole = state_of(rows, max_bins=most).to_bytes()
    parts = split(shuffled(rows, seed), cuts)
    if batches:  # one state that takes all parts
        state = pr.State(range(3), MEASURES, max_bins=most)
        for part in parts:
            state.update(part.y, part.P, sample_weight=part.w)
        assert state.to_bytes() == whole
    assert tree([state_of(part, max_bins=most) for part in parts], order).to_bytes() == whole


@pytest.mark.parametrize("columns", [1, 3])
def test_sorted_shards_with_class_counts(columns: int) -> None:
    rows = softmax_rows(6000, 2 if columns == 1 else 3, "confident", 3)
    if columns == 1:
        rows = rows._replace(P=rows.P[:, 1])
    counts = np.bincount(rows.y)
    options: dict[str, Any] = {
        "measures": ["hand_till", "one_vs_rest"], "max_bins": 500, "class_counts": counts,
    }  # fmt: skip
    whole = state_of(rows, **options).to_bytes()
    by_score = rows.part(np.argsort(rows.P if columns == 1 else rows.P[:, 0]))
    for count in (1, 7, 40):
        parts = np.array_split(np.arange(6000), count)
        states = [state_of(by_score.part(part), **options) for part in parts]
        assert reduce(pr.State.merge, states).to_bytes() == whole


def test_threads_and_memory_layout_do_not_show() -> None:
    rows = softmax_rows(30_000, 5, "moderate", 4)
    whole = state_of(rows, max_bins=300).to_bytes()
    for threads in (2, None):
        state = pr.State(range(5), MEASURES, max_bins=300)
        state.update(rows.y, np.asfortranarray(rows.P), n_threads=threads)
        assert state.to_bytes() == whole


def test_weights_that_are_no_whole_numbers_may_come_late() -> None:
    rows = softmax_rows(200, 3, "moderate", 5)
    first, last = rows.part(slice(0, 90)), rows.part(slice(90, None))
    last = last._replace(w=weights_of("real", 110, 1))
    assert last.w is not None
    both = rows._replace(w=np.concatenate([np.ones(90), last.w]))
    one = state_of(first).merge(state_of(last))
    assert one == state_of(last).merge(state_of(first)) == state_of(both)
    assert not one.exact
    assert 0.0 < one.compute()["hand_till"].error_bound < 1e-8


def test_weights_of_one_are_no_weights() -> None:
    rows = softmax_rows(100, 3, "moderate", 6)
    assert state_of(rows._replace(w=np.ones(100))) == state_of(rows)


def test_copies_and_pickles_go_their_own_way() -> None:
    rows = softmax_rows(100, 3, "moderate", 7)
    state = state_of(rows)
    before = state.to_bytes()
    for copied in (
        pr.State.copy,
        copy.copy,
        copy.deepcopy,
        lambda one: pickle.loads(pickle.dumps(one)),
    ):
        other = copied(state)
        assert other == state
        other.update(rows.y, rows.P)
        assert other != state
        assert other.n == 200
    assert state.to_bytes() == before
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


def test_merging_leaves_the_other_alone_and_returns_itself() -> None:
    rows = softmax_rows(100, 3, "moderate", 8)
    one, other = state_of(rows), state_of(rows, max_bins=16384)
    before = other.to_bytes()
    assert one.merge(other) is one
    assert other.to_bytes() == before
    empty = pr.State(range(3), MEASURES)
    assert empty.merge(other) == other
    assert other.merge(pr.State(range(3), MEASURES)) == empty


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [0, 1, 3]}, r"labels is \(0, 1, 2\) in one and \(0, 1, 3\) in the other"),
        ({"measures": "hand_till"}, "measures is"),
        ({"key": "float"}, "key is 'fold' in one and 'float' in the other"),
        ({"max_bins": 7}, "max_bins is 16384 in one and 7 in the other"),
        ({"class_counts": [1, 2, 3]}, "class_counts differ"),
    ],
)
def test_states_that_do_not_fit_say_why(options: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"labels": range(3), "measures": ["hand_till", "one_vs_rest"]}
    one = pr.State(**given)
    before = one.to_bytes()
    with pytest.raises(ValueError, match=message):
        one.merge(pr.State(**{**given, **options}))
    assert one.to_bytes() == before


def test_what_else_cannot_be_merged() -> None:
    rows = softmax_rows(40, 2, "moderate", 9)
    state = state_of(rows, "auc")
    with pytest.raises(ValueError, match="merged with itself; its rows would count twice"):
        state.merge(state)
    with pytest.raises(TypeError, match="other is a bytes; merge takes a State"):
        state.merge(state.to_bytes())  # type: ignore[arg-type]
    single = state_of(Rows(rows.y, rows.P[:, 1]), "auc")
    with pytest.raises(ValueError, match="one has seen 1-D scores, the other one column per class"):
        state.merge(single)
