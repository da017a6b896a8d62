"""Frames of engines: columns of any type mean what they mean to the local call, or are refused."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

from given.engine_frames import CALL, LABELS, NAMES, agree, frame_of_rows, local_table

dask = pytest.importorskip("dask", reason="Dask is not tested: it is not installed")
dd = pytest.importorskip("dask.dataframe", reason="Dask is not tested: it is not installed")
pa = pytest.importorskip("pyarrow")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.engine,
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
FRAME = frame_of_rows(400)


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    with dask.config.set(scheduler="threads"):
        yield


def table(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Return what Dask makes of a frame in three partitions."""
    shards = dd.from_pandas(frame, npartitions=3, sort=False)
    found: pd.DataFrame = pr.dask.evaluate(shards, **{**CALL, **options})
    return found


@pytest.mark.parametrize("categories", [LABELS[::-1], ["asp", *LABELS, "yak"]])
@pytest.mark.parametrize("options", [{}, {"labels": LABELS}])
def test_categories_that_no_row_has_are_no_labels(categories: Any, options: Any) -> None:
    frame = FRAME.assign(label=pd.Categorical(FRAME["label"], categories=categories))
    agree(table(frame, **options), local_table(FRAME))


def test_a_category_that_a_row_has_is_told() -> None:
    label = pd.Categorical(FRAME["label"], categories=["asp", *LABELS])
    label[210] = "asp"
    with pytest.raises(ValueError, match=r"^column 'label' in row 76 of partition 1 is 'asp', wh"):
        table(FRAME.assign(label=label), labels=LABELS)


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_whole_numbers_that_float64_would_tie_are_refused(kind: Any) -> None:
    scores = (1000 * FRAME[NAMES]).astype(kind)
    given = {"key": "float", "interval": None}
    agree(
        table(FRAME.assign(**scores), **given)[["estimate"]],
        local_table(FRAME.assign(**scores))[["estimate"]],
    )
    scores["p_dog"] += kind(2**61)
    match = r"^column 'p_dog' is 2305\d+ in row 0 of partition 0, beyond 2\^52, where float64"
    with pytest.raises(ValueError, match=match):
        table(FRAME.assign(**scores), **given)


def test_decimals_that_float64_would_tie_are_refused() -> None:
    kind = pd.ArrowDtype(pa.decimal128(30, 3))

    def decimals(values: Any, first: str) -> Any:
        return pd.array([Decimal(f"{first}{value:.3f}") for value in values], dtype=kind)

    frame = FRAME.assign(**{name: decimals(FRAME[name], "") for name in NAMES})
    agree(table(frame), local_table(FRAME.assign(**FRAME[NAMES].round(3))))
    frame["p_cat"] = decimals(FRAME["p_cat"], "1234567890123456")
    match = r"^column 'p_cat' holds decimal128\(30, 3\) with more digits than float64 has; round it"
    with pytest.raises(ValueError, match=match):
        table(frame, key="float")


@pytest.mark.parametrize("kind", ["interval", "period"])
def test_categories_of_values_that_engines_do_not_know_are_no_keys(kind: str) -> None:
    if kind == "interval":
        keys = pd.cut(FRAME["p_cat"], 3)
    else:
        months = pd.period_range("2025-01", periods=len(FRAME), freq="M")
        keys = pd.Series(pd.Categorical(months[FRAME["device"]]))
    with pytest.raises(TypeError, match=rf"^column 'key' holds .*{kind}.*, which is no key or la"):
        table(FRAME.assign(key=keys), by="key")
    agree(
        table(FRAME.assign(key=keys.astype(str)), by="key").drop(columns="key"),
        local_table(FRAME.assign(key=keys), by="key").drop(columns="key"),
    )


@pytest.mark.parametrize("kind", [int, str])
def test_groups_may_be_categories(kind: Any) -> None:
    frame = FRAME.assign(house=pd.Categorical(FRAME["house"].astype(kind)))
    agree(table(frame, groups="house"), local_table(FRAME, groups="house"))


def test_keys_that_are_called_as_a_result_are_refused_before_any_task() -> None:
    def untouched(part: pd.DataFrame) -> pd.DataFrame:
        raise AssertionError("a task was started")

    frame = FRAME.assign(n=1)
    never = dd.from_pandas(frame, npartitions=3).map_partitions(untouched, meta=frame)
    with pytest.raises(ValueError, match=r"^by holds 'n', a column of the result; rename it first"):
        pr.dask.evaluate(never, **CALL, labels=LABELS, by="n")


def test_a_column_that_is_called_as_row_numbers_is_refused() -> None:
    """Dask numbered rows in its place, and Spark looked for the files that they are from."""
    frame = FRAME.rename(columns={"id": "polyroc_row_id"})
    with pytest.raises(ValueError, match=r"^row_id is 'polyroc_row_id', as row numbers are called"):
        table(frame, row_id="polyroc_row_id", interval="bootstrap", n_resamples=20)
