"""Measure objects with their options and defaults, as they are promised."""

from __future__ import annotations

import inspect
from typing import Any

import polyroc as pr

REQUIRED = inspect.Parameter.empty
OBJECTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "auc": (pr.Auc, {"max_fpr": None}),
    "hand_till": (pr.HandTill, {"pair_weights": None, "absent": "raise"}),
    "auc_mu": (
        pr.AucMu,
        {"partition": None, "pair_weights": None, "ties": "rounding", "absent": "raise"},
    ),
    "one_vs_rest": (pr.OneVsRest, {"average": "macro", "absent": "raise"}),
    "average_precision": (pr.AveragePrecision, {"average": "macro", "absent": "raise"}),
    "h_measure": (pr.HMeasure, {"severity": None, "severity_ratio": None, "absent": "raise"}),
    "hull_area": (pr.HullArea, {"absent": "raise"}),
    "kolmogorov_smirnov": (pr.KolmogorovSmirnov, {}),
    "proportion_correct": (pr.ProportionCorrect, {"pairs": False, "absent": "raise"}),
    "expected_correct": (pr.ExpectedCorrect, {"threshold": None, "screened": None}),
    "polar_area": (pr.PolarArea, {"normalize": False, "order": None, "absent": "raise"}),
    "vus": (pr.Vus, {"absent": "raise"}),
    "hum": (pr.Hum, {"ties": "rounding", "absent": "raise", "n_tuples": None, "seed": None}),
    "pdi": (pr.Pdi, {"average": "macro", "absent": "raise"}),
}
# Those with an option that has no default, with one that it may have.
NEEDING: dict[str, tuple[Any, dict[str, Any]]] = {
    "partial_auc": (
        pr.PartialAuc(fpr=(0, 0.1)),
        {"fpr": None, "tpr": None, "standardize": False, "pairs": None, "absent": "raise"},
    ),
    "tpr_at": (pr.TprAt(0.05), {"fpr": REQUIRED}),
    "fpr_at": (pr.FprAt(0.95), {"tpr": REQUIRED}),
    "recall_at": (pr.RecallAt(0.9), {"precision": REQUIRED}),
}
