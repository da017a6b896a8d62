"""A segment of the rows beside all of them, from the sums of a second pass.

With m the influence values widened as in `segment_errors`,

    Cov(segment, all) = sum over the segment's rows of  m_segment m_all
    Var(segment - all) = sum over them of  (m_segment - m_all)^2  +  what is left of  Var(all)

Rows one by one are looked up in both tables, x and y beyond the centres of their class, which sums
of x^2, y^2 and (x - y)^2 tell all about (`shared_rows`). Groups have names that shards agree on, so
that those of a segment are found among those of all rows. Replicates of both see the same weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._pipelines.segment_errors import Errors as SegmentErrors
from polyroc._pipelines.segment_errors import Whole, add_segment, moved_groups
from polyroc._pipelines.segment_limits import Limits, add_limits
from polyroc._pipelines.segment_replicates import beside
from polyroc._pipelines.shard_errors import Errors, Grouped, counts_enter, errors_of
from polyroc._pipelines.shard_replicates import drawn_errors, replicates_of
from polyroc._pipelines.shared_rows import Shared, shared_rows

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._base.types import Floats
    from polyroc._pipelines.influence_sums import InfluenceSums
    from polyroc._pipelines.influence_tables import InfluenceTables
    from polyroc._pipelines.state_value import StateValue


class Away(NamedTuple):
    """How far a segment is from all rows."""

    value: float
    low: float
    high: float
    p_value: float


class AllRows:
    """What segments stand beside: found once for all of them."""

    def __init__(self, sums: InfluenceSums) -> None:
        tables = sums._tables
        self.tables, self.sums = tables, sums._core
        self.estimates = [value.estimate for value in tables._values()[0].values()]
        errors, self.replicates = errors_of(tables, sums._core), list["Floats"]()
        if tables.n_resamples:
            drawn = replicates_of(tables, sums._core, tables._values())
            errors = {name: drawn_errors(one, drawn[name]) for name, one in errors.items()}
            self.replicates = [drawn[name][0] for name in errors]
        self.errors = list(errors.values())
        self.groups, self.moved = np.empty(0, dtype=np.uint64), list["Floats"]()
        if tables.groups and not tables.n_resamples:
            self.groups, self.moved = self.sums.group_ids(), _moved(tables, self.sums)

    def whole(self, k: int) -> Whole:
        """Return the k-th measure of all rows."""
        moved = self.moved[k] if self.moved else np.empty(0)
        return Whole(self.estimates[k], *self.errors[k].models[0], moved)


def difference_of(
    given: InfluenceSums, k: int, value: StateValue, errors: Errors, above: AllRows, level: float
) -> Away:
    """Return how far the `value` of the k-th measure in a segment is from that of all rows."""
    estimate = value.estimate
    tables, sums, whole = given._tables, given._core, above.whole(k)
    own = Whole(estimate, *errors.models[0], np.empty(0))
    found = SegmentErrors.unknown(1)
    if value.replicates is not None:
        add_segment(found, 0, own, None)
        together = beside(value.replicates, above.replicates[k])
        found.covariance[0], found.difference_variance[0] = together
    elif tables.groups:
        moved, at = _moved(tables, sums)[k], np.searchsorted(above.groups, sums.group_ids())
        add_segment(found, 0, own._replace(moved=moved, units=at), whole)
    else:
        add_segment(found, 0, own, None)
        enter = counts_enter(tables.measures[k], len(tables.labels))
        shared = shared_rows(tables, sums, k, above.sums, enter)
        found.covariance[0] = shared.covariance
        found.difference_variance[0] = _apart(shared, whole, sums.rows == above.sums.rows)
    limits = Limits.unknown(1)
    add_limits(limits, 0, found, whole, (errors.scale, above.errors[k].scale), level)
    low, high = float(limits.difference_low[0]), float(limits.difference_high[0])
    return Away(estimate - whole.estimate, low, high, float(limits.p_value[0]))


def _apart(shared: Shared, whole: Whole, all_rows: bool) -> float:
    """Return the variance of the difference; other rows than the segment's are what is left."""
    if all_rows:
        return 0.0
    return max(shared.apart, 0.0) + max(whole.variance - shared.above, 0.0)


def _moved(tables: InfluenceTables, sums: _core.Sums) -> list[Floats]:
    """Return the widened influence values of each group, of each measure."""
    grouped = Grouped(tables, sums)
    enter = [counts_enter(name, len(tables.labels)) for name in tables.measures]
    values = [grouped.values(k, one) for k, one in enumerate(enter)]
    return [moved_groups(grouped.cells, one) for one in values]
