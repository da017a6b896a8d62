"""The difference of two estimates: its test, its interval, and what holds where nothing varies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polyroc._compare.difference import LEAST, Difference, Side
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import Scale
from scipy import stats


def side(estimate: float, error: float, sizes: tuple[int, int] = (10, 10), degree: int = 1) -> Side:
    return Side(estimate, error, Scale((0.0, 1.0), FromAuc(degree), sizes))


def test_a_difference_with_an_error_is_a_z_test() -> None:
    d = Difference(side(0.9, 0.03), side(0.8, 0.04), 0.05)
    assert d.z == pytest.approx(2)
    assert d.p_value() == pytest.approx(2 * stats.norm.sf(2))
    assert d.interval(0.9) == pytest.approx((0.1 - 1.6448536 * 0.05, 0.1 + 1.6448536 * 0.05))
    assert d.p_not_above(0.15) == pytest.approx(stats.norm.sf(-1))
    assert d.note == ""


@pytest.mark.parametrize("freedom", [3.0, 6.5, 40.0, 1e6])
def test_an_error_of_few_degrees_of_freedom_is_a_t_test(freedom: float) -> None:
    d = Difference(side(0.9, 0.03), side(0.8, 0.04), 0.05, 1.21, freedom)
    assert d.p_value() == pytest.approx(2 * stats.t.sf(0.1 / 0.055, freedom), rel=1e-12)
    for bound in (-0.02, 0.0, 0.15):
        exact = stats.t.sf((0.1 - bound) / 0.055, freedom)
        assert d.p_not_above(bound) == pytest.approx(exact, rel=1e-12)
    assert d.turned().p_value() == d.p_value()
    half = stats.t.isf(0.05, freedom) * 0.055
    assert d.interval(0.9) == pytest.approx((0.1 - half, 0.1 + half), rel=1e-12)
    assert d.interval(1 - d.p_value())[0] == pytest.approx(0, abs=1e-12)


def test_an_interval_of_a_difference_stays_within_its_range() -> None:
    assert Difference(side(1, 0.3), side(0.2, 0.3), 0.5).interval(0.95)[1] == 1
    assert Difference(side(0.1, 0.3), side(1, 0.3), 0.5).interval(0.95)[0] == -1


def test_estimates_that_move_together_have_no_interval() -> None:
    d = Difference(side(0.8, 0.04), side(0.8, 0.04), 0.0)
    assert d.interval(0.95) == (0, 0)
    assert d.p_value() == 1
    assert (d.p_not_above(-0.01), d.p_not_above(0.01)) == (0, 1)
    assert "every unit moves both models alike" in d.note


@pytest.mark.parametrize("degree", [1, 2])
def test_limits_of_two_estimates_are_put_together(degree: int) -> None:
    a, b = side(1.0, 0.0, (9, 14), degree), side(0.5, 0.0, (9, 14), degree)
    d = Difference(a, b, 0.0)
    level = np.array([0.95])
    low, high = a.limits(level).low[0], b.limits(level)
    assert d.interval(0.95) == pytest.approx(
        (0.5 - math.hypot(1 - low, high.high[0] - 0.5), 0.5 + (0.5 - high.low[0]))
    )
    assert "limits of the two models" in d.note


@pytest.mark.slow
@settings(max_examples=12)
@given(
    st.floats(0, 1), st.floats(0, 1), st.integers(2, 400), st.integers(2, 400),
    st.floats(-0.9, 0.9),
)  # fmt: skip
def test_a_p_value_is_where_a_limit_meets_the_bound(
    a: float, b: float, m: int, n: int, bound: float
) -> None:
    d = Difference(side(a, 0.0, (m, n)), side(b, 0.0, (m, n)), 0.0)
    p = d.p_not_above(bound)
    assert 0 < p <= 1
    if 2 * LEAST < p < 0.49 and d.value > bound:
        assert d.interval(1 - 2 * p)[0] == pytest.approx(bound, abs=1e-6)
    assert d.p_value() == pytest.approx(d.turned().p_value(), rel=1e-6)
    both = d.p_not_above(bound) + d.turned().p_not_above(-bound)
    assert both == pytest.approx(1, abs=1e-6) or both == 2  # of a difference at the bound
