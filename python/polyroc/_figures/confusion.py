"""A confusion matrix as it is drawn: counts, and shares of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._points.confusion_result import Confusion


class ConfusionFigure(NamedTuple):
    """True classes by line, said ones by column."""

    classes: list[str]
    counts: Floats
    shares: Floats  # of the rows of each true class; nan where it has none
    accuracy: float
    interval: tuple[float, float]


def confusion_figure(result: Confusion) -> ConfusionFigure:
    """Return the counts, and how the rows of each class are shared out."""
    counts = np.asarray(result.counts, dtype=np.float64)
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.full_like(counts, np.nan), where=totals > 0)
    low, high = result.interval["accuracy"].tolist()
    return ConfusionFigure(
        [str(label) for label in result.classes], counts, shares, result.accuracy, (low, high)
    )
