"""Power and sample size for the difference of two AUCs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import choose, share
from polyroc._base.public import public
from polyroc._power.checks import Variance, correlation_of, row_count
from polyroc._power.one_auc import Plan
from polyroc._power.result import PowerAnalysis, require_effect
from polyroc._power.variance import VARIANCES, obuchowski_covariance
from polyroc._stats.normal_test import ALTERNATIVES

if TYPE_CHECKING:
    from polyroc._base.types import Alternative


@public
def sample_size_difference(
    first: float,
    second: float,
    *,
    correlation: float | None = None,
    score_correlation: float | tuple[float, float] | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    ratio: float = 1.0,
    alternative: Alternative = "two-sided",
    variance: Variance = "hanley-mcneil",
) -> PowerAnalysis:
    """Return how many rows a test of the difference of two AUCs needs.

    The least n with power Phi((|second - first| - z sqrt(V0)) / sqrt(V1)). With V the variance of
    an estimated AUC and C the covariance of both, V1 = V(first) + V(second) - 2 C; under the null
    hypothesis both AUCs are `first`, the reference, and V0 = 2 V(first) - 2 C. Given a pilot's
    covariance, use :func:`sample_size_from_pilot`.

    Parameters
    ----------
    first, second : float
        The AUCs that are expected, in (0, 1).
    correlation : float, optional
        The correlation of the two *estimated AUCs*: positive where both models score the same
        rows, 0 for two independent samples, each of the size returned.
    score_correlation : float or (float, float), optional
        In its place, with ``variance="obuchowski"``: the correlation of the two models' *scores*
        among rows of one class; a pair is (positives, negatives).
    alpha : float
        The level of the test.
    power : float
        The probability wanted of rejecting the null hypothesis.
    ratio : float
        Negative rows for each positive row.
    alternative : {"two-sided", "greater", "less"}
        What the test looks for: a second AUC other than the first, above it, or below it.
    variance : {"hanley-mcneil", "obuchowski"}
        The formula for the variances, as in :func:`sample_size_auc`.

    Returns
    -------
    PowerAnalysis
        With ``.n_pos``, ``.n_neg``, ``.total`` and the ``.power`` reached.

    References
    ----------
    J. A. Hanley and B. J. McNeil, The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143, 1982; A method of comparing the areas under receiver
    operating characteristic curves derived from the same cases, Radiology 148, 1983.
    N. A. Obuchowski and D. K. McClish, Sample size determination for diagnostic accuracy studies
    involving binormal ROC curve indices, Statistics in Medicine 16, 1997.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.sample_size_difference(0.8, 0.85, correlation=0.5, power=0.9)
    AUCs 0.8 and 0.85: two-sided test at level 0.05
      power 0.900 (0.9 asked for) with 394 positive and 394 negative rows
      standard error 0.0158 if the null hypothesis holds, else 0.0149 (Hanley & McNeil 1982)
    >>> pr.sample_size_difference(0.8, 0.85, score_correlation=0.6, variance="obuchowski").total
    838
    """
    plan = _two(first, second, correlation, score_correlation, alpha, alternative, variance)
    return plan.smallest(power, ratio)


@public
def power_difference(
    first: float,
    second: float,
    *,
    n_pos: int,
    n_neg: int,
    correlation: float | None = None,
    score_correlation: float | tuple[float, float] | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    variance: Variance = "hanley-mcneil",
) -> PowerAnalysis:
    """Return the power of a test of the difference of two AUCs.

    Parameters
    ----------
    first, second, correlation, score_correlation, alpha, alternative, variance
        As in :func:`sample_size_difference`.
    n_pos, n_neg : int
        The number of rows of each class.

    Returns
    -------
    PowerAnalysis
        With ``.power``.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.power_difference(0.8, 0.85, n_pos=100, n_neg=300, correlation=0.5)
    AUCs 0.8 and 0.85: two-sided test at level 0.05
      power 0.419 with 100 positive and 300 negative rows
      standard error 0.0283 if the null hypothesis holds, else 0.027 (Hanley & McNeil 1982)
    """
    plan = _two(first, second, correlation, score_correlation, alpha, alternative, variance)
    return plan.at(row_count("n_pos", n_pos), row_count("n_neg", n_neg))


def _two(
    first: Any, second: Any, correlation: Any, score_correlation: Any, alpha: Any,
    alternative: Any, variance: Any,
) -> Plan:  # fmt: skip
    a, b = share("first", first, "0.8"), share("second", second, "0.85")
    choose("variance", variance, tuple(VARIANCES))
    choose("alternative", alternative, ALTERNATIVES)
    require_effect(b - a, alternative, f"first is {a:g} and second is {b:g}")
    r, of_scores = _correlations(correlation, score_correlation, variance)
    formula = VARIANCES[variance]

    def covariance(one: float, other: float, n_pos: int, n_neg: int) -> float:
        if of_scores is not None:
            return obuchowski_covariance(one, other, *of_scores, n_pos, n_neg)
        spread = formula(one, n_pos, n_neg) * formula(other, n_pos, n_neg)
        return (r or 0.0) * math.sqrt(spread)

    def errors(n_pos: int, n_neg: int) -> tuple[float, float]:
        var_a, var_b = formula(a, n_pos, n_neg), formula(b, n_pos, n_neg)
        under_null = 2 * var_a - 2 * covariance(a, a, n_pos, n_neg)
        return (
            math.sqrt(max(under_null, 0.0)),
            math.sqrt(var_a + var_b - 2 * covariance(a, b, n_pos, n_neg)),
        )

    return Plan(
        (a, b), 0.0, b - a, errors, variance, alpha, alternative,
        correlation=r, score_correlation=of_scores,
    )  # fmt: skip


def _correlations(
    correlation: Any, score_correlation: Any, variance: str
) -> tuple[float | None, tuple[float, float] | None]:
    """Return the correlation of the AUCs, or that of the scores by class."""
    if (correlation is None) == (score_correlation is None):
        raise ValueError(
            "pass one of correlation=, that of the two estimated AUCs (0 for independent samples), "
            'or, with variance="obuchowski", score_correlation=, that of the scores'
        )
    if score_correlation is None:
        return correlation_of("correlation", correlation), None
    if variance != "obuchowski":
        raise ValueError(
            f'score_correlation is for variance="obuchowski" only, not {variance!r}; '
            "pass correlation=, that of the two estimated AUCs"
        )
    pair = [score_correlation] * 2 if np.ndim(score_correlation) == 0 else [*score_correlation]
    if len(pair) != 2:
        raise ValueError(
            f"score_correlation has {len(pair)} values; pass one, or (positives, negatives)"
        )
    r_pos, r_neg = (correlation_of("score_correlation", value) for value in pair)
    return None, (r_pos, r_neg)
