"""Influence values along tie groups: the derivative of the value by the weight of each row."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._data.sample import prepare
from polyroc._data.units import plan
from polyroc._inference.influence import measured

Array = Any
RANGES = ((0.0, 0.13), (0.21, 0.57), (0.43, 1.0), (0.0, 1.0))


def area(rates: str, ends: Any, **options: Any) -> Any:
    return pr.PartialAuc(**{rates: ends}, **options)


AREAS = [
    area(rates, ends, standardize=standardize)
    for rates in ("fpr", "tpr")
    for ends in RANGES
    for standardize in (False, True)
]
OF_PAIRS = [
    area(rates, ends, pairs=pairs)
    for rates in ("fpr", "tpr")
    for ends in RANGES[:3]
    for pairs in ("hand_till", "auc_mu")
]
PRECISIONS: list[Any] = [
    pr.AveragePrecision("macro"),
    pr.AveragePrecision("prevalence"),
    pr.AveragePrecision(None),
]


def closed(y: Array, scores: Array, measure: Any, weights: Array) -> Array:
    sample = prepare(y, scores, None, weights, 1)
    units = plan(sample, "multinomial", False, None)
    return measured(sample, units, {"": measure})[""].influences.values


def by_differences(y: Array, scores: Array, measure: Any, weights: Array, h: float) -> Array:
    """w df / dw of each row, from values at weights h above and below."""

    def value(k: int, step: float) -> Any:
        moved = weights.copy()
        moved[k] += step
        return np.ravel(measure(y, scores, sample_weight=moved, n_threads=1))

    found = [w * (value(k, h) - value(k, -h)) / (2 * h) for k, w in enumerate(weights)]
    return np.array(found).T


def data(seed: int, K: int) -> tuple[Array, Array, Array]:
    """Rows with or without ties, and weights that are equal or not."""
    rng = np.random.default_rng([seed, K])
    n = int(rng.integers(3 * K, 40))
    y = np.r_[np.repeat(np.arange(K), 2), rng.integers(0, K, n - 2 * K)]
    scores = rng.normal(size=(n, K)) + np.eye(K)[y]
    if seed % 2:
        scores = np.round(scores)
    weights = np.ones(n) if seed % 3 else rng.random(n) + 0.2
    return y, scores if K > 2 else scores[:, 1], weights


@pytest.mark.parametrize("seed", range(6))
def test_areas_of_two_classes(seed: int) -> None:
    y, s, w = data(seed, 2)
    for measure in AREAS:
        expected = by_differences(y, s, measure, w, 1e-5)
        np.testing.assert_allclose(closed(y, s, measure, w), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_areas_of_pairs_and_average_precision(seed: int) -> None:
    y, P, w = data(seed, 3)
    for measure in (*OF_PAIRS, *PRECISIONS):
        expected = by_differences(y, P, measure, w, 1e-5)
        np.testing.assert_allclose(closed(y, P, measure, w), expected, rtol=0, atol=1e-8)


def test_at_a_jump_it_is_the_mean_of_both_sides() -> None:
    # Ends at points of the curve, where it is vertical: as most often with equal weights.
    y, s = np.repeat([0, 1], [10, 6]), np.r_[np.arange(10.0), 3.5, 6.5, 6.6, 7.5, 9.5, 9.6]
    w = np.ones(16)
    for measure in (pr.PartialAuc(fpr=(0.2, 0.3)), pr.PartialAuc(fpr=(0.0, 0.3)),
                    pr.PartialAuc(tpr=(1 / 3, 0.5))):  # fmt: skip
        found = closed(y, s, measure, w)
        for h in (1e-4, 1e-6):
            np.testing.assert_allclose(found, by_differences(y, s, measure, w, h), atol=h)


@pytest.mark.parametrize("measure", [AREAS[0], AREAS[10], pr.AveragePrecision()], ids=repr)
def test_errors_are_those_of_the_bootstrap(measure: Any) -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [400, 300])
    s = np.round(rng.normal(size=700) + y, 1)
    for given_options in ({}, {"groups": np.arange(700) // 2}, {"sample_weight": rng.random(700)}):
        options: dict[str, Any] = given_options
        error = pr.delong(y, s, measure, **options).standard_error
        result = pr.bootstrap(y, s, measure, n_resamples=2000, seed=1, **options)
        assert error == pytest.approx(result.standard_error, rel=0.07)
        assert np.sqrt(result.ingredients.variance[0]) == pytest.approx(error, rel=0.02)


@pytest.mark.parametrize("digits", [0, 2])
def test_bca_has_the_same_moments_whatever_is_drawn(digits: int) -> None:
    """Rows one by one; equal rows together, or rows in order of their scores."""
    rng = np.random.default_rng(5)
    n = 140_000
    y = rng.integers(0, 2, n)
    s = np.round(rng.normal(size=n) + y, digits)
    run: dict[str, Any] = {"n_resamples": 20, "seed": 1, "stratify": True}
    for measure in (pr.PartialAuc(fpr=(0, 0.1)), pr.AveragePrecision()):
        rows = pr.bootstrap(y, s, measure, groups=np.arange(n), **run)
        found = pr.bootstrap(y, s, measure, **run)
        assert (rows.path, found.path) == ("rows", "sorted rows" if digits else "cells")
        for name in ("acceleration", "variance", "inflation", "freedom"):
            one, other = (getattr(result.ingredients, name) for result in (rows, found))
            assert one == pytest.approx(other, rel=1e-9)


def test_pairs_of_classes_have_errors() -> None:
    rng = np.random.default_rng(6)
    y = rng.integers(0, 4, 600)
    P = rng.normal(size=(600, 4)) + np.eye(4)[y]
    for pairs in ("hand_till", "auc_mu"):
        measure = area("fpr", (0, 0.2), pairs=pairs)
        error = pr.delong(y, P, measure).standard_error
        result = pr.bootstrap(y, P, measure, n_resamples=2000, seed=1)
        assert error == pytest.approx(result.standard_error, rel=0.07)
        assert np.sqrt(result.ingredients.variance[0]) == pytest.approx(error, rel=1e-9)
        assert result.method == "bca"
