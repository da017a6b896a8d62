"""The bootstrap as users call it: shapes, seeds, parts, options, boundaries, known variances."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
import warnings
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

COSTS = [[0, 1, 4], [2, 0, 1], [1, 1, 0]]
BINARY: dict[str, Any] = {
    "auc": "auc",
    "auc below": pr.Auc(max_fpr=0.4),
    "hand_till": pr.HandTill(),
    "auc_mu": "auc_mu",
    "one_vs_rest": "one_vs_rest",
}
MATRIX: dict[str, Any] = {
    "hand_till": "hand_till",
    "hand_till prevalence": pr.HandTill("prevalence"),
    "hand_till weights": pr.HandTill(COSTS),
    "auc_mu": "auc_mu",
    "auc_mu costs": pr.AucMu(COSTS),
    "auc_mu exact": pr.AucMu(ties="exact", pair_weights="prevalence"),
    "macro": "one_vs_rest",
    "prevalence": pr.OneVsRest("prevalence"),
    "micro": pr.OneVsRest("micro"),
    "each": pr.OneVsRest(None),
    "polar_area": "polar_area",
    "polar share": pr.PolarArea(normalize=True, order="pairs"),
}
NAMES: dict[str, Any] = {
    "auc": pr.Auc(),
    "hand_till": pr.HandTill(),
    "auc_mu": pr.AucMu(),
    "one_vs_rest": pr.OneVsRest(),
    "polar_area": pr.PolarArea(),
}
METHODS: list[Any] = ["bca", "percentile", "basic", "normal"]
SCHEMES: list[Any] = ["multinomial", "poisson", "bayesian"]


def binary(n: int = 40, shift: float = 1.0, digits: int = 1) -> tuple[Ints, Floats]:
    rng = np.random.default_rng([n, 2])
    y = np.arange(n) % 2
    return y, (rng.normal(size=n) + shift * y).round(digits)


def matrix(n: int = 60, K: int = 3, shift: float = 1.0, digits: int = 1) -> tuple[Ints, Floats]:
    rng = np.random.default_rng([n, K])
    y = np.arange(n) % K
    return y, (rng.normal(size=(n, K)) + shift * np.eye(K)[y]).round(digits)


def boot(y: Any, scores: Any, measure: Any = "auc_mu", **options: Any) -> Any:
    return pr.bootstrap(y, scores, measure, **{"n_resamples": 99, "seed": 1, **options})


def quietly(*arguments: Any, **options: Any) -> Any:
    """The same without warnings, for runs that are meant to have something to warn of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pr.BootstrapWarning)
        return boot(*arguments, **options)


def bits(value: Any) -> bytes:
    return np.asarray(value, dtype=np.float64).tobytes()


def same(one: Any, other: Any) -> None:
    """Two results, or two dicts of them, hold the same to the last bit."""
    if isinstance(one, dict):
        assert list(one) == list(other)
        for name in one:
            same(one[name], other[name])
        return
    for name in ("estimate", "standard_error", "interval", "replicates", "confidence"):
        assert np.shape(getattr(one, name)) == np.shape(getattr(other, name)), name
        assert bits(getattr(one, name)) == bits(getattr(other, name)), name
    for name in (
        "measure", "method", "requested", "notes", "sides", "first", "n_lost", "n_redrawn", "seed",
        "n_resamples", "scheme", "stratified", "unit", "n_units", "degenerate", "path", "version",
    ):  # fmt: skip
        assert getattr(one, name) == getattr(other, name), name
    assert (one.pairs is None) == (other.pairs is None)
    if one.pairs is not None:
        same(one.pairs, other.pairs)


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
    options = {"scheme": scheme, "sample_weight": w, "n_resamples": 150}
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


# Defaults of what is resampled


def test_rows_are_stratified_by_default_and_groups_are_not() -> None:
    y, scores = matrix()
    groups = np.arange(60) // 4
    assert boot(y, scores).stratified is True
    assert boot(y, scores, stratify=False).stratified is False
    assert boot(y, scores, scheme="poisson").stratified is False
    assert boot(y, scores, scheme="poisson", stratify=False).stratified is False
    assert boot(y, scores, scheme="bayesian").stratified is True
    assert boot(y, scores, scheme="bayesian", stratify=False).stratified is False
    grouped = boot(y, scores, groups=groups)
    assert (grouped.stratified, grouped.unit, grouped.n_units) == (False, "group", 15)
    by_class = quietly(y, scores, groups=np.char.add("g", (y + 3 * (groups % 5)).astype(str)))
    assert (by_class.unit, by_class.n_units) == ("group", 15)
    one_class_each = y + 3 * (groups % 5)
    assert boot(y, scores, groups=one_class_each, stratify=True).stratified is True
    same(boot(y, scores), boot(y, scores, stratify=True))
    same(boot(y, scores, groups=groups), boot(y, scores, groups=groups, stratify=False))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_groups_of_any_type(scheme: Any) -> None:
    y, scores = matrix()
    numbers = np.arange(60) // 3
    wanted = boot(y, scores, groups=numbers, scheme=scheme)
    names = [f"patient {k:02}" for k in numbers]
    days = np.datetime64("2020-01-01") + numbers
    for groups in (numbers.tolist(), numbers.astype(float), numbers - 7, names, np.array(names),
                   np.array(names, dtype=object), days, numbers[:, None]):  # fmt: skip
        same(boot(y, scores, groups=groups, scheme=scheme), wanted)


def test_groups_carry_the_spread_of_repeated_rows() -> None:
    # Every row three times says no more than once: only groups know.
    y, scores = binary(60, digits=3)
    rows = np.repeat(np.arange(60), 3)
    options: dict[str, Any] = {"n_resamples": 4000, "stratify": True}
    once = boot(y, scores, "auc", **options).standard_error
    thrice = boot(y[rows], scores[rows], "auc", groups=rows, **options).standard_error
    naive = boot(y[rows], scores[rows], "auc", **options).standard_error
    assert thrice == pytest.approx(once, rel=0.06)
    assert naive == pytest.approx(once / math.sqrt(3), rel=0.06)


def test_labels_columns_and_types_of_input() -> None:
    y, scores = matrix()
    wanted = boot(y, scores, "hand_till")
    names = np.array(["c", "a", "b"])
    named = boot(names[y], scores, "hand_till", labels=["c", "a", "b"])
    assert bits(named.replicates) == bits(wanted.replicates)
    for form in (scores.tolist(), np.asfortranarray(scores), scores[::-1][::-1]):
        same(boot(y.tolist(), form, "hand_till"), wanted)
    single = boot(y, scores.astype(np.float32), "hand_till")
    assert bits(single.replicates) == bits(wanted.replicates)
    whole = boot(y, (10 * scores).round().astype(np.int64), "hand_till")
    assert bits(whole.replicates) == bits(wanted.replicates)


def test_input_is_left_alone() -> None:
    y, scores = matrix()
    w, groups = np.random.default_rng(0).random(60), np.arange(60) // 2
    arrays: list[Any] = [y, scores, w, groups]
    before = [a.copy() for a in arrays]
    for a in arrays:
        a.flags.writeable = False
    boot(y, scores, ["auc_mu", "hand_till"], sample_weight=w, groups=groups, pairs=True)
    for a, b in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_classes_without_rows() -> None:
    y, scores = matrix()
    y, scores = y[y < 2], scores[y < 2]
    skipping: list[Any] = [
        pr.HandTill(absent="skip"), pr.AucMu(absent="skip"), pr.OneVsRest(absent="skip"),
    ]  # fmt: skip
    for measure in skipping:
        result = boot(y, scores, measure, labels=[0, 1, 2])
        assert result.estimate == measure(y, scores, labels=[0, 1, 2])
        assert not np.isnan(result.replicates).any()
        assert result.n_lost == 0
    each = boot(y, scores, pr.OneVsRest(None, absent="skip"), labels=[0, 1, 2])
    np.testing.assert_array_equal(np.isnan(each.replicates).all(axis=0), [False, False, True])
    np.testing.assert_array_equal(np.isnan(each.interval[:, 0]), [False, False, True])
    np.testing.assert_array_equal(np.isnan(each.standard_error), [False, False, True])
    assert each.n_lost == 0
    inner = boot(y, scores, skipping[0], labels=[0, 1, 2], pairs=True).pairs
    assert not np.isnan(inner.interval[0, 1]).any()
    assert np.isnan(inner.interval[0, 2]).all()


# Seeds


def test_seeds() -> None:
    y, scores = matrix()
    wanted = boot(y, scores, seed=7)
    assert wanted.seed == 7
    assert type(wanted.seed) is int
    for seed in (np.int64(7), np.uint8(7), np.array(7)):
        same(boot(y, scores, seed=seed), wanted)
    assert bits(boot(y, scores, seed=8).replicates) != bits(wanted.replicates)
    for largest in (2**64 - 1, np.uint64(2**64 - 1)):
        assert boot(y, scores, seed=largest).seed == 2**64 - 1
    assert boot(y, scores, seed=0).seed == 0


def test_generators_and_seed_sequences() -> None:
    y, scores = matrix()
    rng = np.random.default_rng(3)
    first, second = boot(y, scores, seed=rng), boot(y, scores, seed=rng)
    assert first.seed != second.seed
    same(boot(y, scores, seed=np.random.default_rng(3)), first)
    same(boot(y, scores, seed=first.seed), first)
    sequence = np.random.SeedSequence(3)
    spawned = [boot(y, scores, seed=child) for child in sequence.spawn(2)]
    assert len({result.seed for result in spawned}) == 2
    result = boot(y, scores, seed=np.random.SeedSequence(3))
    same(boot(y, scores, seed=np.random.SeedSequence(3)), result)
    same(boot(y, scores, seed=result.seed), result)


def test_no_seed_draws_one_and_records_it() -> None:
    y, scores = matrix()
    first, second = boot(y, scores, seed=None), boot(y, scores, seed=None)
    assert first.seed != second.seed
    assert bits(first.replicates) != bits(second.replicates)
    same(boot(y, scores, seed=first.seed), first)


def test_seeds_near_each_other_have_nothing_in_common() -> None:
    y, scores = matrix(digits=9)
    drawn = [boot(y, scores, seed=seed, n_resamples=400).replicates for seed in range(6)]
    pairs = np.triu_indices(6, 1)
    assert (abs(np.corrcoef(drawn)[pairs]) < 4 / 20).all()
    equal = [(drawn[i] == drawn[j]).mean() for i, j in zip(*pairs, strict=True)]
    assert max(equal) < 0.05


# Threads and memory


@pytest.mark.parametrize("scheme", SCHEMES)
def test_threads_do_not_change_bits(scheme: Any) -> None:
    y, scores = matrix(3000, 5)
    measures = ["hand_till", "auc_mu", "one_vs_rest", "polar_area"]
    for w in (None, np.random.default_rng(5).random(3000)):
        options = {"scheme": scheme, "sample_weight": w, "pairs": False, "n_resamples": 130}
        one = boot(y, scores, measures, n_threads=1, **options)
        for count in (2, 3, 7, None):
            same(boot(y, scores, measures, n_threads=count, **options), one)


def least_memory(*arguments: Any, **options: Any) -> int:
    with pytest.raises(MemoryError) as caught:
        boot(*arguments, max_memory=1, **options)
    found = re.search(r"pass max_memory=(\d+) or more", str(caught.value))
    assert found is not None, str(caught.value)
    return int(found[1])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_memory_does_not_change_bits(scheme: Any) -> None:
    y, scores = matrix(2000, 6)
    measures = ["hand_till", "auc_mu", "polar_area"]
    for weighted in (False, True):
        w = np.random.default_rng(5).random(2000) if weighted else None
        options = {"scheme": scheme, "sample_weight": w, "n_resamples": 200}
        wanted = boot(y, scores, measures, **options)
        least = least_memory(y, scores, measures, **options)
        for factor in (2, 3, 16):
            same(boot(y, scores, measures, max_memory=factor * least, **options), wanted)
        same(boot(y, scores, measures, max_memory=2**80, **options), wanted)
        same(boot(y, scores, measures, max_memory=2 * least, n_threads=1, **options), wanted)


def test_memory_does_not_change_bits_of_pairs() -> None:
    y, scores = matrix(2000, 6)
    wanted = boot(y, scores, "hand_till", pairs=True, n_threads=1)
    least = least_memory(y, scores, "hand_till", pairs=True, n_threads=1)
    tight = boot(y, scores, "hand_till", pairs=True, n_threads=1, max_memory=2 * least)
    same(tight, wanted)


def test_the_memory_that_the_message_asks_for_is_enough() -> None:
    y, scores = matrix(2000, 6)
    runs: list[tuple[Any, dict[str, Any]]] = [
        ("hand_till", {}), ("auc_mu", {"n_resamples": 8, "n_threads": 1}),
        (["hand_till", "auc_mu", "polar_area"], {"pairs": True}),
    ]  # fmt: skip
    for measure, options in runs:
        least = least_memory(y, scores, measure, **options)
        boot(y, scores, measure, max_memory=least, **options)


def test_many_rows_of_few_kinds_are_drawn_together() -> None:
    y, scores = binary(6000, digits=0)
    result = boot(y, scores, "auc")
    assert result.path == "cells"
    assert "of 6,000 rows, equal rows together, stratified" in repr(result)
    for count in (1, 2, 5):
        same(boot(y, scores, "auc", n_threads=count), result)
    parts = [
        boot(y, scores, "auc", replicates=part)
        for part in (range(50, 99), range(13), range(13, 50))
    ]
    same(pr.BootstrapResult.join(parts), result)
    assert boot(y, scores, "auc", groups=np.arange(6000)).path == "rows"
    assert boot(y, scores, "auc", scheme="poisson").path == "rows"
    assert boot(y[:3000], scores[:3000], "auc").path == "rows"


# Parts of a run

PARTS = [range(33, 97), range(7), range(97, 99), range(8, 33), range(7, 8)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_parts_are_slices_of_the_run_and_join_to_it(scheme: Any, weighted: bool) -> None:
    y, scores = matrix()
    w = np.random.default_rng(5).random(60) if weighted else None
    options = {"scheme": scheme, "sample_weight": w, "pairs": True}
    for measure in ("auc_mu", ["hand_till", "polar_area"]):
        whole = boot(y, scores, measure, **options)
        parts = [boot(y, scores, measure, replicates=part, **options) for part in PARTS]
        for part, numbers in zip(parts, PARTS, strict=True):
            for name in part if isinstance(part, dict) else [None]:
                piece, full = (part, whole) if name is None else (part[name], whole[name])
                assert piece.first == numbers.start
                assert piece.n_resamples == 99
                cut = slice(numbers.start, numbers.stop)
                assert bits(piece.replicates) == bits(full.replicates[cut])
                assert bits(piece.pairs.replicates) == bits(full.pairs.replicates[cut])
        same(pr.BootstrapResult.join(parts), whole)
        same(pr.BootstrapResult.join(iter(parts[::-1])), whole)


@pytest.mark.parametrize("method", [*METHODS, "studentized"])
def test_joined_intervals_are_those_of_the_run(method: Any) -> None:
    y, scores = binary()
    options = {"method": method, "confidence": [0.5, 0.95], "sides": "lower"}
    whole = boot(y, scores, "auc", **options)
    parts = [boot(y, scores, "auc", replicates=part, **options) for part in PARTS]
    same(pr.BootstrapResult.join(parts), whole)
    if method == "studentized":
        again = pr.BootstrapResult.join(parts).with_interval(sides="two")
        same(again, whole.with_interval(sides="two"))


def test_parts_join_step_by_step() -> None:
    y, scores = matrix()
    join = pr.BootstrapResult.join
    a, b, c = (
        boot(y, scores, replicates=part) for part in (range(40), range(40, 41), range(41, 99))
    )
    whole = boot(y, scores)
    same(join([join([a, b]), c]), whole)
    same(join([a, join([c, b])]), whole)
    same(join([whole]), whole)
    middle = join([b, c])
    assert (middle.first, len(middle.replicates)) == (40, 59)
    same(middle, boot(y, scores, replicates=range(40, 99)))


def test_parts_that_lose_classes_join_too() -> None:
    y, scores = unbalanced(40, 4)
    for degenerate in ("skip", "redraw"):
        options = {"stratify": False, "degenerate": degenerate, "n_resamples": 400}
        whole = quietly(y, scores, "auc", **options)
        parts = [
            quietly(y, scores, "auc", replicates=part, **options)
            for part in (range(150), range(150, 400))
        ]
        joined = pr.BootstrapResult.join(parts)
        assert bits(joined.replicates) == bits(whole.replicates)
        assert bits(joined.interval) == bits(whole.interval)
        assert (joined.n_lost, joined.n_redrawn) == (whole.n_lost, whole.n_redrawn)
        assert whole.n_lost + whole.n_redrawn > 0


def test_notes_of_parts_count_together() -> None:
    y, scores = unbalanced(40, 4)
    options = {"stratify": False, "n_resamples": 400}
    whole = quietly(y, scores, "auc", **options)
    parts = [
        quietly(y, scores, "auc", replicates=part, **options)
        for part in (range(150), range(150, 400))
    ]
    assert pr.BootstrapResult.join(parts).notes == whole.notes


def test_a_part_may_lose_all_of_its_replicates() -> None:
    y, scores = unbalanced(40, 4)
    options = {"stratify": False, "n_resamples": 400}
    whole = quietly(y, scores, "auc", **options)
    lost = int(np.flatnonzero(np.isnan(whole.replicates))[0])
    cuts = (range(lost), range(lost, lost + 1), range(lost + 1, 400))
    parts = [quietly(y, scores, "auc", replicates=part, **options) for part in cuts]
    assert bits(pr.BootstrapResult.join(parts).replicates) == bits(whole.replicates)


def test_replicates_do_not_depend_on_how_many_there_are() -> None:
    y, scores = matrix()
    few, many = boot(y, scores, n_resamples=10), boot(y, scores, n_resamples=1000)
    assert bits(few.replicates) == bits(many.replicates[:10])
    far = range(2**62 - 6, 2**62)
    parts = [
        boot(y, scores, n_resamples=2**62, replicates=part)
        for part in (far, range(far.start, far.start + 2))
    ]
    assert bits(parts[0].replicates[:2]) == bits(parts[1].replicates)
    assert len(np.unique(parts[0].replicates)) > 1


def test_join_refuses_what_is_not_one_run() -> None:
    y, scores = matrix()
    join = pr.BootstrapResult.join
    head, tail = range(50), range(50, 99)

    def part(replicates: range, measure: Any = "auc_mu", **options: Any) -> Any:
        return boot(options.pop("y", y), options.pop("P", scores), measure,
                    replicates=replicates, **options)  # fmt: skip

    foreign = r"^the results come from different runs \(.*\); join parts of one run$"
    others: list[dict[str, Any]] = [
        {"seed": 2}, {"n_resamples": 100}, {"scheme": "poisson"}, {"stratify": False},
        {"measure": "hand_till"}, {"measure": pr.AucMu(ties="exact")}, {"groups": np.arange(60)},
        {"degenerate": "redraw"}, {"y": y[3:], "P": scores[3:]},
    ]  # fmt: skip
    for other in others:
        with pytest.raises(ValueError, match=foreign):
            join([part(head), part(tail, **other)])
    with pytest.raises(ValueError, match=r"^the results have different estimates; were the data "):
        join([part(head), part(tail, P=scores[::-1])])
    with pytest.raises(ValueError, match=r"^the parts overlap at replicate 40; join ranges that "):
        join([part(tail), part(range(40, 50)), part(range(41))])
    with pytest.raises(ValueError, match=r"^the parts overlap at replicate 0; "):
        join([part(head), part(head)])
    with pytest.raises(ValueError, match=r"^the parts leave a gap at replicate 50; "):
        join([part(head), part(range(51, 99))])
    with pytest.raises(ValueError, match=r"^there is nothing to join; pass at least one result$"):
        join([])
    with pytest.raises(TypeError, match=r"^an object of type float cannot be joined; "):
        join([part(head), 0.5])
    with pytest.raises(TypeError, match=r"^an object of type dict cannot be joined; "):
        join([part(head), {"auc_mu": part(tail)}])
    with pytest.raises(ValueError, match=r"^the results hold different measures; join like with"):
        join([part(head, ["auc_mu"]), part(tail, ["auc_mu", "hand_till"])])


@pytest.mark.parametrize("other", [{"method": "studentized"}, {"pairs": True}], ids=str)
def test_join_refuses_parts_of_different_make(other: Any) -> None:
    y, scores = matrix() if "pairs" in other else binary()
    measure = "hand_till" if "pairs" in other else "auc"
    head = boot(y, scores, measure, replicates=range(50), **other)
    tail = boot(y, scores, measure, replicates=range(50, 99))
    with pytest.raises(ValueError, match=r"^the results "):
        pr.BootstrapResult.join([head, tail])
    with pytest.raises(ValueError, match=r"^the results "):
        pr.BootstrapResult.join(
            [
                boot(y, scores, measure, replicates=range(50)),
                boot(y, scores, measure, replicates=range(50, 99), **other),
            ]
        )


# Results as values


def test_other_intervals_of_the_same_replicates() -> None:
    y, scores = matrix()
    result = boot(y, scores, "hand_till", pairs=True)
    for method in METHODS:
        for confidence in (0.5, [0.9, 0.99]):
            for sides in ("two", "upper"):
                options = {"method": method, "confidence": confidence, "sides": sides}
                other = result.with_interval(**options)
                fresh = boot(y, scores, "hand_till", pairs=True, **options)
                same(other, fresh)
                assert np.shares_memory(other.replicates, result.replicates)
    same(result.with_interval(), result)
    same(result.with_interval("percentile").with_interval("bca"), result)
    assert result.with_interval(confidence=0.9).method == "bca"


def test_intervals_that_need_more_than_was_computed() -> None:
    y, scores = binary()
    plain = boot(y, scores, "auc", method="percentile")
    with pytest.raises(ValueError, match=r"^the standard errors that method='studentized' needs "):
        plain.with_interval("studentized")
    without = plain.with_interval("bca")
    assert without.method == "percentile"
    assert without.notes == ("percentile instead of bca: the acceleration is unknown",)
    result = boot(y, scores, "auc", method="studentized")
    same(result.with_interval("bca"), boot(y, scores, "auc", method="bca"))
    with pytest.raises(ValueError, match=r"^method is 'best'; choose one of 'bca', "):
        plain.with_interval("best")
    with pytest.raises(ValueError, match=r"^confidence is 1\.5; it must lie in \(0, 1\)"):
        plain.with_interval(confidence=1.5)
    with pytest.raises(ValueError, match=r"^sides is 'left'; choose one of 'two', "):
        plain.with_interval(sides="left")


def test_dicts_are_ready_for_json() -> None:
    y, scores = matrix()
    measures = {"m": "hand_till", "each": pr.OneVsRest(None), "mu": pr.AucMu(COSTS)}
    for name, result in boot(y, scores, measures, confidence=[0.9, 0.99]).items():
        plain = result.to_dict()
        again = json.loads(json.dumps(plain, allow_nan=False))
        assert again["measure"] == repr(measures[name] if name != "m" else pr.HandTill())
        assert bits(again["replicates"]) == bits(result.replicates)
        assert bits(again["interval"]) == bits(result.interval)
        assert bits(again["estimate"]) == bits(result.estimate)
        assert again["confidence"] == [0.9, 0.99]
        assert again["seed"] == 1
        assert again["n_units"] == 60
        for key in ("standard_error", "sides", "method", "requested_method", "notes", "first",
                    "n_lost", "n_redrawn", "n_resamples", "scheme", "stratified", "unit",
                    "degenerate", "path", "version"):  # fmt: skip
            assert key in again
    both = boot(y, scores, "hand_till", pairs=True, seed=np.uint64(2**64 - 1)).to_dict()
    again = json.loads(json.dumps(both))
    assert again["seed"] == 2**64 - 1
    assert np.shape(again["pairs"]["estimate"]) == (3, 3)


def test_pickles_and_copies_are_equal() -> None:
    y, scores = matrix()
    results = [
        boot(y, scores, pr.AucMu(COSTS), pairs=True),
        boot(y, scores, pr.OneVsRest(None), confidence=[0.5, 0.9]),
        boot(*binary(), "auc", method="studentized"),
    ]
    for result in results:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(result, protocol))
            same(again, result)
            same(again.with_interval("percentile"), result.with_interval("percentile"))
            assert repr(again) == repr(result)
        same(copy.copy(result), result)
        same(copy.deepcopy(result), result)
    head = boot(y, scores, pr.AucMu(COSTS), replicates=range(50))
    tail = boot(y, scores, pr.AucMu(COSTS), replicates=range(50, 99))
    joined = pr.BootstrapResult.join([pickle.loads(pickle.dumps(tail)), head])
    same(joined, boot(y, scores, pr.AucMu(COSTS)))


def test_results_are_frozen() -> None:
    y, scores = matrix()
    result = boot(y, scores, pairs=True)
    for name in ("estimate", "replicates", "interval", "seed", "other"):
        with pytest.raises(AttributeError):
            setattr(result, name, 1)
    for array in (result.replicates, result.interval, result.pairs.replicates):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_arrays_of_results_are_read_only() -> None:
    result = boot(*matrix(), pr.OneVsRest(None))
    for name in ("estimate", "standard_error", "interval", "replicates"):
        assert not getattr(result, name).flags.writeable, name


def test_arrays_of_unpickled_results_are_read_only() -> None:
    again = pickle.loads(pickle.dumps(boot(*matrix())))
    assert not again.replicates.flags.writeable
    assert not again.interval.flags.writeable


PERFECT = ([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7])
NEWCOMBE = "all replicates are equal: Newcombe's (2006) method 5, from the sizes of the classes"


def test_reprs() -> None:
    assert repr(boot(*PERFECT, "auc", seed=7, n_resamples=1000)) == (
        "auc 1.0000, standard error 0\n"
        "  95 % Newcombe interval: 0.5397 to 1.0000\n"
        "  1,000 replicates of 7 rows, stratified by class, seed 7\n"
        f"  note: {NEWCOMBE}"
    )
    y, scores = matrix()
    result = boot(y, scores, "hand_till", sides="lower", confidence=[0.9, 0.995], pairs=True,
                  replicates=range(10, 30), method="percentile", scheme="poisson")  # fmt: skip
    (low, _), (lower, _) = result.interval
    assert repr(result) == (
        f"hand_till {result.estimate:.4f}, standard error {result.standard_error:.2g}\n"
        f"  90 % percentile lower bound: {low:.4f}\n"
        f"  99.5 % percentile lower bound: {lower:.4f}\n"
        "  20 replicates (10 to 29 of 99) of 60 rows, Poisson weights, seed 1\n"
        "  .pairs holds the same for all pairs of classes"
    )
    assert repr(result.pairs) == (
        "hand_till, 3 x 3 values: .estimate, .standard_error, .interval\n"
        "  90, 99.5 % percentile lower bounds\n"
        "  20 replicates (10 to 29 of 99) of 60 rows, Poisson weights, seed 1"
    )
    each = boot(y, scores, pr.OneVsRest(None), groups=np.arange(60) // 2, sides="upper")
    assert repr(each) == (
        "one_vs_rest, 3 values: .estimate, .standard_error, .interval\n"
        "  95 % BCa upper bounds\n"
        "  99 replicates of 30 groups, not stratified, seed 1"
    )
    assert str(each) == repr(each)
    bayes = repr(boot(y, scores, scheme="bayesian")).splitlines()
    assert bayes[0].startswith("auc_mu 0.")
    assert bayes[1].startswith("  95 % BCa interval: 0.")
    assert bayes[2:] == ["  99 replicates of 60 rows, Bayesian, stratified by class, seed 1"]
    loose = repr(boot(y, scores, scheme="bayesian", stratify=False)).splitlines()
    assert loose[2:] == ["  99 replicates of 60 rows, Bayesian, not stratified, seed 1"]


# Sample weights


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["hand_till", "auc_mu", "macro", "micro", "each", "polar_area"])
def test_sample_weights(name: str, scheme: Any) -> None:
    y, scores = matrix()
    measure = MATRIX[name]
    w = np.random.default_rng(1).integers(1, 5, 60).astype(float)
    result = boot(y, scores, measure, sample_weight=w, scheme=scheme)
    value = (NAMES[measure] if isinstance(measure, str) else measure)(y, scores, sample_weight=w)
    assert bits(result.estimate) == bits(value)
    # Weights count by their ratios; all equal they are as good as none.
    for factor in (2.0, 0.3, 1e200, 1e-200):
        scaled = boot(y, scores, measure, sample_weight=factor * w, scheme=scheme)
        np.testing.assert_allclose(scaled.replicates, result.replicates, rtol=1e-12)
        even = boot(y, scores, measure, sample_weight=np.full(60, factor), scheme=scheme)
        none = boot(y, scores, measure, scheme=scheme)
        np.testing.assert_allclose(even.replicates, none.replicates, rtol=1e-12)


def test_rows_of_no_weight_are_not_drawn() -> None:
    y, scores = matrix()
    w = np.ones(60)
    w[::5] = 0.0
    for scheme in SCHEMES:
        result = boot(y, scores, sample_weight=w, scheme=scheme)
        assert result.n_units == 48
        assert result.estimate == pr.auc_mu(y[w > 0], scores[w > 0])
        nonsense = scores.copy()
        nonsense[w == 0] = 1e9
        same(boot(y, nonsense, sample_weight=w, scheme=scheme), result)
    groups = np.arange(60) // 5  # one row of each has no weight
    assert boot(y, scores, sample_weight=w, groups=groups).n_units == 12
    w[:5] = 0.0
    assert boot(y, scores, sample_weight=w, groups=groups).n_units == 11
    se = boot(y, scores, sample_weight=w, n_resamples=2000).standard_error
    alone = boot(y[w > 0], scores[w > 0], n_resamples=2000).standard_error
    assert se == pytest.approx(alone, rel=0.1)


# Classes that get lost


def unbalanced(n: int, few: int) -> tuple[Ints, Floats]:
    rng = np.random.default_rng([n, few])
    y = (np.arange(n) < few).astype(np.int64)
    return y, rng.normal(size=n) + y


def test_a_replicate_that_loses_a_class_is_left_out_and_counted() -> None:
    y, scores = unbalanced(40, 4)
    warning = (
        r"^\d+ of 500 replicates lost a class and were left out, so that the interval holds for "
        r'resamples with all classes only; stratify=True or degenerate="redraw" avoids that$'
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


# Against what is known


SCIPY: list[Any] = [
    pr.HandTill(),
    pr.AucMu(),
    pr.OneVsRest(),
    pr.OneVsRest("micro"),
    pr.PolarArea(),
]


@pytest.mark.parametrize("measure", SCIPY, ids=repr)
def test_standard_errors_agree_with_scipy(measure: Any) -> None:
    y, scores = matrix(75, digits=1)
    B, many = 999, 9999
    peer = stats.bootstrap(
        (y, np.arange(75)), lambda c, rows: measure(c, scores[rows], n_threads=1), paired=True,
        vectorized=False, n_resamples=B, method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    ours = boot(y, scores, measure, stratify=False, n_resamples=many, method="percentile")
    # The relative error of a standard deviation of B numbers is about 1 / sqrt(2 B).
    noise = math.sqrt(1 / (2 * B) + 1 / (2 * many))
    assert ours.standard_error == pytest.approx(peer.standard_error, rel=4 * noise)
    theirs = peer.bootstrap_distribution
    assert ours.replicates.mean() == pytest.approx(
        theirs.mean(), abs=4 * ours.standard_error / math.sqrt(B)
    )
    limits = [peer.confidence_interval.low, peer.confidence_interval.high]
    # A quantile at 2.5 % of B normal numbers has an error of about 2.7 standard errors / sqrt(B).
    assert ours.interval == pytest.approx(limits, abs=4 * 2.7 * ours.standard_error / math.sqrt(B))
    assert stats.ks_2samp(ours.replicates, theirs).pvalue > 1e-4


@pytest.mark.parametrize("limit", [None, 0.3])
def test_standard_errors_of_two_classes_agree_with_scipy(limit: float | None) -> None:
    y, scores = binary(50, digits=1)
    measure = pr.Auc(max_fpr=limit)
    positive, negative = scores[y == 1], scores[y == 0]
    c = np.repeat([1, 0], 25)

    def statistic(one: Floats, zero: Floats) -> float:
        return measure(c, np.concatenate([one, zero]), n_threads=1)

    peer = stats.bootstrap(
        (positive, negative), statistic, vectorized=False, n_resamples=999,
        method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    ours = boot(y, scores, measure, n_resamples=9999)
    noise = math.sqrt(1 / 1998 + 1 / 19998)
    assert ours.standard_error == pytest.approx(peer.standard_error, rel=4 * noise)


def exact_variance(y: Ints, scores: Floats) -> float:
    """The variance of the stratified bootstrap of one pair, without any resampling.

    [s11 + (n - 1) s10 + (m - 1) s01] / (m n) with plug-in moments: X of m rows, Y of n rows,
    psi(x, y) the share won, s10 the variance of its mean given x, s01 given y, s11 of itself.
    """
    x, z = scores[y == 1], scores[y == 0]
    m, n = len(x), len(z)
    psi = (x[:, None] > z) + 0.5 * (x[:, None] == z)
    s11, s10, s01 = psi.var(), psi.mean(axis=1).var(), psi.mean(axis=0).var()
    return float((s11 + (n - 1) * s10 + (m - 1) * s01) / (m * n))


@pytest.mark.parametrize(("n", "few", "digits"), [(12, 5, 9), (12, 5, 0), (30, 3, 1), (80, 40, 1)])
def test_the_variance_of_one_pair_is_the_known_one(n: int, few: int, digits: int) -> None:
    y, scores = unbalanced(n, few)
    scores = scores.round(digits)
    B = 100_000
    result = boot(y, scores, "auc", n_resamples=B, method="percentile")
    deviations = (result.replicates - result.estimate) ** 2
    noise = deviations.std() / math.sqrt(B)
    assert deviations.mean() == pytest.approx(exact_variance(y, scores), abs=4 * noise)
    error = result.standard_error / math.sqrt(B)
    assert result.replicates.mean() == pytest.approx(result.estimate, abs=4 * error)


def test_the_variance_of_one_pair_of_many_equal_rows_is_the_known_one() -> None:
    y, scores = binary(4200, digits=0)
    result = boot(y, scores, "auc", n_resamples=20_000, method="percentile")
    assert result.path == "cells"
    wanted = exact_variance(y, scores)
    assert result.standard_error**2 == pytest.approx(wanted, rel=4 * math.sqrt(2 / 20_000))
    assert result.replicates.mean() == pytest.approx(result.estimate, abs=4e-2 * wanted**0.5)


# Faults seen in other packages


def test_bca_of_perfect_scores_is_no_nan() -> None:
    # scipy, arch and confidenceinterval give nan; DeLong's interval is (1, 1).
    result = boot(*PERFECT, "auc", method="bca")
    assert np.isfinite(result.interval).all()
    assert result.interval[0] < 1.0


@pytest.mark.parametrize("method", [*METHODS, "studentized"])
def test_nearly_perfect_scores_have_no_limit_beyond_one(method: Any) -> None:
    # 1.0177 and 1.056 were seen.
    y, s = np.repeat([0, 1], 10), np.arange(20.0)
    s[[9, 10]] = s[[10, 9]]
    result = boot(y, s, "auc", method=method, n_resamples=999, confidence=0.99)
    assert result.estimate == 0.99
    assert result.interval[0] < 0.99 <= result.interval[1] <= 1.0


def test_one_positive_in_twenty_rows_has_an_interval() -> None:
    y, scores = unbalanced(20, 1)
    for options in ({"stratify": True}, {"stratify": False}, {"scheme": "poisson"}):
        result = quietly(y, scores, "auc", n_resamples=400, **options)
        assert np.isfinite(result.interval).all()
        assert result.notes  # and it says what is wrong with it


def test_no_replicate_is_dropped_without_a_word() -> None:
    y, scores = unbalanced(60, 6)
    result = boot(y, scores, "auc", stratify=False, n_resamples=3000)
    assert len(result.replicates) == 3000
    assert any("left out" in note for note in result.notes)
    assert "left out" in repr(result)


def test_the_direction_is_not_chosen_anew_in_each_resample() -> None:
    y = np.arange(60) % 2
    scores = np.random.default_rng(1).normal(size=60)
    scores[y == 1] += np.median(scores[y == 0]) - np.median(scores[y == 1])
    up, down = (boot(y, sign * scores, "auc", n_resamples=2000) for sign in (1, -1))
    assert abs(up.estimate - 0.5) < 0.1
    for result in (up, down):
        assert result.replicates.min() < 0.45
        assert result.replicates.max() > 0.55
        assert abs(result.replicates.mean() - result.estimate) < 5 * result.standard_error / 44
    np.testing.assert_allclose(down.replicates, 1 - up.replicates, atol=1e-15)


def test_all_scores_tied_is_no_certainty() -> None:
    # p = 0 was seen here.
    result = boot(np.arange(40) % 2, np.ones(40), "auc")
    assert result.estimate == 0.5
    assert result.interval[0] < 0.45
    assert result.interval[1] > 0.55


def test_multi_class_intervals_exist_and_fit_their_estimates() -> None:
    # "not implemented" in pROC; M at AUC = 1 fails in multiROC.
    y, scores = matrix(90, 5)
    for result in boot(y, scores, ["hand_till", "auc_mu"]).values():
        assert result.interval[0] < result.estimate < result.interval[1]
    perfect = boot(y, np.eye(5)[y], "hand_till")
    assert perfect.interval[0] < 1.0 == perfect.interval[1]


def test_rounded_probabilities_need_not_sum_to_one() -> None:
    y, margins = matrix(90, digits=6)
    P = np.exp(margins) / np.exp(margins).sum(axis=1, keepdims=True)
    assert (P.round(2).sum(axis=1) != 1.0).any()
    exact, rounded = (boot(y, p, n_resamples=999) for p in (P, P.round(2)))
    np.testing.assert_allclose(rounded.interval, exact.interval, atol=0.02)


def test_counts_of_replicates_do_not_overflow() -> None:
    # 2 * 200,000^2 pairs are more than 32 bits hold.
    n = 400_000
    y = np.arange(n) % 2
    fine = np.random.default_rng(0).random(n) + y
    for scores in (fine, fine.round(1), fine.astype(np.float32), np.ones(n)):
        result = boot(y, scores, "auc", n_resamples=8)
        np.testing.assert_allclose(result.replicates, result.estimate, atol=0.005)
    weighted = boot(y, fine, "auc", n_resamples=8, sample_weight=np.full(n, 1e6))
    np.testing.assert_allclose(weighted.replicates, weighted.estimate, atol=0.005)


@pytest.mark.parametrize("shape", ["sorted", "organ pipe", "constant"])
def test_no_order_of_rows_overflows_a_stack(shape: str) -> None:
    n = 500_000
    up = np.arange(n, dtype=float)
    orders = {"sorted": up, "organ pipe": np.minimum(up, up[::-1]), "constant": np.zeros(n)}
    result = boot(np.arange(n) % 2, orders[shape], "auc", n_resamples=8)
    np.testing.assert_allclose(result.replicates, 0.5, atol=0.01)


def test_the_zeros_tie_in_resamples() -> None:
    y = np.arange(40) % 2
    zeros = np.where(np.arange(40) % 3 == 0, -0.0, 0.0)
    assert (boot(y, zeros, "auc").replicates == 0.5).all()
    y = np.arange(6000) % 2
    zeros = np.where(np.arange(6000) % 3 == 0, -0.0, 0.0)
    assert (boot(y, zeros, "auc").replicates == 0.5).all()


def test_an_absent_class_counts_neither_as_zero_nor_in_the_mean() -> None:
    y, scores = matrix()
    y, scores = y[y < 2], scores[y < 2]
    measure = pr.HandTill(absent="skip")
    three = boot(y, scores, measure, labels=[0, 1, 2])
    two = boot(y, scores[:, :2], "hand_till")
    assert bits(three.replicates) == bits(two.replicates)
    with pytest.raises(ValueError, match=r'^no row has the label 2; pass absent="skip"'):
        boot(y, scores, "hand_till", labels=[0, 1, 2])
