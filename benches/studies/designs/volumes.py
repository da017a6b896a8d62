"""Volumes: three ordered classes on one marker, and three classes with a column each.

One marker: class k has a normal score of mean k m and variance 1, and VUS is the probability that
rows of the classes 0, 1, 2 stand in this order, the integral of phi(x - m) Phi(x) Phi(2 m - x).
Columns: independent, normal with variance 1, with mean m in the row's own class, else 0. Of one row
of each class, that of class i has the greatest score i with the probability of C1 (`correct`),
which is PDI. HUM, the probability that the rows' own assignment has the greatest total of six, has
no simple form: it is the share of two million such triples, whose Monte-Carlo error is 0.0003.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from statistics import NormalDist

import numpy as np
from scipy.integrate import quad

from benches.studies.designs.correct import own_is_largest
from benches.studies.designs.design import Design, Floats, Rows, generator, own_class

_NORMAL = NormalDist()
_TRIPLES = 2_000_000


@lru_cache
def _own_total_is_greatest(mean: float) -> float:
    """HUM of independent normal columns, by simulation with a seed of its own."""
    rng = generator("triples of rows", 0)
    hits = 0
    for _ in range(20):  # a few at a time, for memory
        scores = rng.standard_normal((_TRIPLES // 20, 3, 3)) + mean * np.eye(3)
        totals = np.array([scores[:, range(3), o].sum(axis=1) for o in permutations(range(3))])
        hits += int((totals[0] > totals[1:].max(axis=0)).sum())  # own columns come first
    return hits / _TRIPLES


@dataclass(frozen=True)
class Marker(Design):
    """Classes whose neighbours have this AUC."""

    value: float

    @property
    def name(self) -> str:
        return f"one marker, neighbours {self.value:g}"

    @property
    def _mean(self) -> float:
        return math.sqrt(2.0) * _NORMAL.inv_cdf(self.value)

    @property
    def truths(self) -> dict[str, float]:
        mean = self._mean

        def density(x: float) -> float:
            return _NORMAL.pdf(x - mean) * _NORMAL.cdf(x) * _NORMAL.cdf(2 * mean - x)

        return {"vus": float(quad(density, mean - 9.0, mean + 9.0)[0])}

    def noise(self, rows: Rows, rng: np.random.Generator) -> Floats:
        return rng.standard_normal(len(rows.labels))

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        return noise + self._mean * rows.labels


@dataclass(frozen=True)
class Columns(Design):
    """Three classes that M tells apart with this value."""

    value: float

    @property
    def name(self) -> str:
        return f"columns {self.value:g}"

    @property
    def _mean(self) -> float:
        return math.sqrt(2.0) * _NORMAL.inv_cdf(self.value)

    @property
    def truths(self) -> dict[str, float]:
        return {"pdi": own_is_largest(self._mean, 3), "hum": _own_total_is_greatest(self._mean)}

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        return noise + self._mean * own_class(rows, noise)


VOLUMES: list[Design] = [
    *(
        Marker(sizes, value, family="ordered volume")
        for sizes, value in (((20, 20, 20), 0.8), ((100, 40, 20), 0.9), ((40, 40, 40), 0.97))
    ),
    *(
        Columns(sizes, value, family="volumes of columns")
        for sizes, value in (((20, 20, 20), 0.8), ((60, 40, 20), 0.9), ((30, 30, 30), 0.97))
    ),
]
