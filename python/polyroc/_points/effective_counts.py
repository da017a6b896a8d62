"""How many independent rows a rate is worth, where rows have weights or come in groups.

Wilson's interval of a rate p asks for a number of trials. It is the one at which independent rows
of equal weight would give p the variance that it has::

    n_eff = p (1 - p) / V,    V = sum over units of (x_g - p y_g)^2 / (sum over units of y_g)^2

with x_g and y_g what unit g, a row or a group, adds above and below in the rate: V is the
linearised variance of a ratio of sums. It is taken as Korn and Graubard do, with the degrees of
freedom of the units in place of those of the rows, and never above the number that weights alone
leave (Kish). A rate of 0 or 1 shows no variance: it counts every unit once.

References
----------
L. Kish, Survey Sampling, Wiley, 1965 (effective sample size).
E. L. Korn and B. I. Graubard, Confidence intervals for proportions with small expected number of
positive counts estimated from survey data, Survey Methodology 24 (1998) 193-201.
C. Franco, R. J. A. Little, T. A. Louis and E. V. Slud, Comparative study of confidence intervals
for proportions in complex sample surveys, J. Surv. Stat. Methodol. 7 (2019) 334-364 (Wilson's).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._points.rates import of_jaccard
from polyroc._points.tally import weighted_sums
from polyroc._stats.tails import t_quantile
from polyroc._stats.wilson_interval import wilson

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

# What a row in a cell (TP, FP, FN, TN) adds above and below. F1 = 2 J / (1 + J) stands by
# J = TP / (TP + FP + FN), which is a proportion.
_SHARES = {
    "sensitivity": ((1, 0, 0, 0), (1, 0, 1, 0)),
    "specificity": ((0, 0, 0, 1), (0, 1, 0, 1)),
    "ppv": ((1, 0, 0, 0), (1, 1, 0, 0)),
    "npv": ((0, 0, 0, 1), (0, 0, 1, 1)),
    "f1": ((1, 0, 0, 0), (1, 1, 1, 0)),
    "accuracy": ((1, 0, 0, 1), (1, 1, 1, 1)),
}
_NO_SPREAD = 1e-12  # p (1 - p) of a rate that is 0 or 1 but for rounding


class Moments(NamedTuple):
    """The four cells of a class against the rest, and their squares, for any leading axes."""

    cells: Floats  # (..., 4): the weight in each cell
    units: Floats  # (..., 4, 4): sums over units of the products of what they have in two cells
    rows: Floats  # (..., 4): sums over rows of squared weights


def moments_of(cell: Array, mass: Floats, unit: Array | None) -> Moments:
    """Return the moments of rows in the cells 0 to 3; `unit` numbers groups, None is one a row."""
    rows = weighted_sums(cell, mass * mass, 4)
    if unit is None:
        return Moments(weighted_sums(cell, mass, 4), np.diag(rows), rows)
    count = int(unit.max()) + 1
    each = weighted_sums(unit * 4 + cell, mass, 4 * count).reshape(count, 4)
    return Moments(each.sum(axis=0), each.T @ each, rows)


def effective_count(name: str, moments: Moments, confidence: float) -> Floats:
    """Return the trials for Wilson's interval of a rate; nan where the rate is not defined."""
    above, below = (np.array(one, np.float64) for one in _SHARES[name])
    total = moments.cells @ below
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = (moments.cells @ above) / total
        moved = above - rate[..., None] * below
        variance = _form(moved, moments.units, moved) / total**2
        rows = total**2 / (moments.rows @ below**2)  # Kish's number
        units = total**2 / _form(below, moments.units, below)
        spread = rate * (1.0 - rate)
        own = (units - 1.0) / units * rows / (rows - 1.0) * spread / variance
        found = np.minimum(np.where(variance > 0.0, own, np.inf), rows)
        found = found * _freedom(rows, units, confidence)
    return np.where(spread > _NO_SPREAD, found, units)


def _form(left: Floats, middle: Floats, right: Floats) -> Floats:
    return np.asarray(np.einsum("...i,...ij,...j->...", left, middle, right))


def _freedom(rows: Floats, units: Floats, confidence: float) -> Floats:
    """Return the squared ratio of t's quantiles with the freedom of the rows and of the units."""
    tail = (1.0 - confidence) / 2.0

    def squared_ratio(n: float, m: float) -> float:
        if not m < n * (1.0 - 1e-9):  # every unit is a row
            return 1.0
        if not m > 1.0:
            return 0.0
        return (t_quantile(tail, n - 1.0) / t_quantile(tail, m - 1.0)) ** 2

    return np.asarray(np.vectorize(squared_ratio, otypes=[float])(rows, units))


def effective_wilson(name: str, moments: Moments, confidence: float) -> Floats:
    """Return Wilson's limits of a rate, with the trials that it is worth."""
    above, below = (np.array(one, np.float64) for one in _SHARES[name])
    trials = effective_count(name, moments, confidence)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = np.clip((moments.cells @ above) / (moments.cells @ below), 0.0, 1.0)
    limits = wilson(rate * trials, trials, confidence)
    return of_jaccard(limits) if name == "f1" else limits
