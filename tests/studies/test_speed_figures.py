"""The pages that `make bench` fills."""

from pathlib import Path

import pytest

from benches import pages
from benches.speed import figures
from benches.speed.race import Entry
from benches.speed.row import Rival, Row, Size, Task


def _prepare(task: Task) -> object:
    raise AssertionError("nothing is run here")


def _row(key: str) -> Row:
    return Row(key, "AUC", Size(10), Size(10), _prepare)  # type: ignore[arg-type]


def _entry(name: str, figure: float, problem: str = "") -> Entry:
    rival = Rival(name, _prepare)  # type: ignore[arg-type]
    return Entry(name, rival, Size(10), 1.0, figure=figure, problem=problem)


def test_the_pages_have_a_place_for_the_tables() -> None:
    shown = [_row(key) for keys in figures.README_TABLES.values() for key in keys]
    figures.check({"measures": shown})


def test_a_row_that_the_readme_shows_and_nobody_runs_is_named() -> None:
    with pytest.raises(ValueError, match=r"rows that no table has: \['auc-rounded"):
        figures.check({"measures": [_row("auc")]})


def test_a_table_without_a_place_is_named() -> None:
    with pytest.raises(ValueError, match=r"FIGURES\.md has no marks <!-- colours: made by make"):
        figures.check({"colours": []})


def test_a_line_of_the_readme_has_the_figures_and_ratios_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "README.md"
    names = ["machine", "speed of one"]
    marks = [f"<!-- {n}: made by make bench -->\n<!-- end of {n} -->\n" for n in names]
    page.write_text("\n".join(marks), encoding="utf-8")
    monkeypatch.setattr(figures, "README", page)
    monkeypatch.setattr(figures, "README_TABLES", {"speed of one": ("auc",)})
    entries = [_entry("polyroc", 0.05), _entry("slow", 1.0), _entry("wrong", 0.01, "WRONG")]
    about = dict.fromkeys(["date", "processor", "system", "packages"], "known")
    figures.put_readme({"auc": _row("auc")}, {"auc": entries}, about)
    line = next(line for line in page.read_text().splitlines() if line.startswith("| AUC"))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == ["AUC, n = 10", "50.0 ms", "slow 1.00 s (20.0x)"]


def test_a_page_without_marks_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"has no marks <!-- x: made by the study -->"):
        pages.put(page, "x", "text")
