"""`polyroc verify`: exit code 0 if a page is what its data make, 1 if not, 2 if unreadable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import polyroc as pr
import pytest

from given.command_line import run, three_classes, two_classes

RUN: tuple[Any, ...] = ("--bootstrap", 49, "--seed", 3)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder with a table of two models, weights, groups and a gap, and its page."""
    y, P = three_classes()
    _, Q = three_classes(seed=2)
    names = ["cat", "dog", "owl"]
    columns = {f"{name}.{c}": S[:, k] for name, S in (("one", P), ("two", Q))
               for k, c in enumerate(names)}  # fmt: skip
    frame = pl.DataFrame({"kind": y, "w": 1.0 + np.arange(60) % 3, "who": np.arange(60) // 2,
                          **columns})  # fmt: skip
    frame = frame.with_columns(pl.when(pl.int_range(60) != 7).then(pl.col("one.cat")))
    frame.write_csv(tmp_path / "x.csv")
    frame.write_parquet(tmp_path / "x.parquet")
    ran = run("evaluate", "x.csv", "--label", "kind", "--scores", "{model}.{class}",
              "--weights", "w", "--groups", "who", "--missing", "drop", "--measure", "auc_mu", *RUN,
              "--report", "page.html", cwd=tmp_path)  # fmt: skip
    assert ran.code == 0, ran.err
    return tmp_path


def test_a_page_of_the_command_line_knows_how_it_was_made(made: Path) -> None:
    text = (made / "page.html").read_text(encoding="utf-8")
    assert "polyroc evaluate x.csv --label kind --scores" in text
    assert "1 row that lacked a value left out" in text
    same = run("verify", "page.html", "x.parquet", cwd=made)
    assert (same.code, same.err) == (0, "")
    assert "is what polyroc" in same.out
    value = text.index('<td data-value="', text.index('id="measures"'))
    at = text.index(">", value) + 4
    altered = text[:at] + ("8" if text[at] != "8" else "7") + text[at + 1 :]
    (made / "altered.html").write_text(altered, encoding="utf-8")
    found = run("verify", "altered.html", "x.csv", "--json", cwd=made)
    assert found.code == 1
    document = json.loads(found.out)
    assert document["same"] is False
    assert document["differences"][0].startswith("shown in 'measures'")
    changed = pl.read_parquet(made / "x.parquet").with_columns(pl.col("two.dog") + 0.001)
    changed.write_csv(made / "changed.csv")
    other = run("verify", "page.html", "changed.csv", cwd=made)
    assert other.code == 1
    assert other.out == "the scores of 'two' are not those of the page\n"


def test_columns_of_other_names_are_told_of(made: Path) -> None:
    frame = pl.read_parquet(made / "x.parquet")
    renamed = frame.rename({name: name.replace(".", " of ") for name in frame.columns})
    renamed.write_csv(made / "renamed.csv")
    ran = run("verify", "page.html", "renamed.csv", cwd=made)
    assert ran.code == 2
    assert "the page was made with --scores '{model}.{class}': pass --scores if" in ran.err
    same = run("verify", "page.html", "renamed.csv", "--scores", "{model} of {class}", cwd=made)
    assert (same.code, same.err) == (0, "")
    wrong = run("verify", "page.html", "renamed.csv", "--scores", "x", cwd=made)
    assert wrong.code == 2
    assert "the page was made with" not in wrong.err


def test_a_page_that_python_saved(tmp_path: Path) -> None:
    y, s = two_classes()
    report = pr.evaluate(y == 1, s.astype(np.float32), n_resamples=49, seed=1)
    report.save(tmp_path / "page.html")
    frame = pl.DataFrame({"truth": y == 1, "score": s.astype(np.float32)})
    frame.write_csv(tmp_path / "x.csv")
    same = run("verify", tmp_path / "page.html", tmp_path / "x.csv")
    assert (same.code, same.err) == (0, ""), same.out
    weighted = pr.evaluate(y, s, sample_weight=1.0 + y, n_resamples=49, seed=1)
    weighted.save(tmp_path / "weighted.html")
    ran = run("verify", tmp_path / "weighted.html", tmp_path / "x.csv")
    assert (ran.code, ran.out) == (2, "")
    assert "have weights; pass --weights COLUMN" in ran.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html>no report</html>", "no page of a polyroc report"),
        (b'<script type="application/json" id="data">{"version":</script>', "no JSON"),
        (b'<script type="application/json" id="data">{"version":1}</script>', "lack 'report'"),
        (b"\xff\xfe", "not UTF-8"),
        (None, "cannot be read: No such file"),
    ],
)
def test_what_cannot_be_read(content: bytes | None, message: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "page.html").write_bytes(content)
    (tmp_path / "x.csv").write_text("y,p\n1,2\n0,1\n", encoding="utf-8")
    ran = run("verify", tmp_path / "page.html", tmp_path / "x.csv")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("polyroc: error: ")
    assert message in ran.err
