"""Exact AUC measures for two and more classes, on a Rust core."""

from polyroc._auc import Auc, auc
from polyroc._auc_mu import AucMu, auc_mu
from polyroc._bootstrap import bootstrap
from polyroc._bootstrap_result import BootstrapResult, BootstrapWarning
from polyroc._compare import compare
from polyroc._comparison import Comparison
from polyroc._core import __version__
from polyroc._delong import delong
from polyroc._estimate import Estimate
from polyroc._example import example_predictions
from polyroc._hand_till import HandTill, hand_till
from polyroc._one_vs_rest import OneVsRest, one_vs_rest
from polyroc._pairwise import pairwise
from polyroc._polar_area import PolarArea, polar_area

__all__ = [
    "Auc",
    "AucMu",
    "BootstrapResult",
    "BootstrapWarning",
    "Comparison",
    "Estimate",
    "HandTill",
    "OneVsRest",
    "PolarArea",
    "__version__",
    "auc",
    "auc_mu",
    "bootstrap",
    "compare",
    "delong",
    "example_predictions",
    "hand_till",
    "one_vs_rest",
    "pairwise",
    "polar_area",
]
