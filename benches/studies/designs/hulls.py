"""The H measure and the area under the hull, of normal scores, whole or in grades.

A row has a normal score of mean m in the column of its own class, else of mean 0, all of variance 1
and independent; two classes have one column. So every ordered pair of classes is told apart by the
same curve, whose area is the value, and which is concave, so that it is its own hull. At a cost
share c of a false positive the best threshold is m/2 + log(c pi0 / ((1 - c) pi1)) / m, pi being the
shares of the two classes; H is one minus the loss there, over that of the better trivial choice,
both integrated over Beta(1 + pi1, 1 + pi0) (Hand & Anagnostopoulos, Pattern Recogn. Lett. 40,
2014), averaged over ordered pairs. In grades, cut at equal distances from -2 to m + 2, the best of
the cuts takes the place of that threshold, and areas are exact. Class counts are drawn where they
enter: in H.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

import numpy as np
from scipy import special
from scipy.stats import beta

from benches.studies.designs.design import Design, Floats, Rows, random_labels
from benches.studies.designs.parts import Part

_STEPS = 200_000
_BEYOND = 2.0  # of the outermost cuts: beyond both means


@dataclass(frozen=True)
class Hulls(Part):
    """Scores that would have this AUC, in so many grades; 0 where they are not cut."""

    grades: int = 0
    has_closed_form: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return f"{super().name}{f' in {self.grades} grades' if self.grades else ''}"

    @property
    def sets(self) -> float:
        """A replicate of many classes makes a hull for each ordered pair of them."""
        return 0.1 if len(self.sizes) > 3 else 1.0

    @property
    def _cuts(self) -> Floats:
        return np.linspace(-_BEYOND, self._mean + _BEYOND, self.grades - 1)

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        scores = super().scores(rows, noise, rng)
        return np.searchsorted(self._cuts, scores).astype(float) if self.grades else scores


class HMeasures(Hulls):
    """Hand's H measure with its default severities; class counts vary."""

    @property
    def truths(self) -> dict[str, float]:
        pairs = [(n1, n0) for n1, n0 in permutations(self.sizes, 2)]
        if len(self.sizes) == 2:
            pairs = [(self.sizes[1], self.sizes[0])]
        known = {pair: self._of_pair(pair[0] / sum(pair)) for pair in set(pairs)}
        return {"h_measure": float(np.mean([known[pair] for pair in pairs]))}

    def _of_pair(self, pi1: float) -> float:
        pi0 = 1 - pi1
        costs = (np.arange(_STEPS) + 0.5) / _STEPS
        severity = beta.pdf(costs, 1 + pi1, 1 + pi0)
        if self.grades:
            each = (self._lost(costs, pi1, cut) for cut in (-np.inf, *self._cuts, np.inf))
            least = np.minimum.reduce(list(each)) @ severity
        else:
            odds = costs * pi0 / ((1 - costs) * pi1)
            best = self._mean / 2 + np.log(odds) / self._mean
            least = self._lost(costs, pi1, best) @ severity
        trivial = np.minimum(costs * pi0, (1 - costs) * pi1) @ severity
        return float(1 - least / trivial)

    def _lost(self, costs: Floats, pi1: float, threshold: Floats | float) -> Floats:
        """The loss at each share of costs, at a threshold."""
        false = special.ndtr(-np.asarray(threshold))
        missed = special.ndtr(threshold - self._mean)
        return np.asarray(costs * (1 - pi1) * false + (1 - costs) * pi1 * missed)

    def rows(self, rng: np.random.Generator) -> Rows:
        return Rows(random_labels(self.sizes, rng))


class HullAreas(Hulls):
    """The area under the convex hull."""

    @property
    def truths(self) -> dict[str, float]:
        if not self.grades:
            return {"hull_area": self.value}
        own, other = (
            np.diff(special.ndtr(np.array([-np.inf, *self._cuts, np.inf]) - mean))
            for mean in (self._mean, 0.0)
        )
        return {"hull_area": float(own @ (np.cumsum(other) - other / 2))}


_DRAWN: tuple[tuple[tuple[int, ...], float, int], ...] = (
    ((50, 50), 0.8, 0),
    ((200, 30), 0.9, 0),
    ((200, 200), 0.8, 0),
    ((100, 100), 0.95, 0),
    ((30, 30), 0.8, 0),
    ((50, 50), 0.95, 0),
    ((100, 400), 0.7, 0),
    ((1000, 1000), 0.9, 0),
    ((50, 50), 0.8, 10),
    ((50, 50, 50), 0.9, 0),
    ((100, 40, 20), 0.8, 0),
    ((50,) * 10, 0.9, 0),
    ((20,) * 20, 0.9, 0),
)
HULLS: list[Design] = [
    *(HMeasures(*drawn, family="H measure") for drawn in _DRAWN),
    *(HullAreas(*drawn, family="hull area") for drawn in _DRAWN),
]
