"""Rows of frames, files and streams in a state: whatever the batches, the same bytes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import polyroc as pr
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
from polyroc._pipelines import frame_batches

from pipelines.test_frames import Stream
from pipelines.test_segments import CLASSES, SCORES, frame_of

FRAME = frame_of(1000)
TABLE = pa.Table.from_pandas(FRAME)
NAMES: dict[str, Any] = {"y_true": "label", "y_score": SCORES}


def state(**options: Any) -> pr.State:
    return pr.State(CLASSES, ["hand_till", "one_vs_rest"], key="float", **options)


def parquet(folder: Path) -> Any:
    for k in range(3):
        part = TABLE.slice(k * 400, 400)
        pyarrow.parquet.write_table(part, folder / f"{k}.parquet", row_group_size=150)
    return pyarrow.dataset.dataset(folder)


def duckdb_relation(folder: Path) -> Any:
    duckdb = pytest.importorskip("duckdb")
    parquet(folder)
    return duckdb.connect().sql(f"select * from '{folder}/*.parquet'")


KINDS: dict[str, Any] = {
    "pandas": lambda folder: FRAME,
    "polars": lambda folder: pl.from_pandas(FRAME),
    "lazy": lambda folder: pl.from_pandas(FRAME).lazy(),
    "table": lambda folder: TABLE,
    "batch": lambda folder: pa.RecordBatch.from_pandas(FRAME),
    "reader": lambda folder: TABLE.to_reader(max_chunksize=70),
    "dataset": parquet,
    "stream": lambda folder: Stream(TABLE),
    "duckdb": duckdb_relation,
}


@pytest.mark.parametrize("rows", [64, 1 << 17])
@pytest.mark.parametrize("kind", KINDS)
def test_every_frame_gives_the_same_bytes(
    kind: str, rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_batches, "ROWS", rows)
    wanted = state().update(FRAME.label, FRAME[SCORES].to_numpy()).to_bytes()
    for threads in (1, 3):
        found = state().update_frame(KINDS[kind](tmp_path), n_threads=threads, **NAMES)
        assert found.to_bytes() == wanted
    assert found.compute()["hand_till"].estimate == pr.hand_till(FRAME.label, FRAME[SCORES])


def test_weights_one_column_and_rows_that_came_before() -> None:
    two = FRAME[FRAME.label != "c"]
    options: dict[str, Any] = {"y_true": "label", "y_score": "p_b", "sample_weight": "weight"}
    found = pr.State(["a", "b"], "auc", key="float").update_frame(two[:100], **options)
    found.update_frame(pl.from_pandas(two[100:]), **options)
    wanted = pr.State(["a", "b"], "auc", key="float")
    wanted.update(two.label, two.p_b, sample_weight=two.weight)
    assert found == wanted


def test_whole_numbers_and_mixed_types() -> None:
    mixed = FRAME.assign(p_a=(100 * FRAME.p_a).round().astype(int), p_b=FRAME.p_b.astype("float32"))
    wanted = state().update(mixed.label, mixed[SCORES].to_numpy(dtype=float))
    assert state().update_frame(mixed, **NAMES) == wanted


def test_class_counts_and_bins_are_kept() -> None:
    counts = FRAME.label.value_counts()[CLASSES].tolist()
    options: dict[str, Any] = {"class_counts": counts, "max_bins": 64}
    found = state(**options).update_frame(FRAME, **NAMES)
    assert found == state(**options).update(FRAME.label, FRAME[SCORES].to_numpy())
    assert not found.exact


BAD: dict[str, tuple[Any, dict[str, Any], type[Exception], str]] = {
    "null": (FRAME.assign(p_b=FRAME.p_b.where(FRAME.index != 777)), {}, ValueError,
             "column 'p_b' is null in row 777"),
    "no label": (FRAME.assign(label=FRAME.label.where(FRAME.index != 777)), {}, ValueError,
                 "column 'label' is null in row 777"),
    "label": (FRAME.assign(label=FRAME.label.where(FRAME.index != 777, "x")), {}, ValueError,
              "column 'label' holds 'x' in row 777, which is none of the state's labels"),
    "large": (FRAME.assign(p_b=np.where(FRAME.index == 777, 2**60, 1)), {}, ValueError,
              "row 777 of column 'p_b' is 1152921504606846976, beyond 2\\^52"),
    "text": (FRAME.assign(p_b="x"), {}, TypeError, "column 'p_b' holds"),
    "column": (FRAME, {"y_true": "lable"}, ValueError, "no column 'lable'; did you mean 'label'"),
    "few": (FRAME, {"y_score": SCORES[:2]}, ValueError, "y_score names 2 columns but the state"),
    "order": (FRAME, {"y_score": SCORES[::-1]}, ValueError, "in this order"),
    "weight": (FRAME.assign(weight=np.where(FRAME.index == 777, -1.0, 1.0)),
               {"sample_weight": "weight"}, ValueError,
               "row 777 of column 'weight' is -1.0; weights must be finite and >= 0"),
    "no frame": ([1], {}, TypeError, "list is no frame that can be read"),
    "a file": ("p.parquet", {}, TypeError, "'p.parquet' is the name of a file; pass what opens it"),
}  # fmt: skip


def test_what_is_no_probability_is_told_by_column_and_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_batches, "ROWS", 100)
    one = FRAME.assign(p=np.where(FRAME.index == 555, 1.5, 0.5))
    found = pr.State(["a", "b"], "auc")
    two = one[one.label != "c"].reset_index(drop=True)
    row = int((two.p > 1.0).to_numpy().argmax())
    for frame in (two, pl.from_pandas(two), pa.Table.from_pandas(two)):
        with pytest.raises(ValueError, match=f"row {row} of column 'p' is 1.5, which is no prob"):
            found.update_frame(frame, y_true="label", y_score="p")
    folded = pr.State(CLASSES, "hand_till")
    scores = FRAME[SCORES].abs() / 1e3
    scores.loc[777, "p_b"] = 2.0
    frame = scores.assign(label=FRAME.label)
    with pytest.raises(
        ValueError, match=r"row 777 of column 'p_b' is 2\.0, which is no probability"
    ):
        folded.update_frame(frame, **NAMES)
    assert folded.n == found.n == 0


def test_differences_that_are_no_numbers_are_told_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_batches, "ROWS", 100)
    frame = FRAME.assign(p_a=FRAME.p_a.where(FRAME.index != 777, np.inf),
                         p_b=FRAME.p_b.where(FRAME.index != 777, np.inf))  # fmt: skip
    found = pr.State(CLASSES, "auc_mu", key="float")
    with pytest.raises(ValueError, match=r"row 777 of columns \['p_a', 'p_b', 'p_c'\]: infinite"):
        found.update_frame(frame, **NAMES)


@pytest.mark.parametrize("case", BAD)
def test_a_bad_row_takes_nothing_in(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_batches, "ROWS", 100)
    frame, options, kind, words = BAD[case]
    found = state().update(FRAME.label[:50], FRAME[SCORES][:50].to_numpy())
    before = found.to_bytes()
    with pytest.raises(kind, match=words):
        found.update_frame(frame, **{**NAMES, **options})
    assert found.to_bytes() == before


GROWTH = """
import resource, sys
import numpy as np, pyarrow as pa, polyroc as pr
count = int(sys.argv[1])
rng = np.random.default_rng(0)
y, P = rng.integers(0, 4, 100_000), rng.random((4, 100_000))
batch = pa.record_batch({"y": y, **{f"p_{k}": P[k] for k in range(4)}})
def batches():
    for k in range(count):
        yield pa.record_batch([column.take(pa.array(rng.permutation(100_000))) for column in batch],
                              schema=batch.schema)
reader = pa.RecordBatchReader.from_batches(batch.schema, batches())
state = pr.State(range(4), "hand_till", max_bins=1024)
state.update_frame(reader, y_true="y", y_score=[f"p_{k}" for k in range(4)], n_threads=2)
assert state.n == count * 100_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read as Linux has it")
def test_memory_does_not_grow_with_the_rows() -> None:
    def peak(batches: int) -> float:
        call = [sys.executable, "-c", GROWTH, str(batches)]
        done = subprocess.run(call, capture_output=True, text=True, check=True)
        return int(done.stdout) / 1024.0

    assert peak(40) - peak(10) < 16.0  # 120 MiB more rows went through
