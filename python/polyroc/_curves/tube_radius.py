"""How wide a tube round a curve must be, so that it holds the true one.

The bootstrap lets the sample play the truth and each replicate the sample. What is to hold the
truth is the tube round the sample's curve; so it is the tube round a *replicate* that has to hold
the sample's curve, and not the other way round. The two differ, because the tube round a rough
curve is widest where that curve strays most: a sample's curve and its tube stray together, while a
replicate strays without regard to how the sample did, and is farther from it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from polyroc._curves.tube import rate_of, stabilised

if TYPE_CHECKING:
    from polyroc._base.types import Floats

_STEP = 0.5  # standard errors from one rate looked at to the next
_MOST = 1000  # rates looked at
_TOGETHER = 64  # replicates measured at a time, so that they stay in the cache


def looked_at(others: float) -> Floats:
    """Return the false positive rates at which replicates are needed, evenly apart in errors."""
    start, end = stabilised(np.array([0.0, 1.0]), others)
    count = min(math.ceil((end - start) / _STEP), _MOST)
    rates = rate_of(np.linspace(start, end, count + 1), others)
    rates[[0, -1]] = 0.0, 1.0
    return rates


def radius(
    points: tuple[Floats, Floats], replicates: Floats, sizes: tuple[float, float], share: float
) -> float:
    """Return the least radius at which tubes round this share of replicates hold the curve.

    `replicates` are heights at the rates :func:`looked_at`, `sizes` the favoured rows and others.
    """
    rates = looked_at(sizes[1])
    curve = stabilised(np.interp(rates, *without_corners(points, sizes)), sizes[0])
    start, end = stabilised(rates[[0, -1]], sizes[1])
    step = float(end - start) / (len(rates) - 1)
    seen = stabilised(replicates, sizes[0])
    seen[:, -1] = curve[-1]  # at a rate of 1 all are 1, but for rounding
    parts = [
        distances(curve, seen[first : first + _TOGETHER], step)
        for first in range(0, len(seen), _TOGETHER)
    ]
    every = np.sort(np.concatenate(parts))
    return float(every[max(math.ceil(share * len(every) - 1e-9), 1) - 1])


def distances(curve: Floats, replicates: Floats, step: float) -> Floats:
    """Return how far from each replicate the curve's farthest point is.

    All are heights, one `step` apart, on the scale of :func:`polyroc._curves.tube.stabilised`;
    replicates are straight between them, and start upright from a height of 0.
    """
    count = len(curve)
    aside = step * np.arange(count)
    found = np.where(curve <= replicates[:, :1], aside, np.inf)
    found = np.square(np.minimum(found, np.abs(replicates - curve)))
    there_and_back = [slice(None), slice(None, None, -1)]
    for way in there_and_back:
        line, seen, least = curve[way], replicates[:, way], found[:, way]
        rises = np.diff(seen, axis=1)
        lengths = step**2 + rises**2
        # From each point to the piece of the replicate that begins so many steps to the side.
        for k in range(count - 1):
            if aside[k] ** 2 >= least.max():
                break
            ahead = count - 1 - k
            start, rise = seen[:, k:-1] - line[:ahead], rises[:, k:]
            nearest = np.clip(-(aside[k] * step + start * rise) / lengths[:, k:], 0.0, 1.0)
            away = (aside[k] + nearest * step) ** 2 + (start + nearest * rise) ** 2
            np.minimum(least[:, :ahead], away, out=least[:, :ahead])
    return np.asarray(np.sqrt(found.max(axis=1)))


def without_corners(
    points: tuple[Floats, Floats], sizes: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the curve with the corners cut off where it goes straight up or across.

    It does so for as long as it meets rows of one class alone. The true curve slants there: before
    the next row of the other class comes, it is on its way for one row on average. So a corner is
    cut one row away from it, and at the middle of a shorter piece.
    """
    across, up = points
    run, rise = np.diff(across), np.diff(up)
    slants = (run > 0.0) & (rise > 0.0)
    # Where a piece begins: the curve turns, or it slants, where each tie group is a piece.
    turns = (run[1:] == 0.0) != (run[:-1] == 0.0)
    first = np.flatnonzero(np.concatenate([[True], turns | slants[1:] | slants[:-1]]))
    last = np.append(first[1:], len(run))
    lines = []
    for part, rows in zip(points, sizes[::-1], strict=True):
        begin, end = part[first], part[last]
        cut = np.where(slants[first], 0.0, np.minimum((end - begin) / 2.0, 1.0 / rows))
        inner = np.column_stack([begin + cut, end - cut]).ravel()
        lines.append(np.concatenate([[0.0], inner, [1.0]]))
    return lines[0], lines[1]
