"""What few units do to an error that is estimated from them: degrees of freedom, and inflation.

The covariance V of p numbers by influence values is a sum of parts V_i, one per stratum of n_i
units. It is about as uncertain as one from f + 1 units of the same kind,

    f = (p + p^2) / sum_i { (tr[(V_i V^-1)^2] + [tr(V_i V^-1)]^2) / (n_i - 1) + max(k_i, 0) / n_i }

which is Krishnamoorthy & Yu (2004) beside the k_i = n_i sum_u (y_u' V^-1 y_u)^2 -
2 tr[(V_i V^-1)^2] - [tr(V_i V^-1)]^2, with y_u the values of unit u such that V_i = sum_u y_u y_u':
what its fourth moments exceed those of normal values by (Mardia 1970), from the same matching of
the variance of tr[(V^ V^-1)^2] with a Wishart's. For p = 1 it is Satterthwaite's (1946) f. It rests
on the shares of the V_i in V, and two or three units do not even tell these: with so few in a
stratum f is n_i - 1 at most, the bound of Mickey & Brown (1966) for p = 1.

Where class counts vary, a stratum mixes units of all classes, and n / (n - 1) of all of them says
nothing of the four that a rare class may have. Then the units of each kind are parts of their own,
centred by themselves and with their own n / (n - 1), and what lies between kinds is one more.

Where units weigh differently, each counts by its leverage, and n_i - 1 is that of the effective
size: as in `spread`, for several numbers at once.

What resamples spread by is `plain`. Drawn by class they spread by the sum of squares alone. Where
class counts vary, a class is drawn now more, now less often, which spreads its part by about
n_i / (n_i - 1) of itself: what is lacking is n / (n - 1) of what lies between kinds. Groups with
rows of several classes do not do so: they spread by the sum of squares.

References
----------
K. Krishnamoorthy and J. Yu, Modified Nel and Van der Merwe test for the multivariate Behrens-Fisher
problem, Stat. Probab. Lett. 66 (2004) 161-169.
M. R. Mickey and M. B. Brown, Bounds on the distribution functions of the Behrens-Fisher statistic,
Ann. Math. Stat. 37 (1966) 639-642.
K. V. Mardia, Measures of multivariate skewness and kurtosis with applications, Biometrika 57 (1970)
519-530.
F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics
Bull. 2 (1946) 110-114.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Codes, Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._inference.influence import Influences


_LEAST_REST = 2.0**-40  # of a class beside its heaviest unit, so that nothing is divided by zero
FEWEST = 4  # units that tell how much of a variance is theirs; with fewer, tests rejected too often


class Allowance(NamedTuple):
    """Covariances by influence values, and how well they are known."""

    plain: Floats  # what resampling spreads by
    widened: Floats  # with n / (n - 1) for each kind of units
    freedom: float  # degrees of freedom of `widened`
    least: int  # units of the smallest part


class _Part(NamedTuple):
    covariance: Floats
    units: int
    effective: float
    spread: Floats  # what resampling spreads it by
    values: Floats | None  # of the units, where their fourth moments count


def allowance(influence: Influences) -> Allowance:
    """Return how well the covariance of some numbers is known; none of them may be constant."""
    p, parts = len(influence.values), _parts(influence)
    plain = _spread(influence, parts)
    widened = np.sum([part.covariance for part in parts], axis=0)
    inverse = np.linalg.inv(widened)
    doubt = sum(_doubt(part, inverse) for part in parts)
    freedom, least = (p + p * p) / doubt, min(part.units for part in parts)
    if least < FEWEST:
        freedom = min(freedom, least - 1.0)
    return Allowance(plain, widened, freedom, least)


def resampled_covariance(influence: Influences) -> Floats:
    """Return the covariance that resamples have, as far as influence values tell."""
    return _spread(influence, _parts(influence))


def _spread(influence: Influences, parts: list[_Part]) -> Floats:
    if influence.mixed:
        return np.asarray(influence.values @ influence.values.T)
    return np.asarray(np.sum([part.spread for part in parts], axis=0))


def _parts(influence: Influences) -> list[_Part]:
    parts: list[_Part] = []
    for first, end in zip(influence.bounds, influence.bounds[1:], strict=False):
        if end == first:
            continue
        values = influence.values[:, first:end]
        weights = None if influence.weights is None else influence.weights[first:end]
        if influence.kinds is None:
            parts.append(_part(values, weights, values @ values.T))
        else:
            parts += _by_kind(values, weights, influence.kinds[first:end])
    return parts


def _part(values: Floats, weights: Floats | None, spread: Floats | None = None) -> _Part:
    """Return the part of units of one kind; they spread by n / (n - 1) unless said otherwise."""
    n = values.shape[1]
    scale, moved, effective = (n / (n - 1)) ** 0.5, values, float(n)
    if spread is None:
        spread = scale * scale * (values @ values.T)
    if weights is not None:
        moved, effective = leverage(values, weights)
        scale = 1.0
    moved = scale * moved
    return _Part(moved @ moved.T, n, effective, spread, moved)


def leverage(values: Floats, weights: Floats) -> tuple[Floats, float]:
    """Return the values of one class with the allowance for units that pull; its effective size.

    Where all weigh alike their squares are n / (n - 1) times as large.
    """
    n, share = values.shape[1], weights / weights.sum()
    rest = np.maximum(1.0 - share, _LEAST_REST)
    return values / rest * ((n - 1) / n) ** 0.5, 1.0 / float(share @ share)


def _by_kind(values: Floats, weights: Floats | None, kinds: Codes) -> Iterable[_Part]:
    """Yield the part of each kind of units, and what lies between kinds."""
    n = len(kinds)
    between = np.zeros((len(values), len(values)))
    for kind in np.unique(kinds):
        mine = kinds == kind
        own = values[:, mine]
        weight = None if weights is None else weights[mine]
        share = 1.0 / own.shape[1] if weight is None else weight / weight.sum()
        common = share * own.sum(axis=1, keepdims=True) * np.ones(own.shape[1])
        yield _part(own - common, weight)
        between += common @ common.T
    yield _Part(n / (n - 1) * between, n, float(n), between, None)


def _doubt(part: _Part, inverse: Floats) -> float:
    """Return the summand of a part in the divisor of f."""
    n, share = part.units, part.covariance @ inverse
    once, twice = float(np.trace(share)) ** 2, float((share * share.T).sum())
    doubt = (once + twice) / max(part.effective - 1.0, 2.0**-10)
    if part.values is None:
        return doubt
    lengths = np.einsum("iu,iu->u", part.values, inverse @ part.values)
    return doubt + max(n * float(lengths @ lengths) - once - 2 * twice, 0.0) / n


def kinds_of(sample: Sample, units: Plan) -> Codes | None:
    """Return the kind of each unit: the rarest one of its classes. None if strata are classes.

    A kind of few units, though its class has more, joins the most frequent kind: what is known of
    the class does not rest on them.
    """
    if units.stratified:
        return None
    rows = slice(None) if sample.weights is None else sample.weights > 0
    codes = sample.codes[rows]
    if units.groups is None:
        return codes
    rarity = np.empty(sample.n_classes, dtype=np.uint32)
    rarity[np.argsort(units.sizes, kind="stable")] = np.arange(sample.n_classes)
    rarest = np.full(units.n_groups, sample.n_classes, dtype=np.uint32)
    np.minimum.at(rarest, units.groups[rows], rarity[codes])
    rarest = rarest[rarest < sample.n_classes]
    counts = np.bincount(rarest, minlength=sample.n_classes)
    few = (counts < FEWEST) & (counts < np.sort(units.sizes)) | (counts == 1)
    return np.where(few[rarest], np.uint32(counts.argmax()), rarest)


def mixes_classes(sample: Sample, units: Plan) -> bool:
    """Tell whether some group has rows of several classes."""
    if units.groups is None or units.stratified:
        return False
    rows = slice(None) if sample.weights is None else sample.weights > 0
    codes, groups = sample.codes[rows], units.groups[rows]
    lowest = np.full(units.n_groups, sample.n_classes, dtype=np.uint32)
    np.minimum.at(lowest, groups, codes)
    return bool((lowest[groups] != codes).any())
