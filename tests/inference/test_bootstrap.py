"""The bootstrap as users call it: what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.bootstrap_calls import (
    BINARY,
    COSTS,
    MATRIX,
    METHODS,
    NAMES,
    SCHEMES,
    binary,
    bits,
    boot,
    matrix,
    same,
)

# What comes back


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stands_for_the_measure_with_its_defaults(name: str) -> None:
    y, scores = binary() if name == "auc" else matrix()
    result = boot(y, scores, name)
    assert result.measure == NAMES[name]
    same(result, boot(y, scores, NAMES[name]))


def test_auc_mu_is_the_default_and_9999_resamples() -> None:
    y, scores = matrix()
    result = pr.bootstrap(y, scores, seed=3)
    assert result.measure == pr.AucMu()
    assert result.replicates.shape == (9999,)
    assert (result.confidence, result.sides, result.requested) == (0.95, "two", "bca")


@pytest.mark.parametrize("name", MATRIX)
def test_matrix_measures(name: str) -> None:
    y, scores = matrix()
    check_shapes(boot(y, scores, MATRIX[name]), MATRIX[name], y, scores)


@pytest.mark.parametrize("name", BINARY)
def test_binary_measures(name: str) -> None:
    y, scores = binary()
    check_shapes(boot(y, scores, BINARY[name]), BINARY[name], y, scores)
    if name != "auc below":
        two = np.column_stack([-scores, scores])
        check_shapes(boot(y, two, BINARY[name]), BINARY[name], y, two)
    two = np.column_stack([-scores, scores])
    check_shapes(boot(y, two, pr.OneVsRest(None)), pr.OneVsRest(None), y, two)


def test_one_vs_rest_by_class_with_one_column() -> None:
    y, scores = binary()
    result = boot(y, scores, pr.OneVsRest(None))
    check_shapes(result, pr.OneVsRest(None), y, scores)
    wanted = boot(y, scores, "auc").replicates
    np.testing.assert_array_equal(result.replicates, np.column_stack([wanted, wanted]))


def check_shapes(result: Any, measure: Any, y: Any, scores: Any) -> None:
    value = (NAMES[measure] if isinstance(measure, str) else measure)(y, scores)
    shape = np.shape(value)
    assert bits(result.estimate) == bits(value)
    assert result.replicates.shape == (99, *shape)
    assert result.replicates.dtype == np.float64
    assert np.shape(result.standard_error) == shape
    assert result.interval.shape == (*shape, 2)
    if not shape:
        assert type(result.estimate) is type(result.standard_error) is float
    expected = result.replicates.std(axis=0, ddof=1)
    np.testing.assert_allclose(result.standard_error, expected, rtol=1e-12)
    low, high = result.interval[..., 0], result.interval[..., 1]
    assert (low < value).all()
    assert (value < high).all()
    assert (low >= result.replicates.min(axis=0)).all()
    assert (high <= result.replicates.max(axis=0)).all()
    assert (result.n_lost, result.n_redrawn, result.first) == (0, 0, 0)
    assert result.notes == () or result.method == "percentile"
    assert (result.unit, result.n_units, result.path) == ("row", len(y), "rows")
    assert result.version == pr.__version__


@pytest.mark.parametrize("sides", ["two", "lower", "upper"])
@pytest.mark.parametrize("method", METHODS)
def test_several_confidence_levels(method: Any, sides: Any) -> None:
    y, scores = matrix()
    levels = [0.5, 0.9, 0.99]
    for measure in ("hand_till", pr.OneVsRest(None)):
        options = {"method": method, "sides": sides}
        many = boot(y, scores, measure, confidence=levels, **options)
        shape = np.shape(many.estimate)
        assert many.confidence == (0.5, 0.9, 0.99)
        assert many.interval.shape == (3, *shape, 2)
        for k, level in enumerate(levels):
            alone = boot(y, scores, measure, confidence=level, **options)
            assert alone.confidence == level
            assert bits(alone.interval) == bits(many.interval[k])
        assert (np.diff(many.interval[..., 0], axis=0) <= 0).all()
        assert (np.diff(many.interval[..., 1], axis=0) >= 0).all()
        if sides != "two":
            end = {"lower": 1.0, "upper": 0.0}[sides]
            assert (many.interval[..., 1 if sides == "lower" else 0] == end).all()
    for form in (tuple(levels), np.array(levels)):
        assert bits(boot(y, scores, confidence=form).interval) == bits(
            boot(y, scores, confidence=levels).interval
        )
    assert boot(y, scores, confidence=[0.9]).interval.shape == (1, 2)
    assert boot(y, scores, confidence=np.float64(0.9)).interval.shape == (2,)


def test_one_sided_bounds_spend_all_the_error_on_their_side() -> None:
    y, scores = matrix()
    two = boot(y, scores, confidence=0.9).interval
    assert boot(y, scores, confidence=0.95, sides="lower").interval[0] == pytest.approx(two[0])
    assert boot(y, scores, confidence=0.95, sides="upper").interval[1] == pytest.approx(two[1])


@pytest.mark.parametrize("measure", ["hand_till", "auc_mu", pr.AucMu(COSTS), "polar_area"])
def test_pairs(measure: Any) -> None:
    y, scores = matrix()
    result = boot(y, scores, measure, pairs=True, confidence=[0.8, 0.9])
    pairs = result.pairs
    partition = measure.partition if isinstance(measure, pr.AucMu) else None
    mu = "mu" in str(measure).lower()
    table = pr.pairwise(y, scores, kind="auc_mu" if mu else "hand_till", partition=partition)
    np.testing.assert_array_equal(pairs.estimate, table)
    assert pairs.replicates.shape == (99, 3, 3)
    assert pairs.standard_error.shape == (3, 3)
    assert pairs.interval.shape == (2, 3, 3, 2)
    off = ~np.eye(3, dtype=bool)
    for values in (pairs.replicates, np.moveaxis(pairs.interval, -1, 1), pairs.standard_error):
        assert np.isnan(values[..., ~off]).all()
        assert not np.isnan(values[..., off]).any()
        np.testing.assert_array_equal(values, np.swapaxes(values, -1, -2))
    if not isinstance(measure, str) or measure != "polar_area":
        i, j = np.triu_indices(3, 1)
        means = pairs.replicates[:, i, j].mean(axis=1)
        np.testing.assert_allclose(result.replicates, means, rtol=1e-14)
    assert pairs.pairs is None
    assert boot(y, scores, measure).pairs is None
    same(boot(y, scores, measure, confidence=[0.8, 0.9]), copy_without_pairs(result))


def copy_without_pairs(result: Any) -> Any:
    from dataclasses import replace

    return replace(result, pairs=None)


@pytest.mark.parametrize("measure", ["hand_till", "auc_mu"])
def test_pairs_of_two_classes_with_one_column(measure: Any) -> None:
    y, scores = binary()
    result = boot(y, scores, measure, pairs=True)
    value = result.estimate
    table = [[np.nan, value], [value, np.nan]]
    np.testing.assert_array_equal(result.pairs.estimate, table)
    assert bits(result.pairs.replicates[:, 0, 1]) == bits(result.replicates)


def test_lists_and_dicts_of_measures() -> None:
    y, scores = matrix()
    listed = boot(y, scores, ["polar_area", pr.HandTill("prevalence"), "auc_mu"])
    assert list(listed) == ["polar_area", "hand_till", "auc_mu"]
    assert listed["hand_till"].measure == pr.HandTill("prevalence")
    same(boot(y, scores, ("polar_area", pr.HandTill("prevalence"), "auc_mu")), listed)
    named = boot(y, scores, {"plain": "hand_till", "by size": pr.HandTill("prevalence")})
    assert list(named) == ["plain", "by size"]
    assert named["by size"].replicates.shape == (99,)
    assert list(boot(y, scores, ["auc_mu"])) == ["auc_mu"]
    assert list(boot(y, scores, (name for name in ("auc_mu", "hand_till")))) == [
        "auc_mu",
        "hand_till",
    ]


def test_names_that_come_twice_need_a_dict() -> None:
    y, scores = matrix()
    twice = ["hand_till", "auc_mu", pr.HandTill("prevalence")]
    with pytest.raises(ValueError, match=r"^measure holds 'hand_till' twice; pass a dict "):
        boot(y, scores, twice)
    both = boot(y, scores, {"a": "hand_till", "b": pr.HandTill()})
    assert bits(both["a"].replicates) == bits(both["b"].replicates)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_resamples_alone_and_in_a_list(scheme: Any, weighted: bool) -> None:
    y, scores = matrix(90)
    w = np.random.default_rng(5).random(90) if weighted else None
    # Class counts enter some of these: by default they would vary for all of them in a list.
    fixed = None if scheme == "poisson" else True
    options = {"scheme": scheme, "sample_weight": w, "n_resamples": 150, "stratify": fixed}
    together = boot(y, scores, MATRIX, **options)
    for name, measure in MATRIX.items():
        same(boot(y, scores, measure, **options), together[name])
    with_pairs = boot(y, scores, {"a": "auc_mu", "b": "hand_till"}, pairs=True, **options)
    same(boot(y, scores, "auc_mu", pairs=True, **options), with_pairs["a"])
    same(boot(y, scores, "hand_till", pairs=True, **options), with_pairs["b"])


def test_the_same_resamples_of_two_columns_alone_and_in_a_list() -> None:
    y, scores = binary(80)
    two = np.column_stack([np.random.default_rng(0).random(80), scores])
    together = boot(y, two, BINARY)
    for name, measure in BINARY.items():
        same(boot(y, two, measure), together[name])


def test_the_same_resamples_of_many_rows_alone_and_in_a_list() -> None:
    # The second column is coarse, so that rows are equal as far as "auc" can see.
    y, scores = binary(6000)
    two = np.column_stack([np.random.default_rng(0).random(6000), scores.round()])
    together = boot(y, two, ["auc", "hand_till"])
    same(boot(y, two, "auc"), together["auc"])


def test_the_method_does_not_change_the_replicates_of_coarse_scores() -> None:
    y, scores = binary(6000, digits=0)
    other = boot(y, scores, "auc", method="studentized")
    assert bits(boot(y, scores, "auc", method="bca").replicates) == bits(other.replicates)


def test_the_method_does_not_change_the_replicates() -> None:
    y, scores = binary()
    drawn = {bits(boot(y, scores, "auc", method=m).replicates) for m in METHODS}
    drawn.add(bits(boot(y, scores, "auc", method="studentized").replicates))
    assert len(drawn) == 1
    studentized = boot(y, scores, "auc", method="studentized")
    same(studentized, boot(y, scores, "auc", method="studentised"))
    assert studentized.method == "studentized"
    for measure in ("hand_till", "auc_mu", "one_vs_rest", pr.Auc(max_fpr=1)):
        other = boot(y, scores, measure, method="studentized")
        assert bits(other.interval) == bits(studentized.interval)
