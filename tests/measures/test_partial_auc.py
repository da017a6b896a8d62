"""Partial areas against their definition, scikit-learn, and what every measure must do."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from given import measure_calls as every
from given.agreement import close
from given.strategies import Sample, rounded_rows, samples
from oracle import partial_reference as ref
from oracle.reference import whole

RNG = np.random.default_rng(14)
Y = np.arange(90) % 3 == 0
GOOD = Y + RNG.normal(size=90)
COARSE = np.round(GOOD)
C = np.arange(90) % 3
KINDS: list[Any] = [("hand_till", pr.hand_till), ("auc_mu", pr.auc_mu)]
P = RNG.normal(size=(90, 3)) + np.eye(3)[C]


@st.composite
def ranges(draw: st.DrawFn) -> tuple[Fraction, Fraction]:
    """Ranges of rates, ends on points of curves among them."""
    d = draw(st.integers(1, 12))
    a, b = sorted(draw(st.lists(st.integers(0, d), min_size=2, max_size=2, unique=True)))
    return Fraction(a, d), Fraction(b, d)


def options(over_tpr: bool, a: Fraction, b: Fraction) -> dict[str, Any]:
    return {"tpr" if over_tpr else "fpr": (float(a), float(b))}


@given(samples(K=st.just(2), columns=False, weighting=("none", "whole", "real")), ranges(),
       st.booleans())  # fmt: skip
def test_value(sample: Sample, ends: tuple[Fraction, Fraction], over_tpr: bool) -> None:
    c, s, q = sample.c, sample.P, whole(sample.w, len(sample.c))
    a, b = ends
    exact = ref.partial_area(s[c == 1], s[c == 0], q[c == 1], q[c == 0], a, b, over_tpr)
    given_range = options(over_tpr, a, b)
    value = pr.partial_auc(c, s, sample_weight=sample.w, **given_range)
    assert type(value) is float
    assert 0 <= value <= float(b) - float(a)
    close(value, exact, 1e-13)
    scaled = pr.partial_auc(c, s, sample_weight=sample.w, standardize=True, **given_range)
    close(scaled, ref.standardised(exact, a, b, over_tpr), 1e-11)
    # Classes exchanged and scores turned round, the other rates of the same curve are meant.
    turned = options(not over_tpr, 1 - b, 1 - a)
    assert pr.partial_auc(1 - c, -dense(s), sample_weight=sample.w, **turned) == pytest.approx(
        value, abs=1e-13
    )


def area(scores: Any, labels: Any = Y, **options: Any) -> float:
    return pr.partial_auc(labels, scores, **options)


def dense(s: Any) -> Any:
    return np.unique(s, return_inverse=True)[1]


@given(samples(dtypes=("float64",), scores=rounded_rows(8), most=16), ranges(), st.booleans())
def test_mean_over_ordered_pairs(
    sample: Sample, ends: tuple[Fraction, Fraction], over_tpr: bool
) -> None:
    c, q = sample.c, whole(sample.w, len(sample.c))
    for pairs in ("hand_till", "auc_mu"):
        value = pr.partial_auc(
            c, sample.P, pairs=pairs, sample_weight=sample.w, labels=range(sample.K),
            **options(over_tpr, *ends),
        )  # fmt: skip
        exact = ref.mean_over_pairs(
            np.asarray(sample.P), c, sample.K, q, *ends, over_tpr, pairs == "auc_mu"
        )
        close(value, exact, 1e-13)


@pytest.mark.parametrize("scores", [GOOD, COARSE, -GOOD])
@pytest.mark.parametrize("f", [0.05, 0.3, 1.0])
def test_value_is_that_of_scikit_learn(scores: Any, f: float) -> None:
    weights = RNG.random(90)
    for w in (None, weights):
        peer = roc_auc_score(Y, scores, max_fpr=f, sample_weight=w)
        found = pr.partial_auc(Y, scores, fpr=(0, f), standardize=True, sample_weight=w)
        assert found == pytest.approx(peer, rel=1e-12)
        assert found == pr.auc(Y, scores, max_fpr=f, sample_weight=w)
        fpr, tpr, _ = roc_curve(Y, scores, sample_weight=w, drop_intermediate=False)
        raw = pr.partial_auc(Y, scores, fpr=(0.311 * f, 0.947 * f), sample_weight=w)
        peer = trapezoids(fpr, tpr, 0.311 * f, 0.947 * f)
        assert raw == pytest.approx(peer, rel=1e-12)


def trapezoids(fpr: Any, tpr: Any, a: float, b: float) -> float:
    """The area of a curve between two rates, both of them off its points."""
    ends = np.interp([a, b], fpr, tpr)
    inside = (fpr > a) & (fpr < b)
    return float(np.trapezoid(np.r_[ends[0], tpr[inside], ends[1]], np.r_[a, fpr[inside], b]))


def test_the_whole_range_is_the_area() -> None:
    for whole_range in ({"fpr": (0, 1)}, {"tpr": (0, 1)}):
        for standardize in (False, True):
            of_all: dict[str, Any] = {**whole_range, "standardize": standardize}
            assert pr.partial_auc(Y, GOOD, **of_all) == pr.auc(Y, GOOD)
            for pairs, measure in KINDS:
                value = pr.partial_auc(C, P, pairs=pairs, **of_all)
                assert value == pytest.approx(measure(C, P), rel=1e-13)
                assert pr.partial_auc(Y, GOOD, pairs=pairs, **of_all) == pr.auc(Y, GOOD)


def test_ranges_add_up() -> None:
    for rates in ("fpr", "tpr"):
        cuts = [0, 0.07, 0.5, 1]
        parts = [area(COARSE, **{rates: (a, b)}) for a, b in pairwise(cuts)]
        assert sum(parts) == pytest.approx(pr.auc(Y, COARSE), rel=1e-14)


def test_known_values() -> None:
    # One of two positives above all negatives: the curve is at 1/2 until half of these are met.
    y, s = [0, 0, 1, 1], [1, 3, 2, 4]
    assert pr.partial_auc(y, s, fpr=(0, 0.25)) == 0.125
    assert pr.partial_auc(y, s, fpr=(0.25, 0.75)) == 0.375
    assert pr.partial_auc(y, s, tpr=(0.5, 1)) == 0.25
    # Worse than chance within the range: below 1/2, the least being that of no area at all.
    assert pr.partial_auc([0, 1], [1, 0], fpr=(0, 0.5), standardize=True) == pytest.approx(1 / 3)
    assert pr.partial_auc([0, 1], [1, 0], tpr=(0.5, 1), standardize=True) == pytest.approx(1 / 3)
    assert pr.partial_auc([0, 1], [0, 0], fpr=(0.2, 0.9), standardize=True) == pytest.approx(0.5)
    for ends in ((0, 0.1), (0.3, 0.7), (0.9, 1)):
        for rates in ("fpr", "tpr"):
            assert area([0, 1], [0, 1], standardize=True, **{rates: ends}) == 1
            assert area([0, 1], [0, 1], **{rates: ends}) == ends[1] - ends[0]


def test_one_column_counts_both_ways_in_pairs() -> None:
    for pairs in ("hand_till", "auc_mu"):
        one = pr.partial_auc(Y, GOOD, fpr=(0.1, 0.3), pairs=pairs)
        two = pr.partial_auc(Y, np.column_stack([-GOOD, GOOD]), fpr=(0.1, 0.3), pairs=pairs)
        ways = [pr.partial_auc(Y, GOOD, fpr=(0.1, 0.3)), pr.partial_auc(~Y, -GOOD, fpr=(0.1, 0.3))]
        assert one == pytest.approx(two, rel=1e-14)
        assert one == pytest.approx(np.mean(ways), rel=1e-14)


def test_absent_classes_are_left_out() -> None:
    wide = np.column_stack([P, np.ones(90)])
    for pairs in ("hand_till", "auc_mu"):
        skipping = pr.PartialAuc(fpr=(0, 0.2), pairs=pairs, absent="skip")
        value = pr.partial_auc(C, P, fpr=(0, 0.2), pairs=pairs)
        assert skipping(C, wide, labels=range(4)) == pytest.approx(value, rel=1e-14)
        with pytest.raises(ValueError, match=r"^no row has the label 3; pass absent="):
            pr.partial_auc(C, wide, fpr=(0, 0.2), pairs=pairs, labels=range(4))


MEASURES = [pr.PartialAuc(fpr=(0, 0.2)), pr.PartialAuc(tpr=(0.5, 0.9), standardize=True)]
OF_PAIRS = [
    pr.PartialAuc(fpr=(0.1, 0.4), pairs="hand_till"),
    pr.PartialAuc(tpr=(0.7, 1), pairs="hand_till", standardize=True),
    pr.PartialAuc(fpr=(0, 0.15), pairs="auc_mu"),
]


@pytest.mark.parametrize("scores", [GOOD, COARSE])
@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_replicates(measure: Any, scores: Any) -> None:
    every.replicates_are_the_measure_of_weighted_rows(measure, Y, scores)
    every.threads_and_memory_change_no_bit(measure, Y, scores)


@pytest.mark.parametrize("scores", [P, np.round(P)])
@pytest.mark.parametrize("measure", OF_PAIRS, ids=repr)
def test_replicates_of_pairs(measure: Any, scores: Any) -> None:
    every.replicates_are_the_measure_of_weighted_rows(measure, C, scores)
    every.threads_and_memory_change_no_bit(measure, C, scores)


def test_comparisons() -> None:
    bad = RNG.normal(size=90)
    for measure in MEASURES:
        every.comparisons_are_made(measure, Y, Y + 0.3 * GOOD, bad, closed=True)
    for measure in OF_PAIRS:
        every.comparisons_are_made(measure, C, P + 2 * np.eye(3)[C], P, closed=True)


def test_class_counts_do_not_enter() -> None:
    assert pr.bootstrap(Y, GOOD, MEASURES[0], n_resamples=20, seed=1).stratified
    assert pr.bootstrap(C, P, OF_PAIRS[0], n_resamples=20, seed=1).stratified


def test_perfect_separation_has_an_interval_from_the_sizes() -> None:
    for measure in MEASURES:
        result = pr.bootstrap(Y, Y + 0.0, measure, n_resamples=99, seed=1)
        bottom, top = measure._bounds(None)  # type: ignore[arg-type]
        assert result.estimate == top
        assert result.method == "newcombe"
        assert bottom <= result.interval[0] < result.interval[1] == top
        t = pr.delong(Y, Y + 0.0, measure)
        assert bottom < t.interval[0] < t.interval[1] == top


def test_no_curve_is_beyond_the_bounds_given_its_area() -> None:
    for _ in range(200):
        y = np.r_[0, 1, RNG.integers(0, 2, 20)]
        s = RNG.integers(0, 9, 22) + y * RNG.integers(0, 4)
        a, b = sorted(RNG.random(2))
        auc = np.array([pr.auc(y, s)])
        for rates in ("fpr", "tpr"):
            given_range: Any = {rates: (a, b)}
            measure = pr.PartialAuc(**given_range)
            least, most = measure.from_auc.shares(auc, auc, (11, 11))
            assert least[0] - 1e-12 <= measure(y, s) / (b - a) <= most[0] + 1e-12


def test_refusals() -> None:
    def refused(error: type[Exception], message: str, **given_options: Any) -> None:
        with pytest.raises(error, match=message):
            pr.partial_auc(Y, GOOD, **given_options)

    refused(ValueError, r"^neither fpr nor tpr is given; pass the range that counts, as fpr=\(0,")
    refused(ValueError, r"^fpr and tpr are both given; an area is over one of them: leave one$",
            fpr=(0, 1), tpr=(0, 1))  # fmt: skip
    refused(ValueError, r"^fpr is \(0\.5, 0\.1\), which is reversed; pass fpr=\(0\.1, 0\.5\)$",
            fpr=(0.5, 0.1))  # fmt: skip
    refused(ValueError, r"^tpr is \(0\.5, 0\.5\), an empty range; .* or pr\.fpr_at\(y, s, tpr=0\.5",
            tpr=(0.5, 0.5))  # fmt: skip
    refused(ValueError, r"^fpr is \(-0\.1, 0\.5\); rates lie in \[0, 1\]: pass two rates",
            fpr=(-0.1, 0.5))  # fmt: skip
    refused(ValueError, r"^fpr is \(0, nan\); rates lie in", fpr=(0, float("nan")))
    for wrong in (0.1, "01", (0.1,), (0, 0.1, 0.2), [[0, 1]], (0, "a"), (False, True)):
        refused(TypeError, r"^fpr is .*; pass two rates, as fpr=\(0, 0\.1\)$", fpr=wrong)
    refused(TypeError, r"^standardize is 1; pass True or False$", fpr=(0, 1), standardize=1)
    refused(ValueError, r"^pairs is 'micro'; choose one of 'hand_till', 'auc_mu'",
            fpr=(0, 1), pairs="micro")  # fmt: skip
    with pytest.raises(ValueError, match=r'^partial_auc compares two classes .* pass pairs="hand_'):
        pr.partial_auc(C, P, fpr=(0, 0.1))
    with pytest.raises(ValueError, match=r"^measure is 'partial_auc', which has no default; pass "):
        pr.bootstrap(Y, GOOD, "partial_auc")
