"""What a page holds, as plain numbers: summaries, never rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._curves.roc_curve import roc_curve
from polyroc._data.sample import prepare
from polyroc._figures.pairs import by_similarity
from polyroc._figures.polar import largest_area
from polyroc._figures.scores import score_figure
from polyroc._figures.thinned import thinned
from polyroc._report.origin import origin
from polyroc._report.page.thresholds import threshold_texts
from polyroc._report.page.words import leads, meaning, methods, verdicts
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._curves.roc_points import RocCurve
    from polyroc._report.given import Given, Reading
    from polyroc._report.report import Report

MOST_PAIR_CURVES = 600  # pairs times models whose curves are held; of more, none are
PAIR_POINTS, CLASS_POINTS = 40, 400
_SAME = 1e-12  # rates are rounded, and two gaps that differ by less are one
_PAIR_PLACES = 4  # decimals of the points of a pair's curves: they are drawn, not read


def page_data(report: Report, reading: Reading | None) -> dict[str, Any]:
    """Return all that a page shows."""
    given = report._given
    first = report.measures[report.models[0]]
    out: dict[str, Any] = {
        "version": report.version,
        "models": list(report.models),
        "classes": [str(label) for label in report.data.classes],
        "report": report.to_dict(),
        "origin": origin(report),
        "reading": None if reading is None else reading._asdict(),
        "verdicts": list(verdicts(report)) or list(leads(report)),
        "methods": methods(report),
        "meanings": {name: meaning(one.measure.name) for name, one in first.items()},
        "z": float(normal_quantile(0.5 + report.confidence / 2.0)),
        # Wilson's limits are for rows that are independent and count alike.
        "wilson": given.groups is None and not report.data.weighted,
        "curves": {},
        "pair_curves": {},
        "scores": {},
        "pairs": {},
    }
    masses, kind = _masses(given)
    for model, scores in given.models.items():
        curves: Any = roc_curve(given.y_true, scores, absent=given.absent, **given.options)
        many = not hasattr(curves, "fpr")
        listed = curves.items() if many else [(report.data.classes[1], curves)]
        out["curves"][model] = {
            str(label): _curve(curve, masses[label], kind) for label, curve in listed
        }
        out["scores"][model] = _scores(given, scores)
        if model in report.by_pair:
            out["pairs"][model] = _pairs(report.by_pair[model])
    if report.by_pair:
        _add_pair_curves(out, report)
    return out


def _masses(given: Given) -> tuple[dict[Any, tuple[float, float]], Any]:
    """Return the weight of each class and that of all others, and the type of the scores."""
    sample = prepare(given.y_true, next(iter(given.models.values())), **given.options)
    masses = np.bincount(sample.codes, sample.weights, sample.n_classes)
    total = float(masses.sum())
    return {
        label: (float(mass), total - float(mass))
        for label, mass in zip(sample.classes, masses, strict=True)
    }, sample.scores.dtype.type


def _curve(curve: RocCurve, masses: tuple[float, float], kind: Any) -> dict[str, Any]:
    # The point of Youden's rule stays: the slider begins there, of equals at the first.
    gap = curve.tpr - curve.fpr
    best = int(np.argmax(gap >= gap.max() - _SAME))
    kept = np.union1d(thinned(curve.fpr, curve.tpr, most=CLASS_POINTS), [best])
    positive, negative = masses
    fpr, tpr = curve.fpr[kept].tolist(), curve.tpr[kept].tolist()
    return {
        "fpr": fpr,
        "tpr": tpr,
        "auc": float(curve.auc),
        "thresholds": threshold_texts(curve.thresholds, kept, kind),
        "tp": [_count(rate * positive) for rate in tpr],
        "fp": [_count(rate * negative) for rate in fpr],
        "p": _count(positive),
        "n": _count(negative),
        "best": int(np.searchsorted(kept, best)),
    }


def _count(mass: float) -> float | int:
    """Return a whole number where the mass is one but for rounding."""
    near = round(mass)
    return near if abs(mass - near) < 1e-6 * max(1.0, abs(mass)) else mass


def _scores(given: Given, scores: Any) -> dict[str, Any]:
    figure = score_figure(given.y_true, scores, **given.options)
    return {"edges": figure.edges.tolist(), "shares": figure.shares.tolist(),
            "classes": figure.classes, "what": figure.what}  # fmt: skip


def _pairs(found: Any) -> dict[str, Any]:
    values = np.asarray(found.estimate)
    i, j = np.triu_indices(len(values), k=1)
    known = ~np.isnan(values[i, j])
    i, j = i[known], j[known]
    order = largest_area(values[i, j])
    return {
        "order": by_similarity(values),
        "values": _matrix(values),
        "low": _matrix(found.interval[..., 0]),
        "high": _matrix(found.interval[..., 1]),
        "rays": [[int(i[k]), int(j[k])] for k in order],
    }


def _matrix(values: Any) -> list[list[float | None]]:
    return [[None if np.isnan(value) else float(value) for value in row] for row in values]


def _add_pair_curves(out: dict[str, Any], report: Report) -> None:
    count = len(report.data.classes)
    if count * (count - 1) // 2 * len(report.models) > MOST_PAIR_CURVES:
        return
    given = report._given
    place = {label: k for k, label in enumerate(report.data.classes)}
    for model, scores in given.models.items():
        curves: Any = roc_curve(
            given.y_true, scores, kind="pairwise", absent=given.absent, **given.options
        )
        out["pair_curves"][model] = {
            f"{place[one]},{place[other]}": _pair_curve(curve)
            for (one, other), curve in curves.items()
        }


def _pair_curve(curve: RocCurve) -> dict[str, Any]:
    kept = thinned(curve.fpr, curve.tpr, most=PAIR_POINTS)
    return {
        "fpr": curve.fpr[kept].round(_PAIR_PLACES).tolist(),
        "tpr": curve.tpr[kept].round(_PAIR_PLACES).tolist(),
        "auc": float(curve.auc),
    }
