"""Limits of a difference from those of two estimates: their search, and that they only widen."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polyroc._core import Mover
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import Scale, estimated
from polyroc._stats.sided_limits import Spread
from scipy import optimize, stats

from oracle import limits_reference as limits


def both(
    a: float, b: float, r: float, n: int, f: float, size: float = 1.0, degree: int = 1
) -> tuple[Mover, tuple[limits.Estimate, limits.Estimate, float, float]]:
    """A difference of estimates from n rows, and what the slow reference takes."""
    scale, k = Scale((0.0, 1.0), FromAuc(degree), (n, n)), 1.0 / n
    slow, fast = [], []
    for x in (a, b):
        V = size * x * (1 - x) / n
        slow.append(limits.Estimate(x, V, 1.5 * V**2 / f, V**2 / f, k, degree))
        fast.append(estimated(x, scale, Spread(V, 1.5 * V**2 / f, V**2 / f, k)))
    C = r * math.sqrt(slow[0].V * slow[1].V)
    V_D = slow[0].V + slow[1].V - 2 * C
    shares = [one.variance / two.V for one, two in zip(fast, slow, strict=True)]
    on_scale = C * math.sqrt(shares[0] * shares[1])
    left = V_D / (slow[0].V + slow[1].V)
    first, second = slow
    return Mover(fast[0], fast[1], (on_scale, left, k)), (first, second, C, V_D)


VALUES = st.floats(0.02, 0.98)
GIVEN = {
    "a": VALUES, "b": VALUES, "r": st.floats(-0.9, 0.999), "n": st.integers(2, 300),
    "f": st.floats(1.0, 200.0), "degree": st.sampled_from([1, 2]),
}  # fmt: skip


@settings(max_examples=40)
@given(**GIVEN, tail=st.floats(1e-6, 0.5))
def test_limits_are_those_of_the_reference(
    a: float, b: float, r: float, n: int, f: float, degree: int, tail: float
) -> None:
    found, (one, other, C, V_D) = both(a, b, r, n, f, degree=degree)
    low = limits.low(one, other, C, V_D, tail)
    high = -limits.low(other, one, C, V_D, tail)
    assert found.limits(tail) == pytest.approx((low, high), abs=1e-8)
    assert found.turned().limits(tail) == (-found.limits(tail)[1], -found.limits(tail)[0])
    assert found.turned().turned() == found


@settings(max_examples=40)
@given(**GIVEN)
def test_limits_widen_with_the_level(
    a: float, b: float, r: float, n: int, f: float, degree: int
) -> None:
    found, _ = both(a, b, r, n, f, degree=degree)
    lows = [found.limits(float(stats.norm.sf(k / 20)))[0] for k in range(140)]
    assert all(x >= y - 1e-14 for x, y in pairwise(lows))
    assert lows[0] <= a - b


@settings(max_examples=40)
@given(**GIVEN, share=st.floats(0.01, 1.0), size=st.sampled_from([1.0, 1e-6, 1e-12]))
def test_a_p_value_is_where_the_limit_meets_the_bound(
    a: float, b: float, r: float, n: int, f: float, degree: int, share: float, size: float
) -> None:
    found, _ = both(a, b, r, n, f, size, degree)
    # Somewhere between the estimate and the farthest limit.
    bound = a - b - share * (a - b - found.limits(1e-9)[0])
    p = found.p_above(bound)

    def above(z: float) -> float:
        return found.limits(float(stats.norm.sf(z)))[0] - bound

    if above(0.0) <= 0:
        assert p == 0.5
    else:
        exact = stats.norm.sf(optimize.bisect(above, 0.0, 8.2, xtol=1e-14, rtol=1e-14, maxiter=200))
        assert p == pytest.approx(float(exact), abs=1e-10)


def test_no_p_value_is_below_that_of_the_farthest_limit() -> None:
    found, _ = both(0.9, 0.1, 0.5, 300, 200.0, size=1e-8)
    assert 0 < found.p_above(0.0) < 1e-15
    assert found.turned().p_above(0.0) == 0.5


def test_degrees_of_freedom_beyond_all_counts_are_the_normal() -> None:
    # A spread that is nothing beside the half row, whose own is known.
    found, _ = both(0.75, 0.5, 0.0, 2, 1.0, size=1e-12)
    assert all(math.isfinite(found.limits(tail)[0]) for tail in (1e-3, 1e-9, 1e-16))
    assert math.isfinite(found.p_above(0.0))
