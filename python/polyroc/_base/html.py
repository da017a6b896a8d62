"""Results for notebooks: a fragment of HTML that looks right on light and on dark pages.

It has inline styles alone and takes its colours from the page, so that there is no theme to ask for
and nothing leaks out of it. Made of elements, not of strings, it is escaped whatever it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from polyroc._base.table import Drawing, Part, Table

_MOST_ROWS = 20  # of a table; to_frame() has them all

_LINE = "color-mix(in srgb, currentColor 20%, transparent)"
_ALL = "color: inherit; background: transparent;"
_TABLE = (
    f"{_ALL} border-collapse: collapse; margin: 0.4em 0; font-variant-numeric: tabular-nums;"
    " width: auto;"
)
_CELL = f"{_ALL} border: 0; padding: 0.15em 0.8em; font-weight: normal; white-space: nowrap;"
_HEAD = "font-weight: 600; vertical-align: bottom;"
_PRE = f"{_ALL} border: 0; margin: 0.4em 0; padding: 0; font-family: monospace; white-space: pre;"


def html(parts: Iterable[Part]) -> str:
    """Return the parts of a result as HTML: lines of text, tables, drawings."""
    root = ElementTree.Element("div", style=f"{_ALL} overflow-x: auto;")
    for part in parts:
        if isinstance(part, Table):
            _add_table(root, part)
        elif isinstance(part, Drawing):
            ElementTree.SubElement(root, "pre", style=_PRE).text = "\n".join(part.lines)
        elif part:
            ElementTree.SubElement(root, "div", style=_ALL).text = part.strip()
    return ElementTree.tostring(root, encoding="unicode", method="html")


def _add_table(root: ElementTree.Element, table: Table) -> None:
    element = ElementTree.SubElement(root, "table", style=_TABLE)
    head, *rows = table.head, *table.first(_MOST_ROWS).rows
    sides = ["left" if column.left else "right" for column in table.columns]
    row = ElementTree.SubElement(ElementTree.SubElement(element, "thead"), "tr", style=_ALL)
    for title, side in zip(head, sides, strict=True):
        style = f"{_CELL} text-align: {side}; border-bottom: 1px solid {_LINE};"
        # An empty heading would be read out as one that is missing.
        tag = ElementTree.SubElement(row, "th" if title else "td", style=f"{style} {_HEAD}")
        tag.text = title
        if title:
            tag.set("scope", "col")
    body = ElementTree.SubElement(element, "tbody")
    for cells in rows:
        row = ElementTree.SubElement(body, "tr", style=_ALL)
        for cell, side in zip(cells, sides, strict=True):
            style = f"{_CELL} text-align: {side}; border-bottom: 1px solid {_LINE};"
            ElementTree.SubElement(row, "td", style=style).text = cell
    left = len(table.rows) - len(rows)
    if left:
        more = ElementTree.SubElement(root, "div", style=_ALL)
        more.text = f"and {left:,} more rows: .to_frame() has them all"
