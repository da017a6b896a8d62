"""What the bootstrap resamples: defaults, groups, seeds, sample weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.bootstrap_calls import (
    MATRIX,
    NAMES,
    SCHEMES,
    binary,
    bits,
    boot,
    matrix,
    quietly,
    same,
)

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
