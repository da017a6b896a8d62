"""Which pictures a page has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._figures.thinned import thinned_points
from polyroc._report.page.curve_pictures import curves, panels
from polyroc._report.page.data import most_points, points_of
from polyroc._report.page.pair_pictures import LABELLED, heat_map, polar
from polyroc._report.page.score_pictures import histogram
from polyroc._report.page.svg import COLOURS

if TYPE_CHECKING:
    from polyroc._report.report import Report

_PANEL_POINTS = 40


def pictures(report: Report, data: dict[str, Any]) -> dict[str, Any]:
    """Return the pictures as SVG, by the names that the template has for them."""
    classes = list(next(iter(data["curves"].values())))
    drawn = report.models[: len(COLOURS)]
    several = len(report.data.classes) > 2
    others = "the rest" if several else str(report.data.classes[0])
    what = f"class {classes[0]} against {others}"
    out: dict[str, Any] = {
        "curves": curves(
            f"ROC curves of {what}",
            {model: points_of(data["curves"][model][classes[0]]) for model in drawn},
        ),
        "what": what,
        "slider_classes": classes,
        "most_points": most_points(len(report.models), len(classes)),
        "heat_maps": [
            {"model": model, "svg": heat_map(f"A(i,j) of {model}", data["classes"], pairs)}
            for model, pairs in data["pairs"].items()
        ],
        "histograms": [
            {"model": model, "svg": histogram(f"Scores of {model} by class", scores)}
            for model, scores in data["scores"].items()
        ],
        "polar": "",
        "rays_named": True,
        "pair_curves": "",
        "panels": "",
    }
    if several:
        by_class = {
            label: {
                model: thinned_points(points_of(data["curves"][model][label]), _PANEL_POINTS)
                for model in drawn
            }
            for label in classes
        }
        out["panels"] = panels("ROC curves of every class against the rest", by_class)
    if data["pairs"]:
        out["polar"] = polar("AUC of every pair of classes", data["classes"], data["pairs"])
        out["rays_named"] = len(next(iter(data["pairs"].values()))["rays"]) <= LABELLED
    if data["pair_curves"]:
        nothing = {"fpr": [0.0, 1.0], "tpr": [0.0, 1.0], "auc": 0.5}
        out["pair_curves"] = curves("ROC curves of a pair of classes", {"": nothing, " ": nothing})
    return out
