"""Forest plots: estimates with their intervals, one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import p_sentence
from polyroc._base.public import picture
from polyroc._figures.forest import LEVEL, differences_figure, models_figure
from polyroc._plot.curves import SHADE
from polyroc._plot.style import (
    COLOURS,
    COLUMN,
    FAINT,
    GREY,
    SMALL,
    TEXT,
    axes,
    despined,
    short_by_name,
)

if TYPE_CHECKING:
    from polyroc._compare.result import Comparison
    from polyroc._figures.forest import ForestFigure

_TESTS = {"holm": "Holm's test", "bonferroni": "Bonferroni's test"}
LINE, SECOND_LINE = 0.24, 0.12  # inches
ONE_LINE = 20  # letters of two names that stand side by side; longer ones stand one below the other


@picture
def differences(comparison: Comparison, *, ax: Any = None, despine: bool = True) -> Any:
    """Draw the differences of every two models with their intervals and adjusted p-values.

    The margin of a comparison that has one is shaded: an interval above its lower end says that the
    first model is not inferior, one within it that both are equivalent.

    Parameters
    ----------
    comparison : Comparison
        As :func:`polyroc.compare` gives it.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    despine : bool
        Whether the frame has two sides only.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> ax = pr.plot.differences(pr.compare(y, models, "hand_till"))
    >>> ax.get_yticklabels()[0].get_text().split()
    ['logistic', 'regression', '-', '9', 'nearest', 'neighbours']
    """
    figure = differences_figure(comparison)
    ax = draw_forest(figure, ax, despine)
    ax.axvline(0.0, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    if figure.margin is not None:
        ax.axvspan(-figure.margin, figure.margin, color=GREY, alpha=SHADE, linewidth=0, zorder=0)
        ax.set_title(f"shaded: within the margin of {figure.margin:g}", fontsize=SMALL, loc="right")
    return ax


@picture
def models(comparison: Comparison, *, ax: Any = None, despine: bool = True) -> Any:
    """Draw the models of a comparison with their intervals, the greatest value first.

    Bars at the right join models that the adjusted tests of the comparison do not tell apart at
    0.05. Intervals of two models may overlap though the models differ: models that were scored on
    the same rows are compared by their difference.

    Parameters
    ----------
    comparison : Comparison
        As :func:`polyroc.compare` gives it.
    ax, despine
        As for `differences`.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> ax = pr.plot.models(pr.compare(y, models, "hand_till"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['logistic regression', '9 nearest neighbours', 'naive Bayes']
    """
    figure = models_figure(comparison)
    ax = draw_forest(figure, ax, despine)
    count = len(figure.names)
    for k, (first, last) in enumerate(figure.alike):
        x = 1.02 + 0.02 * (k % 3)
        ends = [count - 1 - first + 0.2, count - 1 - last - 0.2]
        ax.plot([x, x], ends, color=ax.xaxis.label.get_color(), linewidth=2.4, clip_on=False,
                transform=ax.get_yaxis_transform())  # fmt: skip
    if figure.alike:
        test = _TESTS.get(str(comparison.adjust), "the test")
        ax.set_title(f"bars join what {test} does not tell apart (p \u2265 {LEVEL:g})",
                     fontsize=SMALL, loc="right")  # fmt: skip
    return ax


def _in_lines(names: list[str]) -> str:
    """Return one name, or two with a minus between them, as it fits a journal's column."""
    apart = " " if sum(map(len, names)) <= ONE_LINE else "\n"
    return f"{apart}- ".join(names)


def draw_forest(figure: ForestFigure, ax: Any, despine: bool) -> Any:
    """Draw lines with a dot each, the first at the top."""
    count = len(figure.names)
    told = short_by_name(part for parts in figure.names for part in parts)
    names = [_in_lines([told[part] for part in parts]) for parts in figure.names]
    deep = max((name.count("\n") for name in names), default=0)
    ax = axes(ax, (COLUMN, 0.8 + (LINE + SECOND_LINE * deep) * count))
    places = np.arange(count)[::-1]
    ax.hlines(places, figure.low, figure.high, color=COLOURS[0], linewidth=1.6)
    ax.plot(figure.values, places, "o", color=COLOURS[0], markersize=4.5)
    ax.set_yticks(places, names)
    ax.set_ylim(-0.6, count - 0.4)
    ax.set_xlabel(f"{figure.what} ({figure.confidence * 100:g} % intervals)")
    despined(ax, despine)
    ax.tick_params(axis="y", labelsize=TEXT if count <= 40 else SMALL - 2, length=0)
    ax.grid(axis="x", linewidth=0.4, color=FAINT, alpha=0.5)
    ax.set_axisbelow(True)
    ax.locator_params(axis="x", nbins=4)
    if figure.p_adjusted is not None:
        for place, p in zip(places, figure.p_adjusted, strict=True):
            ax.annotate(p_sentence(p), (1.01, place), xycoords=("axes fraction", "data"),
                        va="center", fontsize=SMALL)  # fmt: skip
    return ax
