"""Inverse-probability weights: rows are sampled by a covariate that moves their scores.

In the population u and the score are jointly normal: score = d y + 0.6 u + 0.8 e, so that AUC =
Phi(d / sqrt 2). Rows are sampled with a probability p(u), and weigh 1 / p(u), which restores the
population (Horvitz & Thompson 1952; Hajek's ratio). "logistic": p = 1 / (1 + exp(1.5 - h u)), by
rejection. "lognormal": p in proportion to exp(h u), under which u is normal with mean h and weights
are exp(-h u).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from benches.studies.designs.design import Design, Floats, Rows

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Weighted(Design):
    """The AUC of the population, h, and whether weights are lognormal."""

    value: float
    heavy: float
    lognormal: bool = False

    @property
    def name(self) -> str:
        law = "lognormal" if self.lognormal else "logistic"
        return f"{law} weights h {self.heavy:g} {self.value:g}"

    @property
    def truths(self) -> dict[str, float]:
        return {"auc": self.value}

    def rows(self, rng: np.random.Generator) -> Rows:
        labels = np.repeat(np.arange(2), self.sizes)
        if self.lognormal:
            covariate = self.heavy + rng.standard_normal(len(labels))
            return Rows(labels, None, np.exp(-self.heavy * covariate), covariate)
        taken = np.empty(0)
        while len(taken) < len(labels):
            drawn = rng.standard_normal(8 * len(labels))
            sampled = rng.random(len(drawn)) * (1 + np.exp(1.5 - self.heavy * drawn)) < 1
            taken = np.concatenate([taken, drawn[sampled]])
        covariate = taken[: len(labels)]
        return Rows(labels, None, 1 + np.exp(1.5 - self.heavy * covariate), covariate)

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        assert rows.covariate is not None
        shift = math.sqrt(2.0) * _NORMAL.inv_cdf(self.value)
        return shift * rows.labels + 0.6 * rows.covariate + 0.8 * noise


WEIGHTS = [
    Weighted(sizes, value, heavy, lognormal, family="weights")
    for sizes, value, heavy, lognormal in (
        ((40, 40), 0.8, 2.0, False),
        ((100, 100), 0.8, 1.5, False),
        ((100, 100), 0.92, 2.5, False),
        ((255, 45), 0.8, 1.5, False),
        ((40, 40), 0.8, 0.8, True),
        ((320, 80), 0.9, 0.8, True),
        ((100, 100), 0.8, 0.5, True),
    )
]
