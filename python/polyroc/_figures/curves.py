"""The curves of a picture: ROC and precision-recall, with what is drawn around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._curves.pr_curve import pr_curve
from polyroc._curves.roc_curve import roc_curve
from polyroc._curves.roc_hull import roc_hull
from polyroc._figures.thinned import thinned
from polyroc._inference.delong import delong
from polyroc._inference.roc_band import roc_band
from polyroc._points.operating_point import operating_point

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._curves.pr_points import PrCurve
    from polyroc._curves.roc_hull import RocHull
    from polyroc._curves.roc_points import RocCurve
    from polyroc._figures.contrasts import Contrast
    from polyroc._inference.roc_band import RocBand
    from polyroc._points.operating_point_result import OperatingPoint

# No point that is left out lies further from what is drawn than this share of the axis: 0.04 mm in
# a column of a journal.
BOUND = 0.0005
FEWEST = 1000  # points from which on curves are thinned


class Area(NamedTuple):
    """The area below a curve, or its average precision, with limits where these are known."""

    value: float
    standard_error: float = np.nan
    low: float = np.nan
    high: float = np.nan


class RocLine(NamedTuple):
    """An ROC curve as it is drawn."""

    name: str
    fpr: Floats
    tpr: Floats
    area: Area
    band: RocBand | None = None
    hull: RocHull | None = None
    point: OperatingPoint | None = None


class PrLine(NamedTuple):
    """A precision-recall curve as it is drawn: the corners of its steps."""

    name: str
    recall: Floats
    precision: Floats
    area: Area
    prevalence: float


def roc_lines(
    contrast: Contrast,
    *,
    band: Any = None,
    hull: bool = False,
    point: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    seed: Any = None,
) -> list[RocLine]:
    """Return the ROC curve of each model, with the AUC's interval by DeLong.

    `point` is a rule of :func:`polyroc.operating_point`: "youden", or its options as a dict.
    """
    y, options = contrast.y_true, contrast.options
    no_groups = {name: value for name, value in options.items() if name != "groups"}
    run = {"confidence": confidence, "n_resamples": n_resamples, "seed": seed, **options}
    rule = {"rule": point} if isinstance(point, str) else point
    return [
        roc_line(
            name,
            roc_curve(y, scores, drop_collinear=True, **no_groups),
            area_of(contrast, scores, "auc", confidence),
            roc_band(y, scores, kind=band, **run) if band is not None else None,
            roc_hull(y, scores, **no_groups) if hull else None,
            operating_point(y, scores, **rule, **run) if rule is not None else None,
        )
        for name, scores in contrast.scores.items()
    ]


def roc_line(
    name: str,
    curve: RocCurve,
    area: Area | None = None,
    band: RocBand | None = None,
    hull: RocHull | None = None,
    point: OperatingPoint | None = None,
) -> RocLine:
    """Return a curve as it is drawn, without points that nobody could see."""
    fpr, tpr = _seen(curve.fpr, curve.tpr)
    return RocLine(name, fpr, tpr, area or Area(curve.auc), band, hull, point)


def pr_lines(contrast: Contrast, *, confidence: float = 0.95) -> list[PrLine]:
    """Return the precision-recall curve of each model."""
    options = {name: value for name, value in contrast.options.items() if name != "groups"}
    return [
        pr_line(
            name,
            pr_curve(contrast.y_true, scores, **options),
            area_of(contrast, scores, "average_precision", confidence),
        )
        for name, scores in contrast.scores.items()
    ]


def pr_line(name: str, curve: PrCurve, area: Area | None = None) -> PrLine:
    """Return a curve as the corners of its steps: average precision is the area below these."""
    recall = np.repeat(curve.recall, 2)[1:]
    precision = np.repeat(curve.precision, 2)[:-1]
    # Of all rows said to be positive, as many are as there are.
    prevalence = float(curve.precision[0])
    recall, precision = _seen(recall, precision)
    return PrLine(name, recall, precision, area or Area(curve.average_precision), prevalence)


def area_of(contrast: Contrast, scores: Floats, measure: str, confidence: float) -> Area | None:
    """Return a measure with DeLong's interval; None where a class has a single row."""
    weights = contrast.options["sample_weight"]
    counted = contrast.y_true if weights is None else contrast.y_true[weights > 0]
    positive = int(np.count_nonzero(counted))
    if min(positive, len(counted) - positive) < 2:
        return None
    found: Any = delong(contrast.y_true, scores, measure, confidence=confidence, **contrast.options)
    low, high = found.interval.tolist()
    return Area(float(found.estimate), float(found.standard_error), low, high)


def _seen(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    if len(x) <= FEWEST:
        return x, y
    kept = thinned(x, y, BOUND, most=len(x))
    return x[kept], y[kept]
