"""Power and sample size for one AUC against a null value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import choose, share
from polyroc._base.public import public
from polyroc._power.checks import Variance, ratio_of_rows, row_count
from polyroc._power.result import PowerAnalysis, normal_power, require_effect
from polyroc._power.variance import VARIANCES
from polyroc._stats.normal_test import ALTERNATIVES

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Alternative

_LEAST = 2  # a class with one row has no spread to estimate
_MOST = 10**12
_WHOLE = 1e-12  # relative rounding: 1.1 x 10 is 11.000000000000002, and 11 rows will do


class Plan:
    """Two classes of rows, and the test that is to be made on them."""

    def __init__(
        self,
        estimates: tuple[float, ...],
        null: float,
        effect: float,
        errors: Callable[[int, int], tuple[float, float]],
        variance: str,
        alpha: Any,
        alternative: Any,
        **options: Any,
    ) -> None:
        choose("alternative", alternative, ALTERNATIVES)
        self.alpha, self.alternative = share("alpha", alpha, "0.05"), alternative
        self.estimates, self.null, self.effect = estimates, null, effect
        self.errors, self.variance, self.options = errors, variance, options

    def power(self, n_pos: int, n_neg: int) -> float:
        return normal_power(self.effect, self.errors(n_pos, n_neg), self.alpha, self.alternative)

    def at(self, n_pos: int, n_neg: int, requested: float | None = None) -> PowerAnalysis:
        """Return the analysis at these sizes."""
        return PowerAnalysis(
            estimates=self.estimates,
            null=self.null,
            power=self.power(n_pos, n_neg),
            class_sizes=(("positive", n_pos), ("negative", n_neg)),
            requested=requested,
            alpha=self.alpha,
            alternative=self.alternative,
            variance=self.variance,
            standard_errors=self.errors(n_pos, n_neg),
            further=tuple((k, v) for k, v in self.options.items() if v is not None),
        )

    def smallest(self, power: Any, ratio: Any) -> PowerAnalysis:
        """Return the analysis at the least n_pos of enough power, n_neg = ratio n_pos rounded up.

        Variances fall as rows are added, so that doubling and halving find it.
        """
        wanted, ratio = share("power", power, "0.8"), ratio_of_rows(ratio)
        self.options["ratio"] = ratio

        def sizes(n_pos: int) -> tuple[int, int]:
            return n_pos, max(_LEAST, math.ceil(ratio * n_pos * (1 - _WHOLE)))

        high = _LEAST
        while self.power(*sizes(high)) < wanted:
            high *= 2
            if high > _MOST:
                raise ValueError(
                    f"no sample of up to {_MOST:g} positive rows has power {wanted:g}; "
                    "the values are too near each other"
                )
        low = high // 2  # too few, or below the least
        while high - low > 1:
            middle = (low + high) // 2
            if self.power(*sizes(middle)) < wanted:
                low = middle
            else:
                high = middle
        return self.at(*sizes(high), wanted)


@public
def sample_size_auc(
    auc: float,
    null: float = 0.5,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    ratio: float = 1.0,
    alternative: Alternative = "two-sided",
    variance: Variance = "hanley-mcneil",
) -> PowerAnalysis:
    """Return how many rows a test of one AUC against a null value needs.

    The least n with power Phi((|auc - null| - z sqrt(V0)) / sqrt(V1)), V0 and V1 being the
    variances of the estimate at `null` and at `auc`; for variances that are v/n this is the
    textbook's n = (z_alpha sqrt(v0) + z_beta sqrt(v1))^2 / (auc - null)^2, rounded up. The power
    is then computed anew at whole numbers of rows.

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
    variance : {"hanley-mcneil", "obuchowski"}
        The formula for the variance. "hanley-mcneil" is exact at 1/2 and on the safe side near 1;
        "obuchowski" is for ratings under the binormal model, and mostly larger.

    Returns
    -------
    PowerAnalysis
        With ``.n_pos``, ``.n_neg``, ``.total`` and the ``.power`` reached.

    References
    ----------
    J. A. Hanley and B. J. McNeil, The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143, 1982.
    N. A. Obuchowski, M. L. Lieber and F. H. Wians, ROC curves in clinical chemistry: uses,
    misuses, and possible solutions, Clinical Chemistry 50, 2004.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.sample_size_auc(0.8, null=0.7, ratio=2)
    AUC 0.8 against 0.7: two-sided test at level 0.05
      power 0.801 (0.8 asked for) with 81 positive and 162 negative rows
      standard error 0.037 if the null hypothesis holds, else 0.0324 (Hanley & McNeil 1982)
    """
    return _one(auc, null, alpha, alternative, variance).smallest(power, ratio)


@public
def power_auc(
    auc: float,
    null: float = 0.5,
    *,
    n_pos: int,
    n_neg: int,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    variance: Variance = "hanley-mcneil",
) -> PowerAnalysis:
    """Return the power of a test of one AUC against a null value.

    Parameters
    ----------
    auc, null, alpha, alternative, variance
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
    plan = _one(auc, null, alpha, alternative, variance)
    return plan.at(row_count("n_pos", n_pos), row_count("n_neg", n_neg))


def _one(auc: Any, null: Any, alpha: Any, alternative: Any, variance: Any) -> Plan:
    value, under_null = share("auc", auc, "0.8"), share("null", null, "0.5")
    choose("variance", variance, tuple(VARIANCES))
    choose("alternative", alternative, ALTERNATIVES)
    effect = value - under_null
    require_effect(effect, alternative, f"auc is {value:g} and null is {under_null:g}")
    formula = VARIANCES[variance]

    def errors(n_pos: int, n_neg: int) -> tuple[float, float]:
        return (
            math.sqrt(formula(under_null, n_pos, n_neg)),
            math.sqrt(formula(value, n_pos, n_neg)),
        )

    return Plan((value,), under_null, effect, errors, variance, alpha, alternative)
