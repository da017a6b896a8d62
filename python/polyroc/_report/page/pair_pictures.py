"""Pairs of classes: a heat map of each model, and Hassan's polar plot of all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from polyroc._figures.names import cut_apart
from polyroc._report.page.svg import COLOURS, add, figure, text_of

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

SHADES = 10
_WITH_VALUES = 12  # classes up to which cells hold their numbers
_WITH_NAMES = 40
_NAME = 18  # characters of a class
LABELLED = 45  # rays that have a name each, those of ten classes
_RAY_NAME = 8  # characters of a class beside a ray
_LEVELS = (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)


def heat_map(title: str, classes: list[str], pairs: dict[str, Any]) -> str:
    """Return A(i,j) of all pairs; the scale goes from 0.5 to 1, values below are marked."""
    order, count = pairs["order"], len(classes)
    cell = max(4.0, min(42.0, 560.0 / count))
    names = max(len(name) for name in classes) if count <= _WITH_NAMES else 0
    left = 14 + 6.4 * min(names, _NAME)
    side = left + cell * count + 12
    root = figure(title, side, side + 44, "chart heat")
    for row, i in enumerate(order):
        for column, j in enumerate(order):
            value = pairs["values"][i][j]
            if value is None:
                continue
            shade = min(SHADES - 1, max(0, int((value - 0.5) / 0.05)))
            x, y = left + cell * column, left + cell * row
            made = add(root, "rect", x=x, y=y, width=cell - 1, height=cell - 1,
                       class_=f"h{shade}" + (" below" if value < 0.5 else ""),
                       data_pair=f"{i},{j}")  # fmt: skip
            limits = f"{pairs['low'][i][j]:.3f} to {pairs['high'][i][j]:.3f}"
            add(made, "title", f"{classes[i]} - {classes[j]}: {value:.4f} ({limits})")
            if count <= _WITH_VALUES:
                text = "1" if value == 1.0 else f"{value:.3f}".lstrip("0")
                add(root, "text", text, x=x + cell / 2 - 0.5, y=y + cell / 2 + 3.5,
                    class_="on-dark" if shade < 6 else "on-light",
                    text_anchor="middle")  # fmt: skip
    shown = cut_apart(classes, _NAME)
    for k, i in enumerate(order if names else []):
        name, at = shown[i], left + cell * (k + 0.5)
        size = f"{min(11.0, cell):.3g}px"
        add(root, "text", name, x=left - 5, y=at + 3.5, class_="tick", text_anchor="end",
            style=f"font-size:{size}")  # fmt: skip
        add(root, "text", name, x=at + 3.5, y=left - 5, class_="tick",
            style=f"font-size:{size}",
            transform=f"rotate(-90 {at + 3.5:g} {left - 5:g})")  # fmt: skip
    _scale(root, left, side + 4, min(300.0, cell * count))
    return text_of(root)


def _scale(root: ET.Element, left: float, top: float, width: float) -> None:
    step = width / SHADES
    for k in range(SHADES):
        add(root, "rect", x=left + k * step, y=top, width=step, height=10.0, class_=f"h{k}")
    for at in (0.5, 0.75, 1.0):
        add(root, "text", f"{at:g}", x=left + (at - 0.5) / 0.5 * width, y=top + 24, class_="tick",
            text_anchor="middle")  # fmt: skip


def polar(title: str, classes: list[str], pairs: dict[str, dict[str, Any]]) -> str:
    """Return Hassan's polar plot of all models, rays in the order of the first one."""
    shown = dict(list(pairs.items())[: len(COLOURS)])
    rays = next(iter(shown.values()))["rays"]
    brief = cut_apart(classes, _RAY_NAME)
    names = [f"{brief[i]}-{brief[j]}" for i, j in rays]
    named = len(rays) <= LABELLED
    radius = 190.0
    middle = radius + 24.0 + (6.2 * max(map(len, names)) if named else 0.0)
    least = min(one["values"][i][j] for one in shown.values() for i, j in rays)
    inner = max(0.0, math.floor(min(least, 0.9) * 10) / 10 - 0.1)
    root = figure(title, 2 * middle, 2 * middle + 20 * len(shown) + 10)

    def at(k: float, value: float) -> tuple[float, float]:
        angle = 2 * math.pi * k / len(rays) - math.pi / 2
        r = radius * (value - inner) / (1.0 - inner)
        return middle + r * math.cos(angle), middle + r * math.sin(angle)

    levels = [level for level in _LEVELS if level > inner][:4]
    for level in levels:
        add(root, "circle", cx=middle, cy=middle, r=radius * (level - inner) / (1 - inner),
            class_="ring")  # fmt: skip
    for k, name in enumerate(names if named else []):
        x, y = at(k, 1.0)
        add(root, "line", x1=middle, y1=middle, x2=x, y2=y, class_="grid")
        x, y = at(k, 1.0 + 0.05 * (1 - inner))
        _ray_name(root, name, x, y, k / len(rays))
    for m, one in enumerate(shown.values()):
        points = [at(k, one["values"][i][j]) for k, (i, j) in enumerate(rays)]
        ring = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
        add(root, "path", d=ring, class_=f"curve {COLOURS[m]}")
    for level in (*levels, inner):  # the centre is not 0, and has its value beside it
        x, y = at(0.5, level)
        add(root, "text", f"{level:.2g}", x=x + 2, y=y + 10, class_="tick halo")
    for m, name in enumerate(cut_apart(list(shown), 44)):
        y = 2 * middle + 10 + 20 * m
        add(
            root,
            "line",
            x1=middle - 110,
            y1=y - 4,
            x2=middle - 75,
            y2=y - 4,
            class_=f"curve {COLOURS[m]}",
        )
        add(root, "text", name, x=middle - 66, y=y, class_="tick")
    return text_of(root)


def _ray_name(root: ET.Element, name: str, x: float, y: float, turn: float) -> None:
    """Write a name along its ray, so that neighbours do not meet."""
    degrees = 360 * turn - 90
    right = degrees <= 90
    add(root, "text", name, x=x, y=y, class_="tick", text_anchor="start" if right else "end",
        dominant_baseline="middle",
        transform=f"rotate({degrees if right else degrees - 180:.1f} {x:.1f} {y:.1f})")  # fmt: skip
