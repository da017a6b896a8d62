"""Keys and scores of every type that frames have: read exactly, and keys come back as they were."""

from __future__ import annotations

import datetime
import decimal
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pipelines.test_segments import SCORES, evaluated, frame_of

FRAME = frame_of(300)
TABLE = pa.Table.from_pandas(FRAME)
_K = np.random.default_rng(5).integers(0, 3, len(FRAME))
_DAYS = [datetime.date(2026, 1, 1 + k) for k in range(3)]
_TIMES = [datetime.datetime(2026, 3, 28 + k, tzinfo=datetime.timezone.utc) for k in range(3)]


def of(values: list[Any], kind: Any) -> Any:
    return pa.array(values, kind).take(pa.array(_K))


KEYS = {
    "bool": of([False, True, True], pa.bool_()),
    "int8": of([-5, 0, 7], pa.int8()),
    "uint64": of([1, 2**63, 2**63 + 1], pa.uint64()),
    "double": of([-1.5, 0.0, 2.5], pa.float64()),
    "float": of([-1.5, 0.0, 2.5], pa.float32()),
    "string": of(["a", "b", "ä"], pa.string()),
    "large_string": of(["a", "b", "ä"], pa.large_string()),
    "date32": of(_DAYS, pa.date32()),
    "time zone": of(_TIMES, pa.timestamp("us", "Europe/Berlin")),
    "timestamp": of([1, 2, 3], pa.timestamp("ms")),
    "duration": of([1, 2, 3], pa.duration("us")),
    "decimal": of([decimal.Decimal("0.10"), decimal.Decimal(2), None], pa.decimal128(5, 2)),
    "binary": of([b"a", b"b", b"c"], pa.binary()),
    "dictionary": of(["a", "b", None], pa.string()).dictionary_encode(),
    "null": of([None, None, None], pa.null()),
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("library", ["pyarrow", "polars", "pandas by Arrow"])
def test_keys_come_back_as_they_were(name: str, library: str) -> None:
    table: Any = TABLE.append_column("key", KEYS[name])
    frame = table
    if library == "polars":
        frame = pl.from_arrow(table)
    elif library == "pandas by Arrow":
        frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    found = evaluated(frame, by=[(), "key"])
    kind = found.schema.field("key").type if library == "pyarrow" else found["key"].dtype
    given = table.schema.field("key").type if library == "pyarrow" else frame["key"].dtype
    assert kind == given
    keys = found["key"].to_pylist() if library == "pyarrow" else found["key"].to_list()
    wanted = sorted({one for one in KEYS[name].to_pylist() if one is not None})
    nulls = [None] * bool(KEYS[name].null_count)
    plain = [None if one is None or one is pd.NA or pd.isna(one) else one for one in keys]
    assert plain == [None, *wanted, *nulls]


def test_keys_of_pandas_keep_their_types() -> None:
    frame = FRAME.assign(
        whole=_K, true=_K > 0, real=_K / 2, day=pd.to_datetime(_DAYS)[_K],
        kind=pd.Categorical(np.array(["z", "y", "x"])[_K], ["z", "y", "x", "unused"]),
        mixed=pd.Series([("a", 1, 2.5)[k] for k in _K], dtype=object),
    )  # fmt: skip
    alone = {name: evaluated(frame, by=name)[name] for name in frame.columns[-6:]}
    assert {name: str(one.dtype) for name, one in alone.items()} == {
        "whole": "int64", "true": "bool", "real": "float64", "day": str(frame.day.dtype),
        "kind": "category", "mixed": "object",
    }  # fmt: skip
    assert alone["kind"].tolist() == ["x", "y", "z"]
    both = evaluated(frame, by=[(), "whole"]).whole
    assert str(both.dtype) == "Int64"
    assert both.isna().tolist() == [True, False, False, False]


def by_arrow(table: Any) -> Any:
    return table.to_pandas(types_mapper=pd.ArrowDtype)


@pytest.mark.parametrize(
    "make", [lambda table: table, pl.from_arrow, lambda t: t.to_pandas(), by_arrow]
)
@pytest.mark.parametrize("kind", [pa.float64(), pa.float32()])
def test_nan_is_a_null_and_zeros_have_no_sign(make: Any, kind: Any) -> None:
    keys = np.array([0.0, -0.0, np.nan])[_K]
    some = (_K == 2) & (np.arange(len(_K)) % 2 > 0)  # of those without a number are null
    table = evaluated(make(TABLE.append_column("key", pa.array(keys, kind, mask=some))), by="key")
    n = np.asarray(table["n"]).tolist()
    assert n == [np.count_nonzero(_K < 2), np.count_nonzero(_K == 2)]
    last = (
        table["key"].to_pylist()[-1] if isinstance(table, pa.Table) else table["key"].to_list()[-1]
    )
    assert pd.isna(last)


def with_scores(change: Any) -> Any:
    table = TABLE
    for name in SCORES:
        table = table.set_column(table.column_names.index(name), name, change(table.column(name)))
    return table


ALIKE = {
    "float32": lambda column: column.cast(pa.float32()),
    "float16": lambda column: pa.array(column.to_numpy().astype(np.float16)),
    "int16": lambda column: pc.round(pc.multiply(column, 100)).cast(pa.int16()),
    "decimal": lambda column: pc.round(column, 2).cast(pa.decimal128(12, 2), safe=False),
    "bool": lambda column: pc.greater(column, 0.5),
    "chunks": lambda column: pa.chunked_array([column.chunk(0)[:7], column.chunk(0)[7:]]),
}


@pytest.mark.parametrize("kind", ALIKE)
def test_scores_of_other_types(kind: str) -> None:
    table = with_scores(ALIKE[kind])
    wanted = pr.hand_till(
        FRAME.label, np.stack([table.column(one).to_numpy() for one in SCORES], 1).astype(float)
    )
    for frame in (table, pl.from_arrow(table), table.to_pandas(types_mapper=pd.ArrowDtype)):
        assert evaluated(frame)["estimate"][0] == (pa.scalar(wanted) if frame is table else wanted)


def test_decimals_of_more_digits_than_doubles_are_refused() -> None:
    fine = pa.decimal128(30, 25)
    table = with_scores(
        lambda column: pa.array(
            [decimal.Decimal(1) / (3 + k) for k in range(len(column))]
        ).cast(fine, safe=False)
    )  # fmt: skip
    for frame in (table, pl.from_arrow(table), table.to_pandas(types_mapper=pd.ArrowDtype)):
        with pytest.raises(ValueError, match=r"column 'p_a' holds .* more digits than float64"):
            evaluated(frame)


@pytest.mark.parametrize(
    "kind", [pa.string_view(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())], ids=str
)
def test_text_in_every_layout(kind: Any) -> None:
    table = TABLE
    for name in ("label", "country"):
        changed = table.column(name).cast(pa.string()).cast(kind)
        table = table.set_column(table.column_names.index(name), name, changed)
    found = evaluated(table, by="country").to_pandas()
    assert found.estimate.tolist() == evaluated(FRAME, by="country").estimate.tolist()


def test_runs_and_dictionaries_with_values_twice() -> None:
    runs = pc.run_end_encode(TABLE.column("device").combine_chunks())
    table = TABLE.set_column(TABLE.column_names.index("device"), "device", runs)
    wanted = evaluated(FRAME, by="device").estimate.tolist()
    assert evaluated(table, by="device").column("estimate").to_pylist() == wanted
    twice = pa.DictionaryArray.from_arrays(
        pa.array(_K, pa.int32()), pa.array(["b", "a", "b", "unused", None])
    )
    found = evaluated(TABLE.append_column("key", twice), by="key")
    assert found.column("key").to_pylist() == ["a", "b"]
    assert found.column("n").to_pylist() == [np.count_nonzero(_K == 1), np.count_nonzero(_K != 1)]


@pytest.mark.parametrize("rows", [slice(100, 250), slice(None, None, 2)])
def test_parts_of_frames(rows: slice) -> None:
    wanted = evaluated(FRAME[rows].reset_index(drop=True), by="country").estimate.tolist()
    assert evaluated(FRAME[rows], by="country").estimate.tolist() == wanted
    assert evaluated(pl.from_pandas(FRAME)[rows], by="country")["estimate"].to_list() == wanted
    if rows.step is None:
        part = TABLE.slice(100, 150)
        assert evaluated(part, by="country").column("estimate").to_pylist() == wanted


def test_what_is_no_key_is_named() -> None:
    lists = TABLE.append_column("key", pa.array([[1]] * len(FRAME)))
    for frame in (lists, pl.from_arrow(lists), lists.to_pandas()):
        with pytest.raises(TypeError, match=r"column 'key' holds .* which is no key"):
            evaluated(frame, by="key")
    table = TABLE.append_column("key", pa.array([1] * len(FRAME)))
    with pytest.raises(TypeError, match=r"column 'p_a' holds objects \(Decimal\)"):
        evaluated(with_scores(ALIKE["decimal"]).to_pandas())
    assert evaluated(table, by="key").num_rows == 1


def test_names_of_columns_may_be_an_index() -> None:
    wanted = evaluated(FRAME).estimate[0]
    given: list[Any] = [FRAME.columns[:3], np.array(SCORES), tuple(SCORES)]
    for names in given:
        assert pr.evaluate(FRAME, y_true="label", y_score=names).estimate[0] == wanted


WITHOUT = """
import sys
for name in sys.argv[1].split():
    sys.modules[name] = None  # not installed, for all that import knows
import numpy as np, polyroc as pr
class Stream:
    def __init__(self, frame):
        self.frame = frame
    def __arrow_c_stream__(self, requested_schema=None):
        return self.frame.__arrow_c_stream__(requested_schema)
if "polars" in sys.argv[1]:
    given = Stream(None)
else:
    import polars as pl
    rng = np.random.default_rng(0)
    given = Stream(pl.DataFrame({"y": rng.integers(0, 2, 99), "s": rng.random(99)}))
print(type(pr.evaluate(given, y_true="y", y_score="s", measure="auc")))
"""


def test_a_stream_needs_pyarrow_or_polars() -> None:
    def run(without: str) -> Any:
        call = [sys.executable, "-c", WITHOUT, without]
        return subprocess.run(call, capture_output=True, text=True, check=False)

    assert "polars" in run("pyarrow").stdout
    refused = run("pyarrow polars").stderr
    assert "the Arrow stream of a Stream is read by pyarrow or polars: pip install" in refused
    assert "polyroc[arrow]" in refused
