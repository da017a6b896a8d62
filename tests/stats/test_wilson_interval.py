"""Wilson's interval against the test that it inverts."""

from __future__ import annotations

import numpy as np
import pytest
from polyroc._stats.normal import normal_quantile
from polyroc._stats.wilson_interval import wilson


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("n", [1, 2, 7, 50, 10**6])
def test_limits_are_where_the_score_test_turns(n: int, level: float) -> None:
    z = normal_quantile((1 + level) / 2)
    for x in sorted({0, 1, n // 3, n // 2, n - 1, n}):
        low, high = wilson(x, n, level)
        assert 0 <= low <= x / n <= high <= 1
        for p in (low, high):
            if 0 < p < 1:
                assert abs(x / n - p) == pytest.approx(z * np.sqrt(p * (1 - p) / n), rel=1e-9)


def test_ends_are_exact() -> None:
    for n in (1, 3, 10, 12345):
        assert wilson(0, n, 0.95)[0] == 0
        assert wilson(n, n, 0.95)[1] == 1
        # (z^2 / n) / (1 + z^2 / n)
        z2 = normal_quantile(0.975) ** 2
        assert wilson(0, n, 0.95)[1] == pytest.approx(z2 / (n + z2), rel=1e-14)


def test_it_mirrors() -> None:
    x = np.arange(11)
    low, high = wilson(x, 10, 0.9).T
    np.testing.assert_allclose(low, 1 - high[::-1], atol=1e-15)


def test_shapes_and_no_trials() -> None:
    limits = wilson([[1, 2], [0, 0]], [[2, 3], [0, 1]], 0.95)
    assert limits.shape == (2, 2, 2)
    assert np.isnan(limits[1, 0]).all()
    assert not np.isnan(limits[1, 1]).any()
    assert wilson(2.5, 7.25, 0.95)[0] < 2.5 / 7.25  # weights need not be whole


def test_a_textbook_case() -> None:
    # 81 of 263 (Newcombe 1998, Stat. Med. 17, Table I, method 3): 0.2553 to 0.3662.
    np.testing.assert_allclose(wilson(81, 263, 0.95), [0.2553, 0.3662], atol=5e-5)
    np.testing.assert_allclose(wilson(0, 20, 0.95), [0.0, 0.1611], atol=5e-5)
    np.testing.assert_allclose(wilson(1, 29, 0.95), [0.0061, 0.1718], atol=5e-5)
