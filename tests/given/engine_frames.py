"""A frame as engines get it, and what all engines have to say of it."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr

from given.shards import softmax_rows

LABELS = ["bird", "cat", "dog", "eel"]
NAMES = [f"p_{label}" for label in LABELS]
CALL: dict[str, Any] = {"y_true": "label", "y_score": NAMES}
BY = [(), "country", ["country", "device"]]


def frame_of_rows(n: int = 3000, seed: int = 8) -> pd.DataFrame:
    """Return labels, scores, keys of segments (some null), weights, and a number for each row."""
    rows, rng = softmax_rows(n, 4, "moderate", seed), np.random.default_rng(seed)
    frame = pd.DataFrame(rows.P, columns=NAMES).assign(label=np.array(LABELS)[rows.y])
    country = np.array(["de", "fr", "is", None])[rng.choice(4, n, p=[0.6, 0.3, 0.003, 0.097])]
    device = rng.integers(1, 3, n)
    return frame.assign(
        country=country,
        device=device,
        weight=rng.integers(0, 4, n),
        id=np.arange(n),
        house=np.arange(n) // 3,
    )


def agree(
    found: pd.DataFrame, local: pd.DataFrame, rtol: float = 1e-9, atol: float = 1e-12
) -> None:
    """Compare a table with the local one: counts, texts and estimates are equal, errors nearly."""
    exact = [name for name in local if local[name].dtype.kind != "f" or name == "estimate"]
    pd.testing.assert_frame_equal(found[exact], local[exact], check_exact=True)
    pd.testing.assert_frame_equal(found, local, rtol=rtol, atol=atol)


def local_table(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Return what the frame's own `evaluate` says."""
    table: pd.DataFrame = pr.evaluate(frame, **{**CALL, **options})
    return table


@contextmanager
def when_marked(
    folder: Path, act: Callable[[int], None], again: float | None = None
) -> Iterator[list[int]]:
    """Act on the first process that leaves a file with its number in the folder.

    With `again`, act every so many seconds until the block is left: an interrupt that falls into
    a finalizer is lost.
    """
    done: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            marks = sorted(folder.glob("*.pid"))
            if marks:
                process = int(marks[0].stem)
                act(process)
                done.append(process)
                while not over.wait(again):
                    act(process)
                return
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield done
    finally:
        over.set()
        watcher.join()


def why_no_spark() -> str:
    """Say why Spark cannot be started here; empty if it can."""
    from importlib.util import find_spec

    if find_spec("pyspark") is None:
        return "Spark is not tested: pyspark is not installed"
    java = shutil.which("java")
    if java is None:
        return "Spark is not tested: there is no Java, and it needs Java 17"
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = said.split('"')[1].split(".")[0] if '"' in said else "0"
    if not version.isdigit() or int(version) < 17:
        return f"Spark is not tested: it needs Java 17, and there is {said.splitlines()[0]}"
    return ""
