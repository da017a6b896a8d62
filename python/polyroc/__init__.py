"""Exact AUC measures for two and more classes, on a Rust core."""

from polyroc._auc import Auc, auc
from polyroc._auc_mu import AucMu, auc_mu
from polyroc._boosting import lightgbm_metric, xgboost_metric
from polyroc._bootstrap import bootstrap
from polyroc._bootstrap_result import BootstrapResult, BootstrapWarning
from polyroc._bradley import bradley
from polyroc._bradley_result import BradleyResult
from polyroc._compare import compare
from polyroc._comparison import Comparison
from polyroc._core import __version__
from polyroc._cross_validation import CrossValidation, cross_validate_folds
from polyroc._delong import delong
from polyroc._estimate import Estimate
from polyroc._example import example_predictions
from polyroc._hand_till import HandTill, hand_till
from polyroc._hanley_mcneil import hanley_mcneil
from polyroc._one_vs_rest import OneVsRest, one_vs_rest
from polyroc._pairwise import pairwise
from polyroc._polar_area import PolarArea, polar_area
from polyroc._power import power_auc, sample_size_auc
from polyroc._power_difference import power_difference, sample_size_difference
from polyroc._power_pilot import power_from_pilot, sample_size_from_pilot
from polyroc._power_result import PowerAnalysis
from polyroc._scorer import Scorer, scorer

__all__ = [
    "Auc",
    "AucMu",
    "BootstrapResult",
    "BootstrapWarning",
    "BradleyResult",
    "Comparison",
    "CrossValidation",
    "Estimate",
    "HandTill",
    "OneVsRest",
    "PolarArea",
    "PowerAnalysis",
    "Scorer",
    "__version__",
    "auc",
    "auc_mu",
    "bootstrap",
    "bradley",
    "compare",
    "cross_validate_folds",
    "delong",
    "example_predictions",
    "hand_till",
    "hanley_mcneil",
    "lightgbm_metric",
    "one_vs_rest",
    "pairwise",
    "polar_area",
    "power_auc",
    "power_difference",
    "power_from_pilot",
    "sample_size_auc",
    "sample_size_difference",
    "sample_size_from_pilot",
    "scorer",
    "xgboost_metric",
]
