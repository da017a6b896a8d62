"""Cross-validation: values fold by fold, and the averaged ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.public import picture
from polyroc._figures.curves import Area, roc_line
from polyroc._figures.forest import fold_figure
from polyroc._plot.curves import SHADE, draw_roc
from polyroc._plot.style import (
    COLUMN,
    MARKERS,
    SMALL,
    axes,
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

    from polyroc._bradley.result import BradleyResult
    from polyroc._curves.fold_curves import RocFolds
    from polyroc._plot.style import CurveKwargs

MOST_TICKS = 20


@picture
def folds(
    result: BradleyResult,
    *,
    ax: Any = None,
    highlight: str | Sequence[str] | None = None,
    despine: bool = True,
    curve_kwargs: CurveKwargs = None,
) -> Any:
    """Draw the values of classifiers over the folds of a cross-validation (Bradley 1997).

    Folds have no order: lines join the values of a classifier so that it can be followed. Of more
    than five classifiers that of the greatest mean stands out, the others are grey.

    Parameters
    ----------
    result : BradleyResult
        As :func:`polyroc.bradley` gives it.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    highlight : str or list of str, optional
        Classifiers that stand out.
    despine : bool
        Whether the frame has two sides only.
    curve_kwargs : dict, or list of dict, optional
        What matplotlib is told of the lines: of all, or of each.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> parts = [(y[k::5], {name: p[k::5] for name, p in models.items()}) for k in range(5)]
    >>> ax = pr.plot.folds(pr.bradley(parts, "auc_mu"))
    >>> ax.lines[2].get_ydata().round(3)
    array([0.983, 0.984, 0.984, 0.986, 0.991])
    """
    figure = fold_figure(result)
    ax = axes(ax, (COLUMN * 1.3, 2.9))
    at = np.arange(len(figure.folds))
    styles = lines_of(figure.classifiers, figure.means.tolist(), highlight)
    own = own_kwargs(curve_kwargs, len(styles))
    means = [Area(*pair) for pair in zip(figure.means, figure.standard_errors, strict=True)]
    digits, told = digits_for(means), shorts(figure.classifiers)
    for k, style in enumerate(styles):
        if style is None:
            look = grey_line(styles, k, figure.means.tolist(), "mean ")
        else:
            label = f"{told[k]}, mean {valued(means[k], digits)}"
            look = {**style, "marker": MARKERS[k % len(MARKERS)], "markersize": 4, "label": label}
        ax.plot(at, figure.values[k], **{**look, **own[k]})
    step = -(-len(at) // MOST_TICKS)
    ax.set_xticks(at[::step], shorts(figure.folds, 12)[::step])
    ax.set_xlabel("fold")
    ax.set_ylabel(figure.what)
    columns = 1 if len(styles) - styles.count(None) > 3 else 2
    ax.legend(fontsize=SMALL, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.17),
              ncols=columns, columnspacing=1.0)  # fmt: skip
    despined(ax, despine)
    return ax


def averaged_curve(
    result: RocFolds, *, ax: Any = None, name: str | None = None, plot_chance_level: bool = True,
    despine: bool = True, curve_kwargs: Any = None,
) -> Any:  # fmt: skip
    """Draw the curve averaged over folds with its limits, and that of all rows pooled."""
    ax = axes(ax)
    pooled = roc_line("all rows pooled", result.pooled)
    spread = result.aucs.std(ddof=1) / np.sqrt(len(result.aucs))
    title = name or f"mean of {len(result.aucs)} folds"
    mean = pooled._replace(
        name=title, fpr=result.fpr, tpr=result.tpr, area=Area(result.auc, float(spread))
    )
    label = f"{result.confidence * 100:g} % pointwise limits over folds"
    ax.fill_between(result.fpr, result.low, result.high, color="#0072B2", alpha=SHADE,
                    linewidth=0.5, label=label)  # fmt: skip
    draw_roc(ax, [mean, pooled], plot_chance_level=plot_chance_level, despine=despine,
             curve_kwargs=curve_kwargs)  # fmt: skip
    return ax
