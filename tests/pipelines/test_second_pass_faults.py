"""What tables, sums and batches refuse, by message."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.shards import softmax_rows
from pipelines.test_state import state_of

ROWS = softmax_rows(60, 3, "moderate", 1)
STATE = state_of(ROWS, "hand_till")
COUNTED = state_of(ROWS, "hand_till", class_counts=STATE.class_counts)


@pytest.mark.parametrize(
    ("states", "options", "error", "message"),
    [
        (3, {}, TypeError, "states is 3; pass a State, or a dict of them by model"),
        ({}, {}, TypeError, "pass a State"),
        ({"a": 3}, {}, TypeError, r"states\['a'\] is a int; pass a State"),
        ({1: STATE}, {}, TypeError, "name models by strings"),
        (STATE, {"groups": 1}, TypeError, "groups is 1; pass True or False"),
        (STATE, {"n_resamples": 1}, ValueError, "n_resamples is 1; pass 0, or a whole"),
        (STATE, {"n_resamples": 2.5}, ValueError, "n_resamples is 2.5"),
        (STATE, {"n_resamples": 2**32 + 1}, ValueError, "a whole number from 2 to 2.32"),
        (STATE, {"n_resamples": 2**32}, ValueError, r"is 4294967296; .* at most \d+ replicates"),
        (STATE, {"n_resamples": 9, "seed": -1}, ValueError, "seed is -1"),
        (STATE, {"whole": 3}, TypeError, "whole is a int; pass the State of all rows"),
        (STATE, {"whole": STATE, "groups": True}, ValueError, "not needed where rows come in"),
        (STATE, {"whole": STATE, "n_resamples": 9}, ValueError, "not needed for replicates"),
        (COUNTED, {"whole": COUNTED}, ValueError, "make its states without class_counts"),
        (pr.State(range(3), "hand_till"), {}, ValueError, "class 0 has no rows"),
        (state_of(ROWS.part(slice(0, 3)), "hand_till"), {}, ValueError, "class .* has "),
        (
            {"a": STATE, "b": state_of(ROWS, "auc_mu")}, {}, ValueError,
            r"measures is .* for 'a' and .* for 'b'; make all states with the same arguments",
        ),
        (
            {"a": STATE, "b": STATE.copy().merge(state_of(ROWS, "hand_till"))}, {}, ValueError,
            "'a' has 60 rows .* and 'b' 120 .* a shard was read twice or lost",
        ),
    ],
)  # fmt: skip
def test_tables(states: Any, options: dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        pr.InfluenceTables(states, **options)


def test_weights_and_class_counts() -> None:
    counts = 2 * np.bincount(ROWS.y)
    state = pr.State(range(3), "hand_till", class_counts=counts)
    state.update(ROWS.y, ROWS.P, sample_weight=np.full(60, 2.0))
    with pytest.raises(ValueError, match=r"weighted rows .* make the states without class_counts"):
        pr.InfluenceTables(state)


@pytest.mark.parametrize(
    ("options", "given", "error", "message"),
    [
        ({}, {"y_score": {"a": ROWS.P}}, TypeError, "the tables are of one model without a name"),
        ({}, {"groups": np.zeros(60, int)}, ValueError, "pass groups=True there"),
        ({"groups": True}, {}, ValueError, "groups is missing: InfluenceTables has groups=True"),
        ({"n_resamples": 9}, {}, ValueError, "row_id is missing: replicates hang on it"),
        ({"n_resamples": 9}, {"row_id": range(59)}, ValueError, "row_id has 59 values for 60 rows"),
        ({"n_resamples": 9}, {"row_id": np.ones(60)}, TypeError, "row_id is of dtype float64"),
        ({"groups": True}, {"groups": [None] * 60}, ValueError, r"groups\[0\] is missing"),
        ({"groups": True}, {"groups": [1, "a"] * 30}, TypeError, "whole numbers or strings"),
        ({}, {"y_true": ROWS.y[:9]}, ValueError, "y_true has 9 rows but y_score has 60"),
        ({}, {"y_score": ROWS.P[:, :2]}, ValueError, "has 2 columns"),
        ({}, {"y_score": np.full((60, 3), np.nan)}, ValueError, r"y_score\[0, 0\] is NaN"),
        ({}, {"y_true": np.full(60, 9)}, ValueError, "9"),
        ({}, {"sample_weight": np.full(60, 0.5)}, ValueError, "a weight was not seen in the first"),
    ],
)  # fmt: skip
def test_a_batch_is_taken_whole_or_not_at_all(
    options: dict[str, Any], given: dict[str, Any], error: Any, message: str
) -> None:
    sums = pr.InfluenceSums(pr.InfluenceTables(STATE, **options))
    before = sums.to_bytes()
    with pytest.raises(error, match=message):
        sums.update(**{"y_true": ROWS.y, "y_score": ROWS.P, **given})
    assert sums.to_bytes() == before
    assert sums.n == 0


def test_models_by_name() -> None:
    sums = pr.InfluenceSums(pr.InfluenceTables({"a": STATE, "b": STATE}))
    for scores in (ROWS.P, {"a": ROWS.P}, {"a": ROWS.P, "c": ROWS.P}):
        with pytest.raises(ValueError, match=r"scores of each of the models \['a', 'b'\]"):
            sums.update(ROWS.y, scores)


def test_groups_of_one_kind_each() -> None:
    tables = pr.InfluenceTables(STATE, groups=True)
    groups = np.where(ROWS.y == 0, 1, np.arange(60) + 5)
    sums = pr.InfluenceSums(tables).update(ROWS.y, ROWS.P, groups=groups)
    with pytest.raises(ValueError, match="class 0 has a single group, whose spread cannot be"):
        sums.compute()


def test_merging_and_reading() -> None:
    sums = pr.InfluenceSums(pr.InfluenceTables(STATE))
    with pytest.raises(TypeError, match="tables is a State; pass InfluenceTables"):
        pr.InfluenceSums(STATE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="other is a State; merge takes InfluenceSums"):
        sums.merge(STATE)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="merged with themselves"):
        sums.merge(sums)
    with pytest.raises(TypeError, match="pass the bytes of sums"):
        pr.InfluenceSums.from_bytes("x", sums.tables)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pass the bytes of tables"):
        pr.InfluenceTables.from_bytes(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"confidence is .* pass one level"):
        sums.update(ROWS.y, ROWS.P).compute(confidence=[0.9, 0.95])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pass both or none"):
        sums.compute(whole=sums)


@pytest.mark.parametrize(
    ("batches", "options", "error", "message"),
    [
        (iter([(ROWS.y, ROWS.P)]), {}, TypeError, "can be read once only; pass a list"),
        ([], {}, ValueError, "batches is empty; there is nothing to rank"),
        ([3], {}, TypeError, "batch 0 is a int; pass"),
        ([{"y": ROWS.y}], {}, ValueError, r"batch 0 has \['y'\]; it needs y_true and y_score"),
        ([(ROWS.y, ROWS.P)], {"interval": "exact"}, ValueError, "interval"),
        (
            [(ROWS.y, ROWS.P)], {"interval": "bootstrap", "n_resamples": 0}, ValueError,
            'n_resamples is 0 and interval is "bootstrap"; pass n_resamples=1000',
        ),
        ([(ROWS.y, {"a": ROWS.P})], {"interval": None}, ValueError, "compared by their errors"),
    ],
)  # fmt: skip
def test_batches(batches: Any, options: dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        pr.evaluate_batches(batches, labels=range(3), **options)


def test_batches_may_come_from_a_function_and_without_errors() -> None:
    def read() -> Any:
        for k in range(0, 60, 7):
            yield ROWS.y[k : k + 7], ROWS.P[k : k + 7]

    found = pr.evaluate_batches(read, labels=range(3))
    again = pr.evaluate_batches(read, labels=range(3), interval=None)
    assert found["hand_till"].estimate == again["hand_till"].estimate
    assert np.isnan(again["hand_till"].standard_error)


def test_a_large_batch_is_taken_in_portions_or_not_at_all() -> None:
    rows = softmax_rows(200_000, 3, "moderate", 2)
    state, again = (pr.State(range(3), "hand_till", max_bins=300) for _ in range(2))
    state.update(rows.y, rows.P)
    for k in range(0, 200_000, 70_000):
        again.update(rows.y[k : k + 70_000], rows.P[k : k + 70_000])
    before = state.to_bytes()
    assert again.to_bytes() == before
    tables = pr.InfluenceTables(state)
    sums = pr.InfluenceSums(tables).update(rows.y, rows.P)
    half = pr.InfluenceSums(tables).update(rows.y[:90_000], rows.P[:90_000])
    assert half.update(rows.y[90_000:], rows.P[90_000:]) == sums
    P = rows.P.copy()
    P[199_000, 1] = np.nan
    with pytest.raises(ValueError, match=r"y_score\[199000, 1\] is NaN"):
        state.update(rows.y, P)
    with pytest.raises(ValueError, match=r"y_score\[199000, 1\] is NaN"):
        sums.update(rows.y, P)
    assert state.to_bytes() == before
    assert sums == half


def test_weights_that_differ_between_the_passes_are_named() -> None:
    weights = np.arange(60) % 3 + 1.0
    state = pr.State(range(3), "hand_till").update(ROWS.y, ROWS.P, sample_weight=weights)
    sums = pr.InfluenceSums(pr.InfluenceTables(state))
    sums.update(ROWS.y, ROWS.P, sample_weight=weights[::-1] + 1.0)
    with pytest.raises(ValueError, match=r"sample weights add up to .* pass the same sample_weigh"):
        sums.compute()
