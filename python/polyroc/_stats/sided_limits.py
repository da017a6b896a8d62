"""Limits that hold where spread is badly known: Student's t on the logit scale.

Where an interval misses, it is nearly always on the side of chance: an estimate that is too near
to 1 has lost just those rows that would have shown its spread. So the two limits are made apart.
For an estimate x above 1/2 (below it, turn the scale round) with variance V:

    away from 1/2:  expit(logit x + t_f sqrt(V) / (x (1 - x)))
    towards 1/2:    expit(logit x' - t_f' sqrt(S) / (x' (1 - x')))
                    x' = (x + a k / 2) / (1 + a k),   S = V + a (x' - 1/2)^2 k^2,   a = 1/2

The second one is made as if the class whose rows move x most had half a row more that knows
nothing: k is what one effective unit of that class decides (1 / n for a class of n rows of an AUC).
f' = S^2 / (the doubt in V without kurtosis): the half row is known. At V = 0, after perfect
separation, both still stand; there the limit is no nearer to 1 than tail^k, which is exact if each
row of that class is wholly won or wholly lost (Clopper & Pearson 1934).

The half row goes with 1/n, so that nothing of it is left in large samples. How often the limits
miss is in benches/studies/COVERAGE.md.

References
----------
A. Agresti and B. A. Coull, Approximate is better than "exact" for interval estimation of binomial
proportions, Am. Stat. 52 (1998) 119-126: rows that are not there, for proportions.
C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in the case of
the binomial, Biometrika 26 (1934) 404-413.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from polyroc._stats.tails import t_quantile, t_tail

if TYPE_CHECKING:
    from collections.abc import Callable

HALF_ROW = 0.5  # a: how many rows that know nothing


class Spread(NamedTuple):
    """The variance of an estimate, and how well it is known."""

    variance: float
    doubt: float  # f = variance^2 / doubt
    inner_doubt: float  # the same for the limit towards 1/2
    pull: float  # k

    @property
    def freedom(self) -> float:
        """The degrees of freedom f."""
        return self.variance**2 / self.doubt if self.doubt > 0.0 else math.inf


class Share(NamedTuple):
    """An estimate as a share of its range, with its variance on that scale."""

    value: float
    variance: float
    doubt: float
    inner_doubt: float
    pull: float


class End(NamedTuple):
    """A limit at any tail: expit(centre + sign t scale); sign is -1 for a lower one."""

    sign: int
    centre: float
    scale: float
    freedom: float
    bound: Callable[[float], float] | None = None  # which it does not pass, by the tail

    def at(self, tail: float) -> float:
        """Return the limit that leaves `tail` beyond it."""
        found = _expit(self.centre + self.sign * signed_t_quantile(tail, self.freedom) * self.scale)
        if self.bound is None:
            return found
        return min(found, self.bound(tail)) if self.sign < 0 else max(found, self.bound(tail))

    def tail_at(self, share: float) -> float:
        """Return the tail at which the limit is `share`: the p-value of a one-sided test."""
        away = self.distance(share)
        found = t_tail(away, self.freedom) if math.isfinite(away) else float(not away > 0.0)
        if self.bound is None:
            return found
        # The further of two limits counts: at a given share that with the larger tail.
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            inside = self.sign * (self.bound(middle) - share) > 0.0
            low, high = (middle, high) if inside else (low, middle)
        return max(found, low)

    def distance(self, share: float) -> float:
        """Return how far `share` lies beyond the centre, in units of t."""
        away = self.sign * (_logit(share) - self.centre)
        if math.isnan(away):
            return -math.inf  # at the end of the range, where the limit is too
        return away / self.scale if self.scale > 0.0 else math.copysign(math.inf, away)


class Correlated(NamedTuple):
    """What the correlation of two estimates is made of, on the side of chance."""

    centre: float  # x', of the scale as it is
    variance: float  # S


def ends_of(share: Share, kurtosis: bool = False) -> tuple[End, End]:
    """Return the lower and the upper limit; `kurtosis` is for the limit towards 1/2 too."""
    turned = share.value < 0.5
    x = 1.0 - share.value if turned else share.value
    moved = moved_by_half_row(share)
    centre = 1.0 - moved.centre if turned else moved.centre
    doubt = share.doubt if kurtosis else share.inner_doubt
    inner_freedom = moved.variance**2 / doubt if doubt > 0.0 else math.inf
    inner_scale = math.sqrt(moved.variance) / (centre * (1.0 - centre))
    if x < 1.0:
        freedom = Spread(*share[1:]).freedom
        outer = (_logit(x), math.sqrt(share.variance) / (x * (1.0 - x)), freedom)
    else:
        outer = (math.inf, 0.0, math.inf)
    if share.variance > 0.0 or x < 1.0:
        bound = None
    elif turned:

        def bound(tail: float) -> float:
            return float(1.0 - tail**share.pull)
    else:

        def bound(tail: float) -> float:
            return float(tail**share.pull)

    if turned:
        low = End(-1, -outer[0], outer[1], outer[2])
        return low, End(1, -_logit(centre), inner_scale, inner_freedom, bound)
    return End(-1, _logit(centre), inner_scale, inner_freedom, bound), End(1, *outer)


def moved_by_half_row(share: Share) -> Correlated:
    """Return the estimate and its variance with half a row more that knows nothing."""
    pulled = HALF_ROW * share.pull
    centre = (share.value + pulled / 2.0) / (1.0 + pulled)
    return Correlated(centre, share.variance + HALF_ROW * ((centre - 0.5) * share.pull) ** 2)


def signed_t_quantile(tail: float, freedom: float) -> float:
    """Return the t that leaves `tail` above it, which may be more than one half."""
    if tail > 0.5:
        return -signed_t_quantile(1.0 - tail, freedom)
    found = t_quantile(tail, freedom)
    return math.inf if math.isnan(found) else found  # beyond any number, at a hundredth of a degree


def _expit(value: float) -> float:
    if value < 0.0:
        return 1.0 - _expit(-value)
    return 1.0 / (1.0 + math.exp(-value))


def _logit(share: float) -> float:
    if share <= 0.0:
        return -math.inf
    return math.inf if share >= 1.0 else math.log(share / (1.0 - share))
