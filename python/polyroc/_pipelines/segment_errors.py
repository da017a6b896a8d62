"""A measure in each segment and in all rows, with closed-form errors and what the two share.

Rows of a segment are rows of all: the estimates are correlated. With m the influence value of a row
that is widened so that its squares add up to the variance (`_inference.spread`),

    Cov(segment, all) = sum over the segment's rows of  m_segment m_all
    Var(segment - all) = sum over them of  (m_segment - m_all)^2  +  sum over the others of  m_all^2
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._data.units import contest_sizes, plan
from polyroc._inference.influence import measured
from polyroc._inference.scale import scale_of
from polyroc._inference.small_sample import leverage
from polyroc._inference.spread import cells_of, parts_of, pull_of, uneven
from polyroc._measures.registry import counts_enter

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample
    from polyroc._inference.spread import Cells
    from polyroc._measures.measure import Measure
    from polyroc._stats.normal_interval import Scale


class Errors(NamedTuple):
    """What is known of a measure in each segment; nan where nothing is."""

    estimate: Floats
    variance: Floats
    doubt: Floats  # of the variance, see `_stats.sided_limits.Spread`
    inner_doubt: Floats
    pull: Floats
    covariance: Floats  # with the measure of all rows
    difference_variance: Floats

    @classmethod
    def unknown(cls, count: int) -> Errors:
        """Return room for so many segments."""
        return cls(*np.full((7, count), np.nan))


class Whole(NamedTuple):
    """A measure of some rows."""

    estimate: float
    variance: float
    doubt: float
    inner_doubt: float
    pull: float
    moved: Floats  # the widened influence value of each unit
    units: Array | None = None  # their numbers; None where they are all rows
    scale: Scale | None = None  # None where it is that of all rows


def part_of(sample: Sample, rows: Array) -> Sample:
    """Return some rows of a sample, with the same classes."""
    codes = sample.codes[rows]
    weights = None if sample.weights is None else sample.weights[rows]
    counts = np.bincount(codes, None if weights is None else weights > 0, sample.n_classes)
    present = counts > 0
    return sample._replace(
        scores=sample.scores[rows],
        codes=codes,
        weights=weights,
        present=None if present.all() else present,
        integers=None if sample.integers is None else sample.integers[rows],
    )


def whole_of(
    sample: Sample, measure: Measure[Any], value: int, numbers: Array, grouped: bool
) -> Whole:
    """Return one value of a measure of rows with the influence value of each unit.

    `numbers` are those of the rows' units: of rows or, if they are `grouped`, of their groups.
    """
    groups = numbers if grouped else None
    units = plan(sample, "multinomial", None, groups, counts_enter(sample, [measure]))
    cells, cell_of_row = cells_of(sample, units)
    estimate, influences = measured(sample, units, {"": measure}, cell_of_row, cells.summed)[""]
    values = influences.values[[min(value, len(influences.values) - 1)]]
    parts = parts_of(values, influences.bounds, cells)
    effective = units._replace(sizes=cells.effective)
    pull, scale = pull_of(measure, cells), scale_of(measure, sample, effective)
    if not measure.is_single:
        one, other = contest_sizes(effective, np.shape(estimate))[value].tolist()
        pull, scale = 1.0 / max(min(one, other), 1.0), scale._replace(sizes=(one, other))
    spread = parts.spreads([pull], kurtosis=uneven(sample.weights))[0]
    if units.groups is None:
        moved = _moved_rows(sample, values[0], units.stratified)
    else:
        moved = moved_groups(cells, values[0])
        of_unit = np.empty(units.n_groups, dtype=np.int64)
        of_unit[units.groups] = numbers
        met = units.groups if sample.weights is None else units.groups[sample.weights > 0.0]
        numbers = of_unit[np.unique(met)]
    return Whole(float(np.ravel(estimate)[value]), *spread, moved, numbers, scale)


def _moved_rows(sample: Sample, values: Floats, stratified: bool) -> Floats:
    """Return the widened influence value of each row, 0 for those without weight."""
    codes, weights = sample.codes, sample.weights
    rows = np.arange(len(codes)) if weights is None else np.flatnonzero(weights > 0.0)
    placed = rows[np.argsort(codes[rows], kind="stable")] if stratified else rows
    moved, n = np.zeros(len(codes)), len(rows)
    moved[placed] = values
    for code in range(sample.n_classes):
        mine = rows[codes[rows] == code]
        if len(mine):
            weight = weights[mine] if weights is not None and uneven(weights) else None
            inner, common = _widened(moved[mine], weight, stratified)
            moved[mine] = inner + math.sqrt(n / (n - 1)) * common
    return moved


def moved_groups(cells: Cells, values: Floats) -> Floats:
    """Return the widened influence value of each group, the sum of those of its cells."""
    groups, classes = cells.groups, cells.classes
    assert groups is not None
    moved, n = np.empty_like(values), int(groups.max()) + 1
    for code in np.flatnonzero(cells.masses > 0.0).tolist():
        mine = np.asarray(classes == code)
        weight = None if cells.weights is None else cells.weights[mine]
        inner, common = _widened(values[mine], weight, stratified=False)
        moved[mine] = inner + math.sqrt(n / (n - 1)) * common
    return np.bincount(groups, moved, n).astype(np.float64)


def _widened(
    own: Floats, weights: Floats | None, stratified: bool
) -> tuple[Floats, Floats | float]:
    """Return the widened values of one class, and what lies between classes."""
    share = 1.0 / len(own) if weights is None else weights / weights.sum()
    common = 0.0 if stratified else share * own.sum()
    inner = own - common
    if weights is None:
        return math.sqrt(len(own) / (len(own) - 1)) * inner, common
    return leverage(inner[np.newaxis], weights)[0][0], common


def add_segment(out: Errors, k: int, own: Whole, whole: Whole | None) -> None:
    """Put down what is known of the k-th segment, and what it shares with all rows."""
    out.estimate[k], out.variance[k], out.doubt[k], out.inner_doubt[k], out.pull[k] = own[:5]
    if whole is None:
        return
    above = whole.moved[own.units]
    out.covariance[k] = own.moved @ above
    rest = 0.0 if len(above) == len(whole.moved) else whole.variance - above @ above
    out.difference_variance[k] = np.square(own.moved - above).sum() + max(rest, 0.0)
