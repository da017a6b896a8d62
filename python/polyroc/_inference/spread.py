"""How widely estimates spread, and how well that is known: the small-sample factors of every path.

A cell is what varies by itself within one class: a row, or the rows of one class in a group. With
L_u the sum of the influence values of cell u of class i, h_u its share of the class's weight and
n_i the cells of the class, a cell counts as

    l*_u = (L_u - h_u sum of L) / (1 - h_u) sqrt((n_i - 1) / n_i)

the jackknife's allowance for a cell that pulls the estimate towards itself. Where cells weigh the
same it is DeLong's n_i / (n_i - 1) sum of L^2, whether class counts are fixed or not and whether
rows are groups of their own. What lies between classes (h_u sum of L, zero unless class counts vary
and enter the measure) is one more part, with n / (n - 1) for all n units. Where the number of cells
in each class is fixed, the mean of L is taken off in its place: weights of classes may still vary
with those of their cells, but nothing lies between. Groups with rows of several classes add up
their cells, l*_u and what lies between, before squares are taken; then the units are one part.

The variance V is the sum of the parts v_i. It is known about as well as one of f + 1 normal values,

    f = V^2 / sum_i v_i^2 (1 / (e_i - 1) + max(k_i, 0) / (2 n_i))

by Satterthwaite's rule, k_i being the excess kurtosis of the part's values and e_i = 1 / sum of
h_u^2 its effective size. Two or three cells do not even tell the shares of the v_i: with so few in
a part f is n_i - 1 at most.

References
----------
F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics
Bull. 2 (1946) 110-114.
M. R. Mickey and M. B. Brown, Bounds on the distribution functions of the Behrens-Fisher statistic,
Ann. Math. Stat. 37 (1966) 639-642.
J. G. MacKinnon and H. White, Some heteroskedasticity-consistent covariance matrix estimators with
improved finite sample properties, J. Econom. 29 (1985) 305-325: leverage in the jackknife.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._data.units import contest_sizes
from polyroc._inference.covariance import Covariance
from polyroc._inference.influence import BLOCK, MANY, Influences
from polyroc._inference.small_sample import FEWEST, leverage
from polyroc._stats.sided_limits import Spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array, Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure


class Cells(NamedTuple):
    """What influence values belong to."""

    stratified: bool
    classes: Codes | None  # of each cell; None where the core's strata are the classes
    weights: Floats | None  # of each cell; None where all weigh one
    groups: Codes | None  # of each cell, numbered from 0; None where cells are units
    masses: Floats  # weight of each class
    effective: Floats  # effective units of each class, 0 where it has none
    # The largest share of each class's weight that a cell has; None without weights.
    heaviest: Floats | None
    summed: bool = False  # whether the core adds up cells with their allowances (rows of labels)
    n_threads: int = 1


class Parts(NamedTuple):
    """The covariance of some numbers in parts."""

    together: Covariance
    variances: list[float]  # one per number: its diagonal
    doubt: list[float]
    plain_doubt: list[float]

    @property
    def covariance(self) -> Floats:
        """The covariance matrix."""
        return self.together.matrix()

    def spreads(self, pulls: list[float], kurtosis: bool) -> tuple[Spread, ...]:
        """Return the spread of each value, of which `pulls` are what one unit may decide.

        Where there are fewer numbers than values, the last one stands for the others. With
        `kurtosis` it counts for both limits, as it should where weights are uneven.
        """
        inner = self.doubt if kurtosis else self.plain_doubt
        known = list(zip(self.variances, self.doubt, inner, strict=True))
        known += known[-1:] * (len(pulls) - len(known))
        return tuple([Spread(*one, pull) for one, pull in zip(known, pulls, strict=True)])


def cells_of(sample: Sample, units: Plan) -> tuple[Cells, Codes | None]:
    """Return the cells of a sample, and the cell of each row where it is not the row itself."""
    codes, weights, count = sample.codes, sample.weights, sample.n_classes
    if weights is not None:
        weights = _of_unit_size(weights)
    if units.groups is None and not uneven(weights):
        codes = codes if weights is None else codes[weights > 0.0]
        masses = units.row_sizes.astype(np.float64)
        classes = None if units.stratified else codes
        return Cells(
            units.stratified, classes, None, None, masses, masses, None, n_threads=sample.n_threads
        ), None  # fmt: skip
    if units.of_entries and units.by_label and not uneven(weights):
        masses = units.row_sizes.astype(np.float64)
        return Cells(
            False, None, None, None, masses, masses, None, summed=True, n_threads=sample.n_threads
        ), None  # fmt: skip
    row_weights = np.ones(len(codes)) if weights is None else weights
    if units.groups is None:
        positive = row_weights > 0.0
        of_rows, groups, classes = None, None, codes[positive]
        cell_weights = row_weights[positive]
    else:
        # Numbered by class, then by group.
        numbers = codes.astype(np.int64) * units.n_groups + units.groups
        kept = np.unique(numbers[row_weights > 0.0])
        of_rows = np.searchsorted(kept, numbers).astype(np.uint32)
        of_rows[of_rows == len(kept)] = 0  # rows without weight, which nobody asks for
        cell_weights = np.bincount(of_rows, row_weights, len(kept)).astype(np.float64)
        classes = (kept // units.n_groups).astype(np.uint32)
        groups = np.unique(kept % units.n_groups, return_inverse=True)[1].astype(np.uint32)
    masses = np.bincount(classes, cell_weights, count).astype(np.float64)
    squares = np.bincount(classes, cell_weights * cell_weights, count)
    effective = masses**2 / np.where(squares > 0.0, squares, 1.0)
    heaviest = np.zeros(count)
    np.maximum.at(heaviest, classes, cell_weights)
    heaviest /= np.where(masses > 0.0, masses, 1.0)
    if units.stratified and of_rows is not None:
        of_rows, groups = None, None  # the core has one group in one class, in the same order
    order = np.argsort(classes, kind="stable") if units.stratified else slice(None)
    cells = Cells(
        units.stratified, None if units.stratified else classes, cell_weights[order], groups,
        masses, effective, heaviest, n_threads=sample.n_threads,
    )  # fmt: skip
    return cells, of_rows


def uneven(weights: Floats | None) -> bool:
    """Whether rows that count do not all count alike."""
    return weights is not None and bool(weights[weights > 0.0].min(initial=np.inf) < weights.max())


def _of_unit_size(weights: Floats) -> Floats:
    """Return weights of which the largest is 1, so that their squares are numbers.

    Those that the core is going to refuse are 0.
    """
    known = np.nan_to_num(weights, nan=0.0, posinf=0.0, neginf=0.0)
    top = known.max(initial=0.0)
    return np.asarray(known / top if top > 0.0 else np.zeros_like(known))


def pull_of(measure: Measure[Any], cells: Cells) -> float:
    """Return the largest share of a measure's value that one effective unit decides."""
    # Plain numbers: there are two classes mostly, for which arrays would take longer.
    weights, effective = measure._class_weights(cells.masses).tolist(), cells.effective.tolist()
    each = zip(weights, effective, cells.masses.tolist(), strict=True)
    return float(max([weight / units for weight, units, mass in each if mass > 0.0]))


def pulls_of(measure: Measure[Any], cells: Cells, units: Plan, shape: tuple[int, ...]) -> Floats:
    """Return what one effective unit decides of each value; 0 of what is not made of AUCs."""
    if not measure.has_influence:
        return np.zeros(math.prod(shape))
    if not shape:
        return np.array([pull_of(measure, cells)])
    if len(shape) == 1 and not measure.rest_decides:
        return np.asarray(1.0 / np.maximum(cells.effective, 1.0))
    contests = contest_sizes(units._replace(sizes=cells.effective), shape)
    return np.asarray(1.0 / np.maximum(contests.min(axis=-1), 1.0).ravel())


def parts_of(values: Floats, bounds: tuple[int, ...], cells: Cells) -> Parts:
    """Return the covariance of numbers whose influence values stand in a row each."""
    if cells.summed:
        return _alike(values, (0, values.shape[1]), cells)
    if cells.stratified and cells.weights is None:
        return _alike(values, bounds, cells)
    if cells.stratified:
        ends = itertools.pairwise(bounds)
        kept = [slice(first, end) for first, end in ends if end > first]
        each = [_widened(values[:, part], _of(cells.weights, part)) for part in kept]
        return _summed(each)
    if cells.groups is None:
        return _varying(values, cells)
    return _by_class(values, cells)


def _by_class(values: Floats, cells: Cells) -> Parts:
    """Return the same where cells stand in any order and weigh differently, or are in groups."""
    classes, n = cells.classes, values.shape[1]
    within, between = np.empty_like(values), np.empty_like(values)
    each = []
    for code in np.flatnonzero(cells.masses > 0.0).tolist():
        mine = np.asarray(classes == code)
        own, weights = values[:, mine], _of(cells.weights, mine)
        share = 1.0 / own.shape[1] if weights is None else weights / weights.sum()
        common = share * own.sum(axis=1, keepdims=True)
        widened = _widened(own - common, weights)
        if cells.groups is None:
            each.append(widened)
        within[:, mine], between[:, mine] = widened.values, common
    if cells.groups is None:
        scale = n / (n - 1)
        return _summed([*each, Part(between, scale, float(n), kurtosis=False)])
    count = int(cells.groups.max()) + 1
    summed = np.stack([np.bincount(cells.groups, row, count) for row in within])
    apart = np.stack([np.bincount(cells.groups, row, count) for row in between])
    summed = summed + (count / (count - 1)) ** 0.5 * apart
    return _summed([Part(summed, 1.0, float(count))])


def _alike(values: Floats, bounds: Sequence[int], cells: Cells) -> Parts:
    """Return the covariance of numbers whose strata are classes of rows that count alike.

    Values that the core has summed up have the allowance for small strata in them. Sums are the
    core's: a product by numpy would leave the threads of its BLAS spinning on the cores that the
    next call wants.
    """
    few = len(values) < MANY
    products, variances, doubt, plain_doubt = _core.known(
        values, bounds, fewest=FEWEST, covariance=few, widened=cells.summed,
        n_threads=cells.n_threads,
    )  # fmt: skip

    def covariance() -> Floats:
        matrix = (
            np.array(products) if few
            else Influences(values, tuple(bounds)).covariance(cells.summed)
        )  # fmt: skip
        np.fill_diagonal(matrix, variances)  # to the last bit, whatever rounds otherwise
        return matrix

    return Parts(Covariance(covariance), variances, doubt, plain_doubt)


def _varying(values: Floats, cells: Cells) -> Parts:
    """Return the same where cells stand in any order and the sizes of their classes vary.

    What lies between classes is one more part: the mean of each class times the root of its size.
    Variances need the values of one number at a time in the order of classes, the covariance all
    of them: it waits.
    """
    classes, count, n = cells.classes, len(cells.masses), values.shape[1]
    assert classes is not None
    variances, doubt, plain_doubt = _core.known_by_class(
        values, classes, cells.weights, count, fewest=FEWEST, n_threads=cells.n_threads
    )
    if len(values) == 1:
        return Parts(Covariance.known(np.array([variances])), variances, doubt, plain_doubt)

    def covariance() -> Floats:
        if cells.weights is not None:
            matrix = _by_class(values, cells).covariance.copy()
        else:
            sorted_values, bounds, between = _core.by_class(values, classes, count)
            matrix = _alike(sorted_values, bounds, cells).covariance.copy()
            matrix += n / (n - 1) * (between @ between.T)
        np.fill_diagonal(matrix, variances)  # to the last bit, whatever rounds otherwise
        return matrix

    return Parts(Covariance(covariance), variances, doubt, plain_doubt)


class Part(NamedTuple):
    """Values that are one part of a variance."""

    values: Floats
    scale: float  # of their squares
    effective: float
    kurtosis: bool = True


def _of(weights: Floats | None, part: slice | Array) -> Floats | None:
    return None if weights is None else weights[part]


def _widened(values: Floats, weights: Floats | None) -> Part:
    """Return the values of one class, centred, with the allowance for cells that pull."""
    n = values.shape[1]
    if weights is None:
        return Part(values, n / (n - 1), float(n))
    moved, effective = leverage(values, weights)
    return Part(moved, 1.0, effective)


def _summed(parts: list[Part]) -> Parts:
    size = len(parts[0].values)
    covariance_by = _Covariance(size)
    doubt, plain, fewest = np.zeros(size), np.zeros(size), np.inf
    for values, scale, effective, kurtosis in parts:
        n = values.shape[1]
        variances = covariance_by.take(values, scale)
        squares = variances * variances
        known = squares / max(effective - 1.0, 2.0**-10)
        plain += known
        doubt += known
        if kurtosis:
            fewest = min(fewest, n)
            fourth = scale * scale * np.einsum("ij,ij,ij,ij->i", values, values, values, values)
            doubt += np.maximum(n * fourth - 3.0 * squares, 0.0) / (2 * n)
    covariance = covariance_by.found()
    if fewest < FEWEST:
        least = covariance.diagonal() ** 2 / (fewest - 1.0)
        doubt, plain = np.maximum(doubt, least), np.maximum(plain, least)
    variances = covariance.diagonal().tolist()
    return Parts(Covariance.known(covariance), variances, doubt.tolist(), plain.tolist())


class _Covariance:
    """A covariance matrix that is summed part by part.

    Of many numbers the parts wait until there are enough units: a product for each class would
    write a matrix for each class.
    """

    def __init__(self, size: int) -> None:
        self.total = np.zeros((size, size))
        self.waiting: list[Floats] = []

    def take(self, values: Floats, scale: float) -> Floats:
        """Add a part; return its variances."""
        if len(values) < MANY:
            product = scale * (values @ values.T)
            self.total += product
            return np.asarray(product.diagonal())
        self.waiting.append(values * scale**0.5)
        if sum(part.shape[1] for part in self.waiting) >= BLOCK:
            self._add()
        return np.asarray(scale * np.einsum("ij,ij->i", values, values))

    def found(self) -> Floats:
        """Return the sum."""
        if self.waiting:
            self._add()
        return self.total

    def _add(self) -> None:
        together = np.hstack(self.waiting)
        self.total += together @ together.T
        self.waiting = []
