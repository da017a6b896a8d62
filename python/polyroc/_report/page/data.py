"""What a page holds, as plain numbers: summaries, never rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._curves.contrasts import curves_in_turn, single_curve
from polyroc._curves.roc_points import RocCurve, rates_of
from polyroc._data.sample import prepare
from polyroc._data.units import plan
from polyroc._figures.names import cut_apart
from polyroc._figures.pairs import by_similarity
from polyroc._figures.polar import largest_area
from polyroc._figures.scores import score_figure_of
from polyroc._figures.thinned import thinned
from polyroc._measures.pairwise import conditional_aucs
from polyroc._report.chosen import AGAINST_REST
from polyroc._report.origin import origin
from polyroc._report.page.curve_pictures import NAME
from polyroc._report.page.effective import effective_at
from polyroc._report.page.thresholds import threshold_texts
from polyroc._report.page.words import leads, meaning, methods, verdicts
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polyroc._base.types import Array
    from polyroc._data.sample import Sample
    from polyroc._report.given import Reading
    from polyroc._report.report import Report

MOST_PAIR_CURVES = 600  # pairs times models whose curves are held; of more, none are
PAIR_POINTS, CLASS_POINTS = 30, 400
POSITIONS = 12_000  # points of the curves of all models and classes together
_DIGITS = 8  # of sums of weights
_SAME = 1e-12  # rates are rounded, and two gaps that differ by less are one
_PARTS = 1000  # of 1, in which the points of a pair's curves are held: they are drawn, not read


def points_of(curve: dict[str, Any]) -> dict[str, Any]:
    """Return the points of a curve that is held as counts, and its area."""
    return {
        "fpr": [count / curve["n"] for count in curve["fp"]],
        "tpr": [count / curve["p"] for count in curve["tp"]],
        "auc": curve["auc"],
    }


def most_points(n_models: int, n_curves: int) -> int:
    """Return how many points a curve against the rest may have, of which so many are held."""
    return max(100, min(CLASS_POINTS, POSITIONS // (n_models * n_curves)))


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
        "legend": cut_apart(report.models, NAME),
        "brief": cut_apart([str(label) for label in report.data.classes], 10),
        "report": report.to_dict(),
        "origin": origin(report, samples),
        "reading": None if reading is None else reading._asdict(),
        "verdicts": list(verdicts(report)) or list(leads(report)),
        "methods": methods(report),
        "meanings": {name: meaning(one.measure) for name, one in first.items()},
        "z": float(normal_quantile(0.5 + report.confidence / 2.0)),
        "curves": {},
        "pair_curves": {},
        "scores": {},
        "pairs": {},
    }
    for model, sample in samples.items():
        out["curves"][model] = dict(_curves(sample, report, model))
        out["scores"][model] = _scores(sample)
        if model in report.by_pair:
            out["pairs"][model] = _pairs(report.by_pair[model])
    count = len(report.data.classes)
    if report.by_pair and count * (count - 1) // 2 * len(samples) <= MOST_PAIR_CURVES:
        out["pair_curves"] = {
            model: dict(_pair_curves(sample)) for model, sample in samples.items()
        }
    return out


def _curves(sample: Sample, report: Report, model: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the curve of each class against the rest; of two classes, that of the favoured one."""
    by_class = report.by_class.get(model)
    given = report._given
    groups = None
    if given.groups is not None:
        groups = plan(sample, "multinomial", False, given.groups).groups
    masses = np.bincount(sample.codes, sample.weights, sample.n_classes)
    total, kind = float(masses.sum()), sample.scores.dtype.type
    if sample.n_classes == 2:
        listed: Any = [(sample.classes[1], single_curve(sample))]
    else:
        listed = curves_in_turn(sample, None)
    place = {label: k for k, label in enumerate(sample.classes)}
    most = most_points(len(report.models), 1 if sample.n_classes == 2 else sample.n_classes)
    for label, found in listed:
        curve = RocCurve(*rates_of(found, False))
        mass = float(masses[place[label]])
        # The areas of classes are known, and were counted.
        area = curve.auc if not by_class else by_class[AGAINST_REST].estimate[place[label]]
        kept, best = _positions(curve, most)
        made: dict[str, Any] = {
            "tp": [_count(rate * mass) for rate in curve.tpr[kept].tolist()],
            "fp": [_count(rate * (total - mass)) for rate in curve.fpr[kept].tolist()],
            "p": _count(mass),
            "n": _count(total - mass),
            "auc": float(area),
            "thresholds": threshold_texts(curve.thresholds, kept, kind),
            "best": best,
        }
        if groups is not None or sample.weights is not None:
            at = place[label], curve.thresholds[kept]
            made["effective"] = effective_at(sample, *at, groups, report.confidence)
        yield str(label), made


def _positions(curve: RocCurve, most: int) -> tuple[Array, int]:
    """Return the points of a curve that are kept, and at which of them the slider begins.

    That of Youden's rule, which stays: of equals the first.
    """
    gap = curve.tpr - curve.fpr
    best = int(np.argmax(gap >= gap.max() - _SAME))
    kept = np.union1d(thinned(curve.fpr, curve.tpr, most=most), [best])
    return kept, int(np.searchsorted(kept, best))


def _count(mass: float) -> float | int:
    """Return a whole number where the mass is one but for rounding, else some digits of it."""
    near = round(mass)
    whole = abs(mass - near) < 1e-9 * max(1.0, abs(mass))
    return near if whole else float(f"{mass:.{_DIGITS}g}")


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
                "fp": np.rint(fpr[kept] * _PARTS).astype(int).tolist(),
                "tp": np.rint(tpr[kept] * _PARTS).astype(int).tolist(),
                "p": _PARTS,
                "n": _PARTS,
                "auc": float(areas[i, j]),
            },
        )
