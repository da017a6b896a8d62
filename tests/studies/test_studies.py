from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from benches import pages
from benches.studies import (
    aims,
    band_coverage,
    error_formulas,
    interval_coverage,
    power,
    rejection_rates,
    runs,
)
from benches.studies.compare_methods import METHODS
from benches.studies.designs import contests, families
from benches.studies.interval_methods import SCHEMED, USUAL, methods_of
from benches.studies.studies import Asked, figures


@pytest.mark.slow
def test_coverage_runs() -> None:
    designs = families.few(families.ALL, 1)
    lines = interval_coverage.study(designs, Asked(1, quick=True, sets=2, replicates=49))
    assert {line.design.family for line in lines} == {one.family for one in families.ALL}
    assert {line.method for line in lines} == {"delong", "bootstrap"}
    assert all(0 <= line.coverage <= 1 and 0 < line.width < 1 for line in lines)
    assert figures(lines, interval_coverage.HEADER, True).count("### ") == len(designs)
    assert interval_coverage.summary(lines, markdown=True).startswith(aims.INTERVALS)


@pytest.mark.slow
def test_rejections_run() -> None:
    rivals = families.few(contests.ALL, 1)
    lines = rejection_rates.study(rivals, Asked(1, quick=True, sets=2, replicates=49))
    assert {line.kind for line in lines} == {"size", "margin"}
    assert {line.method for line in lines} == {"delong", "bootstrap", "permutation"}
    assert figures(lines, rejection_rates.HEADER, True).count("### ") == len(rivals)
    assert aims.TESTS in rejection_rates.summary(lines, markdown=True)


@pytest.mark.slow
def test_coverage_of_bands_runs() -> None:
    design = band_coverage.DESIGNS[0]
    found = [band_coverage.run(job) for job in runs.parts(design, 3, 49, True)]
    words = band_coverage.line(design, found)
    assert len(words) == len(band_coverage.HEADER)
    assert words[:5] == ["50:50", "0.75", "1", "", "0.702"]


@pytest.mark.parametrize("design", band_coverage.DESIGNS[-11:], ids=lambda d: d.key)
def test_true_curve_of_a_band(design: band_coverage.Curves | band_coverage.Waits) -> None:
    """Many rows draw it."""
    many = design._replace(positives=200_000, negatives=200_000)
    curve = pr.roc_curve(*many.draw(0))
    rates = np.linspace(0.01, 1.0, 100)
    assert np.abs(curve.at(fpr=rates) - design.curve(rates)).max() < 0.01
    assert curve.auc == pytest.approx(design.auc, abs=0.002)


def test_errors_and_power_by_formula() -> None:
    """An AUC of 0.7 with 40 rows in each class, where all formulas are near."""
    line = error_formulas.LINES[-1]
    found = [error_formulas.run(job) for job in runs.parts(line, 150, 0, True)]
    auc, null, rows, spread, sd, *formulas = error_formulas.texts(line, found)
    assert [auc, null, rows, spread] == ["0.7", "0.5", "40 : 40", "1"]
    assert float(sd) == pytest.approx(0.058, abs=0.008)
    assert [float(one) for one in formulas[:3]] == pytest.approx([0.058] * 3, abs=0.003)
    assert float(formulas[3]) == pytest.approx(0.89, abs=0.06)
    assert [float(one) for one in formulas[4:]] == pytest.approx([0.89] * 3, abs=0.02)


def test_parts_of_a_run_make_the_whole() -> None:
    design = families.ALL[0]
    (one, *_) = interval_coverage.study([design], Asked(1, True, 130, 19))
    assert one.sets == 130
    again = interval_coverage.study([design], Asked(1, True, 130, 19))
    assert again[0] == one


def test_methods_that_agree_share_a_line() -> None:
    design = next(one for one in families.ALL if one.family == "ties")
    lines = interval_coverage.study([design], Asked(1, False, 3, 49))
    names = [name for line in lines for name in line.method.split(" = ")]
    assert names.count("bootstrap") == names.count("bca") == 1
    assert sorted(names) == sorted(method.name for method in methods_of(design))
    assert sum(line.default for line in lines) == 2


def test_names_of_methods() -> None:
    for methods in (USUAL, METHODS):
        assert len({method.name for method in methods}) == len(methods)


def test_every_scheme_has_designs() -> None:
    assert set(SCHEMED) <= {design.key for design in families.ALL}


@pytest.mark.parametrize(
    ("units", "below", "above", "missed"),
    [
        (20, 0.03, 0.04, ""),
        (20, 0.03, 0.041, "covers 92.9 % (aim 93 %)"),
        (20, 0.051, 0.01, "truth below in 5.1 % (aim 5 %)"),
        (200, 0.0, 0.06, "truth above in 6.0 % (aim 5 %)"),
        (19.9, 0.08, 0.009, ""),
        (8, 0.05, 0.05, "covers 90.0 % (aim 91 %)"),
        (7.9, 0.5, 0.0, ""),
    ],
)
def test_aims_of_intervals(units: float, below: float, above: float, missed: str) -> None:
    assert aims.of_interval(units, below, above) == missed


@pytest.mark.parametrize(
    ("units", "rate", "missed"),
    [
        (20, 0.06, ""),
        (20, 0.061, "rejects 6.1 % (aim 6 %)"),
        (20, 0.029, "rejects 2.9 % (aim 3 % or more)"),
        (8, 0.07, ""),
        (8, 0.0, ""),
        (8, 0.071, "rejects 7.1 % (aim 7 %)"),
        (4, 0.5, ""),
        (20, math.nan, ""),
    ],
)
def test_aims_of_tests(units: float, rate: float, missed: str) -> None:
    assert aims.of_size(units, rate) == missed


def test_aims_of_margins_and_allowance() -> None:
    assert aims.of_margin(0.035) == ""
    assert aims.of_margin(0.036) == "rejects 3.6 % (aim 3.5 %)"
    assert aims.of_margin(0.036, sets=300) == ""


def test_figures_go_between_the_marks(tmp_path: Path) -> None:
    page = tmp_path / "PAGE.md"
    page.write_text("top\n<!-- figures: made by the study -->\nold\n<!-- end of figures -->\nend\n")
    pages.put(page, "figures", "new \\1\n")
    text = page.read_text()
    assert "old" not in text
    assert text.startswith("top\n")
    assert text.endswith("<!-- end of figures -->\nend\n")
    assert "\n\nnew \\1\n\n" in text
    with pytest.raises(ValueError, match="has no marks"):
        pages.put(page, "summary", "")


@pytest.mark.parametrize("page", [interval_coverage.PAGE, rejection_rates.PAGE], ids=str)
def test_pages_have_marks(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in ("summary", "figures"):
        assert text.count(f"<!-- {name}: made by the study -->") == 1
        assert text.count(f"<!-- end of {name} -->") == 1


@pytest.mark.parametrize("study", [interval_coverage, rejection_rates, power, error_formulas])
def test_every_study_can_be_asked(
    study: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A study whose options do not fit together would stop before its first data set."""
    monkeypatch.setattr("sys.argv", ["study", "--help"])
    with pytest.raises(SystemExit) as stopped:
        study.main()
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert all(option in told for option in ("--quick", "--sets", "--write"))


def test_lines_of_fewer_data_sets_are_judged_with_their_error() -> None:
    design = families.ALL[0]
    lines = interval_coverage.study([design], Asked(1, True, 5, 19))
    assert [line.part for line in lines] == [True] * len(lines)
    line = interval_coverage.Line(design, 30, "auc", "delong", True, 300, 0.04, 0.045, 0.1, True)
    assert line.missed == ""
    assert line._replace(part=False).missed.startswith("covers 91.5 %")


def test_a_run_that_must_end_has_as_many_of_each_design() -> None:
    def work(job: runs.Job) -> tuple[str, int]:
        return job.design, job.numbers.start

    parts = [runs.parts("a", 250, 0, True), runs.parts("b", 100, 0, True)]
    assert runs.run(work, parts, 1) == [[("a", 0), ("a", 100), ("a", 200)], [("b", 0)]]
    assert runs.run(work, parts, 1, minutes=0) == [[("a", 0)], [("b", 0)]]
