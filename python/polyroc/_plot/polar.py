"""Hassan's polar plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.public import picture
from polyroc._figures.polar import MOST_LABELLED, polar_figure
from polyroc._plot.style import (
    EDGE,
    FAINT,
    MARKERS,
    SMALL,
    TEXT,
    axes,
    by_name,
    grey_line,
    lines_of,
    own_kwargs,
    settle,
    short_by_name,
    shorts,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polyroc._base.types import Labels, Scores
    from polyroc._figures.polar import PolarFigure
    from polyroc._plot.style import CurveKwargs

MOST_WITH_INTERVALS = 3  # models
APART = 0.018  # radians between the intervals of two models
LONGEST = 7  # letters of a class that is named on rays
LONGEST_OF_TWO = 36  # letters of a pair, with its value, that stands beside another in the title
MOST_AROUND = 200  # letters of all names together that fit around the circle


@picture
def polar(
    y_true: Labels,
    y_score: Scores | Mapping[str, Scores],
    *,
    ax: Any = None,
    name: str | None = None,
    intervals: bool = True,
    highlight: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    curve_kwargs: CurveKwargs = None,
    labels: Labels | None = None,
    sample_weight: Scores | None = None,
    groups: Labels | None = None,
    n_threads: int | None = None,
) -> Any:
    """Draw the AUC of every pair of classes on a ray of its own (Hassan et al. 2010).

    Rays stand in the order in which the polygon of the first model has its largest area. Up to ten
    classes (45 rays) all rays are named, where names are long by numbers with a key. Of more
    classes intervals and names are left out: the lowest values have a ring, and the title lists
    them; :func:`polyroc.plot.pairs` shows all. The centre is not 0 but a little below the lowest
    limit, so that polygons can be told apart: read values off the circles, not off areas.

    Parameters
    ----------
    y_true : array_like
        Labels of three classes or more.
    y_score : array_like, or dict of them
        Scores of a model, or of several by name.
    ax : matplotlib polar axes, optional
        Where to draw; a new figure by default.
    name : str, optional
        What a single model is called.
    intervals : bool
        Whether DeLong's intervals are drawn as bars: of up to three models, or up to three that
        `highlight` names.
    highlight : str or list of str, optional
        Models that stand out; all others are grey. Of more than five models that of the greatest
        mean does.
    confidence : float
        Of the intervals.
    curve_kwargs : dict, or list of dict, optional
        What matplotlib is told of the polygons: of all, or of each.
    labels, sample_weight, groups, n_threads
        As for :func:`polyroc.delong`.

    Returns
    -------
    matplotlib axes

    References
    ----------
    M. R. Hassan, K. Ramamohanarao, C. Karmakar, M. M. Hossain and J. Bailey, A novel scalable
    multi-class ROC for effective visualization and computation, PAKDD 2010 (HA10).

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> three = y < 3
    >>> ax = pr.plot.polar(y[three], models["naive Bayes"][three, :3])
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['0-2', '0-1', '1-2']
    """
    listed = by_name(y_score, name)
    figure = polar_figure(
        y_true, listed, confidence=confidence, labels=labels, sample_weight=sample_weight,
        groups=groups, n_threads=n_threads,
    )  # fmt: skip
    own = ax is None
    ax = axes(ax, (4.6 + (1.5 if _has_key(figure) else 0.0), 4.6), projection="polar")
    if getattr(ax, "name", "") != "polar":
        raise ValueError('ax is not polar; make it with subplot_kw={"projection": "polar"}')
    names = list(figure.values)
    styles = lines_of(names, [float(values.mean()) for values in figure.values.values()], highlight)
    _polygons(ax, figure, styles, own_kwargs(curve_kwargs, len(names)))
    ax.plot(np.linspace(0, 2 * np.pi, 200), np.ones(200), color=FAINT, linewidth=0.8)
    title: list[str] = []
    told = [k for k, style in enumerate(styles) if style is not None]
    few = len(figure.pairs) <= MOST_LABELLED and len(told) <= MOST_WITH_INTERVALS
    shown = told if intervals and few else []
    lowest = min(float(figure.values[one].min()) for one in names)
    for place, k in enumerate(shown):
        bars = {"color": styles[k]["color"], "linewidth": 1.0, "alpha": 0.7}  # type: ignore[index]
        low, high = figure.low[names[k]], figure.high[names[k]]
        aside = (place - (len(shown) - 1) / 2) * APART
        ax.vlines(figure.angles + aside, low, high, **bars)
        lowest = min(lowest, float(low.min()))
    centre = _rings(ax, lowest, len(figure.pairs))
    title.append(f"centre {centre:g}, outer circle 1")
    if shown:
        title[0] += f"; bars: {confidence * 100:g} % intervals"
    key, more = _rays(ax, figure)
    ax.set_title("\n".join([*title, *more]), fontsize=SMALL)
    if len(listed) > 1:
        said = ax.get_legend_handles_labels()[1]
        beside = len(said) <= 3 and sum(map(len, said)) <= 54
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.07), fontsize=SMALL, frameon=False,
                  ncols=len(said) if beside else 1, columnspacing=1.2)  # fmt: skip
    if own:
        settle(ax)
        _widen(ax, [*ax.get_xticklabels(), *key])
    return ax


def _widen(ax: Any, texts: list[Any]) -> None:
    """Make a figure as much wider as names need that would end beyond its edge."""
    ends = [one.get_window_extent().x1 for one in texts]
    beyond = max(ends, default=0.0) + EDGE - ax.figure.bbox.width
    if beyond > 0:
        width, height = ax.figure.get_size_inches()
        ax.figure.set_size_inches(width + 2.0 * beyond / ax.figure.dpi, height)
        settle(ax)


def _polygons(
    ax: Any, figure: PolarFigure, styles: list[dict[str, Any] | None], own: list[dict[str, Any]]
) -> None:
    around = np.append(figure.angles, figure.angles[0])
    many, told = len(figure.pairs) > MOST_LABELLED, short_by_name(figure.values)
    for k, (model, values) in enumerate(figure.values.items()):
        style = styles[k]
        if style is None:
            look = grey_line(styles, k)
        else:
            marker = "" if many else MARKERS[k % len(MARKERS)]
            look = {**style, "linewidth": 1.0 if many else 1.4, "label": told[model],
                    "marker": marker, "markersize": 3}  # fmt: skip
        ax.plot(around, np.append(values, values[0]), **{**look, **own[k]})


def _rings(ax: Any, lowest: float, n_rays: int) -> float:
    """Let the centre be a little below all that is drawn, with a few circles to read values off."""
    from matplotlib.patheffects import withStroke

    step = 0.05 if lowest > 0.8 else 0.1
    centre = max(0.0, np.floor(round(lowest / step, 9)) * step - step)
    ax.set_rlim(centre, 1.0)
    rings = np.arange(1.0, centre + step / 2, -step)[1:]
    ax.set_rticks(rings[:: -(-len(rings) // 4)])
    ax.tick_params(axis="y", labelsize=SMALL - 1)
    ax.grid(linewidth=0.5, color=FAINT, alpha=0.5)
    # Between two rays, on the side of the greatest values, where there is room.
    ax.set_rlabel_position(360.0 * (n_rays // 2 + 0.5) / n_rays)
    for label in ax.get_yticklabels():
        label.set_path_effects([withStroke(linewidth=2, foreground=ax.get_facecolor())])
        label.set_zorder(5)
    return float(centre)


def _rays(ax: Any, figure: PolarFigure) -> tuple[list[Any], list[str]]:
    """Name the rays, or ring the lowest; return the key of names, and what the title has to say."""
    count = len(figure.pairs)
    if count > MOST_LABELLED:
        ax.set_xticks([])
        at = [k for k, _ in figure.lowest]
        ring = {"markerfacecolor": "none", "markeredgecolor": ax.xaxis.label.get_color()}
        ax.plot(figure.angles[at], [low for _, low in figure.lowest], "o", markersize=7,
                markeredgewidth=0.9, zorder=4, **ring)  # fmt: skip
        named = _ray_names(figure, 16)
        lowest = [f"{named[k]} {low:.3f}" for k, low in figure.lowest]
        across = 2 if max(map(len, lowest)) <= LONGEST_OF_TWO else 1
        lines = [", ".join(lowest[k : k + across]) for k in range(0, len(lowest), across)]
        return [], [f"{count:,} pairs of classes, the lowest ringed:", *lines]
    names, key = _ray_names(figure, LONGEST), []
    if _has_key(figure):
        names = [f"{i + 1}-{j + 1}" for i, j in figure.ends]
        words = "\n".join(f"{k + 1}  {name}" for k, name in enumerate(shorts(figure.classes)))
        key = [ax.text(1.16, 0.5, words, transform=ax.transAxes, fontsize=SMALL, va="center")]
    ax.set_xticks(figure.angles, names, fontsize=TEXT if count <= 21 else SMALL - 0.5)
    ax.tick_params(axis="x", pad=4)
    # Names beside the circle begin at it or end there, and do not lie across it.
    for angle, label in zip(figure.angles.tolist(), ax.get_xticklabels(), strict=True):
        aside = np.cos(angle)
        label.set_horizontalalignment("center" if abs(aside) < 0.2 else
                                      "left" if aside > 0 else "right")  # fmt: skip
    return key, []


def _has_key(figure: PolarFigure) -> bool:
    """Tell whether classes are numbered on the rays, and named in a key beside them."""
    rays, letters = len(figure.pairs), max(map(len, figure.classes))
    crowded = letters > LONGEST or rays * (2 * letters + 1) > MOST_AROUND
    return rays <= MOST_LABELLED and crowded


def _ray_names(figure: PolarFigure, most: int) -> list[str]:
    names = shorts(figure.classes, most)
    return [f"{names[i]}-{names[j]}" for i, j in figure.ends]
