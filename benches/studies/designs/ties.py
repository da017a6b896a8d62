"""Heavy ties: normal scores cut into a few grades, as ratings are.

The cuts stand at equal distances from -0.8 to d + 0.8. With p_g and q_g the probabilities of grade
g in the class itself and elsewhere, a pair is told apart with probability sum_g p_g (Q_(g-1) + q_g
/ 2), Q being sums of q: exact, ties counting one half. Columns are independent, so that M is the
same sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from benches.studies.designs.design import Design, Floats, Rows, own_class

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Graded(Design):
    """Normal scores that would have this value, in so many grades."""

    value: float
    grades: int

    @property
    def name(self) -> str:
        (truth,) = self.truths.values()
        return f"{self.grades} grades {truth:.3f}"

    @property
    def _shift(self) -> float:
        return math.sqrt(2.0) * _NORMAL.inv_cdf(self.value)

    @property
    def _cuts(self) -> Floats:
        return np.linspace(-0.8, self._shift + 0.8, self.grades - 1)

    @property
    def truths(self) -> dict[str, float]:
        own, other = (
            np.diff([0.0, *(_NORMAL.cdf(cut - mean) for cut in self._cuts), 1.0])
            for mean in (self._shift, 0.0)
        )
        truth = float(own @ (np.cumsum(other) - other / 2))
        return {"auc" if len(self.sizes) == 2 else "hand_till": truth}

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        shifted = noise + self._shift * own_class(rows, noise)
        return np.searchsorted(self._cuts, shifted).astype(float)


TIES = [
    Graded(sizes, value, grades, family="ties")
    for sizes, value, grades in (
        ((60, 8), 0.8, 4),
        ((150, 20), 0.8, 4),
        ((50, 25), 0.85, 3),
        ((200, 20), 0.93, 5),
        ((100, 100), 0.7, 3),
        ((60, 30, 10), 0.85, 4),
        ((200, 100, 40), 0.85, 4),
    )
]
