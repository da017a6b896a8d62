"""The two-way analysis of variance: by hand, by least squares, by the t test, and without error."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from polyroc._stats.anova import two_way_anova
from scipy import stats

Floats = NDArray[np.float64]

SIZES = st.tuples(st.integers(2, 8), st.integers(2, 6))
TABLES = hnp.arrays(np.float64, SIZES, elements=st.integers(0, 1000).map(lambda k: k / 1000))


def random_table(r: int, c: int) -> Floats:
    return np.random.default_rng([r, c]).normal(0.8, 0.05, size=(r, c))


def test_a_case_worked_by_hand() -> None:
    # Percent correct of three classifiers in four folds.
    #           a   b   c   fold mean
    #     1    80  83  89      84
    #     2    76  82  82      80
    #     3    84  84  90      86
    #     4    80  79  87      82
    # mean      80  82  87      83
    # classifiers: 4 ((-3)^2 + (-1)^2 + 4^2) = 4 * 26 = 104,                    2 degrees of freedom
    # folds:       3 (1^2 + (-3)^2 + 3^2 + (-1)^2) = 3 * 20 = 60,               3
    # residuals x - fold mean - classifier mean + 83:
    #     1    -1   0   1
    #     2    -1   3  -2
    #     3     1  -1   0
    #     4     1  -2   1
    # error: 2 + 14 + 2 + 6 = 24, 6 degrees of freedom, mean square 4
    # F: classifiers (104 / 2) / 4 = 13, folds (60 / 3) / 4 = 5; total 104 + 60 + 24 = 188
    table = two_way_anova(
        np.array([[80, 83, 89], [76, 82, 82], [84, 84, 90], [80, 79, 87]], dtype=float)
    )
    assert (table.classifiers.sum_of_squares, table.classifiers.df) == (104, 2)
    assert (table.folds.sum_of_squares, table.folds.df) == (60, 3)
    assert (table.error.sum_of_squares, table.error.df) == (24, 6)
    assert (table.total.sum_of_squares, table.total.df) == (188, 11)
    assert (table.classifiers.mean_square, table.folds.mean_square) == (52, 20)
    assert (table.error.mean_square, table.total.mean_square) == (4, None)
    assert (table.classifiers.f, table.folds.f) == (13, 5)
    assert (table.error.f, table.error.p_value, table.total.f, table.notes) == (
        None,
        None,
        None,
        (),
    )
    # With 2 and d degrees of freedom P(F > f) = (1 + 2 f / d)^(-d / 2): (1 + 26/6)^-3.
    assert table.classifiers.p_value == pytest.approx((16 / 3) ** -3, rel=1e-12)


def residual_square(design: Floats, x: Floats) -> float:
    fitted = design @ np.linalg.lstsq(design, x, rcond=None)[0]
    return float(np.sum((x - fitted) ** 2))


@pytest.mark.parametrize(("r", "c"), [(2, 2), (10, 3), (5, 9), (10, 6)])
def test_sums_of_squares_are_what_least_squares_leaves(r: int, c: int) -> None:
    values = random_table(r, c)
    fold, classifier = np.divmod(np.arange(r * c), c)
    one = np.ones((r * c, 1))
    F, C = np.eye(r)[fold][:, 1:], np.eye(c)[classifier][:, 1:]
    x = values.ravel()
    total = residual_square(one, x)
    without_classifiers = residual_square(np.hstack([one, F]), x)
    without_folds = residual_square(np.hstack([one, C]), x)
    error = residual_square(np.hstack([one, F, C]), x)
    table = two_way_anova(values)
    assert table.total.sum_of_squares == pytest.approx(total, rel=1e-10)
    assert table.error.sum_of_squares == pytest.approx(error, rel=1e-8)
    assert table.classifiers.sum_of_squares == pytest.approx(without_classifiers - error, rel=1e-8)
    assert table.folds.sum_of_squares == pytest.approx(without_folds - error, rel=1e-8)
    for line, lost in ((table.classifiers, without_classifiers), (table.folds, without_folds)):
        df = (r - 1) * (c - 1)
        f = (lost - error) / line.df / (error / df)
        assert line.f == pytest.approx(f, rel=1e-8)
        assert line.p_value == pytest.approx(stats.f.sf(f, line.df, df), rel=1e-7)


def test_two_classifiers_are_the_paired_t_test() -> None:
    values = random_table(10, 2)
    t = stats.ttest_rel(values[:, 0], values[:, 1])
    line = two_way_anova(values).classifiers
    assert line.f == pytest.approx(t.statistic**2, rel=1e-10)
    assert line.p_value == pytest.approx(t.pvalue, rel=1e-10)


@given(TABLES, st.integers(0, 2**32 - 1))
def test_the_order_of_folds_and_classifiers_changes_no_bit(values: Floats, seed: int) -> None:
    rng = np.random.default_rng(seed)
    mixed = rng.permutation(rng.permutation(values, axis=0), axis=1)
    one, other = two_way_anova(values), two_way_anova(mixed)
    for name in ("classifiers", "folds"):
        assert getattr(one, name) == getattr(other, name)
    # A residual's rounding depends on nothing but its own cell, so this holds to the bit too.
    assert one.error == other.error
    assert one.total == other.total


@given(TABLES)
def test_lines_add_up_to_the_total(values: Floats) -> None:
    table = two_way_anova(values)
    direct = float(np.sum((values - values.mean()) ** 2))
    assert table.total.sum_of_squares == pytest.approx(direct, rel=1e-9, abs=1e-25)
    assert table.classifiers.df + table.folds.df + table.error.df == table.total.df
    for line in (table.classifiers, table.folds):
        assert line.f is not None
        assert line.p_value is not None
        assert not math.isnan(line.f)
        assert 0 <= line.p_value <= 1


@given(TABLES, st.integers(-30, 30))
def test_units_do_not_matter(values: Floats, exponent: int) -> None:
    one, other = two_way_anova(values), two_way_anova(np.ldexp(values, exponent))
    assert (one.classifiers.f, one.folds.f) == (other.classifiers.f, other.folds.f)


# No error


def test_the_same_classifier_several_times() -> None:
    column = np.random.default_rng(0).random(10)
    for c in (2, 3, 7, 10):
        table = two_way_anova(np.repeat(column[:, np.newaxis], c, axis=1))
        assert (table.error.sum_of_squares, table.classifiers.sum_of_squares) == (0, 0)
        assert (table.classifiers.f, table.classifiers.p_value) == (0, 1)
        assert (table.folds.f, table.folds.p_value) == (math.inf, 0)
        assert table.notes == (
            "the classifiers do not differ in any fold; with an error of 0, F is set to 0 for "
            "classifiers, infinity for folds",
        )


def test_differences_that_are_the_same_in_every_fold() -> None:
    # 0.1 and 0.7 are not exact, and sums of them leave residuals of some 1e-16.
    values = np.add.outer([0.1, 0.13, 0.2, 0.17], [0.1, 0.3, 0.7])
    table = two_way_anova(values)
    assert table.error.sum_of_squares == 0
    assert (table.classifiers.f, table.classifiers.p_value) == (math.inf, 0)
    assert table.notes[0].startswith("the classifiers differ by the same amounts in every fold; ")


@pytest.mark.parametrize("value", [0.0, 0.1, 1.0, 0.7])
def test_all_values_equal(value: float) -> None:
    table = two_way_anova(np.full((10, 3), value))
    assert [line.sum_of_squares for line in (table.classifiers, table.folds, table.error)] == [
        0
    ] * 3
    assert [table.classifiers.f, table.folds.f] == [0, 0]
    assert [table.classifiers.p_value, table.folds.p_value] == [1, 1]


def test_the_smallest_true_difference_is_no_rounding() -> None:
    # A single pair of rows, out of a million per class, ordered otherwise in one fold.
    values = np.full((10, 2), 0.9)
    values[3, 0] += 1e-12
    table = two_way_anova(values)
    assert table.error.sum_of_squares > 0
    assert table.classifiers.f == pytest.approx(1.0, rel=1e-3)
    assert table.notes == ()


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_values_whose_squares_leave_the_range(scale: float) -> None:
    message = rf"values reach {scale:g}, whose square is out of range; rescale them$"
    with pytest.raises(ValueError, match=message.replace("+", r"\+")):
        two_way_anova(np.array([[1.0, 0.5], [0.25, 0.75]]) * scale)
