"""How wide a tube round a curve must be, so that it holds the true one.

The bootstrap lets the sample play the truth and each replicate the sample. What is to hold the
truth is the tube round the sample's curve; so it is the tube round a *replicate* that has to hold
the curve which replicates stray from, and not the other way round. The two differ, because the tube
round a rough curve is widest where that curve strays most: a sample's curve and its tube stray
together, while a replicate strays without regard to how the sample did, and is farther from it.

What plays the truth has to be like one.

- The truth is smooth, a sample's curve is rough: row by row it goes up or across. Replicates of it
  stray from a rough curve and are rough themselves, so that its farthest point is farther from them
  than the farthest point of the truth is from the sample. So it is straightened over what it cannot
  tell, and replicates go along, each threshold by as much as it was moved.
- In the truth some rows err, if only few. Where none of a sample's does, none of a replicate's can.
  So either class is given one row more that tells nothing: one whose score is drawn from those of
  the other class. A replicate has a Poisson number of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._curves.thresholds import straightened
from polyroc._curves.tube import rate_of, stabilised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.types import Floats
    from polyroc._curves.thresholds import Thresholds

_STEP = 0.5  # standard errors from one rate of a band to the next, near its ends
_MOST = 1000  # such rates


class Sizes(NamedTuple):
    """How many rows of weight one the favoured rows and the others are worth."""

    own: float
    others: float
    own_unit: float = 1.0  # and how many of them a unit is that is drawn, as a group of rows
    others_unit: float = 1.0


def evenly_apart(others: float) -> Floats:
    """Return false positive rates, half a standard error apart."""
    start, end = stabilised(np.array([0.0, 1.0]), others)
    count = min(math.ceil((end - start) / _STEP), _MOST)
    rates = rate_of(np.linspace(start, end, count + 1), others)
    rates[[0, -1]] = 0.0, 1.0
    return rates


def radius(
    looked: Thresholds,
    replicates: Iterable[Floats],
    sizes: Sizes,
    share: float,
    seed: int,
    n_threads: int,
) -> float:
    """Return the least radius at which tubes round this share of replicates hold the curve.

    Replicates come some at a time: their false positive rates at the thresholds, and then the true
    ones. The seed is that of the rows that tell nothing.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    others, own = looked.fpr, looked.tpr
    units = (sizes.others_unit, sizes.own_unit)
    places = _places(
        _with(others, sizes.others, own * units[0], units[0]),
        _with(own, sizes.own, others * units[1], units[1]),
        sizes,
    )
    played = straightened(places, looked)
    # Replicates of k units spread by (k - 1) / k of the variance, and there is one unit more.
    drawn_from = (sizes.others / sizes.others_unit, sizes.own / sizes.own_unit)
    spread = [math.sqrt((count + 1.0) / count) for count in drawn_from]
    found = []
    for rates in replicates:
        drawn = []
        for rate, size, other, unit in zip(
            np.hsplit(rates, 2), (sizes.others, sizes.own), (own, others), units, strict=True
        ):
            above, every = _untold(generator, len(rates), other)
            drawn.append(_with(rate, size, unit * above, unit * every[:, np.newaxis]))
        moved = _places(drawn[0], drawn[1], sizes)
        lines = [
            part + factor * (to - at)
            for part, factor, to, at in zip(played, spread, moved, places, strict=True)
        ]
        found.append(
            _core.farthest(
                across=played[0],
                up=played[1],
                lines_across=lines[0],
                lines_up=lines[1],
                n_threads=n_threads,
            )
        )
    every = np.sort(np.concatenate(found))
    return float(every[max(math.ceil(share * len(every) - 1e-9), 1) - 1])


def _places(others: Floats, own: Floats, sizes: Sizes) -> tuple[Floats, Floats]:
    """Return where rates lie, across and up."""
    return stabilised(others, sizes.others), stabilised(own, sizes.own)


def _with(rates: Floats, size: float, above: Floats, more: Floats | float) -> Floats:
    """Return the rates of so many rows and some more, of which these lie above each threshold."""
    return np.asarray((size * rates + above) / (size + more))


def _untold(generator: np.random.Generator, count: int, rates: Floats) -> tuple[Floats, Floats]:
    """Return how many rows that tell nothing lie above each threshold, and how many there are.

    For so many replicates; `rates` are those of the other class.
    """
    every = generator.poisson(1.0, count)
    above = np.zeros((count, len(rates)))
    for k in range(int(every.max())):
        places = generator.random(count)
        above += (places[:, np.newaxis] < rates) & (k < every)[:, np.newaxis]
    return above, every.astype(float)
