"""Hassan's polar plot."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyroc._base.public import public
from polyroc._figures.polar import MOST_LABELLED, polar_figure
from polyroc._plot.style import FAINT, MARKERS, axes, by_name, line_of, short


@public
def polar(
    y_true: Any, models: Any, *, ax: Any = None, name: str | None = None, intervals: bool = True,
    confidence: float = 0.95, **given: Any,
) -> Any:  # fmt: skip
    """Draw the AUC of every pair of classes on a ray of its own (Hassan et al. 2010).

    Rays stand in the order in which the polygon of the first model has its largest area. Up to ten
    classes (45 rays) all rays are named; of more, the title names the lowest ones.

    Parameters
    ----------
    y_true : array_like
        Labels of three classes or more.
    models : array_like, or dict of them
        Scores of a model, or of several by name.
    ax : matplotlib polar axes, optional
        Where to draw; a new figure by default.
    name : str, optional
        What a single model is called.
    intervals : bool
        Whether DeLong's intervals are drawn as bars, up to three models.
    confidence : float
        Of the intervals.

    Returns
    -------
    matplotlib axes

    References
    ----------
    Hassan et al., Improved polar plots of pairwise AUCs, 2010 (HA10 in the docs).
    """
    listed = by_name(models, name)
    figure = polar_figure(y_true, listed, confidence=confidence, **given)
    ax = axes(ax, (5.6, 5.6), projection="polar")
    if getattr(ax, "name", "") != "polar":
        raise ValueError('ax is not polar; make it with subplot_kw={"projection": "polar"}')
    around = np.append(figure.angles, figure.angles[0])
    for k, (model, values) in enumerate(figure.values.items()):
        style = line_of(k)
        ax.plot(around, np.append(values, values[0]), label=short(model), **style,
                marker=MARKERS[k % len(MARKERS)], markersize=3)  # fmt: skip
        if intervals and len(listed) <= 3:
            ax.vlines(figure.angles, figure.low[model], figure.high[model], color=style["color"],
                      linewidth=0.8, alpha=0.6)  # fmt: skip
    least = min(float(np.min(low)) for low in figure.low.values())
    ax.set_rlim(max(0.0, np.floor(min(least, 0.95) * 20) / 20 - 0.05), 1.0)
    ax.plot(np.linspace(0, 2 * np.pi, 200), np.ones(200), color=FAINT, linewidth=0.8)
    count = len(figure.pairs)
    ax.tick_params(axis="y", labelsize=7)
    if count <= MOST_LABELLED:
        names = [short(pair, 16) for pair in figure.pairs]
        ax.set_xticks(figure.angles, names, fontsize=8 if count <= 21 else 6)
    else:
        # So many names cannot be read.
        ax.set_xticks([])
        low = ", ".join(f"{short(figure.pairs[k], 16)} {least:.3f}" for k, least in figure.lowest)
        ax.set_title(f"{count} pairs of classes; lowest: {low}", fontsize=8)
    if len(listed) > 1:
        ax.legend(loc="upper left", bbox_to_anchor=(0.98, 1.08), fontsize=8, frameon=False)
    return ax
