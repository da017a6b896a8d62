"""Spark on two threads: the table of the local call, rows of files, rows that are wrong."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

from given.engine_frames import (
    BY,
    CALL,
    LABELS,
    NAMES,
    agree,
    frame_of_rows,
    local_table,
    why_no_spark,
)
from given.spark_sessions import spark_session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.engine,
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(bool(why_no_spark()), reason=why_no_spark() or "Spark is there"),
    # pyspark speaks of pandas 3, and of sockets that it leaves to the collector.
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.filterwarnings(
        "ignore::DeprecationWarning", "ignore:no column of y_score is named"
    ),
]
FRAME = frame_of_rows()
BOOTSTRAP: dict[str, Any] = {"interval": "bootstrap", "n_resamples": 100, "seed": 7}


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    with spark_session("local[2]") as session:
        yield session


@pytest.fixture(scope="module")
def frame(spark: Any) -> Any:
    return spark.createDataFrame(FRAME).repartition(3)


@pytest.fixture(scope="module")
def files(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rows in two files of Parquet."""
    folder = tmp_path_factory.mktemp("rows")
    FRAME[:1200].to_parquet(folder / "first.parquet")
    FRAME[1200:].to_parquet(folder / "second.parquet")
    return spark.read.parquet(str(folder))


def test_the_table_is_that_of_the_local_call(frame: Any) -> None:
    agree(pr.spark.evaluate(frame, **CALL, by=BY), local_table(FRAME, by=BY))


def test_several_measures_weights_and_options(frame: Any) -> None:
    options: dict[str, Any] = {
        "measure": ["hand_till", "one_vs_rest"],
        "sample_weight": "weight",
        "confidence": 0.9,
    }
    agree(pr.spark.evaluate(frame, **CALL, **options), local_table(FRAME, **options))


def test_partitioning_leaves_all_bits(frame: Any) -> None:
    options: dict[str, Any] = {
        **CALL,
        **BOOTSTRAP,
        "by": "country",
        "row_id": "id",
        "max_bins": 256,
    }
    one = pr.spark.evaluate(frame, **options)
    other = pr.spark.evaluate(frame.orderBy("p_cat").repartition(7), **options)
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert one["error_bound"].max() > 0


def test_dask_has_the_same_bits(frame: Any) -> None:
    dd = pytest.importorskip("dask.dataframe", reason="Spark and Dask are not compared: no Dask")
    import dask

    with dask.config.set(scheduler="threads"):
        other = pr.dask.evaluate(dd.from_pandas(FRAME, npartitions=2), **CALL, **BOOTSTRAP, by=BY)
    found = pr.spark.evaluate(frame, **CALL, **BOOTSTRAP, by=BY, row_id="id")
    pd.testing.assert_frame_equal(found, other, check_exact=True)


def test_rows_of_files_have_a_number(files: Any) -> None:
    """The weights of a bootstrap hang on file and row, however the rows are dealt out."""
    one = pr.spark.evaluate(files, **CALL, **BOOTSTRAP)
    other = pr.spark.evaluate(files.repartition(5), **CALL, **BOOTSTRAP)
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_rows_without_number_need_one(frame: Any) -> None:
    with pytest.raises(ValueError, match=r"^weights of a bootstrap, and samples.*pass row_id="):
        pr.spark.evaluate(frame, **CALL, **BOOTSTRAP)


def test_ids_may_be_text(spark: Any, frame: Any) -> None:
    from pyspark.sql import functions

    named = frame.withColumn("name", functions.concat(functions.lit("row "), functions.col("id")))
    one = pr.spark.evaluate(named, **CALL, **BOOTSTRAP, row_id="name")
    other = pr.spark.evaluate(named.repartition(2), **CALL, **BOOTSTRAP, row_id="name")
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_progress_is_told(frame: Any) -> None:
    told: list[tuple[int, int | None]] = []
    one = pr.spark.evaluate(frame, **CALL, progress=lambda done, total: told.append((done, total)))
    pd.testing.assert_frame_equal(one, pr.spark.evaluate(frame, **CALL), check_exact=True)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert all(total is not None and done <= total for done, total in told)
    done, total = told[-1]
    assert done == total
    assert done >= 6  # three partitions, twice
    assert frame.sparkSession.sparkContext.getLocalProperty("spark.jobGroup.id") is None


def test_whoever_is_told_of_progress_may_end_the_work(frame: Any) -> None:
    def enough(done: int, total: int | None) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        pr.spark.evaluate(frame, **CALL, progress=enough)
    agree(pr.spark.evaluate(frame, **CALL), local_table(FRAME))


def test_rows_without_weight_count_nowhere(spark: Any) -> None:
    rows = FRAME.assign(weight=1.0)
    german, french = rows["country"] == "de", rows["country"] == "fr"
    rows.loc[german & (rows["label"] == LABELS[0]), "weight"] = 0.0
    rows.loc[french, "weight"] = 0.0
    options: dict[str, Any] = {"by": "country", "sample_weight": "weight"}
    found = pr.spark.evaluate(spark.createDataFrame(rows).repartition(3), **CALL, **options)
    agree(found, local_table(rows, **options))
    assert found["status"][:2].tolist() == ["no rows of ['bird']", "no row weighs more than 0"]
    rows.loc[rows["label"] == LABELS[0], "weight"] = 0.0
    options["by"] = BY
    found = pr.spark.evaluate(spark.createDataFrame(rows), **CALL, **options)
    agree(found, local_table(rows, **options))
    assert found["estimate"].isna().all()


def test_a_sample_of_rows_with_errors_is_refused_before_any_job(spark: Any) -> None:
    names = [f"p_{k}" for k in range(130)]
    rows = pd.DataFrame(np.random.default_rng(3).random((390, 130)), columns=names)
    rows["label"] = np.arange(390) % 130
    call: dict[str, Any] = {"y_true": "label", "y_score": names, "measure": "auc_mu"}
    many = spark.createDataFrame(rows)
    with pytest.raises(ValueError, match=r"^auc_mu of 130 classes has 8,385 tables"):
        pr.spark.evaluate(many, **call)
    with pytest.raises(ValueError, match=r"and samples of rows for auc_mu, hang on rows"):
        pr.spark.evaluate(many, **call, interval=None)


def test_names_with_dots_and_empty_partitions(spark: Any) -> None:
    named = FRAME.rename(columns={"country": "of.country", "label": "a label"})
    frame = spark.createDataFrame(named[:400]).repartition(20).where("`id` < 300")
    options: dict[str, Any] = {
        "y_true": "a label",
        "y_score": NAMES,
        "by": "of.country",
        "min_rows": 40,
    }
    agree(pr.spark.evaluate(frame, **options), pr.evaluate(named[:300], **options))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"p_cat": np.nan},
            r"^column 'p_cat' is null in row 710 of file:.*second\.parquet; drop or fill",
        ),
        (
            {"label": None},
            r"^column 'label' is null in row 710 of file:.*second\.parquet; drop or label",
        ),
        (
            {"p_dog": -0.5},
            r"^column 'p_dog' is -0\.5 in row 710 of file:.*second\.parquet, which is no",
        ),
        (
            {"label": "zebra"},
            r"^column 'label' in row 710 of file:.*second\.parquet is 'zebra', which is not",
        ),
    ],
)
def test_a_bad_row_is_named_with_its_file(
    spark: Any, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    bad = FRAME.copy()
    for name, value in change.items():
        bad.loc[1910, name] = value
    bad[:1200].to_parquet(tmp_path / "first.parquet")
    bad[1200:].to_parquet(tmp_path / "second.parquet")
    options: dict[str, Any] = {"labels": LABELS} if "zebra" in change.values() else {}
    with pytest.raises(ValueError, match=message):
        pr.spark.evaluate(spark.read.parquet(str(tmp_path)), **CALL, **options)


def test_a_bad_row_is_named_by_its_id_or_its_partition(spark: Any) -> None:
    bad = FRAME.copy()
    bad.loc[1910, "p_cat"] = np.nan
    frame = spark.createDataFrame(bad)
    with pytest.raises(ValueError, match=r"^column 'p_cat' is null in the row with id 1910; drop"):
        pr.spark.evaluate(frame, **CALL, row_id="id")
    with pytest.raises(
        ValueError, match=r"^column 'p_cat' is null in row \d+ of partition \d+; drop"
    ):
        pr.spark.evaluate(frame, **CALL)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"y_score": [*NAMES[:3], "country"], "labels": LABELS},
            TypeError,
            r"^column 'country' holds string, but",
        ),
        (
            {"y_score": [*NAMES[:3], "p_eels"]},
            ValueError,
            r"no column 'p_eels'; did you mean 'p_eel'",
        ),
        ({"labels": LABELS[:2]}, ValueError, r"y_score has 4 columns but there are 2 classes"),
        ({"measure": "vus"}, ValueError, r"^Vus\(\) cannot be counted by shards"),
        ({"by": "estimate"}, ValueError, r"no column 'estimate'"),
    ],
)
def test_bad_calls(
    frame: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        pr.spark.evaluate(frame, **{**CALL, **options})


def test_executors_without_polyroc(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that only the driver has stands for a package that executors have not."""
    from polyroc._pipelines import spark_frame

    here = ModuleType("polyroc.not_there")
    exec("def take(work, batches):\n    yield from batches", vars(here))
    monkeypatch.setitem(sys.modules, "polyroc.not_there", here)
    monkeypatch.setattr(spark_frame, "take", vars(here)["take"])
    with pytest.raises(ModuleNotFoundError, match=r"^polyroc is not installed in the Python"):
        pr.spark.evaluate(frame, **CALL)


def test_a_frame_without_rows(frame: Any) -> None:
    with pytest.raises(ValueError, match=r"^the frame has no rows; there is nothing to rank"):
        pr.spark.evaluate(frame.where("id < 0"), **CALL)


def test_the_example_of_the_page(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path(__file__).parents[2] / "docs" / "spark-and-dask.md"
    (code,) = re.findall(r"```python\n# spark\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    file = str(tmp_path / "predictions.parquet")  # Java does not follow a change of folder
    FRAME.to_parquet(file)
    names: dict[str, Any] = {}
    exec(compile(code.replace("predictions.parquet", file), str(page), "exec"), names)
    assert names["table"]["n"].tolist()[0] == len(FRAME)
    assert "|country|" in capsys.readouterr().out


def test_nothing_is_left_behind(spark: Any, frame: Any) -> None:
    pr.spark.evaluate(frame, **CALL)
    assert spark.getTags() == set()
    assert spark.sparkContext.getLocalProperty("spark.job.description") is None
    assert list(spark.sparkContext.statusTracker().getActiveJobsIds()) == []
