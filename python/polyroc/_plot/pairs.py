"""Heat maps of the pairs of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from polyroc._base.public import picture
from polyroc._figures.forest import LEVEL
from polyroc._figures.pairs import lowest_pairs, pair_figure
from polyroc._figures.pairs import pair_differences as differences_of_pairs
from polyroc._plot.style import SMALL, TEXT, axes, settle, short, shorts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polyroc._base.types import Labels, Scores
    from polyroc._figures.pairs import PairFigure

MOST_WRITTEN = 12  # classes whose values stand in the cells
MOST_NAMED = 100  # classes that are named
FEW = 6  # classes up to which there is room for longer names
LOWEST = 3  # pairs that are named where values are not written
CELL = 0.42  # inches, where values are written
LARGEST = 9.0
LETTER = 0.6 / 72  # inches that a letter is wide, by its size in points
LONGEST_BAR = 26  # letters that fit beside a scale of colours


@picture
def pairs(
    y_true: Labels,
    y_score: Scores,
    *,
    ax: Any = None,
    name: str | None = None,
    confidence: float = 0.95,
    labels: Labels | None = None,
    sample_weight: Scores | None = None,
    groups: Labels | None = None,
    n_threads: int | None = None,
) -> Any:
    """Draw the AUC of every pair of classes, A(i,j), with its interval, as a heat map.

    Above the diagonal are the values, below it the lower limits of their intervals: a pair that is
    dark there may be hard to tell apart, however high its value. Classes that are hard to tell
    apart stand side by side. The scale goes from 0.5 to 1 whatever the values; those below 0.5 are
    hatched. Up to twelve classes have numbers in the cells, below the diagonal both limits; of
    more, the title names the lowest pairs. Up to a hundred classes are named.

    Parameters
    ----------
    y_true, y_score
        As for :func:`polyroc.hand_till`.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    name : str, optional
        What the model is called, for the title.
    confidence : float
        Of the intervals, which are DeLong's.
    labels, sample_weight, groups, n_threads
        As for :func:`polyroc.delong`.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> ax = pr.plot.pairs(y, models["naive Bayes"])
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['0', '4', '2', '3', '9', '8', '7', '1', '5', '6']
    """
    figure = pair_figure(
        y_true, y_score, confidence=confidence, labels=labels, sample_weight=sample_weight,
        groups=groups, n_threads=n_threads,
    )  # fmt: skip
    return draw_pairs(figure, ax, name)


def draw_pairs(figure: PairFigure, ax: Any, name: str | None = None) -> Any:
    """Draw values above the diagonal and lower limits below it."""
    count, own = len(figure.classes), ax is None
    ax = axes(ax, square_size(count))
    shown = np.where(np.tri(count, k=-1, dtype=bool), figure.low, figure.values)
    image = ax.imshow(shown, cmap="viridis", vmin=0.5, vmax=1.0)
    name_classes(ax, figure.classes)
    colour_scale(ax, image)
    for i, j in np.argwhere(shown < 0.5).tolist():
        ax.add_patch(_hatched(i, j))
    level = f"{figure.confidence * 100:g} %"
    title = [f"above: A(i,j); below: lower limits of {level} intervals"]
    if count <= MOST_WRITTEN:
        title = ["above: A(i,j)", f"below: {level} intervals, colour by lower limit"]
        for i, j in np.argwhere(~np.isnan(shown)).tolist():
            text = f"{shown[i, j]:.3f}"
            if i > j:
                text += f"\nto {figure.high[i, j]:.3f}"
            # On a ground of its own where the cell is hatched.
            ground = {"facecolor": image.cmap(0.0), "edgecolor": "none", "pad": 0.6}
            ax.text(j, i, text, ha="center", va="center", fontsize=SMALL - (1 if i < j else 1.5),
                    color="white" if shown[i, j] < 0.8 else "black",
                    bbox=ground if shown[i, j] < 0.5 else None)  # fmt: skip
    else:
        told = shorts(figure.classes, 20)
        for k, (i, j) in enumerate(lowest_pairs(figure, LOWEST)):
            names = f"{told[i]} - {told[j]}"
            limits = f"{figure.low[i, j]:.3f} to {figure.high[i, j]:.3f}"
            title.append(f"{'' if k else 'lowest: '}{names} {figure.values[i, j]:.3f} ({limits})")
    if (shown < 0.5).any():
        title[0] += "; hatched: below 0.5"
    named = [short(name, 40)] if name else []
    words = ax.set_title("\n".join([*named, *title]), fontsize=SMALL, loc="left")
    if own:
        settle(ax, words)
    return ax


@picture
def pair_differences(
    y_true: Labels,
    y_score: Mapping[str, Scores],
    *,
    ax: Any = None,
    adjust: Literal["holm", "bonferroni"] | None = "holm",
    labels: Labels | None = None,
    sample_weight: Scores | None = None,
    groups: Labels | None = None,
    n_threads: int | None = None,
) -> Any:
    """Draw where two models differ: first minus second in A(i,j), for every pair of classes.

    Pairs whose difference is significant at 0.05 after adjustment have a frame; the title counts
    them. Up to twelve classes have numbers in the cells; of more, framed pairs that the second
    model wins have a dot, for those who print in grey.

    Parameters
    ----------
    y_true : array_like
        Labels of three classes or more.
    y_score : dict of array_like
        Two models by name.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    adjust : {"holm", "bonferroni", None}
        How p-values are adjusted for the number of pairs.
    labels, sample_weight, groups, n_threads
        As for :func:`polyroc.compare`.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> two = {name: models[name] for name in ("logistic regression", "naive Bayes")}
    >>> ax = pr.plot.pair_differences(y, two)
    >>> print(ax.get_title(loc="left"))
    framed: Holm p < 0.05, in 10 of 45 pairs
    logistic regression wins 10, naive Bayes 0
    """
    figure = differences_of_pairs(
        y_true, y_score, adjust=adjust, labels=labels, sample_weight=sample_weight, groups=groups,
        n_threads=n_threads,
    )  # fmt: skip
    count, own = len(figure.classes), ax is None
    ax = axes(ax, square_size(count))
    reach = float(np.nanmax(np.abs(figure.differences))) or 1.0
    image = ax.imshow(figure.differences, cmap="PuOr", vmin=-reach, vmax=reach)
    name_classes(ax, figure.classes)
    sure = figure.p_adjusted < LEVEL
    for i, j in np.argwhere(sure).tolist():
        ax.add_patch(_framed(i, j, 1.2 if count <= 20 else 0.6))
    beaten = np.argwhere(sure & (figure.differences < 0))
    if count > MOST_WRITTEN and len(beaten):  # in grey, both ends of the scale are dark
        ax.plot(beaten[:, 1], beaten[:, 0], ".", color="black", markersize=2.5, linewidth=0)
    if count <= MOST_WRITTEN:
        for i, j in np.argwhere(~np.isnan(figure.differences)).tolist():
            value = figure.differences[i, j]
            ax.text(j, i, f"{value:+.3f}", ha="center", va="center", fontsize=SMALL - 1.5,
                    color="white" if abs(value) > 0.6 * reach else "black")  # fmt: skip
    first, second = shorts(figure.models, 20)
    apart = "\n" if len(first) + len(second) > LONGEST_BAR else " "
    colour_scale(ax, image, f"{first}{apart}\u2212 {second}")
    each = np.triu_indices(count, k=1)
    total = int(np.count_nonzero(~np.isnan(figure.differences[each])))
    won = int(np.count_nonzero(sure[each] & (figure.differences[each] > 0)))
    lost = int(np.count_nonzero(sure[each])) - won
    way = {"holm": "Holm p", "bonferroni": "Bonferroni p"}.get(str(adjust), "p")
    dotted = " (dotted)" if count > MOST_WRITTEN and lost else ""
    words = ax.set_title(f"framed: {way} < {LEVEL:g}, in {won + lost} of {total} pairs\n"
                 f"{first} wins {won}, {second} {lost}{dotted}",
                 fontsize=SMALL, loc="left")  # fmt: skip
    if own:
        settle(ax, words)
    return ax


def square_size(count: int) -> tuple[float, float]:
    """Return a size at which numbers in cells can be read, or at which names can."""
    cells = CELL * count if count <= MOST_WRITTEN else max(CELL * MOST_WRITTEN, 0.085 * count)
    side = min(max(cells + 0.9, 3.0), LARGEST)
    return side + 0.5, side + 0.2


def colour_scale(ax: Any, image: Any, what: str = "") -> None:
    """Put the scale of colours beside a heat map, lower than that is high."""
    bar = ax.figure.colorbar(image, cax=ax.inset_axes([1.03, 0.1, 0.045, 0.8]))
    bar.ax.tick_params(labelsize=SMALL)
    bar.set_label(what, fontsize=SMALL)


def name_classes(ax: Any, classes: list[str]) -> None:
    """Name the lines and columns of a heat map, up to a hundred of them."""
    count = len(classes)
    if count <= MOST_NAMED:
        names = shorts(classes, 18 if count <= FEW else 14)
        size = TEXT if count <= 16 else SMALL if count <= 30 else SMALL - 1 if count <= 50 else 4.5
        cell = (square_size(count)[1] - 0.9) / count
        turn = 0 if max(map(len, names)) * LETTER * size < cell else 90
        ax.set_xticks(range(count), names, rotation=turn, fontsize=size)
        ax.set_yticks(range(count), names, fontsize=size)
    else:
        ax.set_xlabel(f"{count} classes, alike ones side by side", fontsize=TEXT)
        ax.set_xticks([])
        ax.set_yticks([])
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _hatched(i: int, j: int) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(
        (j - 0.5, i - 0.5), 1, 1, fill=False, hatch="////", edgecolor="white", linewidth=0
    )


def _framed(i: int, j: int, width: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((j - 0.44, i - 0.44), 0.88, 0.88, fill=False, edgecolor="black",
                     linewidth=width)  # fmt: skip
