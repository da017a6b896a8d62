"""Where ``--write`` puts figures: all of them into FIGURES.md, some into the README."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from benches import pages, report
from benches.speed.race import Entry
from benches.speed.row import Row

PAGE = Path(__file__).parent / "FIGURES.md"
README = Path(__file__).parents[2] / "README.md"
_MAKER = "make bench"
LINE = 125  # letters of a line of prose

# The rows that the README shows, by the mark of the table.
README_TABLES: dict[str, tuple[str, ...]] = {
    "speed of measures": (
        "auc",
        "auc-rounded",
        "auc-small",
        "m-10",
        "mu-10",
        "m-1000",
        "curve-roc",
        "curve-ap",
        "curve-h",
    ),
    "speed of the bootstrap and of errors": (
        "boot-m",
        "boot-auc",
        "boot-auc-small",
        "boot-cells",
        "boot-m-1000",
        "curve-boot-ap",
        "err-auc",
        "err-m",
        "err-labels",
        "err-20",
    ),
    "speed of pipelines": (
        "segments-delong",
        "segments-boot",
        "shard-update-moderate",
        "parquet-state",
        "spark",
    ),
}


def put(page: Path, name: str, text: str) -> None:
    """Put text between the page's marks of this name."""
    pages.put(page, name, text, maker=_MAKER)


def check(tables: Mapping[str, Sequence[Row]]) -> None:
    """Raise where a page lacks a place, or a row that the README shows: before the run."""
    pages.check(PAGE, [*tables, "machine"], maker=_MAKER)
    pages.check(README, [*README_TABLES, "machine"], maker=_MAKER)
    keys = {row.key for rows in tables.values() for row in rows}
    shown = {key for table in README_TABLES.values() for key in table}
    if shown - keys:
        raise ValueError(f"the README shows rows that no table has: {sorted(shown - keys)}")


def _others(row: Row, entries: Sequence[Entry]) -> str:
    """What the rivals took, with their ratios; those that broke down are left out."""
    ours, *others = entries
    return ", ".join(
        f"{other.name} {row.unit.text(other.figure)} ({report.ratio(other.figure / ours.figure)})"
        for other in others
        if not (other.problem or ours.problem)
    )


def put_readme(
    rows: Mapping[str, Row], entered: Mapping[str, Sequence[Entry]], about: Mapping[str, str]
) -> None:
    """Put the README's tables, and on what machine they were measured."""
    for mark, keys in README_TABLES.items():
        lines = []
        for key in keys:
            row, entries = rows[key], entered[key]
            figure = entries[0].problem or row.unit.text(entries[0].figure)
            lines.append([row.describe(entries[0].size), figure, _others(row, entries) or "-"])
        put(README, mark, report.table(["work", "polyroc", "others"], lines, markdown=True))
    told = (
        f"Measured by `make bench` on {about['date']} ({about['processor']}; {about['system']}; "
        f"{about['packages']}): the best of several interleaved runs, answers compared first."
    )
    put(README, "machine", textwrap.fill(told, LINE, break_on_hyphens=False))
