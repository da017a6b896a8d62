"""Clusters: rows of one group share a part of their score.

A score is d for class 1, plus sqrt(r) b + sqrt(1 - r) e, b common to the cluster: standard normal
over clusters, so that two rows of different clusters have AUC = Phi(d / sqrt 2), which is the
truth. (Pairs within a cluster of both classes are told apart more easily; they are one in as many
as there are clusters.) Clusters are of one class each, or their rows' classes are drawn
(Obuchowski, Biometrics 53, 1997).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from benches.studies.designs.design import Design, Floats, Rows

_NORMAL = NormalDist()
_PREVALENCE = 0.4  # of class 1 where classes are mixed


@dataclass(frozen=True)
class Clustered(Design):
    """`held` rows in each cluster, `pure` clusters of class 1, or 0 where classes are mixed.

    Only the first `bearers` clusters have rows of class 1 if classes are mixed.
    """

    value: float
    held: tuple[int, ...]
    pure: int = 0
    bearers: int = 0
    correlation: float = 0.5

    @property
    def name(self) -> str:
        least, most = min(self.held), max(self.held)
        rows = f"{least}" if least == most else f"{least}-{most}"
        kind = f"{self.pure} of class 1" if self.pure else "mixed"
        bearers = f" in {self.bearers}" if self.bearers else ""
        return f"{len(self.held)} clusters of {rows}, {kind}{bearers} {self.value:g}"

    @property
    def truths(self) -> dict[str, float]:
        return {"auc": self.value}

    def rows(self, rng: np.random.Generator) -> Rows:
        """Labels are drawn again until each class is in two clusters."""
        groups = np.repeat(np.arange(len(self.held)), self.held)
        while True:
            if self.pure:
                labels = (rng.permutation(len(self.held)) < self.pure)[groups]
            else:
                labels = rng.random(len(groups)) < _PREVALENCE
                if self.bearers:
                    labels &= groups < self.bearers
            if min(len(set(groups[labels])), len(set(groups[~labels]))) > 1:
                return Rows(labels.astype(np.int64), groups)

    def noise(self, rows: Rows, rng: np.random.Generator) -> Floats:
        assert rows.groups is not None
        common = rng.standard_normal(len(self.held))[rows.groups]
        own = rng.standard_normal(len(rows.groups))
        return math.sqrt(self.correlation) * common + math.sqrt(1 - self.correlation) * own

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        return noise + math.sqrt(2.0) * _NORMAL.inv_cdf(self.value) * rows.labels


def clustered(
    value: float,
    count: int,
    pattern: tuple[int, ...],
    pure: int = 0,
    bearers: int = 0,
    correlation: float = 0.5,
) -> Clustered:
    """So many clusters, whose rows follow the pattern; class sizes are what is expected."""
    held = tuple(int(size) for size in np.resize(pattern, count))
    if pure:
        ones = sum(held) * pure / count
    else:
        ones = _PREVALENCE * sum(held[: bearers or count])
    sizes = (sum(held) - round(ones), round(ones))
    return Clustered(sizes, value, held, pure, bearers, correlation, family="clusters")


CLUSTERS = [
    clustered(0.8, 12, (8,)),
    clustered(0.8, 40, (3,)),
    clustered(0.8, 12, (2, 4, 10, 20)),
    clustered(0.9, 25, (1, 2, 12)),
    clustered(0.8, 20, (8,), pure=8),
    clustered(0.9, 60, (1, 2, 4), pure=20),
    clustered(0.85, 40, (1, 3), bearers=12),
    clustered(0.95, 40, (3,), correlation=0.3),
    clustered(0.85, 100, (2,), bearers=60),
]
