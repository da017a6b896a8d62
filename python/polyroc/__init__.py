"""Exact AUC measures for two and more classes, on a Rust core."""

from polyroc._adapters.boosting import lightgbm_metric, xgboost_metric
from polyroc._adapters.early_stopping import xgboost_early_stopping
from polyroc._adapters.scikit_learn import Scorer, scorer
from polyroc._base.build import warn_if_slow as _warn_if_slow
from polyroc._bradley.bradley import bradley
from polyroc._bradley.cross_validation import CrossValidation, cross_validate_folds
from polyroc._bradley.result import BradleyResult
from polyroc._compare.compare import compare
from polyroc._compare.result import Comparison
from polyroc._core import __version__
from polyroc._example.example import example_predictions
from polyroc._inference.bootstrap import bootstrap
from polyroc._inference.bootstrap_result import BootstrapResult, BootstrapWarning
from polyroc._inference.delong import delong
from polyroc._inference.estimate import Estimate
from polyroc._inference.results import Results
from polyroc._measures.auc import Auc, auc
from polyroc._measures.auc_mu import AucMu, auc_mu
from polyroc._measures.average_precision import AveragePrecision, average_precision
from polyroc._measures.hand_till import HandTill, hand_till
from polyroc._measures.kolmogorov_smirnov import KolmogorovSmirnov, kolmogorov_smirnov
from polyroc._measures.one_vs_rest import OneVsRest, one_vs_rest
from polyroc._measures.pairwise import pairwise
from polyroc._measures.polar_area import PolarArea, polar_area
from polyroc._power.difference import power_difference, sample_size_difference
from polyroc._power.one_auc import power_auc, sample_size_auc
from polyroc._power.pilot import power_from_pilot, sample_size_from_pilot
from polyroc._power.result import PowerAnalysis
from polyroc._stats.hanley_mcneil import hanley_mcneil

__all__ = [
    "Auc",
    "AucMu",
    "AveragePrecision",
    "BootstrapResult",
    "BootstrapWarning",
    "BradleyResult",
    "Comparison",
    "CrossValidation",
    "Estimate",
    "HandTill",
    "KolmogorovSmirnov",
    "OneVsRest",
    "PolarArea",
    "PowerAnalysis",
    "Results",
    "Scorer",
    "__version__",
    "auc",
    "auc_mu",
    "average_precision",
    "bootstrap",
    "bradley",
    "compare",
    "cross_validate_folds",
    "delong",
    "example_predictions",
    "hand_till",
    "hanley_mcneil",
    "kolmogorov_smirnov",
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
    "xgboost_early_stopping",
    "xgboost_metric",
]

for _name in __all__:
    if _name != "__version__":
        globals()[_name].__module__ = __name__  # pickles and help pages do not name rooms
del _name

_warn_if_slow()
