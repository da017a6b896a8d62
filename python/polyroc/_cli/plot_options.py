"""The options of `polyroc plot`, by the standard library alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

# What each picture shows, and which of the options below it takes.
KINDS = {
    "roc": ("ROC curves; of many classes a grid, one panel per class",
            ("band", "hull", "point", "pairwise", "of", "highlight")),
    "pr": ("precision-recall curves, likewise", ("of", "highlight")),
    "pairs": ("the AUC of every pair of classes, a heat map", ()),
    "pair-differences": ("where two models differ, pair by pair", ("adjust",)),
    "polar": ("Hassan's polar plot of the pairs of classes", ("highlight",)),
    "models": ("models with intervals, a forest plot", ("measure",)),
    "differences": ("differences of models with intervals and p-values", ("measure",)),
    "replicates": ("the bootstrap distribution of a measure", ("measure",)),
    "folds": ("values of models over folds (Bradley's protocol)", ("measure", "fold", "highlight")),
    "scores": ("how scores are spread, by class", ()),
    "confusion": ("what is said of rows against what they are", ()),
    "decision-curve": ("net benefit over threshold probabilities", ("of", "highlight")),
    "calibration": ("how often a class is seen, by its probability", ("of", "highlight")),
}  # fmt: skip
FORMATS = ("svg", "pdf", "png")
ADJUST = ("holm", "bonferroni", "none")
DEFAULTS = {"hull": False, "pairwise": False}  # of those that are not None


def describe_kinds() -> str:
    """Return one line for each picture."""
    return "\n".join(f"  {name:<17} {text}" for name, (text, _) in KINDS.items())


def add_plot_options(command: argparse.ArgumentParser) -> None:
    """Add what says how a picture looks and where it goes."""
    command.add_argument(
        "-o", "--out", required=True, metavar="FILE", help="where to: a .svg, .pdf or .png file"
    )
    look = command.add_argument_group("picture")
    look.add_argument(
        "--band", choices=("pointwise", "simultaneous"), help="roc: a band around each curve"
    )
    look.add_argument("--hull", action="store_true", help="roc: the convex hull of each curve")
    look.add_argument(
        "--point", metavar="RULE", help="roc: an operating point: youden, max_fpr=X or min_tpr=X"
    )
    look.add_argument(
        "--pairwise", action="store_true", help="roc: panels of two classes, not class against rest"
    )
    look.add_argument(
        "--of", metavar="LABEL", help="roc, pr, decision-curve, calibration: this class alone"
    )
    look.add_argument(
        "--highlight", metavar="MODEL", action="append", help="others are grey (several times)"
    )
    look.add_argument(
        "--only", metavar="MODEL", action="append", help="leave out other models (several times)"
    )
    look.add_argument("--adjust", choices=ADJUST, help="pair-differences: of p-values (holm)")
    look.add_argument("--fold", metavar="COLUMN", help="folds: the fold of each row")
    look.add_argument("--width", type=float, metavar="INCHES", help="a journal's column is 3.4")
    look.add_argument("--dpi", type=int, default=200, help="of a .png (default: %(default)s)")
    run = command.add_argument_group("numbers")
    run.add_argument(
        "--measure", metavar="NAME", help="models, differences, replicates, folds: by which"
    )
    run.add_argument("--bootstrap", metavar="N", type=int, help="how many resamples")
    run.add_argument("--seed", type=int, help="the same seed gives the same picture")
    run.add_argument("--confidence", type=float, default=0.95, help="(default: %(default)s)")
    command.add_argument("--threads", type=int, metavar="N", help="all cores by default")
