"""The core's measures, made as tests say it in one line."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from polyroc import _core

Floats = NDArray[np.float64]
Made = _core.Measure


def auc(max_fpr: float | None = None) -> Made:
    return Made("auc") if max_fpr is None else Made("partial_auc", max_fpr=max_fpr)


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
