"""Intervals where replicates have no spread, and where one method stands in for another."""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.replicate_interval import (
    METHODS,
    Replicated,
)

from given.interval_calls import NINE, at, limits

NORMAL = NormalDist()
inf, nan = float("inf"), float("nan")
every_method = pytest.mark.parametrize("method", METHODS)


# Replicates without spread


def newcombe(estimate: float, m: int, n: int, confidence: float = 0.95) -> list[float]:
    return limits(Replicated(estimate, np.full(5, estimate), sizes=(m, n)), "bca", confidence)


def test_newcombe_as_published_by_singlecasees() -> None:
    """NAP of Parker, Vannest & Davis (2011), as the README of the R package prints it.

    R's root finder stops at 1e-4, and for classes of 6 and 7 rows N is 6.5 in either place.
    """
    published = [0.5973406, 0.9860176]
    assert newcombe(38.5 / 42, 6, 7) == pytest.approx(published, abs=2e-3)
    # With the N of either class its own limits are met as closely as they were printed.
    z = NORMAL.inv_cdf(0.975)
    for limit, sign in zip(published, (1, -1), strict=True):
        V = limit * (1 - limit) / 42 * (1 + 5.5 * ((1 - limit) / (2 - limit) + limit / (1 + limit)))
        assert 38.5 / 42 - limit == pytest.approx(sign * z * V**0.5, abs=2e-4)


@pytest.mark.parametrize("estimate", [0.0, 0.02, 0.5, 38.5 / 42, 0.999, 1.0])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 9), (6, 7), (30, 400), (10**6, 10**6)])
def test_newcombe_limits_are_the_roots_of_the_polynomial(estimate: float, m: int, n: int) -> None:
    """Without fractions: m n (A - t)^2 (2 - t) (1 + t) = z^2 p (2 + p + s a + l b).

    With A the estimate, p = t (1 - t), s and l one less than the smaller and the larger class, and
    a and b the smaller and the larger of (1 - t) (1 + t) and t (2 - t). In exact arithmetic the
    sides change order within a hair of each limit that is not an end of the range.
    """
    z, exact = Fraction(NORMAL.inv_cdf(0.975)), Fraction(estimate)
    small, large = min(m, n) - 1, max(m, n) - 1

    def excess(t: Fraction) -> Fraction:
        p = t * (1 - t)
        a, b = sorted([(1 - t) * (1 + t), t * (2 - t)])
        spread = 2 + p + small * a + large * b
        return m * n * (exact - t) ** 2 * (2 - t) * (1 + t) - z**2 * p * spread

    low, high = map(Fraction, newcombe(estimate, m, n))
    hair = Fraction(1, 10**13)
    assert low <= estimate <= high
    assert low == 0 if estimate == 0 else excess(low - hair) > 0 > excess(low + hair)
    assert high == 1 if estimate == 1 else excess(high - hair) < 0 < excess(high + hair)


def test_newcombe_is_symmetric() -> None:
    low, high = newcombe(0.3, 4, 9)
    assert newcombe(0.7, 9, 4) == pytest.approx([1 - high, 1 - low], abs=1e-15)


@every_method
@pytest.mark.parametrize("size", [1, 2, 1000])
def test_perfect_separation_leaves_an_informative_bound(method: str, size: int) -> None:
    found = at(Replicated(1.0, np.ones(size), sizes=(10, 10)), method, 0.9, 0.95)
    assert found.method == "newcombe"
    why = "all replicates are equal" if size > 1 else "one replicate has no spread"
    assert found.note.startswith(f"{why}: Newcombe's (2006) method 5")
    assert found.high.tolist() == [1.0, 1.0]
    # (1 - t)^2 = z^2 V(t) in closed form is a cubic; its root at z = 1.96 to four places.
    assert found.low[1] == pytest.approx(0.8002, abs=5e-5)
    assert 0.8002 < found.low[0] < 1


def test_more_rows_bring_the_bound_closer_to_1() -> None:
    lows = [newcombe(1.0, n, n)[0] for n in (1, 2, 5, 10, 100, 1000)]
    assert lows == sorted(lows)
    assert lows[0] > 0
    assert lows[-1] > 0.995


def test_rounding_is_no_spread() -> None:
    noisy = np.ones(100)
    noisy[::3] -= 2.0**-52
    exact, other = (
        at(Replicated(1.0, x, sizes=(5, 5)), "percentile", 0.9) for x in (np.ones(9), noisy)
    )
    assert other.method == exact.method == "newcombe"
    assert other.low == exact.low


def test_polar_area_takes_the_square_of_the_bound() -> None:
    top = 1.2990381056766578
    for share in (0.3, 1.0):
        area = share**2 * top
        data = Replicated(area, np.full(9, area), (0.0, top), sizes=(8, 12), from_auc=FromAuc(2))
        wanted = [top * limit**2 for limit in newcombe(share, 8, 12)]
        assert limits(data, "bca", 0.95) == pytest.approx(wanted, rel=1e-12)


def test_bound_scales_with_the_range() -> None:
    data = Replicated(3.0, np.full(9, 3.0), (-1.0, 3.0), sizes=(8, 12))
    wanted = [4 * limit - 1 for limit in newcombe(1.0, 8, 12)]
    assert limits(data, "bca", 0.95) == pytest.approx(wanted)


def test_lower_bound_for_perfect_separation_spends_all_its_error_there() -> None:
    data = Replicated(1.0, np.ones(9), sizes=(10, 10))
    assert limits(data, "bca", 0.95, "lower") == pytest.approx(newcombe(1.0, 10, 10, 0.9))
    assert limits(data, "bca", 0.95, "upper") == [0.0, 1.0]
    assert limits(data, "bca", 0.3, "lower") == [1.0, 1.0]  # below one half, beyond the estimate


@pytest.mark.parametrize("options", [{}, {"bounds": (-inf, inf), "sizes": (3, 3)}])
def test_no_spread_and_no_classes_is_a_point_that_says_so(options: Any) -> None:
    found = at(Replicated(0.25, np.full(9, 0.25), **options), "studentized", 0.95)
    assert (found.low[0], found.high[0], found.method) == (0.25, 0.25, "percentile")
    assert found.note == "all replicates are equal, and the interval is a point"


# Where one method stands in for another


@pytest.mark.parametrize(
    ("method", "estimate", "options", "why"),
    [
        ("bca", 0.5, {}, "the acceleration is unknown"),
        ("bca", 0.5, {"acceleration": nan}, "the acceleration is unknown"),
        ("bca", 0.05, {"acceleration": 0.0}, "all replicates lie above the estimate"),
        ("bca", 0.95, {"acceleration": 0.0}, "all replicates lie below the estimate"),
        ("studentized", 0.5, {}, "the standard error is unknown"),
        ("studentized", 0.5, {"error": 0.1}, "the standard error is unknown"),
        ("studentized", 0.5, {"errors": NINE}, "the standard error is unknown"),
        ("studentized", 0.5, {"errors": NINE, "error": nan}, "the standard error is unknown"),
        ("studentized", 0.5, {"errors": NINE, "error": 0.0}, "the standard error is zero"),
        ("studentized", 0.5, {"errors": NINE * nan, "error": 0.1},
         "no replicate has a standard error"),
    ],
)  # fmt: skip
def test_percentile_stands_in(method: str, estimate: float, options: Any, why: str) -> None:
    data = Replicated(estimate, NINE, sizes=(3, 3), **options)
    found = at(data, method, 0.5, 0.9)
    plain = at(data, "percentile", 0.5, 0.9)
    assert found.method == "percentile"
    assert found.note == f"percentile instead of {method}: {why}"
    assert (found.low == plain.low).all()
    assert (found.high == plain.high).all()
    assert plain.note == ""


def test_bca_beyond_its_pole_stays_at_the_outermost_replicate() -> None:
    # a (z0 + z) reaches 1 at z = 6, which is the quantile at 1 - 1e-9.
    data = Replicated(0.5, NINE, acceleration=1 / 6)
    found = at(data, "bca", 0.9, 1 - 1e-10)
    assert found.method == "bca"
    assert found.note == "bca reaches the outermost replicate at some limits"
    assert found.high[1] == NINE.max()
    assert found.low[1] > NINE.min()
    assert limits(data, "bca", 0.9) == [found.low[0], found.high[0]]
    assert at(data, "bca", 0.9).note == ""


AT_THE_END = Replicated(
    1.0,
    np.array([1, 1, 1, 0.98, 0.99, 1, 1, 1.0]),
    acceleration=-0.1,
    errors=np.full(8, 0.01),
    error=0.01,
    sizes=(5, 5),
)


@pytest.mark.parametrize("method", ["bca", "percentile", "normal"])
def test_estimate_at_the_end_of_its_range_with_spread_below(method: str) -> None:
    found = at(AT_THE_END, method, 0.95)
    assert (found.method, found.note) == (method, "")
    assert found.low[0] < 1.0 == found.high[0]


@pytest.mark.parametrize("method", ["basic", "studentized"])
def test_mirrored_intervals_do_not_shrink_to_the_end_of_the_range(method: str) -> None:
    found = at(AT_THE_END, method, 0.95)
    assert found.method == "percentile"
    assert found.note == (
        f"percentile instead of {method}: the estimate is at the end of its range"
    )
    assert found.low[0] < 1.0 == found.high[0]


@pytest.mark.parametrize("f", [0.05, 0.3, 0.9])
def test_a_partial_area_is_bounded_by_the_whole_one(f: float) -> None:
    # An area of A has at least A - (1 - f) of itself below f, the rest being at most 1 - f.
    bottom = (1 - f / (2 - f)) / 2
    data = Replicated(
        1.0, np.ones(9), (bottom, 1.0), sizes=(10, 20), from_auc=pr.Auc(max_fpr=f).from_auc
    )
    least = max(newcombe(1.0, 10, 20)[0] - (1 - f), 0.0)
    low, high = limits(data, "bca", 0.95)
    assert low == pytest.approx((1 + (least - f * f / 2) / (f - f * f / 2)) / 2)
    assert high == 1.0
