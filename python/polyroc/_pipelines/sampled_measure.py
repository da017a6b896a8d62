"""AUC-mu of a sample of the rows of each class, and how far the sampling may have put it off."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._data.units import plan
from polyroc._inference.delong import delong
from polyroc._inference.influence import measured
from polyroc._measures.auc_mu import AucMu, auc_mu
from polyroc._measures.registry import read_sample

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._pipelines.row_sample import Kept, RowSample


class Sampled(NamedTuple):
    """What a sample says of AUC-mu."""

    estimate: float
    whole: bool  # whether the sample has all rows
    sampling_error: float  # the standard error of the estimate around the value of all rows
    standard_error: float  # around the value of all rows there might be
    interval: Floats
    method: str


def sampled_auc_mu(sample: RowSample, rows: Array) -> Sampled:
    """Return AUC-mu (ties="exact") of a sample of so many rows of each class."""
    sample.refuse_doubles()
    kept = sample.kept()
    sizes = np.bincount(kept.codes, minlength=sample.n_classes)
    whole = bool((sizes == rows).all())
    weights = None if (kept.weights == 1.0).all() else kept.weights
    measure: Any = AucMu(ties="exact")
    if sizes.min() < 2:
        estimate = auc_mu(kept.codes, kept.scores, ties="exact", sample_weight=weights)
        unknown = 0.0 if whole else math.nan
        return Sampled(estimate, whole, unknown, math.nan, np.full(2, np.nan), "")
    found = delong(kept.codes, kept.scores, measure, sample_weight=weights)
    low, high = found.interval
    method = found.method if whole else f"{found.method}, sampled rows"
    return Sampled(
        float(found.estimate), whole, _sampling_error(kept, sizes, rows),
        float(found.standard_error), np.array([low, high]), method,
    )  # fmt: skip


def _sampling_error(kept: Kept, sizes: Array, rows: Array) -> float:
    """Return the error of drawing m_i of the N_i rows of each class without replacement.

    Its variance is that of the sample itself, class by class, times 1 - m_i / N_i: W. G. Cochran,
    Sampling Techniques, 3rd edition, 1977, section 2.6, on influence values.
    """
    share = 1.0 - sizes / rows
    if not share.any():
        return 0.0
    weights = None if (kept.weights == 1.0).all() else kept.weights
    measures = {"auc_mu": AucMu(ties="exact")}
    every = read_sample(measures.values(), kept.codes, kept.scores, None, weights, None, None, None)
    units = plan(every, "multinomial", True, None)
    influences = measured(every, units, measures)["auc_mu"].influences
    values, variance = influences.values[0], 0.0
    for k, (first, end) in enumerate(zip(influences.bounds, influences.bounds[1:], strict=False)):
        own = values[first:end]
        variance += share[k] * sizes[k] / (sizes[k] - 1.0) * float(own @ own)
    return math.sqrt(variance)
