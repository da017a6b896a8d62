"""The figures of a page as SVG: built as a tree, which escapes every name by construction."""

from __future__ import annotations

import math
from typing import Any
from xml.etree import ElementTree as ET

SIZE, EDGE = 400, 46  # of a square picture, and its margin for labels
COLOURS = ("c0", "c1", "c2", "c3", "c4")  # classes of the style sheet: one look in light and dark


def figure(title: str, width: float, height: float, **attributes: str) -> ET.Element:
    """Return an empty picture with a title that is read out."""
    root = ET.Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width:g} {height:g}",
                "role": "img", "aria-label": title, **attributes},
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


def unit_square(title: str, x_label: str, y_label: str) -> ET.Element:
    """Return the axes of a curve of rates."""
    root = figure(title, SIZE + EDGE + 14, SIZE + EDGE + 10, class_="chart")
    root.set("class", root.attrib.pop("class_"))
    for k in range(6):
        at = k / 5
        x, y = to_x(at), to_y(at)
        add(root, "line", x1=x, y1=to_y(0), x2=x, y2=to_y(1), class_="grid")
        add(root, "line", x1=to_x(0), y1=y, x2=to_x(1), y2=y, class_="grid")
        add(root, "text", f"{at:.1f}", x=x, y=SIZE + 24, class_="tick", text_anchor="middle")
        add(root, "text", f"{at:.1f}", x=EDGE - 6, y=y + 4, class_="tick", text_anchor="end")
    add(root, "line", x1=to_x(0), y1=to_y(0), x2=to_x(1), y2=to_y(1), class_="chance")
    add(root, "text", x_label, x=to_x(0.5), y=SIZE + 44, class_="label", text_anchor="middle")
    add(root, "text", y_label, x=12, y=to_y(0.5), class_="label", text_anchor="middle",
        transform=f"rotate(-90 12 {to_y(0.5):g})")  # fmt: skip
    return root


def to_x(rate: float) -> float:
    """Return where a rate lies from left to right."""
    return EDGE + rate * SIZE


def to_y(rate: float) -> float:
    """Return where a rate lies from top to bottom."""
    return 8 + (1.0 - rate) * SIZE


def path_of(x: list[float], y: list[float]) -> str:
    """Return points as a path."""
    points = (f"{to_x(a):.1f} {to_y(b):.1f}" for a, b in zip(x, y, strict=True))
    return "M" + "L".join(points)


def curves(title: str, named: dict[str, dict[str, Any]]) -> str:
    """Return ROC curves, one per name, with their areas in the legend."""
    root = unit_square(title, "false positive rate", "true positive rate")
    for k, (name, curve) in enumerate(named.items()):
        colour = COLOURS[k % len(COLOURS)]
        add(root, "path", d=path_of(curve["fpr"], curve["tpr"]), class_=f"curve {colour}")
        y = to_y(0.05) - 18 * (len(named) - 1 - k)
        add(
            root, "line", x1=to_x(0.42), y1=y - 4, x2=to_x(0.48), y2=y - 4, class_=f"curve {colour}"
        )
        label = name if len(name) < 30 else name[:12] + "\u2026" + name[-16:]
        add(root, "text", f"{label}  {curve['auc']:.4f}", x=to_x(0.5), y=y, class_="tick")
    add(root, "circle", r=5, cx=to_x(0), cy=to_y(0), class_="point", visibility="hidden")
    return text_of(root)


def heat_map(title: str, classes: list[str], pairs: dict[str, Any]) -> str:
    """Return A(i,j) of all pairs; the scale goes from 0.5 to 1, values below are marked."""
    order, count = pairs["order"], len(classes)
    cell = max(4.0, min(34.0, 560.0 / count))
    names = max(len(name) for name in classes) if count <= 40 else 0
    left = 12 + 6.2 * min(names, 18)
    root = figure(title, left + cell * count + 12, left + cell * count + 12)
    root.set("class", "chart heat")
    for row, i in enumerate(order):
        for column, j in enumerate(order):
            value = pairs["values"][i][j]
            if value is None:
                continue
            shade = min(9, max(0, int((value - 0.5) / 0.05)))
            made = add(root, "rect", x=left + cell * column, y=left + cell * row, width=cell - 1,
                       height=cell - 1, class_=f"h{shade}" + (" below" if value < 0.5 else ""),
                       data_pair=f"{i},{j}")  # fmt: skip
            limits = f"{pairs['low'][i][j]:.3f} to {pairs['high'][i][j]:.3f}"
            add(made, "title", f"{classes[i]} - {classes[j]}: {value:.4f} ({limits})")
    for k, i in enumerate(order if names else []):
        name = classes[i] if len(classes[i]) <= 18 else classes[i][:8] + "\u2026" + classes[i][-9:]
        at = left + cell * (k + 0.5)
        add(root, "text", name, x=left - 5, y=at + 3.5, class_="tick", text_anchor="end")
        add(root, "text", name, x=at + 3.5, y=left - 5, class_="tick",
            transform=f"rotate(-90 {at + 3.5:g} {left - 5:g})")  # fmt: skip
    return text_of(root)


def polar(title: str, classes: list[str], pairs: dict[str, dict[str, Any]]) -> str:
    """Return Hassan's polar plot of all models, rays in the order of the first one."""
    first = next(iter(pairs.values()))
    rays = first["rays"]
    middle, radius = 260.0, 190.0
    root = figure(title, 2 * middle, 2 * middle)
    root.set("class", "chart")
    least = min(one["values"][i][j] for one in pairs.values() for i, j in rays)
    inner = max(0.0, math.floor(min(least, 0.9) * 10) / 10 - 0.1)

    def at(k: float, value: float) -> tuple[float, float]:
        angle = 2 * math.pi * k / len(rays) - math.pi / 2
        r = radius * (value - inner) / (1.0 - inner)
        return middle + r * math.cos(angle), middle + r * math.sin(angle)

    steps = [inner + (1.0 - inner) * part / 4 for part in range(1, 5)]
    for step in steps:
        add(
            root,
            "circle",
            cx=middle,
            cy=middle,
            r=radius * (step - inner) / (1 - inner),
            class_="ring",
        )
        add(root, "text", f"{step:.2f}", x=middle + 3, y=at(0, step)[1] - 2, class_="tick faint")
    for k, (i, j) in enumerate(rays if len(rays) <= 45 else []):
        x, y = at(k, 1.0)
        add(root, "line", x1=middle, y1=middle, x2=x, y2=y, class_="grid")
        x, y = at(k, 1.0 + 0.07 * (1 - inner))
        anchor = "middle" if abs(x - middle) < 20 else ("start" if x > middle else "end")
        name = f"{classes[i]}-{classes[j]}"
        name = name if len(name) <= 14 else name[:6] + "\u2026" + name[-7:]
        add(root, "text", name, x=x, y=y + 4, class_="tick", text_anchor=anchor)
    for m, one in enumerate(pairs.values()):
        points = [at(k, one["values"][i][j]) for k, (i, j) in enumerate(rays)]
        ring = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
        add(root, "path", d=ring, class_=f"curve {COLOURS[m % len(COLOURS)]}")
    return text_of(root)


def histogram(title: str, scores: dict[str, Any]) -> str:
    """Return how scores are spread by class: one strip per class."""
    edges, shares, classes = scores["edges"], scores["shares"], scores["classes"]
    left, width, strip = 110.0, 380.0, 34.0 if len(classes) <= 12 else 16.0
    root = figure(title, left + width + 20, strip * len(classes) + 46)
    root.set("class", "chart")
    peak = max(max(row) for row in shares) or 1.0
    step = width / len(shares[0])
    for k, (name, row) in enumerate(zip(classes, shares, strict=True)):
        base = strip * (k + 1) + 4
        for b, share in enumerate(row):
            if share > 0:
                high = 0.9 * strip * share / peak
                add(root, "rect", x=left + b * step, y=base - high, width=step - 0.5, height=high,
                    class_=f"bar {COLOURS[k % 2]}")  # fmt: skip
        add(root, "line", x1=left, y1=base, x2=left + width, y2=base, class_="grid")
        label = name if len(name) <= 16 else name[:7] + "\u2026" + name[-8:]
        add(root, "text", label, x=left - 8, y=base - 3, class_="tick", text_anchor="end")
    foot = strip * len(classes) + 20
    for part in range(5):
        value = edges[0] + (edges[-1] - edges[0]) * part / 4
        add(root, "text", f"{value:.3g}", x=left + width * part / 4, y=foot, class_="tick",
            text_anchor="middle")  # fmt: skip
    add(root, "text", scores["what"], x=left + width / 2, y=foot + 20, class_="label",
        text_anchor="middle")  # fmt: skip
    return text_of(root)
