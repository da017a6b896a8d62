"""A segment of the rows beside all of them, from the sums of a second pass.

With m the influence values widened as in `segment_errors`, Cov(segment, all) is the sum over the
rows of the segment of m_segment m_all. Both are looked up for each row, x and y beyond the centres
of its class, and sums of x^2, y^2 and (x - y)^2 tell that of x y.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from polyroc._pipelines.segment_errors import Errors as SegmentErrors
from polyroc._pipelines.segment_errors import Whole
from polyroc._pipelines.segment_limits import Limits, add_limits
from polyroc._pipelines.shard_errors import counts_enter, errors_of, number_of

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._pipelines.influence_sums import InfluenceSums
    from polyroc._pipelines.influence_tables import InfluenceTables
    from polyroc._pipelines.shard_errors import Errors


def differences_of(
    tables: InfluenceTables, sums: _core.Sums, estimates: dict[str, tuple[float, float]],
    errors: dict[str, Errors], whole: InfluenceSums, level: float,
) -> dict[str, tuple[float, float, float, float]]:  # fmt: skip
    """Return, by measure, the difference of a segment from all rows, its limits and its p-value.

    `estimates` are those of the segment and of all rows; `whole` are the sums of all rows.
    """
    core = whole._tables._core
    of_all = errors_of(whole._tables.measures, core, whole._core, whole._tables.labels)
    found = {}
    for k, name in enumerate(tables.measures):
        own, above = errors[name].models[0], of_all[name].models[0]
        shared = _covariance(tables, sums, k, whole._core.rows, counts_enter(name, len(sums.rows)))
        apart = max(own.variance + above.variance - 2.0 * shared, 0.0)
        estimate, all_rows = estimates[name]
        one = SegmentErrors(*np.array([[estimate], *([x] for x in own), [shared], [apart]]))
        limits = Limits.unknown(1)
        scales = (errors[name].scale, of_all[name].scale)
        add_limits(limits, 0, one, Whole(all_rows, *above, np.empty(0)), scales, level)
        low, high = float(limits.difference_low[0]), float(limits.difference_high[0])
        found[name] = (estimate - all_rows, low, high, float(limits.p_value[0]))
    return found


def _covariance(
    tables: InfluenceTables, sums: _core.Sums, k: int, rows_of_all: list[int], enter: bool
) -> float:
    """Return the covariance of the k-th measure of a segment with that of all rows."""
    centres, count = tables._core.centres(), len(tables.measures)
    size, powers = 3 * count, sums.powers()
    n_all, n_whole = sum(sums.rows), sum(rows_of_all)
    shared = 0.0
    for code, (n, n_of_all) in enumerate(zip(sums.rows, rows_of_all, strict=True)):
        at = code * size + k
        x1, x2 = map(number_of, powers[at][:2])
        y1, y2 = map(number_of, powers[at + count][:2])
        d2 = number_of(powers[at + 2 * count][1])
        mean = x1 / n
        product = (x2 + y2 - d2) / 2 - mean * y1
        scale = Fraction(1, n * (n - 1)) * Fraction(1, n_of_all * (n_of_all - 1))
        shared += math.sqrt(scale) * float(product)
        if enter:  # what lies between classes
            common = Fraction(centres[k][code]) + mean
            above = Fraction(centres[count + k][code]) / n_of_all
            widened = math.sqrt(Fraction(n_all, n_all - 1) * Fraction(n_whole, n_whole - 1))
            inner = math.sqrt(Fraction(n_all, n_all - 1) * Fraction(1, n_of_all * (n_of_all - 1)))
            shared += widened * float(common * above) + inner * float(common / n * y1)
    return shared
