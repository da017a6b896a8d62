"""Confusion matrices: what is said of rows against what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.public import picture
from polyroc._figures.confusion import confusion_figure
from polyroc._plot.pairs import MOST_WRITTEN, colour_scale, name_classes, square_size
from polyroc._plot.style import SMALL, TEXT, axes, settle, short

if TYPE_CHECKING:
    from polyroc._points.confusion_result import Confusion


@picture
def confusion(result: Confusion, *, ax: Any = None, name: str | None = None) -> Any:
    """Draw a confusion matrix: of the rows of each class, the share of which each class is said.

    Shares of a line add up to one, so that rare classes are seen as well as frequent ones. Up to
    twelve classes have counts in the cells.

    Parameters
    ----------
    result : Confusion
        As :func:`polyroc.confusion` gives it.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    name : str, optional
        What the model is called, for the title.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> ax = pr.plot.confusion(pr.confusion(y, models["naive Bayes"]))
    >>> ax.get_title(loc="left")
    'accuracy 0.840 (0.823 to 0.856)'
    """
    figure = confusion_figure(result)
    count, own = len(figure.classes), ax is None
    ax = axes(ax, square_size(count))
    image = ax.imshow(figure.shares, cmap="Blues", vmin=0.0, vmax=1.0)
    name_classes(ax, figure.classes)
    ax.set_xlabel("said", fontsize=TEXT)
    ax.set_ylabel("true", fontsize=TEXT)
    for i, j in np.argwhere(figure.counts > 0).tolist() if count <= MOST_WRITTEN else []:
        ax.text(j, i, f"{figure.counts[i, j]:,.10g}", ha="center", va="center", fontsize=SMALL - 1,
                color="white" if figure.shares[i, j] > 0.6 else "black")  # fmt: skip
    colour_scale(ax, image, "share of the class")
    low, high = figure.interval
    said = f"accuracy {figure.accuracy:.3f} ({low:.3f} to {high:.3f})"
    told = f"{short(name, 40)}\n{said}" if name else said
    words = ax.set_title(told, fontsize=SMALL, loc="left")
    if own:
        settle(ax, words)
    return ax
