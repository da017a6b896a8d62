"""Pictures of a page as SVG: built as a tree, which escapes every name by construction."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

SIZE, EDGE = 400, 46  # of a square picture, and its margin for labels
MOST = 1.2  # times its own size, to which a picture may grow
COLOURS = ("c0", "c1", "c2", "c3", "c4")  # classes of the style sheet: one look in light and dark


def figure(title: str, width: float, height: float, kind: str = "chart") -> ET.Element:
    """Return an empty picture with a title that is read out."""
    root = ET.Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width:g} {height:g}",
                "role": "img", "aria-label": title, "class": kind,
                "style": f"max-width:{MOST * width:.0f}px"},
    )  # fmt: skip
    ET.SubElement(root, "title").text = title
    return root


def text_of(root: ET.Element) -> str:
    """Return a picture as text."""
    return ET.tostring(root, encoding="unicode")


def add(parent: ET.Element, tag: str, text: str = "", **attributes: Any) -> ET.Element:
    """Add an element; names of attributes have _ for -, and class_ is class."""
    named = {
        name.rstrip("_").replace("_", "-"): f"{value:.5g}"
        if isinstance(value, float)
        else str(value)
        for name, value in attributes.items()
    }
    made = ET.SubElement(parent, tag, named)
    if text:
        made.text = text
    return made


def to_x(rate: float) -> float:
    """Return where a rate lies from left to right."""
    return EDGE + rate * SIZE


def to_y(rate: float) -> float:
    """Return where a rate lies from top to bottom."""
    return 8 + (1.0 - rate) * SIZE
