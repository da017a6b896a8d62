"""Duncan's and Tukey's ranges by table, integral and scipy, and the groups that they make."""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from polyroc._stats.multiple_range import RangeTest, duncan_quantiles, range_test, tukey_quantiles
from polyroc._stats.studentized_range import studentized_range_quantile
from scipy import stats

# Tensile strength by percentage of cotton, 5 specimens each (D. C. Montgomery, Design and Analysis
# of Experiments): one-way, error mean square 8.06 with 20 degrees of freedom.
COTTON = {
    15: [7, 7, 15, 11, 9],
    20: [12, 17, 12, 18, 18],
    25: [14, 18, 18, 19, 19],
    30: [19, 25, 22, 19, 23],
    35: [7, 10, 11, 15, 11],
}


def groups_of(
    means: Any, quantiles: Any, error: float = 1.0, rounding: float = 0.0, names: Any = None
) -> tuple[tuple[Any, ...], ...]:
    names = tuple(range(len(means))) if names is None else names
    return range_test(
        "test", np.array(quantiles, dtype=float), names, np.array(means, dtype=float),
        alpha=0.05, mean_square=error**2, df=10, n_folds=1, rounding=rounding,
    ).groups  # fmt: skip


def cotton(quantiles: NDArray[np.float64]) -> RangeTest:
    means = np.array([np.mean(group) for group in COTTON.values()])
    square = float(np.mean([np.var(group, ddof=1) for group in COTTON.values()]))
    assert square == pytest.approx(8.06)
    return range_test(
        "test", quantiles, tuple(COTTON), means,
        alpha=0.05, mean_square=square, df=20, n_folds=5,
    )  # fmt: skip


def range_probability(q: float, p: int, df: int) -> float:
    """P(range of p normal means <= q s), s^2 df a chi-square: the double integral on a grid."""
    z = np.linspace(-8.0, 8.0, 801)
    u = (np.arange(1600) + 0.5) / 1600  # midpoints, in the probability of s
    s = np.sqrt(stats.chi2.ppf(u, df) / df)
    inside = stats.norm.cdf(z) - stats.norm.cdf(z - q * s[:, np.newaxis])
    return float(np.mean(np.trapezoid(p * stats.norm.pdf(z) * inside ** (p - 1), z, axis=1)))


def test_duncans_ranges_are_those_of_the_tables() -> None:
    # 5 %, 10 degrees of freedom, p = 2, 3, 4: D. B. Duncan, Biometrics 11, 1955, as corrected by
    # H. L. Harter, Critical values for Duncan's new multiple range test, Biometrics 16, 1960.
    assert duncan_quantiles(4, 10, 0.05) == pytest.approx(np.array([3.151, 3.293, 3.376]), abs=6e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("df", "alpha"), [(10, 0.05), (20, 0.01), (72, 0.05)])
def test_ranges_have_their_probabilities(df: int, alpha: float) -> None:
    for p, q in zip((2, 3, 4, 5), duncan_quantiles(5, df, alpha), strict=True):
        assert range_probability(q, p, df) == pytest.approx((1 - alpha) ** (p - 1), abs=2e-5)
    q = tukey_quantiles(5, df, alpha)[0]
    assert range_probability(q, 5, df) == pytest.approx(1 - alpha, abs=2e-5)


def test_ranges_never_fall_with_the_number_of_means() -> None:
    # With 2 degrees of freedom the bare quantiles fall: 6.085, 5.814, 5.557.
    bare = [studentized_range_quantile(0.95 ** (p - 1), p, 2) for p in (2, 3, 4)]
    assert bare[0] > bare[1] > bare[2]
    assert duncan_quantiles(4, 2, 0.05).tolist() == [bare[0]] * 3


@pytest.mark.parametrize(("df", "alpha"), [(1, 0.05), (1, 1e-6), (72, 0.05), (9, 1e-10), (4, 0.9)])
def test_two_means_are_the_t_test_for_both(df: int, alpha: float) -> None:
    # scipy's own studentised range is wrong far out: 7,407 in the place of 900,316 at 1e-6.
    t = math.sqrt(2) * stats.t.isf(alpha / 2, df)
    assert duncan_quantiles(2, df, alpha)[0] == pytest.approx(t, rel=1e-6)
    assert tukey_quantiles(2, df, alpha)[0] == pytest.approx(t, rel=1e-6)


@pytest.mark.slow
def test_levels_that_scipy_cannot_serve_are_refused() -> None:
    message = r"the studentised range of 3 means with 2 degrees of freedom is not known to scipy "
    with pytest.raises(ValueError, match=message + r".*; use a larger alpha, or more folds$"):
        tukey_quantiles(3, 2, 1e-8)


def test_duncan_on_a_textbook_example() -> None:
    test = cotton(duncan_quantiles(5, 20, 0.05))
    # R_p = r_p sqrt(8.06 / 5) = r_p 1.27, with r_p = 2.95, 3.10, 3.19, 3.25.
    assert test.standard_error == pytest.approx(1.27, abs=5e-4)
    assert test.ranges == pytest.approx([3.75, 3.94, 4.05, 4.13], abs=0.011)
    # 25 - 20: 2.2 and 35 - 15: 1.0 lie below 3.75; 20 - 35: 4.6 and 30 - 25: 4.0 above.
    assert test.groups == ((30,), (25, 20), (35, 15))
    assert not test.differ(25, 20)
    assert test.differ(20, 35)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
def test_tukeys_groups_are_scipys(alpha: float) -> None:
    test = cotton(tukey_quantiles(5, 20, alpha))
    p_values = stats.tukey_hsd(*COTTON.values()).pvalue
    for i, one in enumerate(COTTON):
        for j, other in enumerate(COTTON):
            assert test.differ(one, other) == (p_values[i, j] < alpha), (one, other)


def test_tukey_finds_no_difference_that_duncan_does_not() -> None:
    duncan, tukey = cotton(duncan_quantiles(5, 20, 0.05)), cotton(tukey_quantiles(5, 20, 0.05))
    assert (tukey.ranges >= duncan.ranges).all()
    pairs = [(a, b) for a in COTTON for b in COTTON]
    assert all(duncan.differ(a, b) for a, b in pairs if tukey.differ(a, b))
    # 30 and 25 differ by 4.0: above Duncan's 3.75, below Tukey's 5.37.
    assert duncan.differ(30, 25)
    assert not tukey.differ(30, 25)


@pytest.mark.slow
def test_how_often_equal_classifiers_are_told_apart() -> None:
    # Any difference needs the range of all c means to exceed its limit: 1 - 0.95^(c - 1) by Duncan,
    # 0.05 by Tukey. Six classifiers that are alike, ten folds, 20,000 times.
    r, c, n = 10, 6, 20_000
    x = np.random.default_rng(11).normal(size=(n, r, c))
    means = x.mean(axis=1)
    residuals = x - means[:, np.newaxis] - x.mean(axis=2)[:, :, np.newaxis]
    residuals += x.mean(axis=(1, 2))[:, np.newaxis, np.newaxis]
    df = (r - 1) * (c - 1)
    error = np.sqrt(np.sum(residuals**2, axis=(1, 2)) / df / r)
    ratio = np.ptp(means, axis=1) / error
    duncan = float(np.mean(ratio > duncan_quantiles(c, df, 0.05)[-1]))
    tukey = float(np.mean(ratio > tukey_quantiles(c, df, 0.05)[-1]))
    # Four standard errors of a share of 20,000: 0.012 and 0.006.
    assert duncan == pytest.approx(1 - 0.95**5, abs=0.012)
    assert tukey == pytest.approx(0.05, abs=0.0065)


# Groups


def test_groups_overlap_and_begin_with_the_highest_mean() -> None:
    found = groups_of([1.0, 4.0, 3.0, 2.0], [1.5, 1.5, 1.5], names="abcd")
    assert found == (("b", "c"), ("c", "d"), ("d", "a"))


def test_a_subset_of_a_homogeneous_set_is_homogeneous() -> None:
    # The outer two means, 3 apart, lie within R_3 = 3; the inner step of 2.9 exceeds R_2 = 1, but
    # no pair within the set may be called different.
    assert groups_of([3.0, 2.9, 0.0], [1.0, 3.0]) == ((0, 1, 2),)
    assert groups_of([3.1, 2.9, 0.0], [1.0, 3.0]) == ((0, 1), (2,))


def test_a_range_that_equals_its_limit_does_not_exceed_it() -> None:
    assert groups_of([2.0, 1.0], [1.0]) == ((0, 1),)
    assert groups_of([np.nextafter(2.0, 3.0), 1.0], [1.0]) == ((0,), (1,))


def test_without_error_equal_means_alone_share_a_group() -> None:
    means = [0.3, 0.1 + 0.2, 0.9]
    assert groups_of(means, [3.0, 3.3], error=0.0, rounding=1e-15) == ((2,), (1, 0))
    assert groups_of([0.5] * 4, [3.0] * 3, error=0.0) == ((0, 1, 2, 3),)


@given(
    st.lists(st.integers(0, 20), min_size=2, max_size=8),
    st.lists(st.integers(0, 12), min_size=7, max_size=7).map(sorted),
)
def test_groups_are_maximal_runs_of_ranked_means(means: list[int], limits: list[int]) -> None:
    names = tuple(range(len(means)))
    found = groups_of(means, limits[: len(means) - 1])
    ranked = sorted(names, key=lambda k: -means[k])
    places = [[ranked.index(name) for name in group] for group in found]
    assert {name for group in found for name in group} == set(names)
    for run in places:
        assert run == list(range(run[0], run[-1] + 1))
    for one, other in pairwise(places):
        assert one[0] < other[0]
        assert one[-1] < other[-1]
    # Duncan's rule, pair by pair: different if every run that holds both exceeds its limit.
    for i in range(len(means)):
        for j in range(i + 1, len(means)):
            together = any(
                means[ranked[a]] - means[ranked[b]] <= limits[b - a - 1]
                for a in range(i + 1)
                for b in range(j, len(means))
            )
            assert any(i in run and j in run for run in places) == together


def test_names_that_were_not_compared() -> None:
    test = cotton(tukey_quantiles(5, 20, 0.05))
    with pytest.raises(
        ValueError, match=r"40 was not compared; choose one of \[30, 25, 20, 35, 15"
    ):
        test.differ(15, 40)


def test_without_scipy_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    message = r'bradley needs scipy; install it with pip install "polyroc\[stats\]"$'
    with pytest.raises(ModuleNotFoundError, match=message) as caught:
        studentized_range_quantile(0.123, 3, 7)
    assert caught.value.name == "scipy"
