"""What a page holds, as plain numbers: summaries, never rows."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._curves.roc_curve import roc_curve
from polyroc._data.sample import prepare
from polyroc._figures.pairs import by_similarity
from polyroc._figures.polar import largest_area
from polyroc._figures.scores import score_figure
from polyroc._figures.thinned import thinned
from polyroc._report.page.words import meaning, methods, verdicts

if TYPE_CHECKING:
    from polyroc._curves.roc_points import RocCurve
    from polyroc._report.report import Report

MOST_PAIR_CURVES = 600  # pairs times models whose curves are held; of more, none are
PAIR_POINTS, CLASS_POINTS = 60, 400


def page_data(report: Report) -> dict[str, Any]:
    """Return all that a page shows."""
    given = report._given
    out: dict[str, Any] = {
        "version": report.version,
        "models": list(report.models),
        "classes": [str(label) for label in report.data.classes],
        "sizes": [int(size) for size in report.data.sizes],
        "report": report.to_dict(),
        "verdicts": list(verdicts(report)),
        "methods": methods(report),
        "meanings": {name: meaning(name) for name in report.measures[report.models[0]]},
        "hash": data_hash(given.y_true, given.models),
        "curves": {},
        "pair_curves": {},
        "scores": {},
        "pairs": {},
    }
    for model, scores in given.models.items():
        curves = roc_curve(given.y_true, scores, absent=given.absent, **given.options)
        many = not hasattr(curves, "fpr")
        listed = curves.items() if many else [(report.data.classes[1], curves)]
        masses = _masses(report, given)
        out["curves"][model] = {
            str(label): _curve(curve, masses[label], CLASS_POINTS) for label, curve in listed
        }
        out["scores"][model] = _scores(given, scores)
        if model in report.by_pair:
            out["pairs"][model] = _pairs(report.by_pair[model])
    if report.by_pair:
        _add_pair_curves(out, report)
    return out


def _masses(report: Report, given: Any) -> dict[Any, tuple[float, float]]:
    """Return the weight of each class, and that of all others."""
    sample = prepare(given.y_true, next(iter(given.models.values())), **given.options)
    weights = np.ones(len(sample.codes)) if sample.weights is None else sample.weights
    masses = np.bincount(sample.codes, weights, sample.n_classes)
    total = float(masses.sum())
    return {
        label: (float(mass), total - float(mass))
        for label, mass in zip(sample.classes, masses, strict=True)
    }


def _curve(curve: RocCurve, masses: tuple[float, float] | None, most: int) -> dict[str, Any]:
    kept = thinned(curve.fpr, curve.tpr, most=most)
    out: dict[str, Any] = {
        "fpr": curve.fpr[kept].tolist(),
        "tpr": curve.tpr[kept].tolist(),
        "auc": float(curve.auc),
    }
    if masses is not None:
        # As text, with digits that give the same rows again.
        out["thresholds"] = [
            "inf" if np.isinf(t) else repr(t) for t in curve.thresholds[kept].tolist()
        ]
        positive, negative = masses
        out["tp"] = [_count(rate * positive) for rate in out["tpr"]]
        out["fp"] = [_count(rate * negative) for rate in out["fpr"]]
        out["p"], out["n"] = _count(positive), _count(negative)
    return out


def _count(mass: float) -> float | int:
    """Return a whole number where the mass is one but for rounding."""
    near = round(mass)
    return near if abs(mass - near) < 1e-6 * max(1.0, abs(mass)) else mass


def _scores(given: Any, scores: Any) -> dict[str, Any]:
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
        "values": [[None if np.isnan(v) else float(v) for v in row] for row in values],
        "low": [[None if np.isnan(v) else float(v) for v in row] for row in found.interval[..., 0]],
        "high": [
            [None if np.isnan(v) else float(v) for v in row] for row in found.interval[..., 1]
        ],
        "rays": [[int(i[k]), int(j[k])] for k in order],
    }


def _add_pair_curves(out: dict[str, Any], report: Report) -> None:
    count = len(report.data.classes)
    if count * (count - 1) // 2 * len(report.models) > MOST_PAIR_CURVES:
        return
    given = report._given
    for model, scores in given.models.items():
        curves = roc_curve(
            given.y_true, scores, kind="pairwise", absent=given.absent, **given.options
        )
        place = {label: k for k, label in enumerate(report.data.classes)}
        out["pair_curves"][model] = {
            f"{place[one]},{place[other]}": _curve(curve, None, PAIR_POINTS)
            for (one, other), curve in curves.items()
        }


def data_hash(y_true: Any, models: Any) -> str:
    """Return a hash of labels and scores: the same for the same rows, whatever holds them."""
    made = hashlib.sha256()
    for name, scores in models.items():
        sample = prepare(y_true, scores)
        made.update(name.encode())
        made.update(repr([str(label) for label in sample.classes]).encode())
        made.update(np.ascontiguousarray(sample.codes).tobytes())
        made.update(np.ascontiguousarray(sample.scores).tobytes())
    return made.hexdigest()
