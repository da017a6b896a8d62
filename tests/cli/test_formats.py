"""Good files of every kind: the numbers of the library, to the last digit."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import polyroc as pr
import pytest

from given.command_line import Ran, run, three_classes, two_classes

RUN: tuple[Any, ...] = ("--bootstrap", 99, "--seed", 3)


def _estimate(ran: Ran, model: str, measure: str) -> Any:
    assert ran.code == 0, ran.err
    return json.loads(ran.out)["models"][model][measure]


def _frame() -> pl.DataFrame:
    y, P = three_classes()
    return pl.DataFrame({"y": y, "p_dog": P[:, 1], "p_cat": P[:, 0], "p_owl": P[:, 2]})


def _write(frame: pl.DataFrame, path: Path) -> None:
    name = path.name
    if name.endswith(".csv.gz"):
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    elif name.endswith(".jsonl.gz"):
        path.write_bytes(gzip.compress(frame.write_ndjson().encode()))
    elif name.endswith(".csv.zst"):
        frame.write_csv(path, compression="zstd")
    elif name.endswith(".csv"):
        frame.write_csv(path)
    elif name.endswith(".tsv"):
        frame.write_csv(path, separator="\t")
    elif name.endswith(".parquet"):
        frame.write_parquet(path)
    elif name.endswith(".stream.arrow"):
        frame.write_ipc_stream(path)
    elif name.endswith(".arrow"):
        frame.write_ipc(path)
    else:
        frame.write_ndjson(path)


KINDS = ["csv", "tsv", "csv.gz", "csv.zst", "parquet", "arrow", "stream.arrow", "jsonl", "jsonl.gz"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_gives_the_numbers_of_the_library(kind: str, tmp_path: Path) -> None:
    y, P = three_classes()
    path = tmp_path / f"boost.{kind}"
    _write(_frame(), path)
    found = run("evaluate", path, "--label", "y", "--scores", "p_*", "--json",
                "--measure", "auc_mu", "--measure", "hand_till", *RUN)  # fmt: skip
    expected = pr.evaluate(y, P, ["auc_mu", "hand_till"], n_resamples=99, seed=3)
    stem = "boost.stream" if kind == "stream.arrow" else "boost"
    for name, one in expected.measures["model"].items():
        shown = _estimate(found, stem, name)
        assert shown["estimate"] == one.estimate
        assert shown["standard_error"] == one.standard_error
        assert shown["interval"] == one.interval.tolist()


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "jsonl"])
def test_standard_input(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{kind}"
    _write(_frame(), path)
    found = run("evaluate", "-", "--label", "y", "--json", "--measure", "auc_mu", *RUN,
                stdin=path.read_bytes())  # fmt: skip
    y, P = three_classes()
    assert _estimate(found, "model", "auc_mu")["estimate"] == pr.auc_mu(y, P)


def test_long_files(tmp_path: Path) -> None:
    y, P = three_classes()
    wide = _frame().with_row_index("row")
    long = wide.unpivot(["p_cat", "p_dog", "p_owl"], index=["row", "y"], variable_name="of",
                        value_name="s")  # fmt: skip
    long = long.with_columns(pl.col("of").str.strip_prefix("p_")).sample(
        fraction=1.0, shuffle=True, seed=1
    )
    path = tmp_path / "long.csv"
    long.write_csv(path)
    found = run("evaluate", path, "--label", "y", "--long", "--id", "row", "--class", "of",
                "--score", "s", "--json", "--measure", "auc_mu", *RUN)  # fmt: skip
    assert _estimate(found, "long", "auc_mu")["estimate"] == pytest.approx(
        pr.auc_mu(y, P), abs=1e-15
    )


def test_models_by_files_by_column_and_by_pattern(tmp_path: Path) -> None:
    y, P = three_classes()
    _, Q = three_classes(seed=2)
    expected = pr.compare(y, {"one": P, "two": Q}, "auc_mu")
    names = ["cat", "dog", "owl"]
    frames = {
        name: pl.DataFrame({"y": y, **{f"p_{c}": S[:, k] for k, c in enumerate(names)}})
        for name, S in (("one", P), ("two", Q))
    }
    for name, frame in frames.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    stacked = pl.concat([f.with_columns(m=pl.lit(name)) for name, f in frames.items()])
    stacked.write_parquet(tmp_path / "stacked.parquet")
    side = pl.DataFrame({"y": y, **{f"{name}_p_{c}": S[:, k] for name, S in (("one", P), ("two", Q))
                                    for k, c in enumerate(names)}})  # fmt: skip
    side.write_csv(tmp_path / "side.csv")
    ways: list[tuple[Any, ...]] = [
        (tmp_path / "one.csv", tmp_path / "two.csv"),
        (tmp_path / "stacked.parquet", "--model", "m"),
        (tmp_path / "side.csv", "--scores", "{model}_p_{class}"),
    ]
    for way in ways:
        found = run("compare", *way, "--label", "y", "--measure", "auc_mu", "--json")
        assert found.code == 0, found.err
        shown = json.loads(found.out)["comparison"]
        assert shown["models"] == ["one", "two"]
        assert shown["pairs"][0]["p_value"] == expected.p_value
        assert shown["pairs"][0]["difference"] == expected.difference


def test_rows_are_matched_by_id(tmp_path: Path) -> None:
    y, s = two_classes()
    frame = pl.DataFrame({"id": range(len(y)), "y": y, "score": s})
    frame.write_csv(tmp_path / "a.csv")
    frame.sample(fraction=1.0, shuffle=True, seed=2).write_csv(tmp_path / "b.csv")
    files = (tmp_path / "a.csv", tmp_path / "b.csv")
    wrong = run("compare", *files, "--label", "y")
    assert wrong.code == 2
    assert "models need the same rows" in wrong.err
    right = run("compare", *files, "--label", "y", "--id", "id", "--json")
    assert json.loads(right.out)["comparison"]["pairs"][0]["difference"] == 0


def test_weights_and_groups(tmp_path: Path) -> None:
    y, s = two_classes()
    w, g = 1.0 + (y * 3 + range(len(y))) % 4, [f"g{k // 3}" for k in range(len(y))]
    pl.DataFrame({"y": y, "s": s, "w": w, "g": g}).write_csv(tmp_path / "x.csv")
    found = run("evaluate", tmp_path / "x.csv", "--label", "y", "--scores", "s", "--weights", "w",
                "--groups", "g", "--measure", "auc", "--json", *RUN)  # fmt: skip
    expected = pr.evaluate(y, s, "auc", sample_weight=w, groups=g, n_resamples=99, seed=3)
    shown = _estimate(found, "x", "auc")
    assert shown["interval"] == expected.measures["model"]["auc"].interval.tolist()


def test_markers_of_two_classes_are_models(tmp_path: Path) -> None:
    y, s = two_classes()
    _, t = two_classes(seed=9)
    status = pl.Series(y).replace_strict({0: "well", 1: "ill"})
    frame = pl.DataFrame({"status": status, "marker": s, "old": t, "p_ill": s, "p_well": -s})
    frame.write_csv(tmp_path / "x.csv")
    call = ("compare", tmp_path / "x.csv", "--label", "status", "--json", "--scores")
    both = run(*call, "marker", "--scores", "old", "--positive", "ill")
    assert _estimate(both, "marker", "auc")["estimate"] == pr.auc(y, s)
    assert _estimate(both, "old", "auc")["estimate"] == pr.auc(y, t)
    assert list(json.loads(both.out)["models"]) == ["marker", "old"]
    joined = run(*call, "marker,old")
    assert joined.code == 2
    assert "names several columns; pass --scores marker --scores old\n" in joined.err
    # Columns that are named after the classes are one model.
    one = run(*call, "p_ill", "--scores", "p_well")
    assert one.code == 2
    assert "there is one model only" in one.err


def test_gates(tmp_path: Path) -> None:
    y, s = two_classes()
    _, t = two_classes(seed=9)
    pl.DataFrame({"y": y, "s": s}).write_csv(tmp_path / "a.csv")
    pl.DataFrame({"y": y, "s": t}).write_csv(tmp_path / "b.csv")
    value = pr.auc(y, s)
    one = ("evaluate", tmp_path / "a.csv", "--label", "y", "--scores", "s", *RUN, "--fail-under")
    assert run(*one, value - 0.01).code == 0
    missed = run(*one, value + 0.01)
    assert missed.code == 1
    assert f"a: auc {value:.4f} is below --fail-under {value + 0.01:g}\n" in missed.err
    difference = value - pr.auc(y, t)
    two = ("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--label", "y", "--fail-under")
    assert run(*two, difference - 0.01).code == 0
    missed = run(*two, difference + 0.01)
    assert missed.code == 1
    assert f"a minus b: auc {difference:.4f} is below --fail-under" in missed.err
    refused = run(*two, 0, "--measure", "h_measure")
    assert refused.code == 2
    assert "h_measure has no closed-form error; pass --method bootstrap\n" in refused.err


def test_bradley(tmp_path: Path) -> None:
    y, s = two_classes(120)
    _, t = two_classes(120, seed=5)
    fold = [k // 2 % 5 for k in range(120)]
    frames = [pl.DataFrame({"y": y, "fold": fold, "model": name, "s": S})
              for name, S in (("a", s), ("b", t))]  # fmt: skip
    pl.concat(frames).write_csv(tmp_path / "folds.csv")
    found = run("bradley", tmp_path / "folds.csv", "--label", "y", "--fold", "fold", "--model",
                "model", "--json")  # fmt: skip
    assert found.code == 0, found.err
    import numpy as np

    folds = [
        (y[own], {"a": s[own], "b": t[own]}) for own in (np.array(fold) == k for k in range(5))
    ]
    expected = pr.bradley(folds, "auc").to_dict()
    assert json.loads(found.out)["result"]["mean"] == expected["mean"]


def test_example_and_help(tmp_path: Path) -> None:
    for kind in ("csv", "tsv", "parquet", "arrow", "jsonl"):
        assert run("example", "--out", tmp_path / f"e.{kind}").code == 0
    found = run("evaluate", tmp_path / "e.parquet", "--label", "y", "--scores",
                "{model}_p_{class}", "--measure", "auc_mu", "--json", *RUN)  # fmt: skip
    y, models = pr.example_predictions()
    shown = _estimate(found, "naive_Bayes", "auc_mu")
    assert shown["estimate"] == pr.auc_mu(y, models["naive Bayes"])
    helped = run("--help")
    assert helped.code == 0
    assert "polyroc example --out" in helped.out
    assert run().code == 0
    assert run("evaluate", "--help").code == 0
    assert run("--version").out == f"polyroc {pr.__version__}\n"


def test_columns_that_only_begin_like_scores_are_left_alone(tmp_path: Path) -> None:
    """A patient's number and a predicted label stand beside p_cat in many files."""
    frame = _frame().with_columns(patient=pl.lit(7), prediction=pl.lit("cat"), pressure=pl.lit(1.5))
    frame.write_csv(tmp_path / "x.csv")
    found = run("evaluate", tmp_path / "x.csv", *RUN, "--json")
    assert _estimate(found, "x", "auc_mu") is not None
    assert "scores: p_dog, p_cat, p_owl by name" in found.err
    y, s = two_classes()
    pl.DataFrame({"y": y, "patient": y, "score": s}).write_csv(tmp_path / "two.csv")
    found = run("evaluate", tmp_path / "two.csv", *RUN, "--json")
    assert _estimate(found, "two", "auc")["estimate"] == pr.auc(y, s)


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (["False", "True"], ["p_0"]),
        (["0", "1"], ["p_False"]),
        (["low risk", "no risk"], ["p_lowrisk"]),
        (["-", "+"], ["p_-"]),
        (["False", "True"], ["p_1", "p_0"]),
        (["low risk", "no risk"], ["NoRisk", "LowRisk"]),
    ],
)
def test_columns_name_their_classes_in_another_writing(
    labels: list[str], columns: list[str], tmp_path: Path
) -> None:
    """The last column is that of the first label."""
    y, s = two_classes()
    scores = dict(zip(columns, [s, -s] if len(columns) > 1 else [-s], strict=True))
    pl.DataFrame({"label": [labels[k] for k in y], **scores}).write_csv(tmp_path / "x.csv")
    asked = [part for column in columns for part in ("--scores", column)]
    found = run("evaluate", tmp_path / "x.csv", *asked, "--measure", "auc", "--json", *RUN)
    assert _estimate(found, "x", "auc")["estimate"] == pytest.approx(pr.auc(y, s), abs=1e-12)
