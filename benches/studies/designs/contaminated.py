"""Contaminated scores: a few rows of one class score as rows of the other do.

A share e of the rows of a class comes from the other class's law. Good rows have an AUC of A, bad
ones of 1/2: AUC = (1 - e) A + e / 2, from which A and d follow. Both models of a comparison have
bad rows of their own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from benches.studies.designs.design import Design, Floats, Rows

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Contaminated(Design):
    """The AUC with the bad rows, their share, and whether they are of class 1."""

    value: float
    share: float
    positives: bool = True

    @property
    def name(self) -> str:
        return f"{100 * self.share:g} % bad {'1' if self.positives else '0'} {self.value:g}"

    @property
    def truths(self) -> dict[str, float]:
        return {"auc": self.value}

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        good = (self.value - self.share / 2) / (1 - self.share)
        shift = math.sqrt(2.0) * _NORMAL.inv_cdf(good)
        bad = (rng.random(len(noise)) < self.share) & (rows.labels == self.positives)
        high = np.logical_xor(rows.labels == 1, bad)
        return np.where(high, noise + shift, noise)


CONTAMINATED = [
    Contaminated(sizes, value, share, positives, family="contaminated")
    for sizes, value, share, positives in (
        ((120, 12), 0.96, 0.06, True),
        ((300, 30), 0.96, 0.06, True),
        ((200, 40), 0.985, 0.02, True),
        ((100, 10), 0.95, 0.08, True),
        ((80, 80), 0.97, 0.04, False),
        ((20, 100), 0.9, 0.05, False),
    )
]
