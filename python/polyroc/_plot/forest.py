"""Forest plots, distributions of replicates, folds, and scores by class."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyroc._base.display import decimals, p_sentence
from polyroc._base.public import public
from polyroc._figures.forest import (
    ForestFigure,
    differences_figure,
    fold_figure,
    models_figure,
    replicate_figure,
)
from polyroc._figures.scores import score_figure
from polyroc._plot.style import COLOURS, FAINT, GREY, MARKERS, axes, despined, line_of, short


@public
def differences(comparison: Any, *, ax: Any = None, despine: bool = True) -> Any:
    """Draw the differences of every two models with their intervals and adjusted p-values.

    Parameters
    ----------
    comparison : Comparison
        As `compare` gives it.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    despine : bool
        Whether the frame has two sides only.

    Returns
    -------
    matplotlib axes
    """
    ax = _forest(differences_figure(comparison), ax, despine)
    ax.axvline(0.0, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    return ax


@public
def models(comparison: Any, *, ax: Any = None, despine: bool = True) -> Any:
    """Draw the models of a comparison with their intervals.

    Parameters
    ----------
    comparison : Comparison
        As `compare` gives it.
    ax, despine
        As for `differences`.

    Returns
    -------
    matplotlib axes
    """
    return _forest(models_figure(comparison), ax, despine)


def _forest(figure: ForestFigure, ax: Any, despine: bool) -> Any:
    count = len(figure.names)
    ax = axes(ax, (5.6, 0.9 + 0.36 * count))
    places = np.arange(count)[::-1]
    ax.hlines(places, figure.low, figure.high, color=COLOURS[0], linewidth=1.6)
    ax.plot(figure.values, places, "o", color=COLOURS[0], markersize=4.5)
    ax.set_yticks(places, [short(name, 44) for name in figure.names], fontsize=8)
    ax.set_ylim(-0.6, count - 0.4)
    ax.set_xlabel(f"{figure.what} ({figure.confidence * 100:g} % intervals)", fontsize=8)
    ax.tick_params(axis="x", labelsize=8)
    if figure.p_adjusted is not None:
        for place, p in zip(places, figure.p_adjusted, strict=True):
            ax.annotate(p_sentence(p), (1.01, place), xycoords=("axes fraction", "data"),
                        va="center", fontsize=7)  # fmt: skip
    despined(ax, despine)
    return ax


@public
def replicates(result: Any, *, ax: Any = None, bins: int = 40, despine: bool = True) -> Any:
    """Draw the bootstrap distribution of a measure with its interval.

    Parameters
    ----------
    result : BootstrapResult
        As `bootstrap` gives it, of a measure that is one number.
    bins : int
        How many bars.
    ax, despine
        As for `differences`.

    Returns
    -------
    matplotlib axes
    """
    figure = replicate_figure(result, bins)
    ax = axes(ax, (4.6, 3.0))
    ax.stairs(figure.counts, figure.edges, fill=True, color=FAINT)
    digits = decimals(np.array([result.standard_error]))
    ax.axvline(figure.estimate, color=COLOURS[0], linewidth=1.6,
               label=f"{figure.what} {figure.estimate:.{digits}f}")  # fmt: skip
    limits = f"{figure.low:.{digits}f} to {figure.high:.{digits}f}"
    label = f"{result.confidence * 100:g} % interval {limits}"
    ax.axvline(figure.low, color=COLOURS[1], linewidth=1.2, linestyle="--", label=label)
    ax.axvline(figure.high, color=COLOURS[1], linewidth=1.2, linestyle="--")
    ax.set_xlabel(figure.what)
    ax.set_ylabel("replicates")
    ax.legend(fontsize=7, frameon=False, loc="upper left")
    despined(ax, despine)
    return ax


@public
def folds(result: Any, *, ax: Any = None, despine: bool = True) -> Any:
    """Draw the values of classifiers over the folds of a cross-validation (Bradley 1997).

    Parameters
    ----------
    result : BradleyResult
        As `bradley` gives it.
    ax, despine
        As for `differences`.

    Returns
    -------
    matplotlib axes
    """
    figure = fold_figure(result)
    ax = axes(ax, (5.2, 3.2))
    at = np.arange(len(figure.folds))
    for k, name in enumerate(figure.classifiers):
        style = line_of(k)
        ax.plot(at, figure.values[k], marker=MARKERS[k % len(MARKERS)], markersize=4, **style,
                label=f"{short(name)} (mean {figure.means[k]:.4f})")  # fmt: skip
    ax.set_xticks(at, figure.folds)
    ax.set_xlabel("fold")
    ax.set_ylabel(figure.what)
    ax.legend(fontsize=7, frameon=False)
    despined(ax, despine)
    return ax


@public
def scores(
    y_true: Any, y_score: Any, *, ax: Any = None, bins: int = 30, despine: bool = True, **given: Any
) -> Any:
    """Draw how scores are spread, by class.

    Parameters
    ----------
    y_true, y_score
        As for a measure. Of two classes, the scores of the favoured one; of more, those of each
        row's own class.
    bins : int
        How many bars.
    ax, despine
        As for `differences`.

    Returns
    -------
    matplotlib axes
    """
    figure = score_figure(y_true, y_score, bins=bins, **given)
    count = len(figure.classes)
    if count <= len(COLOURS):
        ax = axes(ax, (4.6, 3.0))
        for k, name in enumerate(figure.classes):
            ax.stairs(figure.shares[k], figure.edges, label=short(name), **line_of(k))
        ax.set_ylabel("share of the class")
        ax.legend(fontsize=8, frameon=False)
    else:
        # Curves of so many classes are no picture: one strip each.
        ax = axes(ax, (5.0, 0.8 + 0.26 * count))
        peak = figure.shares.max() or 1.0
        for k in range(count):
            place = count - 1 - k
            ax.stairs(place + 0.9 * figure.shares[k] / peak, figure.edges, baseline=place,
                      fill=True, color=COLOURS[0], alpha=0.75)  # fmt: skip
        ax.set_yticks(np.arange(count)[::-1] + 0.3, [short(name, 18) for name in figure.classes])
        ax.tick_params(axis="y", labelsize=7, length=0)
    ax.set_xlabel(figure.what)
    despined(ax, despine)
    return ax
