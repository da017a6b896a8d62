"""Hassan's polar plot: the AUC of every pair of classes on a ray of its own (HA10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._inference.delong import delong
from polyroc._measures.hand_till import HandTill

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polyroc._base.types import Floats

MOST_LABELLED = 45  # rays with a name each: those of ten classes
LOWEST = 4  # rays that are named where not all are


class PolarFigure(NamedTuple):
    """Rays and what each model has on them."""

    pairs: list[str]  # "cat-dog", ray by ray
    ends: list[tuple[int, int]]  # the two classes of each ray
    classes: list[str]
    angles: Floats
    values: dict[str, Floats]  # by model
    low: dict[str, Floats]
    high: dict[str, Floats]
    lowest: list[tuple[int, float]]  # the rays of the lowest values, of any model


def polar_figure(
    y_true: Any, models: Mapping[str, Any], *, confidence: float = 0.95, **given: Any
) -> PolarFigure:
    """Return the pairs of classes as rays, in the order of the first model's AUCs.

    That is the order in which the polygon of the first model has its largest area (HA10, Lemma 1):
    values fall on both sides of the greatest one.
    """
    found: dict[str, Any] = {
        name: delong(
            y_true, scores, HandTill(absent="skip"), pairs=True, confidence=confidence, **given
        )
        for name, scores in models.items()
    }
    first = next(iter(found.values()))
    count = len(first.classes)
    if count < 3:
        raise ValueError(
            "a polar plot has one ray per pair of classes, and two classes are one pair"
        )
    i, j = np.triu_indices(count, k=1)
    known = ~np.isnan(first.pairs.estimate[i, j])
    i, j = i[known], j[known]
    order = largest_area(first.pairs.estimate[i, j])
    i, j = i[order], j[order]
    pairs = [f"{first.classes[a]}-{first.classes[b]}" for a, b in zip(i, j, strict=True)]
    values = {name: one.pairs.estimate[i, j] for name, one in found.items()}
    least = np.min(list(values.values()), axis=0)
    lowest = np.argsort(least, kind="stable")[:LOWEST].tolist()
    return PolarFigure(
        pairs,
        list(zip(i.tolist(), j.tolist(), strict=True)),
        [str(label) for label in first.classes],
        2.0 * np.pi * np.arange(len(pairs)) / len(pairs),
        values,
        {name: one.pairs.interval[i, j, 0] for name, one in found.items()},
        {name: one.pairs.interval[i, j, 1] for name, one in found.items()},
        [(k, float(least[k])) for k in lowest],
    )


def largest_area(values: Floats) -> list[int]:
    """Return the order of rays in which neighbours' products sum to the most: HA10, Lemma 1."""
    falling = np.argsort(-values, kind="stable").tolist()
    # The greatest in the middle, the others in turn to its right and to its left.
    return [*reversed(falling[1::2]), *falling[::2]]
