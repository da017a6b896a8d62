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

from polyroc._data.units import plan
from polyroc._inference.influence import measured
from polyroc._inference.small_sample import leverage
from polyroc._inference.spread import cells_of, parts_of, pull_of, uneven
from polyroc._measures.registry import counts_enter

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure


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
    """A measure of all rows."""

    estimate: float
    variance: float
    doubt: float
    inner_doubt: float
    pull: float
    moved: Floats  # the widened influence value of each row


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


def whole_of(sample: Sample, measure: Measure[Any]) -> Whole:
    """Return a measure of rows with the influence value of each."""
    units = plan(sample, "multinomial", None, None, counts_enter(sample, [measure]))
    cells, cell_of_row = cells_of(sample, units)
    estimate, influences = measured(sample, units, {"": measure}, cell_of_row, cells.summed)[""]
    parts = parts_of(influences.values, influences.bounds, cells)
    spread = parts.spreads([pull_of(measure, cells)], kurtosis=uneven(sample.weights))[0]
    moved = _moved(sample, influences.values[0], units.stratified)
    return Whole(float(estimate), *spread, moved)


def _moved(sample: Sample, values: Floats, stratified: bool) -> Floats:
    """Return the widened influence value of each row, 0 for those without weight."""
    codes, weights = sample.codes, sample.weights
    rows = np.arange(len(codes)) if weights is None else np.flatnonzero(weights > 0.0)
    placed = rows[np.argsort(codes[rows], kind="stable")] if stratified else rows
    moved, n = np.zeros(len(codes)), len(rows)
    moved[placed] = values
    for code in range(sample.n_classes):
        mine = rows[codes[rows] == code]
        if not len(mine):
            continue
        own, weight = moved[mine], None if weights is None else weights[mine]
        share = 1.0 / len(mine) if weight is None else weight / weight.sum()
        common = np.zeros(1) if stratified else share * own.sum()
        inner = own - common
        if uneven(weights) and weight is not None:
            widened = leverage(inner[np.newaxis], weight)[0][0]
        else:
            widened = math.sqrt(len(mine) / (len(mine) - 1)) * inner
        moved[mine] = widened + math.sqrt(n / (n - 1)) * common
    return moved


def add_segment(
    out: Errors, k: int, part: Sample, rows: Array, measure: Measure[Any], whole: Whole | None
) -> None:
    """Work out the k-th segment, which is `part`, by itself, as `delong` does."""
    own = whole_of(part, measure)
    out.estimate[k], out.variance[k], out.doubt[k], out.inner_doubt[k], out.pull[k] = own[:5]
    if whole is None:
        return
    above = whole.moved[rows]
    out.covariance[k] = own.moved @ above
    rest = 0.0 if len(rows) == len(whole.moved) else whole.variance - above @ above
    out.difference_variance[k] = np.square(own.moved - above).sum() + max(rest, 0.0)
