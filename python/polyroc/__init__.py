"""Exact AUC measures for two and more classes, on a Rust core."""

from __future__ import annotations

import os as _os
from typing import Any as _Any

from polyroc._core import __version__
from polyroc._core import optimised as _optimised

# Where each public name lives. It is loaded when first asked for, which keeps the import short.
_HOMES = {
    "Auc": "_measures.auc",
    "AucMu": "_measures.auc_mu",
    "AveragePrecision": "_measures.average_precision",
    "BootstrapResult": "_inference.bootstrap_result",
    "BootstrapWarning": "_inference.bootstrap_result",
    "BradleyResult": "_bradley.result",
    "Comparison": "_compare.result",
    "Confusion": "_points.confusion_result",
    "CrossValidation": "_bradley.cross_validation",
    "DecisionCurve": "_points.decision_curve",
    "Estimate": "_inference.estimate",
    "ExpectedCorrect": "_measures.expected_correct",
    "FprAt": "_measures.rate_at",
    "HMeasure": "_measures.h_measure",
    "HandTill": "_measures.hand_till",
    "HullArea": "_measures.hull_area",
    "Hum": "_measures.hum",
    "InfluenceSums": "_pipelines.influence_sums",
    "InfluenceTables": "_pipelines.influence_tables",
    "KolmogorovSmirnov": "_measures.kolmogorov_smirnov",
    "Multilabel": "_measures.multilabel",
    "OneVsRest": "_measures.one_vs_rest",
    "OperatingPoint": "_points.operating_point_result",
    "PartialAuc": "_measures.partial_auc",
    "Pdi": "_measures.pdi",
    "PolarArea": "_measures.polar_area",
    "PowerAnalysis": "_power.result",
    "PrCurve": "_curves.pr_points",
    "PrCurves": "_curves.by_name",
    "ProportionCorrect": "_measures.proportion_correct",
    "RecallAt": "_measures.recall_at",
    "Report": "_report.report",
    "Results": "_inference.results",
    "RocBand": "_inference.roc_band",
    "RocCurve": "_curves.roc_points",
    "RocCurves": "_curves.by_name",
    "RocFolds": "_curves.fold_curves",
    "RocHull": "_curves.roc_hull",
    "Scorer": "_adapters.scikit_learn",
    "State": "_pipelines.state",
    "StateComparison": "_pipelines.state_comparison",
    "StateComparisons": "_pipelines.state_comparison",
    "StateValue": "_pipelines.state_value",
    "StateValues": "_pipelines.state_value",
    "TprAt": "_measures.rate_at",
    "TupleSample": "_measures.tuple_sample",
    "Vus": "_measures.vus",
    "auc": "_measures.auc",
    "auc_mu": "_measures.auc_mu",
    "average_precision": "_measures.average_precision",
    "bootstrap": "_inference.bootstrap",
    "bradley": "_bradley.bradley",
    "compare": "_compare.compare",
    "confusion": "_points.confusion",
    "cross_validate_folds": "_bradley.cross_validation",
    "decision_curve": "_points.decision_curve",
    "delong": "_inference.delong",
    "evaluate": "_pipelines.evaluate",
    "evaluate_batches": "_pipelines.two_passes",
    "example_predictions": "_example.example",
    "expected_correct": "_measures.expected_correct",
    "ferri_vus": "_measures.ferri_vus",
    "fpr_at": "_measures.rate_at",
    "from_cells": "_pipelines.from_cells",
    "h_measure": "_measures.h_measure",
    "hand_till": "_measures.hand_till",
    "hanley_mcneil": "_stats.hanley_mcneil",
    "hull_area": "_measures.hull_area",
    "hum": "_measures.hum",
    "kolmogorov_smirnov": "_measures.kolmogorov_smirnov",
    "lightgbm_metric": "_adapters.boosting",
    "multilabel": "_measures.multilabel",
    "net_benefit": "_points.net_benefit",
    "one_vs_rest": "_measures.one_vs_rest",
    "operating_point": "_points.operating_point",
    "pairwise": "_measures.pairwise",
    "partial_auc": "_measures.partial_auc",
    "pdi": "_measures.pdi",
    "polar_area": "_measures.polar_area",
    "power_auc": "_power.one_auc",
    "power_difference": "_power.difference",
    "power_from_pilot": "_power.pilot",
    "pr_curve": "_curves.pr_curve",
    "proportion_correct": "_measures.proportion_correct",
    "recall_at": "_measures.recall_at",
    "roc_band": "_inference.roc_band",
    "roc_curve": "_curves.roc_curve",
    "roc_folds": "_curves.fold_curves",
    "roc_hull": "_curves.roc_hull",
    "sample_size_auc": "_power.one_auc",
    "sample_size_difference": "_power.difference",
    "sample_size_from_pilot": "_power.pilot",
    "sample_size_width": "_power.width",
    "scorer": "_adapters.scikit_learn",
    "tpr_at": "_measures.rate_at",
    "vus": "_measures.vus",
    "xgboost_early_stopping": "_adapters.early_stopping",
    "xgboost_metric": "_adapters.boosting",
}
# Modules of their own, each for a package that not everyone has.
_MODULES = ("dask", "plot", "spark", "torch")
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> _Any:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"polyroc.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'polyroc' has no attribute {name!r}")
    thing = globals()[name] = getattr(import_module(f"polyroc.{home}"), name)
    return thing


def __dir__() -> list[str]:
    return __all__


if not _optimised:
    from polyroc._base.build import warn_if_slow as _warn_if_slow

    _warn_if_slow()
if _os.environ.get("EAGER_IMPORT"):  # the convention of SPEC 1: all at once, for tests and servers
    for _name in _HOMES:
        __getattr__(_name)
