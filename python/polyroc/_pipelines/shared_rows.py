"""What a segment shares with all rows, where rows vary one by one.

A row of class c counts as  m = a x + A C h  in the segment and as  b y + B D g  in all rows: x and
y are what it has beyond the centres C and D of its class, h and g its shares of the class. The
parts with A and B lie between classes, and are there only where class counts enter a measure. a
and b have the factor n / (n - 1) of small samples, and 1 / n where x comes without its share of the
class (rows that count alike).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from polyroc._pipelines.shard_errors import UNITS, number_of, whole_of

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._pipelines.influence_tables import InfluenceTables


class Shared(NamedTuple):
    """Sums over the rows of a segment."""

    covariance: float  # of m in the segment times m in all rows
    apart: float  # of squares of their difference
    above: float  # of squares of m in all rows


class _Class(NamedTuple):
    """Sums over the rows of one class of a segment."""

    mean: float  # of x; the sums are of what x has beyond it
    x2: float
    y2: float
    d2: float  # of (x - y)^2
    xy: float
    xg: float = 0.0
    yg: float = 0.0
    gg: float = 0.0
    ratio: float = 1.0  # h / g

    def within(self, a: float, b: float) -> Shared:
        """Return what lies within the class."""
        # Squares of the difference by themselves: a segment of nearly all rows differs by less than
        # the rounding of either variance.
        apart = a * b * self.d2 + a * (a - b) * self.x2 + b * (b - a) * self.y2
        return Shared(a * b * self.xy, apart, b * b * self.y2)

    def between(self, a: float, b: float, own: float, above: float) -> Shared:
        """Return what lies between classes; `own` is A C h / g, `above` is B D."""
        covariance = a * above * self.xg + b * own * self.yg + own * above * self.gg
        squared = 2.0 * a * own * self.xg + own * own * self.gg
        of_all = 2.0 * b * above * self.yg + above * above * self.gg
        return Shared(covariance, squared - 2.0 * covariance + of_all, of_all)


def shared_rows(
    tables: InfluenceTables, sums: _core.Sums, k: int, above: _core.Sums, enter: bool
) -> Shared:
    """Return what the rows of a segment share with all rows, of the k-th measure."""
    assert tables._whole is not None
    weighted = tables._states[0]._core.weighted, tables._whole._core.weighted
    sizes, sizes_of_all = sums.positive, above.positive
    classes = _classes(tables, sums, k, above, enter, weighted)
    widened = [math.sqrt(n / (n - 1)) for n in (sum(sizes), sum(sizes_of_all))]
    centres, parts = tables._core.centres() if enter else [], []
    for code, (n, n_all, one) in enumerate(zip(sizes, sizes_of_all, classes, strict=True)):
        a, b = _factor(n, weighted[0]), _factor(n_all, weighted[1])
        parts.append(one.within(a, b))
        if enter:
            own = widened[0] * (centres[k][code] + one.mean) * one.ratio
            over = widened[1] * centres[len(tables.measures) + k][code]
            parts.append(one.between(a, b, own, over))
    return Shared(*map(math.fsum, zip(*parts, strict=True)))


def _factor(n: int, weighted: bool) -> float:
    """Return what x is multiplied with; weighted, it has its share and its leverage already."""
    return math.sqrt((n - 1) / n) if weighted else 1.0 / math.sqrt(n * (n - 1))


def _classes(
    tables: InfluenceTables, sums: _core.Sums, k: int, above: _core.Sums, enter: bool,
    weighted: tuple[bool, bool],
) -> list[_Class]:  # fmt: skip
    """Return the sums of each class."""
    count, powers, crossed = len(tables.measures), sums.powers(), sums.crossed()
    masses, masses_of_all = sums.masses, above.masses
    squares = sums.shares() if weighted[0] else []
    found = []
    for code, (n, n_all) in enumerate(zip(sums.positive, above.positive, strict=True)):
        at = 3 * count * code + k
        x1, x2 = map(whole_of, powers[at][:2])
        y1, y2 = map(whole_of, powers[at + count][:2])
        d2 = whole_of(powers[at + 2 * count][1])
        # The centre of x is the mean of its class but for rounding.
        mean, y = 0.0 if weighted[0] else x1 / (n * UNITS), y1 / UNITS
        off = n * mean * mean
        one = _Class(
            mean, x2 / UNITS - off, y2 / UNITS, d2 / UNITS - off + 2.0 * mean * y,
            (x2 + y2 - d2) / (2 * UNITS) - mean * y,
        )  # fmt: skip
        if enter:
            ratio = masses_of_all[code] / masses[code]
            own = number_of(squares[code]) if weighted[0] else 1.0 / n
            one = one._replace(yg=y / n_all, gg=own / ratio**2, ratio=ratio)
            if weighted[1]:
                xg, yg = (number_of(crossed[(2 * code + m) * count + k]) for m in range(2))
                one = one._replace(xg=xg, yg=yg)
        found.append(one)
    return found
