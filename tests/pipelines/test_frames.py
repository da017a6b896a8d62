"""Every kind of frame in, the same kind out; what is wrong with a frame is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pyarrow as pa
import pyarrow.dataset
import pytest
from polyroc._pipelines import frame_table

from pipelines.test_segments import SCORES, evaluated, frame_of

FRAME = frame_of(300)
FRAME.loc[::7, "country"] = None
OPTIONS: dict[str, Any] = {"by": [(), "country", ("country", "device")]}


class Stream:
    """Anything with the Arrow stream alone."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def chunked() -> Any:
    table = pa.Table.from_pandas(FRAME)
    return pa.concat_tables([table.slice(0, 100), table.slice(100, 1), table.slice(101)])


def of_duckdb() -> Any:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("given", pa.Table.from_pandas(FRAME))
    return connection.sql("select * from given")


KINDS: dict[str, tuple[Any, Any]] = {
    "pandas": (lambda: FRAME, pd.DataFrame),
    "pandas categories": (
        lambda: FRAME.astype({"label": "category", "country": "category", "device": "category"}),
        pd.DataFrame,
    ),
    "pandas by Arrow": (lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"), pd.DataFrame),
    "pandas nullable": (lambda: FRAME.convert_dtypes(), pd.DataFrame),
    "polars": (lambda: pl.from_pandas(FRAME), pl.DataFrame),
    "polars categories": (
        lambda: pl.from_pandas(FRAME).cast({"label": pl.Categorical, "country": pl.Categorical}),
        pl.DataFrame,
    ),
    "polars lazy": (lambda: pl.from_pandas(FRAME).lazy(), pl.DataFrame),
    "table": (lambda: pa.Table.from_pandas(FRAME), pa.Table),
    "chunked": (chunked, pa.Table),
    "dictionary": (
        lambda: chunked().set_column(
            chunked().column_names.index("country"),
            "country",
            chunked().column("country").dictionary_encode(),
        ),
        pa.Table,
    ),
    "batch": (lambda: pa.RecordBatch.from_pandas(FRAME), pa.Table),
    "reader": (lambda: chunked().to_reader(), pa.Table),
    "dataset": (lambda: pyarrow.dataset.dataset(chunked()), pa.Table),
    "stream": (lambda: Stream(chunked()), pa.Table),
    "duckdb": (of_duckdb, pa.Table),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_frame_gives_the_same_table(kind: str) -> None:
    make, result = KINDS[kind]
    found = evaluated(make(), **OPTIONS)
    assert type(found) is result
    wanted = evaluated(FRAME, **OPTIONS)
    if not isinstance(found, pd.DataFrame):
        found = found.to_pandas()
    for name in wanted.columns:
        one, other = found[name].tolist(), wanted[name].tolist()
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert (pd.isna(a) and pd.isna(b)) or a == b, name


def test_columns_of_a_frame_are_not_copied_twice_nor_changed() -> None:
    before = FRAME.copy()
    evaluated(FRAME, **OPTIONS)
    pd.testing.assert_frame_equal(before, FRAME)


def test_numbers_of_other_types() -> None:
    narrow = FRAME.astype(dict.fromkeys(SCORES, np.float32))
    one = evaluated(narrow, by="country")
    two = evaluated(pl.from_pandas(narrow), by="country").to_pandas()
    assert one.estimate.tolist() == two.estimate.tolist()
    whole = FRAME.assign(**{name: (100 * FRAME[name]).round().astype(int) for name in SCORES})
    three = evaluated(whole, by="country")
    np.testing.assert_allclose(
        three.estimate, evaluated(whole.astype(dict.fromkeys(SCORES, float)), by="country").estimate
    )


def test_columns_are_matched_by_name_or_by_labels() -> None:
    turned = ["p_c", "p_a", "p_b"]
    one = pr.evaluate(FRAME, y_true="label", y_score=turned)
    assert one.estimate.tolist() == evaluated(FRAME).estimate.tolist()
    assert list(one.columns).index("n_c") < list(one.columns).index("n_a")
    renamed = FRAME.rename(columns={"p_a": "x", "p_b": "y", "p_c": "z"})
    two = pr.evaluate(renamed, y_true="label", y_score=["z", "x", "y"], labels=["c", "a", "b"])
    assert two.estimate.tolist() == one.estimate.tolist()


def test_a_report_is_made_of_predictions_as_before() -> None:
    report = pr.evaluate(FRAME.label, FRAME[SCORES], "hand_till", n_resamples=50, seed=1)
    assert isinstance(report, pr.Report)
    again = pr.evaluate(
        y_true=FRAME.label, y_score=FRAME[SCORES], measure="hand_till", n_resamples=50, seed=1
    )
    assert isinstance(again, pr.Report)


def with_null(name: str) -> Any:
    frame = FRAME.copy()
    frame.loc[17, name] = None
    return frame


BAD: dict[str, tuple[Any, dict[str, Any], type[Exception], str]] = {
    "no column": (
        FRAME, {"y_true": "lable"}, ValueError, "no column 'lable'; did you mean 'label'",
    ),
    "no score": (FRAME, {"y_score": ["p_a", "p_b", "p_x"]}, ValueError, "no column 'p_x'"),
    "no key": (FRAME, {"by": "contry"}, ValueError, "no column 'contry'; did you mean 'country'"),
    "no weight": (FRAME, {"sample_weight": "w"}, ValueError, "no column 'w'"),
    "null label": (with_null("label"), {}, ValueError, "column 'label' is null in row 17"),
    "null score": (with_null("p_b"), {}, ValueError, "column 'p_b' is null in row 17"),
    "null weight": (
        with_null("weight"), {"sample_weight": "weight"}, ValueError,
        "column 'weight' is null in row 17",
    ),
    "text": (FRAME, {"y_score": ["p_a", "p_b", "country"]}, TypeError, "column 'country' holds"),
    "no rows": (FRAME[:0], {}, ValueError, "no rows"),
    "one class": (
        FRAME[FRAME.label == "a"], {"labels": list("abc")}, ValueError,
        "every row has the label 'a'",
    ),
    "few columns": (
        FRAME, {"y_score": ["p_a", "p_b"], "labels": list("abc")}, ValueError, "has 2 columns",
    ),
    "no scores": (FRAME, {"y_score": []}, ValueError, "y_score is empty"),
    "two models": (FRAME, {"y_score": {"one": ["s"], "other": ["t"]}}, TypeError,
                   "y_score is a dict of several models; with a frame it names the columns of "
                   "one model: call evaluate once for each model"),
    "two lists": (FRAME, {"y_score": [["s"], ["t"]]}, TypeError, "y_score is a list of several"),
    "name of a result": (FRAME.assign(n=1), {"by": "n"}, ValueError, "a column of the result"),
    "spec twice": (FRAME, {"by": [("country",), "country"]}, ValueError, "twice"),
    "column twice": (FRAME, {"by": ["country", "country"]}, ValueError, "a column twice"),
    "no list": (FRAME, {"by": [["country", ["device"]]]}, TypeError, "by holds"),
    "interval": (FRAME, {"interval": "wald"}, ValueError, "interval is 'wald'"),
    "adjust": (FRAME, {"adjust": "fdr"}, ValueError, "adjust is 'fdr'"),
    "min_rows": (FRAME, {"min_rows": -1}, ValueError, "min_rows is -1"),
    "levels": (FRAME, {"confidence": [0.9, 0.95]}, TypeError, "one level"),
    "many labels": (FRAME, {"measure": pr.Multilabel("auc")}, ValueError, "one column of labels"),
    "array": (FRAME, {"y_true": FRAME.label}, TypeError, "the name of a column"),
    "keyword": (FRAME, {"weights": "weight"}, TypeError, "it is called sample_weight"),
    "unknown label": (FRAME, {"labels": ["a", "b", "d"]}, ValueError, "'c', which is not in"),
    "no frame": ([1, 2], {}, TypeError, "the first argument is a frame"),
    "two of a name": (
        pd.concat([FRAME, FRAME[["p_a"]]], axis=1), {}, ValueError, "2 columns named 'p_a'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named(case: str) -> None:
    frame, options, kind, words = BAD[case]
    with pytest.raises(kind, match=words):
        pr.evaluate(frame, **{"y_true": "label", "y_score": SCORES, **options})


@pytest.mark.parametrize("make", [pl.from_pandas, pa.Table.from_pandas])
def test_nulls_are_named_in_every_frame(make: Any) -> None:
    for name in ("label", "p_b"):
        with pytest.raises(ValueError, match=f"column '{name}' is null in row 17"):
            evaluated(make(with_null(name)))
    with pytest.raises(TypeError, match="column 'country' holds"):
        pr.evaluate(make(FRAME), y_true="label", y_score=["p_a", "p_b", "country"])
    with pytest.raises(ValueError, match="no column 'contry'; did you mean 'country'"):
        evaluated(make(FRAME), by="contry")


def test_threads_that_copy_columns_name_the_first_null(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evaluated(pl.from_pandas(FRAME), by="country").rows()
    monkeypatch.setattr(frame_table, "_LARGE", 0)
    assert repr(evaluated(pl.from_pandas(FRAME), by="country").rows()) == repr(whole)
    missing = with_null("p_c")
    missing.loc[19, "p_b"] = None
    for make in (pl.from_pandas, pd.DataFrame):
        with pytest.raises(ValueError, match="column 'p_b' is null in row 19"):
            evaluated(make(missing), by="country")


def test_options_of_frames_need_a_frame() -> None:
    with pytest.raises(TypeError, match="by, which is for frames"):
        pr.evaluate(FRAME.label, FRAME[SCORES], by="country")  # type: ignore[call-overload]


def test_columns_are_named_by_keywords() -> None:
    call: Any = pr.evaluate
    for given, options in (
        ((FRAME, "label", SCORES), {}), ((FRAME, "label"), {"y_score": SCORES}),
        ((FRAME,), {"y_score": SCORES}), ((FRAME, SCORES), {}),
    ):  # fmt: skip
        with pytest.raises(TypeError, match="name its columns by keywords"):
            call(*given, **options)
    report = call(FRAME[["label"]], y_score=FRAME[SCORES], measure="hand_till", n_resamples=50)
    assert isinstance(report, pr.Report)


@pytest.mark.parametrize(
    ("module", "own"), [("dask.dataframe", "dask"), ("pyspark.sql.classic.dataframe", "spark")]
)
def test_frames_whose_rows_are_elsewhere(module: str, own: str) -> None:
    kind = type("DataFrame", (), {"__module__": module, "iloc": None, "ndim": 2})
    if own == "spark":
        del kind.iloc  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=f"pass it to pr.{own}.evaluate"):
        evaluated(kind())


def test_the_name_of_a_file_is_told_how_to_open(tmp_path: Path) -> None:
    evaluate: Any = pr.evaluate
    for name in ("p.parquet", tmp_path / "p.parquet"):
        with pytest.raises(TypeError, match=r"p\.parquet' is the name of a file; pass what opens"):
            evaluate(name, y_true="y", y_score=["a", "b"])


def test_expressions_and_columns_named_twice_are_told() -> None:
    frame = pl.DataFrame({"label": [0, 1] * 20, "score": np.arange(40.0), "site": ["a"] * 40})
    options: dict[str, Any] = {"y_true": "label", "measure": "auc"}
    with pytest.raises(TypeError, match=r"^y_score is a Expr; with a frame it is the name of a co"):
        pr.evaluate(frame, y_score=pl.col("score"), **options)
    with pytest.raises(TypeError, match=r"^by holds .*; pass a column, a list of columns, or"):
        pr.evaluate(frame, y_score="score", by=pl.col("site"), **options)
    with pytest.raises(ValueError, match=r"^y_score names 'score' twice; name one column for each"):
        pr.evaluate(frame, y_score=["score", "score"], **options)
