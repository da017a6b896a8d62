"""Containers, dtypes and memory: the same numbers whatever holds them, and no copy without need."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.strategies import LAYOUTS, Sample, laid_out, samples

rng = np.random.default_rng(77)
C = rng.permutation(np.repeat(np.arange(3), [20, 12, 8]))
P = rng.integers(0, 1024, (40, 3)) / 1024
W = rng.integers(0, 4, 40).astype(float)
M = pr.hand_till(C, P)
MU = pr.auc_mu(C, P)
NAMES = np.array(["ant", "bee", "cat"])


class ArrayOnly:
    """All that a torch CPU tensor offers to numpy, by one of its two protocols."""

    def __init__(self, x: np.ndarray) -> None:
        self.x = x

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.x if dtype is None else self.x.astype(dtype)

    def __len__(self) -> int:
        return len(self.x)


class DlpackOnly:
    """The other protocol."""

    def __init__(self, x: np.ndarray) -> None:
        self.x = x

    def __dlpack__(self, **options: Any) -> Any:
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()


HOLDERS: dict[str, Callable[[np.ndarray], Any]] = {
    "list": lambda x: x.tolist(),
    "tuple": lambda x: tuple(map(tuple, x.tolist())) if x.ndim == 2 else tuple(x.tolist()),
    "list of arrays": lambda x: list(x),
    "numpy objects": lambda x: x.astype(object),
    "numpy matrix column": lambda x: x if x.ndim == 2 else x[:, None],
    "masked array with no mask": lambda x: np.ma.array(x),
    "memoryview": lambda x: np.ascontiguousarray(x).data,
    "array protocol": ArrayOnly,
    "dlpack protocol": DlpackOnly,
    "pandas": lambda x: pd.DataFrame(x) if x.ndim == 2 else pd.Series(x),
    "pandas with another index": lambda x: (
        pd.DataFrame(x, index=range(len(x), 0, -1)) if x.ndim == 2
        else pd.Series(x, index=range(7, 7 + len(x)))
    ),
    "pandas nullable": lambda x: (
        pd.DataFrame(x) if x.ndim == 2 else pd.Series(x)
    ).convert_dtypes(),
    "pandas Arrow": lambda x: (pd.DataFrame(x) if x.ndim == 2 else pd.Series(x)).convert_dtypes(
        dtype_backend="pyarrow"
    ),
    "polars": lambda x: pl.DataFrame(x) if x.ndim == 2 else pl.Series(x),
    "pyarrow": lambda x: (
        pa.table({f"c{k}": x[:, k] for k in range(3)})
        if x.ndim == 2 else pa.array(x)
    ),
    "pyarrow chunked": lambda x: (
        pa.table({f"c{k}": pa.chunked_array([x[:5, k], x[5:, k]]) for k in range(3)})
        if x.ndim == 2 else pa.chunked_array([x[:5], x[5:]])
    ),
    "pyarrow batch": lambda x: (
        pa.record_batch({f"c{k}": x[:, k] for k in range(3)}) if x.ndim == 2 else pa.array(x)
    ),
}  # fmt: skip


@pytest.mark.parametrize("holder", HOLDERS)
def test_scores(holder: str) -> None:
    hold = HOLDERS[holder]
    assert pr.hand_till(C, hold(P)) == M
    assert pr.auc_mu(C, hold(P)) == MU
    assert pr.auc(C > 0, hold(P[:, 1])) == pr.auc(C > 0, P[:, 1])


@pytest.mark.parametrize("holder", HOLDERS)
def test_labels(holder: str) -> None:
    hold = HOLDERS[holder]
    assert pr.hand_till(hold(C), P) == M
    assert pr.hand_till(hold(C.astype(np.int8)), P) == M
    assert pr.hand_till(hold(C.astype(float)), P) == M
    binary = pr.auc(C > 0, P[:, 1])
    if holder != "dlpack protocol":  # numpy does not export booleans by it everywhere
        assert pr.auc(hold(C > 0), P[:, 1]) == binary
    if holder not in ("memoryview", "dlpack protocol"):
        assert pr.hand_till(hold(NAMES[C]), P) == M


@pytest.mark.parametrize("holder", HOLDERS)
def test_weights(holder: str) -> None:
    hold = HOLDERS[holder]
    expected = pr.hand_till(C, P, sample_weight=W)
    assert pr.hand_till(C, P, sample_weight=hold(W)) == expected
    assert pr.hand_till(C, P, sample_weight=hold(W.astype(int))) == expected


CATEGORICALS: dict[str, Callable[[np.ndarray], Any]] = {
    "pandas Categorical": lambda x: pd.Categorical(x, categories=["cat", "ant", "zoo", "bee"]),
    "pandas ordered": lambda x: pd.Categorical(x, categories=["cat", "bee", "ant"], ordered=True),
    "pandas Series": lambda x: pd.Series(pd.Categorical(x, categories=["cat", "ant", "bee"])),
    "pandas Index": lambda x: pd.CategoricalIndex(x, categories=["cat", "ant", "bee"]),
    "pandas string": lambda x: pd.Series(x, dtype="string"),
    "pandas object": lambda x: pd.Series(x, dtype=object),
    "polars Categorical": lambda x: pl.Series(x[::-1].tolist(), dtype=pl.Categorical)[::-1],
    "polars Enum": lambda x: pl.Series(x.tolist(), dtype=pl.Enum(["cat", "ant", "zoo", "bee"])),
    "pyarrow dictionary": lambda x: pa.array(x.tolist()).dictionary_encode(),
    "bytes": lambda x: x.astype("S3"),
}


@pytest.mark.filterwarnings("ignore:y_true is a categorical")  # see test_order_doubts.py
@pytest.mark.parametrize("kind", CATEGORICALS)
def test_classes_are_sorted_by_value_whatever_the_categories_say(kind: str) -> None:
    assert pr.hand_till(CATEGORICALS[kind](NAMES[C]), P) == M


def test_categories_that_are_numbers() -> None:
    y = pd.Categorical(C * 10, categories=[20, 0, 10])
    assert pr.hand_till(y, P, labels=[0, 10, 20]) == M
    assert pr.hand_till(y, P[:, ::-1], labels=[20, 10, 0]) == pytest.approx(M, abs=1e-15)


MISSING: dict[str, Any] = {
    "pandas Categorical": pd.Categorical(["a", "b", None, "a"]),
    "pandas Int64": pd.Series([1, 0, None, 1], dtype="Int64"),
    "pandas boolean": pd.Series([True, False, None, True], dtype="boolean"),
    "pandas string": pd.Series(["a", "b", None, "a"], dtype="string"),
    "pandas object": pd.Series(["a", "b", None, "a"], dtype=object),
    "pandas datetime": pd.Series(pd.to_datetime(["2020", "2021", None, "2020"])),
    "pandas Arrow": pd.Series([1, 0, None, 1], dtype="int64[pyarrow]"),
    "polars": pl.Series([1, 0, None, 1]),
    "polars text": pl.Series(["a", "b", None, "a"]),
    "polars Categorical": pl.Series(["a", "b", None, "a"], dtype=pl.Categorical),
    "pyarrow": pa.array([1, 0, None, 1]),
    "pyarrow text": pa.array(["a", "b", None, "a"]),
    "masked": np.ma.array([1, 0, 0, 1], mask=[False, False, True, False]),
    "float": np.array([0.0, 1.0, np.nan, 1.0]),
}


@pytest.mark.parametrize("kind", MISSING)
def test_missing_labels_are_named(kind: str) -> None:
    with pytest.raises(ValueError, match=r"^y_true\[2\] is "):
        pr.auc(MISSING[kind], [0.1, 0.2, 0.3, 0.4])


MISSING_SCORES: dict[str, Any] = {
    "pandas Float64": pd.DataFrame({"0": [0.1, 0.2, 0.3], "1": [0.1, None, 0.3]}).astype("Float64"),
    "pandas Int64": pd.DataFrame({"0": [1, 2, 3], "1": [1, None, 3]}).astype("Int64"),
    "pandas": pd.DataFrame({"0": [0.1, 0.2, 0.3], "1": [0.1, None, 0.3]}),
    "polars": pl.DataFrame({"0": [0.1, 0.2, 0.3], "1": [0.1, None, 0.3]}),
    "polars integers": pl.DataFrame({"0": [1, 2, 3], "1": [1, None, 3]}),
    "pyarrow": pa.table({"0": [0.1, 0.2, 0.3], "1": [0.1, None, 0.3]}),
    "pyarrow integers": pa.table({"0": [1, 2, 3], "1": [1, None, 3]}),
    "masked": np.ma.array(
        [[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]], mask=[[False, False], [False, True], [False, False]]
    ),
}


@pytest.mark.parametrize("kind", MISSING_SCORES)
def test_missing_scores_are_named(kind: str) -> None:
    # Row 1, and the column by number or by name.
    with pytest.raises(ValueError, match=r"^y_score\[(1, 1\]|'1'\]\[1\]) is .*; drop or impute"):
        pr.auc([0, 1, 1], MISSING_SCORES[kind])


@pytest.mark.parametrize("dtype", [
    "float16", "float32", "float64", "longdouble", "int16", "int32", "int64", "uint16", "uint32",
    "uint64", ">f4", ">f8", ">i8", "<u2", "object",
])  # fmt: skip
def test_score_dtypes(dtype: str) -> None:
    # Multiples of 1/1024 below 1: float16 holds them; integers are 1024 times them.
    scores = (1024 * P if np.dtype(dtype).kind in "iu" else P).astype(dtype)
    assert pr.hand_till(C, scores) == M
    assert pr.auc_mu(C, scores) == MU
    assert pr.one_vs_rest(C, scores, average="micro") == pr.one_vs_rest(C, P, average="micro")


@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool"])
def test_small_score_dtypes(dtype: str) -> None:
    scores = (P > 0.5) if dtype == "bool" else np.floor(100 * P).astype(dtype)
    assert pr.hand_till(C, scores) == pr.hand_till(C, scores.astype(float))
    assert pr.auc_mu(C, scores) == pr.auc_mu(C, scores.astype(int))


def test_integers_keep_all_their_digits() -> None:
    big = 2**62
    assert pr.auc([0, 1], [big, big + 1]) == 1.0
    assert pr.auc([0, 1], [2**64 - 2, 2**64 - 1]) == 1.0
    frame = pd.DataFrame({"0": [0, 0], "1": [big, big + 1]})
    assert pr.auc([0, 1], frame) == 1.0
    assert pr.auc([0, 1], pl.DataFrame({"0": [0, 0], "1": [big, big + 1]})) == 1.0
    assert pr.auc([0, 1], pa.table({"0": [0, 0], "1": [big, big + 1]})) == 1.0
    # An integer column beside a float one would be rounded: exact, or an error that says so.
    mixed = pd.DataFrame({"0": [0.5, 0.5], "1": [big, big + 1]})
    with pytest.raises(ValueError, match=r"^y_score\['1'\]\[\d\].*float64"):
        pr.auc([0, 1], mixed)


def test_columns_of_several_types() -> None:
    frame = pd.DataFrame({"0": P[:, 0].astype(np.float32), "1": P[:, 1], "2": P[:, 2]})
    assert pr.hand_till(C, frame) == M
    assert pr.hand_till(C, pl.DataFrame(frame.to_dict("list"))) == M
    frame["2"] = (P[:, 2] > 0.5).astype("int8")
    assert pr.hand_till(C, frame) == pr.hand_till(C, frame.to_numpy(dtype=float))


FRAMES: dict[str, Callable[[dict[Any, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": lambda d: pl.DataFrame({str(k): v for k, v in d.items()}),
    "pyarrow": lambda d: pa.table({str(k): v for k, v in d.items()}),
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "names", [["ant", "bee", "cat"], [10, 20, 30], [2.5, 3.5, 4.5], [3, 20, 100]]
)
def test_columns_named_for_classes_are_found_by_name(frame: str, names: list[Any]) -> None:
    # Where names sort otherwise as text (100 < 20 < 3), classes sort by value and columns by name.
    y = np.array(names)[C]
    data = {names[k]: P[:, k] for k in (2, 0, 1)}
    scores = FRAMES[frame](data)
    assert pr.hand_till(y, scores) == pytest.approx(M, abs=1e-15)
    table = pr.pairwise(y, scores, kind="conditional")
    order = [2, 0, 1]
    expected = pr.pairwise(C, P, kind="conditional")[np.ix_(order, order)]
    np.testing.assert_array_equal(table, expected)
    agreeing = [names[k] for k in order]
    assert pr.hand_till(y, scores, labels=agreeing) == pytest.approx(M, abs=1e-15)
    with pytest.raises(ValueError, match=r"^labels is .* but the columns of y_score are named"):
        pr.hand_till(y, scores, labels=names)


@pytest.mark.parametrize("frame", FRAMES)
def test_names_around_classes_and_names_beside_labels(frame: str) -> None:
    scores = FRAMES[frame]({"p_ant": P[:, 0], "p_bee": P[:, 1], "p_cat": P[:, 2]})
    assert pr.hand_till(NAMES[C], scores) == M
    order = ["cat", "ant", "bee"]
    scores = FRAMES[frame]({"u": P[:, 2], "v": P[:, 0], "w": P[:, 1]})
    assert pr.hand_till(NAMES[C], scores, labels=order) == pytest.approx(M, abs=1e-15)


def test_binary_columns_by_name() -> None:
    y = ["no", "yes", "yes", "no"]
    frame = pd.DataFrame({"yes": [0.1, 0.9, 0.3, 0.4], "no": [0.9, 0.1, 0.7, 0.6]})
    # Columns in the order yes, no: the second, "no", is favoured then, and is the score's column.
    assert pr.auc(y, frame) == pr.auc(y, frame["no"], labels=["yes", "no"])
    assert pr.auc(y, frame[["no", "yes"]]) == pr.auc(y, frame["yes"])


@given(samples(K=st.integers(2, 4), weighting=("none",)), st.sampled_from(LAYOUTS))
def test_layout_does_not_matter(sample: Sample, layout: str) -> None:
    there = laid_out(np.asarray(sample.P), layout)
    np.testing.assert_array_equal(
        pr.pairwise(sample.c, sample.P, kind="conditional"),
        pr.pairwise(laid_out(sample.c, layout), there, kind="conditional"),
    )


@given(samples(K=st.just(2), columns=False, weighting=("whole",)), st.sampled_from(LAYOUTS))
def test_layout_of_labels_and_weights_does_not_matter(sample: Sample, layout: str) -> None:
    assert sample.w is not None
    plain = pr.auc(sample.c, sample.P, sample_weight=sample.w)
    strange = pr.auc(laid_out(sample.c, layout), sample.P, sample_weight=laid_out(sample.w, layout))
    assert strange == plain


def peak_of(call: Callable[[], Any]) -> int:
    """Bytes that Python and numpy allocate during a call; the core's own memory is not counted."""
    call()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


N = 50_000
BIG = np.random.default_rng(5).random((N, 4))
CLASSES = np.arange(N) % 4
UNCOPIED: dict[str, Any] = {
    "float64": BIG,
    "float32": BIG.astype(np.float32),
    "Fortran": np.asfortranarray(BIG),
    "strided": np.repeat(BIG, 2, axis=0)[::2],
    "reversed": BIG[::-1, ::-1],
    "some columns": np.concatenate([BIG, BIG], axis=1)[:, 1:5],
    "read-only": np.broadcast_to(BIG[:1], BIG.shape),
    "pandas": pd.DataFrame(BIG),
    "array protocol": ArrayOnly(BIG),
    "dlpack protocol": DlpackOnly(BIG),
}


@pytest.mark.parametrize("kind", UNCOPIED)
def test_scores_are_not_copied(kind: str) -> None:
    scores = UNCOPIED[kind]
    # Class codes (4 bytes per row) and masses may be made; a copy of the scores is 16 or 32.
    assert peak_of(lambda: pr.hand_till(CLASSES, scores, n_threads=1)) < 10 * N
    assert peak_of(lambda: pr.auc_mu(CLASSES, scores, n_threads=1)) < 10 * N


UNCOPIED_COLUMN: dict[str, Any] = {
    "numpy": BIG[:, 1],
    "pandas": pd.Series(BIG[:, 1]),
    "polars": pl.Series(np.ascontiguousarray(BIG[:, 1])),
    "pyarrow": pa.array(np.ascontiguousarray(BIG[:, 1])),
    "array protocol": ArrayOnly(np.ascontiguousarray(BIG[:, 1])),
    "dlpack protocol": DlpackOnly(np.ascontiguousarray(BIG[:, 1])),
}


@pytest.mark.parametrize("kind", UNCOPIED_COLUMN)
def test_one_column_is_not_copied(kind: str) -> None:
    y = CLASSES % 2
    assert peak_of(lambda: pr.auc(y, UNCOPIED_COLUMN[kind], n_threads=1)) < 6 * N


def test_labels_are_not_copied() -> None:
    for y in (CLASSES, CLASSES.astype(np.int8), np.repeat(CLASSES, 2)[::2]):
        assert peak_of(partial(pr.hand_till, y, BIG, n_threads=1)) < 6 * N
    binary = CLASSES % 2 == 1
    assert peak_of(lambda: pr.auc(binary, BIG[:, 0], n_threads=1)) < 6 * N


def test_matrices_with_names_are_an_error() -> None:
    costs = pd.DataFrame(1 - np.eye(3), columns=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"^partition is a data frame with named columns"):
        pr.AucMu(partition=costs)
    with pytest.raises(ValueError, match=r"^pair_weights is a data frame with named columns"):
        pr.HandTill(pair_weights=costs)
