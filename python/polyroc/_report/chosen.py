"""Which measures a report has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._measures.auc import Auc
from polyroc._measures.auc_mu import AucMu
from polyroc._measures.average_precision import AveragePrecision
from polyroc._measures.hand_till import HandTill
from polyroc._measures.kolmogorov_smirnov import KolmogorovSmirnov
from polyroc._measures.one_vs_rest import OneVsRest
from polyroc._measures.polar_area import PolarArea

if TYPE_CHECKING:
    from polyroc._base.types import Absent
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure


def headline(sample: Sample, absent: Absent) -> dict[str, Measure[Any]]:
    """Return the measures of all classes together, the one to compare models by first."""
    if sample.n_classes == 2:
        measures: list[Measure[Any]] = [Auc(), AveragePrecision(), KolmogorovSmirnov()]
        return {measure.name: measure for measure in measures}
    skip: Any = {"absent": absent}
    measures = [
        AucMu(**skip),
        HandTill(**skip),
        OneVsRest(**skip),
        AveragePrecision(**skip),
        PolarArea(normalize=True, **skip),
    ]
    return {measure.name: measure for measure in measures}


def per_class(sample: Sample, absent: Absent) -> dict[str, Measure[Any]]:
    """Return the measures with one value per class; two classes have none of their own."""
    if sample.n_classes == 2:
        return {}
    return {
        "AUC against the rest": OneVsRest(None, absent),
        "average precision": AveragePrecision(None, absent),
    }
