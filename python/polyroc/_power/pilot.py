"""Power and sample size from a pilot study, for any measure and number of classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import share
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._power.result import PowerAnalysis, normal_power, require_effect
from polyroc._power.study import Study, read_study
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._base.types import Alternative, Labels, Scores
    from polyroc._compare.result import Comparison
    from polyroc._inference.bootstrap_result import BootstrapResult
    from polyroc._inference.estimate import Estimate


@public
@hinting
def sample_size_from_pilot(
    estimate: float | Sequence[float] | Comparison | Estimate | BootstrapResult,
    covariance: Scores | None = None,
    sizes: Labels | Mapping[Any, int] | None = None,
    *,
    models: Sequence[str] | None = None,
    expected: float | Sequence[float] | None = None,
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
    it is likely to be smaller: plan for the least effect that matters (`expected`), and take the
    covariance from the pilot.

    Parameters
    ----------
    estimate : Comparison, Estimate or BootstrapResult, or float or pair of float
        The pilot: the result of `compare`, `delong` or `bootstrap`, which brings its values, their
        covariance and the sizes of its classes. Where rows are in groups, sizes are in groups. Or
        the value of the measure that is expected, or the values of two models.
    covariance : float, or array_like of shape (2, 2)
        The variance of the pilot's estimate, or the covariance matrix of both estimates on the
        pilot's rows. A result has its own.
    sizes : mapping, or sequence of int
        The number of the pilot's rows of each class, by label or in any order. A result has its
        own.
    models : pair of str, optional
        Which two models of a comparison, first and second; needed where it has more than two.
    expected : float or pair of float, optional
        The value, or the values of first and second, to plan for; by default what the pilot found.
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
    >>> y, models = pr.example_predictions()
    >>> c = pr.compare(y[:300], {name: models[name][:300] for name in models}, "auc_mu")
    >>> pair = ("naive Bayes", "9 nearest neighbours")
    >>> pr.sample_size_from_pilot(c, models=pair, expected=(0.985, 0.990))
    auc_mu 0.985 (naive Bayes) and 0.99 (9 nearest neighbours): two-sided test at level 0.05
      power 0.801 (0.8 asked for) with 799 rows: 83 of 0, 80 of 1, 77 of 2, 77 of 3, 77 of 4, ...
      standard error 0.00178 (from the pilot)

    The same from numbers.

    >>> covariance = [[0.0009, 0.0006], [0.0006, 0.0008]]
    >>> pilot = {"cat": 60, "dog": 60, "fox": 20}
    >>> pr.sample_size_from_pilot((0.85, 0.88), covariance, pilot)
    estimates 0.85 and 0.88: two-sided test at level 0.05
      power 0.801 (0.8 asked for) with 612 rows: 262 of 'cat', 262 of 'dog', 88 of 'fox'
      standard error 0.0107 (from the pilot)
    """
    study = read_study(estimate, covariance, sizes, models, expected, null, alpha, alternative)
    wanted = share("power", power, "0.8")
    require_effect(study.effect, alternative, study.effect_text)
    z = normal_quantile(alpha / 2 if alternative == "two-sided" else alpha)
    # A power below the level of the test is had at any size; one row of a class has no spread.
    needed = max(normal_quantile(wanted) - z, 0.0)
    factor = (needed / study.effect) ** 2 * study.spread
    grown = {label: max(2, math.ceil(factor * size)) for label, size in study.sizes.items()}
    return _analysis(study, grown, wanted)


@public
@hinting
def power_from_pilot(
    estimate: float | Sequence[float] | Comparison | Estimate | BootstrapResult,
    covariance: Scores | None = None,
    sizes: Labels | Mapping[Any, int] | None = None,
    new_sizes: Labels | Mapping[Any, int] | None = None,
    *,
    models: Sequence[str] | None = None,
    expected: float | Sequence[float] | None = None,
    null: float | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> PowerAnalysis:
    """Return the power of a test on a sample of other size than a pilot's.

    Where classes grow by different factors the least of them counts, which can only understate
    the power: a variance alone does not tell which class it comes from.

    Parameters
    ----------
    estimate, covariance, sizes, models, expected, null, alpha, alternative
        As in :func:`sample_size_from_pilot`.
    new_sizes : mapping, or sequence of int
        The number of rows of each class that there will be, like `sizes`; for a result by class or
        in the order of its ``.classes``, and in groups where the pilot has groups.

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
    study = read_study(estimate, covariance, sizes, models, expected, null, alpha, alternative)
    grown = study.new_sizes(new_sizes)
    require_effect(study.effect, alternative, study.effect_text)
    return _analysis(study, grown, None)


def _analysis(study: Study, sizes: dict[Any, int], requested: float | None) -> PowerAnalysis:
    factor = min(sizes[label] / size for label, size in study.sizes.items())
    error = math.sqrt(study.spread / factor)
    pilot, n_groups = study.pilot, study.n_groups(sizes)
    of_result: dict[str, Any] = {}
    if pilot is not None:
        of_result = {"measure": pilot.measure, "models": pilot.models, "paired": pilot.paired}
    if pilot is not None and n_groups is not None:
        rows = math.ceil(n_groups * pilot.n_rows / pilot.n_units)
        of_result |= {"unit": "group", "n_groups": n_groups, "implied_rows": rows}
    return PowerAnalysis(
        estimates=study.values,
        null=study.null,
        power=normal_power(study.effect, (error, error), study.alpha, study.alternative),
        class_sizes=tuple(sizes.items()),
        requested=requested,
        alpha=study.alpha,
        alternative=study.alternative,
        variance="pilot",
        standard_errors=(error, error),
        further=(("pilot_variance", study.spread), ("pilot_sizes", tuple(study.sizes.values()))),
        **of_result,
    )
