"""Calls that the tests of comparisons share."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from polyroc._data.sample import prepare
from polyroc._data.units import plan
from polyroc._inference.influence import Influences, measured
from polyroc._measures.registry import measures_of

Array = NDArray[Any]


def influence_values(y: Array, scores: Array, measure: Any) -> Influences:
    sample = prepare(y, scores, None, None, None)
    chosen, (one,) = plan(sample, "multinomial", None, None), measures_of(measure)[0].values()
    return measured(sample, chosen, {"one": one})["one"].influences


def widening(y: Array, A: Array, B: Array, measure: Any) -> tuple[float, float]:
    """Inflation of the variance of a difference, and its degrees of freedom."""
    a, b = (influence_values(y, scores, measure) for scores in (A, B))
    _, inflation, freedom = (float(x[0]) for x in Influences(a.values - b.values, a.bounds).shape())
    return inflation, freedom
