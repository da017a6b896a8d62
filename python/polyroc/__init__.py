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
    "CrossValidation": "_bradley.cross_validation",
    "Estimate": "_inference.estimate",
    "HandTill": "_measures.hand_till",
    "KolmogorovSmirnov": "_measures.kolmogorov_smirnov",
    "OneVsRest": "_measures.one_vs_rest",
    "PolarArea": "_measures.polar_area",
    "PowerAnalysis": "_power.result",
    "Report": "_report.report",
    "Results": "_inference.results",
    "Scorer": "_adapters.scikit_learn",
    "auc": "_measures.auc",
    "auc_mu": "_measures.auc_mu",
    "average_precision": "_measures.average_precision",
    "bootstrap": "_inference.bootstrap",
    "bradley": "_bradley.bradley",
    "compare": "_compare.compare",
    "cross_validate_folds": "_bradley.cross_validation",
    "delong": "_inference.delong",
    "evaluate": "_report.evaluate",
    "example_predictions": "_example.example",
    "hand_till": "_measures.hand_till",
    "hanley_mcneil": "_stats.hanley_mcneil",
    "kolmogorov_smirnov": "_measures.kolmogorov_smirnov",
    "lightgbm_metric": "_adapters.boosting",
    "one_vs_rest": "_measures.one_vs_rest",
    "pairwise": "_measures.pairwise",
    "polar_area": "_measures.polar_area",
    "power_auc": "_power.one_auc",
    "power_difference": "_power.difference",
    "power_from_pilot": "_power.pilot",
    "sample_size_auc": "_power.one_auc",
    "sample_size_difference": "_power.difference",
    "sample_size_from_pilot": "_power.pilot",
    "sample_size_width": "_power.width",
    "scorer": "_adapters.scikit_learn",
    "xgboost_early_stopping": "_adapters.early_stopping",
    "xgboost_metric": "_adapters.boosting",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> _Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'polyroc' has no attribute {name!r}")
    from importlib import import_module

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
