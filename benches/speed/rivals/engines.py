"""Measures of a file by the engine that reads it: polyroc's tasks, and Spark's own evaluator."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benches.speed.row import Answer, Call, Task

_FOLDERS: list[TemporaryDirectory[str]] = []  # they go when the process does


def _columns(task: Task) -> list[str]:
    return [f"p_{k}" for k in range(task.scores.shape[1])]


def _file(task: Task) -> str:
    """Write the rows as Parquet, in eight groups of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = TemporaryDirectory(prefix="polyroc-bench-")
    _FOLDERS.append(folder)
    path = str(Path(folder.name) / "rows.parquet")
    scores = {name: task.scores[:, k] for k, name in enumerate(_columns(task))}
    table = pa.table({"label": task.y, **scores})
    pq.write_table(table, path, row_group_size=max(1, len(task.y) // 8))
    return path


@cache
def _spark() -> Any:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def polyroc_on_spark(task: Task) -> Call:
    """``polyroc.spark.evaluate`` of all columns."""
    import polyroc as pr

    frame, names = _spark().read.parquet(_file(task)), _columns(task)

    def call() -> Answer:
        table = pr.spark.evaluate(frame, y_true="label", y_score=names)
        return Answer(error=table["standard_error"][0])

    return call


def spark_itself(task: Task) -> Call:
    """``BinaryClassificationEvaluator`` of the first column: its class against the others."""
    from pyspark.ml.evaluation import BinaryClassificationEvaluator
    from pyspark.sql import functions

    frame = _spark().read.parquet(_file(task))
    own = (functions.col("label") == 0).cast("double").alias("own")
    column = frame.select(own, "p_0")
    evaluator = BinaryClassificationEvaluator(rawPredictionCol="p_0", labelCol="own")

    def call() -> Answer:
        evaluator.evaluate(column)
        return Answer()  # another measure, so that there is nothing to compare

    return call


def segments_on_dask(task: Task) -> Call:
    """``polyroc.dask.evaluate`` by a column of 3,000 keys, whose sizes fall as 1 / rank."""
    import dask
    import dask.dataframe as dd
    import numpy as np
    import pandas as pd
    import polyroc as pr

    names, sizes = _columns(task), 1.0 / np.arange(1, 3001)
    keys = np.random.default_rng(1).choice(3000, len(task.y), p=sizes / sizes.sum())
    rows = pd.DataFrame(task.scores, columns=names).assign(label=task.y, key=keys)
    frame = dd.from_pandas(rows, npartitions=2, sort=False)

    def call() -> Answer:
        with dask.config.set(scheduler="threads", num_workers=task.threads):
            pr.dask.evaluate(frame, y_true="label", y_score=names, by="key")
        return Answer()  # thousands of numbers, which the tests compare

    return call


def polyroc_on_dask(task: Task) -> Call:
    """``polyroc.dask.evaluate`` of all columns, by the threads of this process."""
    import dask
    import dask.dataframe as dd
    import polyroc as pr

    frame, names = dd.read_parquet(_file(task), split_row_groups=1), _columns(task)

    def call() -> Answer:
        with dask.config.set(scheduler="threads", num_workers=task.threads):
            table = pr.dask.evaluate(frame, y_true="label", y_score=names)
        return Answer(error=table["standard_error"][0])

    return call
