"""How scores are spread: one strip per class."""

from __future__ import annotations

from typing import Any

from polyroc._figures.names import cut_apart
from polyroc._report.page.svg import COLOURS, add, figure, text_of


def histogram(title: str, scores: dict[str, Any]) -> str:
    """Return how scores are spread by class."""
    edges, shares, classes = scores["edges"], scores["shares"], scores["classes"]
    names = min(16, max(len(name) for name in classes))
    left, width, strip = 16.0 + 6.4 * names, 380.0, 34.0 if len(classes) <= 12 else 18.0
    root = figure(title, left + width + 20, strip * len(classes) + 46)
    peak = max(max(row) for row in shares) or 1.0
    step = width / len(shares[0])
    for k, (name, row) in enumerate(zip(cut_apart(classes, 16), shares, strict=True)):
        base = strip * (k + 1) + 4
        for b, share in enumerate(row):
            if share > 0:
                high = 0.9 * strip * share / peak
                made = add(root, "rect", x=left + b * step, y=base - high, width=step - 0.5,
                           height=high, class_=f"bar {COLOURS[k % 2]}")  # fmt: skip
                add(made, "title", f"{edges[b]:.4g} to {edges[b + 1]:.4g}: {share:.1%}")
        add(root, "line", x1=left, y1=base, x2=left + width, y2=base, class_="grid")
        add(root, "text", name, x=left - 8, y=base - 3, class_="tick",
            text_anchor="end")  # fmt: skip
    foot = strip * len(classes) + 20
    for part in range(5):
        value = edges[0] + (edges[-1] - edges[0]) * part / 4
        add(root, "text", f"{value:.3g}", x=left + width * part / 4, y=foot, class_="tick",
            text_anchor="middle")  # fmt: skip
    add(root, "text", scores["what"], x=left + width / 2, y=foot + 20, class_="label",
        text_anchor="middle")  # fmt: skip
    return text_of(root)
