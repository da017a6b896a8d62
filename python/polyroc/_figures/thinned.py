"""Curves with as few points as the eye needs: no point left out lies further away than a bound."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

BOUND = 1.0 / 800.0  # half a pixel of a picture 400 pixels wide
SMALL_BOUND = 1.0 / 264.0  # and of one 132 pixels wide


def thinned(x: Floats, y: Floats, bound: float = BOUND, most: int = 400) -> Array:
    """Return which points to keep (Ramer, Douglas and Peucker), the first and the last among them.

    The point that lies furthest away is taken next, until all lie within the bound; where that
    needs more than `most`, those are kept that mattered most.
    """
    near = _first_of_cells(x, y, bound / 4.0)
    return np.asarray(near[_split(x[near], y[near], 0.6 * bound, most)])


def _first_of_cells(x: Floats, y: Floats, side: float) -> Array:
    """Return which points are the first in a cell of a grid, and the last one of all.

    Others lie within a diagonal, 1.42 sides, of one that is kept. Curves of very many points
    come down to a few thousand at once.
    """
    new = np.ones(len(x), dtype=np.bool_)
    new[1:-1] = False
    for values in (x, y):
        cells = np.floor(values / side)
        new[1:-1] |= cells[1:-1] != cells[:-2]
    return np.flatnonzero(new)


def thinned_points(curve: dict[str, Any], most: int) -> dict[str, Any]:
    """Return a curve of lists with few points, for a small picture."""
    fpr, tpr = np.array(curve["fpr"]), np.array(curve["tpr"])
    kept = thinned(fpr, tpr, SMALL_BOUND, most)
    return {"fpr": fpr[kept].tolist(), "tpr": tpr[kept].tolist()}


def _split(x: Floats, y: Floats, bound: float, most: int) -> Array:
    kept = {0, len(x) - 1}
    parts = [_furthest(x, y, 0, len(x) - 1)]
    while parts and len(kept) < most:
        away, at, first, last = heappop(parts)
        if -away <= bound:
            break
        kept.add(at)
        for ends in ((first, at), (at, last)):
            if ends[1] - ends[0] > 1:
                heappush(parts, _furthest(x, y, *ends))
    return np.array(sorted(kept))


def _furthest(x: Floats, y: Floats, first: int, last: int) -> tuple[float, int, int, int]:
    """Return, of the point furthest from a line, the distance with a minus, and its place."""
    if last - first < 2:
        return 0.0, first, first, last
    dx, dy = x[last] - x[first], y[last] - y[first]
    length = float(np.hypot(dx, dy))
    px, py = x[first + 1 : last] - x[first], y[first + 1 : last] - y[first]
    away = np.abs(px * dy - py * dx) / length if length > 0 else np.hypot(px, py)
    at = int(away.argmax())
    return -float(away[at]), first + 1 + at, first, last
