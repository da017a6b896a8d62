"""What the replicates of every measure should be, beside the core's statistic that gives them.

Averages over AUCs are summed as the core does it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import add

import numpy as np

from given import core_measures as core
from given.agreement import unit_roundoff
from given.strategies import Sample
from oracle import reference as ref
from oracle.replicates import NAN, Array, Pairs, Replicate, positive, projected


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

    statistic: core.Made
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
        "M": Measure(core.hand_till(), averaged(by_column, None, False)),
        "M prevalence": Measure(core.hand_till("prevalence"), averaged(by_column, None, True)),
        "M given": Measure(core.hand_till(W), averaged(by_column, W, False)),
        "macro": Measure(
            core.one_vs_rest(K, "macro"),
            lambda r: [mean([(1.0, x) for x in r.rest.values()])],
        ),
        "prevalence": Measure(
            core.one_vs_rest(K, "prevalence"),
            lambda r: [mean([(r.masses[i], x) for i, x in r.rest.items()])],
        ),
        "each": Measure(
            core.one_vs_rest(K, None), lambda r: [r.rest.get(i, NAN) for i in range(K)]
        ),
        "micro": Measure(core.micro(), lambda r: [float(ref.micro(r.P, r.c, r.K, r.weights) or 0)]),
        "A(i|j)": Measure(core.column_pairs(K, False), lambda r: flat(r, r.conditional, False)),
        "A(i,j)": Measure(core.column_pairs(K, True), lambda r: flat(r, r.conditional, True)),
    }
    rays = list(combinations(sorted(set(sample.c[rows].tolist())), 2))
    for maximise in (False, True) if len(rays) >= 3 else ():
        area = core.polar_area(K, rays[::-1], maximise, maximise)
        value = polar(rays[::-1], maximise, maximise)
        found[f"polar area {maximise}"] = Measure(area, value)
    return found


def projected_measures(
    sample: Sample, W: Array, A: Array | None, u: float, name: str = "mu"
) -> dict[str, Measure]:
    """Measures by projection."""
    ties = projected(sample, A, u)
    mu = core.auc_mu

    def by_pair(r: Replicate) -> Pairs:
        return r.separation(ties)

    return {
        name: Measure(mu(A, u), averaged(by_pair, None, False)),
        f"{name} prevalence": Measure(mu(A, u, "prevalence"), averaged(by_pair, None, True)),
        f"{name} given": Measure(mu(A, u, W), averaged(by_pair, W, False)),
        f"{name} S(i,j)": Measure(
            core.projected_pairs(sample.K, A, u),
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

    def precision(r: Replicate) -> list[float]:
        s, own = column(r), r.c == 1
        return [float(ref.average_precision(s[own], s[~own], r.q[own], r.q[~own]) or 0)]

    def distance(r: Replicate) -> list[float]:
        s, own = column(r), r.c == 1
        return [float(ref.kolmogorov_smirnov(s[own], s[~own], r.q[own], r.q[~own]) or 0)]

    return {
        "auc": Measure(core.auc(), lambda r: [r.auc(column(r), r.c == 1, r.c == 0)]),
        "partial auc": Measure(core.auc(f), below, exact=False),
        "ap": Measure(core.Made("average_precision", one_column=True), precision, exact=False),
        "ks": Measure(core.Made("kolmogorov_smirnov", optimism=False), distance),
    }


def all_measures(sample: Sample, seed: int = 3) -> dict[str, Measure]:
    """Every measure of several columns."""
    rng = np.random.default_rng(seed)
    W = rng.integers(0, 6, (sample.K, sample.K)).astype(float) + 1
    A = rng.integers(1, 9, (sample.K, sample.K)) * (1 - np.eye(sample.K)) / 4
    u = unit_roundoff(sample.P)
    found = {**column_measures(sample, W), **projected_measures(sample, W, None, u)}
    return {**found, **projected_measures(sample, W, A, u, "mu costs")}
