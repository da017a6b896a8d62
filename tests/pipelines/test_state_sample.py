"""AUC-mu of a sample of rows: which rows it has, what they tell, and what travels."""

from __future__ import annotations

import copy
import pickle
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polyroc._pipelines import frame_batches, row_sample

from given.shards import Rows, softmax_rows
from pipelines.test_state import weights_of
from pipelines.test_state_bytes import CHANGED, sealed
from pipelines.test_state_merge import tree

K = 4


def sampled(rows: Rows, ids: Any, most: int = 20, measures: Any = "auc_mu") -> pr.State:
    state = pr.State(range(K), measures, sample_rows=most, max_bins=64)
    return state.update(rows.y, rows.P, sample_weight=rows.w, row_id=ids)


@given(
    most=st.sampled_from([2, 7, 30, 500]),
    weights=st.sampled_from(["none", "whole", "real"]),
    cuts=st.lists(st.integers(0, 240), max_size=9),
    order=st.lists(st.integers(0, 100), max_size=9),
    seed=st.integers(0, 2**32),
    doubles=st.booleans(),
)
def test_any_split_order_and_tree_gives_the_same_bytes(
    most: int, weights: str, cuts: list[int], order: list[int], seed: int, doubles: bool
) -> None:
    rows = softmax_rows(240, K, "moderate", seed % 7)
    rows = rows._replace(w=weights_of(weights, 240, seed % 5))
    ids = np.arange(240) // (3 if doubles else 1)
    measures = ["hand_till", "auc_mu"]
    whole = sampled(rows, ids, most, measures).to_bytes()
    turn = np.random.default_rng(seed).permutation(240)
    ends = [0, *sorted(cuts), 240]
    parts = [turn[a:b] for a, b in pairwise(ends)]
    states = [sampled(rows.part(part), ids[part], most, measures) for part in parts]
    assert tree(states, order).to_bytes() == whole
    one = pr.State(range(K), measures, sample_rows=most, max_bins=64)
    for part in parts:
        few = rows.part(part)
        one.update(few.y, few.P, sample_weight=few.w, row_id=ids[part])
    assert one.to_bytes() == whole


@pytest.mark.parametrize("weights", ["none", "whole", "real"])
def test_a_sample_of_all_rows_is_exact(weights: str) -> None:
    rows = softmax_rows(300, K, "skewed", 2)
    rows = rows._replace(w=weights_of(weights, 300, 1))
    found = sampled(rows, np.arange(300), 300).compute()["auc_mu"]
    wanted = pr.delong(rows.y, rows.P, pr.AucMu(ties="exact"), sample_weight=rows.w)
    assert found.estimate == pr.auc_mu(rows.y, rows.P, ties="exact", sample_weight=rows.w)
    assert found.exact
    assert found.error_bound == found.sampling_error == 0.0
    assert found.sampled is None
    assert found.method == wanted.method
    np.testing.assert_allclose(found.standard_error, wanted.standard_error, rtol=1e-12)
    np.testing.assert_allclose(found.interval, wanted.interval, rtol=1e-12)
    assert "exact" in repr(found)
    assert "sampled" not in repr(found)


def test_a_sample_is_of_the_least_hashes_and_says_so() -> None:
    rows = softmax_rows(3000, K, "moderate", 3)
    state = sampled(rows, np.arange(3000), 50)
    hashes = row_sample._mixed(np.arange(3000, dtype=np.uint64))
    least = [
        np.flatnonzero(rows.y == k)[np.argsort(hashes[rows.y == k])[:50]] for k in range(K)
    ]  # fmt: skip
    few = rows.part(np.concatenate(least))
    found = state.compute()["auc_mu"]
    assert found.estimate == pr.auc_mu(few.y, few.P, ties="exact")
    assert not found.exact
    assert not state.exact
    assert found.error_bound == np.inf
    assert found.n == 3000
    assert found.sampled == 50 * K
    assert found.class_counts.tolist() == np.bincount(rows.y).tolist()
    assert found.method.endswith("sampled rows")
    assert (
        f"sampled (200 of 3,000 rows, standard error of sampling {found.sampling_error:.1e})"
        in (repr(found))
    )
    assert "200 of them sampled" in repr(state)
    assert found.to_dict()["sampled"] == 200
    frame = state.compute().to_frame("pandas")
    assert frame.sampled.tolist() == [200]


def test_the_error_of_sampling_is_the_spread_of_samples() -> None:
    rows = softmax_rows(1200, K, "moderate", 5)
    truth = pr.auc_mu(rows.y, rows.P, ties="exact")
    apart, told = [], []
    for seed in range(300):
        ids = np.random.default_rng(seed).integers(0, 2**63, 1200)
        found = sampled(rows, ids, 100).compute()["auc_mu"]
        apart.append(found.estimate - truth)
        told.append(found.sampling_error)
    assert abs(np.mean(apart)) < 4 * np.std(apart) / np.sqrt(300)
    # 300 samples tell a spread to 4 %; a third of the rows is sampled, so that the correction
    # for drawing without replacement is a factor of 0.82, which no luck explains.
    assert 0.88 < np.mean(told) / np.std(apart) < 1.12


def test_strings_and_numbers_as_ids_and_arrays_in_any_layout() -> None:
    rows = softmax_rows(200, K, "moderate", 6)
    names = np.array([f"file:{row}" for row in range(200)])
    one = sampled(rows, names)
    other = sampled(rows._replace(P=np.asfortranarray(rows.P)), list(names))
    assert one == other
    assert one != sampled(rows, np.arange(200))
    again = pickle.loads(pickle.dumps(one))
    assert again == one == copy.deepcopy(one)
    more = one.copy().update(rows.y, rows.P, row_id=np.arange(1000, 1200))
    assert more.n == 400
    assert one.n == 200


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
@pytest.mark.parametrize("ids", ["number", "text"])
def test_frames_give_the_same_bytes(kind: str, ids: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_batches, "ROWS", 64)
    rows = softmax_rows(400, K, "moderate", 7)
    names = [f"p_{k}" for k in range(K)]
    columns = {name: rows.P[:, k].copy() for k, name in enumerate(names)}
    number = np.arange(400) * 7
    frame: Any = pd.DataFrame(
        {"y": rows.y, **columns, "number": number, "text": number.astype(str)}
    )
    wanted = sampled(rows, frame[ids].to_numpy())
    frame = pa.Table.from_pandas(frame) if kind == "pyarrow" else frame
    state = pr.State(range(K), "auc_mu", sample_rows=20, max_bins=64)
    assert state.update_frame(frame, y_true="y", y_score=names, row_id=ids, n_threads=2) == wanted


def test_many_classes_are_sampled_by_themselves() -> None:
    classes = 140
    rng = np.random.default_rng(0)
    y = np.concatenate([np.arange(classes), np.arange(classes), rng.integers(0, classes, 500)])
    P = rng.random((len(y), classes))
    P[np.arange(len(y)), y] += 0.2
    state = pr.State(range(classes), ["hand_till", "auc_mu"], key="float")
    assert state.sample_rows == 2**25 // classes**2
    state.update(y, P, row_id=np.arange(len(y)))
    found = state.compute()
    assert found["auc_mu"].estimate == pr.auc_mu(y, P, ties="exact")
    np.testing.assert_allclose(found["hand_till"].estimate, pr.hand_till(y, P), rtol=1e-12)
    with pytest.raises(ValueError, match="has its error from compute"):
        pr.InfluenceTables(state)
    batches = [{"y_true": y, "y_score": P, "row_id": np.arange(len(y))}]
    options: dict[str, Any] = {"labels": range(classes), "measures": "auc_mu", "key": "float"}
    again = pr.evaluate_batches(batches, **options, interval=None)["auc_mu"]
    assert again.estimate == found["auc_mu"].estimate


def test_every_changed_byte_is_refused() -> None:
    rows = softmax_rows(40, K, "moderate", 1)
    blob = sampled(rows, np.arange(40), 3).to_bytes()
    assert pr.State.from_bytes(blob).to_bytes() == blob
    for at in range(len(blob)):
        for change in (1, 0x80, 0xFF):
            broken = bytearray(blob)
            broken[at] ^= change
            with pytest.raises(ValueError, match=f"{CHANGED}|not the bytes of a polyroc state"):
                pr.State.from_bytes(broken)
    for end in range(len(blob)):
        with pytest.raises(ValueError, match=f"{CHANGED}|not the bytes of a polyroc state"):
            pr.State.from_bytes(blob[:end])
    body = bytearray(blob[:-4])
    body[len("polyroc sampled state")] = 9
    with pytest.raises(ValueError, match="sampled state of version 9; this polyroc reads ver"):
        pr.State.from_bytes(sealed(bytes(body)))


def test_what_is_missing_or_wrong_is_said() -> None:
    rows = softmax_rows(100, K, "moderate", 1)
    state = pr.State(range(K), "auc_mu", sample_rows=10)
    with pytest.raises(ValueError, match="drawn by row ids; pass row_id="):
        state.update(rows.y, rows.P)
    frame = pd.DataFrame(rows.P, columns=[f"p_{k}" for k in range(K)]).assign(y=rows.y)
    with pytest.raises(ValueError, match="drawn by row ids; pass row_id="):
        state.update_frame(frame, y_true="y", y_score=[f"p_{k}" for k in range(K)])
    with pytest.raises(ValueError, match="row_id has 99 values for 100 rows"):
        state.update(rows.y, rows.P, row_id=np.arange(99))
    P = rows.P.copy()
    P[3, 1] = 7.0
    with pytest.raises(ValueError, match=r"y_score\[3, 1\] is 7.0"):
        state.update(rows.y, P, row_id=np.arange(100))
    assert state.n == 0
    assert state == pr.State(range(K), "auc_mu", sample_rows=10)
    state.update(rows.y, rows.P, row_id=np.zeros(100, dtype=int))  # noted when it matters
    with pytest.raises(ValueError, match="rows of the sample have an id that came before"):
        state.compute()
    with pytest.raises(ValueError, match="sample_rows is 10 in one and 11 in the other"):
        state.merge(pr.State(range(K), "auc_mu", sample_rows=11))
    with pytest.raises(ValueError, match="sample_rows is 1; pass how many rows"):
        pr.State(range(K), "auc_mu", sample_rows=1)
    with pytest.raises(ValueError, match="sample_rows is for auc_mu, and measures has hand_till"):
        pr.State(range(K), "hand_till", sample_rows=10)
    with pytest.raises(ValueError, match="two classes takes a single table"):
        pr.State(range(2), "auc_mu", sample_rows=10)


def test_merging_samples_of_shards_is_the_sample_of_all_rows() -> None:
    rows = softmax_rows(5000, K, "confident", 8)
    parts = np.array_split(np.random.default_rng(1).permutation(5000), 11)
    states = [sampled(rows.part(part), part, 60) for part in parts]
    assert reduce(pr.State.merge, states) == sampled(rows, np.arange(5000), 60)
