"""Intervals from replicates: worked numbers, SciPy's on the same resamples, and what must hold."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from polyroc._stats.replicate_interval import (
    METHODS,
    SIDES,
    Replicated,
    check_confidence,
    check_method,
    interval,
)
from scipy import stats

from given.interval_calls import NINE, at, limits
from given.refusals import refused

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


# What must hold for any data


GRID = 40


def share(least: int = 0) -> st.SearchStrategy[float]:
    return st.integers(least, GRID).map(lambda k: k / GRID)


@st.composite
def any_data(draw: st.DrawFn) -> Replicated:
    """On a coarse grid: ties, constant replicates and zero errors are common."""
    replicates = draw(st.lists(share(), min_size=1, max_size=30))
    n = len(replicates)
    errors = draw(st.none() | st.lists(share() | st.just(nan), min_size=n, max_size=n))
    return Replicated(
        draw(share()),
        np.array(replicates),
        draw(st.sampled_from([(0.0, 1.0), (-0.5, 2.0), (0.25, 0.75)])),
        acceleration=draw(st.none() | st.floats(-1 / 6, 1 / 6)),
        errors=None if errors is None else np.array(errors),
        error=draw(st.none() | share()),
        sizes=draw(st.none() | st.tuples(st.integers(1, 50), st.integers(1, 10**4))),
        power=draw(st.integers(1, 2)),
    )


def levels() -> st.SearchStrategy[float]:
    plain = st.floats(0, 1, exclude_min=True, exclude_max=True)
    return plain | st.sampled_from([5e-324, 1e-17, 0.5, 0.9, 0.95, 0.999, 1 - 2.0**-53])


anything = given(any_data(), st.sampled_from(METHODS), st.lists(levels(), min_size=1, max_size=6))
any_sides = pytest.mark.parametrize("sides", SIDES)


@any_sides
@anything
def test_limits_are_ordered_and_within_the_range(
    sides: str, data: Replicated, method: str, confidence: list[float]
) -> None:
    found = at(data, method, *confidence, sides=sides)
    bottom, top = data.bounds
    assert found.low.shape == found.high.shape == (len(confidence),)
    assert (bottom <= found.low).all()
    assert (found.low <= found.high).all()
    assert (found.high <= top).all()
    assert found.note or found.method == method


@any_sides
@anything
def test_more_confidence_never_narrows(
    sides: str, data: Replicated, method: str, confidence: list[float]
) -> None:
    found = at(data, method, *sorted(confidence), sides=sides)
    assert (np.diff(found.low) <= 1e-12).all()
    assert (np.diff(found.high) >= -1e-12).all()


@any_sides
@anything
def test_levels_do_not_depend_on_each_other(
    sides: str, data: Replicated, method: str, confidence: list[float]
) -> None:
    together = at(data, method, *confidence, sides=sides)
    for k, level in enumerate(confidence):
        alone = at(data, method, level, sides=sides)
        assert (alone.low[0], alone.high[0]) == (together.low[k], together.high[k])
        assert alone.method == together.method


@given(any_data(), st.sampled_from(METHODS), st.integers(1, 99))
def test_one_sided_limit_is_the_two_sided_one_at_twice_the_error(
    data: Replicated, method: str, percent: int
) -> None:
    two = limits(data, method, 1 - 2 * (percent / 200))
    assert limits(data, method, 1 - percent / 200, "lower")[0] == pytest.approx(two[0], abs=1e-9)
    assert limits(data, method, 1 - percent / 200, "upper")[1] == pytest.approx(two[1], abs=1e-9)


@given(any_data(), st.sampled_from(METHODS), st.randoms(use_true_random=False))
def test_order_of_replicates_does_not_matter(data: Replicated, method: str, random: Any) -> None:
    order = list(range(len(data.replicates)))
    random.shuffle(order)
    options = {**vars(data), "replicates": data.replicates[order]}
    if data.errors is not None:
        options["errors"] = data.errors[order]
    assert limits(Replicated(**options), method, 0.9) == pytest.approx(limits(data, method, 0.9))


@given(
    any_data(),
    st.sampled_from(["bca", "percentile", "basic", "normal"]),
    st.integers(-64, 64),
    st.sampled_from([0.5, 1.0, 8.0]),
)
def test_without_bounds_the_interval_moves_and_scales_with_the_measure(
    data: Replicated, method: str, shift: int, scale: float
) -> None:
    assume(np.ptp(data.replicates) > 0)
    free = Replicated(data.estimate, data.replicates, (-inf, inf), data.acceleration)
    moved = Replicated(
        scale * data.estimate + shift, scale * data.replicates + shift, (-inf, inf),
        data.acceleration,
    )  # fmt: skip
    wanted = [scale * limit + shift for limit in limits(free, method, 0.9)]
    assert limits(moved, method, 0.9) == pytest.approx(wanted, abs=1e-9)


def test_a_million_replicates_are_sorted_not_searched_per_level() -> None:
    rng = np.random.default_rng(0)
    data = Replicated(0.8, rng.normal(0.8, 0.01, 10**6), acceleration=0.01)
    confidence = np.linspace(0.5, 0.999, 400)
    low, high, method, _ = interval(data, "bca", confidence)
    assert method == "bca"
    assert (np.diff(low) <= 0).all()
    assert (np.diff(high) >= 0).all()


# Bad input


@pytest.mark.parametrize(
    ("given", "levels", "scalar"),
    [
        (0.95, [0.95], True),
        (np.float32(0.5), [0.5], True),
        (np.array(0.95), [0.95], True),
        ([0.95], [0.95], False),
        ((0.9, 0.95), [0.9, 0.95], False),
        (np.array([0.9, 0.95]), [0.9, 0.95], False),
    ],
)
def test_confidence(given: Any, levels: list[float], scalar: bool) -> None:
    checked, was_scalar = check_confidence(given)
    assert checked.dtype == np.float64
    assert checked.tolist() == levels
    assert was_scalar is scalar


@pytest.mark.parametrize(
    ("given", "error", "begins"),
    [
        (1.5, ValueError, r"confidence is 1\.5; it must lie in \(0, 1\), as 0\.95 for 95 %$"),
        (95, ValueError, r"confidence is 95; it must lie in \(0, 1\)"),
        (0, ValueError, r"confidence is 0; it must lie in"),
        (1.0, ValueError, r"confidence is 1\.0; it must lie in"),
        (nan, ValueError, r"confidence is nan; it must lie in"),
        (-inf, ValueError, r"confidence is -inf; it must lie in"),
        ([0.9, 1.5], ValueError, r"confidence\[1\] is 1\.5; it must lie in \(0, 1\)"),
        ([0.9, np.float64(2)], ValueError, r"confidence\[1\] is 2\.0; it must lie in"),
        (np.array([0.9, nan]), ValueError, r"confidence\[1\] is nan; it must lie in"),
        ([], ValueError, r"confidence is empty; pass at least one level, as 0\.95$"),
        (np.array([]), ValueError, r"confidence is empty"),
        (True, TypeError, r"confidence is True, a bool; pass a number in \(0, 1\)$"),
        ([0.9, np.True_], TypeError, r"confidence\[1\] is (np\.)?True_?, a bool; pass"),
        ("0.95", TypeError, r"confidence is '0\.95', a str; pass a number in \(0, 1\)$"),
        (["0.95"], TypeError, r"confidence\[0\] is '0\.95', a str; pass a number"),
        (None, TypeError, r"confidence is None, a NoneType; pass a number"),
        ([0.9, None], TypeError, r"confidence\[1\] is None, a NoneType; pass a number"),
        ({0.9}, TypeError, r"confidence is \{0\.9\}, a set; pass a number"),
        (0.9j, TypeError, r"confidence is 0\.9j, a complex; pass a number"),
        ([[0.9, 0.95]], TypeError, r"confidence\[0\] is \[0\.9, 0\.95\], a list; pass a number"),
    ],
)
def test_bad_confidence(given: Any, error: type[Exception], begins: str) -> None:
    refused(error, begins, check_confidence, given)


def test_bad_names() -> None:
    data, level = Replicated(0.5, NINE), np.array([0.9])
    choices = r"choose one of 'bca', 'percentile', 'basic', 'normal', 'studentized'$"
    refused(ValueError, rf"method is 'BCa'; {choices}", interval, data, "BCa", level)
    refused(ValueError, rf"method is None; {choices}", check_method, None)
    refused(ValueError, rf"method is \['bca'\]; {choices}", check_method, ["bca"])
    refused(
        ValueError, r"sides is 'both'; choose one of 'two', 'lower', 'upper'$",
        interval, data, "bca", level, "both",
    )  # fmt: skip


def test_nothing_enters_that_would_become_nan() -> None:
    refused(ValueError, r"replicates is empty; an interval needs", Replicated, 0.5, np.array([]))
    refused(ValueError, r"the estimate or a replicate is NaN; leave", Replicated, nan, NINE)
    refused(
        ValueError, r"the estimate or a replicate is NaN", Replicated, 0.5, np.array([0.5, nan])
    )
    with pytest.raises(ValueError, match=r"^errors has 2 values for 9 replicates; pass one each$"):
        Replicated(0.5, NINE, errors=np.ones(2))
    with pytest.raises(ValueError, match=r"^sizes is \(0, 3\); every class needs a row$"):
        Replicated(0.5, NINE, sizes=(0, 3))
