"""What must hold for intervals from any replicates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from polyroc._stats.confidence import SIDES
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.replicate_interval import METHODS, Replicated, interval

from given.interval_calls import at, limits

inf, nan = float("inf"), float("nan")


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
        from_auc=FromAuc(draw(st.integers(1, 2))),
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
