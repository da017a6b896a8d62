"""Limits moved as if a class had half a row more that knows nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polyroc._stats.moved_limits import moved_limits
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import Scale
from polyroc._stats.replicate_interval import Replicated, interval
from scipy import special

LEVELS = np.array([0.5, 0.8, 0.95, 0.99])
PLAIN = Scale((0.0, 1.0), FromAuc(), (10, 10))


def moved(x: float, error: float, pull: float, low: float, high: float) -> list[float]:
    found = moved_limits(x, PLAIN, error**2, pull, np.array([low]), np.array([high]))
    return [float(limit[0]) for limit in found]


@given(st.floats(0.51, 0.99), st.floats(0.01, 0.2), st.floats(0.001, 0.5), st.floats(0.1, 0.5))
def test_the_limit_on_the_side_of_chance_is_as_many_errors_away(
    x: float, error: float, k: float, below: float
) -> None:
    low, high = x - below * x, (1 + x) / 2
    centre = (x + k / 4) / (1 + k / 2)
    S = error**2 + 0.5 * (centre - 0.5) ** 2 * k**2
    errors = (special.logit(low) - special.logit(x)) * x * (1 - x) / error
    expected = special.expit(special.logit(centre) + errors * math.sqrt(S) / centre / (1 - centre))
    found = moved(x, error, k, low, high)
    assert found == pytest.approx([min(expected, low), high], rel=1e-9)
    turned = moved(1 - x, error, k, 1 - high, 1 - low)
    assert turned == pytest.approx([1 - high, 1 - found[0]], rel=1e-9)


def test_large_samples_and_measures_of_unknown_pull_stay_as_they_are() -> None:
    assert moved(0.9, 0.02, 1e-9, 0.85, 0.93) == pytest.approx([0.85, 0.93], abs=1e-9)
    assert moved(0.9, 0.0, 0.1, 0.85, 0.93) == [0.85, 0.93]
    assert moved(1.0, 0.02, 0.1, 0.85, 1.0) == [0.85, 1.0]
    assert moved(0.9, 0.02, 0.1, 0.0, 1.0) == [0.0, 1.0]


def test_higher_levels_have_the_wider_intervals_within_the_range() -> None:
    rng = np.random.default_rng(3)
    for x, bounds, degree in ((0.93, (0.0, 1.0), 1), (0.2, (0.0, 1.0), 1), (2.6, (0.0, 3.0), 2)):
        bottom, top = bounds
        share = (x - bottom) / (top - bottom)
        spread = special.expit(special.logit(share) + 0.6 * rng.normal(size=2000))
        known: dict[str, Any] = {
            "acceleration": -0.05,
            "sizes": (12, 40),
            "from_auc": FromAuc(degree),
        }
        data = Replicated(x, bottom + (top - bottom) * spread, bounds, **known)
        plain = interval(data, "bca", LEVELS)
        found = interval(
            Replicated(x, data.replicates, bounds, pull=1 / 12, **known), "bca", LEVELS
        )
        assert (np.diff(found.low) <= 0).all()
        assert (np.diff(found.high) >= 0).all()
        assert (found.low >= bottom).all()
        assert (found.high <= top).all()
        chance, other = (found.low, "high") if share > 0.5 else (-found.high, "low")
        before = plain.low if share > 0.5 else -plain.high
        assert (chance < before).all()
        assert (getattr(found, other) == getattr(plain, other)).all()


def test_bad_rows_that_were_not_drawn_are_allowed_for() -> None:
    """Of 12 positives at an AUC of 0.96, 6 % as bad as negatives, half of the samples have none."""
    covered = []
    for seed in range(150):
        rng = np.random.default_rng(seed)
        y = np.repeat([0, 1], [120, 12])
        bad = (rng.random(132) < 0.06) & (y == 1)
        shift = math.sqrt(2) * special.ndtri((0.96 - 0.03) / 0.94)
        scores = rng.normal(size=132) + shift * (y & ~bad)
        low, high = pr.bootstrap(y, scores, "auc", n_resamples=199, seed=seed).interval
        covered.append(low <= 0.96 <= high)
    assert np.mean(covered) > 0.93  # 76 % without the half row


def test_every_value_has_the_pull_of_its_classes() -> None:
    y = np.repeat([0, 1, 2], [40, 12, 5])
    P = np.random.default_rng(1).normal(size=(57, 3)) + 1.2 * np.eye(3)[y]
    run: dict[str, Any] = {"n_resamples": 99, "seed": 1, "stratify": True}
    by_class = pr.bootstrap(y, P, pr.OneVsRest(None), **run)
    assert by_class.ingredients.pulls == pytest.approx([1 / 17, 1 / 12, 1 / 5])
    found = pr.bootstrap(y, P, "hand_till", pairs=True, **run)
    assert found.ingredients.pulls == pytest.approx([2 / 3 / 5])
    assert found.pairs is not None
    of_pairs = found.pairs.ingredients.pulls.reshape(3, 3)
    assert of_pairs[[0, 2], [1, 0]] == pytest.approx([1 / 12, 1 / 5])
    w = np.where(np.arange(57) == 56, 4.0, 1.0)
    heavy = pr.bootstrap(y, P, "hand_till", sample_weight=w, **run)
    assert heavy.ingredients.pulls == pytest.approx([2 / 3 * 20 / 8**2])
    steps = pr.bootstrap(y > 0, P[:, 0], "kolmogorov_smirnov", n_resamples=9, seed=1)
    assert steps.ingredients.pulls == [0.0]
