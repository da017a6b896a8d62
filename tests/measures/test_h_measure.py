"""The H measure against the integral that defines it, and what every measure must do."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from given import measure_calls as every
from given.strategies import FLOATS, Sample, samples
from oracle import curve_reference as ref

Beta = Callable[[float], tuple[float, float]]
SEVERITIES: list[tuple[dict[str, Any], Beta]] = [
    ({}, lambda pi1: (1 + pi1, 2 - pi1)),
    ({"severity": "prior"}, lambda pi1: (1 + pi1, 2 - pi1)),
    ({"severity": "hand2009"}, lambda pi1: (2, 2)),
    ({"severity": "r"}, lambda pi1: (2, 1 + (1 - pi1) / pi1)),
    ({"severity": (1.5, 4)}, lambda pi1: (1.5, 4)),
    ({"severity_ratio": 0.25}, lambda pi1: (2, 5)),
]
RNG = np.random.default_rng(21)
Y = np.arange(90) % 3 == 0
GOOD = Y + RNG.normal(size=90)
COARSE = np.round(GOOD)
Y3 = np.arange(90) % 3
P3 = RNG.dirichlet([1, 1, 1], size=90) + 0.3 * np.eye(3)[Y3]


@pytest.mark.parametrize(("options", "beta"), SEVERITIES)
@given(sample=samples(st.just(2), (*FLOATS, "int8"), columns=False, most=10))
@settings(max_examples=6)
def test_value_is_the_integral(sample: Sample, options: dict[str, Any], beta: Beta) -> None:
    value = pr.h_measure(sample.c, sample.P, sample_weight=sample.w, **options)
    assert type(value) is float
    scores = sample.P.astype(np.float64)
    assert value == pytest.approx(ref.h_measure(sample.c == 1, scores, sample.w, beta), abs=1e-9)


@pytest.mark.parametrize(("options", "beta"), SEVERITIES)
def test_value_of_a_larger_sample(options: dict[str, Any], beta: Beta) -> None:
    weights = RNG.random(90)
    for scores in (GOOD, COARSE, -GOOD):
        value = pr.h_measure(Y, scores, sample_weight=weights, **options)
        assert value == pytest.approx(ref.h_measure(Y, scores, weights, beta), abs=1e-9)


@given(samples(st.just(2), (*FLOATS, "int8"), columns=False))
def test_range_and_invariance(sample: Sample) -> None:
    value = pr.h_measure(sample.c, sample.P, sample_weight=sample.w)
    assert 0 <= value <= 1
    ranks = np.unique(sample.P, return_inverse=True)[1].astype(float)
    for scores in (ranks, np.exp(ranks), ranks**3 - 5):
        assert pr.h_measure(sample.c, scores, sample_weight=sample.w) == value
    area = pr.hull_area(sample.c, sample.P, sample_weight=sample.w)
    assert area >= pr.auc(sample.c, sample.P, sample_weight=sample.w) - 1e-15
    assert 0.5 <= area <= 1


def test_ends_and_direction() -> None:
    assert pr.h_measure([0, 0, 1], [1, 2, 3]) == pr.hull_area([0, 0, 1], [1, 2, 3]) == 1
    for useless in ([3, 2, 1], [7, 7, 7]):
        assert pr.h_measure([0, 0, 1], useless) == 0
        assert pr.hull_area([0, 0, 1], useless) == 0.5
    two = np.column_stack([-GOOD, GOOD])
    assert pr.h_measure(Y, two) == pr.h_measure(Y, GOOD)
    turned = pr.h_measure(~Y, GOOD, pos_label=False)
    assert turned == pr.h_measure(Y, GOOD)


def test_whole_weights_are_repeated_rows() -> None:
    weights = RNG.integers(0, 4, 90)
    rows = np.repeat(np.arange(90), weights)
    for measure in (pr.HMeasure(), pr.HMeasure("r"), pr.HullArea()):
        for scores in (GOOD, COARSE):
            assert measure(Y, scores, sample_weight=weights) == measure(Y[rows], scores[rows])
        assert measure(Y3, P3, sample_weight=weights) == pytest.approx(measure(Y3[rows], P3[rows]))


@pytest.mark.parametrize("measure", [pr.HMeasure(), pr.HMeasure((2, 3)), pr.HullArea()])
def test_more_classes_are_averaged_over_pairs(measure: Any) -> None:
    values = []
    for i, j in permutations(range(3), 2):
        both = np.isin(Y3, (i, j))
        values.append(measure(Y3[both] == i, P3[both, i]))
    assert measure(Y3, P3) == pytest.approx(np.mean(values), abs=1e-14)
    result = pr.bootstrap(Y3, P3, measure, n_resamples=50, seed=1, method="percentile")
    assert result.estimate == measure(Y3, P3)


def test_an_absent_class_is_skipped() -> None:
    wide = np.column_stack([P3, P3[:, 0]])
    measure = pr.HMeasure(absent="skip")
    assert measure(Y3, wide, labels=range(4)) == pytest.approx(pr.h_measure(Y3, P3), abs=1e-15)
    with pytest.raises(ValueError, match=r"^no row has the label 3"):
        pr.h_measure(Y3, wide, labels=range(4))


@pytest.mark.parametrize("measure", [pr.HMeasure(), pr.HMeasure("r"), pr.HullArea()])
@pytest.mark.parametrize("scores", [GOOD, COARSE])
def test_replicates(measure: Any, scores: np.ndarray) -> None:
    every.replicates_are_the_measure_of_weighted_rows(measure, Y, scores)
    every.threads_and_memory_change_no_bit(measure, Y, scores)


@pytest.mark.parametrize("measure", [pr.HMeasure(), pr.HullArea()])
def test_replicates_of_pairs(measure: Any) -> None:
    every.replicates_are_the_measure_of_weighted_rows(measure, Y3, P3)
    every.threads_and_memory_change_no_bit(measure, Y3, P3)


@pytest.mark.parametrize("measure", [pr.HMeasure(), pr.HullArea()])
def test_comparisons(measure: Any) -> None:
    every.comparisons_are_made(measure, Y, Y + 0.3 * GOOD, RNG.normal(size=90))


def test_class_counts_enter() -> None:
    run: dict[str, Any] = {"n_resamples": 200, "seed": 1}
    assert "stratified by class" not in repr(pr.bootstrap(Y, GOOD, "h_measure", **run))
    assert "stratified by class" in repr(pr.bootstrap(Y, GOOD, "hull_area", **run))
    groups = np.arange(90) // 3
    for scheme in ("multinomial", "poisson", "bayesian"):
        for stratify in (None, False) if scheme == "poisson" else (True, False):
            drawn = pr.bootstrap(Y, GOOD, "h_measure", scheme=scheme, stratify=stratify, **run)
            assert 0.02 < drawn.standard_error < 0.2
        grouped = pr.bootstrap(
            Y, GOOD, "h_measure", scheme=scheme, groups=groups, stratify=False, **run
        )
        assert 0.02 < grouped.standard_error < 0.2


def test_perfect_separation_has_an_interval_from_the_sizes() -> None:
    for measure in ("h_measure", "hull_area"):
        result = pr.bootstrap(Y, Y + 0.0, measure, n_resamples=99, seed=1)
        assert result.method == "newcombe"
        assert result.interval[1] == 1
        assert 0.5 < result.interval[0] < 1
        constant = pr.bootstrap(Y, np.zeros(90), measure, n_resamples=99, seed=1)
        assert constant.estimate == constant.interval[0]
        assert constant.interval[0] < constant.interval[1] < 0.9


def test_options() -> None:
    assert pr.HMeasure("prior") == pr.HMeasure()
    assert repr(pr.HMeasure(severity_ratio=0.1)) == "HMeasure(severity_ratio=0.1)"
    assert pr.HMeasure([2, 3]) == pr.HMeasure((2.0, 3.0))
    assert pr.scorer(pr.HMeasure((2, 2))) is not None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"severity": (2, 2), "severity_ratio": 1}, "both say how costs are distributed"),
        ({"severity": "prior", "severity_ratio": 1}, "both say how costs are distributed"),
        ({"severity": (0, 2)}, r"^severity is \(0, 2\); both parameters"),
        ({"severity": (2, np.inf)}, r"^severity is inf; pass a finite number"),
        ({"severity": (2,)}, r'^severity is \(2,\); pass "prior"'),
        ({"severity": 2}, r'^severity is 2; pass "prior"'),
        ({"severity": "hand"}, r"^severity is 'hand'; pass"),
        ({"severity_ratio": 0}, r"^severity_ratio is 0; the cost of a false positive"),
        ({"severity_ratio": "r"}, r"^severity_ratio is 'r'; pass a number"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        pr.h_measure(Y, GOOD, **options)
