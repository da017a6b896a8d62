"""Columns of scores in another order than the classes, which would go by in silence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from polyroc._base.checks import show
from polyroc._measures.auc import auc

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample

POOR = 0.6  # an AUC of a class by its own column that is looked into
BETTER = 0.15  # by which another column must do better, beyond chance
_ROWS = 20_000  # that are looked at


def order_doubt(sample: Sample, own: Floats) -> str:
    """Ask whether columns are in another order, if that would do much better; else say nothing.

    `own` are the AUCs of each class against the rest by its own column. Classes where it is poor
    are matched with columns so that the AUCs rise the most; the rise must be greater than what
    chance gives: three standard errors of the difference of two AUCs without value, of variance
    1 / (12 n) each.
    """
    if sample.scores.ndim == 1 or sample.n_classes < 3:
        return ""
    poor = np.flatnonzero(own < POOR)
    if len(poor) < 2:
        return ""
    step = max(1, len(sample.codes) // _ROWS)
    codes, scores = sample.codes[::step], sample.scores[::step]
    sizes = np.bincount(codes, minlength=sample.n_classes)
    poor = poor[sizes[poor] > 0]
    areas = np.array([[auc(codes == i, scores[:, c]) for c in poor] for i in poor])
    matched = _best_matching(areas)
    classes = sample.classes
    moved = [
        (classes[poor[i]], classes[poor[c]], float(areas[i, c]))
        for i, c in enumerate(matched)
        if areas[i, c] - areas[i, i] > BETTER + 3.0 * math.sqrt(1.0 / (6.0 * sizes[poor[i]]))
    ]
    if len(moved) < 2:
        return ""
    label, column, area = max(moved, key=lambda one: one[2])
    return (
        f"the column of class {show(column)} tells class {show(label)} from the rest better than "
        f"its own does (AUC {area:.3f}), and {len(moved)} classes are so: are the columns in "
        "another order than the classes? pass labels=, or name the columns"
    )


def _best_matching(areas: Floats) -> list[int]:
    """Return a column for each class, greedily, then two changed at a time while that helps."""
    count = len(areas)
    order: Array = np.argsort(-areas, axis=None, kind="stable")
    matched, taken = [-1] * count, set()
    for i, c in zip(*np.unravel_index(order, areas.shape), strict=True):
        if matched[i] < 0 and c not in taken:
            matched[i] = int(c)
            taken.add(c)
    better = True
    while better:
        better = False
        for i, j in _pairs(count):
            a, b = matched[i], matched[j]
            if areas[i, b] + areas[j, a] > areas[i, a] + areas[j, b] + 1e-9:
                matched[i], matched[j], better = b, a, True
    return matched


def _pairs(count: int) -> Iterable[tuple[int, int]]:
    return ((i, j) for i in range(count) for j in range(i + 1, count))
