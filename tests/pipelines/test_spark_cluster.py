"""Spark with two executors, processes of their own: one is killed, one job interrupted."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polyroc as pr
import pytest

from given.engine_frames import (
    CALL,
    LABELS,
    agree,
    frame_of_rows,
    local_table,
    when_marked,
    why_no_spark,
)
from given.spark_sessions import spark_session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.engine,
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(bool(why_no_spark()), reason=why_no_spark() or "Spark is there"),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
FRAME = frame_of_rows()


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    with spark_session("local-cluster[2,1,1024]") as session:
        yield session


@pytest.fixture(scope="module")
def frame(spark: Any) -> Any:
    return spark.createDataFrame(FRAME).repartition(6)


def marking(folder: Path, seconds: float) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Return a task that leaves the number of its process and takes its time."""
    path = str(folder)

    def mark(batches: Iterable[Any]) -> Iterator[Any]:
        import os
        import time

        for batch in batches:
            open(f"{path}/{os.getpid()}.pid", "w").close()
            time.sleep(seconds)
            yield batch

    return mark


def executor_of(process: int) -> Any:
    """Return the executor that a Python process works for."""
    import psutil

    for above in psutil.Process(process).parents():
        if "CoarseGrainedExecutorBackend" in " ".join(above.cmdline()):
            return above
    raise AssertionError("the process belongs to no executor")


def test_a_killed_executor_changes_no_bit(frame: Any, tmp_path: Path) -> None:
    options: dict[str, Any] = {**CALL, "by": "country", "labels": LABELS}
    calm = pr.spark.evaluate(frame, **options)
    killed: list[Any] = []

    def kill(process: int) -> None:
        executor = executor_of(process)
        os.kill(executor.pid, signal.SIGKILL)
        killed.append(executor)

    marked = frame.mapInArrow(marking(tmp_path, 0.3), frame.schema)
    with when_marked(tmp_path, kill):
        found = pr.spark.evaluate(marked, **options)
    assert len(killed) == 1
    assert not killed[0].is_running() or killed[0].status() == "zombie"
    pd.testing.assert_frame_equal(found, calm, check_exact=True)


def test_an_interrupted_job_leaves_nothing_behind(spark: Any, frame: Any, tmp_path: Path) -> None:
    marked = frame.mapInArrow(marking(tmp_path, 1.0), frame.schema)

    def interrupt(_: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), when_marked(tmp_path, interrupt, again=2.0):
        pr.spark.evaluate(marked, **CALL)
    tracker = spark.sparkContext.statusTracker()
    for _ in range(100):
        if not list(tracker.getActiveJobsIds()):
            break
        time.sleep(0.1)
    assert list(tracker.getActiveJobsIds()) == []
    assert spark.getTags() == set()
    agree(pr.spark.evaluate(frame, **CALL), local_table(FRAME))
