"""Power and sample size from a pilot study, for any measure and number of classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import choose, number, share
from polyroc._power.checks import class_sizes, covariance_matrix
from polyroc._power.result import PowerAnalysis, normal_power, require_effect
from polyroc._stats.normal import normal_quantile
from polyroc._stats.normal_test import ALTERNATIVES

if TYPE_CHECKING:
    from polyroc._base.types import Alternative, Labels, Scores


def sample_size_from_pilot(
    estimate: float | Sequence[float],
    covariance: Scores,
    sizes: Labels | Mapping[Any, int],
    *,
    null: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: Alternative = "two-sided",
) -> PowerAnalysis:
    """Return how many rows of each class a test needs, by what a pilot study found.

    At fixed shares of the classes the variance of any measure here falls as 1/n, but for small
    terms. So the pilot's variance V serves every size: classes have to grow by the factor
    s = (z_alpha + z_beta)^2 V / effect^2, each rounded up. The test is the usual one, which
    estimates V from the data, so that one V stands for null hypothesis and truth.

    A pilot's estimates are uncertain themselves, and an effect picked because a small pilot showed
    it is likely to be smaller: plan for the least effect that matters, and take the covariance
    from the pilot.

    Parameters
    ----------
    estimate : float or pair of float
        The value of the measure that is expected, or the values of two models.
    covariance : float, or array_like of shape (2, 2)
        The variance of the pilot's estimate, or the covariance matrix of both estimates on the
        pilot's rows.
    sizes : mapping, or sequence of int
        The number of the pilot's rows of each class, by label or in any order.
    null : float, optional
        The value of the null hypothesis. For two models it is the difference, second minus first:
        0 by default, a margin for tests of non-inferiority.
    alpha : float
        The level of the test.
    power : float
        The probability wanted of rejecting the null hypothesis.
    alternative : {"two-sided", "greater", "less"}
        What the test looks for: a value or a difference other than `null`, above it, or below it.

    Returns
    -------
    PowerAnalysis
        With ``.sizes`` by class, ``.total`` and the ``.power`` reached.

    Examples
    --------
    >>> import polyroc as pr
    >>> covariance = [[0.0009, 0.0006], [0.0006, 0.0008]]
    >>> pilot = {"cat": 60, "dog": 60, "fox": 20}
    >>> pr.sample_size_from_pilot((0.85, 0.88), covariance, pilot)
    estimates 0.85 and 0.88: two-sided test at level 0.05
      power 0.801 (0.8 asked for) with 612 rows: 262 of 'cat', 262 of 'dog', 88 of 'fox'
      standard error 0.0107 (from the pilot)
    """
    values, margin, spread, pilot = _pilot(estimate, covariance, sizes, null, alpha, alternative)
    wanted, effect = share("power", power, "0.8"), _effect(values) - margin
    what = f"the expected {_noun(values)} is {_effect(values):g} and null is {margin:g}"
    require_effect(effect, alternative, what)
    z = normal_quantile(alpha / 2 if alternative == "two-sided" else alpha)
    # A power below the level of the test is had at any size; one row of a class has no spread.
    needed = max(normal_quantile(wanted) - z, 0.0)
    factor = (needed / effect) ** 2 * spread
    grown = {label: max(2, math.ceil(factor * size)) for label, size in pilot.items()}
    return _analysis(values, margin, spread, pilot, grown, wanted, alpha, alternative)


def power_from_pilot(
    estimate: float | Sequence[float],
    covariance: Scores,
    sizes: Labels | Mapping[Any, int],
    new_sizes: Labels | Mapping[Any, int],
    *,
    null: float | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> PowerAnalysis:
    """Return the power of a test on a sample of other size than a pilot's.

    Where classes grow by different factors the least of them counts, which can only understate
    the power: a variance alone does not tell which class it comes from.

    Parameters
    ----------
    estimate, covariance, sizes, null, alpha, alternative
        As in :func:`sample_size_from_pilot`.
    new_sizes : mapping, or sequence of int
        The number of rows of each class that there will be, like `sizes`.

    Returns
    -------
    PowerAnalysis
        With ``.power``.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.power_from_pilot(0.93, 0.0004, [50, 50, 50], [200, 200, 200], null=0.9)
    estimate 0.93 against 0.9: two-sided test at level 0.05
      power 0.851 with 600 rows: 200 of 0, 200 of 1, 200 of 2
      standard error 0.01 (from the pilot)
    """
    values, margin, spread, pilot = _pilot(estimate, covariance, sizes, null, alpha, alternative)
    new = class_sizes("new_sizes", new_sizes)
    if new.keys() != pilot.keys():
        raise ValueError(
            f"new_sizes has the classes {[*new]} but sizes has {[*pilot]}; name the same"
        )
    what = f"the expected {_noun(values)} is {_effect(values):g} and null is {margin:g}"
    require_effect(_effect(values) - margin, alternative, what)
    ordered = {label: new[label] for label in pilot}
    return _analysis(values, margin, spread, pilot, ordered, None, alpha, alternative)


def _pilot(
    estimate: Any, covariance: Any, sizes: Any, null: Any, alpha: Any, alternative: Any
) -> tuple[tuple[float, ...], float, float, dict[Any, int]]:
    """Return the values, the null value, the variance of what is tested, and the class sizes."""
    choose("alternative", alternative, ALTERNATIVES)
    share("alpha", alpha, "0.05")
    if np.ndim(estimate) == 0:
        values: tuple[float, ...] = (number("estimate", estimate),)
    else:
        values = tuple(number(f"estimate[{k}]", value) for k, value in enumerate(estimate))
    if len(values) > 2:
        raise ValueError(f"estimate has {len(values)} values; pass one, or those of two models")
    if null is None and len(values) == 1:
        raise ValueError("null is missing; pass the value that one estimate is tested against")
    matrix = covariance_matrix(covariance, len(values))
    contrast = np.array([1.0] if len(values) == 1 else [-1.0, 1.0])
    spread = float(contrast @ matrix @ contrast)
    if spread <= 0:
        raise ValueError(
            f"covariance gives the {_noun(values)} a variance of {spread:g}; the pilot must show "
            "some spread"
        )
    return (
        values,
        0.0 if null is None else number("null", null),
        spread,
        class_sizes("sizes", sizes),
    )


def _analysis(
    values: tuple[float, ...], null: float, spread: float, pilot: dict[Any, int],
    sizes: dict[Any, int], requested: float | None, alpha: float, alternative: str,
) -> PowerAnalysis:  # fmt: skip
    factor = min(sizes[label] / size for label, size in pilot.items())
    error = math.sqrt(spread / factor)
    return PowerAnalysis(
        estimates=values,
        null=null,
        power=normal_power(_effect(values) - null, (error, error), alpha, alternative),
        class_sizes=tuple(sizes.items()),
        requested=requested,
        alpha=float(alpha),
        alternative=alternative,
        variance="pilot",
        standard_errors=(error, error),
        further=(("pilot_variance", spread), ("pilot_sizes", tuple(pilot.values()))),
    )


def _effect(values: tuple[float, ...]) -> float:
    return values[-1] - values[0] if len(values) == 2 else values[0]


def _noun(values: tuple[float, ...]) -> str:
    return "difference" if len(values) == 2 else "value"
