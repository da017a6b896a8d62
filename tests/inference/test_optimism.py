"""Thresholds that look better where they were chosen, and the intervals that take it off."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from polyroc import _core
from polyroc._data.sample import prepare
from polyroc._data.units import plan
from polyroc._inference.optimism import REPLICATES, optimism_of
from polyroc._inference.run import memory_budget
from polyroc._measures.registry import rows_for
from polyroc._stats.optimism import corrected_limits

from given import core_weights
from given.strategies import FLOATS, Sample, samples
from oracle import optimism_reference as ref

RNG = np.random.default_rng(5)
Y = np.arange(80) % 3 == 0
GOOD = Y + RNG.normal(size=80)
COARSE = np.round(GOOD)
WEIGHTS = RNG.random(80)
Y3 = np.arange(60) % 3
P3 = RNG.normal(size=(60, 3)) + 1.2 * np.eye(3)[Y3]
MEASURES: list[tuple[Any, Any]] = [
    (pr.HullArea(), lambda _, masses: ref.area(masses)),
    (pr.HMeasure(), lambda c, m: ref.h_of(c, m, lambda pi1: (1 + pi1, 2 - pi1))),
    (pr.HMeasure((2, 3)), lambda c, m: ref.h_of(c, m, lambda _: (2, 3))),
    (pr.KolmogorovSmirnov(), ref.gap_of),
]
SEED, COUNT = 11, 3


def _each(measure: Any, y: Any, scores: Any, scheme: Any, count: int = COUNT, **more: Any) -> Any:
    """The optimism of each replicate by the core."""
    sample = prepare(y, scores, None, more.get("sample_weight"), None)
    units = plan(sample, "multinomial", True, None, "")
    run = _core.bootstrap(
        models=[rows_for(sample, [measure], units)], measures=[measure._optimism(sample)],
        scheme=scheme, stratified=True, seed=SEED, first=0, last=count, redraw=False,
        estimates=True, influence=False, cells=False, watcher=None,
        **memory_budget(None, sample)._asdict(),
    )  # fmt: skip
    assert run.estimates[0][0] == 0.0  # the sample's own thresholds, judged by it
    return run.values[0][:, 0]


@pytest.mark.parametrize(("measure", "by_definition"), MEASURES)
@pytest.mark.parametrize("scores", [GOOD, COARSE, -GOOD])
@pytest.mark.parametrize("scheme", [_core.Scheme.Multinomial, _core.Scheme.Bayesian])
def test_replicates_against_the_definition(
    measure: Any, by_definition: Any, scores: Any, scheme: Any
) -> None:
    drawn = core_weights.weights(Y.astype(np.uint32), 2, scheme, SEED, 0, COUNT)
    weights = None if scheme == _core.Scheme.Multinomial else WEIGHTS
    each = np.ones(80) if weights is None else weights
    found = _each(measure, Y, scores, scheme, sample_weight=weights)
    expected = [ref.optimism(by_definition, Y, scores, each, own) for own in drawn]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(("measure", "by_definition"), [MEASURES[0], MEASURES[-1]])
@given(sample=samples(st.just(2), (*FLOATS, "int8"), columns=False, most=10))
@settings(max_examples=12)
def test_small_samples_against_the_definition(
    measure: Any, by_definition: Any, sample: Sample
) -> None:
    codes, scores = sample.c.astype(np.uint32), sample.P.astype(np.float64)
    each = np.ones(len(codes)) if sample.w is None else sample.w
    assume(each.min() > 0)
    found = _each(
        measure, sample.c, sample.P, _core.Scheme.Bayesian, sample_weight=sample.w, count=2
    )
    drawn = core_weights.weights(codes, 2, _core.Scheme.Bayesian, SEED, 0, 2)
    for value, own in zip(found, drawn, strict=True):
        expected = ref.optimism(by_definition, codes == 1, scores, each, own)
        assert value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("measure", "by_definition"), MEASURES[:2])
def test_more_classes_are_averaged_over_pairs(measure: Any, by_definition: Any) -> None:
    found = _each(measure, Y3, P3, _core.Scheme.Multinomial)
    drawn = core_weights.weights(Y3.astype(np.uint32), 3, _core.Scheme.Multinomial, SEED, 0, COUNT)
    for value, own in zip(found, drawn, strict=True):
        pairs = []
        for i, j in permutations(range(3), 2):
            both = np.isin(Y3, (i, j))
            rows = Y3[both] == i, P3[both, i], np.ones(both.sum()), own[both]
            pairs.append(ref.optimism(by_definition, *rows))
        assert value == pytest.approx(np.mean(pairs), abs=1e-9)


def test_whole_weights_are_not_resampled_but_count_as_repeated_rows() -> None:
    """A row of weight 2 is drawn as one: its optimism is that of a group of two equal rows."""
    weights = RNG.integers(1, 4, 80)
    rows = np.repeat(np.arange(80), weights)
    run: dict[str, Any] = {"n_resamples": 200, "seed": 3, "stratify": False}
    one = pr.bootstrap(Y, GOOD, "h_measure", sample_weight=weights, **run)
    two = pr.bootstrap(Y[rows], GOOD[rows], "h_measure", groups=rows, **run)
    assert one.ingredients.optimism == pytest.approx(two.ingredients.optimism, abs=1e-12)


@pytest.mark.parametrize("measure", ["h_measure", "hull_area", "kolmogorov_smirnov"])
def test_the_default_takes_the_optimism_off_and_says_so(measure: str) -> None:
    result = pr.bootstrap(Y, GOOD, measure, n_resamples=400, seed=1)
    assert result.method == result.requested == "corrected"
    (note,) = result.notes
    assert result.ingredients.optimism is not None
    (optimism,) = result.ingredients.optimism
    assert optimism > 0
    assert f"{optimism / 2:.2g} to {optimism:.2g} is taken off" in note
    plain = result.with_interval(method="bca")
    assert plain.method == "bca"
    assert result.interval[0] < plain.interval[0]
    asked = pr.bootstrap(Y, GOOD, measure, n_resamples=400, seed=1, method="bca")
    np.testing.assert_array_equal(asked.interval, plain.interval)
    assert "this interval lies too high, method=" in asked.notes[0]
    np.testing.assert_array_equal(asked.replicates, result.replicates)
    with pytest.raises(ValueError, match=r"^the optimism that method='corrected'"):
        asked.with_interval(method="corrected")
    wider = result.with_interval(confidence=0.99)
    assert wider.interval[0] <= result.interval[0]
    assert result.interval[1] < wider.interval[1]


def test_parts_of_a_run_and_threads_have_the_same_optimism() -> None:
    run: dict[str, Any] = {"n_resamples": 300, "seed": 2}
    whole = pr.bootstrap(Y, GOOD, "h_measure", **run, n_threads=1)
    parts = [
        pr.bootstrap(Y, GOOD, "h_measure", replicates=part, **run, n_threads=2)
        for part in (range(100), range(100, 300))
    ]
    joined = pr.BootstrapResult.join(parts)
    np.testing.assert_array_equal(joined.interval, whole.interval)
    assert joined.notes == whole.notes


def test_other_measures_of_the_same_call_keep_their_method() -> None:
    both = pr.bootstrap(Y, GOOD, ["auc", "h_measure"], n_resamples=200, seed=1)
    assert both["auc"].method == "bca"
    alone = pr.bootstrap(Y, GOOD, "auc", n_resamples=200, seed=1, stratify=False)
    np.testing.assert_array_equal(both["auc"].interval, alone.interval)
    with pytest.raises(ValueError, match=r"^method='corrected' is for measures whose thresholds"):
        pr.bootstrap(Y, GOOD, "auc", n_resamples=200, method="corrected")


def test_an_estimate_may_lie_above_its_interval() -> None:
    y, scores = np.repeat(np.arange(12), 15), RNG.normal(size=(180, 12))
    scores[np.arange(180), y] += 1
    result = pr.bootstrap(y, scores, "h_measure", n_resamples=100, seed=1)
    assert result.interval[1] < result.estimate
    assert result.notes[0].endswith("and the estimate itself lies above the interval")


def test_no_better_than_chance_and_the_wrong_way_round() -> None:
    for scores in (-GOOD, RNG.normal(size=80)):
        for measure, bottom in {"h_measure": 0, "hull_area": 0.5, "kolmogorov_smirnov": 0}.items():
            low, high = pr.bootstrap(Y, scores, measure, n_resamples=300, seed=1).interval
            assert low == bottom
            assert bottom <= high < 0.8


def test_optimism_is_a_mean_over_replicates_that_keep_their_classes() -> None:
    y = np.array([0, 0, 0, 0, 1])
    sample = prepare(y, np.array([1.0, 4, 2, 3, 2.5]), None, None, None)
    units = plan(sample, "multinomial", False, None, "")
    budget = memory_budget(None, sample)
    found = optimism_of(sample, units, {"h": pr.HMeasure(), "auc": pr.Auc()}, 1, budget)
    assert list(found) == ["h"]
    assert 0 <= found["h"][0] < 1
    assert REPLICATES % 64 == 0  # as many as are worked on side by side


@pytest.mark.parametrize("measure", ["hull_area", "kolmogorov_smirnov"])
def test_averages_over_labels_have_the_average_of_their_optimisms(measure: str) -> None:
    labels = np.column_stack([Y, RNG.random(80) < 0.4, RNG.random(80) < 0.5])
    scores = labels + RNG.normal(size=labels.shape)
    run: dict[str, Any] = {"n_resamples": 300, "seed": 1}
    each = pr.bootstrap(labels, scores, pr.Multilabel(measure, average=None), **run)
    one = pr.bootstrap(labels, scores, pr.Multilabel(measure), **run)
    assert each.method == one.method == "corrected"
    apart, together = each.ingredients.optimism, one.ingredients.optimism
    assert apart is not None
    assert apart.shape == (3,)
    assert len(set(apart)) == 3
    assert together == pytest.approx([apart.mean()], abs=1e-12)
    assert one.interval[0] < one.with_interval(method="bca").interval[0]
    compared = pr.compare(labels, {"a": scores, "b": -scores}, pr.Multilabel(measure), **run)
    assert compared.intervals[0] == pytest.approx(one.interval, abs=0.02)


def test_limits() -> None:
    t = np.array([-1.96, -2.58])
    low, high = corrected_limits(0.5, (0.0, 1.0), 0.1, 0.05, t)
    assert (np.diff(low) < 0).all()
    assert (np.diff(high) > 0).all()
    # Nothing to take off: symmetric on the scale of Fisher's z.
    low, high = corrected_limits(0.5, (0.0, 1.0), 0.0, 0.05, t)
    np.testing.assert_allclose(np.arctanh(low) + np.arctanh(high), 2 * np.arctanh(0.5))
    # Of a range that is half as long, half of all.
    half = corrected_limits(0.75, (0.5, 1.0), 0.05, 0.025, t)
    whole = corrected_limits(0.5, (0.0, 1.0), 0.1, 0.05, t)
    np.testing.assert_allclose(half, 0.5 + np.array(whole) / 2)
    assert corrected_limits(0.01, (0.0, 1.0), 5.0, 0.1, t)[0][0] >= -1
