"""The volumes as they are defined: all tuples of one row from each class, one by one.

Rows come by class: x[k] are those of class k, w[k] their weights as Python integers
(`reference.whole`). Scores are `Fraction`s where they are added up, so that equal totals are equal.
Values are `Fraction`s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, pairwise, permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Rows = Sequence[Sequence[Any]]


def tuples(x: Rows, w: Rows) -> Iterator[tuple[tuple[Any, ...], int]]:
    """One row from each class, and the product of their weights."""
    for at in product(*(range(len(rows)) for rows in x)):
        yield tuple(x[k][a] for k, a in enumerate(at)), math.prod(w[k][a] for k, a in enumerate(at))


def mean(x: Rows, w: Rows, share: Callable[[tuple[Any, ...]], Fraction]) -> Fraction:
    """The weighted mean of a share over all tuples."""
    total = sum((share(rows) * weight for rows, weight in tuples(x, w)), Fraction(0))
    return total / math.prod(sum(weights) for weights in w)


def vus(x: Rows, w: Rows) -> Fraction:
    """P(x_1 < ... < x_K); each run of m equal neighbours counts 1 / m!, runs multiply."""

    def share(marker: tuple[Any, ...]) -> Fraction:
        if any(a > b for a, b in pairwise(marker)):
            return Fraction(0)
        runs = [len(list(run)) for _, run in groupby(marker)]
        return Fraction(1, math.prod(map(math.factorial, runs)))

    return mean(x, w, share)


def pdi(x: Rows, w: Rows, i: int) -> Fraction:
    """P(the row of class i has the greatest score i), shared out among those that have it."""

    def share(rows: tuple[Any, ...]) -> Fraction:
        scores = [row[i] for row in rows]
        greatest = max(scores)
        return Fraction(int(scores[i] == greatest), scores.count(greatest))

    return mean(x, w, share)


def hum(x: Rows, w: Rows) -> Fraction:
    """The share of tuples whose own assignment has the greatest total; 1 / m where m share it."""
    K = len(x)

    def share(rows: tuple[Any, ...]) -> Fraction:
        totals = [sum(rows[k][j] for k, j in enumerate(each)) for each in permutations(range(K))]
        greatest = max(totals)
        return Fraction(int(totals[0] == greatest), totals.count(greatest))  # identity first

    return mean(x, w, share)


def by_class(c: Array, values: Array, K: int) -> list[list[Any]]:
    """Rows of each class, or their weights."""
    return [list(values[c == k]) for k in range(K)]


def jackknife(value: Callable[[Array], float], c: Array, w: Array) -> Array:
    """How much each row moves a U-statistic: a fixed share of what leaving it out does."""
    whole, moved = value(w), np.zeros(len(c))
    for row in range(len(c)):
        without = w.copy()
        without[row] = 0.0
        mass = w[c == c[row]].sum()
        moved[row] = (whole - value(without)) * (mass - w[row]) / mass
    return moved
