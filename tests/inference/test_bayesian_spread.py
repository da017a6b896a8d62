"""Bayesian weights spread less than counts do, and intervals allow for that, class by class."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest

RNG = np.random.default_rng(3)
TWO = np.repeat([0, 1], [50, 8])
S = RNG.normal(size=58) + TWO
Y = np.repeat([0, 1, 2], [30, 12, 6])
P = RNG.random((48, 3)) + 0.6 * np.eye(3)[Y]


def bayesian(y: Any, scores: Any, measure: Any, **options: Any) -> Any:
    run: dict[str, Any] = {"scheme": "bayesian", "n_resamples": 400, "seed": 1}
    return pr.bootstrap(y, scores, measure, **{**run, **options})


@pytest.mark.parametrize("measure", ["auc", "hand_till"])
def test_the_same_replicates_have_the_same_interval(measure: str) -> None:
    y, scores = (TWO, S) if measure == "auc" else (Y, P)
    fixed, varying = (bayesian(y, scores, measure, stratify=stratify) for stratify in (True, False))
    assert varying.replicates == pytest.approx(fixed.replicates, rel=1e-12)
    assert varying.ingredients.inflation == pytest.approx(fixed.ingredients.inflation, rel=1e-9)
    assert varying.ingredients.freedom == pytest.approx(fixed.ingredients.freedom, rel=1e-9)
    assert varying.interval == pytest.approx(fixed.interval, rel=1e-9)


def test_the_inflation_is_that_of_each_class() -> None:
    # Placements of each class, centred: what they say of the variance by class.
    above = S[TWO == 1] > S[TWO == 0][:, np.newaxis]
    squares = [np.var(above.mean(axis=1)) / 50, np.var(above.mean(axis=0)) / 8]
    factors = [51 / 49, 9 / 7]
    expected = np.dot(factors, squares) / sum(squares)
    assert bayesian(TWO, S, "auc").ingredients.inflation == pytest.approx([expected], rel=1e-9)


def test_where_counts_enter_what_lies_between_classes_counts() -> None:
    measure = pr.OneVsRest("prevalence")
    varying = bayesian(Y, P, measure)
    error = pr.delong(Y, P, measure, stratify=True).standard_error
    squares = varying.ingredients.variance * 47 / 48  # of all rows
    fixed = bayesian(Y, P, measure, stratify=True)
    own = error**2 / ((fixed.ingredients.inflation + 1) / 2)
    expected = 2 * (error**2 + 48 / 47 * (squares - own)) / squares - 1
    assert squares > own
    assert varying.ingredients.inflation == pytest.approx(expected, rel=1e-9)
    assert 0 < varying.ingredients.freedom < 47


def test_groups_are_one_sample() -> None:
    groups = np.arange(48) % 16
    assert bayesian(Y, P, "hand_till", groups=groups).ingredients.inflation == pytest.approx(
        17 / 15
    )


@pytest.mark.filterwarnings("ignore::polyroc.BootstrapWarning")
def test_a_class_of_one_row() -> None:
    y = np.repeat([0, 1], [20, 1])
    result = bayesian(y, np.r_[:20, 12.5], "auc", stratify=False)
    assert np.isfinite(result.interval).all()


@pytest.mark.slow
def test_replicates_spread_by_less_and_intervals_do_not() -> None:
    """As the multinomial bootstrap's do, within the chance of 40 data sets."""
    rng, lengths = np.random.default_rng(1), {"multinomial": 0.0, "bayesian": 0.0}
    spread = dict(lengths)
    for seed in range(40):
        s = rng.normal(size=58) + TWO
        for scheme in lengths:
            run: dict[str, Any] = {"scheme": scheme, "n_resamples": 2000, "seed": seed}
            result = pr.bootstrap(TWO, s, "auc", **run)
            lengths[scheme] += np.ptp(result.interval)
            spread[scheme] += result.standard_error
    assert spread["bayesian"] < 0.97 * spread["multinomial"]
    assert lengths["bayesian"] == pytest.approx(lengths["multinomial"], rel=0.02)
