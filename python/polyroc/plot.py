"""Pictures, by matplotlib: ``pip install "polyroc[plot]"``, then ``pr.plot.polar(y, models)``."""

from __future__ import annotations

from polyroc._plot.confusion import confusion
from polyroc._plot.decision import calibration, decision_curve
from polyroc._plot.distributions import replicates, scores
from polyroc._plot.folds import folds
from polyroc._plot.forest import differences, models
from polyroc._plot.pairs import pair_differences, pairs
from polyroc._plot.polar import polar
from polyroc._plot.roc import precision_recall, roc

__all__ = [
    "calibration",
    "confusion",
    "decision_curve",
    "differences",
    "folds",
    "models",
    "pair_differences",
    "pairs",
    "polar",
    "precision_recall",
    "replicates",
    "roc",
    "scores",
]
