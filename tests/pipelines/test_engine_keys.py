"""Frames of engines: keys of every type, and of several bad rows the one that is spoken of."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

from given.engine_frames import CALL, LABELS, agree, frame_of_rows, local_table, why_no_spark
from given.spark_sessions import spark_session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.engine,
    pytest.mark.xdist_group("spark"),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
FRAME = frame_of_rows(600)

# In New York the clock says 01:30 twice on that day.
TWICE = pd.to_datetime(["2020-11-01 05:30:00.000001", "2020-11-01 06:30:00.000001", None], utc=True)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    if why_no_spark():
        pytest.skip(why_no_spark())
    with spark_session("local[2]") as session:
        yield session


def timed(unit: str = "us") -> pd.DataFrame:
    """Return rows whose key is one of two times, or none."""
    keys = pd.Series(TWICE[np.arange(len(FRAME)) % 3]).dt.tz_convert("America/New_York")
    return FRAME.assign(at=keys.dt.as_unit(unit))


@pytest.mark.parametrize("unit", ["us", "ns"])
def test_times_of_the_hour_that_comes_twice_are_two_segments_in_dask(unit: str) -> None:
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not tested: it is not installed")
    import dask

    with dask.config.set(scheduler="threads"):
        shards = dd.from_pandas(timed(unit), npartitions=3)
        found = pr.dask.evaluate(shards, **CALL, by=[(), "at"])
    agree(found, local_table(timed(unit), by=[(), "at"]))
    assert found["n"].tolist() == [600, 200, 200, 200]


def test_times_of_the_hour_that_comes_twice_are_two_segments_in_spark(spark: Any) -> None:
    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        found = pr.spark.evaluate(spark.createDataFrame(timed()), **CALL, by=[(), "at"])
    finally:
        spark.conf.set("spark.sql.session.timeZone", zone)
    wanted = local_table(timed(), by=[(), "at"])
    agree(found, wanted.assign(at=wanted["at"].dt.tz_convert("UTC")))
    assert found["n"].tolist() == [600, 200, 200, 200]


@pytest.mark.parametrize(
    "keys",
    [
        [b"a", b"\0", None],
        [True, False, None],
        [1.5, -0.0, None],
        [datetime.date(2020, 1, 2), datetime.date(1890, 1, 2), None],
        [datetime.timedelta(seconds=3), datetime.timedelta(microseconds=1), None],
    ],
)
def test_keys_of_other_types_in_spark(spark: Any, keys: list[Any]) -> None:
    rows = FRAME.assign(key=pd.Series([keys[k % 3] for k in range(len(FRAME))]))
    found = pr.spark.evaluate(spark.createDataFrame(rows), **CALL, by="key")
    local = local_table(rows, by="key")
    agree(found.drop(columns="key"), local.drop(columns="key"))
    assert found["key"][:2].tolist() == local["key"][:2].tolist() == sorted(keys[:2])
    assert found["key"].isna().tolist() == [False, False, True]


@pytest.mark.parametrize("by", ["many", ["country", "many"]])
def test_what_is_no_key_is_told_by_its_column(spark: Any, by: Any) -> None:
    rows = FRAME.assign(many=[[1.0, 2.0]] * len(FRAME))
    with pytest.raises(TypeError, match=r"^column 'many' holds list<.*>, which is no key or label"):
        pr.spark.evaluate(spark.createDataFrame(rows), **CALL, by=by)


def test_columns_go_by_name(spark: Any) -> None:
    frame = spark.createDataFrame(FRAME)
    with pytest.raises(TypeError, match=r"^y_score is a Column; with a frame it is the name of"):
        pr.spark.evaluate(frame, y_true="label", y_score=frame["p_cat"])


def test_a_row_without_id_is_told_by_its_partition(spark: Any) -> None:
    rows = FRAME.assign(id=FRAME["id"].astype("Int64"))
    rows.loc[7, "id"] = None
    frame = spark.createDataFrame(rows).coalesce(1)
    with pytest.raises(ValueError, match=r"^column 'id' is null in row 7 of partition 0; drop"):
        pr.spark.evaluate(frame, **CALL, row_id="id")


@pytest.mark.parametrize(
    ("column", "values", "options", "message"),
    [
        ("p_dog", (-0.5, 1.5), {}, r"^column 'p_dog' is {} in row {} of file:.*{}\.parquet, which"),
        (
            "label",
            ("zebra", "yak"),
            {"labels": LABELS},
            r"^column 'label' in row {1} of file:.*{2}\.parquet is '{0}', which",
        ),
        (
            "weight",
            (-3, -4),
            {"sample_weight": "weight"},
            r"^column 'weight' is {}\.0 in row {} of file:.*{}\.parquet; weights",
        ),
    ],
)
def test_of_several_bad_rows_the_one_that_is_told_is_named(
    spark: Any, tmp_path: Path, column: str, values: Any, options: dict[str, Any], message: str
) -> None:
    """Spark reads the larger file first, wherever it stands among the names."""
    bad = FRAME.copy()
    bad[column] = bad[column].astype(object)
    bad.loc[20, column], bad.loc[310, column] = values
    bad[column] = bad[column].infer_objects()
    bad[:100].to_parquet(tmp_path / "first.parquet")
    bad[100:].to_parquet(tmp_path / "second.parquet")
    frame = spark.read.parquet(str(tmp_path))
    with pytest.raises(ValueError, match=r"column|row") as told:
        pr.spark.evaluate(frame, **CALL, **options)
    places = ((values[0], 20, "first"), (values[1], 210, "second"))
    assert any(re.search(message.format(*place), str(told.value)) for place in places), told.value
