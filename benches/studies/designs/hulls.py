"""The H measure and the area under the hull, of normal scores of two classes.

A row of class 1 has a normal score of mean m, one of class 0 of mean 0, both of variance 1. The
curve is concave, so that it is its own hull, and the area under the hull is the AUC. At a cost
share c of a false positive the best threshold is m/2 + log(c pi0 / ((1 - c) pi1)) / m, pi being the
shares of the classes; H is one minus the loss there, over that of the better trivial choice, both
integrated over Beta(1 + pi1, 1 + pi0) (Hand & Anagnostopoulos, Pattern Recogn. Lett. 40, 2014).
Class counts are drawn where they enter: in H.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy import special
from scipy.stats import beta

from benches.studies.designs.design import Design, Rows, random_labels
from benches.studies.designs.parts import Part

_STEPS = 200_000


class HMeasures(Part):
    """Hand's H measure with its default severities; class counts vary."""

    has_closed_form: ClassVar[bool] = False

    @property
    def truths(self) -> dict[str, float]:
        pi1 = self.sizes[1] / sum(self.sizes)
        pi0 = 1 - pi1
        costs = (np.arange(_STEPS) + 0.5) / _STEPS
        severity = beta.pdf(costs, 1 + pi1, 1 + pi0)
        odds = costs * pi0 / ((1 - costs) * pi1)
        thresholds = self._mean / 2 + np.log(odds) / self._mean
        false, missed = special.ndtr(-thresholds), special.ndtr(thresholds - self._mean)
        least = (costs * pi0 * false + (1 - costs) * pi1 * missed) @ severity
        trivial = np.minimum(costs * pi0, (1 - costs) * pi1) @ severity
        return {"h_measure": float(1 - least / trivial)}

    def rows(self, rng: np.random.Generator) -> Rows:
        return Rows(random_labels(self.sizes, rng))


class HullAreas(Part):
    """The area under the convex hull."""

    has_closed_form: ClassVar[bool] = False

    @property
    def truths(self) -> dict[str, float]:
        return {"hull_area": self.value}


_SIZES = (((50, 50), 0.8), ((200, 30), 0.9), ((200, 200), 0.8), ((100, 100), 0.95))
HULLS: list[Design] = [
    *(HMeasures(sizes, value, family="H measure") for sizes, value in _SIZES),
    *(HullAreas(sizes, value, family="hull area") for sizes, value in _SIZES),
]
