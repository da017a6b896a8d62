"""Replicates of every measure by the exact reference, one at a time: what the bootstrap must give.

A replicate is the measure of the same rows with other weights. Its AUCs are the exact quotients of
`reference`, rounded once; averages over them are summed as the core does it, so that nothing but
real weights leaves room for another rounding. Which projected scores tie is settled on the full
sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from given.strategies import Sample
from oracle import reference as ref
from oracle.resampling import weights
from oracle.stream import Draw

Array = NDArray[Any]
NAN = math.nan

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
