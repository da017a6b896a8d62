"""ROC curves: one picture of several models, and one small panel per class."""

from __future__ import annotations

import math
from typing import Any

from polyroc._figures.names import cut_apart
from polyroc._report.page.svg import COLOURS, EDGE, SIZE, add, figure, text_of, to_x, to_y

_PANEL, _GAP = 132.0, 26.0  # a small panel, and the room between two
_ACROSS = 5
NAME = 26  # characters of a model's name in a legend


def curves(title: str, named: dict[str, dict[str, Any]]) -> str:
    """Return ROC curves, one per name, with their areas in the legend.

    The script finds curves and legends by `data-slot`, and puts other models and classes there.
    """
    root = figure(title, SIZE + EDGE + 14, SIZE + EDGE + 10)
    for k in range(6):
        at = k / 5
        x, y = to_x(at), to_y(at)
        add(root, "line", x1=x, y1=to_y(0), x2=x, y2=to_y(1), class_="grid")
        add(root, "line", x1=to_x(0), y1=y, x2=to_x(1), y2=y, class_="grid")
        add(root, "text", f"{at:.1f}", x=x, y=SIZE + 24, class_="tick", text_anchor="middle")
        add(root, "text", f"{at:.1f}", x=EDGE - 6, y=y + 4, class_="tick", text_anchor="end")
    add(root, "line", x1=to_x(0), y1=to_y(0), x2=to_x(1), y2=to_y(1), class_="chance")
    add(root, "text", "false positive rate", x=to_x(0.5), y=SIZE + 44, class_="label",
        text_anchor="middle")  # fmt: skip
    add(root, "text", "true positive rate", x=12, y=to_y(0.5), class_="label",
        text_anchor="middle", transform=f"rotate(-90 12 {to_y(0.5):g})")  # fmt: skip
    told = cut_apart(list(named), NAME)
    for k, (name, curve) in enumerate(named.items()):
        colour = COLOURS[k % len(COLOURS)]
        path = path_of(curve["fpr"], curve["tpr"])
        add(root, "path", d=path, class_=f"curve {colour}", data_slot=k)
        y = to_y(0.05) - 18 * (len(named) - 1 - k)
        add(root, "line", x1=to_x(0.36), y1=y - 4, x2=to_x(0.42), y2=y - 4,
            class_=f"curve {colour}")  # fmt: skip
        made = add(root, "text", f"{told[k]}  {curve['auc']:.4f}", x=to_x(0.44), y=y,
                   class_="tick legend", data_slot=k)  # fmt: skip
        add(made, "title", name)
    add(root, "circle", r=6, cx=to_x(0), cy=to_y(0), class_="near", visibility="hidden")
    add(root, "circle", r=5, cx=to_x(0), cy=to_y(0), class_="point", visibility="hidden")
    return text_of(root)


def path_of(x: list[float], y: list[float]) -> str:
    """Return points as a path."""
    points = (f"{to_x(a):.1f} {to_y(b):.1f}" for a, b in zip(x, y, strict=True))
    return "M" + "L".join(points)


def panels(title: str, by_class: dict[str, dict[str, dict[str, Any]]]) -> str:
    """Return one small panel per class, with the curves of all models that have a colour."""
    classes = list(by_class)
    across = min(_ACROSS, len(classes))
    rows = math.ceil(len(classes) / across)
    step = _PANEL + _GAP
    root = figure(title, across * step, rows * step, "chart wide")
    told = cut_apart(classes, 20)
    for k, label in enumerate(classes):
        left, top = k % across * step + 4, k // across * step + 20
        own = add(root, "g", transform=f"translate({left:g} {top:g})")
        add(own, "rect", width=_PANEL, height=_PANEL, class_="ring")
        add(own, "line", x1=0, y1=_PANEL, x2=_PANEL, y2=0, class_="chance")
        made = add(own, "text", told[k], x=0, y=-5, class_="tick")
        add(made, "title", label)
        for m, curve in enumerate(list(by_class[label].values())[: len(COLOURS)]):
            points = (
                f"{a * _PANEL:.0f} {(1 - b) * _PANEL:.0f}"
                for a, b in zip(curve["fpr"], curve["tpr"], strict=True)
            )
            line = "M" + "L".join(dict.fromkeys(points))
            add(own, "path", d=line, class_=f"curve thin {COLOURS[m]}")
    return text_of(root)
