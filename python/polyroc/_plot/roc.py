"""ROC and precision-recall pictures: one for two classes, a grid of them for more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from polyroc._base.public import picture
from polyroc._figures.contrasts import contrasts, hardest
from polyroc._figures.curves import pr_lines, roc_lines
from polyroc._plot.curves import draw_pr, draw_roc
from polyroc._plot.grid import MOST_PANELS, draw_grid, make_room
from polyroc._plot.style import TEXT, axes, by_name, panel_titles, versus

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from polyroc._base.types import Labels, Scores, Seed
    from polyroc._figures.contrasts import Contrast
    from polyroc._plot.style import CurveKwargs

MOST_CROSSED = 5  # classes whose pairs make a table of panels


@picture
def roc(
    y_true: Labels,
    y_score: Scores | Mapping[str, Scores],
    *,
    ax: Any = None,
    name: str | None = None,
    band: Literal["pointwise", "simultaneous"] | None = None,
    hull: bool = False,
    point: str | Mapping[str, Any] | None = None,
    highlight: str | Sequence[str] | None = None,
    kind: Literal["pairwise"] | None = None,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    seed: Seed = None,
    plot_chance_level: bool = True,
    despine: bool = True,
    curve_kwargs: CurveKwargs = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    groups: Labels | None = None,
    n_threads: int | None = None,
) -> Any:
    """Draw ROC curves: of one model or several, with bands, hulls and operating points.

    Two classes, or one of more against the rest (`pos_label`), are one picture. More classes are a
    grid with one panel per class, of at most twelve classes: those of the lowest AUC. Of more than
    five models one stands out and the others are grey. Legends give AUCs with DeLong's intervals.
    Curves of more than 1,000 points are thinned: no point that is left out lies further than
    0.0005 from what is drawn.

    Parameters
    ----------
    y_true : array_like
        Labels.
    y_score : array_like, or dict of them
        Scores of a model, or of several by name.
    ax : matplotlib axes, optional
        Where to draw one picture; a new figure by default.
    name : str, optional
        What a single model is called.
    band : {"pointwise", "simultaneous"}, optional
        A band around each curve, as :func:`polyroc.roc_band` makes it; the legend says which.
    hull : bool
        Whether to draw the convex hull of each curve.
    point : str or dict, optional
        Marks an operating point: "youden", or options of :func:`polyroc.operating_point`, as
        ``{"max_fpr": 0.05}``. The cross has the limits of both rates.
    highlight : str or list of str, optional
        Models that stand out; all others are grey.
    kind : {None, "pairwise"}
        Of more classes than two, what a panel compares: a class with the rest, or with another
        one. Up to five classes all pairs are drawn, else the twelve of the lowest AUC.
    confidence : float
        Of intervals and bands.
    n_resamples, seed
        Of the bootstrap that gives bands and the limits of points.
    plot_chance_level : bool
        Whether to draw the diagonal.
    despine : bool
        Whether the frame has two sides only.
    curve_kwargs : dict, or list of dict, optional
        What matplotlib is told of the curves: of all, or of each.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; of more, the only one to draw.
    labels, sample_weight, groups, n_threads
        As for :func:`polyroc.delong`.

    Returns
    -------
    matplotlib axes, or an array of them for a grid

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> ax = pr.plot.roc(y, models, pos_label=8, band="simultaneous", seed=1)
    >>> for text in ax.get_legend().get_texts():
    ...     print(text.get_text())
    logistic regression, AUC 0.9963 (0.9871 to 0.9986)
    9 nearest neighbours, AUC 0.9965 (0.9795 to 0.9999)
    naive Bayes, AUC 0.9538 (0.9325 to 0.9691)
    95 % simultaneous band
    chance, 0.5
    """
    look = {"highlight": highlight, "plot_chance_level": plot_chance_level, "despine": despine,
            "curve_kwargs": curve_kwargs}  # fmt: skip
    run: dict[str, Any] = {"band": band, "hull": hull, "point": point, "confidence": confidence,
           "n_resamples": n_resamples, "seed": seed}  # fmt: skip
    found = contrasts(
        y_true, by_name(y_score, name), kind=kind, pos_label=pos_label, labels=labels,
        sample_weight=sample_weight, groups=groups, n_threads=n_threads,
    )  # fmt: skip
    return _pictures(found, ax, lambda one: roc_lines(one, **run), draw_roc, look)


@picture
def precision_recall(
    y_true: Labels,
    y_score: Scores | Mapping[str, Scores],
    *,
    ax: Any = None,
    name: str | None = None,
    highlight: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    plot_chance_level: bool = True,
    despine: bool = True,
    curve_kwargs: CurveKwargs = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    groups: Labels | None = None,
    n_threads: int | None = None,
) -> Any:
    """Draw precision-recall curves of one model or several.

    Steps, so that the area below is the average precision, AP, which legends give with its limits.
    Chance is the share of the class. Several classes, many models and long curves as for `roc`.

    Parameters
    ----------
    y_true, y_score, ax, name, highlight, confidence, despine, curve_kwargs
        As for `roc`.
    plot_chance_level : bool
        Whether to draw the share of the class.
    labels, pos_label, sample_weight, groups, n_threads
        As for `roc`.

    Returns
    -------
    matplotlib axes, or an array of them for a grid

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> ax = pr.plot.precision_recall(y, models, pos_label=8)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('recall', 'precision')
    """
    look = {"highlight": highlight, "plot_chance_level": plot_chance_level, "despine": despine,
            "curve_kwargs": curve_kwargs}  # fmt: skip
    found = contrasts(
        y_true, by_name(y_score, name), pos_label=pos_label, labels=labels,
        sample_weight=sample_weight, groups=groups, n_threads=n_threads,
    )  # fmt: skip
    return _pictures(found, ax, lambda one: pr_lines(one, confidence=confidence), draw_pr, look)


def _pictures(
    found: Sequence[Contrast], ax: Any, lines: Callable[[Contrast], Any],
    draw: Callable[..., None], look: dict[str, Any],
) -> Any:  # fmt: skip
    """Draw one picture, or a grid of them."""
    if len(found) == 1:
        own = ax is None
        ax = axes(ax)
        draw(ax, lines(found[0]), **look)
        ax.set_title(versus(found[0]), fontsize=TEXT)
        if own:
            make_room(ax)
        return ax
    if ax is not None:
        raise ValueError(
            f"ax is one picture but there are {len(found)}; choose a class by pos_label, "
            "or leave ax out for a grid"
        )
    classes = list(dict.fromkeys(one.favoured for one in found))
    crossed = found[0].against is not None and len(classes) <= MOST_CROSSED
    shown = list(found) if crossed else hardest(found, MOST_PANELS)
    titles = panel_titles([(one.favoured, one.against) for one in shown])
    panels = [(title, lines(one)) for title, one in zip(titles, shown, strict=True)]
    heads = [] if found[0].against is not None else ["each class against the rest"]
    if crossed:
        places = [classes.index(one.favoured) * len(classes) + classes.index(str(one.against))
                  for one in shown]  # fmt: skip
        return draw_grid(panels, draw, look, columns=len(classes), places=places)
    if len(shown) < len(found):
        heads.append(f"the {len(shown)} lowest of {len(found)}")
    return draw_grid(panels, draw, look, heads=heads)
