"""Exponential scores, whose placements are skewed.

A row of class 1 has an exponential score of mean k, one of class 0 of mean 1: AUC = k / (1 + k)
(the larger of two exponentials; Pepe 2003, 4.4). Turned round, the scores are the negatives, class
0 having mean k: the same AUC, with its long tail on the other side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr

from benches.studies.designs.design import Design, Floats, Rows, own_class


@dataclass(frozen=True)
class Exponential(Design):
    """Two classes, or columns of more classes that are independent: M is the same."""

    value: float
    turned: bool = False

    @property
    def name(self) -> str:
        return f"exponential{' turned' if self.turned else ''} {self.value:g}"

    @property
    def truths(self) -> dict[str, float]:
        return {"auc" if len(self.sizes) == 2 else "hand_till": self.value}

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        unit: Floats = -log_ndtr(-noise)  # exponential: minus the log of the upper tail
        odds = self.value / (1 - self.value)
        own = own_class(rows, noise)
        return -unit * np.where(own, 1.0, odds) if self.turned else unit * np.where(own, odds, 1.0)


EXPONENTIAL = [
    Exponential(sizes, value, turned, family="exponential")
    for sizes, value, turned in (
        ((100, 15), 0.85, False),
        ((100, 40), 0.85, False),
        ((150, 20), 0.85, False),
        ((60, 25), 0.93, False),
        ((50, 10), 0.95, True),
        ((25, 40), 0.88, True),
        ((100, 60, 20), 0.9, False),
        ((100, 40, 8), 0.85, True),
    )
]
