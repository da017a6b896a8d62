"""The difference of two estimates from the limits of each: limits that respect the scale.

With D = a - b, (l, u) the limits of each estimate at one tail (see `sided_limits`), the difference
has the limits D - down and D + up. Two forms of `down` (`up` is that of b - a) are at hand:

    M:  down^2 = (1 - r c) ((a - l_a)^2 + (u_b - b)^2)
        r = (C + h (a' - 1/2) (b' - 1/2) k^2) / sqrt(S_a S_b)
        c = 2 (a - l_a) (u_b - b) / ((a - l_a)^2 + (u_b - b)^2) at the tail 0.025
    R:  down^2 = V_D / (V_a + V_b) ((a - l_a)^2 + (u_b - b)^2)

M at a level of 95 % is Zou & Donner's (2008), (a - l_a)^2 + (u_b - b)^2 - 2 r (a - l_a) (u_b - b),
with the correlation that the estimates have together with half a row more that knows nothing
(h = 1/2; C is their covariance, k, S and a' are those of the limits). With c of every tail by
itself a limit that has come to the end of its range while the other goes on would let the interval
shrink again as the level rises; with one c for all of them limits only ever widen. For models that
are nearly alike M leaves the difference of two skewed limits, however small V_D, the variance of
the difference, is. R shrinks the limits of independent estimates by what is left of their variance;
its limits towards 1/2 count the kurtosis too. The shorter one counts: in simulations each was the
better one where the other is too wide, and both together rejected equal models, and margins that
are just met, no more often than they should (benches/studies/REJECTIONS.md).

A p-value is twice the tail at which a limit meets the value in question, so that interval, test and
margins agree.

References
----------
G. Y. Zou and A. Donner, Construction of confidence limits about effect measures: a general
approach, Stat. Med. 27 (2008) 1693-1702.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from polyroc._stats.normal_interval import on_scale_of_auc, value_of
from polyroc._stats.sided_limits import HALF_ROW, ends_of, moved_by_half_row
from polyroc._stats.tails import normal_tail

if TYPE_CHECKING:
    from polyroc._stats.normal_interval import Scale
    from polyroc._stats.sided_limits import End, Share, Spread

_AWAY = (2.0, 4.0, 8.2)  # normal errors; beyond the last one no p-value is told from 1e-16
_STEPS = 60
_TAIL = 0.025  # at which M is Zou & Donner's


class Estimated(NamedTuple):
    """An estimate whose limits are known at any tail."""

    value: float
    scale: Scale
    share: Share
    ends: tuple[End, End]
    careful: tuple[End, End]  # with the kurtosis in both limits

    def down(self, tail: float, careful: bool = False) -> float:
        """Return how far the lower limit is away."""
        end = (self.careful if careful else self.ends)[0]
        return self.value - value_of(end.at(tail), self.scale)

    def up(self, tail: float, careful: bool = False) -> float:
        """Return how far the upper limit is away."""
        end = (self.careful if careful else self.ends)[1]
        return value_of(end.at(tail), self.scale) - self.value


def estimated(value: float, scale: Scale, spread: Spread) -> Estimated:
    """Return an estimate with its limits at any tail."""
    share = on_scale_of_auc(value, scale, spread)
    ends = ends_of(share)
    # Only the limit towards 1/2 is another one.
    low, high = ends_of(share, kurtosis=True)
    careful = (low, ends[1]) if share.value >= 0.5 else (ends[0], high)
    return Estimated(value, scale, share, ends, careful)


class Mover(NamedTuple):
    """The difference of two estimates of one measure, `first` minus `second`."""

    first: Estimated
    second: Estimated
    left: float  # V_D / (V_a + V_b)
    low_left: float  # 1 - r c of the lower limit
    high_left: float  # and of the upper one, the lower one of `second` minus `first`

    def low(self, tail: float) -> float:
        """Return the lower limit at a tail."""
        first, second = self.first, self.second
        down, up = first.down(tail), second.up(tail)
        by_correlation = self.low_left * (down * down + up * up)
        if first.careful[0] is not first.ends[0]:
            down = first.down(tail, careful=True)
        if second.careful[1] is not second.ends[1]:
            up = second.up(tail, careful=True)
        by_variance = self.left * (down * down + up * up)
        return first.value - second.value - math.sqrt(min(by_correlation, by_variance))

    def turned(self) -> Mover:
        """Return the same the other way round."""
        return Mover(self.second, self.first, self.left, self.high_left, self.low_left)

    def p_above(self, bound: float) -> float:
        """Return the tail at which the lower limit of a difference above `bound` meets it.

        By false position on the scale of the normal, on which limits are nearly straight; one half
        where they do not part from the bound.
        """
        nearest, near = 0.0, self.low(0.5) - bound
        if near <= 0.0:
            return 0.5
        for farthest in _AWAY:
            far = self.low(normal_tail(farthest)) - bound
            if far < 0.0:
                break
            nearest, near = farthest, far
        else:
            return normal_tail(_AWAY[-1])
        enough, kept = 1e-12 * (near - far), 0
        for _ in range(_STEPS):
            z = (nearest * far - farthest * near) / (far - near)
            at = self.low(normal_tail(z)) - bound
            if at > 0.0:
                nearest, near = z, at
                far, kept = (far / 2.0, 1) if kept == 1 else (far, 1)
            else:
                farthest, far = z, at
                near, kept = (near / 2.0, -1) if kept == -1 else (near, -1)
            if abs(at) <= enough or farthest - nearest <= 1e-11:
                break
        return normal_tail(z)


def mover(
    first: Estimated, second: Estimated, covariance: float | None, left: float, pull: float
) -> Mover:
    """Return the difference of two estimates with their covariance; None if they have none.

    It is on the scale of the AUC, of which `pull` is what one unit may decide; `left` is the
    variance of the difference over that of independent estimates.
    """
    if covariance is None:
        return Mover(first, second, left, 1.0, 1.0)
    a, b = moved_by_half_row(first.share), moved_by_half_row(second.share)
    known = math.sqrt(a.variance * b.variance)
    together = covariance + HALF_ROW * (a.centre - 0.5) * (b.centre - 0.5) * pull * pull
    r = min(max(together / known, -1.0), 1.0) if known > 0.0 else 0.0
    low_left, high_left = (1.0 - r * _angle(*both) for both in ((first, second), (second, first)))
    return Mover(first, second, left, max(low_left, 0.0), max(high_left, 0.0))


def _angle(first: Estimated, second: Estimated) -> float:
    """Return c: 1 where both limits are as far away, 0 where one of them does not move."""
    down, up = first.down(_TAIL), second.up(_TAIL)
    squares = down * down + up * up
    return 2.0 * down * up / squares if squares > 0.0 else 0.0
