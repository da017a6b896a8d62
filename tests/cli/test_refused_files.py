"""Bad files: one line that names the place and the way out, and exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from given.command_line import run

GOOD = "y,p_a,p_b\na,0.9,0.1\nb,0.2,0.8\na,0.7,0.3\nb,0.4,0.6\n"

REFUSED = {
    "a column that is not there": (GOOD, ("--label", "why"), "has no column 'why'; it has"),
    "a pattern that matches nothing": (
        GOOD,
        ("--label", "y", "--scores", "q_*"),
        "matches no column",
    ),
    "no column for a class": (
        "y,p_catt,p_dog\ncat,.5,.5\ndog,.2,.8\n",
        (),
        "no column for class 'cat'; nearest: 'p_catt'",
    ),
    "a class without rows": (
        "y,p_a,p_b,p_c\na,.5,.2,.3\nb,.5,.2,.3\n",
        (),
        "column 'p_c' is of no class that has rows",
    ),
    "a missing score": (
        GOOD.replace("0.8", "NA"),
        (),
        "a row lacks a value, the first one row 2 (column 'p_b'); pass --missing drop",
    ),
    "a NaN": (GOOD.replace("0.8", "nan"), (), "a row lacks a value, the first one row 2"),
    "a short row": (
        GOOD.replace("b,0.2,0.8", "b,0.2"),
        (),
        "a row lacks a value, the first one row 2",
    ),
    "a long row": (GOOD.replace("b,0.2,0.8", "b,0.2,0.8,9"), (), "more cells than the 3 columns"),
    "an empty file": ("", (), "is empty"),
    "a header alone": ("y,p_a,p_b\n", (), "has a header but no rows"),
    "no header": ("1,0.5\n0,0.2\n", (), "has no header"),
    "decimal commas": (
        "y;p_a;p_b\na;0,5;0,5\nb;0,7;0,3\n",
        (),
        "row 1: '0,5' is no number; write decimals with a point",
    ),
    "words for scores": (
        GOOD.replace("0.8", "high"),
        (),
        "column 'p_b', row 2: 'high' is no number",
    ),
    "duplicate columns": ("y,p_a,p_a\na,1,2\nb,2,1\n", (), "'p_a' heads more than one column"),
    "one class": ("y,p_a\na,0.1\na,0.2\n", (), "one class only"),
    "one score for three classes": (
        "y,p_a\na,0.1\nb,0.2\nc,0.3\n",
        (),
        "one column of scores ('p_a') for 3 classes",
    ),
    "no label column": ("a,b,c\n1,2,3\n", (), "which column"),
    "a positive class that is not there": (
        "y,s\na,0.1\nb,0.2\n",
        ("--scores", "s", "--positive", "c"),
        "none of the classes 'a', 'b'",
    ),
    "an unknown measure": (GOOD, ("--measure", "aucc"), "choose one of"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line(case: str, tmp_path: Path) -> None:
    text, options, message = REFUSED[case]
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    ran = run("evaluate", path, "--bootstrap", 99, "--seed", 1, *options)
    assert ran.code == 2, ran.out
    assert ran.out == ""
    last = ran.err.splitlines()[-1]
    assert last.startswith("polyroc: error: ")
    assert message in last


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("y,p_é\ncafé,0.5\nthé,0.2\n".encode("latin-1"), "not UTF-8"),
        ("y,p_a\ncaf\u00e9,0.5\nb,0.2\n".encode("latin-1"), "not UTF-8"),
        ("y,p\na,1\n".encode("utf-16"), "is UTF-16"),
        (bytes(range(256)) * 9, "is no text"),
    ],
)
def test_what_is_no_utf8(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(content)
    ran = run("evaluate", tmp_path / "x.csv", "--label", "y")
    assert (ran.code, message in ran.err) == (2, True), ran.err


def test_what_is_no_file(tmp_path: Path) -> None:
    ran = run("evaluate", tmp_path, "--label", "y")
    assert (ran.code, "is a directory" in ran.err) == (2, True)
    ran = run("evaluate", tmp_path / "nothing.csv")
    assert (ran.code, "there is no file" in ran.err) == (2, True)
    (tmp_path / "x.parquet").write_bytes(b"PAR1 and no more")
    ran = run("evaluate", tmp_path / "x.parquet")
    assert (ran.code, "cannot be read as parquet" in ran.err) == (2, True)
    assert run("nonsense").code == 2
    assert run("evaluate").code == 2


def test_labels_stay_as_they_are_written(tmp_path: Path) -> None:
    rows = "01,.5,.2,.3\n1,.1,.6,.3\n2,.1,.1,.8\n" * 4
    (tmp_path / "x.csv").write_text(f"y,p_01,p_1,p_2\n{rows}", encoding="utf-8")
    ran = run("evaluate", tmp_path / "x.csv", "--bootstrap", 99, "--seed", 1, "--measure", "auc_mu")
    assert ran.code == 0
    assert "'01' 4, '1' 4, '2' 4" in ran.out


def test_names_are_data(tmp_path: Path) -> None:
    rows = "../../x,0.5\nz,0.7\n../../x,0.1\nz,0.3\n"
    (tmp_path / "x.csv").write_text(f"y,<script>alert(1)</script>\n{rows}", encoding="utf-8")
    ran = run("evaluate", tmp_path / "x.csv", "--label", "y", "--bootstrap", 99, "--seed", 1)
    assert ran.code == 0, ran.err
    assert "'../../x' 2" in ran.out


def test_rows_that_lack_a_score_may_be_dropped(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(GOOD + "a,,0.1\n", encoding="utf-8")
    ran = run("evaluate", tmp_path / "x.csv", "--missing", "drop", "--bootstrap", 99, "--seed", 1)
    assert ran.code == 0, ran.err
    assert "1 row that lacked a value left out" in ran.out
