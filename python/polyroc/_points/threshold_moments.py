"""The moments of a class against the rest at many thresholds, from one sweep over the rows.

As the threshold falls, rows pass it one after the other. Let rows of its group that passed before
weigh a (of the class) and b (others): then a row of the class of weight w adds 2 w a + w^2 to the
sum of a^2 over groups, and w b to that of a b. So one pass serves all thresholds, and no table of
groups by thresholds is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polyroc._points.effective_counts import Moments
from polyroc._points.rates import NOTHING

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes, Floats


def moments_at(
    thresholds: Floats, scores: Array, positive: Array, weights: Floats | None, groups: Codes | None
) -> Moments:
    """Return the moments of saying yes to scores of `thresholds`, which fall, or more."""
    mass = np.ones(len(scores)) if weights is None else np.asarray(weights, np.float64)
    # The first of the thresholds that the row passes; one more than there are if none.
    place = np.searchsorted(-thresholds, -np.asarray(scores, np.float64), side="left")
    yes = np.asarray(positive, bool)
    if groups is not None:
        order = np.lexsort((place, groups))
        mass, place, yes, groups = mass[order], place[order], yes[order], groups[order]
    no, count = ~yes, len(thresholds)

    def passed(values: Floats, which: Array) -> Floats:
        """Return, at each threshold, the sum over those rows that pass it."""
        return np.bincount(place[which], values[which], count + 1)[:count].cumsum()

    def four(values: Floats) -> Floats:
        """Return the sums in the cells TP, FP, FN, TN."""
        a, b = passed(values, yes), passed(values, no)
        p, n = float(values[yes].sum()), float(values[no].sum())
        found = np.stack([a, b, p - a, n - b], axis=-1)
        return np.where(found > NOTHING * (p + n), found, 0.0)

    squares = four(mass * mass)
    if groups is None:
        return Moments(four(mass), squares[..., None] * np.eye(4), squares)
    (p, n), (a, b) = _group_sums(mass, yes, groups)
    aa = passed(2.0 * mass * a, yes) + squares[:, 0]
    bb = passed(2.0 * mass * b, no) + squares[:, 1]
    ab = passed(mass * b, yes) + passed(mass * a, no)
    ap, an, bp, bn = (passed(mass * one, who) for who in (yes, no) for one in (p, n))
    # What is not said, c = p - a and d = n - b.
    ac, ad, bc, bd = ap - aa, an - ab, bp - ab, bn - bb
    cc = float(mass[yes] @ p[yes]) - ap - ac
    cd = float(mass[yes] @ n[yes]) - an - bc
    dd = float(mass[no] @ n[no]) - bn - bd
    products = [[aa, ab, ac, ad], [ab, bb, bc, bd], [ac, bc, cc, cd], [ad, bd, cd, dd]]
    return Moments(four(mass), np.moveaxis(np.array(products), -1, 0), squares)


def _group_sums(mass: Floats, yes: Array, groups: Codes) -> tuple[Floats, Floats]:
    """Return what the group of each row has of the class and of the others, and has had before it.

    Rows are sorted by group.
    """
    first = np.flatnonzero(np.concatenate([[True], groups[1:] != groups[:-1]]))
    sizes = np.diff(np.append(first, len(groups)))
    each = np.stack([mass * yes, mass * ~yes])
    own = np.repeat(np.add.reduceat(each, first, axis=1), sizes, axis=1)
    until = np.cumsum(each, axis=1) - each
    return own, until - np.repeat(until[:, first], sizes, axis=1)
