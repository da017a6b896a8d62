"""Proportions correct: the largest score of a row, the larger of two, and a random threshold.

Of several classes, columns are independent and normal with variance 1, with mean m in the row's own
class, else 0. The own column is the largest with probability C1, the integral of phi(x - m)
Phi(x)^(K - 1), and the larger of two with probability C2 = Phi(m / sqrt 2), which is M as well: it
is how values are given (Hand & Till, Mach. Learn. 45, 2001). Of two classes with one score and an
AUC of A, a threshold drawn from the scores of all rows is right with probability 2 pi0 pi1 A +
(pi0^2 + pi1^2) / 2, pi being the shares of the classes (their Eq. 5); with a share of all rows said
to be positive, the threshold is a quantile of the mixture. Class counts are drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
import polyroc as pr
from scipy.integrate import quad
from scipy.optimize import brentq

from benches.studies.designs.design import Design, Floats, Rows, own_class, random_labels

_NORMAL = NormalDist()


def own_is_largest(mean: float, classes: int) -> float:
    """The probability that a normal number of this mean is above all of K - 1 of mean 0."""

    def density(x: float) -> float:
        return _NORMAL.pdf(x - mean) * _NORMAL.cdf(x) ** (classes - 1)

    return float(quad(density, -8.0, mean + 8.0)[0])


@dataclass(frozen=True)
class Correct(Design):
    """Classes that M tells apart with this value."""

    value: float

    @property
    def name(self) -> str:
        return f"normal {self.value:g}"

    @property
    def _mean(self) -> float:
        return math.sqrt(2.0) * _NORMAL.inv_cdf(self.value)

    @property
    def measures(self) -> dict[str, Any]:
        if len(self.sizes) == 2:
            return {"expected_correct": "expected_correct"}
        return {"C1": "proportion_correct", "C2": pr.ProportionCorrect(pairs=True)}

    @property
    def truths(self) -> dict[str, float]:
        if len(self.sizes) == 2:
            share = self.sizes[1] / sum(self.sizes)
            both, alike = 2 * share * (1 - share), share**2 + (1 - share) ** 2
            return {"expected_correct": both * self.value + alike / 2}
        return {"C1": own_is_largest(self._mean, len(self.sizes)), "C2": self.value}

    def rows(self, rng: np.random.Generator) -> Rows:
        return Rows(random_labels(self.sizes, rng))

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        return noise + self._mean * own_class(rows, noise)


@dataclass(frozen=True)
class Screened(Correct):
    """The same of two classes, a fifth of all rows said to be positive."""

    has_closed_form: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return f"{super().name}, screened"

    @property
    def measures(self) -> dict[str, Any]:
        return {"screened 0.2": pr.ExpectedCorrect(screened=0.2)}

    @property
    def truths(self) -> dict[str, float]:
        share = self.sizes[1] / sum(self.sizes)

        def found(threshold: float) -> tuple[float, float]:
            own, others = (1.0 - _NORMAL.cdf(threshold - mean) for mean in (self._mean, 0.0))
            return share * own, (1 - share) * others

        true, false = found(brentq(lambda threshold: sum(found(threshold)) - 0.2, -8.0, 12.0))
        return {"screened 0.2": true + (1 - share) - false}


CORRECT = [
    Correct(sizes, value, family="proportions correct")
    for sizes, value in (
        ((30, 30, 30), 0.8),
        ((120, 60, 20), 0.9),
        ((60, 60, 60), 0.97),
        ((50, 50), 0.8),
        ((200, 30), 0.9),
    )
]
CORRECT += [Screened(sizes, 0.8, family="proportions correct") for sizes in ((50, 50), (300, 60))]
