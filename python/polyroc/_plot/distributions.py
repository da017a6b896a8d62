"""Distributions: of the replicates of a bootstrap, and of scores by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.public import picture
from polyroc._figures.curves import Area
from polyroc._figures.replicates import replicate_figure
from polyroc._figures.scores import score_figure
from polyroc._plot.style import (
    COLOURS,
    COLUMN,
    FAINT,
    MOST_COLOURED,
    SMALL,
    TEXT,
    axes,
    despined,
    digits_for,
    line_of,
    short,
    shorts,
)

if TYPE_CHECKING:
    from polyroc._base.types import Labels, Scores
    from polyroc._inference.bootstrap_result import BootstrapResult

SIZE = (COLUMN, 2.6)
LONGEST_INSIDE = 12  # letters of classes in a legend that stands among the lines
_METHODS = {"bca": "BCa"}


@picture
def replicates(
    result: BootstrapResult,
    *,
    ax: Any = None,
    name: str | None = None,
    bins: int = 40,
    despine: bool = True,
) -> Any:
    """Draw the bootstrap distribution of a measure with its interval.

    Parameters
    ----------
    result : BootstrapResult
        As :func:`polyroc.bootstrap` gives it, of a measure that is one number.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    name : str, optional
        What the model is called, for the title.
    bins : int
        How many bars.
    despine : bool
        Whether the frame has two sides only.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> result = pr.bootstrap(y, models["naive Bayes"], "auc_mu", n_resamples=500, seed=7)
    >>> ax = pr.plot.replicates(result)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('auc_mu', 'replicates')
    """
    figure = replicate_figure(result, bins)
    ax = axes(ax, SIZE)
    ax.stairs(figure.counts, figure.edges, fill=True, color=FAINT)
    digits = digits_for([Area(figure.estimate, figure.standard_error)])
    value, low, high = (f"{x:.{digits}f}" for x in (figure.estimate, figure.low, figure.high))
    ax.axvline(figure.estimate, color=COLOURS[0], linewidth=1.6, label=f"estimate {value}")
    method = _METHODS.get(figure.method, figure.method)
    label = f"{figure.confidence * 100:g} % {method} interval {low} to {high}"
    for limit, words in ((figure.low, {"label": label}), (figure.high, {})):
        ax.axvline(limit, color=COLOURS[1], linewidth=1.2, linestyle="--", **words)
    ax.set_xlabel(figure.what)
    ax.set_ylabel("replicates")
    ax.locator_params(axis="x", nbins=6)
    ax.legend(fontsize=SMALL, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.19))
    if name:
        ax.set_title(short(name, 40), fontsize=TEXT)
    despined(ax, despine)
    return ax


@picture
def scores(
    y_true: Labels,
    y_score: Scores,
    *,
    ax: Any = None,
    name: str | None = None,
    bins: int = 30,
    despine: bool = True,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> Any:
    """Draw how scores are spread, by class.

    Parameters
    ----------
    y_true, y_score
        As for a measure. Of two classes, the scores of the favoured one; of more, those of each
        row's own class. Up to five classes are lines, more of them strips.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    name : str, optional
        What the model is called, for the title.
    bins : int
        How many bars.
    despine : bool
        Whether the frame has two sides only.
    labels, pos_label, sample_weight, n_threads
        As for a measure.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> pr.plot.scores(y == 8, models["naive Bayes"][:, 8]).get_xlabel()
    'score of True'
    """
    figure = score_figure(
        y_true, y_score, bins=bins, labels=labels, pos_label=pos_label,
        sample_weight=sample_weight, n_threads=n_threads,
    )  # fmt: skip
    count = len(figure.classes)
    if count <= MOST_COLOURED:
        ax = axes(ax, SIZE)
        for k, label in enumerate(shorts(figure.classes)):
            ax.stairs(figure.shares[k], figure.edges, label=label, **line_of(k))
        ax.set_ylabel("share of the class")
        long = max(map(len, figure.classes)) > LONGEST_INSIDE
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.19)} if long else {}
        ax.legend(fontsize=SMALL, frameon=False, **below)
    else:
        # Curves of so many classes are no picture: one strip each.
        ax = axes(ax, (COLUMN, 0.8 + 0.2 * count))
        peak = figure.shares.max() or 1.0
        for k in range(count):
            place = count - 1 - k
            ax.stairs(place + 0.9 * figure.shares[k] / peak, figure.edges, baseline=place,
                      fill=True, color=COLOURS[0], alpha=0.75)  # fmt: skip
        ax.set_yticks(np.arange(count)[::-1] + 0.3, shorts(figure.classes, 18))
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(-0.1, count)
    ax.set_xlabel(short(figure.what, 40))
    if name:
        ax.set_title(short(name, 40), fontsize=TEXT)
    despined(ax, despine)
    return ax
