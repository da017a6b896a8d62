"""Power and sample size for the difference of two AUCs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import share
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._power.checks import (
    Variance,
    correlation_of,
    planned_test,
    ratio_of_spreads,
    row_count,
)
from polyroc._power.plan import Plan
from polyroc._power.rejection import Scores, Tie, power_of_two
from polyroc._power.result import PowerAnalysis, require_effect
from polyroc._power.variance import obuchowski_covariance, variance_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Alternative, Reference


@public
@hinting
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
    variance: Variance = "binormal",
    spread: float | tuple[float, float] = 1.0,
    reference: Reference | None = None,
) -> PowerAnalysis:
    """Return how many rows a test of the difference of two AUCs needs.

    The test is the one that :func:`compare` makes of two models, and scores are taken as normal in
    both classes, which gives variances and covariance exactly (see :func:`sample_size_auc`): the
    power is the probability that the interval of the difference leaves 0 out on the right side.
    Given a pilot's covariance, use :func:`sample_size_from_pilot`.

    The formulas of the textbooks are there by name. With them the power is
    ``Phi((|second - first| - z sqrt(V0)) / sqrt(V1))``. With V the variance of an estimated AUC and
    C the covariance of both, V1 = V(first) + V(second) - 2 C; under the null hypothesis both AUCs
    are `first`, the reference, and V0 = 2 V(first) - 2 C.

    Parameters
    ----------
    first, second : float
        The AUCs that are expected, in (0, 1).
    correlation : float, optional
        The correlation of the two *estimated AUCs*: positive where both models score the same
        rows, 0 for two independent samples, each of the size returned.
    score_correlation : float or (float, float), optional
        In its place, but for "hanley-mcneil": the correlation of the two models' *scores* among
        rows of one class; a pair is (positives, negatives).
    alpha : float
        The level of the test.
    power : float
        The probability wanted of rejecting the null hypothesis.
    ratio : float
        Negative rows for each positive row.
    alternative : {"two-sided", "greater", "less"}
        What the test looks for: a second AUC other than the first, above it, or below it.
    variance : {"binormal", "hanley-mcneil", "obuchowski"}
        Where variances come from, as in :func:`sample_size_auc`.
    spread : float or (float, float)
        With "binormal": the standard deviation of the positives' scores over the negatives'; a
        pair is (first, second).
    reference : {"t", "normal"}, optional
        With "binormal": what the test refers to, as in :func:`compare`. By default "t", as there;
        the textbooks' formulas are for "normal".

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
    AUCs 0.8 and 0.85: two-sided t-test at level 0.05
      power 0.900 (0.9 asked for) with 352 positive and 352 negative rows
      standard error 0.0164 if the null hypothesis holds, else 0.0154 (normal scores)
    >>> pr.sample_size_difference(0.8, 0.85, score_correlation=0.6).total
    484
    >>> pr.sample_size_difference(0.8, 0.85, score_correlation=0.6, variance="obuchowski").total
    838
    """
    plan = _two(
        first, second, correlation, score_correlation, alpha, alternative, variance, spread,
        reference,
    )  # fmt: skip
    return plan.smallest(power, ratio)


@public
@hinting
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
    variance: Variance = "binormal",
    spread: float | tuple[float, float] = 1.0,
    reference: Reference | None = None,
) -> PowerAnalysis:
    """Return the power of a test of the difference of two AUCs.

    Parameters
    ----------
    first, second, correlation, score_correlation, alpha, alternative, variance, spread, reference
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
    AUCs 0.8 and 0.85: two-sided t-test at level 0.05
      power 0.543 with 100 positive and 300 negative rows
      standard error 0.0251 if the null hypothesis holds, else 0.0236 (normal scores)
    """
    plan = _two(
        first, second, correlation, score_correlation, alpha, alternative, variance, spread,
        reference,
    )  # fmt: skip
    return plan.at(row_count("n_pos", n_pos), row_count("n_neg", n_neg))


def _two(
    first: Any, second: Any, correlation: Any, score_correlation: Any, alpha: Any,
    alternative: Any, variance: Any, spread: Any, reference: Any,
) -> Plan:  # fmt: skip
    a, b = share("first", first, "0.8"), share("second", second, "0.85")
    test = planned_test(alpha, alternative, variance, reference)
    require_effect(b - a, alternative, f"first is {a:g} and second is {b:g}")
    tie = _correlations(correlation, score_correlation, variance)
    spreads = _both("spread", spread, "(first, second)")
    s, t = (ratio_of_spreads("spread", value, variance) for value in spreads)
    covariance = _covariance(variance, tie, (s, t))
    of_first, of_second = variance_by(variance, s), variance_by(variance, t)

    def errors(n_pos: int, n_neg: int) -> tuple[float, float]:
        rows = n_pos, n_neg
        under_null = of_first(a, *rows) + of_second(a, *rows) - 2 * covariance(a, a, *rows)
        truth = of_first(a, *rows) + of_second(b, *rows) - 2 * covariance(a, b, *rows)
        return math.sqrt(max(under_null, 0.0)), math.sqrt(max(truth, 0.0))

    options: dict[str, Any] = {"correlation": tie.of_aucs, "score_correlation": tie.of_scores}
    if variance == "binormal":
        lesser, greater = sorted((Scores(a, s), Scores(b, t)))
        options["made"] = lambda rule: power_of_two(lesser, greater, tie, rule)
        options["spread"] = s if s == t else (s, t)
    return Plan((a, b), 0.0, b - a, errors, variance, test, **options)


def _covariance(
    variance: str, tie: Tie, spreads: tuple[float, float]
) -> Callable[[float, float, int, int], float]:
    """Return the covariance of two estimated AUCs by the numbers of rows."""
    formula, (s, t) = variance_by(variance, 1.0), spreads

    def covariance(one: float, other: float, n_pos: int, n_neg: int) -> float:
        if variance == "binormal":
            return tie.covariance(Scores(one, s), Scores(other, t), n_pos, n_neg)
        if tie.of_scores is not None:
            return obuchowski_covariance(one, other, *tie.of_scores, n_pos, n_neg)
        product = formula(one, n_pos, n_neg) * formula(other, n_pos, n_neg)
        return (tie.of_aucs or 0.0) * math.sqrt(product)

    return covariance


def _correlations(correlation: Any, score_correlation: Any, variance: str) -> Tie:
    """Return the correlation of the AUCs, or that of the scores by class."""
    if (correlation is None) == (score_correlation is None):
        raise ValueError(
            "pass one of correlation=, that of the two estimated AUCs (0 for independent samples), "
            "or score_correlation=, that of the two models' scores within a class"
        )
    if score_correlation is None:
        return Tie(correlation_of("correlation", correlation), None)
    if variance == "hanley-mcneil":
        raise ValueError(
            'score_correlation is for variance="binormal" or "obuchowski", not "hanley-mcneil"; '
            "pass correlation=, that of the two estimated AUCs"
        )
    pair = _both("score_correlation", score_correlation, "(positives, negatives)")
    r_pos, r_neg = (correlation_of("score_correlation", value) for value in pair)
    return Tie(None, (r_pos, r_neg))


def _both(name: str, given: Any, what: str) -> tuple[Any, Any]:
    """Return two values; one stands for both."""
    pair = [given] * 2 if np.ndim(given) == 0 else [*given]
    if len(pair) != 2:
        raise ValueError(f"{name} has {len(pair)} values; pass one, or {what}")
    return pair[0], pair[1]
