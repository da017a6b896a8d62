"""The z test of two estimates, the Wald test of several, and p-values for many tests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from polyroc._stats.wald import adjust, wald_test, z_of
from scipy import stats

Array = NDArray[Any]
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12).map(np.array)


# Two estimates


def test_z_is_the_difference_in_errors() -> None:
    assert z_of(-0.02, 0.01, 1.0) == -2
    assert z_of(0.0, 0.01, 1.0) == 0


def test_rounding_is_neither_a_difference_nor_an_error() -> None:
    assert z_of(1e-15, 0.0, 1.0) == 0
    assert z_of(-1e-15, 1e-14, 1.0) == 0
    assert z_of(0.1, 0.0, 1.0) == math.inf
    assert z_of(-0.1, 1e-14, 1.0) == -math.inf
    assert z_of(1e-11, 0.0, 1.0) == math.inf
    assert z_of(1e-11, 0.0, 100.0) == 0


# Several estimates


def contrast(m: int) -> Array:
    return np.column_stack([-np.ones(m - 1), np.eye(m - 1)])


def covariance(m: int, seed: int, rank: int | None = None) -> Array:
    rows = np.random.default_rng([m, seed]).normal(size=(m, rank or m + 3)) / 100
    return rows @ rows.T


@pytest.mark.parametrize("m", [2, 3, 4, 7, 12])
@pytest.mark.parametrize("seed", range(3))
def test_wald_of_regular_covariances(m: int, seed: int) -> None:
    rng = np.random.default_rng([m, seed, 1])
    estimates, C = rng.normal(0.8, 0.02, m), covariance(m, seed)
    d, apart = contrast(m) @ estimates, contrast(m) @ C @ contrast(m).T
    found = wald_test(d, apart, 1.0)
    statistic = d @ np.linalg.inv(apart) @ d
    assert (found.df, found.note) == (m - 1, "")
    assert found.statistic == pytest.approx(statistic, rel=1e-9)
    assert found.p_value == pytest.approx(stats.chi2.sf(statistic, m - 1), rel=1e-9)


@pytest.mark.parametrize("m", [3, 5])
def test_wald_does_not_depend_on_which_model_is_first(m: int) -> None:
    estimates, C = np.linspace(0.8, 0.85, m), covariance(m, 2)
    order = np.roll(np.arange(m), 1)
    found = [
        wald_test(contrast(m) @ e, contrast(m) @ c @ contrast(m).T, 1.0)
        for e, c in ((estimates, C), (estimates[order], C[np.ix_(order, order)]))
    ]
    assert found[0].statistic == pytest.approx(found[1].statistic, rel=1e-9)


def test_wald_of_equal_models_among_others_is_that_of_the_others() -> None:
    C = covariance(3, 5)
    twice = [0, 0, 1, 2, 2]
    estimates = np.array([0.8, 0.83, 0.79])
    one = wald_test(contrast(3) @ estimates, contrast(3) @ C @ contrast(3).T, 1.0)
    d, apart = contrast(5) @ estimates[twice], contrast(5) @ C[np.ix_(twice, twice)] @ contrast(5).T
    other = wald_test(d, apart, 1.0)
    assert (one.df, other.df) == (2, 2)
    assert other.statistic == pytest.approx(one.statistic, rel=1e-9)
    assert other.statistic == pytest.approx(d @ np.linalg.pinv(apart) @ d, rel=1e-9)
    assert other.note == "differences vary in 2 of 4 directions"


def test_wald_of_models_that_are_all_the_same() -> None:
    found = wald_test(np.zeros(3), np.zeros((3, 3)), 1.0)
    assert found[:3] == (0, 0, 1)
    assert found.note == "no difference varies"


def test_wald_of_models_that_differ_where_nothing_varies() -> None:
    apart = np.diag([1e-4, 0.0])
    assert wald_test(np.array([0.01, 0.2]), apart, 1.0)[:3] == (math.inf, 2, 0)
    found = wald_test(np.array([0.01, 1e-16]), apart, 1.0)
    assert found.statistic == pytest.approx(1)
    assert found.df == 1


# Many p-values


def test_holm_by_hand() -> None:
    # Sorted .005 .01 .03 .04 times 4 3 2 1: .02 .03 .06 .04, the last one raised to .06.
    p = np.array([0.01, 0.04, 0.03, 0.005])
    assert adjust(p, "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust(p, "bonferroni") == pytest.approx([0.04, 0.16, 0.12, 0.02])
    assert adjust(p, None).tolist() == p.tolist()


def test_adjusted_p_values_end_at_one() -> None:
    p = np.array([0.5, 0.9, 0.4])
    assert adjust(p, "holm").tolist() == [1, 1, 1]
    assert adjust(p, "bonferroni").tolist() == [1, 1, 1]


def test_one_p_value_needs_no_adjustment() -> None:
    for how in ("holm", "bonferroni", None):
        assert adjust(np.array([0.03]), how).tolist() == [0.03]


@given(P_VALUES)
def test_holm_lies_between_the_p_value_and_bonferroni(p: Array) -> None:
    holm, bonferroni = adjust(p, "holm"), adjust(p, "bonferroni")
    assert (p <= holm).all()
    assert (holm <= bonferroni).all()
    assert (bonferroni <= 1).all()
    assert holm.min() == bonferroni.min()


@given(P_VALUES, st.randoms(use_true_random=False))
def test_holm_keeps_the_order_and_does_not_see_that_of_the_input(p: Array, random: Any) -> None:
    holm = adjust(p, "holm")
    order = np.argsort(p, kind="stable")
    assert (np.diff(holm[order]) >= 0).all()
    shuffled = list(range(len(p)))
    random.shuffle(shuffled)
    assert adjust(p[shuffled], "holm").tolist() == holm[shuffled].tolist()


@given(P_VALUES, st.floats(0.001, 0.999))
def test_holm_rejects_what_the_stepwise_procedure_rejects(p: Array, alpha: float) -> None:
    rejected = []
    for k, at in enumerate(np.argsort(p, kind="stable")):
        if p[at] * (len(p) - k) > alpha:
            break
        rejected.append(at)
    assert sorted(rejected) == np.flatnonzero(adjust(p, "holm") <= alpha).tolist()
