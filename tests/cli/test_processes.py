"""How a command behaves as a process: signals, terminals, pipes, files left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import polyroc as pr
import pytest

from given.command_line import run, three_classes, two_classes

LONG = ("--bootstrap", "2000000", "--seed", "1", "--measure", "auc_mu")


def _table(folder: Path, n: int = 3000) -> Path:
    y, P = three_classes(n)
    path = folder / "x.parquet"
    columns = {f"p_{c}": P[:, k] for k, c in enumerate(("cat", "dog", "owl"))}
    pl.DataFrame({"y": y, **columns}).write_parquet(path)
    return path


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (signal.SIGINT, 130, "polyroc: interrupted\n"),  # or -2, which shells show as 130 too
        (signal.SIGTERM, 143, ""),
        (signal.SIGKILL, -9, ""),
    ],
)
def test_a_run_that_is_stopped_leaves_nothing(
    number: signal.Signals, code: int, text: str, tmp_path: Path
) -> None:
    path = _table(tmp_path)
    command = [sys.executable, "-m", "polyroc", "evaluate", str(path), "--scores", "p_*", *LONG,
               "--report", str(tmp_path / "page.html")]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("polyroc: label column: y")  # read; the run begins
    time.sleep(0.2)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode in (code, -number)
    assert (out, err) == ("", text)
    assert [one.name for one in tmp_path.iterdir()] == ["x.parquet"]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="terminals of POSIX")
@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_for_terminals(terminal: bool, tmp_path: Path) -> None:
    path = _table(tmp_path, 300)
    outer, inner = os.openpty()
    command = [sys.executable, "-m", "polyroc", "evaluate", str(path), "--label", "y", "--scores",
               "p_*", "--bootstrap", "400", "--seed", "1", "--measure", "auc_mu"]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=inner if terminal else subprocess.PIPE
    )
    out, err = process.communicate(timeout=60)
    os.close(inner)
    told = os.read(outer, 1 << 16).decode() if terminal else err.decode()
    os.close(outer)
    assert b"auc_mu" in out
    assert ("400" in told or "800" in told or "%" in told) if terminal else told == ""


def test_json_is_the_library_to_the_last_digit(tmp_path: Path) -> None:
    """`to_dict`, --json and the page carry the same numbers."""
    y, P = three_classes()
    path = _table(tmp_path, 60)
    page = tmp_path / "page.html"
    ran = run("evaluate", path, "--label", "y", "--scores", "p_*", "--bootstrap", 99, "--seed", 3,
              "--json", "--report", page)  # fmt: skip
    assert ran.code == 0, ran.err

    def refuse(name: str) -> Any:
        raise ValueError(f"{name} is not strict JSON")

    shown = json.loads(ran.out, parse_constant=refuse)
    expected = pr.evaluate(y, {"x": P}, n_resamples=99, seed=3, labels=["cat", "dog", "owl"])
    plain = json.loads(json.dumps(expected.to_dict()))
    assert shown["models"] == plain["measures"]
    for name in ("by_class", "by_pair", "confusions", "data", "warnings", "seed", "confidence"):
        assert shown[name] == plain[name], name
    assert (shown["polyroc"], shown["command"], shown["dropped_rows"]) == (
        pr.__version__, "evaluate", 0,
    )  # fmt: skip
    text = page.read_text(encoding="utf-8")
    held = text.partition('id="data">')[2].partition("</script>")[0]
    assert json.loads(held)["report"] == plain
    for one in expected.measures["x"].values():
        assert f'data-value="{float(one.estimate)!r}"' in text


def test_what_is_not_known_is_null(tmp_path: Path) -> None:
    rows = "a,.9,.1,.2\nb,.2,.8,.1\na,.7,.3,.3\nb,.4,.6,.2\n" * 5
    (tmp_path / "x.csv").write_text(f"y,p_a,p_b,p_c\n{rows}", encoding="utf-8")
    ran = run("evaluate", tmp_path / "x.csv", "--absent", "skip", "--bootstrap", 49, "--seed", 1,
              "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "NaN" not in ran.out
    assert None in json.loads(ran.out)["by_class"]["x"]["AUC against the rest"]["estimate"]


def test_a_report_has_a_place_before_the_work_begins(tmp_path: Path) -> None:
    path = _table(tmp_path)
    for place, text in ((tmp_path / "nowhere" / "page.html", "there is no directory"),
                        (tmp_path, "is a directory; name a file")):  # fmt: skip
        ran = run("evaluate", path, "--label", "y", *LONG, "--report", place)
        assert (ran.code, text in ran.err) == (2, True), ran.err


def test_names_that_bite_make_a_page_that_does_not(tmp_path: Path) -> None:
    y, s = two_classes(40)
    classes = np.array(["<img src=x onerror=alert(1)>", "../../x"])[y]
    columns = {"y": classes, "<script>alert(1)</script>": s}
    pl.DataFrame(columns).write_csv(tmp_path / "x.csv")
    ran = run("evaluate", "x.csv", "--label", "y", "--bootstrap", 49, "--seed", 1, "--report",
              "page.html", cwd=tmp_path)  # fmt: skip
    assert ran.code == 0, ran.err
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "<img" not in text
    assert sorted(one.name for one in tmp_path.iterdir()) == ["page.html", "x.csv"]


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_reader_that_has_enough(form: tuple[str, ...], tmp_path: Path) -> None:
    """The report is written and the gate fails all the same, as behind `| head`."""
    path = _table(tmp_path, 300)
    command = [sys.executable, "-m", "polyroc", "evaluate", str(path), "--label", "y", "--scores",
               "p_*", "--bootstrap", "49", "--seed", "1", "--report", str(tmp_path / "page.html"),
               "--fail-under", "2", *form]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err.decode().splitlines()[-1].endswith("is below --fail-under 2")
    assert (tmp_path / "page.html").exists()


def test_threads_do_not_change_numbers(tmp_path: Path) -> None:
    path = _table(tmp_path, 300)
    ways = [run("evaluate", path, "--label", "y", "--scores", "p_*", "--bootstrap", 99, "--seed", 1,
                "--json", "--threads", count) for count in (1, 3)]  # fmt: skip
    assert ways[0].code == 0, ways[0].err
    assert ways[0].out == ways[1].out


@pytest.mark.slow
def test_a_million_rows(tmp_path: Path) -> None:
    n = 1_000_000
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, n)
    P = np.eye(3)[y] + rng.normal(size=(n, 3))
    names = ["a", "b", "c"]
    columns = {f"p_{c}": P[:, k] for k, c in enumerate(names)}
    frame = pl.DataFrame({"y": np.array(names)[y], **columns, "unused": rng.random(n)})
    frame.write_parquet(tmp_path / "x.parquet")
    ran = run("compare", tmp_path / "x.parquet", "--label", "y", "--scores", "p_*")
    assert (ran.code, "one model only" in ran.err) == (2, True)
    ran = run("evaluate", tmp_path / "x.parquet", "--label", "y", "--scores", "p_*", "--measure",
              "hand_till", "--bootstrap", 20, "--seed", 1, "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    shown = json.loads(ran.out)["models"]["x"]["hand_till"]["estimate"]
    assert shown == pr.hand_till(y, P)
