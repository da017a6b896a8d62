"""One layout of tables for all results: as text, as Markdown, as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias


class Column(NamedTuple):
    """A column of a table: numbers to the right, words to the left."""

    title: str
    cells: Sequence[str]
    left: bool = False


class Table(NamedTuple):
    """Columns of cells that are already formatted."""

    columns: Sequence[Column]

    @property
    def head(self) -> list[str]:
        """The titles."""
        return [column.title for column in self.columns]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The cells, row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    def lines(self, indent: str = "  ") -> Iterator[str]:
        """Yield the table as text, one line per row."""
        widths = [max(map(width_of, (title, *cells))) for title, cells, _ in self.columns]
        for row in (self.head, *self.rows):
            parts = (
                padded(cell, width, "left" if column.left else "right")
                for cell, width, column in zip(row, widths, self.columns, strict=True)
            )
            yield (indent + "  ".join(parts)).rstrip()

    def first(self, count: int) -> Table:
        """Return the table with its first rows alone."""
        return Table([column._replace(cells=column.cells[:count]) for column in self.columns])

    def to_markdown(self) -> str:
        """Return the table in the Markdown of GitHub, names escaped."""
        rules = ["---" if column.left else "--:" for column in self.columns]
        rows = [map(_in_markdown, row) for row in (self.head, *self.rows)]
        lines = [f"| {' | '.join(row)} |" for row in (rows[0], rules, *rows[1:])]
        return "\n".join(lines)

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular, which needs no package, names escaped."""
        align = "".join("l" if column.left else "r" for column in self.columns)
        head, *rows = (" & ".join(map(_in_latex, row)) + r" \\" for row in (self.head, *self.rows))
        begin, end = rf"\begin{{tabular}}{{{align}}}", r"\end{tabular}"
        return "\n".join([begin, r"\hline", head, r"\hline", *rows, r"\hline", end])


class Drawing(NamedTuple):
    """Lines of text whose spaces count."""

    lines: Sequence[str]


Part: TypeAlias = str | Table | Drawing  # of what a result prints


def width_of(text: str) -> int:
    """Return how many places a terminal gives a text: two to each Chinese or Japanese letter."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


def padded(text: str, width: int, side: Literal["left", "right", "centre"]) -> str:
    """Return a text with spaces up to a width, itself on the side named."""
    room = max(width - width_of(text), 0)
    before = {"left": 0, "right": room, "centre": (room + (room & width & 1)) // 2}[side]
    return " " * before + text + " " * (room - before)


def _in_markdown(cell: str) -> str:
    # An underscore inside a word is one; elsewhere it would begin or end emphasis.
    escaped = re.sub(r"[\\`*\[\]|~]|(?<!\w)_|_(?!\w)", r"\\\g<0>", " ".join(cell.split()))
    # "<" begins a tag before these alone; "p < 0.0001" stays as it is written.
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", escaped.replace("&", "&amp;"))


_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": "$<$", ">": "$>$", "<=": r"$\leq$", ">=": r"$\geq$", "|": "$|$", "-": "$-$",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}  # fmt: skip


def _in_latex(cell: str) -> str:
    # A hyphen is a minus before a number and between spaces, not within words.
    special = r"[<>]=|[\\~^<>|&%$#_{}]|(?<!\S)-(?=[\d. ])"
    return re.sub(special, lambda match: _LATEX[match[0]], " ".join(cell.split()))
