"""`polyroc plot` through real processes: every picture from a file, and what is refused."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from given.command_line import run, three_classes, two_classes

pytest.importorskip("matplotlib")

HEADS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models of three classes and two of two, with probabilities and folds."""
    path = tmp_path_factory.mktemp("files")
    for seed, name in enumerate(["boost", "forest"]):
        y, P = three_classes(seed=seed)
        P = np.exp(P) / np.exp(P).sum(axis=1, keepdims=True)
        columns = {f"p_{label}": P[:, k] for k, label in enumerate(["cat", "dog", "owl"])}
        frame = {"y": y, **columns, "fold": np.arange(60) // 20}
        pl.DataFrame(frame).write_csv(path / f"{name}.csv")
        y, s = two_classes(seed=seed)
        share = 1 / (1 + np.exp(-s))
        pl.DataFrame({"y": y, "score": share}).write_csv(path / f"{name}-two.csv")
    return path


CALLS: dict[str, tuple[Any, ...]] = {
    "roc": ("--band", "pointwise", "--hull", "--point", "max_fpr=0.2", "--of", "dog"),
    "pr": ("--highlight", "boost"),
    "pairs": ("--only", "forest"),
    "pair-differences": ("--adjust", "none"),
    "polar": ("--width", 3.4),
    "models": ("--measure", "hand_till"),
    "differences": (),
    "replicates": ("--measure", "hand_till"),
    "folds": ("--fold", "fold"),
    "scores": (),
    "confusion": (),
    "decision-curve": ("--of", "cat"),
    "calibration": ("--of", "cat"),
}


@pytest.mark.parametrize("kind", CALLS)
def test_every_picture_is_written(kind: str, folder: Path, tmp_path: Path) -> None:
    suffix = ("svg", "pdf", "png")[list(CALLS).index(kind) % 3]
    out = tmp_path / f"{kind}.{suffix}"
    files = [folder / "boost.csv", folder / "forest.csv"]
    made = run("plot", kind, *files, "--label", "y", "--scores", "p_*", "-o", out,
               "--bootstrap", 60, "--seed", 1, *CALLS[kind])  # fmt: skip
    assert made.code == 0, made.err
    assert made.out == ""
    assert made.err.endswith(f"wrote {out}\n")
    assert out.read_bytes().startswith(HEADS[suffix])
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_the_class_of_a_picture_is_that_of_high_scores(folder: Path, tmp_path: Path) -> None:
    call = ("plot", "roc", folder / "boost-two.csv", "-o", tmp_path / "x.svg", "--of")
    low, high = sorted(set(pl.read_csv(folder / "boost-two.csv")["y"].cast(pl.String)))
    for label in (low, high):
        made = run(*call, label)
        assert made.code == 0, made.err
        assert f"high score stands for class {label!r} (--of)\n" in made.err
    refused = run(*call, low, "--positive", high)
    assert refused.code == 2
    assert f"but --positive is {high!r} and --of is {low!r}; leave out one" in refused.err


def test_kinds_of_the_help_are_those_that_are_drawn() -> None:
    from polyroc._cli.pictures import _DRAWERS
    from polyroc._cli.plot_options import KINDS

    assert list(KINDS) == list(_DRAWERS)
    assert set(KINDS) == set(CALLS)
    text = run("plot", "--help").out
    assert all(f"\n  {kind} " in text for kind in KINDS)
    assert "polyroc plot polar predictions.csv -o polar.svg" in text
    assert max(map(len, text.partition("\nexample:")[2].splitlines())) <= 80


def test_two_classes_and_standard_input(folder: Path, tmp_path: Path) -> None:
    rows = (folder / "boost-two.csv").read_bytes()
    made = run("plot", "roc", "-", "-o", tmp_path / "roc.svg", stdin=rows)
    assert made.code == 0, made.err
    assert "high score stands for class '1'" in made.err
    both = [folder / "boost-two.csv", folder / "forest-two.csv"]
    assert run("plot", "calibration", *both, "-o", tmp_path / "c.png").code == 0


def test_the_same_call_writes_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        made = run("plot", "roc", folder / "boost-two.csv", "--band", "simultaneous", "--seed", 3,
                   "--bootstrap", 60, "-o", tmp_path / name)  # fmt: skip
        assert made.code == 0, made.err
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_a_width_is_the_width_of_the_file(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "roc.svg"
    assert run("plot", "roc", folder / "boost-two.csv", "--width", 5, "-o", out).code == 0
    assert 'width="360pt"' in out.read_text()


def test_models_that_are_not_shown_are_told(folder: Path, tmp_path: Path) -> None:
    files = [folder / "boost.csv", folder / "forest.csv"]
    made = run("plot", "pairs", *files, "--scores", "p_*", "-o", tmp_path / "pairs.png")
    assert "pairs shows boost; --only chooses among 2" in made.err


REFUSED: dict[str, tuple[tuple[Any, ...], str]] = {
    "no such picture": (("pollar", "boost.csv"), "no picture 'pollar'; nearest: 'polar'"),
    "all pictures": (("heatmap", "boost.csv"), "'decision-curve', 'calibration'\n"),
    "no such format": (("roc", "boost.csv", "-o", "roc.bmp"), "none of .svg, .pdf, .png"),
    "no such class": (("roc", "boost.csv", "--of", "Cat"), "none of the classes 'cat'"),
    "no such model": (("pairs", "boost.csv", "--only", "bost"), "nearest: 'boost'"),
    "no such rule": (("roc", "boost.csv", "--point", "min_fpr=1"), "is no rule; pass youden"),
    "not its option": (("polar", "boost.csv", "--band", "pointwise"), "--band is not for polar"),
    "not its flag": (("pairs", "boost.csv", "--hull"), "--hull is not for pairs; it is for 'roc'"),
    "one model": (("models", "boost.csv"), "there is one model only"),
    "one class": (("calibration", "boost.csv"), "choose by --of: 'cat', 'dog', 'owl'"),
    "no folds": (("folds", "boost.csv"), "folds needs --fold COLUMN"),
    "no width": (("roc", "boost.csv", "--width", "0"), "not a width in inches"),
    "two classes": (("polar", "boost-two.csv"), "two classes are one pair"),
    "no file": (("roc", "absent.csv"), "there is no file"),
    "no folder": (("roc", "boost-two.csv", "-o", "absent/roc.svg"), "there is no directory"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_say_what_to_do(case: str, folder: Path) -> None:
    call, message = REFUSED[case]
    out = () if "-o" in call else ("-o", "out.svg")
    made = run("plot", *call, *out, cwd=folder)
    assert made.code == 2
    assert made.err.splitlines()[-1].startswith("polyroc: error: ")
    assert message in made.err
    assert "Traceback" not in made.err
    assert not list(folder.glob("*.svg"))


def test_names_from_files_are_inert(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    y, P = three_classes()
    frame = {"y": np.where(y == "cat", "../../x", y), "p_../../x": P[:, 0], "p_dog": P[:, 1],
             "p_owl": P[:, 2]}  # fmt: skip
    pl.DataFrame(frame).with_columns(pl.lit(evil).alias("who")).write_csv(tmp_path / "a.csv")
    made = run("plot", "roc", "a.csv", "--scores", "p_*", "--model", "who", "-o", "a.svg",
               "--of", "../../x", cwd=tmp_path)  # fmt: skip
    assert made.code == 0, made.err
    assert "<script" not in (tmp_path / "a.svg").read_text()


@pytest.mark.slow
def test_an_interrupted_run_leaves_no_file(tmp_path: Path) -> None:
    y, s = two_classes(20_000)
    pl.DataFrame({"y": y, "score": s}).write_parquet(tmp_path / "large.parquet")
    call = [sys.executable, "-m", "polyroc", "plot", "replicates", "large.parquet",
            "--bootstrap", "2000000", "-o", "replicates.svg"]  # fmt: skip
    with subprocess.Popen(call, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if b"stands for class" in line:  # the file is read, the run begins
                break
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=100)[1]
    assert process.returncode in (130, -signal.SIGINT)  # a shell shows 130 for both
    assert rest.endswith(b"polyroc: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["large.parquet"]


def test_the_example_is_read_without_options(tmp_path: Path) -> None:
    assert run("example", "--out", "predictions.csv", cwd=tmp_path).code == 0
    made = run("plot", "polar", "predictions.csv", "-o", "polar.svg", cwd=tmp_path)
    assert made.code == 0, made.err
    assert "label column: y (10 values); scores: 3 models (logistic_regression, " in made.err
    said = run("plot", "polar", "predictions.csv", "--scores", "p_*", "-o", "p.svg", cwd=tmp_path)
    assert "matches no column of predictions.csv; try '{model}_p_{class}'" in said.err


def test_columns_of_models_with_other_classes_are_not_guessed(tmp_path: Path) -> None:
    rows = "y,a_p_0,a_p_1,b_p_0,b_p_2\n0,1,2,3,4\n1,2,3,4,5\n"
    (tmp_path / "odd.csv").write_text(rows)
    made = run("plot", "roc", "odd.csv", "-o", "roc.svg", cwd=tmp_path)
    assert made.code == 2
    assert "which columns of odd.csv hold scores?" in made.err
