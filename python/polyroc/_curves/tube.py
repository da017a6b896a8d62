"""A tube around an ROC curve: the points that are within a distance of it, counted in rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats

_ANGLES = np.linspace(0.0, np.pi / 2.0, 33)  # from straight up to straight across
_HALVINGS = 16  # of the interval that the radius lies in
_ROUNDING = 1e-12


class Tube:
    """What lies within a distance of the curve through `points`, at the rates `fpr`.

    Distances are those of :func:`stabilised`, in which a rate of n rows has a standard error of
    one wherever it is: a point of the curve that is a threshold's (FPR, TPR) is off by about one
    along each axis.
    """

    def __init__(
        self, fpr: Floats, points: tuple[Floats, Floats], sizes: tuple[float, float]
    ) -> None:
        self._fpr, (self._across, self._up) = fpr, points
        self._n1, self._n0 = sizes
        self._places = stabilised(fpr, self._n0)[:, np.newaxis]

    def limits(self, radius: float) -> tuple[Floats, Floats]:
        """Return the lowest and highest point of the tube at each rate."""
        aside, off = radius * np.sin(_ANGLES), radius * np.cos(_ANGLES)
        # The lowest point is one of a circle around a point of the curve to the left.
        left = rate_of(self._places - aside, self._n0)
        below = np.interp(-left, -self._across[::-1], self._up[::-1])  # least where it is upright
        low = rate_of((stabilised(below, self._n1) - off).min(axis=1), self._n1)
        right = rate_of(self._places + aside, self._n0)
        above = np.interp(right, self._across, self._up)
        high = rate_of((stabilised(above, self._n1) + off).max(axis=1), self._n1)
        return rising(self._fpr, low, high)

    def radius(self, replicates: Floats, share: float, least: float) -> float:
        """Return the radius, `least` or more, of a tube that holds this share of replicates.

        They are looked at one standard error apart: what they do on less is the roughness of two
        samples, one drawn from the other, and the true curve has none.
        """
        apart = self._apart()
        seen = replicates[:, apart]

        def holds(radius: float) -> bool:
            low, high = (limit[apart] for limit in self.limits(radius))
            inside = (seen >= low - _ROUNDING) & (seen <= high + _ROUNDING)
            return bool(inside.all(axis=1).mean() >= share)

        small, large = 0.0, least
        while not holds(large):
            small, large = large, 2.0 * large
        if large == least:
            return least
        for _ in range(_HALVINGS):
            middle = (small + large) / 2.0
            small, large = (small, middle) if holds(middle) else (middle, large)
        return large

    def _apart(self) -> Any:
        """Return the numbers of the rates that lie nearest to places one standard error apart."""
        places = self._places[:, 0]
        wanted = np.linspace(places[0], places[-1], 1 + math.ceil(places[-1] - places[0]))
        right = np.clip(np.searchsorted(places, wanted), 1, len(places) - 1)
        nearer = wanted - places[right - 1] < places[right] - wanted
        return np.unique(right - nearer)


def rising(fpr: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return limits of a curve that starts at (0, 0), ends at (1, 1), rises and is in [0, 1]."""
    low = np.where(fpr == 0.0, 0.0, np.clip(low, 0.0, 1.0))
    high = np.where(fpr == 1.0, 1.0, np.clip(high, 0.0, 1.0))
    falling = np.minimum.accumulate(high[::-1])
    return np.maximum.accumulate(low), np.ascontiguousarray(falling[::-1])


def stabilised(rate: Floats, n: float) -> Floats:
    """Return the rate of n rows on the scale where its variance is about one (Anscombe 1948)."""
    return np.asarray(2.0 * np.sqrt(n + 0.5) * np.arcsin(np.sqrt((n * rate + 0.375) / (n + 0.75))))


def rate_of(place: Floats, n: float) -> Floats:
    """Return the rate in [0, 1] that is at this place of the scale of :func:`stabilised`."""
    angle = np.clip(place / (2.0 * np.sqrt(n + 0.5)), 0.0, np.pi / 2.0)
    return np.asarray(np.clip(((n + 0.75) * np.sin(angle) ** 2 - 0.375) / n, 0.0, 1.0))
