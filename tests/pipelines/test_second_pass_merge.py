"""Sums of a second pass: free of order, refused when changed, and only of the rows of the first."""

from __future__ import annotations

import pickle
import zlib
from functools import reduce
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.shards import REGIMES, Rows, shuffled, softmax_rows, split
from pipelines.test_state import MEASURES, state_of

N = 200
ROWS = softmax_rows(N, 3, "moderate", 1)
CHANGED = "changed or cut off on the way|not the bytes of a polyroc"


def numbered(rows: Rows) -> Rows:
    """Return rows with their numbers among all as weights, which they keep when shuffled."""
    return rows._replace(w=np.arange(len(rows.y), dtype=float))


def sums_of(tables: pr.InfluenceTables, rows: Rows, numbers: Any, weights: Any) -> Any:
    groups = np.char.add("patient ", (numbers % 23).astype(str)) if len(numbers) else numbers
    return pr.InfluenceSums(tables).update(
        rows.y, rows.P, sample_weight=None if weights is None else weights[numbers],
        row_id=numbers if tables.n_resamples and not tables.groups else None,
        groups=groups if tables.groups else None,
    )  # fmt: skip


@given(
    regime=st.sampled_from(REGIMES),
    most=st.sampled_from([16, 4096]),
    kind=st.sampled_from(["rows", "groups", "replicates", "grouped replicates"]),
    weighted=st.booleans(),
    cuts=st.lists(st.integers(0, N), max_size=6),
    seed=st.integers(0, 2**32),
)
def test_any_split_order_and_merge_gives_the_same_bytes(
    regime: str, most: int, kind: str, weighted: bool, cuts: list[int], seed: int
) -> None:
    rows = numbered(softmax_rows(N, 3, regime, seed % 5))
    assert rows.w is not None
    weights = np.random.default_rng(seed % 3).gamma(2.0, size=N) if weighted else None
    state = pr.State(range(3), MEASURES, max_bins=most).update(
        rows.y, rows.P, sample_weight=weights
    )
    tables = pr.InfluenceTables(
        state, groups="group" in kind, n_resamples=40 if "replicates" in kind else 0, seed=seed
    )
    whole = sums_of(tables, rows, rows.w.astype(np.int64), weights)
    parts = split(shuffled(rows, seed), cuts)
    shards = [sums_of(tables, part, np.asarray(part.w).astype(np.int64), weights) for part in parts]
    arrived = pr.InfluenceTables.from_bytes(tables.to_bytes())
    shards = [pr.InfluenceSums.from_bytes(shard.to_bytes(), arrived) for shard in shards]
    merged = reduce(pr.InfluenceSums.merge, shards[::-1])
    assert merged.to_bytes() == whole.to_bytes()
    for name, value in merged.compute().items():
        assert value == whole.compute()[name]


def test_threads_do_not_show() -> None:
    rows = softmax_rows(40_000, 4, "moderate", 2)
    state = pr.State(range(4), MEASURES, max_bins=500).update(rows.y, rows.P)
    tables = pr.InfluenceTables(state, n_resamples=8, seed=1)
    ids = np.arange(40_000)
    one, two = (
        pr.InfluenceSums(tables).update(rows.y, rows.P, row_id=ids, n_threads=threads)
        for threads in (1, 2)
    )
    assert one == two


def test_tables_and_sums_travel() -> None:
    tables = pr.InfluenceTables({"a": state_of(ROWS), "b": state_of(ROWS)}, n_resamples=5, seed=9)
    for other in (
        pickle.loads(pickle.dumps(tables)),
        pr.InfluenceTables.from_bytes(tables.to_bytes()),
    ):
        assert (other.models, other.seed, other.n_resamples) == (("a", "b"), 9, 5)
        assert other.labels == (0, 1, 2)
        assert other.measures == MEASURES
        assert not other.groups
        assert other.to_bytes() == tables.to_bytes()
    sums = pr.InfluenceSums(tables)
    sums.update(ROWS.y, {"a": ROWS.P, "b": ROWS.P}, row_id=range(N))
    assert pickle.loads(pickle.dumps(sums)) == sums
    assert repr(sums) == "InfluenceSums of hand_till, one_vs_rest, auc_mu: 200 of 200 rows"
    assert repr(tables).endswith("for a, b: 200 rows, 5 replicates of seed 9")
    assert sums.tables is tables


def test_every_changed_byte_is_refused() -> None:
    state = state_of(softmax_rows(30, 3, "moderate", 3), "hand_till", max_bins=6)
    tables = pr.InfluenceTables(state, n_resamples=2, seed=1)
    rows = softmax_rows(30, 3, "moderate", 3)
    blob = pr.InfluenceSums(tables).update(rows.y, rows.P, row_id=range(30)).to_bytes()
    read: list[Any] = [
        lambda data: pr.InfluenceSums.from_bytes(data, tables),
        pr.InfluenceTables.from_bytes,
    ]
    for data, from_bytes in zip((blob, tables.to_bytes()), read, strict=True):
        for at in range(len(data)):
            broken = bytearray(data)
            broken[at] ^= 0x40
            with pytest.raises(ValueError, match=CHANGED):
                from_bytes(broken)
            with pytest.raises(ValueError, match=CHANGED):
                from_bytes(data[:at])
        body = data[:-8]
        with pytest.raises(ValueError, match=r"contradict themselves|changed or cut"):
            from_bytes(body + zlib.crc32(body).to_bytes(4, "little"))


def test_sums_of_other_tables_are_refused() -> None:
    one, other = (
        pr.InfluenceTables(state_of(ROWS, "hand_till"), n_resamples=4, seed=k) for k in (1, 2)
    )
    first, second = pr.InfluenceSums(one), pr.InfluenceSums(other)
    with pytest.raises(ValueError, match="made with other tables; broadcast one set"):
        first.merge(second)
    with pytest.raises(ValueError, match="made with other tables"):
        pr.InfluenceSums.from_bytes(second.to_bytes(), one)


@pytest.mark.parametrize("lost", [True, False])
def test_a_shard_lost_or_read_twice_is_noticed(lost: bool) -> None:
    tables = pr.InfluenceTables(state_of(ROWS))
    first, last = ROWS.part(slice(0, 120)), ROWS.part(slice(120, None))
    sums = pr.InfluenceSums(tables).update(first.y, first.P)
    if not lost:
        sums.update(last.y, last.P).update(last.y, last.P)
    with pytest.raises(ValueError, match="a shard was read twice or lost: merge every shard once"):
        sums.compute()


def test_one_shard_twice_in_place_of_another_is_noticed() -> None:
    # Two shards with the same class counts, and scores that the first pass saw.
    half = ROWS.part(slice(0, 100))
    other = Rows(half.y, half.P[:, [1, 0, 2]])
    state = state_of(half, "hand_till").merge(state_of(other, "hand_till"))
    state.merge(state_of(Rows(half.y, half.P[:, [2, 0, 1]]), "hand_till"))
    state.merge(state_of(Rows(half.y, half.P[:, [1, 2, 0]]), "hand_till"))
    state.merge(state_of(Rows(half.y, half.P[:, [0, 2, 1]]), "hand_till"))
    state.merge(state_of(Rows(half.y, half.P[:, [2, 1, 0]]), "hand_till"))
    sums = pr.InfluenceSums(pr.InfluenceTables(state))
    for _ in range(6):
        sums.update(half.y, half.P)
    with pytest.raises(ValueError, match=r"but not the same ones .*a shard was read twice or lost"):
        sums.compute()


def test_scores_that_the_first_pass_did_not_see() -> None:
    tables = pr.InfluenceTables(state_of(ROWS))
    sums = pr.InfluenceSums(tables).update(ROWS.y[:50], ROWS.P[:50])
    before = sums.to_bytes()
    P = ROWS.P.copy()
    P[77, 1] = 0.123456
    with pytest.raises(ValueError, match="row 77 of the batch was not seen in the first pass"):
        sums.update(ROWS.y, P)
    assert sums.to_bytes() == before
