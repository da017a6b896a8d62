"""What the bootstrap knows from influence values, by derivatives in the weight of each unit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from oracle.replicate_measures import Measure
from oracle.replicates import NAN, Array, Design, Replicate


def excess(part: Array) -> Array:
    """The excess kurtosis of centred values, by column; 0 for less, and where all are 0."""
    second = (part**2).sum(axis=0)
    kurtosis = len(part) * (part**4).sum(axis=0) / np.where(second > 0, second, np.inf) ** 2
    return np.asarray(np.maximum(kurtosis - 3, 0))


def influences(design: Design, measures: Iterable[Measure], h: float = 2.0**-17) -> list[Array]:
    """What is known from the derivative of measures in each unit's weight, brute force.

    With l = df / dr of a unit, centred within strata, and V = n / (n - 1) sum l^2 for a stratum:
    acceleration sum l^3 / (6 (sum l^2)^1.5), variance sum V, and over strata of more than one unit
    inflation sum V / sum l^2 and degrees of freedom (sum V)^2 / sum V^2 (1 / (n - 1) + k / (2 n)),
    k the excess kurtosis of l where it is positive, else 0.
    """
    sample, strata, measures = design.sample, design.strata, list(measures)
    w = np.ones(len(sample.c)) if sample.w is None else sample.w

    def values(u: int, step: float) -> list[Array]:
        r = np.where(np.arange(len(strata)) == u, 1 + step, 1.0)
        moved = Replicate(sample, w * r[design.unit])
        return [np.array(measure.value(moved)) for measure in measures]

    units = [u for u, s in enumerate(strata.tolist()) if s >= 0]
    ends = [(values(u, h), values(u, -h)) for u in units]
    found = []
    for k in range(len(measures)):
        slopes = np.array([(up[k] - down[k]) / (2 * h) for up, down in ends])
        parts = [slopes[strata[units] == s] for s in set(strata[units].tolist())]
        single = any(len(part) == 1 for part in parts)
        parts = [part - part.mean(axis=0) for part in parts if len(part) > 1]
        second, third = (sum((part**power).sum(axis=0) for part in parts) for power in (2, 3))
        V = [len(part) / (len(part) - 1) * (part**2).sum(axis=0) for part in parts]
        total: Any = sum(V)
        doubt = sum(
            v**2 * (1 / (len(part) - 1) + excess(part) / (2 * len(part)))
            for v, part in zip(V, parts, strict=True)
        )
        variance = np.full_like(total, NAN) if single else total
        numbers = [third / (6 * second**1.5), variance, total / second, total**2 / doubt]
        found.append(np.stack(numbers, axis=1))
    return found
