"""Every measure of the package on its example predictions: ``python -m polyroc``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import polyroc as pr

LABEL, COLUMN = 41, 13  # widths: 41 + 3 * 13 = the 80 columns of a terminal
DIGIT = 8  # the one shown as a two-class problem
HARDEST = 5  # how many of the 45 pairs of digits to show
REPLICATES, SEED = 2000, 7

# What a misread digit costs where digits are amounts: how far off the amount is.
COSTS = np.abs(np.subtract.outer(np.arange(10.0), np.arange(10.0)))

Labels = NDArray[np.int64]
Scores = NDArray[np.float32]

MEASURES: dict[str, Any] = {
    "M (Hand and Till)": pr.HandTill(),
    "AUC-mu, argmax partition": pr.AucMu(),
    "AUC-mu, pairs weighted by prevalence": pr.AucMu(pair_weights="prevalence"),
    "AUC-mu, partition by costs |said - true|": pr.AucMu(partition=COSTS),
    "one-vs-rest, macro": pr.OneVsRest(),
    "one-vs-rest, prevalence": pr.OneVsRest("prevalence"),
    "one-vs-rest, micro": pr.OneVsRest("micro"),
    "average precision, macro": pr.AveragePrecision(),
    "polar area": pr.PolarArea(),
    "polar area, share of the largest": pr.PolarArea(normalize=True),
}

BINARY: dict[str, Any] = {
    f"AUC, {DIGIT} against the rest": pr.Auc(),
    f"Kolmogorov-Smirnov, {DIGIT} against the rest": pr.KolmogorovSmirnov(),
}


def results(y_true: Labels, scores: Scores) -> dict[str, pr.BootstrapResult]:
    """Return all measures with their intervals: one run for two classes, one for all ten."""
    binary = pr.bootstrap(
        y_true == DIGIT, scores[:, DIGIT], BINARY, n_resamples=REPLICATES, seed=SEED
    )
    others = pr.bootstrap(y_true, scores, MEASURES, n_resamples=REPLICATES, seed=SEED)
    return {**binary, **others}


def line(label: str, cells: list[str]) -> str:
    """Lay out one line of the table."""
    return f"{label:<{LABEL}}" + "".join(f"{cell:>{COLUMN}}" for cell in cells)


def hardest_pairs(y_true: Labels, scores: Scores) -> list[str]:
    """Pairs of classes with the lowest A(i,j), worst first."""
    values = pr.pairwise(y_true, scores)
    first, second = np.triu_indices_from(values, k=1)
    worst = np.argsort(values[first, second], kind="stable")[:HARDEST]
    pairs = zip(first[worst], second[worst], strict=True)
    return [f"{i}-{j} {values[i, j]:.4f}" for i, j in pairs]


def tied_share(y_true: Labels, scores: Scores, kind: Literal["hand_till", "auc_mu"]) -> str:
    """Share of the pairs of rows that tie, averaged over the pairs of classes."""
    _, tied = pr.pairwise(y_true, scores, kind=kind, return_ties=True)
    return f"{np.nanmean(tied):.2%}"


def table() -> Iterator[str]:
    """Yield the lines that ``python -m polyroc`` prints."""
    y_true, predictions = pr.example_predictions()
    scores = list(predictions.values())
    yield f"polyroc {pr.__version__}. The data: {len(y_true):,} handwritten digits (10 classes),"
    yield "predicted by three scikit-learn classifiers in 10-fold cross-validation."
    yield ""
    # A name takes two lines, broken before its last word.
    names = [name.rpartition(" ") for name in predictions]
    yield line("", [first for first, _, _ in names])
    yield line("", [last for _, _, last in names])
    found = [results(y_true, p) for p in scores]
    for label in found[0]:
        one = [of_model[label] for of_model in found]
        yield line(label, [f"{result.estimate:.4f}" for result in one])
        yield line("", ["{:.3f}-{:.3f}".format(*result.interval) for result in one])
    yield ""
    how = f"BCa, {REPLICATES:,} bootstrap replicates, seed {SEED}"
    yield f"Below each value: 95 % interval ({how};"
    yield "percentile for Kolmogorov-Smirnov and average precision)."
    yield ""
    columns = [tied_share(y_true, p, "hand_till") for p in scores]
    yield line("pairs of rows tied: scores of a class (M)", columns)
    columns = [tied_share(y_true, p, "auc_mu") for p in scores]
    yield line("pairs of rows tied: projected (AUC-mu)", columns)
    yield ""
    label = "hardest pairs of digits i-j, with A(i,j)"
    for cells in zip(*(hardest_pairs(y_true, p) for p in scores), strict=True):
        yield line(label, list(cells))
        label = ""


def main() -> None:
    """Read the two options there are, print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m polyroc",
        description="Print every measure of polyroc for the example predictions it ships.",
    )
    parser.add_argument("--version", action="version", version=f"polyroc {pr.__version__}")
    parser.parse_args()
    for text in table():
        print(text)


if __name__ == "__main__":
    main()
