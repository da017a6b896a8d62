"""Influence values of measures, and the variances and covariances that come of them.

l is how much a unit (a row, or a group of rows) moves a measure, centred within strata; then
Cov(f, g) = sum over strata of n / (n - 1) sum of l_f l_g over the stratum's n units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import show
from polyroc._measures.registry import rows_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polyroc._base.types import Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure


# From so many numbers on, covariances are summed over so many units at a time, whatever their
# strata: a product for each stratum would write a matrix for each class.
MANY, BLOCK = 32, 4096


class Influences(NamedTuple):
    """Influence values of some numbers."""

    values: Floats  # one row per number, one column per unit
    bounds: tuple[int, ...]  # where strata begin among the units, and the end of the last one
    kinds: Codes | None = None  # the kind of each unit, where strata mix kinds of them
    weights: Floats | None = None  # of each unit, where they differ and count (see `small_sample`)
    mixed: bool = False  # whether some units are of several kinds

    def covariance(self, widened: bool = False) -> Floats:
        """Return the covariance matrix of the numbers; `widened` ones allow for strata already."""
        if len(self.values) < MANY:
            parts = [(part, 1.0 if widened else _widening(part)) for part in self._strata()]
            return np.asarray(sum(times * (part @ part.T) for part, times in parts))
        total = np.zeros((len(self.values), len(self.values)))
        sizes = np.diff(self.bounds)
        scales = np.repeat(1.0 if widened else np.sqrt(sizes / (sizes - 1)), sizes)
        for first in range(0, len(scales), BLOCK):
            block = self.values[:, first : first + BLOCK] * scales[first : first + BLOCK]
            total += block @ block.T
        return total

    def variances(self) -> Floats:
        """Return the variance of each number."""
        parts = self._strata()
        return np.asarray(
            sum(_widening(part) * np.einsum("ij,ij->i", part, part) for part in parts)
        )

    def shape(self) -> tuple[Floats, Floats, Floats]:
        """Return what BCa needs of each number: acceleration, inflation, degrees of freedom.

        As the core has them for measures (src/influence/sorted.rs): a = sum l^3 / (6 (sum
        l^2)^1.5); the variance over sum l^2; and Satterthwaite's degrees of freedom with the
        kurtosis of each stratum.
        """
        second, third, known, doubt = np.zeros((4, len(self.values)))
        for part in self._strata():
            n = part.shape[1]
            for k, row in enumerate(part):  # few rows, all long: products of vectors are fastest
                square = row * row
                squares, fourth = float(square.sum()), float(square @ square)
                variance = n / (n - 1) * squares
                excess = n * fourth / squares**2 - 3 if squares**2 > 0 else 0.0
                second[k] += squares
                third[k] += square @ row
                known[k] += variance
                doubt[k] += variance**2 * (1 / (n - 1) + max(excess, 0.0) / (2 * n))
        with np.errstate(divide="ignore", invalid="ignore"):
            return third / (6 * second**1.5), known / second, known**2 / doubt

    def _strata(self) -> list[Floats]:
        """Return the values of each stratum that has units."""
        ends = zip(self.bounds, self.bounds[1:], strict=False)
        return [self.values[:, first:end] for first, end in ends if end > first]


def _widening(part: Floats) -> float:
    """Return n / (n - 1) of a stratum."""
    n = int(part.shape[1])
    return n / (n - 1)


class WithInfluence(NamedTuple):
    """A measure on a sample, and its influence values, a row for each of its values."""

    estimate: Any
    influences: Influences


def measured(
    sample: Sample,
    units: Plan,
    measures: Mapping[str, Measure[Any]],
    cell_of_row: Codes | None = None,
    widened: bool = False,
) -> dict[str, WithInfluence]:
    """Return measures of a sample with their influence values.

    These are of units, or of cells of units (see `spread`) where each row's is given, or of units
    `widened` by the allowances of their cells, whose squares add up to the variance.
    """
    for measure in measures.values():
        measure._admit(sample)
        if not measure.has_influence:
            raise ValueError(
                f"{measure!r} has no closed-form error; use bootstrap, or method='bootstrap'"
            )
    require_spread(sample, units)
    if cell_of_row is not None:
        units = units._replace(groups=cell_of_row, n_groups=int(cell_of_row.max()) + 1)
    found = _core.influence(
        rows=rows_for(sample, measures.values(), units),
        measures=[measure._in_core(sample) for measure in measures.values()],
        stratified=units.stratified,
        widened=widened,
    )
    bounds = tuple(found.bounds)
    return {
        name: WithInfluence(measure._shaped(estimate, sample), Influences(values, bounds))
        for (name, measure), estimate, values in zip(
            measures.items(), found.estimates, found.values, strict=True
        )
    }


def require_spread(sample: Sample, units: Plan) -> None:
    """Raise if a class has a single unit, whose spread nothing can tell."""
    if 1 in units.sizes.tolist():
        alone, unit = sample.labels[units.sizes == 1], units.unit
        names = f"class {show(alone[0])} has" if len(alone) == 1 else f"classes {show(alone)} have"
        raise ValueError(
            f"{names} a single {unit}, whose spread cannot be estimated; leave the class out, or "
            "collect more"
        )
