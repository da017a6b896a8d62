"""The sentences of a page: verdicts, what measures mean, and a methods paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import counted, decimals, p_sentence, percents
from polyroc._report.tables import corrected_measures

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._compare.pair_test import PairTest
    from polyroc._measures.measure import Measure
    from polyroc._report.report import Report

# One plain sentence each.
MEANINGS = {
    "auc": "how often a row of the favoured class scores above a row of the other; 0.5 is chance",
    "auc_mu": "how often two rows of different classes are on the right sides of each other, "
    "averaged over pairs of classes (AUC-mu); 0.5 is chance",
    "hand_till": "the AUC of each pair of classes by their own columns, averaged over pairs (M); "
    "0.5 is chance",
    "one_vs_rest": "the AUC of each class against all others, averaged over classes; 0.5 is chance",
    "average_precision": "precision averaged over recall; by chance about the share of the class",
    "kolmogorov_smirnov": "the greatest distance between true and false positive rate; 0 is chance",
    "polar_area": "the area of the polygon of pairwise AUCs; normalised, as a share of the "
    "largest; a quarter of the largest is chance",
    "h_measure": "the loss avoided, averaged over how much worse one error may be than the other; "
    "0 is chance, 1 is perfect",
    "hull_area": "the area under the convex hull of the ROC curve",
    "partial_auc": "the area over a range of false positive rates, standardised; 0.5 is chance",
    "proportion_correct": "the share of rows whose class has the highest score, ties shared out",
    "proportion_correct, pairs": "the same of two classes at a time, averaged over pairs of "
    "classes; 0.5 is chance",
    "pdi": "how often, of one row from each class, that of a class has its highest score",
    "vus": "how often one row of each class are in the order of the classes; one in K! by chance",
    "hum": "how often one row of each class all go to their own classes; one in K! by chance",
    "tpr_at": "the share of the favoured class found at a fixed false positive rate",
    "fpr_at": "the share of the others taken along where a fixed share of the class is found",
    "recall_at": "the largest share of the class that can be found with a fixed precision",
    "expected_correct": "the share of rows put right when the threshold is drawn at random",
}

_EFFECTIVE = " for the effective number of rows (Korn and Graubard 1998)"


def meaning(measure: Measure[Any]) -> str:
    """Return what a measure means; nothing for one that is not known here."""
    of_pairs = getattr(measure, "pairs", None) is True
    return MEANINGS.get(f"{measure.name}, pairs" if of_pairs else measure.name, "")


def verdicts(report: Report) -> Iterable[str]:
    """Yield one sentence for each comparison of two models."""
    comparison = report.comparison
    if comparison is None:
        return
    several = len(comparison.pairs) > 1 and comparison.adjust is not None
    way = {"holm": "Holm ", "bonferroni": "Bonferroni "}.get(comparison.adjust or "", "")
    digits = max(3, decimals(comparison.standard_errors) - 1)
    for pair in comparison.pairs:
        better = pair if pair.difference >= 0 else pair.turned()
        p = better.p_adjusted if several else better.p_value
        told = f"{way if several else ''}{p_sentence(p)}"
        yield _verdict(comparison.measure.name, better, digits, told, p < 1.0 - report.confidence)


def leads(report: Report) -> Iterable[str]:
    """Yield one sentence for each model: its first measure."""
    for model, results in report.measures.items():
        name, one = next(iter(results.items()))
        digits = max(3, decimals(np.array([one.standard_error])) - 1)
        low, high = one.interval
        yield f"{model}: {name} {one.estimate:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def _verdict(measure: str, pair: PairTest, digits: int, p: str, sure: bool) -> str:
    limits = f"({pair.low:.{digits}f} to {pair.high:.{digits}f})"
    if sure:
        by = f"{pair.difference:.{digits}f} {limits}"
        return f"{pair.first} beats {pair.second} in {measure} by {by}, {p}"
    return (
        f"{pair.first} and {pair.second} are not told apart by {measure}: difference "
        f"{pair.difference:.{digits + 1}f} {limits}, {p}"
    )


def _rates(report: Report) -> str:
    """Return how the intervals of the confusion matrices were made."""
    data = report.data
    alike = "" if not data.weighted and data.group_sizes is None else _EFFECTIVE
    return f" Those of accuracy and of the rates of confusion matrices are Wilson's{alike}."


def _corrected(report: Report) -> str:
    """Return which intervals have the optimism of chosen thresholds taken off, and how."""
    names = " and of ".join(corrected_measures(report))
    return names and (
        f" That of {names} is by Student's t with the standard error of the resamples, less the "
        "optimism of thresholds chosen on the rows that judge them (Efron 1983)."
    )


def methods(report: Report) -> str:
    """Return a paragraph to paste into a paper."""
    data = report.data
    rows = counted(int(np.sum(data.sizes)), "weighted row" if data.weighted else "row")
    groups = "" if data.group_sizes is None else f" in {data.n_groups:,} groups"
    first = next(iter(report.measures[report.models[0]].values()))
    unit = "groups" if data.group_sizes is not None else "rows"
    how = "within classes" if first.stratified else "over all classes"
    text = (
        f"Measures were computed on {rows}{groups} of {len(data.classes)} classes with polyroc "
        f"{report.version}. {percents([report.confidence])} intervals are bias-corrected and "
        f"accelerated bootstrap intervals from {report.n_resamples:,} resamples of {unit} drawn "
        f"{how} (seed {report.seed}).{_corrected(report)}{_rates(report)}"
    )
    comparison = report.comparison
    if comparison is None:
        return text
    way = {"holm": "Holm's", "bonferroni": "Bonferroni's"}.get(comparison.adjust or "", "")
    adjusted = f", p-values by {way} method" if way and len(comparison.pairs) > 1 else ""
    tests = {
        "delong": "DeLong's covariances, with limits put together from those of the two models "
        "(Student's t on the logit scale; Zou and Donner 2008)",
        "bootstrap": "a bootstrap with common resamples",
        "permutation": "permutation of the models within rows",
    }[comparison.method]
    return f"{text} Models were compared by {comparison.measure.name}, by {tests}{adjusted}."
