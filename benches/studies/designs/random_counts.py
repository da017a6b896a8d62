"""Random class counts, with measures that weigh classes by their counts.

Labels are drawn, with the shares of `sizes` as probabilities pi. The columns are independent; score
i of a row of class c is normal with variance 1 and mean d_i where c = i, else 0. Class i has R_i =
Phi(d_i / sqrt 2) against each other class and all of them together, so that one-vs-rest by
prevalence is sum pi_i R_i; pooling the columns (micro) gives the same, for all scores that are no
class's own have one law. M by prevalence is the mean of (R_i + R_j) / 2 and AUC-mu by prevalence
that of Phi((d_i + d_j) / 2), weighed by pi_i pi_j (Kleiman & Page 2019, Eq. 5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
import polyroc as pr

from benches.studies.designs.design import Design, Floats, Rows, own_class, random_labels

_NORMAL = NormalDist()


@dataclass(frozen=True)
class RandomCounts(Design):
    """The R of each class."""

    values: tuple[float, ...]

    @property
    def name(self) -> str:
        return "R " + ", ".join(f"{value:g}" for value in self.values)

    @property
    def _shifts(self) -> Floats:
        return math.sqrt(2.0) * np.array([_NORMAL.inv_cdf(value) for value in self.values])

    @property
    def truths(self) -> dict[str, float]:
        shares = np.array(self.sizes) / sum(self.sizes)
        mean = float(shares @ np.array(self.values))
        pairs = list(combinations(range(len(shares)), 2))
        weights = np.array([shares[i] * shares[j] for i, j in pairs])
        both = [(self.values[i] + self.values[j]) / 2 for i, j in pairs]
        mu = [_NORMAL.cdf((self._shifts[i] + self._shifts[j]) / 2) for i, j in pairs]
        return {
            "one_vs_rest prevalence": mean,
            "one_vs_rest micro": mean,
            "hand_till prevalence": float(np.average(both, weights=weights)),
            "auc_mu prevalence": float(np.average(mu, weights=weights)),
        }

    @property
    def measures(self) -> dict[str, Any]:
        return {
            "one_vs_rest prevalence": pr.OneVsRest("prevalence"),
            "one_vs_rest micro": pr.OneVsRest("micro"),
            "hand_till prevalence": pr.HandTill(pair_weights="prevalence"),
            "auc_mu prevalence": pr.AucMu(pair_weights="prevalence"),
        }

    def rows(self, rng: np.random.Generator) -> Rows:
        return Rows(random_labels(self.sizes, rng))

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        return noise + self._shifts * own_class(rows, noise)


RANDOM_COUNTS = [
    RandomCounts(sizes, values, family="random counts")
    for sizes, values in (
        ((40, 40, 40), (0.98, 0.6, 0.8)),
        ((160, 160, 80), (0.95, 0.65, 0.8)),
        ((100, 40, 12), (0.95, 0.7, 0.6)),
        ((60, 60, 60, 60), (0.99, 0.9, 0.7, 0.6)),
    )
]
