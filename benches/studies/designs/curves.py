"""Measures along the curve: standardised partial areas, average precision, distance.

Scores of class 0 are N(0, 1), those of class 1 N(d, 1): at a false positive rate of f the curve is
at Phi(d + Phi^-1(f)). With F the largest f, a partial area is 1/2 + (P - F^2/2) / (2 F - F^2), P
being the area up to F (McClish, Med. Decis. Making 9, 1989); average precision is the mean of
p t / (p t + (1 - p) f) over the true positive rates t, p being the share of class 1; and the
distance is 2 Phi(d / 2) - 1. Class counts are random where they enter: in precision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
import polyroc as pr
from scipy import special

from benches.studies.designs.design import Design, Floats, Rows, random_labels

_NORMAL = NormalDist()
_STEPS = 200_000
_MIDDLES = (np.arange(_STEPS) + 0.5) / _STEPS


def average_precision(shift: float, share: float) -> float:
    """The mean precision over true positive rates, with this share of class 1."""
    false = special.ndtr(special.ndtri(_MIDDLES) - shift)
    return float((share * _MIDDLES / (share * _MIDDLES + (1 - share) * false)).mean())


@dataclass(frozen=True)
class Curve(Design):
    """The AUC of the scores, the measure, and the largest false positive rate of a partial area."""

    value: float
    measure: str
    max_fpr: float = 1.0

    @property
    def name(self) -> str:
        return f"normal {self.value:.3g} by {self._called}"

    @property
    def _called(self) -> str:
        return f"auc to {self.max_fpr:g}" if self.max_fpr < 1.0 else self.measure

    @property
    def _shift(self) -> float:
        return math.sqrt(2.0) * _NORMAL.inv_cdf(self.value)

    @property
    def truths(self) -> dict[str, float]:
        if self.max_fpr < 1.0:
            most = self.max_fpr
            area = most * special.ndtr(self._shift + special.ndtri(most * _MIDDLES)).mean()
            truth = 0.5 + (area - most**2 / 2) / (2 * most - most**2)
        elif self.measure == "average_precision":
            truth = average_precision(self._shift, self.sizes[1] / sum(self.sizes))
        else:
            truth = 2.0 * _NORMAL.cdf(self._shift / 2.0) - 1.0
        return {self._called: float(truth)}

    @property
    def measures(self) -> dict[str, Any]:
        partial = self.max_fpr < 1.0
        return {self._called: pr.Auc(max_fpr=self.max_fpr) if partial else self.measure}

    def rows(self, rng: np.random.Generator) -> Rows:
        if self.measure != "average_precision":
            return super().rows(rng)
        return Rows(random_labels(self.sizes, rng))

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        return np.where(rows.labels == 1, noise + self._shift, noise)


class Distance(Curve):
    """The Kolmogorov-Smirnov distance, which has no closed-form error."""

    has_closed_form: ClassVar[bool] = False


_KINDS = {"kolmogorov_smirnov": Distance}
CURVES = [
    _KINDS.get(measure, Curve)(sizes, value, measure, most, family="along the curve")
    for sizes, value, measure, most in (
        ((40, 30), 0.8, "auc", 0.2),
        ((40, 30), 0.9, "auc", 0.1),
        ((150, 20), 0.85, "auc", 0.2),
        ((200, 100), 0.95, "auc", 0.1),
        ((40, 30), 0.8, "average_precision", 1.0),
        ((180, 20), 0.85, "average_precision", 1.0),
        ((100, 100), 0.95, "average_precision", 1.0),
        ((40, 30), 0.8, "kolmogorov_smirnov", 1.0),
        ((100, 100), 0.9, "kolmogorov_smirnov", 1.0),
        ((50, 50), 0.55, "kolmogorov_smirnov", 1.0),
    )
]
