"""Closed-form errors of measures from the sums of a second pass over the rows.

Sums are of x, what a row has beyond the centre of its class (src/state/second), and of its powers,
as whole numbers of 2^-384: they are brought to the mean of the class as such, so that nothing is
lost. With n rows in a class, m2 and m4 the sums of the second and fourth powers of what rows
have beyond their mean, its part of DeLong's variance is n / (n - 1) m2 / n^2. Rows that weigh
differently come with the jackknife's leverage in x already, and rows in groups as sums over each
group.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show
from polyroc._data.units import Plan, contest_sizes, two_smallest
from polyroc._inference.spread import Cells, parts_of, pull_of
from polyroc._measures.auc import Auc
from polyroc._measures.auc_mu import AucMu
from polyroc._measures.hand_till import HandTill
from polyroc._measures.one_vs_rest import OneVsRest
from polyroc._pipelines.moments import Part, spread_of
from polyroc._stats.normal_interval import Scale

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._base.types import Array, Floats
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.influence_tables import InfluenceTables
    from polyroc._stats.sided_limits import Spread

MEASURES: dict[str, Measure[Any]] = {
    "auc": Auc(),
    "hand_till": HandTill(),
    "one_vs_rest": OneVsRest(),
    "auc_mu": AucMu(ties="exact"),
}
UNITS = 2**384  # of sums, in one


class Errors(NamedTuple):
    """The spread of a measure in each model, and of the difference of every two of them."""

    models: list[Spread]
    differences: dict[tuple[int, int], Spread]
    scale: Scale

    def covariance(self, i: int, j: int) -> float:
        """Return the covariance of two models: 2 Cov = Var + Var - Var of the difference."""
        one, other = self.models[i].variance, self.models[j].variance
        return (one + other - self.differences[i, j].variance) / 2.0


def counts_enter(name: str, n_classes: int) -> bool:
    """Tell whether class counts enter a measure: they say what a rest of classes consists of."""
    return name == "one_vs_rest" and n_classes > 2


def errors_of(tables: InfluenceTables, sums: _core.Sums) -> dict[str, Errors]:
    """Return the errors of all measures."""
    names, labels, models = tables.measures, tables.labels, len(tables._states)
    count, pairs = len(names), tables._core.differences() if models > 1 else []
    numbers = Grouped(tables, sums) if tables.groups else _ByRow(tables, sums)
    _require_spread(numbers.sizes, labels, "group" if tables.groups else "row")
    found = {}
    for k, name in enumerate(names):
        cells = Cells(False, None, None, None, numbers.masses, numbers.effective, None)
        pull, enter = pull_of(MEASURES[name], cells), counts_enter(name, len(labels))
        each = [numbers.spread(model * count + k, enter, pull) for model in range(models)]
        differences = {
            (one // count, other // count): numbers.difference(at, one, other, enter, pull)
            for at, (one, other) in enumerate(pairs)
            if one % count == k
        }
        found[name] = Errors(each, differences, _scale(MEASURES[name], numbers, tables.groups))
    return found


def _scale(measure: Measure[Any], numbers: _ByRow | Grouped, grouped: bool) -> Scale:
    groups = np.zeros(0, dtype=np.uint32) if grouped else None
    units = Plan("multinomial", False, groups, 0, numbers.effective, numbers.sizes)
    if measure.compares_with_rest:
        smaller, larger = contest_sizes(units, (), with_rest=True).tolist()
    else:
        smaller, larger = two_smallest(numbers.effective)
    return Scale((0.0, 1.0), measure.from_auc, (smaller, larger))


def _require_spread(sizes: Array, labels: Any, unit: str) -> None:
    if (sizes <= 1).any():
        alone = [label for label, size in zip(labels, sizes.tolist(), strict=True) if size <= 1]
        names = f"class {show(alone[0])} has" if len(alone) == 1 else f"classes {show(alone)} have"
        raise ValueError(
            f"{names} a single {unit}, whose spread cannot be estimated; leave the class out, or "
            "collect more"
        )


def whole_of(data: bytes) -> int:
    """Return a sum that the core has, in units of 2^-384."""
    return int.from_bytes(data, "little", signed=True)


def number_of(data: bytes) -> float:
    """Return the same as a number."""
    return whole_of(data) / UNITS


class _ByRow:
    """Numbers whose rows vary one by one."""

    def __init__(self, tables: InfluenceTables, sums: _core.Sums) -> None:
        self.sizes = np.array(sums.positive)
        self.tables = tables._core
        self.powers = sums.powers()
        self.size = len(self.powers) // len(self.sizes)
        self.masses, self.effective = self.sizes.astype(np.float64), self.sizes.astype(np.float64)
        self.weighted = tables._states[0]._core.weighted
        self.uneven = sums.uneven
        if self.weighted:
            squares = np.array([number_of(one) for one in sums.shares()])
            self.effective = 1.0 / np.where(squares > 0.0, squares, 1.0)
        if self.uneven:
            self.masses = np.array(sums.masses)

    @cached_property
    def centres(self) -> list[list[float]]:
        """About the mean of each number over each class."""
        return self.tables.centres()

    def spread(self, number: int, enter: bool, pull: float) -> Spread:
        """Return the spread of a number."""
        centres = self.centres[number] if enter else None
        return self._spread(number, centres, pull)

    def difference(self, at: int, one: int, other: int, enter: bool, pull: float) -> Spread:
        """Return that of the difference of two numbers."""
        pairs = zip(self.centres[one], self.centres[other], strict=True)
        centres = [a - b for a, b in pairs] if enter else None
        return self._spread(len(self.centres) + at, centres, pull)

    def _spread(self, number: int, centres: list[float] | None, pull: float) -> Spread:
        """Return the spread of a number, with what lies between classes where centres are given."""
        parts, between, n_all = [], 0.0, int(self.sizes.sum())
        for code, n in enumerate(self.sizes.tolist()):
            s1, s2, s3, s4 = map(whole_of, self.powers[code * self.size + number])
            effective = float(self.effective[code])
            if self.weighted:  # x has its share of the class and its leverage
                shrunk = (n - 1) / n
                parts.append(
                    Part(n, effective, shrunk * (s2 / UNITS), shrunk * shrunk * (s4 / UNITS))
                )
                mean = 0.0
            else:
                scale, mean = n * (n - 1), s1 / (n * UNITS)
                second, fourth = _about_the_mean(n, s1, s2, s3, s4)
                parts.append(Part(n, effective, second / scale, fourth / scale**2))
            if centres is not None:
                between += (centres[code] + mean) ** 2 / effective
        apart = between * (n_all / (n_all - 1))
        return spread_of(parts, pull, apart, self.uneven)


def _about_the_mean(n: int, s1: int, s2: int, s3: int, s4: int) -> tuple[float, float]:
    """Return the sums of squares and fourth powers of n values about their mean.

    Of sums of powers, in units of 2^-384; whole numbers lose nothing where values are far off 0.
    """
    if s1 == 0:
        return s2 / UNITS, s4 / UNITS
    second = n * s2 * UNITS - s1 * s1
    fourth = (n * s4 * UNITS - 4 * s1 * s3) * (n * UNITS) ** 2 + 3 * s1 * s1 * (
        2 * n * s2 * UNITS - s1 * s1
    )
    return second / (n * UNITS**2), fourth / (n**3 * UNITS**4)


class Grouped:
    """Numbers whose rows vary with their groups: what `_inference.spread` makes of its cells."""

    def __init__(self, tables: InfluenceTables, sums: _core.Sums) -> None:
        self.groups, self.classes, self.weights, self.sums = sums.group_cells()
        count = len(sums.rows)
        self.masses = np.bincount(self.classes, self.weights, count).astype(np.float64)
        self.sizes = np.bincount(self.classes, minlength=count)
        squares = np.bincount(self.classes, self.weights**2, count)
        self.effective = self.masses**2 / np.where(squares > 0.0, squares, 1.0)
        self.centres = np.array(tables._core.centres())
        self.uneven = sums.uneven
        self.shares = self.weights / self.masses[self.classes]
        self.cells = Cells(
            False, self.classes, self.weights, self.groups, self.masses, self.effective, None
        )

    def spread(self, number: int, enter: bool, pull: float) -> Spread:
        """Return the spread of a number."""
        return self._of(self.values(number, enter), pull)

    def difference(self, at: int, one: int, other: int, enter: bool, pull: float) -> Spread:
        """Return that of the difference of two numbers."""
        return self._of(self.values(one, enter) - self.values(other, enter), pull)

    def values(self, number: int, enter: bool) -> Floats:
        """Return the influence value of each cell.

        The means of classes are part of it where their counts enter the measure.
        """
        beyond = self.sums[number] / self.masses[self.classes]
        if enter:
            return np.asarray(beyond + self.shares * self.centres[number][self.classes])
        means = np.bincount(self.classes, beyond, len(self.masses))
        return np.asarray(beyond - self.shares * means[self.classes])

    def _of(self, values: Floats, pull: float) -> Spread:
        parts = parts_of(values[np.newaxis], (0, len(values)), self.cells)
        return parts.spreads([pull], kurtosis=self.uneven)[0]
