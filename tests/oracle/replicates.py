"""Replicates of every measure by the exact reference, one at a time: what the bootstrap must give.

A replicate is the measure of the same rows with other weights. Its AUCs are the exact quotients of
`reference`, rounded once; averages over them are summed as the core does it, so that nothing but
real weights leaves room for another rounding. Which projected scores tie is settled on the full
sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, permutations
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray
from polyroc import _core

from given.strategies import Sample
from oracle import reference as ref
from oracle.resampling import Draw, weights

Array = NDArray[Any]
Statistic = _core.Statistic
NAN = math.nan
MOST_ATTEMPTS = 1000
BUDGET = 1 << 28

Pairs = dict[tuple[int, int], float]
Ties = dict[tuple[int, int], Array]


@dataclass(frozen=True)
class Design:
    """What is resampled, and how."""

    sample: Sample
    stratified: bool = True
    scheme: str = "Multinomial"
    groups: Array | None = None

    @cached_property
    def unit(self) -> Array:
        """The unit of each row."""
        return np.arange(len(self.sample.c)) if self.groups is None else self.groups

    @cached_property
    def strata(self) -> Array:
        """The stratum of each unit; -1 for units without a row of positive weight."""
        strata = np.full(self.unit.max() + 1, -1)
        rows = positive(self.sample)
        strata[self.unit[rows]] = self.sample.c[rows] if self.stratified else 0
        return strata

    def row_weights(self, draw: Draw) -> Array:
        """What each row counts: its unit's weight times its own."""
        drawn = np.array(weights(self.strata, self.scheme, draw))[self.unit]
        return drawn if self.sample.w is None else drawn * self.sample.w

    @property
    def is_real(self) -> bool:
        """Whether rounding of the weights' sums may show."""
        w = self.sample.w
        return self.scheme == "Bayesian" or not (w is None or bool((w == np.floor(w)).all()))


def positive(sample: Sample) -> Array:
    """Rows that are there at all."""
    return np.ones(len(sample.c), bool) if sample.w is None else sample.w > 0


class Replicate:
    """A sample with other weights q."""

    def __init__(self, sample: Sample, q: Array) -> None:
        self.K, self.c, self.P, self.w = sample.K, sample.c, sample.P, sample.w
        self.weights, self.q = q, ref.whole(q, len(q))
        self.present = sorted(set(self.c[positive(sample)].tolist()))
        self.masses = [math.fsum(q[self.c == i]) for i in range(self.K)]
        self.total = sum(self.masses[i] for i in self.present)
        self.lost = any(self.masses[i] == 0 for i in self.present)
        self.separations: dict[int, Pairs] = {}

    def auc(self, s: Array, own: Array, others: Array) -> float:
        """Rows `own` against rows `others` by scores s."""
        value = ref.auc(s[own], s[others], self.q[own], self.q[others])
        return NAN if value is None else float(value)

    @cached_property
    def conditional(self) -> Pairs:
        """A(i|j), i favoured, ascending in i and then in j."""
        pairs = permutations(self.present, 2)
        c, P = self.c, self.P
        return {(i, j): self.auc(P[:, i], c == i, c == j) for i, j in pairs}

    def separation(self, ties: Ties) -> Pairs:
        """S(i,j) with the full sample's tie groups, ascending in i and then in j > i."""
        c, known = self.c, self.separations
        if id(ties) not in known:
            pairs = {(i, j): self.auc(s, c == j, c == i) for (i, j), s in ties.items()}
            known[id(ties)] = pairs
        return known[id(ties)]

    @cached_property
    def rest(self) -> dict[int, float]:
        """Each class against all others."""
        c, P = self.c, self.P
        return {i: self.auc(P[:, i], c == i, c != i) for i in self.present}


def projected(sample: Sample, A: Array | None, u: float) -> Ties:
    """The tie groups of every pair of classes, low for the first one, for rows of either class."""
    P, c, rows = sample.P, sample.c, positive(sample)
    present = sorted(set(c[rows].tolist()))
    if sample.K == 2 and ref.same_sums(P):
        return {(0, 1): P[:, 1]}
    ties: Ties = {}
    for i, j in combinations(present, 2):
        mine = rows & ((c == i) | (c == j))
        ties[i, j] = np.zeros(len(c), dtype=int)
        told = ref.signs_tell(A, i, j)
        ties[i, j][mine] = ref.tie_groups(*ref.project(P[mine], A, i, j), u, told)
    return ties


def compensated(terms: Iterable[float]) -> float:
    """A sum that carries its rounding error along (Neumaier 1974)."""
    total = error = 0.0
    for x in terms:
        after = total + x
        error += (total - after) + x if abs(total) >= abs(x) else (x - after) + total
        total = after
    return total + error


def mean(terms: Sequence[tuple[float, float]]) -> float:
    """The mean of (weight, value)s."""
    norm = compensated(w for w, _ in terms)
    return compensated(w * value for w, value in terms) / norm if norm else NAN


Value = Callable[[Replicate], list[float]]


@dataclass(frozen=True)
class Measure:
    """A statistic of the core and what its values should be."""

    statistic: _core.Statistic
    value: Value
    exact: bool = True  # but for real weights


def averaged(table: Callable[[Replicate], Pairs], W: Array | None, prevalence: bool) -> Value:
    def weight(r: Replicate, i: int, j: int) -> float:
        if prevalence:
            return float((r.masses[i] / r.total) * (r.masses[j] / r.total))
        return 1.0 if W is None else float(W[i, j] + W[j, i])

    return lambda r: [mean([(weight(r, i, j), x) for (i, j), x in table(r).items()])]


def flat(r: Replicate, table: Pairs, symmetric: bool) -> list[float]:
    """K x K values, nan where there are none; `symmetric`: both ways averaged."""
    out = np.full((r.K, r.K), NAN)
    for (i, j), x in table.items():
        out[i, j] = (x + table[j, i]) / 2 if symmetric else x
    return [float(x) for x in out.ravel()]


def both_ways(table: Pairs) -> Pairs:
    return {**table, **{(j, i): x for (i, j), x in table.items()}}


def polar(rays: Sequence[tuple[int, int]], maximise: bool, normalise: bool) -> Value:
    """HA10 Eq. 2, or Lemma 1, products added up from the first to the last."""
    q, half_sine = len(rays), 0.5 * math.sin(math.tau / len(rays))

    def value(r: Replicate) -> list[float]:
        A = r.conditional
        x = [(A[min(ray), max(ray)] + A[max(ray), min(ray)]) / 2 for ray in rays]
        if maximise:
            x = sorted(x, reverse=True)
            apart = reduce(add, [x[k] * x[k + 2] for k in range(q - 2)], 0.0)
            products = x[0] * x[1] + apart + x[-2] * x[-1]
        else:
            products = reduce(add, [x[k] * x[(k + 1) % q] for k in range(q)], 0.0)
        area = half_sine * products
        return [area / (half_sine * q) if normalise else area]

    return value


def column_measures(sample: Sample, W: Array) -> dict[str, Measure]:
    """Measures that compare within columns."""
    K, rows = sample.K, positive(sample)

    def by_column(r: Replicate) -> Pairs:
        return r.conditional

    found = {
        "M": Measure(Statistic.hand_till(None, False), averaged(by_column, None, False)),
        "M prevalence": Measure(Statistic.hand_till(None, True), averaged(by_column, None, True)),
        "M given": Measure(Statistic.hand_till(W, False), averaged(by_column, W, False)),
        "macro": Measure(
            Statistic.one_vs_rest(K, False),
            lambda r: [mean([(1.0, x) for x in r.rest.values()])],
        ),
        "prevalence": Measure(
            Statistic.one_vs_rest(K, True),
            lambda r: [mean([(r.masses[i], x) for i, x in r.rest.items()])],
        ),
        "each": Measure(
            Statistic.each_vs_rest(K), lambda r: [r.rest.get(i, NAN) for i in range(K)]
        ),
        "micro": Measure(
            Statistic.micro(), lambda r: [float(ref.micro(r.P, r.c, r.K, r.weights) or 0)]
        ),
        "A(i|j)": Measure(
            Statistic.column_pairs(K, False), lambda r: flat(r, r.conditional, False)
        ),
        "A(i,j)": Measure(Statistic.column_pairs(K, True), lambda r: flat(r, r.conditional, True)),
    }
    rays = list(combinations(sorted(set(sample.c[rows].tolist())), 2))
    for maximise in (False, True) if len(rays) >= 3 else ():
        i, j = np.array(rays[::-1]).T.astype(np.int64)
        area = Statistic.polar_area(K, i.copy(), j.copy(), maximise, maximise)
        value = polar(rays[::-1], maximise, maximise)
        found[f"polar area {maximise}"] = Measure(area, value)
    return found


def projected_measures(
    sample: Sample, W: Array, A: Array | None, u: float, name: str = "mu"
) -> dict[str, Measure]:
    """Measures by projection."""
    ties = projected(sample, A, u)
    mu = Statistic.auc_mu

    def by_pair(r: Replicate) -> Pairs:
        return r.separation(ties)

    return {
        name: Measure(mu(A, u, None, False), averaged(by_pair, None, False)),
        f"{name} prevalence": Measure(mu(A, u, None, True), averaged(by_pair, None, True)),
        f"{name} given": Measure(mu(A, u, W, False), averaged(by_pair, W, False)),
        f"{name} S(i,j)": Measure(
            Statistic.projected_pairs(sample.K, A, u),
            lambda r: flat(r, both_ways(r.separation(ties)), False),
        ),
    }


def single_measures(f: float = 0.25) -> dict[str, Measure]:
    """Measures of a single column, or of the second of two."""

    def column(r: Replicate) -> Array:
        return r.P if r.P.ndim == 1 else r.P[:, 1]

    def below(r: Replicate) -> list[float]:
        s, own = column(r), r.c == 1
        return [float(ref.auc_below(s[own], s[~own], r.q[own], r.q[~own], f) or 0)]

    return {
        "auc": Measure(Statistic.auc(None), lambda r: [r.auc(column(r), r.c == 1, r.c == 0)]),
        "partial auc": Measure(Statistic.auc(f), below, exact=False),
    }


@dataclass(frozen=True)
class Run:
    """Replicates as the core gives them, or as they should be."""

    values: list[Array]
    lost: Array
    redrawn: int
    known: list[Array]  # acceleration, variance, inflation and degrees of freedom of each value
    cells: bool = False


def run(
    design: Design,
    statistics: Iterable[_core.Statistic],
    seed: int = 1,
    first: int = 0,
    last: int = 32,
    redraw: bool = False,
    influence: bool = False,
    budget: int = BUDGET,
    n_threads: int = 1,
) -> Run:
    """The core's replicates."""
    sample, groups = design.sample, design.groups
    found, lost, redrawn, _, path = _core.bootstrap(
        sample.P,
        1,
        sample.c.astype(np.uint32),
        sample.K,
        sample.w,
        None if groups is None else groups.astype(np.uint32),
        0 if groups is None else int(groups.max()) + 1,
        list(statistics),
        getattr(_core.Scheme, design.scheme),
        design.stratified,
        seed,
        first,
        last,
        redraw,
        influence,
        True,
        budget,
        n_threads,
        None,
    )
    known = [numbers for _, numbers in found]
    return Run([values for values, _ in found], lost, redrawn, known, path == "cells")


def expected(
    design: Design,
    measures: Iterable[Measure],
    seed: int = 1,
    first: int = 0,
    last: int = 32,
    redraw: bool = False,
) -> Run:
    """What they should be."""
    measures, redrawn, drawn = list(measures), 0, []
    for b in range(first, last):
        for t in range(MOST_ATTEMPTS + 1 if redraw else 1):
            replicate = Replicate(design.sample, design.row_weights(Draw(seed, b, t)))
            if not replicate.lost:
                break
        redrawn += t
        drawn.append(replicate)
    values = [
        np.array([one.value(r) if not r.lost else [NAN] for r in drawn], dtype=object)
        for one in measures
    ]
    lost = np.array([r.lost for r in drawn])
    return Run([widened(v) for v in values], lost, redrawn, [])


def widened(values: Array) -> Array:
    """Rows of lost replicates as wide as the others."""
    rows = [np.atleast_1d(np.array(row, dtype=float)) for row in values]
    width = max((len(row) for row in rows), default=1)
    return np.array([row if len(row) == width else np.full(width, NAN) for row in rows])


def excess(part: Array) -> Array:
    """The excess kurtosis of centred values, by column; 0 for less, and where all are 0."""
    second = (part**2).sum(axis=0)
    kurtosis = len(part) * (part**4).sum(axis=0) / np.where(second > 0, second, np.inf) ** 2
    return np.asarray(np.maximum(kurtosis - 3, 0))


def influences(design: Design, measures: Iterable[Measure], h: float = 2.0**-17) -> list[Array]:
    """What is known from the derivative of measures in each unit's weight, brute force.

    With l = df / dr of a unit, centred within strata, and V = n / (n - 1) sum l^2 for a stratum:
    acceleration sum l^3 / (6 (sum l^2)^1.5), variance sum V, and over strata of more than one unit
    inflation sum V / sum l^2 and degrees of freedom (sum V)^2 / sum V^2 (1 / (n - 1) + k / (2 n)),
    k the excess kurtosis of l where it is positive, else 0.
    """
    sample, strata, measures = design.sample, design.strata, list(measures)
    w = np.ones(len(sample.c)) if sample.w is None else sample.w

    def values(u: int, step: float) -> list[Array]:
        r = np.where(np.arange(len(strata)) == u, 1 + step, 1.0)
        moved = Replicate(sample, w * r[design.unit])
        return [np.array(measure.value(moved)) for measure in measures]

    units = [u for u, s in enumerate(strata.tolist()) if s >= 0]
    ends = [(values(u, h), values(u, -h)) for u in units]
    found = []
    for k in range(len(measures)):
        slopes = np.array([(up[k] - down[k]) / (2 * h) for up, down in ends])
        parts = [slopes[strata[units] == s] for s in set(strata[units].tolist())]
        single = any(len(part) == 1 for part in parts)
        parts = [part - part.mean(axis=0) for part in parts if len(part) > 1]
        second, third = (sum((part**power).sum(axis=0) for part in parts) for power in (2, 3))
        V = [len(part) / (len(part) - 1) * (part**2).sum(axis=0) for part in parts]
        total: Any = sum(V)
        doubt = sum(
            v**2 * (1 / (len(part) - 1) + excess(part) / (2 * len(part)))
            for v, part in zip(V, parts, strict=True)
        )
        variance = np.full_like(total, NAN) if single else total
        numbers = [third / (6 * second**1.5), variance, total / second, total**2 / doubt]
        found.append(np.stack(numbers, axis=1))
    return found
