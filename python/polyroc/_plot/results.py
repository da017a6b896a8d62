"""The pictures of results: what their `plot` draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._figures.curves import Area, RocLine, pr_line, roc_line
from polyroc._figures.pairs import pairs_in_order
from polyroc._figures.replicates import class_figure, one_level
from polyroc._plot.curves import draw_pr, draw_roc
from polyroc._plot.distributions import replicates
from polyroc._plot.forest import draw_forest
from polyroc._plot.grid import MOST_PANELS, draw_grid
from polyroc._plot.pairs import draw_pairs
from polyroc._plot.style import TEXT, axes, panel_titles, short

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._curves.by_name import Curves, PrCurves, RocCurves
    from polyroc._curves.pr_points import PrCurve
    from polyroc._curves.roc_hull import RocHull
    from polyroc._curves.roc_points import RocCurve
    from polyroc._inference.bootstrap_result import BootstrapResult
    from polyroc._inference.roc_band import RocBand


def roc_curve(curve: RocCurve, *, ax: Any = None, name: str | None = None, **look: Any) -> Any:
    """Draw one ROC curve; `look` as for :func:`polyroc.plot.roc`."""
    ax = axes(ax)
    draw_roc(ax, [roc_line(name or "", curve)], **look)
    return ax


def pr_curve(curve: PrCurve, *, ax: Any = None, name: str | None = None, **look: Any) -> Any:
    """Draw one precision-recall curve."""
    ax = axes(ax)
    draw_pr(ax, [pr_line(name or "", curve)], **look)
    return ax


def roc_curves(curves: RocCurves, **look: Any) -> Any:
    """Draw a panel for each class or pair of classes."""
    return _panels(curves, roc_line, draw_roc, look)


def pr_curves(curves: PrCurves, **look: Any) -> Any:
    """Draw a panel for each class."""
    return _panels(curves, pr_line, draw_pr, look)


def _panels(
    curves: Curves[Any], line: Callable[..., Any], draw: Callable[..., None], look: dict[str, Any]
) -> Any:
    drawn = [(name, [line("", curve)]) for name, curve in curves.items()]
    heads = (
        [] if any(isinstance(name, tuple) for name in curves) else ["each class against the rest"]
    )
    if len(drawn) > MOST_PANELS:
        areas = [lines[0].area.value for _, lines in drawn]
        kept = sorted(np.argsort(areas, kind="stable")[:MOST_PANELS].tolist())
        heads.append(f"the {MOST_PANELS} lowest of {len(drawn)}")
        drawn = [drawn[k] for k in kept]
    compared = [name if isinstance(name, tuple) else (name, None) for name, _ in drawn]
    panels = zip(panel_titles(compared), (lines for _, lines in drawn), strict=True)
    return draw_grid(list(panels), draw, look, heads=heads)


def roc_hull(hull: RocHull, *, ax: Any = None, name: str | None = None, **look: Any) -> Any:
    """Draw a convex hull with its corners."""
    ax = axes(ax)
    kwargs = {"marker": "o", "markersize": 3, **(look.pop("curve_kwargs", None) or {})}
    line = RocLine(name or "convex hull", hull.fpr, hull.tpr, Area(hull.area))
    draw_roc(ax, [line], curve_kwargs=kwargs, area="area", **look)
    return ax


def roc_band(band: RocBand, *, ax: Any = None, name: str | None = None, **look: Any) -> Any:
    """Draw a band around the curve at the rates it was made for."""
    ax = axes(ax)
    # At some rates alone the area is not the AUC: none is told.
    line = RocLine(name or "ROC curve", band.fpr, band.tpr, Area(np.nan), band)
    draw_roc(ax, [line], **look)
    return ax


def bootstrap_result(
    result: BootstrapResult, *, ax: Any = None, name: str | None = None, bins: int = 40,
    despine: bool = True,
) -> Any:  # fmt: skip
    """Draw the replicates of one number, the values of classes, or those of pairs of classes."""
    shape = np.ndim(result.estimate)
    if shape == 0:
        return replicates(result, ax=ax, name=name, bins=bins, despine=despine)
    if shape == 1:
        ax = draw_forest(class_figure(result), ax, despine)
        if name:
            ax.set_title(short(name, 40), fontsize=TEXT)
        return ax
    return draw_pairs(pairs_in_order(result.classes, result, one_level(result)), ax, name)
