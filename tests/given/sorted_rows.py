"""Many rows of one column of scores, which runs draw by rank."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from given import core_weights

Array = NDArray[Any]

MANY = 1 << 17  # runs of more rows than this draw them by rank
PORTION = 1 << 16  # in portions of at most so many


def made(n_others: int, n_favoured: int, levels: float, seed: int) -> tuple[Array, Array]:
    """Labels and scores in no order."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], [n_others, n_favoured]))
    # At most a few rows to a level, or they would be drawn as cells.
    return y, np.floor(levels * (rng.normal(size=len(y)) + y)) / levels


def in_order(y: Array, s: Array) -> tuple[Array, Array]:
    """Classes and scores by score, favoured rows first where they tie."""
    order = np.lexsort((1 - y, s))
    return y[order], s[order]


def weights_in_order(y: Array, b: range, **scheme: Any) -> Array:
    """The weights of rows that are in order: the k-th of a class has that of its k-th unit."""
    sizes = [int((y == 0).sum()), int((y == 1).sum())]
    drawn = core_weights.in_portions(sizes, PORTION, 5, b.start, b.stop, **scheme)
    out = np.empty((len(b), len(y)))
    out[:, y == 0], out[:, y == 1] = drawn[:, : sizes[0]], drawn[:, sizes[0] :]
    return out
