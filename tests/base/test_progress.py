"""How far a run is: what callbacks are told, and what is printed."""

from __future__ import annotations

import io
import sys
import types
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.fault_calls import bits, child, matrix


@pytest.mark.slow
def test_progress_goes_up_to_the_total() -> None:
    y, scores = matrix(50_000, 10)
    calls: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        calls.append((done, total))

    quiet = pr.bootstrap(y, scores, n_resamples=6000, seed=1)
    noted = pr.bootstrap(y, scores, n_resamples=6000, seed=1, progress=note)
    assert bits(quiet) == bits(noted)
    done = [k for k, _ in calls]
    assert done == sorted(done)
    assert all(0 <= k <= 6000 for k in done)
    assert len(calls) > 1  # a look every 50 ms, and one at the end
    assert calls[-1] == (6000, 6000)
    assert {total for _, total in calls} == {6000}
    calls.clear()
    options: dict[str, Any] = {"n_resamples": 2000, "seed": 1, "replicates": range(100, 130)}
    pr.bootstrap(y, scores, progress=note, **options)
    assert calls[-1] == (30, 30)


# What is printed


PRINTED = """
import sys
sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None
import numpy as np
import polyroc as pr

rng = np.random.default_rng(0)
y, scores = np.arange(3000) % 3, rng.random((3000, 3))
pr.bootstrap(y, scores, ["auc_mu", "hand_till"], n_resamples=500, seed=1, pairs=True{option})
"""


def test_progress_is_a_line_on_stderr() -> None:
    done = child(PRINTED.format(option=", progress=True"))
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    lines = done.stderr.splitlines()
    assert lines
    assert lines[-1].startswith("bootstrap: 100% of 500 replicates, ")
    assert lines[-1].endswith("/s")
    assert "\r" not in done.stderr
    assert len(lines) < 5


@pytest.mark.slow
def test_nothing_is_printed_unless_asked_for() -> None:
    for option in ("", ", progress=False", ", progress=lambda done, total: None"):
        done = child(PRINTED.format(option=option))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_rewritten_in_place_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    y, scores = matrix(50_000, 10)
    pr.bootstrap(y, scores, n_resamples=20_000, seed=1, progress=True)
    shown = terminal.getvalue()
    assert shown.endswith("\n")
    assert shown.count("\n") == 1
    assert " s left" in shown
    last = shown.rstrip("\n").split("\r\x1b[K")[-1]
    assert last.startswith("bootstrap: 100% of 20,000 replicates, ")


def test_the_bar_of_tqdm_is_used_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[Any] = []

    class Bar:
        def __init__(self, **options: Any) -> None:
            self.options, self.n, self.closed = options, 0, False
            bars.append(self)

        def update(self, step: int) -> None:
            self.n += step

        def close(self) -> None:
            self.closed = True

    package: Any = types.ModuleType("tqdm")
    package.auto = types.ModuleType("tqdm.auto")
    package.auto.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", package)
    monkeypatch.setitem(sys.modules, "tqdm.auto", package.auto)
    y, scores = matrix(60, 3)
    pr.bootstrap(y, scores, n_resamples=77, seed=1, progress=True)
    with pytest.raises(ValueError, match=r"^y_score\[0, 0\] is NaN"):
        pr.bootstrap(y, scores * np.nan, n_resamples=77, seed=1, progress=True)
    assert [(bar.options["total"], bar.n, bar.closed) for bar in bars][:1] == [(77, 77, True)]
    assert all(bar.closed for bar in bars)
