"""Variances of AUCs that are not yet estimated, from what they are expected to be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from polyroc._power.binormal import variance_of
from polyroc._stats.hanley_mcneil import hanley_mcneil
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from collections.abc import Callable

# As published; 1 / (32 pi) and the root of 2 to full length change sizes by half a percent.
_OBUCHOWSKI, _ROOT_TWO = 0.0099, 1.414

NAMES = {
    "binormal": "normal scores",
    "hanley-mcneil": "Hanley & McNeil 1982",
    "obuchowski": "Obuchowski & McClish 1997",
    "pilot": "from the pilot",
}


def scores_as(spread: Any) -> str:
    """Return what is taken for granted with exact variances, in words."""
    if isinstance(spread, tuple):
        return f"normal scores, spreads {spread[0]:g} and {spread[1]:g}"
    return NAMES["binormal"] if spread == 1 else f"normal scores, spread {spread:g}"


def hanley_mcneil_variance(auc: float, n_pos: int, n_neg: int) -> float:
    """Return the variance of an AUC t by HM82, with t alone standing for the distributions.

    [t (1 - t) + (n_pos - 1) (Q1 - t^2) + (n_neg - 1) (Q2 - t^2)] / (n_pos n_neg),
    Q1 = t / (2 - t), Q2 = 2 t^2 / (1 + t) (B97 Eq. 10-12).

    Examples
    --------
    >>> round(hanley_mcneil_variance(0.5, 10, 20) * 12 * 10 * 20, 6)  # n_pos + n_neg + 1: exact
    31.0
    """
    return hanley_mcneil(auc, n_pos, n_neg) ** 2


def obuchowski_variance(auc: float, n_pos: int, n_neg: int) -> float:
    """Return the variance of an AUC for rating data of two normal distributions, equally wide.

    0.0099 exp(-A^2 / 2) [(5 A^2 + 8) + (A^2 + 8) / R] / n_pos, with A = 1.414 Phi^-1(AUC) and
    R = n_neg / n_pos (OLW04 Eq. 3; OM97 Eq. 4 with B = 1). It leaves out the covariance of the
    two estimated parameters of the curve, whose term is negative: sizes are on the safe side.
    """
    square = _distance(auc) ** 2
    scale = _OBUCHOWSKI * math.exp(-square / 2) / n_pos
    return scale * ((5 * square + 8) + (square + 8) * n_pos / n_neg)


def obuchowski_covariance(
    first: float, second: float, r_pos: float, r_neg: float, n_pos: int, n_neg: int
) -> float:
    """Return the covariance of two such AUCs on the same rows, whose scores are correlated.

    OM97 Eq. 5 for the whole area and B1 = B2 = 1, where some terms cancel::

        8 0.0099 exp(-(A1^2 + A2^2) / 4) [r_pos + r_neg / R + A1 A2 (r_pos^2 + r_neg^2 / R) / 8]
        / n_pos
    """
    a, b, share = _distance(first), _distance(second), n_pos / n_neg
    scale = 8 * _OBUCHOWSKI * math.exp(-(a * a + b * b) / 4) / n_pos
    return scale * (r_pos + r_neg * share + a * b * (r_pos**2 + r_neg**2 * share) / 8)


def variance_by(name: str, spread: float) -> Callable[[float, int, int], float]:
    """Return the formula of a name: the variance of an AUC by the numbers of rows."""
    if name == "binormal":
        return lambda auc, n_pos, n_neg: float(
            variance_of(normal_quantile(auc), spread).covariance(n_pos, n_neg)
        )
    return hanley_mcneil_variance if name == "hanley-mcneil" else obuchowski_variance


def _distance(auc: float) -> float:
    return _ROOT_TWO * normal_quantile(auc)
