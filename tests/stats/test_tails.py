"""Tail areas of the normal, chi-square, t and F distributions, against scipy."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from polyroc._stats.tails import chi_square_tail, f_tail, normal_tail, t_quantile, t_tail
from scipy import special, stats

FREEDOMS = [0.3, 1.0, 1.5, 2.0, 3.7, 10.0, 49.0, 119.9, 120.1, 1e3, 1e4, 1e6, 1e8, 1e10]
TAILS = [0.499, 0.25, 0.05, 0.025, 0.005, 1e-4, 1e-8, 1e-15]


@pytest.mark.parametrize("df", range(1, 41))
def test_chi_square_tails_to_many_digits(df: int) -> None:
    for x in (1e-300, 1e-9, 1e-3, 0.1, 0.5, 1, 2, 3.84, 7, 10, 20, 40, 80, 150, 400, 1000, 1400):
        expected = stats.chi2.sf(x, df)
        assert expected > 0
        assert chi_square_tail(x, df) == pytest.approx(expected, rel=1e-12), x


@pytest.mark.parametrize("df", [1, 2, 5, 40])
def test_chi_square_tails_at_the_ends(df: int) -> None:
    assert chi_square_tail(0.0, df) == 1
    assert chi_square_tail(-1.0, df) == 1
    assert chi_square_tail(math.inf, df) == 0
    assert math.isnan(chi_square_tail(math.nan, df))
    assert chi_square_tail(2000.0, df) == pytest.approx(stats.chi2.sf(2000, df), abs=1e-300)
    assert chi_square_tail(1e300, df) == 0


@given(st.integers(1, 60), st.floats(1e-6, 1e3), st.floats(1.0001, 10))
def test_chi_square_tails_fall(df: int, x: float, factor: float) -> None:
    near, far = chi_square_tail(x, df), chi_square_tail(factor * x, df)
    assert 0 <= far <= near * (1 + 1e-12) <= 1 + 1e-12
    assert near <= chi_square_tail(x, df + 1) * (1 + 1e-12)


@pytest.mark.parametrize("z", [-40, -3, -1, 0, 1e-9, 0.5, 1.96, 8, 20, 37])
def test_normal_tails(z: float) -> None:
    assert normal_tail(z) == pytest.approx(stats.norm.sf(z), rel=1e-12)


# Student's t


def beyond(ratio: float, p: int, f: float) -> float:
    """P(F > f ratio / p) by the incomplete beta function, without 1 - x for x near 1."""
    if ratio > 1:
        return float(special.betainc(f / 2, p / 2, 1 / (1 + ratio)))
    return float(special.betaincc(p / 2, f / 2, ratio / (1 + ratio)))


def student(t: float, f: float) -> float:
    """P(T > t) for t > 0."""
    return beyond(t * t / f, 1, f) / 2


@pytest.mark.parametrize("f", FREEDOMS)
def test_t_tails_to_many_digits(f: float) -> None:
    for t in (1e-6, 1e-3, 0.1, 0.5, 1, 1.5, 1.7, 1.73, 1.74, 2, 3, 5, 10, 30, 100, 1e4):
        assert t_tail(t, f) == pytest.approx(student(t, f), rel=1e-11, abs=1e-300), t
        assert t_tail(-t, f) == pytest.approx(1 - student(t, f), rel=1e-12), t
        if f < 1e4 and 1e-3 < t < 100:
            assert t_tail(t, f) == pytest.approx(stats.t.sf(t, f), rel=1e-11, abs=1e-300), t


def test_t_tails_in_closed_form() -> None:
    for t in (-3.0, -1e-9, 1e-9, 0.1, 1.0, 2.0, 1e3):
        assert t_tail(t, 1.0) == pytest.approx(0.5 - math.atan(t) / math.pi, rel=1e-12)
        assert t_tail(t, 2.0) == pytest.approx((1 - t / math.sqrt(2 + t * t)) / 2, rel=1e-9)
        assert t_tail(t, math.inf) == normal_tail(t)


@pytest.mark.parametrize("f", FREEDOMS)
def test_t_tails_at_the_ends(f: float) -> None:
    assert t_tail(0.0, f) == 0.5
    assert t_tail(math.inf, f) == 0
    assert t_tail(-math.inf, f) == 1
    assert math.isnan(t_tail(math.nan, f))


@given(st.floats(0.2, 1e9), st.floats(1e-3, 30), st.floats(1.001, 5))
def test_t_tails_fall_and_shrink_to_the_normal(f: float, t: float, factor: float) -> None:
    near = t_tail(t, f)
    assert 0 <= t_tail(factor * t, f) <= near <= 0.5
    assert near >= t_tail(t, factor * f) * (1 - 1e-11)
    assert near >= normal_tail(t) * (1 - 1e-11)
    assert t_tail(t, f) + t_tail(-t, f) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("f", [*FREEDOMS, math.inf])
def test_t_quantiles_turn_tails_back(f: float) -> None:
    for tail in TAILS:
        t = t_quantile(tail, f)
        assert t_tail(t, f) == pytest.approx(tail, rel=1e-12)
        if 1 <= f < 1e4:
            assert t == pytest.approx(stats.t.isf(tail, f), rel=1e-9)


def test_t_quantiles_that_are_far_out_are_numbers() -> None:
    for f in (0.11, 0.3):
        t = t_quantile(1e-15, f)
        assert 1e40 < t < math.inf
        assert t_tail(t, f) == pytest.approx(1e-15, rel=1e-9)


# F


@pytest.mark.slow
@pytest.mark.parametrize("f", FREEDOMS)
@pytest.mark.parametrize("p", [1, 2, 3, 4, 5, 8, 19, 40])
def test_f_tails_to_many_digits(p: int, f: float) -> None:
    for x in (1e-6, 0.01, 0.1, 0.5, 0.9, 1, 1.1, 2, 3, 5, 10, 50, 1e3):
        expected = beyond(p * x / f, p, f)
        assert f_tail(x, p, f) == pytest.approx(expected, rel=1e-11, abs=1e-300), x
        if f < 1e3:
            assert f_tail(x, p, f) == pytest.approx(stats.f.sf(x, p, f), rel=1e-11), x


@pytest.mark.parametrize("p", [1, 2, 5])
def test_f_tails_at_the_ends(p: int) -> None:
    assert f_tail(0.0, p, 7.5) == 1
    assert f_tail(-1.0, p, 7.5) == 1
    assert f_tail(math.inf, p, 7.5) == 0
    assert math.isnan(f_tail(math.nan, p, 7.5))
    assert f_tail(2.0, p, math.inf) == chi_square_tail(2.0 * p, p)


@given(st.floats(0.5, 1e7), st.floats(1e-3, 30))
def test_f_of_one_direction_is_t_squared(f: float, t: float) -> None:
    assert f_tail(t * t, 1, f) == pytest.approx(2 * t_tail(t, f), rel=1e-12)


@given(st.integers(1, 30), st.floats(0.5, 1e6), st.floats(1e-3, 50), st.floats(1.001, 5))
def test_f_tails_fall(p: int, f: float, x: float, factor: float) -> None:
    near, far = f_tail(x, p, f), f_tail(factor * x, p, f)
    assert 0 <= far <= near * (1 + 1e-12) <= 1 + 1e-12
