"""The core's measures, made as tests say it in one line."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from polyroc import _core

Floats = NDArray[np.float64]
Made = _core.Measure


def auc(max_fpr: float | None = None) -> Made:
    return Made("auc") if max_fpr is None else partial_auc(0.0, max_fpr, standardize=True)


def partial_auc(
    low: float, high: float, *, over_tpr: bool = False, standardize: bool = False, kind: str = ""
) -> Made:
    kinds = {name: name == kind for name in ("by_column", "projected", "both_ways")}
    kinds["both_ways"] |= kinds["projected"]
    more: dict[str, Any] = {"partition": None, "unit_roundoff": 0.0} if kinds["projected"] else {}
    return Made(
        "partial_auc", low=low, high=high, over_tpr=over_tpr, standardize=standardize, **kinds,
        **more,
    )  # fmt: skip


def auc_and_error() -> Made:
    return Made("auc_and_error")


def hand_till(pair_weights: Floats | str | None = None) -> Made:
    return Made("hand_till", pair_weights=pair_weights)


def auc_mu(A: Floats | None, u: float, pair_weights: Floats | str | None = None) -> Made:
    return Made("auc_mu", partition=A, unit_roundoff=u, pair_weights=pair_weights)


def one_vs_rest(K: int, average: str | None) -> Made:
    return Made("one_vs_rest", n_classes=K, average=average)


def micro() -> Made:
    return Made("micro")


def polar_area(K: int, rays: Any, maximise: bool, normalise: bool) -> Made:
    rays = np.array(rays, dtype=np.float64)
    return Made("polar_area", n_classes=K, rays=rays, maximise=maximise, normalise=normalise)


def column_pairs(K: int, symmetric: bool) -> Made:
    return Made("all_pairs", n_classes=K, symmetric=symmetric, projected=False)


def projected_pairs(K: int, A: Floats | None, u: float) -> Made:
    options = {"partition": A, "unit_roundoff": u}
    return Made("all_pairs", n_classes=K, symmetric=False, projected=True, **options)
