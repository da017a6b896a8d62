"""Influence values by leaving units out: as in closed form where there is one; and intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._data.sample import prepare
from polyroc._data.units import plan
from polyroc._inference.influence import Influences, measured
from polyroc._inference.jackknife import BLOCKS, _blocks, _left_out, jackknifed

Array = Any
RNG = np.random.default_rng(4)
WITHOUT = [pr.KolmogorovSmirnov()]


def two(n0: int, n1: int, seed: int = 0) -> tuple[Array, Array]:
    y = np.repeat([0, 1], [n0, n1])
    return y, np.random.default_rng([n0, n1, seed]).normal(size=n0 + n1) + y


def both(
    y: Array, scores: Array, measure: Any, stratify: Any, groups: Any = None, w: Any = None
) -> tuple[Influences, Influences]:
    """Influence values by leaving out, and in closed form."""
    sample = prepare(y, scores, None, w, 1)
    units = plan(sample, "multinomial", stratify, groups)
    found = jackknifed(sample, units, [measure])
    assert found is not None
    return found[0], measured(sample, units, {"": measure})[""].influences


def test_an_auc_without_a_row_moves_as_its_placement_says() -> None:
    y, s = two(30, 40)
    found, expected = both(y, s, pr.Auc(), True)
    assert found.bounds == expected.bounds == (0, 30, 70)
    assert found.values == pytest.approx(expected.values, rel=1e-9, abs=1e-15)
    for x, z in zip(found.shape(), expected.shape(), strict=True):
        assert x == pytest.approx(z, rel=1e-9)


def test_weights_count() -> None:
    y, s = two(30, 40)
    w = RNG.integers(0, 4, 70) / 2.0
    found, expected = both(y, s, pr.Auc(), True, w=w)
    assert found.values.shape == expected.values.shape == (1, np.count_nonzero(w))
    assert found.values == pytest.approx(expected.values, abs=1e-3)
    assert found.variances() == pytest.approx(expected.variances(), rel=0.05)


@pytest.mark.parametrize("n", [90, 3000])
@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("measure", [pr.OneVsRest("prevalence"), pr.OneVsRest(None)], ids=repr)
def test_counts_that_vary_are_in_it(measure: Any, stratify: bool, n: int) -> None:
    rng = np.random.default_rng(8)
    y = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    # Classes are found very differently well, so that their shares matter.
    P = rng.normal(size=(n, 3)) + np.array([0.1, 1.0, 2.0])[y, np.newaxis] * np.eye(3)[y]
    found, expected = both(y, P, measure, stratify)
    ratio = found.variances() / expected.variances()
    assert ratio == pytest.approx(np.ones_like(ratio), rel=0.35)  # 200 blocks: 10 % at random


def test_groups_are_left_out_whole() -> None:
    y, s = two(40, 40)
    found, expected = both(y, s, pr.Auc(), None, groups=np.arange(80) % 27)
    assert found.values.shape == expected.values.shape == (1, 27)
    assert found.variances() == pytest.approx(expected.variances(), rel=0.1)
    one_class = np.r_[np.arange(40) // 4, 10 + np.arange(40) // 2]
    found, expected = both(y, s, pr.Auc(), True, groups=one_class)
    assert found.bounds == expected.bounds == (0, 10, 30)
    assert found.values == pytest.approx(expected.values, rel=1e-9, abs=1e-15)


def test_many_units_are_left_out_in_blocks() -> None:
    y, s = two(3000, 60)
    found, expected = both(y, s, pr.Auc(), True)
    assert found.values.shape[1] == 100 + 60 <= BLOCKS
    assert found.variances() == pytest.approx(expected.variances(), rel=0.2)
    # The same ones every time, and the rare class one by one.
    assert both(y, s, pr.Auc(), True)[0].values.tolist() == found.values.tolist()
    rare = found.values[0, found.bounds[1] :]
    assert rare == pytest.approx(expected.values[0, 3000:], rel=1e-9)


@pytest.mark.parametrize("way", ["rows", "weights", "groups", "mixed groups"])
@pytest.mark.parametrize("n", [120, 900])
def test_lanes_without_a_unit_are_samples_without_it(way: str, n: int) -> None:
    """Whole and without: as the measures of the rows that are left, block by block."""
    rng = np.random.default_rng(n)
    y = rng.integers(0, 3, n)
    P = np.round(rng.random((n, 3)) + 0.4 * np.eye(3)[y], 1)
    w = rng.integers(0, 3, n) / 3.0 if way == "weights" else None
    groups = {"groups": 3 * (np.arange(n) // 9) + y, "mixed groups": np.arange(n) // 3}.get(way)
    sample = prepare(y, P, None, w, 2)
    units = plan(sample, "multinomial", way != "mixed groups", groups)
    measures: list[Any] = [pr.AveragePrecision(None), pr.HandTill(), pr.ProportionCorrect()]
    blocks = _blocks(sample, units)
    for measure, (without, whole) in zip(
        measures, _left_out(sample, units, measures, blocks), strict=True
    ):
        assert whole == pytest.approx(np.ravel(measure(y, P, sample_weight=w)), rel=1e-13)
        for block in range(0, len(without), 37):
            kept = (np.ones(n) if w is None else w) * (blocks.of_row != block)
            expected = np.ravel(measure(y, P, sample_weight=kept))
            assert without[block] == pytest.approx(expected, rel=1e-13)


def test_large_classes_have_one_too() -> None:
    y, s = two(6000, 9000)
    result = pr.bootstrap(y, s, "kolmogorov_smirnov", n_resamples=400, seed=1, method="bca")
    assert result.method == "bca"
    assert math.isfinite(result.ingredients.acceleration[0])


@pytest.mark.parametrize("measure", WITHOUT, ids=repr)
def test_intervals_are_bca(measure: Any) -> None:
    y, s = two(30, 40)
    result = pr.bootstrap(y, s, measure, n_resamples=2000, seed=1, method="bca")
    assert result.method == "bca"
    made = result.ingredients
    assert 0 < abs(made.acceleration[0]) < 1 / 6
    assert made.inflation[0] > 1
    assert 10 < made.freedom[0] < 70
    assert math.sqrt(made.variance[0]) == pytest.approx(result.standard_error, rel=0.5)
    percentile = pr.bootstrap(y, s, measure, n_resamples=2000, seed=1, method="percentile")
    assert percentile.replicates.tolist() == result.replicates.tolist()
    assert percentile.interval.tolist() == result.with_interval("percentile").interval.tolist()
    assert np.isnan(percentile.ingredients.acceleration).all()  # not asked for


def test_one_value_per_class() -> None:
    y = np.repeat([0, 1, 2], [30, 20, 15])
    P = RNG.random((65, 3)) + 0.4 * np.eye(3)[y]
    each = pr.bootstrap(y, P, pr.AveragePrecision(None), n_resamples=500, seed=1)
    assert each.method == "bca"
    assert np.isfinite(each.ingredients.acceleration).all()
    listed = pr.bootstrap(y, P, [pr.AveragePrecision(), "hand_till"], n_resamples=500, seed=1)
    assert [one.method for one in listed.values()] == ["bca", "bca"]


@pytest.mark.parametrize("measure", WITHOUT, ids=repr)
def test_bayesian_replicates_have_one_interval(measure: Any) -> None:
    y, s = two(30, 12)
    run: dict[str, Any] = {"scheme": "bayesian", "n_resamples": 500, "seed": 1}
    fixed = pr.bootstrap(y, s, measure, stratify=True, **run)
    varying = pr.bootstrap(y, s, measure, stratify=False, **run)
    assert fixed.ingredients.inflation[0] > 1 + 2 / 29
    if not measure._counts_enter(prepare(y, s)):
        assert varying.interval == pytest.approx(fixed.interval, abs=0.01)


@pytest.mark.filterwarnings("ignore::polyroc.BootstrapWarning")
def test_a_class_of_one_row_cannot_be_left_out() -> None:
    y = np.repeat([0, 1], [20, 1])
    s = np.r_[:20, 12.5]
    result = pr.bootstrap(y, s, pr.KolmogorovSmirnov(), n_resamples=200, seed=1, method="bca")
    assert result.method == "percentile"
    c = pr.compare(y, {"a": s, "b": -s}, pr.KolmogorovSmirnov(), method="bootstrap",
                   n_resamples=200, seed=1)  # fmt: skip
    assert c.reference == "normal"
    assert math.isinf(c.pairs[0].freedom)


@pytest.mark.parametrize("measure", WITHOUT, ids=repr)
def test_differences_are_referred_to_t(measure: Any) -> None:
    y, a = two(30, 40)
    b = a + np.random.default_rng(1).normal(size=70)
    run: dict[str, Any] = {"method": "bootstrap", "n_resamples": 500, "seed": 1}
    c = pr.compare(y, {"a": a, "b": b}, measure, **run)
    z = pr.compare(y, {"a": a, "b": b}, measure, reference="normal", **run)
    assert (c.reference, z.reference) == ("t", "normal")
    assert 3 < c.pairs[0].freedom < 70
    assert c.p_value > z.p_value
    assert c.standard_error == z.standard_error


@pytest.mark.slow
def test_a_partial_area_is_covered() -> None:
    """By 95 % where the percentiles' intervals cover 91 %, their misses being all on one side."""
    rng, y = np.random.default_rng(2), np.repeat([0, 1], [30, 40])
    measure, many = pr.Auc(max_fpr=0.2), np.repeat([0, 1], 100_000)
    truth = measure(many, rng.normal(size=200_000) + 1.19 * many)
    hits = {"bca": 0, "percentile": 0}
    for seed in range(500):
        s = rng.normal(size=70) + 1.19 * y
        result = pr.bootstrap(y, s, measure, n_resamples=500, seed=seed, n_threads=1)
        for method in hits:
            low, high = result.with_interval(method).interval
            hits[method] += low <= truth <= high
    assert hits["bca"] >= 0.93 * 500
    assert hits["percentile"] < hits["bca"] - 5
