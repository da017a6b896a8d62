"""SE(W): B97 Eq. 10-12 by hand, exactly at the ends, and what is no AUC or no class size."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polyroc._stats.hanley_mcneil import hanley_mcneil

SIZES = st.integers(1, 10_000)


def b97(theta: float, Cp: int, Cn: int) -> float:
    """B97 Eq. 10-12 as printed, in fractions, which do not cancel."""
    t = Fraction(theta)
    Q1 = t / (2 - t)
    Q2 = 2 * t**2 / (1 + t)
    square = (t * (1 - t) + (Cp - 1) * (Q1 - t**2) + (Cn - 1) * (Q2 - t**2)) / (Cp * Cn)
    return math.sqrt(square)


def test_a_case_worked_by_hand() -> None:
    # t = 0.8, Cp = 10, Cn = 20: Q1 = 0.8 / 1.2 = 2/3, Q2 = 1.28 / 1.8 = 32/45, t^2 = 0.64.
    # 0.16 + 9 (2/3 - 0.64) + 19 (32/45 - 0.64) = 0.16 + 0.24 + 1.35111 = 1.75111; / 200 = 0.0087556
    assert hanley_mcneil(0.8, 10, 20) == pytest.approx(math.sqrt(0.00875555555555555), rel=1e-13)
    assert hanley_mcneil(0.8, 10, 20) == pytest.approx(0.0935711, abs=5e-8)


def test_one_row_a_class_leaves_the_binomial_term() -> None:
    assert hanley_mcneil(0.75, 1, 1) == math.sqrt(0.75 * 0.25)


@given(st.floats(0, 1), SIZES, SIZES)
def test_it_is_the_printed_formula(auc: float, n_pos: int, n_neg: int) -> None:
    expected = b97(auc, n_pos, n_neg)
    assert hanley_mcneil(auc, n_pos, n_neg) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@given(st.floats(0, 1), SIZES, SIZES)
def test_turning_the_classes_around_keeps_the_error(auc: float, n_pos: int, n_neg: int) -> None:
    turned = hanley_mcneil(1 - auc, n_neg, n_pos)
    # 1 - auc is rounded, by 2^-54 at most, and the root magnifies that near the ends.
    assert turned == pytest.approx(hanley_mcneil(auc, n_pos, n_neg), rel=1e-9, abs=1e-7)


def test_it_is_zero_at_the_ends_and_never_nan_beside_them() -> None:
    assert hanley_mcneil(1.0, 7, 9) == hanley_mcneil(0.0, 7, 9) == 0.0
    beside = np.nextafter(1.0, 0.0)
    assert 0 < hanley_mcneil(beside, 10**6, 10**6) < 1e-10


def test_arrays_are_broadcast_and_numbers_give_a_float() -> None:
    one = hanley_mcneil(0.9, 50, 40)
    assert type(one) is float
    assert type(hanley_mcneil(np.float64(0.9), np.int32(50), np.array(40))) is float
    each = hanley_mcneil([[0.9], [0.7]], [50, 10, 3], 40)
    assert isinstance(each, np.ndarray)
    assert each.shape == (2, 3)
    assert each[0, 0] == one
    assert each[1, 2] == hanley_mcneil(0.7, 3, 40)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 5, 5), r"auc is 1\.2; an AUC lies in \[0, 1\]$"),
        ((-0.1, 5, 5), r"auc is -0\.1; an AUC lies in \[0, 1\]$"),
        ((float("nan"), 5, 5), r"auc is nan; an AUC lies in \[0, 1\]$"),
        (([0.5, 0.7, 70], 5, 5), r"auc\[2\] is 70; an AUC lies in \[0, 1\]$"),
        ((0.5, 0, 5), r"n_pos is 0; pass a whole number of rows, at least 1$"),
        ((0.5, 5, [3, 2.5]), r"n_neg\[1\] is 2\.5; pass a whole number of rows, at least 1$"),
        ((0.5, 5, float("inf")), r"n_neg is inf; pass a whole number of rows, at least 1$"),
        (([], 5, 5), r"auc is empty; pass at least one number$"),
        (([0.5, 0.6], [1, 2, 3], 5), r"auc, n_pos and n_neg have the shapes \(2,\), \(3,\) and "),
    ],
)
def test_values_out_of_range(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hanley_mcneil(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("0.5", 5, 5), r"auc is '0\.5', a str; pass numbers in \[0, 1\]$"),
        ((None, 5, 5), r"auc is None, a NoneType; pass numbers in \[0, 1\]$"),
        ((0.5, True, 5), r"n_pos is True, a bool; pass numbers >= 1$"),
        ((0.5, 5, ["a", "b"]), r"n_neg\[0\] is 'a', a str; convert it to a number first$"),
    ],
)
def test_what_is_no_number(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        hanley_mcneil(*arguments)
