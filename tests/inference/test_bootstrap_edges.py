"""Lost classes, and the ends of the range."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.bootstrap_calls import (
    MATRIX,
    METHODS,
    NAMES,
    NEWCOMBE,
    PERFECT,
    binary,
    bits,
    boot,
    matrix,
    quietly,
    same,
    unbalanced,
)

# Classes that get lost


def test_a_replicate_that_loses_a_class_is_left_out_and_counted() -> None:
    y, scores = unbalanced(40, 4)
    warning = (
        r"^\d+ of 500 replicates lost a class and were left out, so that the interval holds for "
        r'resamples with all classes only; stratify=True avoids that, degenerate="redraw" does not$'
    )
    with pytest.warns(pr.BootstrapWarning, match=warning):
        result = boot(y, scores, "auc", stratify=False, n_resamples=500)
    lost = np.isnan(result.replicates)
    assert result.n_lost == lost.sum()
    assert result.n_redrawn == 0
    assert 5 < result.n_lost < 20  # 0.9^40 of them: 7.4
    assert result.notes == (f"{result.n_lost} of 500 replicates lost a class and were left out",)
    assert f"  note: {result.notes[0]}" in repr(result)
    kept = result.replicates[~lost]
    assert result.standard_error == pytest.approx(kept.std(ddof=1), rel=1e-12)
    assert np.isfinite(result.interval).all()
    percentile = result.with_interval("percentile").interval
    np.testing.assert_allclose(percentile, np.quantile(kept, [0.025, 0.975]), rtol=1e-12)


def test_up_to_one_percent_there_is_a_note_and_no_warning() -> None:
    y, scores = unbalanced(60, 6)
    result = boot(y, scores, "auc", stratify=False, n_resamples=3000)  # 0.9^60 of them: 5.4
    assert 0 < result.n_lost <= 30
    assert result.notes == (f"{result.n_lost} of 3,000 replicates lost a class and were left out",)
    poisson = boot(y, scores, "auc", scheme="poisson", n_resamples=3000)  # e^-6 of them: 7.4
    assert 0 < poisson.n_lost <= 30


def test_warnings_point_at_the_caller() -> None:
    y, scores = unbalanced(40, 4)
    with pytest.warns(pr.BootstrapWarning) as caught:
        pr.bootstrap(y, scores, "auc", stratify=False, n_resamples=500, seed=1)
    assert [warning.filename for warning in caught] == [__file__]
    assert issubclass(pr.BootstrapWarning, UserWarning)


def test_a_replicate_that_loses_a_class_is_drawn_again() -> None:
    y, scores = unbalanced(40, 4)
    options: dict[str, Any] = {"stratify": False, "n_resamples": 500}
    skipped = quietly(y, scores, "auc", **options)
    result = boot(y, scores, "auc", degenerate="redraw", **options)
    assert not np.isnan(result.replicates).any()
    assert (result.n_lost, result.notes) == (0, ())
    assert result.n_redrawn >= skipped.n_lost
    line = f"  {result.n_redrawn} draws lost a class and were drawn again"
    assert line in repr(result).splitlines()
    kept = ~np.isnan(skipped.replicates)
    assert bits(result.replicates[kept]) == bits(skipped.replicates[kept])
    for count in (1, 2):
        same(boot(y, scores, "auc", degenerate="redraw", n_threads=count, **options), result)


def test_a_replicate_that_loses_a_class_is_an_error_on_request() -> None:
    y, scores = unbalanced(40, 4)
    skipped = quietly(y, scores, "auc", stratify=False, n_resamples=500)
    number = int(np.argmax(np.isnan(skipped.replicates)))
    message = (
        rf"^{skipped.n_lost} of 500 replicates lost a class, the first one being {number}; "
        r'stratify=True keeps all classes, degenerate="redraw" draws such replicates again$'
    )
    with pytest.raises(ValueError, match=message):
        boot(y, scores, "auc", stratify=False, n_resamples=500, degenerate="raise")
    later = range(number, 500)
    with pytest.raises(ValueError, match=rf"^\d+ of {len(later)} .* the first one being {number};"):
        boot(y, scores, "auc", stratify=False, n_resamples=500, replicates=later,
             degenerate="raise")  # fmt: skip
    strict = boot(y, scores, "auc", n_resamples=500, degenerate="raise")  # stratified: none lost
    assert strict.n_lost == 0


def test_stratified_and_bayesian_replicates_lose_nothing() -> None:
    y, scores = unbalanced(40, 2)
    for options in ({}, {"scheme": "bayesian"}, {"scheme": "bayesian", "stratify": False}):
        result = boot(y, scores, "auc", n_resamples=2000, **options)
        assert (result.n_lost, result.notes) == (0, ())
        assert not np.isnan(result.replicates).any()


def test_every_measure_leaves_out_the_same_replicates() -> None:
    y, scores = matrix(30)
    y = np.where((y == 2) & (np.arange(30) > 12), 0, y)  # class 2 has four rows
    results = quietly(y, scores, MATRIX, stratify=False, n_resamples=400, pairs=False)
    lost = np.isnan(results["hand_till"].replicates)
    assert 0 < lost.sum() < 40
    for result in results.values():
        values = result.replicates.reshape(400, -1)
        np.testing.assert_array_equal(np.isnan(values).any(axis=1), lost)
        np.testing.assert_array_equal(np.isnan(values).all(axis=1), lost)
        assert result.n_lost == lost.sum()


def test_a_class_of_a_single_row_is_told() -> None:
    y, scores = unbalanced(20, 1)
    message = "class 1 has a single row, drawn every time: its spread is not in the interval"
    with pytest.warns(pr.BootstrapWarning, match=f"^{message}$"):
        result = boot(y, scores, "auc")
    assert result.notes == (message,)
    names = np.array(["healthy", "ill"])[y]
    with pytest.warns(pr.BootstrapWarning, match=r"^class 'ill' has a single row, "):
        boot(names, scores, "auc")
    y, scores = unbalanced(20, 4)
    groups = np.where(y == 1, -1, np.arange(20))
    with pytest.warns(pr.BootstrapWarning, match=r"^class 1 has a single group, drawn every time"):
        boot(y, scores, "auc", groups=groups, stratify=True)
    w = np.where(np.arange(20) < 3, 0.0, 1.0)
    with pytest.warns(pr.BootstrapWarning, match=r"^class 1 has a single row, "):
        boot(y, scores, "auc", sample_weight=w)


# The ends of the range


@pytest.mark.parametrize("method", [*METHODS, "studentized"])
def test_perfect_scores_have_an_informative_lower_limit(method: Any) -> None:
    result = boot(*PERFECT, "auc", method=method)
    assert (result.estimate, result.standard_error) == (1.0, 0.0)
    assert (result.replicates == 1.0).all()
    assert 0.5 < result.interval[0] < 0.6
    assert result.interval[1] == 1.0
    assert result.method == "newcombe"
    assert result.notes == (NEWCOMBE,)
    y, scores = PERFECT
    mirrored = boot(y, [-s for s in scores], "auc", method=method)
    assert mirrored.estimate == 0.0
    np.testing.assert_allclose(mirrored.interval, 1 - result.interval[::-1], atol=1e-12)


def test_perfect_scores_of_many_classes() -> None:
    y = np.arange(30) % 3
    scores = np.eye(3)[y]
    results = boot(y, scores, MATRIX)
    for result in results.values():
        top = 1.0 if result.measure.name != "polar_area" else pr.polar_area(y, scores)
        if result.measure == pr.PolarArea(normalize=True, order="pairs"):
            top = 1.0
        low, high = result.interval[..., 0], result.interval[..., 1]
        np.testing.assert_allclose(high, top, rtol=1e-12)
        assert (low < 0.95 * top).all()
        assert (low > 0.2 * top).all()
        assert result.method == "newcombe"
    # The polar area is of degree two in its AUCs.
    share = results["polar share"].interval[0]
    assert share == pytest.approx(results["hand_till"].interval[0] ** 2, rel=1e-12)


def test_constant_scores_are_one_half_with_an_interval_around_it() -> None:
    y = np.arange(30) % 3
    results = boot(y, np.zeros((30, 3)), MATRIX)
    for name, result in results.items():
        middle = 0.5 if "polar" not in name else NAMES["polar_area"](y, np.zeros((30, 3)))
        if name == "polar share":
            middle = 0.25
        assert result.estimate == pytest.approx(middle, rel=1e-12)
        np.testing.assert_allclose(result.replicates, middle, rtol=1e-12)
        assert (result.interval[..., 0] < 0.9 * middle).all()
        assert (result.interval[..., 1] > 1.1 * middle).all()
    low, high = results["hand_till"].interval
    assert low + high == pytest.approx(1.0, abs=1e-12)


def test_one_row_a_class() -> None:
    for scores, value in (([1, 2], 1.0), ([2, 1], 0.0), ([1, 1], 0.5)):
        with pytest.warns(pr.BootstrapWarning, match=r"^classes \[0, 1\] have a single row each, "):
            result = boot([0, 1], scores, "auc")
        assert result.estimate == value
        assert (result.replicates == value).all()
        assert 0 <= result.interval[0] <= value <= result.interval[1] <= 1
        assert result.interval[1] - result.interval[0] > 0.7
    result = quietly([0, 1, 2], np.eye(3), ["hand_till", "auc_mu", "polar_area"])
    for one in result.values():
        assert np.isfinite(one.interval).all()
        assert one.interval[0] < 0.5 * one.interval[1]


def test_two_rows_not_stratified() -> None:
    result = quietly([0, 1], [1, 2], "auc", stratify=False, n_resamples=400)
    assert 150 < result.n_lost < 250
    assert set(result.replicates[~np.isnan(result.replicates)]) == {1.0}
    again = boot([0, 1], [1, 2], "auc", stratify=False, degenerate="redraw", n_resamples=400)
    assert (again.replicates == 1.0).all()
    assert 250 < again.n_redrawn < 600
    for scheme in ("poisson", "bayesian"):
        result = quietly([0, 1], [1, 2], "auc", scheme=scheme)
        assert np.nanmax(result.replicates) == np.nanmin(result.replicates) == 1.0


def test_a_single_replicate() -> None:
    y, scores = matrix()
    result = boot(y, scores, n_resamples=1)
    assert math.isnan(result.standard_error)
    assert np.isfinite(result.interval).all()
    assert bits(result.replicates) == bits(boot(y, scores).replicates[:1])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shift", [-2.5, 2.5])
def test_limits_stay_within_the_range(method: Any, shift: float) -> None:
    y, scores = matrix(24, shift=shift)
    options = {"method": method, "confidence": 0.999}
    areas = {"area": pr.PolarArea(), "share": pr.PolarArea(normalize=True), "m": pr.HandTill()}
    for name, result in boot(y, scores, areas, **options).items():
        top = 3 / 2 * math.sin(2 * math.pi / 3) if name == "area" else 1.0
        low, high = result.interval
        assert 0 <= low <= result.estimate <= high <= top * (1 + 1e-15)
    y, s = binary(24, shift=shift)
    for limit in (0.1, 0.5, 1.0):
        result = boot(y, s, pr.Auc(max_fpr=limit), **options)
        bottom = (1 - limit / (2 - limit)) / 2
        low, high = result.interval
        assert bottom <= low <= result.estimate <= high <= 1
        assert (result.replicates >= bottom - 1e-15).all()
    worst = boot([0, 0, 0, 1, 1], [3, 4, 5, 1, 2], pr.Auc(max_fpr=0.5), method=method)
    assert worst.estimate == pytest.approx(1 / 3)
    assert worst.interval[0] == pytest.approx(1 / 3)
    assert worst.interval[1] > 0.4
