"""Power and sample size for one AUC against a null value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import share
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._power.checks import Variance, planned_test, ratio_of_spreads, row_count
from polyroc._power.plan import Plan
from polyroc._power.rejection import Scores, power_of_one
from polyroc._power.result import PowerAnalysis, require_effect
from polyroc._power.variance import variance_by

if TYPE_CHECKING:
    from polyroc._base.types import Alternative, Reference


@public
@hinting
def sample_size_auc(
    auc: float,
    null: float = 0.5,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    ratio: float = 1.0,
    alternative: Alternative = "two-sided",
    variance: Variance = "binormal",
    spread: float = 1.0,
    reference: Reference | None = None,
) -> PowerAnalysis:
    """Return how many rows a test of one AUC against a null value needs.

    The test is the one that is made of data: `null` lies outside the interval of :func:`delong`.
    Scores are taken as normal in both classes, which gives the variance exactly at every size,
    [t (1 - t) + (n_neg - 1) p + (n_pos - 1) q] / (n_pos n_neg), where t is the AUC, and p and q
    are integrals of the bivariate normal density. The power is the probability that the interval
    leaves `null` out on the right side, and the size the least that has it.

    The formulas of the textbooks are there by name. With them the power is
    ``Phi((|auc - null| - z sqrt(V0)) / sqrt(V1))``, V0 and V1 being the variances at `null` and at
    `auc`; for variances that are v/n, n = (z_alpha sqrt(v0) + z_beta sqrt(v1))^2 / (auc - null)^2.

    Parameters
    ----------
    auc : float
        The AUC that is expected, in (0, 1).
    null : float
        The AUC of the null hypothesis, in (0, 1).
    alpha : float
        The level of the test.
    power : float
        The probability wanted of rejecting the null hypothesis.
    ratio : float
        Negative rows for each positive row.
    alternative : {"two-sided", "greater", "less"}
        What the test looks for: an AUC other than `null`, above it, or below it.
    variance : {"binormal", "hanley-mcneil", "obuchowski"}
        Where the variance comes from. "binormal": exact for normal scores, and for increasing
        functions of them. "hanley-mcneil" takes exponential scores for granted, and promises far
        too much where negatives are scarce (at an AUC of 0.9 and ten positives for each, its
        standard error is 0.71 of that of normal scores) and far too little where positives are.
        "obuchowski" is for ratings under the binormal model, and mostly larger.
    spread : float
        With "binormal": the standard deviation of the positives' scores over the negatives'.
    reference : {"t", "normal"}, optional
        With "binormal": what the test refers to, as in :func:`delong`. By default "t", as there;
        the textbooks' formulas are for "normal".

    Returns
    -------
    PowerAnalysis
        With ``.n_pos``, ``.n_neg``, ``.total`` and the ``.power`` reached.

    References
    ----------
    D. Bamber, The area above the ordinal dominance graph and the area below the receiver operating
    characteristic graph, Journal of Mathematical Psychology 12, 1975: the variance.
    Z. Drezner and G. O. Wesolowsky, On the computation of the bivariate normal integral, Journal of
    Statistical Computation and Simulation 35, 1990.
    J. A. Hanley and B. J. McNeil, The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143, 1982.
    N. A. Obuchowski, M. L. Lieber and F. H. Wians, ROC curves in clinical chemistry: uses,
    misuses, and possible solutions, Clinical Chemistry 50, 2004.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.sample_size_auc(0.8, null=0.7, ratio=2)
    AUC 0.8 against 0.7: two-sided t-test at level 0.05
      power 0.805 (0.8 asked for) with 74 positive and 148 negative rows
      standard error 0.0369 if the null hypothesis holds, else 0.031 (normal scores)
    """
    plan = _one(auc, null, alpha, alternative, variance, spread, reference)
    return plan.smallest(power, ratio)


@public
@hinting
def power_auc(
    auc: float,
    null: float = 0.5,
    *,
    n_pos: int,
    n_neg: int,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    variance: Variance = "binormal",
    spread: float = 1.0,
    reference: Reference | None = None,
) -> PowerAnalysis:
    """Return the power of a test of one AUC against a null value.

    Parameters
    ----------
    auc, null, alpha, alternative, variance, spread, reference
        As in :func:`sample_size_auc`.
    n_pos, n_neg : int
        The number of rows of each class.

    Returns
    -------
    PowerAnalysis
        With ``.power``.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.power_auc(0.73, n_pos=41, n_neg=72, variance="obuchowski")
    AUC 0.73 against 0.5: two-sided test at level 0.05
      power 0.990 with 41 positive and 72 negative rows
      standard error 0.0551 if the null hypothesis holds, else 0.0527 (Obuchowski & McClish 1997)
    """
    plan = _one(auc, null, alpha, alternative, variance, spread, reference)
    return plan.at(row_count("n_pos", n_pos), row_count("n_neg", n_neg))


def _one(
    auc: Any, null: Any, alpha: Any, alternative: Any, variance: Any, spread: Any, reference: Any
) -> Plan:
    value, under_null = share("auc", auc, "0.8"), share("null", null, "0.5")
    test = planned_test(alpha, alternative, variance, reference)
    effect = value - under_null
    require_effect(effect, alternative, f"auc is {value:g} and null is {under_null:g}")
    ratio = ratio_of_spreads("spread", spread, variance)
    formula = variance_by(variance, ratio)

    def errors(n_pos: int, n_neg: int) -> tuple[float, float]:
        return (
            math.sqrt(formula(under_null, n_pos, n_neg)),
            math.sqrt(formula(value, n_pos, n_neg)),
        )

    if variance != "binormal":
        return Plan((value,), under_null, effect, errors, variance, test)
    return Plan(
        (value,), under_null, effect, errors, variance, test,
        made=lambda rule: power_of_one(Scores(value, ratio), under_null, rule), spread=ratio,
    )  # fmt: skip
