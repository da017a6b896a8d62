"""Intervals from replicates: worked numbers, and SciPy's on the same resamples."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from polyroc._stats.replicate_interval import Replicated
from scipy import stats

from given.interval_calls import NINE, at, limits

Floats = NDArray[np.float64]
NORMAL = NormalDist()
inf, nan = float("inf"), float("nan")


# Worked by hand


def test_percentile_is_interpolated_between_neighbours() -> None:
    # alpha = 1/16 lies at (9 - 1)/16 = 0.5 from the ends: halfway from the first to the second.
    assert limits(Replicated(0.4, NINE), "percentile", 7 / 8) == pytest.approx([0.15, 0.85])


def test_basic_mirrors_the_percentiles_about_the_estimate() -> None:
    assert limits(Replicated(0.45, NINE), "basic", 3 / 4) == pytest.approx([0.1, 0.7])


def test_normal_uses_the_standard_deviation_with_n_minus_1() -> None:
    se = (0.6 / 8) ** 0.5  # squares of 0.1, 0.2, 0.3, 0.4 twice, by 9 - 1
    half = 1.2815515655446004 * se  # the normal quantile at 0.9
    wanted = [0.5 - half, 0.5 + half]
    assert limits(Replicated(0.5, NINE), "normal", 0.8) == pytest.approx(wanted)


def test_bca_without_bias_or_acceleration_is_percentile() -> None:
    data = Replicated(0.5, NINE, acceleration=0.0)
    found, plain = at(data, "bca", 0.5, 0.9), at(data, "percentile", 0.5, 0.9)
    assert found.method == "bca"
    assert found.low == pytest.approx(plain.low)
    assert found.high == pytest.approx(plain.high)


def test_bca_follows_the_formula_and_halves_ties() -> None:
    data = Replicated(0.3, NINE, acceleration=0.1)
    z0 = NORMAL.inv_cdf((2 + 0.5) / 9)  # 0.1 and 0.2 below, 0.3 the estimate itself
    places = [
        NORMAL.cdf(z0 + (z0 + z) / (1 - 0.1 * (z0 + z)))
        for z in (NORMAL.inv_cdf(0.1), NORMAL.inv_cdf(0.9))
    ]
    assert limits(data, "bca", 0.8) == pytest.approx(np.quantile(NINE, places))


@pytest.mark.parametrize("towards", [0, 1])
def test_bca_ties_what_only_rounding_separates(towards: int) -> None:
    noisy = NINE.copy()
    noisy[3] = np.nextafter(0.3, towards)
    exact, other = (Replicated(0.3, values, acceleration=0.1) for values in (NINE, noisy))
    assert limits(exact, "bca", 0.8) == pytest.approx(limits(other, "bca", 0.8))


def studentized(estimate: float, replicates: list[float], errors: list[float]) -> Replicated:
    return Replicated(estimate, np.array(replicates), errors=np.array(errors), error=0.1)


@pytest.mark.parametrize("spelling", ["studentized", "studentised"])
def test_studentized_turns_the_tails_around(spelling: str) -> None:
    data = studentized(0.5, [0.3, 0.4, 0.6, 0.7, 0.9], [0.1, 0.1, 0.05, 0.1, 0.2])
    # t = -2, -1, 2, 2, 2; at alpha = 1/4 they are -1 and 2.
    assert limits(data, spelling, 0.5) == pytest.approx([0.3, 0.6])
    assert at(data, spelling, 0.5)[2:] == ("studentized", "")


def test_studentized_limit_on_an_infinite_t_is_the_end_of_the_range() -> None:
    data = studentized(0.5, [0.3, 0.4, 0.6, 0.7, 1.0], [0.1, 0.1, 0.1, 0.1, 0.0])
    # t = -2, -1, 1, 2, inf
    assert limits(data, "studentized", 0.5) == pytest.approx([0.3, 0.6])
    assert limits(data, "studentized", 0.51) == pytest.approx([0.0, 0.602])
    data = studentized(0.5, [0.1, 0.2, 0.3, 0.9, 1.0], [0.0] * 5)
    assert limits(data, "studentized", 0.5) == [0.0, 1.0]


def test_studentized_leaves_out_replicates_without_t() -> None:
    kept = studentized(0.5, [0.3, 0.4, 0.6, 0.7, 0.9], [0.1, 0.1, 0.05, 0.1, 0.2])
    more = studentized(0.5, [0.3, 0.5, 0.4, 0.6, 0.8, 0.7, 0.9], [0.1, 0, 0.1, 0.05, nan, 0.1, 0.2])
    assert limits(more, "studentized", 0.8) == limits(kept, "studentized", 0.8)
    assert at(more, "studentized", 0.8).note == "left out 2 of 7 replicates, which have no t"


def test_studentized_takes_rounding_for_zero() -> None:
    replicates, errors = [0.3, 0.5 + 2.0**-50, 0.5, 0.6, 0.9], [0.1, 0.0, 2.0**-60, 0.1, 2.0**-60]
    data = studentized(0.5, replicates, errors)
    # t = -2, none, none, 1, inf
    assert at(data, "studentized", 0.5).note == "left out 2 of 5 replicates, which have no t"
    assert limits(data, "studentized", 0.5) == pytest.approx([0.0, 0.55])


def test_one_sided_intervals_end_at_the_range() -> None:
    data = Replicated(0.45, NINE, bounds=(-1.0, 2.0))
    assert limits(data, "percentile", 7 / 8, "lower") == pytest.approx([0.2, 2.0])
    assert limits(data, "percentile", 7 / 8, "upper") == pytest.approx([-1.0, 0.8])


def test_limits_stop_at_the_range() -> None:
    data = Replicated(0.9, NINE)
    assert limits(data, "basic", 0.99)[1] == 1.0
    assert limits(data, "normal", 0.99)[1] == 1.0


# SciPy on the same resamples


SKEWED = np.random.default_rng(1).exponential(size=25)


def mean_of(level: float, method: str, alternative: str = "two-sided") -> Any:
    return stats.bootstrap(
        (SKEWED,), np.mean, n_resamples=1999, confidence_level=level, method=method,
        alternative=alternative, rng=7,
    )  # fmt: skip


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("method", ["percentile", "basic", "BCa"])
@pytest.mark.parametrize(
    ("alternative", "sides"), [("two-sided", "two"), ("greater", "lower"), ("less", "upper")]
)
def test_mean_as_in_scipy(level: float, method: str, alternative: str, sides: str) -> None:
    theirs = mean_of(level, method, alternative)
    away = SKEWED - SKEWED.mean()  # the jackknife's influence values, up to a factor
    data = Replicated(
        float(SKEWED.mean()), theirs.bootstrap_distribution, (-inf, inf),
        acceleration=float((away**3).sum() / (6 * (away**2).sum() ** 1.5)),
    )  # fmt: skip
    ours = limits(data, method.lower(), level, sides)
    assert ours == pytest.approx(list(theirs.confidence_interval), rel=1e-10)


def auc(x: Floats, y: Floats, axis: int = -1) -> Any:
    above = x[..., :, None] - y[..., None, :]
    return ((above > 0) + (above == 0) / 2).mean(axis=(-2, -1))


def jackknifed(x: Floats, y: Floats) -> float:
    """The acceleration of two samples: influence l = (n - 1) (mean - value without a) / n."""
    left = [np.array([auc(np.delete(x, a), y) for a in range(len(x))]),
            np.array([auc(x, np.delete(y, b)) for b in range(len(y))])]  # fmt: skip
    values = [(len(rest) - 1) * (rest.mean() - rest) / len(rest) for rest in left]
    every = np.concatenate(values)
    return float((every**3).sum() / (6 * (every**2).sum() ** 1.5))


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_auc_with_its_many_ties_by_bca_as_in_scipy(level: float) -> None:
    x = np.array([3, 5, 5, 6, 7, 8, 8, 9.0])
    y = np.array([1, 2, 2, 3, 4, 5, 6.0])
    theirs = stats.bootstrap(
        (x, y), auc, n_resamples=999, vectorized=True, method="BCa", confidence_level=level, rng=3
    )
    data = Replicated(
        float(auc(x, y)), theirs.bootstrap_distribution, acceleration=jackknifed(x, y)
    )
    ours = limits(data, "bca", level)
    assert ours == pytest.approx(list(theirs.confidence_interval), rel=1e-10)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40), st.floats(1e-9, 1 - 1e-9))
def test_percentile_as_numpy_interpolates(values: list[float], level: float) -> None:
    x = np.array(values)
    assume(np.ptp(x) > 1e-6 * abs(x).max())
    tails = [(1 - level) / 2, 1 - (1 - level) / 2]
    ours = limits(Replicated(0.0, x, (-inf, inf)), "percentile", level)
    assert ours == pytest.approx(np.quantile(x, tails), abs=1e-14 * abs(x).max())
