"""Faults seen in other packages, each with the input that brought it out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polyroc as pr
import pytest

MILLIONS = 3_000_000


def test_pair_counts_do_not_overflow_with_rows() -> None:
    # 9 * 10^12 pairs: 32-bit counts gave an AUC-mu of 14.9, and R integers became NA.
    y = np.zeros(2 * MILLIONS, dtype=np.int8)
    y[MILLIONS:] = 1
    s = np.ones(2 * MILLIONS, dtype=np.float32)
    s[0] = 2.0
    assert pr.auc(y, s) == float(Fraction(MILLIONS - 1, 2 * MILLIONS))
    assert pr.auc(y, y) == 1.0
    assert pr.auc(y, -y) == 0.0


def test_pair_counts_do_not_overflow_with_weights() -> None:
    # Three classes of three million rows each, told in three rows and their weights.
    w = np.full(6, MILLIONS / 2)
    y = [0, 0, 1, 1, 2, 2]
    P = np.array([[8, 1, 1], [3, 4, 3], [2, 6, 2], [3, 4, 3], [0, 0, 10], [4, 5, 1]]) / 10
    for measure in (pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.OneVsRest("micro")):
        assert measure(y, P, sample_weight=w) == pytest.approx(measure(y, P), abs=1e-15)
        assert 0.5 < measure(y, P) < 1


@pytest.mark.parametrize("scale", [2**20, 2**31, 2**32, 2**40, 2**48, 10**15])
def test_large_whole_weights_are_counted_exactly(scale: int) -> None:
    # 2 W_0 W_1 needs up to 101 bits here; one unit more or less must still show.
    w = [scale, scale - 1, scale - 1, 1]
    value = pr.auc([1, 1, 0, 0], [3, 1, 2, 1], sample_weight=w)
    exact = Fraction(2 * scale * scale + (scale - 1), 2 * (2 * scale - 1) * scale)
    assert value == pytest.approx(float(exact), rel=3 * 2.0**-53, abs=0)


def test_weights_beyond_the_integers_still_give_the_ratio() -> None:
    for scale in (1e17, 1e200, 1e300, 1e-200, 1e-300):
        w = scale * np.array([1.0, 2.0, 3.0, 4.0])
        value = pr.auc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], sample_weight=w)
        assert value == pytest.approx(18 / 24, abs=1e-15)


@pytest.mark.slow
def test_counters_are_not_single_precision() -> None:
    # Beyond 2^24 a float32 counter stands still.
    n = 2**24 + 1000
    y = np.ones(n, dtype=np.uint8)
    y[:1000] = 0
    s = np.arange(n, dtype=np.int32)
    assert pr.auc(y, s) == 1.0
    s[:1000] = n
    assert pr.auc(y, s) == 0.0
    s[:999] = -1
    assert pr.auc(y, s) == 999 / 1000


def test_ties_are_exact_equality() -> None:
    # isclose and |d| < 1e-15 merge these.
    assert pr.auc([0, 1], [0.0, 1e-10]) == 1.0
    assert pr.auc([0, 1], [1e-10, 0.0]) == 0.0
    assert pr.auc([0, 1], [0.0, 5e-324]) == 1.0
    assert pr.auc([0, 1], [0.5, np.nextafter(0.5, 1)]) == 1.0
    assert pr.auc([0, 1], [1e300, np.nextafter(1e300, np.inf)]) == 1.0
    assert pr.auc([0, 1], [-np.inf, np.finfo(float).min]) == 1.0
    assert pr.auc([0, 1], [2**60, 2**60 + 1]) == 1.0
    assert pr.auc([0, 1], np.array([2**63, 2**63 + 1], dtype=np.uint64)) == 1.0
    # Small scores do not tie in a projection either: the rule is relative.
    P = np.array([[3e-18, 1e-18, 0], [2e-18, 1e-18, 0], [0, 0, 1]])
    assert pr.pairwise([0, 1, 2], P, kind="auc_mu")[0, 1] == 1.0


def test_the_zeros_tie() -> None:
    assert pr.auc([0, 1], [-0.0, 0.0]) == 0.5
    assert pr.auc([0, 1], [0.0, -0.0]) == 0.5
    assert pr.auc([0, 1], np.array([0.0, -0.0], dtype=np.float32)) == 0.5
    P = np.array([[0.0, -0.0, 1.0], [-0.0, 0.0, 1.0], [-0.0, -0.0, 1.0]])
    assert pr.hand_till([0, 1, 2], P) == 0.5
    assert pr.auc_mu([0, 1, 2], P) == 0.5


def test_single_precision_is_not_widened_into_new_ties_or_lost_ones() -> None:
    s = np.array([0.1, 0.1], dtype=np.float32)
    assert pr.auc([0, 1], s) == 0.5
    assert pr.auc([0, 1], [0.1, float(s[0])]) == 1.0


def test_nan_is_not_ranked() -> None:
    with pytest.raises(ValueError, match=r"^y_score\[2\] is NaN; drop or impute"):
        pr.auc([0, 1, 1, 0], [0.1, 0.2, np.nan, 0.3])
    P = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [0.1, np.nan, 0.9]])
    for measure in (pr.hand_till, pr.auc_mu, pr.one_vs_rest, pr.polar_area, pr.pairwise):
        for scores in (P, P.astype(np.float32), np.asfortranarray(P), P.tolist()):
            with pytest.raises(ValueError, match=r"^y_score\[2, 1\] is NaN; drop or impute"):
                measure([0, 1, 2], scores)


def test_the_first_nan_of_many_is_named() -> None:
    rng = np.random.default_rng(3)
    y, P = rng.integers(0, 4, 100_000), rng.random((100_000, 4))
    P[[70_001, 99_999], [3, 0]] = np.nan
    for measure in (pr.hand_till, pr.auc_mu, pr.one_vs_rest):
        with pytest.raises(ValueError, match=r"^y_score\[70001, 3\] is NaN"):
            measure(y, P)
    s = rng.random(400_000)
    s[[300_000, 399_999]] = np.nan
    with pytest.raises(ValueError, match=r"^y_score\[300000\] is NaN"):
        pr.auc(np.arange(400_000) % 2, s)


def test_an_absent_class_is_an_error_or_left_out_of_the_mean() -> None:
    # Counted as 0 elsewhere, or left in the denominator.
    y, P = [0, 1, 0, 1], np.array([[8, 1, 1], [2, 7, 1], [6, 3, 1], [0, 9, 1]]) / 10
    for measure in (pr.hand_till, pr.auc_mu, pr.one_vs_rest, pr.polar_area, pr.pairwise):
        with pytest.raises(ValueError, match=r'2.*absent="skip"'):
            measure(y, P, labels=[0, 1, 2])
    for measure in (pr.hand_till, pr.auc_mu, pr.one_vs_rest):
        assert measure(y, P, labels=[0, 1, 2], absent="skip") == 1.0
    each = pr.one_vs_rest(y, P, labels=[0, 1, 2], absent="skip", average=None)
    np.testing.assert_array_equal(each, [1.0, 1.0, np.nan])
    # A class whose rows all weigh nothing is as absent as one without rows.
    y, P = [*y, 2], np.concatenate([P, [[0.0, 1.0, 0.0]]])
    w = [1, 1, 1, 1, 0]
    for measure in (pr.hand_till, pr.auc_mu, pr.one_vs_rest):
        with pytest.raises(ValueError, match=r'2.*absent="skip"'):
            measure(y, P, sample_weight=w)
        assert measure(y, P, sample_weight=w, absent="skip") == 1.0


@pytest.mark.parametrize("label", [0, 1])
def test_a_single_class_has_no_auc(label: int) -> None:
    # Scored 1.0 or 0.0 elsewhere.
    with pytest.raises(ValueError, match="class"):
        pr.auc([label] * 3, [0.1, 0.5, 0.9])
    with pytest.raises(ValueError, match="class"):
        pr.auc([label] * 3, [0.1, 0.5, 0.9], labels=[0, 1])
    P = np.full((3, 3), 1 / 3)
    for measure in (pr.hand_till, pr.auc_mu, pr.one_vs_rest, pr.polar_area, pr.pairwise):
        for absent in ("raise", "skip"):
            with pytest.raises(ValueError, match="class"):
                measure([label] * 3, P, labels=[0, 1, 2], absent=absent)


def test_rows_need_not_sum_to_one() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(3), 20)
    margins = rng.normal(size=(60, 3)) + 2 * np.eye(3)[y]
    P = np.exp(margins) / np.exp(margins).sum(axis=1, keepdims=True)
    for measure in (pr.hand_till, pr.auc_mu, pr.one_vs_rest, pr.polar_area):
        assert 0.5 < measure(y, margins)
        assert 0.5 < measure(y, P)
        # Rows rounded to two decimals no longer sum to 1, and are scores all the same.
        assert measure(y, P.round(2)) == pytest.approx(measure(y, P), abs=0.01)
    # On margins AUC-mu compares log-odds, on probabilities their differences: two measures.
    assert pr.auc_mu(y, margins) != pr.auc_mu(y, P)


def test_reversed_scores_stay_below_one_half() -> None:
    y, s = [0, 0, 1, 1], np.array([0.9, 0.8, 0.2, 0.1])
    assert pr.auc(y, s) == 0.0
    assert pr.auc(y, -s) == 1.0
    P = 1 - np.eye(3)[[0, 1, 2, 0]]
    assert pr.hand_till([0, 1, 2, 0], P) == 0.0
    assert pr.auc_mu([0, 1, 2, 0], P) == 0.0


def test_columns_follow_labels_not_the_alphabet() -> None:
    names = [f"class {k}" for k in range(12)]  # "class 10" sorts before "class 2"
    y = names
    P = np.eye(12)
    assert pr.hand_till(y, P, labels=names) == 1.0
    assert pr.hand_till(y, P) < 1.0  # columns in sorted order are another claim
    order = np.argsort(names)
    assert pr.hand_till(y, P[:, order]) == 1.0


def test_costs_are_not_pair_weights() -> None:
    # "weights" means the first in one package and the second in another; here each has its name.
    rng = np.random.default_rng(2)
    y, P = np.repeat(np.arange(3), 10), rng.random((30, 3))
    M = np.array([[0, 1, 5], [1, 0, 2], [5, 2, 0.0]])
    table = pr.pairwise(y, P, kind="auc_mu")
    mean = (table[0, 1] + 5 * table[0, 2] + 2 * table[1, 2]) / 8
    assert pr.auc_mu(y, P, pair_weights=M) == pytest.approx(mean, abs=1e-15)
    assert pr.auc_mu(y, P, partition=M) != pytest.approx(mean, abs=1e-6)
    with pytest.raises(TypeError, match="weights"):
        pr.auc_mu(y, P, weights=M)  # type: ignore[call-arg]


@pytest.mark.parametrize("shape", ["sorted", "reversed", "organ pipe", "saw", "constant"])
def test_no_order_of_rows_overflows_a_stack(shape: str) -> None:
    n = 1_000_000
    up = np.arange(n, dtype=float)
    s = {
        "sorted": up,
        "reversed": up[::-1],
        "organ pipe": np.minimum(up, up[::-1]),
        "saw": up % 1000,
        "constant": np.zeros(n),
    }[shape]
    y = np.arange(n) % 2
    assert pr.auc(y, s) == pytest.approx(0.5, abs=2e-3)


def test_huge_scores_project_or_say_why_not() -> None:
    big = np.finfo(float).max
    # Sums of magnitudes overflow here; projections do not, and nothing may tie on that account.
    P = np.array([[big, big / 2, 0], [big / 2, big / 4, 0], [big / 4, big / 2, 0], [0, 0, big]])
    values, tied = pr.pairwise([0, 1, 1, 2], P, kind="auc_mu", return_ties=True)
    assert values[0, 1] == 1.0
    assert tied[0, 1] == 0.0
    P = np.array([[big, -big, 0], [0, 0, 0], [0, 0, 1.0]])
    with pytest.raises(ValueError, match=r"^y_score\[0\].*overflow"):
        pr.auc_mu([0, 1, 2], P)


def test_large_integers_project_exactly_or_say_why_not() -> None:
    # 2^53 - (-2^53 + 1) has 54 bits: rounded to float64 it would tie with its neighbour.
    top = 2**53
    P = np.array([[top, -top + 1, 0], [top, -top + 2, 0], [0, 0, 1]])
    try:
        value = pr.pairwise([0, 1, 2], P, kind="auc_mu")[0, 1]
    except ValueError as error:
        assert "y_score[" in str(error)  # noqa: PT017
    else:
        assert value == 1.0
    P = np.array([[2**53 + 1, 0, 0], [2**53, 0, 0], [0, 0, 1]])
    with pytest.raises(ValueError, match=r"y_score\[0, 0\]"):
        pr.auc_mu([0, 1, 2], P)


def test_a_zero_weight_row_is_as_good_as_gone() -> None:
    # Even one that could not be projected.
    rng = np.random.default_rng(6)
    y, P = np.repeat(np.arange(3), 5), rng.random((15, 3))
    w = np.ones(15)
    w[4] = 0.0
    expected = [m(y[w > 0], P[w > 0]) for m in (pr.hand_till, pr.auc_mu, pr.one_vs_rest)]
    P[4] = [np.inf, -np.inf, 1e308]
    found = [m(y, P, sample_weight=w) for m in (pr.hand_till, pr.auc_mu, pr.one_vs_rest)]
    assert found == expected


def test_nan_in_a_zero_weight_row_is_told_alike_by_every_measure() -> None:
    rng = np.random.default_rng(7)
    y, P = np.arange(9) % 3, rng.random((9, 3))
    P[4, 1] = P[7, 2] = np.nan
    w = np.ones(9)
    w[[4, 7]] = 0.0

    def told(measure: pr.HandTill | pr.AucMu | pr.OneVsRest | pr.PolarArea) -> str:
        try:
            return f"fine: {0 <= measure(y, P, sample_weight=w)}"
        except ValueError as error:
            return str(error)

    assert len({told(m) for m in (pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.PolarArea())}) == 1
    # And if such rows may hold NaN, the row that is named must be one that counts.
    w[7] = 1.0
    named = {told(m) for m in (pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.PolarArea())}
    assert len(named) == 1


@pytest.mark.parametrize("n", [40, 5_000, 100_000])
def test_nan_anywhere_is_an_error_and_no_panic(n: int) -> None:
    rng = np.random.default_rng(n)
    for k in range(12):
        scores = rng.random(n)
        scores[rng.integers(0, n, k + 1)] = np.nan
        scores[0] = 1e9 if k % 2 else np.nan
        y = (np.arange(n) % 2) if k % 3 else (np.arange(n) > 0).astype(int)
        two = np.column_stack([scores, scores])
        measures = [pr.HandTill(), pr.AucMu(), pr.OneVsRest("micro")]
        with pytest.raises(ValueError, match=r"^y_score\[\d+\] is NaN"):
            pr.auc(y, scores)
        for measure in measures:
            with pytest.raises(ValueError, match=r"^y_score\[\d+, 0\] is NaN"):
                measure(y, two)


def test_two_columns_are_one_only_when_rows_have_one_sum() -> None:
    inf = np.inf
    assert pr.auc_mu([0, 1, 0], [[inf, 0.9], [0.3, 0.7], [0.8, 0.2]]) == 1.0
    with pytest.raises(ValueError, match="inf - inf"):
        pr.auc_mu([0, 1, 0], [[inf, inf], [0.3, 0.7], [0.8, 0.2]])
    close = [[0.5 + 2.0**-52, 0.5], [0.5, 0.5]]
    assert pr.auc_mu([0, 1], close, ties="exact") == 1.0
    b = 2**50
    votes, y = np.array([[b + 1, -b], [b, -b], [0, 0]]), np.array([0, 1, 1])
    assert pr.auc_mu(y, votes) == pr.auc_mu(y[::-1], votes[::-1]) == 1.0


def test_weights_far_apart_give_the_same_values() -> None:
    y = [0, 0, 1, 1, 2, 2]
    P = np.array([[1, 5, 4], [6, 3, 1], [2, 5, 3], [3, 2, 5], [4, 3, 3], [5, 4, 1]]) / 10
    measures = [pr.HandTill(), pr.AucMu(), pr.PolarArea()]
    expected = [m(y, P) for m in measures]
    for weights in ([1.5] * 2 + [1e-170] * 4, [1.5e200] * 2 + [1.0] * 4):
        assert [m(y, P, sample_weight=weights) for m in measures] == pytest.approx(expected, 1e-14)
    with pytest.raises(ValueError, match="weights this far apart"):
        pr.hand_till(y, P, sample_weight=[1e150] * 2 + [1e-150] * 4)
    for extreme in (1.7e308, 5e-324):
        value = pr.one_vs_rest(y, P, average="prevalence", sample_weight=[extreme] * 6)
        assert value == pytest.approx(pr.one_vs_rest(y, P, average="prevalence"), 1e-14)
