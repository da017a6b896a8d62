"""The gallery shows every picture, each from a file that is there."""

from __future__ import annotations

import re
from pathlib import Path

import polyroc as pr

DOCS = Path(__file__).parents[2] / "docs"
SHOWN = re.compile(r"!\[(.*?)\]\((figures/[\w-]+\.svg)\)")


def test_every_picture_is_in_the_gallery() -> None:
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert [name for name in pr.plot.__all__ if f"pr.plot.{name}(" not in text] == []


def test_files_are_those_that_are_shown() -> None:
    shown = SHOWN.findall((DOCS / "gallery.md").read_text(encoding="utf-8"))
    assert all(words for words, _ in shown)  # for those who do not see them
    files = sorted(f"figures/{path.name}" for path in (DOCS / "figures").iterdir())
    assert files == sorted(file for _, file in shown)


def test_pictures_of_the_readme_are_those_of_the_gallery() -> None:
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    sources = re.findall(r'<img src="docs/([^"]+)"', text)
    assert len(sources) == 2
    assert all((DOCS / source).exists() for source in sources)


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^[\w/-]+$", index, re.MULTILINE))
    pages = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    assert pages <= listed
