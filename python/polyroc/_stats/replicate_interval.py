"""Confidence intervals from bootstrap replicates of one number.

Letters: theta is the measure, B the number of replicates, alpha the error allowed at one end, z_q
and t_q are quantiles, Phi is the normal distribution function.

References
----------
E87: B. Efron, Better bootstrap confidence intervals, J. Am. Stat. Assoc. 82 (1987) 171-185.
ET93: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993.
DH97: A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application, 1997.
H15: T. C. Hesterberg, What teachers should know about the bootstrap, Am. Stat. 69 (2015) 371-386.
W59: D. L. Wallace, Bounds on normal approximations to Student's and the chi-square distributions,
Ann. Math. Stat. 30 (1959) 1121-1130.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import choose
from polyroc._stats.confidence import SIDES, error_at_one_end, normal_quantiles, one_sided
from polyroc._stats.moved_limits import moved_limits
from polyroc._stats.newcombe import FromAuc, without_spread
from polyroc._stats.normal import normal_cdf, normal_quantile
from polyroc._stats.normal_interval import Scale
from polyroc._stats.optimism import LEAST, MOST, corrected_limits
from polyroc._stats.rounding import ROUNDING

if TYPE_CHECKING:
    from polyroc._base.types import Floats

METHODS = ("bca", "percentile", "basic", "normal", "studentized", "corrected")

_NO_OPTIMISM = "bca instead of corrected: the optimism is unknown"

# From an estimate at the end of its range these look outside alone, and clipped are a point.
_MIRRORED = ("basic", "studentized")


@dataclass(frozen=True, eq=False)
class Replicated:
    """A measure on the data and on B resamples of them: all that an interval needs.

    Parameters
    ----------
    estimate : float
        The measure on the data themselves.
    replicates : array of shape (B,)
        The measure on each resample; those without a value are left out before.
    bounds : tuple of float
        The least and the largest value that the measure can have.
    acceleration : float, optional
        For "bca": a = sum l^3 / (6 (sum l^2)^1.5) over the influence values l (E87; ET93 Eq. 14.15
        with the jackknife's). It lies within -1/6 and 1/6.
    inflation : float
        For "bca" and "corrected": the variance by influence values, n / (n - 1) in each stratum,
        over their plain sum of squares, which is what resampling spreads by. 1 for no correction.
    freedom : float
        For the same: the degrees of freedom of that variance. Infinite for no correction.
    pull : float
        For "bca": what one unit may decide of an estimate that is made of AUCs, for the limit on
        the side of chance (see `moved_limits`). 0 for no correction.
    optimism : float, optional
        For "corrected": by how much what is chosen in a resample, as the corners of a hull are,
        looks better there than it is on the data, on average.
    errors : array of shape (B,), optional
        For "studentized": the standard error in each resample.
    error : float, optional
        For "studentized": the standard error of `estimate`.
    sizes : tuple of int, optional
        Sizes of the two classes, of the smallest two if there are more, for the case that all
        replicates are equal. None if the measure is no AUC, nor made of them.
    from_auc : FromAuc
        How the measure follows from its AUCs, for the same case.
    proven : array of shape (m, 2), optional
        For "bca": rising numbers of standard errors, and how much of the estimate is proven with
        so many, falling. The lower limit is no more than what is proven at its level.
    """

    estimate: float
    replicates: Floats
    bounds: tuple[float, float] = (0.0, 1.0)
    acceleration: float | None = None
    inflation: float = 1.0
    freedom: float = math.inf
    pull: float = 0.0
    optimism: float | None = None
    errors: Floats | None = None
    error: float | None = None
    sizes: tuple[float, float] | None = None
    from_auc: FromAuc = field(default_factory=FromAuc)
    proven: Floats | None = None

    def __post_init__(self) -> None:
        """Keep out what would turn into nan, or into an interval of nothing."""
        if len(self.replicates) == 0:
            raise ValueError("replicates is empty; an interval needs at least one")
        if math.isnan(self.estimate) or bool(np.isnan(self.replicates).any()):
            raise ValueError("the estimate or a replicate is NaN; leave such replicates out")
        if self.errors is not None and len(self.errors) != len(self.replicates):
            raise ValueError(
                f"errors has {len(self.errors)} values for {len(self.replicates)} replicates; "
                "pass one each"
            )
        if self.sizes is not None and min(self.sizes) < 1:
            raise ValueError(f"sizes is {self.sizes}; every class needs a row")


class Interval(NamedTuple):
    """Limits for each confidence level, the method that gave them, and what was special."""

    low: Floats
    high: Floats
    method: str
    note: str


def interval(data: Replicated, method: str, confidence: Floats, sides: str = "two") -> Interval:
    """Confidence limits for each level of `confidence`, within the range of the measure.

    Each level is served as if it were alone, and a higher one never has the narrower interval.
    "lower" and "upper" are one-sided: the other limit is the end of the range. Where a method has
    no answer another one takes its place; `method` and `note` of the result say so. If all
    replicates are equal, every method gives way to Newcombe's. Cost: one sort, O(B log B).

    Examples
    --------
    >>> import numpy as np
    >>> data = Replicated(0.8, np.linspace(0.7, 0.9, 101), sizes=(10, 10))
    >>> low, high, method, note = interval(data, "percentile", np.array([0.5, 0.9]))
    >>> [f"{x:.2f}" for x in low], [f"{x:.2f}" for x in high]
    (['0.75', '0.71'], ['0.85', '0.89'])
    >>> perfect = Replicated(1.0, np.ones(1000), sizes=(10, 10))
    >>> low, high, method, note = interval(perfect, "bca", np.array([0.95]))
    >>> f"{low[0]:.3f} to {high[0]:.3f} by {method}"
    '0.800 to 1.000 by newcombe'
    """
    method = check_method(method)
    choose("sides", sides, SIDES)
    alpha = error_at_one_end(confidence, sides)
    (bottom, top), margin = data.bounds, _rounding(data)
    if np.ptp(data.replicates) <= margin:
        limits = _without_spread(data, alpha)
    elif method in _MIRRORED and min(data.estimate - bottom, top - data.estimate) <= margin:
        note = f"percentile instead of {method}: the estimate is at the end of its range"
        limits = _percentile(data, alpha, note)
    elif method == "bca":
        limits = _as_proven(data, _bca(data, alpha), alpha)
    elif method == "corrected":
        limits = _corrected(data, alpha)
    elif method == "studentized":
        limits = _studentized(data, alpha)
    elif method == "normal":
        # theta -/+ z_(1-alpha) se, se the spread of the replicates (ET93 s. 12.3).
        half = -normal_quantiles(alpha) * np.std(data.replicates, ddof=1)
        limits = Interval(data.estimate - half, data.estimate + half, "normal", "")
    else:
        # Percentile: the quantiles at alpha and 1 - alpha (ET93 s. 13.3).
        limits = _percentile(data, alpha, "")
        if method == "basic":
            # The same mirrored: 2 theta - q_(1-alpha), 2 theta - q_alpha (DH97 s. 5.2).
            low, high = 2 * data.estimate - limits.high, 2 * data.estimate - limits.low
            limits = Interval(low, high, "basic", "")
    low, high = np.clip(limits.low, bottom, top), np.clip(limits.high, bottom, top)
    return Interval(*one_sided(low, high, data.bounds, sides), limits.method, limits.note)


def check_method(method: Any) -> str:
    """Return the name of a method as METHODS has it; British spelling is fine too."""
    name = "studentized" if isinstance(method, str) and method == "studentised" else method
    choose("method", name, METHODS)
    return str(name)


def _percentile(data: Replicated, alpha: Floats, note: str) -> Interval:
    ordered = np.sort(data.replicates)
    low, high = _quantiles(ordered, alpha), _quantiles(ordered, 1.0 - alpha)
    return Interval(low, high, "percentile", note)


def _bca(data: Replicated, alpha: Floats) -> Interval:
    """Bias-corrected and accelerated: quantiles at shifted places (E87; ET93 Eq. 14.9-14.14).

    z0 = Phi^-1(share of replicates below theta, ties one half), and the places are
    Phi(z0 + x / (1 - a x)) with x = z0 + z_alpha, and again with x = z0 + z_(1-alpha). For small
    samples z is widened, see `_widened`, and the limit on the side of chance moved.
    """
    a = data.acceleration
    if a is None or not math.isfinite(a):
        return _percentile(data, alpha, "percentile instead of bca: the acceleration is unknown")
    size, margin = len(data.replicates), _rounding(data)
    below = np.count_nonzero(data.replicates < data.estimate - margin)
    above = np.count_nonzero(data.replicates > data.estimate + margin)
    if size in (below, above):
        side = "below" if below else "above"
        note = f"percentile instead of bca: all replicates lie {side} the estimate"
        return _percentile(data, alpha, note)
    z0, z = normal_quantile((below + size - above) / (2 * size)), _widened(data, alpha)
    x = np.array([z0 + z, z0 - z])
    divisor = 1.0 - a * x
    # x / (1 - a x) grows without end as a x nears 1. Beyond, no value of the measure would be
    # refused, so that the limit stays at the end; the percentile's would step back inside.
    with np.errstate(divide="ignore"):
        shifted = np.where(divisor > 0.0, z0 + x / divisor, np.copysign(np.inf, x))
    places = np.array([[normal_cdf(v) for v in row] for row in shifted.tolist()])
    low, high = _quantiles(np.sort(data.replicates), places)
    note = "" if (divisor > 0.0).all() else "bca reaches the outermost replicate at some limits"
    if data.pull and data.sizes is not None:
        scale = Scale(data.bounds, data.from_auc, data.sizes)
        widened = data.inflation if math.isfinite(data.inflation) else 1.0
        variance = widened * float(np.var(data.replicates, ddof=1))
        low, high = moved_limits(data.estimate, scale, variance, data.pull, low, high)
    return Interval(low, high, "bca", note)


def _as_proven(data: Replicated, found: Interval, alpha: Floats) -> Interval:
    """Return an interval whose lower limit is no more than what the sample proves at its level."""
    if data.proven is None:
        return found
    errors, values = data.proven.T
    at = np.searchsorted(errors, -normal_quantiles(alpha), side="right")
    low = np.minimum(found.low, np.append(values, data.bounds[0])[at])
    if (low < found.low - _rounding(data)).any():
        reason = "the lower limit is what a score test of the precision alone proves"
        found = found._replace(note="; ".join(filter(None, (found.note, reason))))
    return found._replace(low=low)


def _widened(data: Replicated, alpha: Floats) -> Floats:
    """Return sqrt(inflation) t_alpha in the place of z_alpha (H15, there for one mean).

    Replicates spread by (n - 1) / n of the variance, and their spread is an estimate, which t
    allows for. t with f degrees of freedom is sqrt(f (exp(((8 f + 3) / (8 f + 1) z)^2 / f) - 1))
    (W59): to 0.5 % from f = 4 on at 95 %, and further out than it should be below.
    """
    z, f = normal_quantiles(alpha), data.freedom
    if not (math.isfinite(f) and math.isfinite(data.inflation)):
        return z
    t = np.sqrt(f * np.expm1(((8 * f + 3) / (8 * f + 1) * z) ** 2 / f))
    return np.asarray(np.copysign(math.sqrt(data.inflation) * t, z))


def _corrected(data: Replicated, alpha: Floats) -> Interval:
    """Limits by the replicates' error without what choices made on the same rows look too good by.

    See `optimism`, where they are made.
    """
    (_, top), optimism = data.bounds, data.optimism
    if optimism is None or math.isnan(optimism):
        found = _bca(data, alpha)
        return found._replace(note="; ".join(filter(None, (_NO_OPTIMISM, found.note))))
    if top - data.estimate <= _rounding(data):
        note = "percentile instead of corrected: the estimate is at the end of its range"
        return _percentile(data, alpha, note)
    error = float(np.std(data.replicates, ddof=1))
    t = _widened(data, alpha)
    low, high = corrected_limits(data.estimate, data.bounds, optimism, error, t)
    taken = f"{max(LEAST * optimism, 0.0):.2g} to {max(MOST * optimism, 0.0):.2g}"
    note = f"thresholds look better on the rows they are chosen on: {taken} is taken off"
    if bool((high < data.estimate).any()):
        note += ", and the estimate itself lies above the interval"
    return Interval(low, high, "corrected", note)


def _studentized(data: Replicated, alpha: Floats) -> Interval:
    """Bootstrap-t: theta - t_(1-alpha) se, theta - t_alpha se (ET93 s. 12.5, DH97 s. 5.2).

    t = (replicate - theta) / its standard error. A replicate of error 0 has an infinite t, which
    counts as the largest or least; where a limit falls on it, that limit is the end of the range.
    Replicates that equal theta at error 0, or have no error, have no t and are left out.
    """
    se, margin = data.error, _rounding(data)
    asked = "percentile instead of studentized: "
    if data.errors is None or se is None or not se < math.inf:
        return _percentile(data, alpha, asked + "the standard error is unknown")
    if se <= margin:
        return _percentile(data, alpha, asked + "the standard error is zero")
    away = data.replicates - data.estimate
    with np.errstate(divide="ignore", invalid="ignore"):
        # What is zero but for rounding is made zero, or noise over noise would be some number.
        t = away * (abs(away) > margin) / np.where(data.errors <= margin, 0.0, data.errors)
    t = np.sort(t[~np.isnan(t)])
    lost = len(data.replicates) - len(t)
    if len(t) == 0:
        return _percentile(data, alpha, asked + "no replicate has a standard error")
    note = f"left out {lost} of {len(data.replicates)} replicates, which have no t" if lost else ""
    low = data.estimate - _quantiles(t, 1.0 - alpha) * se
    return Interval(low, data.estimate - _quantiles(t, alpha) * se, "studentized", note)


def _without_spread(data: Replicated, alpha: Floats) -> Interval:
    """Newcombe's interval, where equal replicates would give the estimate alone.

    So it is after perfect separation, which resampling cannot undo.
    """
    bottom, top = data.bounds
    if data.sizes is None or not math.isfinite(top - bottom):
        return _percentile(data, alpha, "all replicates are equal, and the interval is a point")
    z = -normal_quantiles(alpha)
    low, high = without_spread(data.estimate, data.bounds, data.from_auc, data.sizes, z)
    why = "all replicates are equal" if len(data.replicates) > 1 else "one replicate has no spread"
    note = f"{why}: {data.from_auc.source}, from the sizes of the classes"
    return Interval(low, high, data.from_auc.method, note)


def _quantiles(ordered: Floats, places: Floats) -> Floats:
    """Quantiles as numpy's "linear", of numbers in order, which may end in infinities.

    Beside an infinity the outer neighbour counts. No place has a smaller quantile than a lower one,
    which numpy's own rounding does not promise.
    """
    position = places * (len(ordered) - 1)
    k = position.astype(np.intp)
    left, right = ordered[k], ordered[np.minimum(k + 1, len(ordered) - 1)]
    part = position - k
    with np.errstate(invalid="ignore"):
        step = right - left
        between = np.minimum(left + step * part, right)
    outer = np.where((places < 0.5) | (part == 0.0), left, right)
    return np.asarray(np.where(np.isfinite(step), between, outer))


def _rounding(data: Replicated) -> float:
    """Return the difference up to which two values of the measure may be the same."""
    values = data.replicates
    return ROUNDING * max(abs(data.estimate), abs(float(values.min())), abs(float(values.max())))
