"""Probabilities judged: decision curves and calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.public import picture
from polyroc._figures.calibration import calibration_figures
from polyroc._figures.contrasts import contrasts
from polyroc._plot.curves import SHADE
from polyroc._plot.grid import make_room
from polyroc._plot.style import (
    COLUMN,
    GREY,
    MARKERS,
    SMALL,
    TEXT,
    axes,
    by_name,
    despined,
    grey_line,
    lines_of,
    own_kwargs,
    short_by_name,
    versus,
)
from polyroc._points.decision_curve import decision_curve as curve_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polyroc._base.types import Labels, Scores
    from polyroc._figures.contrasts import Contrast
    from polyroc._plot.style import CurveKwargs
    from polyroc._points.decision_curve import DecisionCurve

_BELOW = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.17), "fontsize": SMALL,
          "frameon": False}  # fmt: skip


@picture
def decision_curve(
    y_true: Labels,
    y_score: Scores | Mapping[str, Scores],
    *,
    ax: Any = None,
    name: str | None = None,
    thresholds: Scores | None = None,
    prevalence: float | None = None,
    confidence: float = 0.95,
    highlight: str | Sequence[str] | None = None,
    despine: bool = True,
    curve_kwargs: CurveKwargs = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> Any:
    """Draw the net benefit of models over threshold probabilities (Vickers and Elkin 2006).

    Beside them stand acting on every row and on none: a model helps where it lies above both.

    Parameters
    ----------
    y_true : array_like
        Labels. Of more than two classes, `pos_label` names the one to tell from the rest.
    y_score : array_like, or dict of them
        Probabilities of a model, or of several by name.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    name : str, optional
        What a single model is called.
    thresholds, prevalence
        As for :func:`polyroc.decision_curve`.
    confidence : float
        Of the limits, which hold at each threshold by itself.
    highlight : str or list of str, optional
        Models that stand out; of more than five that of the greatest mean net benefit does.
    despine : bool
        Whether the frame has two sides only.
    curve_kwargs : dict, or list of dict, optional
        What matplotlib is told of the curves: of all, or of each.
    labels, pos_label, sample_weight, n_threads
        As for :func:`polyroc.decision_curve`.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> ax = pr.plot.decision_curve(y, models, pos_label=8)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('threshold probability', 'net benefit')
    """
    one = _one(
        y_true, by_name(y_score, name), pos_label=pos_label, labels=labels,
        sample_weight=sample_weight, n_threads=n_threads,
    )  # fmt: skip
    options = {key: one.options[key] for key in ("sample_weight", "n_threads")}
    curves = {
        model: curve_of(one.y_true, scores, thresholds=thresholds, prevalence=prevalence,
                        confidence=confidence, **options)
        for model, scores in one.scores.items()
    }  # fmt: skip
    ax = _drawn(curves, ax, despine, curve_kwargs, highlight)
    ax.set_title(versus(one), fontsize=TEXT)
    return ax


def draw_result(
    curve: DecisionCurve, *, ax: Any = None, name: str | None = None, despine: bool = True,
    curve_kwargs: Any = None,
) -> Any:  # fmt: skip
    """Draw one decision curve."""
    return _drawn({name or "model": curve}, ax, despine, curve_kwargs)


def _drawn(
    curves: Mapping[str, DecisionCurve], ax: Any, despine: bool, curve_kwargs: CurveKwargs,
    highlight: str | Sequence[str] | None = None,
) -> Any:  # fmt: skip
    own = ax is None
    ax = axes(ax, (COLUMN, 2.6))
    head = next(iter(curves.values()))
    kwargs = own_kwargs(curve_kwargs, len(curves))
    means = [float(curve.net_benefit.mean()) for curve in curves.values()]
    styles = lines_of(list(curves), means, highlight)
    limits, told = f"{head.confidence * 100:g} % pointwise limits", short_by_name(curves)
    shades = []
    for k, (name, curve) in enumerate(curves.items()):
        style = styles[k]
        look = grey_line(styles, k) if style is None else {**style, "label": told[name]}
        drawn = ax.plot(curve.thresholds, curve.net_benefit, **{**look, **kwargs[k]})[0]
        if style is not None:
            shades.append(ax.fill_between(
                curve.thresholds, curve.interval[:, 0], curve.interval[:, 1], alpha=SHADE,
                color=drawn.get_color(), linewidth=0.5,
            ))  # fmt: skip
    ax.plot(head.thresholds, head.treat_all, color=GREY, linewidth=1.0, label="act on all")
    ax.axhline(0.0, color=GREY, linewidth=0.8, linestyle=(0, (2, 2)), label="act on none")
    # Acting on all falls without end; what matters lies near and above nothing.
    top = max(float(curve.interval.max()) for curve in curves.values())
    ax.set_ylim(-0.25 * max(top, 0.02), 1.08 * max(top, 0.02))
    ax.set(xlabel="threshold probability", ylabel="net benefit", xlim=(0, 1))
    handles, labels = ax.get_legend_handles_labels()
    if shades:  # said once, after the models
        at = len(handles) - 2
        handles.insert(at, shades[0])
        labels.insert(at, limits)
    ax.legend(handles, labels, **_BELOW, ncols=2, columnspacing=1.0)
    despined(ax, despine)
    if own:
        make_room(ax)
    return ax


@picture
def calibration(
    y_true: Labels,
    y_score: Scores | Mapping[str, Scores],
    *,
    ax: Any = None,
    name: str | None = None,
    bins: int = 10,
    confidence: float = 0.95,
    highlight: str | Sequence[str] | None = None,
    despine: bool = True,
    curve_kwargs: CurveKwargs = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> Any:
    """Draw how often a class is seen where a model gives it a probability.

    Rows are put into bins of about as many rows each; a bin stands at its mean probability, with
    Wilson's interval of the share that is seen. On the diagonal probabilities are what they say.

    Parameters
    ----------
    y_true : array_like
        Labels. Of more than two classes, `pos_label` names the one to tell from the rest.
    y_score : array_like, or dict of them
        Probabilities of a model, or of several by name.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    name : str, optional
        What a single model is called.
    bins : int
        How many bins; fewer where many rows have one probability.
    confidence : float
        Of the intervals.
    highlight : str or list of str, optional
        Models that stand out; of more than five the one that is nearest to the diagonal does.
    despine : bool
        Whether the frame has two sides only.
    curve_kwargs : dict, or list of dict, optional
        What matplotlib is told of the lines: of all, or of each.
    labels, pos_label, sample_weight, n_threads
        As for :func:`polyroc.decision_curve`.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> ax = pr.plot.calibration(y, models, pos_label=8)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('mean probability', 'share seen')
    """
    one = _one(
        y_true, by_name(y_score, name), pos_label=pos_label, labels=labels,
        sample_weight=sample_weight, n_threads=n_threads,
    )  # fmt: skip
    figures = calibration_figures(one, bins=bins, confidence=confidence)
    own = ax is None
    ax = axes(ax)
    kwargs = own_kwargs(curve_kwargs, len(figures))
    near = [-float(np.average(np.abs(figure.observed - figure.predicted), weights=figure.counts))
            for figure in figures]  # fmt: skip
    styles = lines_of([figure.name for figure in figures], near, highlight)
    told = short_by_name(figure.name for figure in figures)
    for k, figure in enumerate(figures):
        style = styles[k]
        look = grey_line(styles, k) if style is None else {
            **style, "linewidth": 1.0, "marker": MARKERS[k % len(MARKERS)], "markersize": 4,
            "label": told[figure.name],
        }  # fmt: skip
        drawn = ax.plot(figure.predicted, figure.observed, **{**look, **kwargs[k]})[0]
        if style is not None:
            ax.vlines(figure.predicted, figure.low, figure.high, color=drawn.get_color(),
                      linewidth=1.0, alpha=0.7)  # fmt: skip
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=(0, (2, 2)), zorder=1,
            label="calibrated")  # fmt: skip
    ticks = np.linspace(0, 1, 6)
    ax.set(xlabel="mean probability", ylabel="share seen", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02),
           xticks=ticks, yticks=ticks, aspect="equal")  # fmt: skip
    title = f"up to {bins} bins of as many rows; {confidence * 100:g} % intervals"
    ax.set_title(f"{versus(one)}\n{title}", fontsize=SMALL)
    ax.legend(**_BELOW, ncols=2, columnspacing=1.0)
    despined(ax, despine)
    if own:
        make_room(ax)
    return ax


def _one(y_true: Any, models: dict[str, Any], **given: Any) -> Contrast:
    found = contrasts(y_true, models, **given)
    if len(found) > 1:
        raise ValueError(
            f"there are {len(found)} classes, and the picture is of one against the rest; "
            "choose it by pos_label"
        )
    return found[0]
