"""What BCa intervals need of influence values, for each way of resampling.

With S_i the sum of squared influence values of class i, the variance of a measure is
sum_i n_i / (n_i - 1) S_i, and resamples of each class by itself spread by sum_i S_i: intervals are
widened by the ratio. Where class counts vary, so does the number of rows that a class is
drawn, and resamples spread by about n_i / (n_i - 1) S_i of themselves; what is lacking is
n / (n - 1) for all rows.

Bayesian weights are exponential, and shares of their sum: they spread by n_i / (n_i + 1) S_i in
each class, whether classes are drawn by themselves or not, since shares within a class do not
depend on the class's own. What is lacking is (n_i + 1) / (n_i - 1) = 2 n_i / (n_i - 1) - 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._inference.influence import Influences
from polyroc._inference.jackknife import jackknifed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polyroc import _core
    from polyroc._base.types import Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure


class Shape(NamedTuple):
    """What is known of each value of a measure by influence values."""

    acceleration: Floats
    variance: Floats
    inflation: Floats  # of the variance of replicates
    freedom: Floats  # degrees of freedom of the variance

    @staticmethod
    def of(shape: _core.Shape) -> Shape:
        """Return the core's."""
        return Shape(shape.acceleration, shape.variance, shape.inflation, shape.df)

    @staticmethod
    def by(influences: Influences) -> Shape:
        """Return that of influence values."""
        acceleration, inflation, freedom = influences.shape()
        return Shape(acceleration, influences.variances(), inflation, freedom)


def shapes_of(
    run: _core.Replicates, units: Plan, n_units: int, by_class: Callable[[], _core.Replicates]
) -> list[Shape]:
    """Return the shape of each measure; `by_class` runs as little as has shapes, classes apart."""
    shapes = [Shape.of(shape) for shape in run.shapes]
    wanted = any(np.isfinite(shape.inflation).any() for shape in shapes)
    if units.scheme != "bayesian" or not wanted:
        return shapes
    if not units.stratified and units.groups is None:
        within = [Shape.of(shape) for shape in by_class().shapes]
        shapes = [_apart(*both, n_units) for both in zip(shapes, within, strict=True)]
    return [shape._replace(inflation=2.0 * shape.inflation - 1.0) for shape in shapes]


def left_out_shapes(
    sample: Sample, units: Plan, n_units: int, measures: Sequence[Measure[Any]]
) -> list[Shape]:
    """Return the shape of each measure by a jackknife; none where a unit cannot be left out."""
    found = jackknifed(sample, units, measures) if measures else None
    return [_left_out_shape(one, units, n_units) for one in found or ()]


def _left_out_shape(found: Influences, units: Plan, n_units: int) -> Shape:
    shape = Shape.by(found)
    if units.scheme != "bayesian":
        return shape
    if found.kinds is not None and units.groups is None:
        counts = np.bincount(found.kinds)
        means = np.stack(
            [np.bincount(found.kinds, row) / np.maximum(counts, 1) for row in found.values]
        )
        centred = found.values - means[:, found.kinds]
        within = Influences(centred, (0, *np.cumsum(counts).tolist()))
        shape = _apart(shape, Shape.by(within), n_units)
    return shape._replace(inflation=2.0 * shape.inflation - 1.0)


def _apart(whole: Shape, within: Shape, n: int) -> Shape:
    """Return a shape of all rows, with n_i / (n_i - 1) and degrees of freedom by class.

    What lies between classes (where class counts enter the measure) has n / (n - 1) of all rows.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        squares, own = whole.variance / whole.inflation, within.variance / within.inflation
        between = n / (n - 1) * np.maximum(squares - own, 0.0)
        variance = within.variance + between
        doubt = within.variance**2 / within.freedom + between**2 / (n - 1)
        inflation, freedom = variance / squares, variance**2 / doubt
    known = np.isfinite(inflation) & np.isfinite(freedom)  # not so with a class of one row
    return whole._replace(
        inflation=np.where(known, inflation, whole.inflation),
        freedom=np.where(known, freedom, whole.freedom),
    )
