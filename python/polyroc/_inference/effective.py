"""Effective units of each class: how many of equal weight would say as much.

(sum w)^2 / sum w^2 over the rows of a class, or over groups, of which w is what their rows in the
class weigh. In blocks of rows, so that large samples take little memory beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan

_BLOCK = 2**18  # rows at a time


def effective_sizes(sample: Sample, units: Plan) -> tuple[Floats, Floats]:
    """Return the weight of each class, of which the heaviest row has 1, and its effective units."""
    codes, weights, count = sample.codes, sample.weights, sample.n_classes
    if weights is None and units.groups is None:
        masses = units.row_sizes.astype(np.float64)
        return masses, masses
    # Those that the core is going to refuse count nothing.
    top = 1.0 if weights is None else float(np.nanmax(weights, initial=0.0))
    top = top if 0.0 < top < np.inf else 1.0
    groups, each = units.groups, 1 if units.groups is None else units.n_groups
    masses, squares = np.zeros((count, each)), np.zeros(count)
    for first in range(0, len(codes), _BLOCK):
        block = slice(first, first + _BLOCK)
        own = np.ones(len(codes[block])) if weights is None else weights[block] / top
        keys = codes[block].astype(np.int64)
        squares += np.bincount(keys, own * own, count)
        if groups is not None:
            keys = keys * each + groups[block]
        np.add.at(masses.reshape(-1), keys, own)
    if groups is not None:
        squares = np.einsum("ij,ij->i", masses, masses)
    sums = masses.sum(axis=1)
    return sums, np.where(squares > 0.0, sums * sums / np.where(squares > 0.0, squares, 1.0), 0.0)
