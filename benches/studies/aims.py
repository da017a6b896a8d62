"""What intervals and tests shall reach, by the fewest effective units of a class."""

from __future__ import annotations

import math

ENOUGH, FEW = 20, 8  # effective units in every class, (sum w)^2 / sum w^2 or as many clusters
COVERAGE = {ENOUGH: 0.93, FEW: 0.91}
MISSES = 0.05  # on either side, from ENOUGH units on
SIZE = (0.03, 0.06)  # from ENOUGH units on
LARGEST_SIZE = 0.07  # from FEW units on
MARGIN = 0.035
LEVEL = 0.05  # of tests; half of it at a margin


def percent(share: float, digits: int = 1) -> str:
    """A share with its sign."""
    return f"{100 * share:.{digits}f} %"


INTERVALS = (
    f"Aims for the defaults: 95 % intervals cover {percent(COVERAGE[ENOUGH], 0)} or more, and the "
    f"truth is on either side in {percent(MISSES, 0)} at most, wherever every class has {ENOUGH} "
    f"effective units; they cover {percent(COVERAGE[FEW], 0)} or more from {FEW} units on."
)
TESTS = (
    f"Tests at 5 % reject equal models in {100 * SIZE[0]:.0f} to {percent(SIZE[1], 0)} from "
    f"{ENOUGH} units on, never above {percent(LARGEST_SIZE, 0)} from {FEW} on; at the margin, "
    f"tests at 2.5 % reject in {percent(MARGIN)} at most."
)


def error(share: float, sets: float) -> float:
    """The Monte-Carlo error of a share, not below that of 2.5 %."""
    share = min(max(share, 0.025), 0.975)
    return math.sqrt(share * (1 - share) / sets)


def _printed(share: float) -> float:
    """A share as tables have it, in tenths of a per cent: what looks met is met."""
    return round(share, 3)


def of_interval(units: float, below: float, above: float, sets: float = math.inf) -> str:
    """Which aims an interval misses whose truth is so often below and above it; "" if none.

    Two Monte-Carlo errors of so many data sets are allowed for.
    """
    coverage = _printed(1 - below - above)
    least = COVERAGE[ENOUGH if units >= ENOUGH else FEW]
    out = []
    if units >= FEW and coverage < least - 2 * error(least, sets):
        out.append(f"covers {percent(coverage)} (aim {percent(least, 0)})")
    if units >= ENOUGH:
        out += [
            f"truth {side} in {percent(share)} (aim {percent(MISSES, 0)})"
            for side, share in (("below", below), ("above", above))
            if _printed(share) > MISSES + 2 * error(MISSES, sets)
        ]
    return ", ".join(out)


def of_size(units: float, rate: float, sets: float = math.inf) -> str:
    """Which aim a test of equal models misses that rejects at this rate."""
    least, most = SIZE if units >= ENOUGH else (0.0, LARGEST_SIZE if units >= FEW else 1.0)
    rate = _printed(rate)
    if rate > most + 2 * error(most, sets):
        return f"rejects {percent(rate)} (aim {percent(most, 0)})"
    if rate < least - 2 * error(least, sets):
        return f"rejects {percent(rate)} (aim {percent(least, 0)} or more)"
    return ""


def of_margin(rate: float, sets: float = math.inf) -> str:
    """Whether a test at the margin rejects too often."""
    if _printed(rate) > MARGIN + 2 * error(MARGIN, sets):
        return f"rejects {percent(rate)} (aim {percent(MARGIN)})"
    return ""
