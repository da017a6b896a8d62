"""`polyroc evaluate --by`: the table of the library, as text and as strict JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import polyroc as pr
import pytest
from pipelines.test_segments import SCORES, frame_of

from given.command_line import Ran, run

FRAME = frame_of(400)
FRAME.loc[::9, "country"] = None
GIVEN: tuple[Any, ...] = ("--label", "label", "--scores", "p_*")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files") / "boost.csv"
    FRAME.to_csv(path, index=False)
    return path


def by(path: Path, *args: object) -> Ran:
    return run("evaluate", path, *GIVEN, *args)


def refuse(text: str) -> Any:
    raise AssertionError(f"{text} is no JSON")


def test_json_has_the_table_of_the_library(path: Path) -> None:
    ran = by(path, "--by", "country", "--by", "country,device", "--min-rows", 12, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out, parse_constant=refuse)["segments"]["boost"]
    wanted = pr.evaluate(
        pl.from_pandas(FRAME), y_true="label", y_score=SCORES, min_rows=12,
        by=[(), "country", ("country", "device")],
    )  # fmt: skip
    assert [list(line) for line in found] == [wanted.columns] * len(wanted)
    assert found == wanted.fill_nan(None).to_dicts()


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (("--bootstrap", 60, "--seed", 5), {"interval": "bootstrap", "n_resamples": 60, "seed": 5}),
        (("--weights", "weight"), {"sample_weight": "weight"}),
        (("--groups", "device"), {"groups": "device"}),
        (("--adjust", "bh", "--confidence", 0.9), {"adjust": "bh", "confidence": 0.9}),
        (("--adjust", "none"), {"adjust": None}),
        (("--measure", "auc_mu", "--measure", "hum"), {"measure": ["auc_mu", "hum"]}),
    ],
)  # fmt: skip
def test_options_are_those_of_the_library(
    path: Path, args: tuple[Any, ...], options: dict[str, Any]
) -> None:
    ran = by(path, "--by", "country", "--json", *args)
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)["segments"]["boost"]
    frame = pl.from_pandas(FRAME)
    wanted = pr.evaluate(
        frame, y_true="label", y_score=SCORES, by=[(), "country"], **options
    ).fill_nan(None)
    for name in ("country", "measure", "n", "status", "method"):
        assert [line[name] for line in found] == wanted[name].to_list()
    for name in ("estimate", "low", "difference_high", "p_adjusted"):
        assert [line[name] for line in found] == wanted[name].to_list()


def test_text(path: Path) -> None:
    ran = by(path, "--by", "country", "--by", "device", "--min-rows", 20)
    assert ran.code == 0, ran.err
    head, titles, first, *rest = ran.out.splitlines()
    assert head == "boost: hand_till, DeLong (t); differences are from all rows"
    assert titles.split() == [
        "country", "device", "rows", "estimate", "error", "low", "high", "difference", "p",
        "(adjusted)", "status",
    ]  # fmt: skip
    assert first.split()[:3] == ["(all", "rows)", "400"]
    assert any(line.strip().startswith("(null)") for line in rest)
    assert any(line.endswith("fewer than 20 rows") for line in rest)
    devices = [line.split()[0] for line in rest[-12:]]
    assert devices == [str(k) for k in range(12)]


def test_a_gate_looks_at_segments(path: Path) -> None:
    table = pr.evaluate(FRAME, y_true="label", y_score=SCORES, by=[(), "country"])
    least = table.estimate.min()
    assert least < table.estimate[0]
    met = by(path, "--by", "country", "--fail-under", least - 1e-6)
    assert (met.code, met.err) == (0, "")
    missed = by(path, "--by", "country", "--fail-under", least + 1e-6)
    assert missed.code == 1
    assert table.country.isna()[table.estimate.idxmin()]
    name = "polyroc: boost, country=(null): hand_till "
    assert missed.err.startswith(name)
    value, _, rest = missed.err.removeprefix(name).partition(" ")
    assert float(value) < least + 1e-6
    assert rest == f"is below --fail-under {least + 1e-6:g}\n"


def test_many_segments_that_miss_a_gate_are_counted(path: Path) -> None:
    ran = by(path, "--by", "device", "--fail-under", 2)
    assert ran.code == 1
    first, *named, last = ran.err.splitlines()
    assert first.startswith("polyroc: boost: hand_till 0.")
    assert named[0].startswith("polyroc: boost, device=0: hand_till 0.")
    assert len(named) == 9
    assert last == "polyroc: and 3 more are below --fail-under 2"


def test_several_measures_have_a_column(path: Path) -> None:
    ran = by(path, "--by", "country", "--measure", "auc_mu", "--measure", "hum")
    assert ran.out.startswith("boost: DeLong (t); differences are from all rows\n")
    assert ran.out.splitlines()[1].split()[:2] == ["country", "measure"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--by", "contry"), "has no column 'contry'; nearest: 'country'"),
        (("--by", "country,devise"), "has no column 'devise'; nearest: 'device'"),
        (("--by", "country", "--by", "country"), "by holds ['country'] twice"),
        (("--by", "country", "--report", "x.html"), "--report is a page of all rows"),
        (("--by", "country", "--min-rows", -1), "min_rows is -1"),
        (
            ("--by", "country", "--measure", "h_measure"),
            "error: h_measure has no closed-form error; pass --bootstrap N\n",
        ),
    ],
)
def test_refusals(path: Path, args: tuple[Any, ...], words: str) -> None:
    ran = by(path, *args)
    assert ran.code == 2
    assert not ran.out
    assert words in ran.err


def test_several_models(tmp_path: Path) -> None:
    renamed = FRAME.rename(columns={name: f"boost_{name}" for name in SCORES})
    for name in SCORES:
        renamed[f"forest_{name}"] = -FRAME[name]
    renamed.to_csv(tmp_path / "both.csv", index=False)
    ran = run("evaluate", tmp_path / "both.csv", "--label", "label", "--scores",
              "{model}_p_{class}", "--by", "country", "--json")  # fmt: skip
    found = json.loads(ran.out)["segments"]
    assert list(found) == ["boost", "forest"]
    assert found["boost"][0]["estimate"] == pytest.approx(1 - found["forest"][0]["estimate"])
