"""Panels of curves side by side, and figures that make room for their legends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._plot.curves import PR_AXES, ROC_AXES, band_text, draw_pr
from polyroc._plot.style import FAINT, MOST_COLOURED, TEXT, lines_of, settle, shorts, subplots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PANEL = 1.7  # inches
MOST_PANELS = 12  # of more curves, those of the lowest areas


def draw_grid(
    panels: Sequence[tuple[str, Any]], draw: Callable[..., None], look: dict[str, Any], *,
    columns: int = 0, places: Sequence[int] | None = None, heads: Sequence[str] = (),
) -> Any:  # fmt: skip
    """Draw panels side by side, with one legend for the models; return their axes.

    `heads` is said of all panels, above them.
    """
    count = len(panels)
    columns = columns or (3 if count == 3 else min(4, math.ceil(math.sqrt(count))))
    at = list(range(count)) if places is None else list(places)
    rows = max(at) // columns + 1
    size = (PANEL * columns + 0.4, PANEL * 1.12 * rows + 0.5)
    grid = subplots(rows, columns, size, sharex=True, sharey=True, squeeze=False)
    names = [line.name for line in panels[0][1]]
    means = np.mean([[line.area.value for line in lines] for _, lines in panels], axis=0).tolist()
    if len(names) > MOST_COLOURED and look.get("highlight") is None:
        look = {**look, "highlight": names[int(np.argmax(means))]}  # the same in all panels
    for place, (title, lines) in zip(at, panels, strict=True):
        draw(grid.flat[place], lines, brief=True, **look)
        grid.flat[place].set_title(title, fontsize=TEXT - 1, pad=3)
    for place in set(range(rows * columns)).difference(at):
        grid.flat[place].set_axis_off()
    figure = grid.flat[0].figure
    across, up = PR_AXES if draw is draw_pr else ROC_AXES
    figure.supxlabel(across, fontsize=TEXT)
    figure.supylabel(up, fontsize=TEXT)
    _tick_labels(grid, set(at), columns)
    band = getattr(panels[0][1][0], "band", None)
    told = "; ".join([*heads, *([band_text(band)] if band is not None else [])])
    if len(names) > 1:
        styles = lines_of(names, means, look.get("highlight"))
        told_names = shorts(names)
        entries = [(n, style) for n, style in zip(told_names, styles, strict=True) if style]
        if None in styles:
            entries.append((f"{styles.count(None)} others", {"color": FAINT, "linewidth": 0.8}))
        handles = [grid.flat[at[0]].plot([], [], **style)[0] for _, style in entries]
        figure.legend(handles, [text for text, _ in entries], loc="outside upper center",
                      ncols=min(len(entries), 3), fontsize=TEXT - 1, frameon=False,
                      title=told, title_fontsize=TEXT - 1)  # fmt: skip
    elif told:
        figure.suptitle(told, fontsize=TEXT - 1)
    return grid


def make_room(ax: Any) -> None:
    """Let a figure grow by a legend that stands below its axes."""
    figure, legend = ax.figure, ax.get_legend()
    settle(ax)
    box = legend.get_window_extent().transformed(figure.transFigure.inverted())
    if box.y1 < ax.get_position().y0:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height * (1 + box.height))


def _tick_labels(grid: Any, used: set[int], columns: int) -> None:
    """Write numbers at the axes of panels that have no panel to their left, or below them."""
    for place in used:
        left = place % columns == 0 or place - 1 not in used
        grid.flat[place].tick_params(labelleft=left, labelbottom=place + columns not in used)
