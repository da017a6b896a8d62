"""Limits by Student's t: the formulas one line at a time, order, range, levels, mirrors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polyroc._core import Estimated
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import Scale, closed_interval
from polyroc._stats.normal_test import closed_test
from polyroc._stats.sided_limits import Spread

from oracle.delong_reference import Data, scored
from oracle.leverage_reference import effective_sizes, known_by_derivatives
from oracle.sided_reference import sided

TAILS = [0.4, 0.1, 0.025, 0.0005]
shares = st.floats(0, 1)
errors = st.floats(1e-5, 0.4)
freedoms = st.floats(1, 500)
pulls = st.floats(1e-4, 1)


def auc(x: float, error: float, f: float, plain_f: float, k: float) -> Estimated:
    V = error**2
    return Estimated(x, Spread(V, V**2 / f, V**2 / plain_f, k), (0.0, 1.0), 1)


@given(shares, errors, freedoms, freedoms, pulls, st.sampled_from(TAILS))
def test_limits_are_those_of_the_formulas(
    x: float, error: float, f: float, plain_f: float, k: float, tail: float
) -> None:
    found = auc(x, error, f, plain_f, k).limits(tail)
    if 1e-9 < x < 1 - 1e-9:
        assert found == pytest.approx(sided(x, error**2, f, plain_f, k, tail), rel=1e-7, abs=1e-9)


@given(shares, errors, freedoms, freedoms, pulls)
def test_limits_are_in_order_in_range_and_wider_at_higher_levels(
    x: float, error: float, f: float, plain_f: float, k: float
) -> None:
    found = auc(x, error, f, plain_f, k)
    lows, highs = (list(ends) for ends in zip(*map(found.limits, TAILS), strict=True))
    assert 0 <= min(lows)
    assert max(highs) <= 1
    assert lows == sorted(lows, reverse=True)
    assert highs == sorted(highs)
    assert lows[0] <= x + 1e-12
    assert highs[0] >= x - 1e-12
    inner, outer = found.limits(0.5)[:: 1 if x >= 0.5 else -1]
    # Half a row that knows nothing lies between the estimate and chance.
    assert abs(inner - 0.5) <= abs(x - 0.5) + 1e-12
    assert outer == pytest.approx(x, abs=1e-12)


@given(shares, errors, freedoms, freedoms, pulls, st.sampled_from(TAILS))
def test_limits_of_the_mirrored_share_are_mirrored(
    x: float, error: float, f: float, plain_f: float, k: float, tail: float
) -> None:
    x = round(x, 6)
    low, high = auc(x, error, f, plain_f, k).limits(tail)
    turned = auc(1 - x, error, f, plain_f, k).limits(tail)
    if x != 0.5:
        assert turned == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(
    st.sampled_from([0.0, 1.0]) | st.floats(0.01, 0.99), st.just(0.0) | errors, freedoms, pulls,
    st.floats(0.001, 0.999), st.integers(1, 2),
)  # fmt: skip
def test_p_values_are_the_tails_of_limits(
    x: float, error: float, f: float, k: float, null: float, degree: int
) -> None:
    scale = Scale((0.0, 2.0), FromAuc(degree), (8, 9))
    V = error**2
    spread = Spread(V, V**2 / f, V**2 / (2 * f), k)
    for alternative, sides, side in (("greater", "lower", "low"), ("less", "upper", "high")):
        p = closed_test(2 * x, error, scale, 2 * null, alternative, "logit", spread).p_value
        assert 0 <= p <= 1
        if 1e-6 < p < 1 - 1e-6:
            levels = np.array([1 - p])
            found = closed_interval(2 * x, error, scale, levels, sides, "logit", spread)
            assert getattr(found, side)[0] == pytest.approx(2 * null, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(("m", "n"), [(5, 50), (20, 20), (10, 1000)])
def test_separation_has_the_exact_limit_of_rows_won_or_lost(m: int, n: int) -> None:
    y = np.repeat([1, 0], [m, n])
    for level in (0.5, 0.8, 0.95, 0.999):
        tail = (1 - level) / 2
        apart = pr.delong(y, y * 1.0, "auc", confidence=level)
        expected = sided(1.0, 0.0, math.inf, math.inf, 1 / min(m, n), tail)
        np.testing.assert_allclose(apart.interval, expected, rtol=1e-12)
        assert apart.interval[0] <= tail ** (1 / min(m, n)) + 1e-15
        turned = pr.delong(y, -y * 1.0, "auc", confidence=level)
        np.testing.assert_allclose(turned.interval, 1 - apart.interval[::-1], atol=1e-12)


DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "counts vary": {"stratify": False},
    "weights": {"w": 0.5 + np.arange(40) % 6},
    "mixed groups": {"groups": np.arange(40) // 3, "stratify": False},
}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_intervals_of_an_auc_from_its_rows(design: str, shift: float) -> None:
    y, P = scored([11, 29], 3, votes=12, shift=shift)
    data = Data(y, P[:, 1], **DESIGNS[design])
    V, f, plain_f = (float(np.ravel(one)[0]) for one in known_by_derivatives(pr.Auc(), data))
    plain_f = f if data.w is not None else plain_f
    k = 1 / min(effective_sizes(data))
    for level in (0.8, 0.95):
        found = pr.delong(y, P[:, 1], "auc", confidence=level, **data.options)
        expected = sided(found.estimate, V, f, plain_f, k, (1 - level) / 2)
        np.testing.assert_allclose(found.interval, expected, rtol=1e-5)
        other = pr.delong(1 - y, P[:, 1], "auc", confidence=level, **data.options)
        np.testing.assert_allclose(other.interval, 1 - found.interval[::-1], rtol=1e-9)


def test_intervals_of_averages_and_of_squares() -> None:
    y, P = scored([9, 14, 20], 4, votes=9)
    sizes = np.bincount(y)
    for measure, pull in (
        (pr.HandTill(), 2 / 3 / 9),
        (pr.AucMu(), 2 / 3 / 9),
        (pr.PolarArea(normalize=True), 2 / 3 / 9),
        (pr.OneVsRest(), max((1 + sum(n / (43 - m) for m in sizes if m != n)) / 3 / n
                             for n in sizes)),
    ):  # fmt: skip
        V, f, plain_f = (
            float(np.ravel(one)[0]) for one in known_by_derivatives(measure, Data(y, P))
        )
        result = pr.delong(y, P, measure, stratify=True)
        x, degree = result.estimate, 2 if measure.name == "polar_area" else 1
        root = x ** (1 / degree)
        V *= (root ** (1 - degree) / degree) ** 2
        expected = np.array(sided(root, V, f, plain_f, pull, 0.025)) ** degree
        np.testing.assert_allclose(result.interval, expected, rtol=1e-5, err_msg=repr(measure))


def test_intervals_of_each_class_are_those_of_its_own_contest() -> None:
    y, P = scored([9, 14, 20], 4, votes=9)
    result = pr.delong(y, P, pr.OneVsRest(None), stratify=True)
    V, f, plain_f = known_by_derivatives(pr.OneVsRest(None), Data(y, P))
    for k, n in enumerate(np.bincount(y)):
        expected = sided(result.estimate[k], V[k, k], f[k], plain_f[k], 1 / n, 0.025)
        np.testing.assert_allclose(result.interval[k], expected, rtol=1e-5)


def test_intervals_of_pairs_take_all_spread_for_that_of_the_smaller_class() -> None:
    y, P = scored([9, 14, 20], 4, votes=9)
    pairs = pr.delong(y, P, "hand_till", pairs=True).pairs
    assert pairs is not None
    for (i, j), n in (((0, 1), 9), ((0, 2), 9), ((1, 2), 14)):
        V = pairs.standard_error[i, j] ** 2
        expected = sided(pairs.estimate[i, j], V, n - 1, n - 1, 1 / n, 0.025)
        np.testing.assert_allclose(pairs.interval[i, j], expected, rtol=1e-9)


def test_notes_count_effective_units() -> None:
    y, P = scored([12, 30], 5)
    w = np.where(y == 0, 0.02, 1.0)
    w[np.flatnonzero(y == 0)[:3]] = 1.0
    effective = effective_sizes(Data(y, P, w=w))[0]
    (note,) = pr.delong(y, P, "auc_mu", sample_weight=w).notes
    assert note.startswith(f"class 0 has 12 rows, worth {effective:.1f} of equal weight, from")
    assert note.endswith("collect more")
    w[np.flatnonzero(y == 0)] = [3, *[1] * 11]
    (note,) = pr.delong(y, P, "auc_mu", sample_weight=w).notes
    assert note.startswith("one row has 21 % of the weight of class 0: with weights so uneven")
    assert pr.delong(y, P, "auc_mu").notes == ()
    (note,) = pr.delong(y, P, "auc_mu", reference="normal").notes
    assert note.startswith("class 0 has 12 rows, from which its spread is badly known")
    assert note.endswith('pass reference="t"')
