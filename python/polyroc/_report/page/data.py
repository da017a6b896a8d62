"""What a page holds, as plain numbers: summaries, never rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._curves.contrasts import curves_in_turn, single_curve
from polyroc._curves.roc_points import RocCurve, rates_of
from polyroc._data.sample import prepare
from polyroc._figures.pairs import by_similarity
from polyroc._figures.polar import largest_area
from polyroc._figures.scores import score_figure_of
from polyroc._figures.thinned import thinned
from polyroc._measures.pairwise import conditional_aucs
from polyroc._report.chosen import AGAINST_REST
from polyroc._report.origin import origin
from polyroc._report.page.thresholds import threshold_texts
from polyroc._report.page.words import leads, meaning, methods, verdicts
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polyroc._data.sample import Sample
    from polyroc._report.given import Reading
    from polyroc._report.report import Report

MOST_PAIR_CURVES = 600  # pairs times models whose curves are held; of more, none are
PAIR_POINTS, CLASS_POINTS = 40, 400
_SAME = 1e-12  # rates are rounded, and two gaps that differ by less are one
_PAIR_PLACES = 4  # decimals of the points of a pair's curves: they are drawn, not read


def page_data(report: Report, reading: Reading | None) -> dict[str, Any]:
    """Return all that a page shows."""
    given = report._given
    samples = {name: prepare(given.y_true, scores, **given.options)
               for name, scores in given.models.items()}  # fmt: skip
    first = report.measures[report.models[0]]
    out: dict[str, Any] = {
        "version": report.version,
        "models": list(report.models),
        "classes": [str(label) for label in report.data.classes],
        "report": report.to_dict(),
        "origin": origin(report, samples),
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
    for model, sample in samples.items():
        out["curves"][model] = dict(_curves(sample, report.by_class.get(model)))
        out["scores"][model] = _scores(sample)
        if model in report.by_pair:
            out["pairs"][model] = _pairs(report.by_pair[model])
    count = len(report.data.classes)
    if report.by_pair and count * (count - 1) // 2 * len(samples) <= MOST_PAIR_CURVES:
        out["pair_curves"] = {
            model: dict(_pair_curves(sample)) for model, sample in samples.items()
        }
    return out


def _curves(sample: Sample, by_class: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the curve of each class against the rest; of two classes, that of the favoured one."""
    masses = np.bincount(sample.codes, sample.weights, sample.n_classes)
    total, kind = float(masses.sum()), sample.scores.dtype.type
    if sample.n_classes == 2:
        listed: Any = [(sample.classes[1], single_curve(sample))]
    else:
        listed = curves_in_turn(sample, None)
    place = {label: k for k, label in enumerate(sample.classes)}
    for label, found in listed:
        curve = RocCurve(*rates_of(found, False))
        mass = float(masses[place[label]])
        # The areas of classes are known, and were counted.
        area = curve.auc if not by_class else by_class[AGAINST_REST].estimate[place[label]]
        yield str(label), _curve(curve, float(area), (mass, total - mass), kind)


def _curve(curve: RocCurve, area: float, masses: tuple[float, float], kind: Any) -> dict[str, Any]:
    # The point of Youden's rule stays: the slider begins there, of equals at the first.
    gap = curve.tpr - curve.fpr
    best = int(np.argmax(gap >= gap.max() - _SAME))
    kept = np.union1d(thinned(curve.fpr, curve.tpr, most=CLASS_POINTS), [best])
    positive, negative = masses
    fpr, tpr = curve.fpr[kept].tolist(), curve.tpr[kept].tolist()
    return {
        "fpr": fpr,
        "tpr": tpr,
        "auc": area,
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


def _scores(sample: Sample) -> dict[str, Any]:
    figure = score_figure_of(sample)
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


def _pair_curves(sample: Sample) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the curve of every ordered pair of classes, by the column of the first."""
    areas = conditional_aucs(sample)
    place = {label: k for k, label in enumerate(sample.classes)}
    for (one, other), found in curves_in_turn(sample, "pairwise"):
        fpr, tpr, _ = rates_of(found, False)
        kept = thinned(fpr, tpr, most=PAIR_POINTS)
        i, j = place[one], place[other]
        yield (
            f"{i},{j}",
            {
                "fpr": fpr[kept].round(_PAIR_PLACES).tolist(),
                "tpr": tpr[kept].round(_PAIR_PLACES).tolist(),
                "auc": float(areas[i, j]),
            },
        )
