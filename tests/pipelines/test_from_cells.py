"""States made of counts that another engine made."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.shards import REGIMES, Rows, softmax_rows

NAMES = ["a", "b", "c"]


def cells_of(rows: Rows, columns: list[int]) -> pd.DataFrame:
    """Count rows by column, class and score."""
    frame = pd.DataFrame(rows.P).assign(y=np.array(NAMES)[rows.y])
    parts = []
    for k in columns:
        counted = frame.groupby(["y", k]).size().reset_index(name="count")
        parts.append(counted.rename(columns={"y": "class", k: "key"}).assign(column=NAMES[k]))
    return pd.concat(parts, ignore_index=True)


@given(
    regime=st.sampled_from(REGIMES),
    n=st.integers(20, 200),
    digits=st.integers(1, 6),
    seed=st.integers(0, 100),
)
def test_a_state_of_cells_is_that_of_the_rows(regime: str, n: int, digits: int, seed: int) -> None:
    rows = softmax_rows(n, 3, regime, seed)
    rows = rows._replace(P=rows.P.round(digits))
    measures = ["hand_till", "one_vs_rest"]
    cells = cells_of(rows, [0, 1, 2]).sample(frac=1.0, random_state=seed)
    for max_bins in (16384, 8):
        given_cells = pr.from_cells(cells, labels=NAMES, measures=measures, max_bins=max_bins)
        taken = pr.State(NAMES, measures, max_bins=max_bins)
        taken.update(np.array(NAMES)[rows.y], rows.P)
        assert given_cells.class_counts.tolist() == taken.class_counts.tolist()
        assert given_cells.compute().to_dict() == taken.compute().to_dict()


def test_two_classes_need_one_column() -> None:
    rows = softmax_rows(300, 2, "moderate", seed=1)
    state = pr.from_cells(cells_of(rows, [1]), labels=["a", "b"], measures="auc")
    value, truth = state.compute()["auc"], pr.delong(rows.y, rows.P[:, 1], "auc")
    assert value.estimate == truth.estimate
    assert value.standard_error == pytest.approx(truth.standard_error, rel=1e-12)


def test_cells_may_stand_apart_and_be_split() -> None:
    """A score in two rows, or in two states that are merged, is the same score."""
    cells = cells_of(softmax_rows(200, 3, "moderate", seed=5), [0, 1, 2])
    whole = pr.from_cells(cells, labels=NAMES)
    twice = pd.concat([cells, cells], ignore_index=True)
    doubled = pr.from_cells(cells.assign(count=cells["count"] * 2), labels=NAMES)
    assert pr.from_cells(twice, labels=NAMES) == doubled
    assert whole.copy().merge(whole.copy()) == doubled


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_any_frame_will_do(library: str) -> None:
    cells = cells_of(softmax_rows(200, 3, "moderate", seed=5), [0, 1, 2])
    frames: dict[str, Any] = {
        "pandas": cells,
        "polars": pl.from_pandas(cells),
        "pyarrow": pa.Table.from_pandas(cells),
        "duckdb": duckdb.sql("SELECT * FROM cells"),
    }
    assert pr.from_cells(frames[library], labels=NAMES) == pr.from_cells(cells, labels=NAMES)


CELLS = cells_of(softmax_rows(60, 3, "moderate", seed=5), [0, 1, 2])


@pytest.mark.parametrize(
    ("frame", "options", "error", "message"),
    [
        (
            CELLS.iloc[:-1],
            {},
            ValueError,
            r"^column 'c' has \d+ rows of class 'c' but column 'a' has \d+; count",
        ),
        (CELLS[CELLS["column"] != "b"], {}, ValueError, r"^column 'b' has 0 rows of class 'a' but"),
        (CELLS.assign(count=0.5), {}, ValueError, r"^count is 0.5 in row 0; it says how many"),
        (CELLS.assign(count=-1), {}, ValueError, r"^count is -1 in row 0"),
        (CELLS.assign(key=1.5), {}, ValueError, r"^key is 1.5 in row 0, which is no probability"),
        (
            CELLS.assign(key=2**60 + np.arange(len(CELLS))),
            {"key": "float"},
            ValueError,
            r"^key\[0\] is 1152921504606846976, beyond 2\^52, where float64 does not tell",
        ),
        (CELLS.assign(key=np.nan), {}, ValueError, r"^column 'key' is null in row 0"),
        (CELLS.assign(key="x"), {}, TypeError, r"^column 'key' holds"),
        (
            CELLS.replace({"class": {"b": "z"}}),
            {},
            ValueError,
            r"^column 'class' in row \d+ is 'z', which is not",
        ),
        (CELLS.assign(column=None), {}, ValueError, r"^column 'column' is null in row 0"),
        (CELLS.drop(columns="count"), {}, ValueError, r"^the frame has no column 'count'"),
        (CELLS.iloc[:0], {}, ValueError, r"^the frame has no rows"),
        (CELLS, {"measures": "auc_mu"}, ValueError, r"^measures holds 'auc_mu', which compares"),
        (CELLS, {"labels": ["a", "b"]}, ValueError, r"'c', which is not in labels"),
    ],
)
def test_bad_cells(
    frame: pd.DataFrame, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        pr.from_cells(frame, **{"labels": NAMES, **options})
