"""Which measures a report has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._measures.auc import Auc
from polyroc._measures.auc_mu import AucMu
from polyroc._measures.average_precision import AveragePrecision
from polyroc._measures.expected_correct import ExpectedCorrect
from polyroc._measures.h_measure import HMeasure
from polyroc._measures.hand_till import HandTill
from polyroc._measures.kolmogorov_smirnov import KolmogorovSmirnov
from polyroc._measures.one_vs_rest import OneVsRest
from polyroc._measures.partial_auc import PartialAuc
from polyroc._measures.pdi import Pdi
from polyroc._measures.polar_area import PolarArea
from polyroc._measures.proportion_correct import ProportionCorrect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Absent
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure

MOST_FPR = 0.1  # up to which false positive rates count in the partial area
AGAINST_REST = "AUC against the rest"
PARTIAL = f"partial_auc, FPR <= {MOST_FPR:g}"
BY_PAIRS = "proportion_correct, pairs"
POLAR = "polar_area, normalised"  # `polar_area` by itself is not
# Rows x other classes x replicates up to which the H measure of many classes is in a report: each
# replicate makes a hull for every ordered pair of classes, some two seconds of one core there.
MOST_HULLS = 1e8


def headline(sample: Sample, absent: Absent, replicates: int) -> dict[str, Measure[Any]]:
    """Return the measures of all classes together, the one to compare models by first."""
    if sample.n_classes == 2:
        found: dict[str, Measure[Any]] = {
            "auc": Auc(),
            PARTIAL: PartialAuc(fpr=(0.0, MOST_FPR), standardize=True),
            "h_measure": HMeasure(),
            "average_precision": AveragePrecision(),
            "kolmogorov_smirnov": KolmogorovSmirnov(),
            "expected_correct": ExpectedCorrect(),
        }
        if sample.scores.ndim == 2:
            found["proportion_correct"] = ProportionCorrect()
        return found
    skip: Any = {"absent": absent}
    return {
        "auc_mu": AucMu(**skip),
        "hand_till": HandTill(**skip),
        "one_vs_rest": OneVsRest(**skip),
        "pdi": Pdi(**skip),
        **({"h_measure": HMeasure(**skip)} if not left_out(sample, replicates) else {}),
        "average_precision": AveragePrecision(**skip),
        **({POLAR: PolarArea(normalize=True, **skip)} if sample.n_present > 2 else {}),
        "proportion_correct": ProportionCorrect(**skip),
        BY_PAIRS: ProportionCorrect(pairs=True, **skip),
    }


def left_out(sample: Sample, replicates: int) -> Iterable[str]:
    """Return what a report of many classes has no room for, a sentence each."""
    rows, others = len(sample.codes), sample.n_classes - 1
    if others == 1 or rows * others * replicates <= MOST_HULLS:
        return ()
    return (
        f"h_measure is left out, as {replicates:,} replicates of {rows:,} rows in {others + 1:,} "
        "classes would take longer than all else; "
        "pr.bootstrap(y, scores, 'h_measure', n_resamples=200) has it",
    )


def per_class(sample: Sample, absent: Absent) -> dict[str, Measure[Any]]:
    """Return the measures with one value per class; two classes have none of their own."""
    if sample.n_classes == 2:
        return {}
    return {AGAINST_REST: OneVsRest(None, absent)}
