"""Curves drawn into axes: ROC and precision-recall, a few of them or many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._plot.style import (
    GREY,
    MARKERS,
    SMALL,
    despined,
    digits_for,
    grey_line,
    lines_of,
    own_kwargs,
    shorts,
    valued,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._figures.curves import PrLine, RocLine
    from polyroc._inference.roc_band import RocBand

SHADE = 0.18  # how dark bands are
ROC_AXES = ("false positive rate", "true positive rate")
PR_AXES = ("recall", "precision")
# Legends that hide nothing, in a picture as wide as a column: lines, and letters in each.
MOST_INSIDE = 5
LONGEST_INSIDE = 38
LOW_PRECISION = 0.7  # average precision below which a curve keeps out of the upper right


def draw_roc(
    ax: Any, lines: Sequence[RocLine], *, highlight: Any = None, plot_chance_level: bool = True,
    despine: bool = True, curve_kwargs: Any = None, brief: bool = False,
    area: str = "AUC",
) -> None:  # fmt: skip
    """Draw ROC curves, with bands, hulls and points where lines have them.

    `brief` is for small axes among many: values alone in the legend, no names of axes. `area` is
    what legends call the area.
    """
    colours = _drawn(ax, [(line.fpr, line.tpr) for line in lines], lines, highlight, curve_kwargs,
                     brief, area)  # fmt: skip
    named = brief  # whether the legend says what hulls and bands are
    for k, (line, colour) in enumerate(zip(lines, colours, strict=True)):
        if colour is None:
            continue
        if line.hull is not None:
            ax.plot(line.hull.fpr, line.hull.tpr, color=colour, linewidth=0.8,
                    linestyle=(0, (1, 1)), marker=".", markersize=3,
                    label="" if named else "convex hull")  # fmt: skip
        if line.band is not None:
            band = line.band
            ax.fill_between(band.fpr, band.low, band.high, color=colour, alpha=SHADE, linewidth=0.5,
                            label="" if named else band_text(band))  # fmt: skip
        if line.point is not None:
            _point(ax, line, k, colour, brief)
        named = True
    if plot_chance_level:
        _chance(ax, (0.0, 1.0), 0.5, brief)
    _finish(ax, ROC_AXES, despine, brief, "lower right")


def band_text(band: RocBand) -> str:
    """Say what a band is: whether it holds at each rate by itself, or for the whole curve."""
    return f"{band.confidence * 100:g} % {band.kind} band"


def _point(ax: Any, line: RocLine, k: int, colour: str, brief: bool) -> None:
    """Draw an operating point as a marker, with the limits of its two rates as a cross."""
    point: Any = line.point
    x, y = point.fpr, point.tpr
    ax.plot(point.interval["fpr"], [y, y], color=colour, linewidth=1.0)
    ax.plot([x, x], point.interval["tpr"], color=colour, linewidth=1.0)
    label = f"score \u2265 {point.threshold:.4g}: FPR {x:.3f}, TPR {y:.3f}"
    ax.plot([x], [y], MARKERS[k % len(MARKERS)], color=colour, markersize=6,
            markeredgecolor=ax.get_facecolor(), markeredgewidth=0.8, zorder=4,
            label="" if brief else label)  # fmt: skip


def draw_pr(
    ax: Any, lines: Sequence[PrLine], *, highlight: Any = None, plot_chance_level: bool = True,
    despine: bool = True, curve_kwargs: Any = None, brief: bool = False,
) -> None:  # fmt: skip
    """Draw precision-recall curves as the steps that average precision is the area of."""
    _drawn(ax, [(line.recall, line.precision) for line in lines], lines, highlight, curve_kwargs,
           brief, "AP")  # fmt: skip
    if plot_chance_level:
        share = lines[0].prevalence
        _chance(ax, (share, share), share, brief)
    # Curves that fall early leave the upper right free, others the lower left.
    low = max(line.area.value for line in lines) < LOW_PRECISION
    _finish(ax, PR_AXES, despine, brief, "upper right" if low else "lower left")


def _drawn(
    ax: Any, points: Sequence[tuple[Any, Any]], lines: Sequence[Any], highlight: Any,
    curve_kwargs: Any, brief: bool, area: str,
) -> list[str | None]:  # fmt: skip
    """Draw the curves themselves; return their colours, None for those in grey.

    `area` is what legends call the area.
    """
    names = [line.name for line in lines]
    values = [line.area.value for line in lines]
    styles = lines_of(names, values, highlight)
    own, shown = own_kwargs(curve_kwargs, len(lines)), shorts(names)
    digits = digits_for([line.area for line in lines])
    colours: list[str | None] = []
    for k, (line, style) in enumerate(zip(lines, styles, strict=True)):
        if style is None:
            look = grey_line(styles, k, values, f"{area} ")
        elif brief:
            look = {**style, "linewidth": 1.2, "label": valued(line.area, digits, limits=False)}
        else:
            value = valued(line.area, digits)
            told = (shown[k], value and f"{area} {value}")
            label = ", ".join(filter(None, told))
            look = {**style, "zorder": 3, "label": label}
        drawn = ax.plot(*points[k], **{**look, **own[k]})[0]
        colours.append(None if style is None else drawn.get_color())
        if None in styles and style is not None and not brief:
            drawn.set_label("")
            _beside(ax, drawn, label, sum(colour is not None for colour in colours) - 1)
    return colours


def _beside(ax: Any, drawn: Any, text: str, k: int) -> None:
    """Write what the k-th curve that stands out is beside it, above the curves in grey."""
    from matplotlib.patheffects import withStroke

    x, y = drawn.get_data()
    at = int(np.argmin(np.abs(np.asarray(x) - 0.15 - 0.1 * (k % 5))))
    halo = withStroke(linewidth=2.5, foreground=ax.get_facecolor())
    ax.annotate(text, (x[at], y[at]), xytext=(6, -10), textcoords="offset points", fontsize=SMALL,
                color=drawn.get_color(), zorder=5, path_effects=[halo])  # fmt: skip


def _chance(ax: Any, heights: tuple[float, float], value: float, brief: bool) -> None:
    label = {} if brief else {"label": f"chance, {value:.3g}"}
    ax.plot([0, 1], heights, color=GREY, linewidth=0.8, linestyle=(0, (2, 2)), zorder=1, **label)


def _finish(ax: Any, names: tuple[str, str], despine: bool, brief: bool, place: str) -> None:
    """Set what all unit squares have in common, and the legend: inside, or below if it is large."""
    ax.set_aspect("equal")
    ticks = [0, 0.5, 1] if brief else [0, 0.2, 0.4, 0.6, 0.8, 1]
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xticks=ticks, yticks=ticks)
    if not brief:
        ax.set(xlabel=names[0], ylabel=names[1])
    despined(ax, despine)
    labels = ax.get_legend_handles_labels()[1]
    look = {"fontsize": SMALL, "frameon": False, "handlelength": 2.4, "labelspacing": 0.3}
    if len(labels) <= MOST_INSIDE and max(map(len, labels), default=0) <= LONGEST_INSIDE:
        # A ground like that of the axes, so that the diagonal does not cross the words.
        ground = {"frameon": True, "facecolor": "inherit", "edgecolor": "none", "framealpha": 0.85}
        ax.legend(loc=place, borderaxespad=0.2, **{**look, **ground})
    else:
        ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.14), borderaxespad=0.0, **look)
