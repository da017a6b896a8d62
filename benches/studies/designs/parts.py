"""Normal scores of two classes, measured by parts of the curve.

A row of class 1 has a normal score of mean m, one of class 0 of mean 0, both of variance 1. Then
TPR = Phi(m + Phi^-1(FPR)), of which areas are integrals; with a share pi of class 1, the precision
at a threshold is pi TPR / (pi TPR + (1 - pi) FPR). Where that is measured, class counts are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polyroc as pr
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

from benches.studies.designs.design import Design, Floats, Rows, own_class, random_labels


@dataclass(frozen=True)
class Part(Design):
    """Two classes whose AUC is `value`."""

    value: float

    @property
    def name(self) -> str:
        return f"normal {self.value:g}"

    @property
    def _mean(self) -> float:
        return float(np.sqrt(2) * norm.ppf(self.value))

    def _tpr(self, fpr: float) -> float:
        return float(norm.cdf(self._mean + norm.ppf(fpr)))

    def _fpr(self, tpr: float) -> float:
        return float(norm.cdf(norm.ppf(tpr) - self._mean))

    def scores(self, rows: Rows, noise: Floats, rng: np.random.Generator) -> Floats:
        del rng
        return noise + self._mean * own_class(rows, noise)


class Areas(Part):
    """Partial areas."""

    @property
    def measures(self) -> dict[str, Any]:
        return {
            "area, FPR to 0.1": pr.PartialAuc(fpr=(0, 0.1)),
            "area, FPR to 0.3": pr.PartialAuc(fpr=(0, 0.3)),
            "area, TPR from 0.8": pr.PartialAuc(tpr=(0.8, 1)),
        }

    @property
    def truths(self) -> dict[str, float]:
        below = [quad(self._tpr, 0, high)[0] for high in (0.1, 0.3)]
        right = quad(lambda tpr: 1 - self._fpr(tpr), 0.8, 1)[0]
        return dict(zip(self.measures, (*below, right), strict=True))


class Rates(Part):
    """The curve at one rate, which has no closed-form error."""

    has_closed_form: ClassVar[bool] = False

    @property
    def measures(self) -> dict[str, Any]:
        return {"TPR at 0.1": pr.TprAt(0.1), "FPR at 0.9": pr.FprAt(0.9)}

    @property
    def truths(self) -> dict[str, float]:
        return {"TPR at 0.1": self._tpr(0.1), "FPR at 0.9": self._fpr(0.9)}


class Recalls(Part):
    """The recall at a precision; class counts vary."""

    has_closed_form: ClassVar[bool] = False

    @property
    def measures(self) -> dict[str, Any]:
        return {"recall at 0.8": pr.RecallAt(0.8)}

    @property
    def truths(self) -> dict[str, float]:
        share = self.sizes[1] / sum(self.sizes)

        def lacking(threshold: float) -> float:
            true, false = norm.sf(threshold - self._mean), norm.sf(threshold)
            return float(share * true / (share * true + (1 - share) * false)) - 0.8

        return {"recall at 0.8": float(norm.sf(brentq(lacking, -8.0, 8.0) - self._mean))}

    def rows(self, rng: np.random.Generator) -> Rows:
        return Rows(random_labels(self.sizes, rng))


_SIZES = (((50, 50), 0.9), ((100, 100), 0.8), ((30, 40), 0.8), ((200, 30), 0.9))
# The precision is hardly above the bound anywhere, so that few rows reach it.
_HARD = (((50, 50), 0.7), ((300, 60), 0.8))
PARTS: list[Design] = [
    *(Areas(sizes, value, family="partial areas") for sizes, value in _SIZES),
    *(Rates(sizes, value, family="curve at a rate") for sizes, value in _SIZES),
    *(Recalls(sizes, value, family="recall at a precision") for sizes, value in _SIZES + _HARD),
]
