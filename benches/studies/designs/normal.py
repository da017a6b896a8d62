"""Normal scores: the grid, unequal spread, and values near 1.

The columns are independent. Score i of a row of class c is normal, with mean d and standard
deviation s where c = i, else with mean 0 and standard deviation 1. A pair of classes is told apart
by column i with probability Phi(h), h = d / sqrt(1 + s^2) (Bamber, J. Math. Psychol. 12, 1975; Pepe
2003, 4.4), whatever the class sizes, so that M = Phi(h), and so is one-vs-rest, whose rests are
alike. AUC-mu projects on the difference of two columns, which has mean d in one class, -d in the
other, and variance 1 + s^2 in both: Phi(2 d / sqrt(2 (1 + s^2))) = Phi(sqrt(2) h). With two classes
one score is enough, and AUC = Phi(h).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from benches.studies.designs.design import Design, Floats, Rows, own_class

_NORMAL = NormalDist()
_ROWS = {2: (40, 200, 2000), 3: (60, 600), 10: (200, 2000)}
_VALUES = (0.5, 0.8, 0.95, 0.98)
_SHARES = {
    "even": {2: (1, 1), 3: (1, 1, 1), 10: (1,) * 10},
    "skew": {2: (9, 1), 3: (10, 4, 1), 10: (10, 10, 10, 4, 4, 4, 4, 2, 1, 1)},
}


@dataclass(frozen=True)
class Normal(Design):
    """The value is AUC's, or M's; the spread is s."""

    value: float
    spread: float = 1.0
    asked: tuple[str, ...] = ("hand_till",)

    @property
    def name(self) -> str:
        spread = "" if self.spread == 1 else f" sd {self.spread:g}:1"
        return f"normal{spread} {self.value:.3g}"

    @property
    def truths(self) -> dict[str, float]:
        if len(self.sizes) == 2:
            return {"auc": self.value}
        known = {
            "hand_till": self.value,
            "one_vs_rest": self.value,
            "auc_mu": _NORMAL.cdf(math.sqrt(2.0) * _NORMAL.inv_cdf(self.value)),
        }
        return {measure: known[measure] for measure in self.asked}

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        shift = math.hypot(1.0, self.spread) * _NORMAL.inv_cdf(self.value)
        return np.where(own_class(rows, noise), shift + self.spread * noise, noise)


def grid_sizes(classes: int, rows: int, shape: str) -> tuple[int, ...]:
    """Class sizes of the grid."""
    shares = _SHARES[shape][classes]
    return tuple(share * rows // sum(shares) for share in shares)


GRID = sorted(
    (
        Normal(
            grid_sizes(classes, rows, shape),
            value,
            asked=("hand_till", "auc_mu"),
            family="grid",
        )
        for classes, all_rows in _ROWS.items()
        for rows in all_rows
        for shape in _SHARES
        for value in _VALUES
    ),
    key=lambda design: (len(design.sizes), sum(design.sizes)),
)

SPREAD = [
    Normal(sizes, value, spread, family="spread")
    for sizes, value, spread in (
        ((300, 30), 0.8, 4.0),
        ((120, 12), 0.8, 4.0),
        ((300, 30), 0.9, 4.0),
        ((200, 20), 0.95, 3.0),
        ((80, 80), 0.9, 0.25),
        ((30, 300), 0.9, 0.25),
        ((100, 10), 0.9, 3.0),
        ((25, 25), 0.7, 3.0),
        ((200, 100, 20), 0.9, 4.0),
        ((200, 40, 8), 0.9, 3.0),
    )
]

NEAR_ONE = [
    Normal(sizes, value, asked=("hand_till", "one_vs_rest"), family="near 1")
    for sizes, value in (
        ((40, 40), 0.98),
        ((200, 200), 0.98),
        ((200, 12), 0.98),
        ((50, 50), 0.99),
        ((400, 20), 0.99),
        ((200, 200), 0.995),
        ((20, 20), 0.93),
        ((60, 60, 60), 0.99),
        ((200, 60, 20), 0.98),
        ((800, 30, 10), 0.9),
        ((800, 30, 10), 0.97),
    )
]
