"""The thresholds at which a curve and its replicates are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._curves.tube import stabilised

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

_STEP = 0.25  # standard errors from one threshold to the next
_MOST = 3000  # steps, about
UNTOLD = 3.0  # standard errors over which curves are straightened


class Thresholds(NamedTuple):
    """Some thresholds of a sample, from the highest one down."""

    weights: Floats  # of the rows at or above each
    fpr: Floats
    tpr: Floats
    within: Array  # whether it is within a tie group, along which curves are straight


def thresholds(fp: Floats, tp: Floats, sizes: tuple[float, float]) -> Thresholds:
    """Return those of the curve through these masses, no farther than a step from each other.

    Of a tie group of many rows some lie within; of very many rows the steps are longer. `sizes` are
    the favoured rows and the others.
    """
    across, up = fp / fp[-1], tp / tp[-1]
    runs = np.diff(stabilised(across, sizes[1]))
    rises = np.diff(stabilised(up, sizes[0]))
    lengths = np.hypot(runs, rises)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    step = max(_STEP, float(along[-1]) / _MOST)
    long = (runs > 0.0) & (rises > 0.0) & (lengths > step)
    parts = np.floor(along / step)
    kept = np.concatenate([[True], (parts[1:] != parts[:-1]) | long])
    kept[:-1] |= long
    kept[-1] = True
    ends = np.flatnonzero(kept)
    count = np.where(long[ends[1:] - 1], np.ceil(np.diff(along[ends]) / step), 1).astype(int)
    number = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + 1
    pieces = np.repeat(count, count)
    at = np.concatenate([[0.0], np.repeat(np.arange(len(count)), count) + number / pieces])
    weights, fpr, tpr = (
        np.interp(at, np.arange(len(ends)), part[ends]) for part in (fp + tp, across, up)
    )
    return Thresholds(weights, fpr, tpr, np.concatenate([[False], number < pieces]))


def straightened(places: tuple[Floats, Floats], looked: Thresholds) -> tuple[Floats, Floats]:
    """Return a curve that is straight from one of its points to another, three errors away.

    `places` are those of its thresholds, on the scale of :func:`~polyroc._curves.tube.stabilised`.
    A tie group that is longer stays as it is.
    """
    ends = np.flatnonzero(~looked.within)
    x, y = (part[ends] for part in places)
    knots = _knots(x.tolist(), y.tolist())
    far = x + y
    # By how much each point is moved; those within tie groups go along.
    moves = (np.interp(far, far[knots], part[knots]) - part for part in (x, y))
    weights = looked.weights
    across, up = (
        part + np.interp(weights, weights[ends], move)
        for part, move in zip(places, moves, strict=True)
    )
    return across, up


def _knots(x: list[float], y: list[float]) -> list[int]:
    """Return where the straight pieces meet."""
    found = [0]
    for k in range(1, len(x)):
        last, before = found[-1], k - 1
        if before > last and np.hypot(x[k] - x[before], y[k] - y[before]) >= UNTOLD:
            found.append(before)
            last = before
        if np.hypot(x[k] - x[last], y[k] - y[last]) >= UNTOLD:
            found.append(k)
    if found[-1] != len(x) - 1:
        found.append(len(x) - 1)
    return found
