"""The difference of two estimates: its limits and p-values from a standard error.

It is referred to Student's t with the degrees of freedom of the error, or to the normal where these
are infinite.

Where the difference has no estimated error although it is unlikely to be known for certain (two
perfect models; a perfect one and one of constant scores), the limits of the two estimates
themselves are put together: with (l, u) the limits of each,

    low  = a - b - sqrt((a - l_a)^2 + (u_b - b)^2),   high = a - b + sqrt((u_a - a)^2 + (b - l_b)^2)

as if they were independent, which is wider than need be for models on the same rows. A p-value is
one minus the confidence at which a limit meets the value in question.

References
----------
R. G. Newcombe, Interval estimation for the difference between independent proportions, Stat. Med.
17 (1998) 873-890, method 10.
G. Y. Zou and A. Donner, Construction of confidence limits about effect measures: a general
approach, Stat. Med. 27 (2008) 1693-1702.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc._stats.normal_interval import Scale, closed_interval
from polyroc._stats.rounding import is_nothing
from polyroc._stats.tails import t_quantile, t_tail
from polyroc._stats.wald import z_of

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._base.types import Floats
    from polyroc._stats.normal_interval import Limits
    from polyroc._stats.sided_limits import Spread

LEAST = 2.0**-50  # no p-value that is found by limits is smaller
PUT_TOGETHER = (
    "the difference has no estimated error: the limits of the two models take its place, on the "
    "safe side (Newcombe 1998, method 10)"
)
CONSTANT = "the difference does not vary: every unit moves both models alike"


class Side(NamedTuple):
    """An estimate, its standard error, and what it can be."""

    estimate: float
    error: float
    scale: Scale
    spread: Spread | None = None  # how well the error is known, where that counts

    @property
    def span(self) -> float:
        """The size of its range."""
        bottom, top = self.scale.bounds
        return top - bottom

    def limits(self, levels: Floats) -> Limits:
        """Return the limits of the estimate by itself, for each confidence level."""
        return closed_interval(
            self.estimate, self.error, self.scale, levels, "two", "logit", self.spread
        )


class Difference(NamedTuple):
    """The estimate `first` minus the estimate `second`, with its standard error."""

    first: Side
    second: Side
    error: float
    inflation: float = 1.0  # of the variance, in small samples
    freedom: float = math.inf  # degrees of freedom of the error
    by_limits: _core.Mover | None = (
        None  # where limits and p-values come from those of the two sides
    )

    @property
    def value(self) -> float:
        """The difference itself."""
        return self.first.estimate - self.second.estimate

    @property
    def z(self) -> float:
        """The difference in widened errors; 0 for none, infinite if there is no error."""
        return z_of(self.value, self._widened, self.first.span)

    @property
    def varies(self) -> bool:
        """Whether it has an error to speak of."""
        return not is_nothing(self.error, self.first.span)

    @property
    def is_constant(self) -> bool:
        """Whether both estimates vary, but together, as those of models with the same ranks."""
        span = self.first.span
        alone = any(is_nothing(side.error, span) for side in (self.first, self.second))
        return not (self.varies or alone) and is_nothing(self.value, span)

    @property
    def note(self) -> str:
        """What is special."""
        if self.varies:
            return ""
        return CONSTANT if self.is_constant else PUT_TOGETHER

    def interval(self, level: float) -> tuple[float, float]:
        """Return the limits: plus and minus z or t errors, within what a difference can be."""
        span = self.first.span
        if self.by_limits is not None:
            low, high = self.by_limits.limits((1.0 - level) / 2.0)
            return max(low, -span), min(high, span)
        if self.varies or self.is_constant:
            half = t_quantile((1.0 - level) / 2.0, self.freedom) * self._widened
            return max(self.value - half, -span), min(self.value + half, span)
        levels = np.array([level])
        return float(self._low(levels)[0]), -float(self.turned()._low(levels)[0])

    def p_value(self) -> float:
        """Return the two-sided p-value of no difference."""
        if is_nothing(self.value, self.first.span):
            return 1.0
        if self.varies and self.by_limits is None:
            return min(2.0 * self._tail(abs(self.value)), 1.0)
        above = self if self.value > 0 else self.turned()
        return min(2.0 * above.p_not_above(0.0), 1.0)

    def p_not_above(self, bound: float) -> float:
        """Return the one-sided p-value of a difference not above `bound`; small if it is above."""
        if self.by_limits is not None:
            if self.value > bound:
                return self.by_limits.p_above(bound)
            return 1.0 - self.by_limits.turned().p_above(-bound) if self.value < bound else 0.5
        if self.varies:
            return self._tail(self.value - bound)
        if self.is_constant:
            return 0.0 if self.value > bound else 1.0
        if self.value <= bound:
            return 1.0 if self.value == bound else 1.0 - self.turned().p_not_above(-bound)
        # The limit grows with p. Each round looks at many p at once, which costs as much as one.
        low, high = math.log(LEAST), math.log(0.5)
        for _ in range(4):
            p = np.linspace(low, high, 513)
            above = self._low(1.0 - 2.0 * np.exp(p[1:-1])) > bound
            k = int(np.count_nonzero(~above))
            low, high = float(p[k]), float(p[k + 1])
        return math.exp(high)

    def turned(self) -> Difference:
        """Return the same the other way round."""
        turned = None if self.by_limits is None else self.by_limits.turned()
        return self._replace(first=self.second, second=self.first, by_limits=turned)

    def _tail(self, away: float) -> float:
        """Return the probability that chance alone goes so far up."""
        return t_tail(away / self._widened, self.freedom)

    @property
    def _widened(self) -> float:
        """The error, with what it lacks in small samples."""
        return self.error * math.sqrt(self.inflation)

    def _low(self, levels: Floats) -> Floats:
        down = self.first.estimate - np.asarray(self.first.limits(levels).low)
        up = np.asarray(self.second.limits(levels).high) - self.second.estimate
        return np.asarray(self.value - np.hypot(down, up))
