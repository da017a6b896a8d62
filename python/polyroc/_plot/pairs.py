"""Heat maps of the pairs of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.public import public
from polyroc._figures.pairs import pair_differences as differences_of_pairs
from polyroc._figures.pairs import pair_figure
from polyroc._plot.style import axes, short

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_WRITTEN = 12  # classes whose values stand in the cells
MOST_NAMED = 40  # classes that are named
LEVEL = 0.05


@public
def pairs(
    y_true: Any, y_score: Any, *, ax: Any = None, confidence: float = 0.95, **given: Any
) -> Any:
    """Draw the AUC of every pair of classes, A(i,j), as a heat map.

    Classes that are hard to tell apart stand side by side. The scale goes from 0.5 to 1 whatever
    the values; those below 0.5 are hatched. Up to twelve classes have values and intervals in the
    cells.

    Parameters
    ----------
    y_true, y_score
        As for `hand_till`; further arguments (labels, sample_weight) likewise.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    confidence : float
        Of the intervals, which are DeLong's.

    Returns
    -------
    matplotlib axes
    """
    figure = pair_figure(y_true, y_score, confidence=confidence, **given)
    count = len(figure.classes)
    side = min(2.2 + 0.55 * min(count, MOST_WRITTEN) + 0.05 * max(count - MOST_WRITTEN, 0), 11.0)
    ax = axes(ax, (side + 0.9, side))
    image = ax.imshow(figure.values, cmap="viridis", vmin=0.5, vmax=1.0)
    _frame(ax, figure.classes)
    for i, j in np.argwhere(figure.values < 0.5).tolist():
        ax.add_patch(_hatched(i, j))
    for i in range(count if count <= MOST_WRITTEN else 0):
        for j in range(count):
            if i == j or np.isnan(figure.values[i, j]):
                continue
            dark = figure.values[i, j] < 0.8
            text = f"{figure.values[i, j]:.3f}"
            if count <= 6:
                text += f"\n{figure.low[i, j]:.3f} to\n{figure.high[i, j]:.3f}"
            ax.text(j, i, text, ha="center", va="center", fontsize=6.5,
                    color="white" if dark else "black")  # fmt: skip
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
    bar.set_label("A(i,j)")
    return ax


@public
def pair_differences(
    y_true: Any, models: Mapping[str, Any], *, ax: Any = None, adjust: Any = "holm", **given: Any
) -> Any:
    """Draw where two models differ: first minus second in A(i,j), for every pair of classes.

    Pairs whose difference is significant after adjustment have a frame.

    Parameters
    ----------
    y_true : array_like
        Labels.
    models : dict of array_like
        Two models by name.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    adjust : {"holm", "bonferroni", None}
        How p-values are adjusted for the number of pairs.

    Returns
    -------
    matplotlib axes
    """
    figure = differences_of_pairs(y_true, models, adjust=adjust, **given)
    count = len(figure.classes)
    side = min(2.4 + 0.45 * min(count, 20), 11.0)
    ax = axes(ax, (side + 1.0, side))
    reach = float(np.nanmax(np.abs(figure.differences))) or 1.0
    image = ax.imshow(figure.differences, cmap="PuOr", vmin=-reach, vmax=reach)
    _frame(ax, figure.classes)
    for i, j in np.argwhere(figure.p_adjusted < LEVEL).tolist():
        ax.add_patch(_framed(i, j))
    first, second = (short(name, 18) for name in figure.models)
    ax.figure.colorbar(image, ax=ax, shrink=0.8).set_label(f"{first} - {second}")
    way = {"holm": "Holm p", "bonferroni": "Bonferroni p"}.get(adjust, "p")
    ax.set_title(f"framed: {way} < {LEVEL:g}", fontsize=9)
    return ax


def _frame(ax: Any, classes: list[str]) -> None:
    if len(classes) <= MOST_NAMED:
        names = [short(name, 14) for name in classes]
        size = 8 if len(classes) <= 20 else 6
        ax.set_xticks(range(len(classes)), names, rotation=90, fontsize=size)
        ax.set_yticks(range(len(classes)), names, fontsize=size)
    else:
        ax.set_xlabel(f"{len(classes)} classes, alike ones side by side")
        ax.set_xticks([])
        ax.set_yticks([])
    ax.tick_params(length=0)


def _hatched(i: int, j: int) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(
        (j - 0.5, i - 0.5), 1, 1, fill=False, hatch="////", edgecolor="white", linewidth=0
    )


def _framed(i: int, j: int) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((j - 0.45, i - 0.45), 0.9, 0.9, fill=False, edgecolor="black", linewidth=1.2)
