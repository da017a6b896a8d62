"""Calibration: how often a class is seen where a model gives it a probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._stats.wilson_interval import wilson

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._figures.contrasts import Contrast

BINS = 10


class CalibrationFigure(NamedTuple):
    """Bins of about as many rows each, rising."""

    name: str
    predicted: Floats  # the mean probability of each bin
    observed: Floats  # the share of the class in it
    low: Floats
    high: Floats
    counts: Floats  # rows


def calibration_figures(
    contrast: Contrast, *, bins: int = BINS, confidence: float = 0.95
) -> list[CalibrationFigure]:
    """Return mean probability and observed share in bins of about as many rows each.

    Limits are Wilson's; weighted rows count as many as have the same error, (sum w)^2 / sum w^2
    (L. Kish, Survey Sampling, 1965). Rows of one probability are in one bin.
    """
    weights = contrast.options["sample_weight"]
    out = []
    for name, scores in contrast.scores.items():
        scores = np.asarray(scores, dtype=np.float64)
        wrong = ~((scores >= 0) & (scores <= 1))
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(
                f"y_score of {name!r} is {scores[row]:g} in row {row}; calibration compares "
                "probabilities in [0, 1] with what is seen"
            )
        masses = np.ones(len(scores)) if weights is None else weights
        cuts = np.unique(np.quantile(scores, np.linspace(0, 1, bins + 1)[1:-1]))
        at = np.searchsorted(cuts, scores, side="right")
        size = len(cuts) + 1
        total, squares, seen, sums = (
            np.bincount(at, each, size)
            for each in (masses, masses**2, masses * contrast.y_true, masses * scores)
        )
        kept = total > 0
        total, squares, seen, sums = total[kept], squares[kept], seen[kept], sums[kept]
        effective = total**2 / squares
        limits = wilson(seen / total * effective, effective, confidence)
        out.append(
            CalibrationFigure(
                name, sums / total, seen / total, limits[:, 0], limits[:, 1],
                np.bincount(at, minlength=size)[kept].astype(np.float64),
            )
        )  # fmt: skip
    return out
