"""Pictures, by matplotlib: ``pip install "polyroc[plot]"``, then ``pr.plot.polar(y, models)``."""

from __future__ import annotations

from polyroc._plot.forest import differences, folds, models, replicates, scores
from polyroc._plot.pairs import pair_differences, pairs
from polyroc._plot.polar import polar

__all__ = [
    "differences",
    "folds",
    "models",
    "pair_differences",
    "pairs",
    "polar",
    "replicates",
    "scores",
]
