"""Where two pages differ, in sentences: first the numbers they hold, then what they show."""

from __future__ import annotations

from difflib import SequenceMatcher
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from polyroc._report.page.held import held_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST, _BEFORE = 80, 20  # characters of a value that are shown, and those before a change
_NOTHING = "nothing"


def differences(page: str, again: str) -> Iterator[str]:
    """Yield what is other on a page than on the one that was made again; nothing if they agree."""
    if page == again:
        return
    found = False
    for sentence in (
        *_of_values("", held_in(page), held_in(again)),
        *_of_texts(_pieces(page), _pieces(again)),
    ):
        found = True
        yield sentence
    if not found:
        at = _alike(page, again)
        yield f"character {at + 1:,} of the file: {_window(page, at)}, made {_window(again, at)}"


def _of_values(path: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in dict.fromkeys([*one, *other]):
            inner = f"{path}.{name}" if path else str(name)
            yield from _of_values(inner, one.get(name, _NOTHING), other.get(name, _NOTHING))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for k, pair in enumerate(zip(one, other, strict=True)):
            yield from _of_values(f"{path}[{k}]", *pair)
    elif one != other or type(one) is not type(other):
        yield f"held as {path}: {_short(one)}, computed {_short(other)}"


def _of_texts(one: list[tuple[str, str]], other: list[tuple[str, str]]) -> Iterator[str]:
    if len(one) == len(other):
        changed = ((a, b) for a, b in zip(one, other, strict=True) if a != b)
        yield from (_changed(a[0], [a], [b]) for a, b in changed)
        return
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _changed((one[a:b] or other[c:d])[0][0], one[a:b], other[c:d])


def _changed(section: str, shown: list[tuple[str, str]], computed: list[tuple[str, str]]) -> str:
    here, there = (" ".join(text for _, text in part) for part in (shown, computed))
    at = _alike(here, there)
    return f"shown in {section}: {_window(here, at)}, computed {_window(there, at)}"


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))


def _window(text: str, at: int) -> str:
    """Return a text as it is shown, or the part of a long one where it becomes another."""
    if not text:
        return _NOTHING
    first = max(0, at - _BEFORE) if len(text) > _LONGEST else 0
    part = text[first : first + _LONGEST]
    before, after = "..." if first else "", "..." if first + len(part) < len(text) else ""
    return f"{before}{part!r}{after}"


def _short(value: Any) -> str:
    text = _NOTHING if value is _NOTHING else repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}...{text[-_BEFORE:]}"


class _Pieces(HTMLParser):
    """All that a page says, in order: texts and attributes, each with the section it is in."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self.section = "the head"
        self._skipping = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the section that begins, and every attribute."""
        named = dict(attrs)
        if tag == "h1":
            self.section = "the summary"
        elif tag == "h2":
            self.section = repr(named.get("id") or "")
        self._skipping = named.get("type") == "application/json"
        if tag in ("script", "style"):
            self.section = f"its {tag}"
        self.found.append((self.section, f"<{tag}>"))
        self.found += [(self.section, f"{name}={value}") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        """Note the end of an element."""
        self.found.append((self.section, f"</{tag}>"))

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if data.strip() and not self._skipping:
            self.found.append((self.section, data.strip()))

    def handle_comment(self, data: str) -> None:
        """Note a comment, of which a page has none."""
        self.found.append((self.section, f"<!--{data}-->"))


def _pieces(page: str) -> list[tuple[str, str]]:
    parser = _Pieces()
    parser.feed(page)
    parser.close()
    return parser.found
