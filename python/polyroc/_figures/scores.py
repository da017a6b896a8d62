"""How scores are spread, by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._data.sample import prepare

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._data.sample import Sample

BINS = 30


class ScoreFigure(NamedTuple):
    """The share of each class's rows in bins of the score."""

    edges: Floats
    classes: list[str]
    shares: Floats  # one row per class, adding up to 1
    what: str  # whose scores


def score_figure(y_true: Any, y_score: Any, *, bins: int = BINS, **given: Any) -> ScoreFigure:
    """Return the spread of scores: of the favoured one of two classes, or of each row's own."""
    return score_figure_of(prepare(y_true, y_score, **given), bins)


def score_figure_of(sample: Sample, bins: int = BINS) -> ScoreFigure:
    """Return the same of rows that were checked."""
    scores = sample.scores
    if sample.n_classes == 2:
        values = scores if scores.ndim == 1 else scores[:, 1]
        what = f"score of {sample.classes[1]}"
    else:
        values = scores[np.arange(len(scores)), sample.codes]
        what = "score of the row's own class"
    values = np.asarray(values, dtype=np.float64)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    edges = np.linspace(low, high if high > low else low + 1.0, bins + 1)
    weights = np.ones(len(values)) if sample.weights is None else sample.weights
    shares = np.zeros((sample.n_classes, bins))
    inside = np.clip(values, edges[0], edges[-1])
    for k in range(sample.n_classes):
        own = sample.codes == k
        counts, _ = np.histogram(inside[own], edges, weights=weights[own])
        if counts.sum() > 0:
            shares[k] = counts / counts.sum()
    return ScoreFigure(edges, [str(label) for label in sample.classes], shares, what)
