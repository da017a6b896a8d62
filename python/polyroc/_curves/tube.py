"""A tube around an ROC curve: the points that are within a distance of it, counted in rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Floats

_ANGLES = np.linspace(0.0, np.pi / 2.0, 33)  # from straight up to straight across


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
