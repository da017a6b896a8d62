"""AUCs of scores that are normal in both classes: exact variances and covariances.

Negatives are N(0, 1) and positives N(d, s^2), s being the ratio of spreads. The AUC is Phi(h) with
h = d / sqrt(1 + s^2) its probit. A model's scores may be any increasing function of these.

References
----------
BA75: D. Bamber, The area above the ordinal dominance graph and the area below the receiver
operating characteristic graph, Journal of Mathematical Psychology 12, 1975.
PL54: R. L. Plackett, A reduction formula for normal multivariate integrals, Biometrika 41, 1954.
DW90: Z. Drezner and G. O. Wesolowsky, On the computation of the bivariate normal integral, Journal
of Statistical Computation and Simulation 35, 1990.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats

_NODES = 48  # right to 1e-14 for probits up to 4 and correlations up to 0.999
_FARTHEST = 7.0  # probits of AUCs that are 1 but for 1e-12
_erfc = np.frompyfunc(math.erfc, 1, 1)


class Shared(NamedTuple):
    """How two AUCs, or one with itself, vary together by the rows that their pairs share.

    Covariances of "this pair is right" with "that pair is right" for pairs that have in common both
    rows, the positive row alone, or the negative row alone. Numbers, or arrays of one shape.
    """

    both: Floats
    pos: Floats
    neg: Floats

    def covariance(self, n_pos: int, n_neg: int) -> Floats:
        """Return [both + (n_neg - 1) pos + (n_pos - 1) neg] / (n_pos n_neg) (BA75)."""
        return (self.both + (n_neg - 1) * self.pos + (n_pos - 1) * self.neg) / (n_pos * n_neg)

    def delong(self, n_pos: int, n_neg: int) -> tuple[Floats, Floats]:
        """Return what DeLong's estimate is on average: the part of either class.

        Placements are taken against the rows there are, so that either part has the remainder
        (both - pos - neg) / (n_pos n_neg), which the covariance has once.
        """
        rest = (self.both - self.pos - self.neg) / (n_pos * n_neg)
        return self.pos / n_pos + rest, self.neg / n_neg + rest


def variance_of(probit: Floats | float, spread: float) -> Shared:
    """Return how an AUC varies.

    Of two pairs with one positive row both are right if s X - Y1 and s X - Y2, whose correlation is
    s^2 / (1 + s^2), stay below; with one negative row it is 1 / (1 + s^2).
    """
    h = np.clip(np.asarray(probit, dtype=np.float64), -_FARTHEST, _FARTHEST)
    square = spread * spread
    return Shared(
        normal_cdfs(h) * normal_cdfs(-h),
        covary(h, h, square / (1 + square)),
        covary(h, h, 1 / (1 + square)),
    )


def covariance_of(
    probits: tuple[Floats | float, Floats | float],
    spreads: tuple[float, float],
    correlations: tuple[float, float],
) -> Shared:
    """Return how the AUCs of two models vary together on the same rows.

    `correlations` are those of the two models' scores among positives and among negatives, r and q.
    Then s1 X1 - Y1 and s2 X2 - Y2 correlate by (r s1 s2 + q) / sqrt((1 + s1^2) (1 + s2^2)); where
    only the positive row is common q drops out, and r where only the negative one is.
    """
    first, second = (np.clip(np.asarray(h, np.float64), -_FARTHEST, _FARTHEST) for h in probits)
    scale = math.hypot(1, spreads[0]) * math.hypot(1, spreads[1])
    of_pos, of_neg = correlations[0] * spreads[0] * spreads[1] / scale, correlations[1] / scale
    return Shared(
        covary(first, second, of_pos + of_neg),
        covary(first, second, of_pos),
        covary(first, second, of_neg),
    )


def covary(first: Floats | float, second: Floats | float, correlation: float) -> Floats:
    """Return P(A < first, B < second) - Phi(first) Phi(second) of two standard normal numbers.

    Their density at (first, second), integrated over the correlation from 0 (PL54); with the
    correlation written sin u the root drops out (DW90)::

        1 / (2 pi)  integral over u from 0 to asin(correlation) of
        exp(-(first^2 + second^2 - 2 first second sin u) / (2 cos^2 u))

    A smooth function, by Gauss and Legendre's rule.

    Examples
    --------
    >>> round(float(covary(0.0, 0.0, 0.5)), 6)  # asin(1/2) / (2 pi)
    0.083333
    """
    h, k = np.asarray(first, np.float64)[..., np.newaxis], np.asarray(second)[..., np.newaxis]
    nodes, weights = _rule()
    top = math.asin(max(-1.0, min(correlation, 1.0)))
    u = 0.5 * top * (nodes + 1)
    height = np.exp(-(h * h + k * k - 2 * h * k * np.sin(u)) / (2 * np.cos(u) ** 2))
    return np.asarray(top / (4 * math.pi) * (height @ weights))


def normal_cdfs(values: Floats | float) -> Floats:
    """Return Phi of many numbers."""
    return np.asarray(0.5 * _erfc(np.asarray(values) / -math.sqrt(2)), dtype=np.float64)


@cache
def _rule() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights
