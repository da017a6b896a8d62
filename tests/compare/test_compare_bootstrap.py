"""Models compared by the bootstrap: all of them see the same resamples."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import polyroc as pr
import pytest
from numpy.typing import NDArray
from polyroc import _core
from scipy import stats

from given import core_weights
from given.compare_calls import widening
from oracle import compare_reference as slow

Array = NDArray[Any]


class Run(NamedTuple):
    n_resamples: int
    seed: int


def differences(y: Array, models: dict[str, Any], measure: Any, **options: Any) -> Array:
    kept = [pr.bootstrap(y, scores, measure, **options).replicates for scores in models.values()]
    return np.asarray(kept[0] - kept[1])


@pytest.mark.parametrize("name", [*slow.MEASURES, "auc"])
def test_all_models_see_the_same_resamples(name: str) -> None:
    measure = slow.MEASURES.get(name, name)
    y, A, B = slow.binary(70) if name == "auc" else slow.scored(70)
    models: dict[str, Any] = {"a": A, "b": B}
    run: dict[str, Any] = {**Run(200, 11)._asdict(), "stratify": True}
    c = pr.compare(y, models, measure, method="bootstrap", **run)
    apart = differences(y, models, measure, **run)
    assert c.standard_error == pytest.approx(np.std(apart, ddof=1), rel=1e-12)
    inflation, freedom = widening(y, A, B, measure)
    t = c.difference / (c.standard_error * math.sqrt(inflation))
    assert c.pairs[0].statistic == pytest.approx(t, rel=1e-9)
    assert c.reference == "t"
    assert c.pairs[0].freedom == pytest.approx(freedom, rel=1e-9)
    assert c.p_value > 2 * stats.norm.sf(abs(c.difference) / c.standard_error)
    bca = pr.compare(y, models, measure, method="bootstrap", interval="bca", **run)
    assert apart.min() <= bca.interval[0] < bca.interval[1] <= apart.max()
    assert (bca.p_value, bca.interval_by, c.interval_by) == (c.p_value, "bca", "test")
    assert "intervals of differences by BCa, which p does not go by" in repr(bca)
    assert "BCa" not in repr(c)


@pytest.mark.parametrize("measure", ["auc", "hand_till", "one_vs_rest"])
def test_a_monotone_transform_differs_in_no_resample(measure: str) -> None:
    y, A, _ = slow.binary(70, digits=1) if measure == "auc" else slow.scored(70, digits=1)
    models = {"a": A, "b": np.exp(3 * A), "c": A.astype(np.float32)}
    c = pr.compare(y, models, measure, method="bootstrap", n_resamples=99, seed=5)
    for one in c.pairs:
        assert (one.difference, one.standard_error, one.p_value) == (0, 0, 1)
        assert (one.low, one.high) == (0, 0)
    assert (c.overall.df, c.overall.p_value) == (0, 1)


def weighted_auc(x: Array, y: Array, q: Array) -> float:
    """By sorted groups of ties, for more rows than all pairs of them would allow."""
    values, at = np.unique(x, return_inverse=True)
    own = np.bincount(at, q * (y == 1), len(values))
    others = np.bincount(at, q * (y == 0), len(values))
    wins = own @ (np.cumsum(others) - others / 2)
    return float(wins / (own.sum() * others.sum()))


@pytest.mark.slow
def test_coarse_scores_are_resampled_with_the_fine_ones() -> None:
    n, count = 20_000, 40
    y, a, b = slow.binary(n)
    coarse = b.round(1)
    assert pr.bootstrap(y, coarse, "auc", n_resamples=2, seed=1).path == "cells"
    models = {"fine": a, "coarse": coarse, "fine again": b}
    c = pr.compare(y, models, "auc", method="bootstrap", n_resamples=count, seed=8)
    weights = core_weights.weights(y.astype(np.uint32), 2, _core.Scheme.Multinomial, 8, 0, count)
    drawn = [[weighted_auc(x, y, q) for q in weights] for x in models.values()]
    assert c.covariance == pytest.approx(np.cov(drawn), rel=1e-9)
    # Rounding of scores moves the AUC far less than resampling does, if it is the same resample.
    assert c.pair("coarse", "fine again").standard_error < 0.1 * c.standard_errors[1]


def test_models_on_different_rows_are_resampled_independently() -> None:
    y, A, _ = slow.scored(60)
    c = pr.compare({"a": y, "b": y}, {"a": A, "b": A}, method="bootstrap", n_resamples=500, seed=1)
    assert c.covariance[0, 1] == 0
    assert c.standard_error == pytest.approx(math.hypot(*c.standard_errors), rel=1e-12)
    assert c.standard_errors[0] != c.standard_errors[1]
    assert c.interval[0] < -c.standard_error
    assert c.interval[1] > c.standard_error


def test_bootstrap_agrees_with_delong() -> None:
    y, A, B = slow.scored(300)
    models = {"a": A, "b": B}
    one = pr.compare(y, models, "hand_till")
    other = pr.compare(y, models, "hand_till", method="bootstrap", n_resamples=4000, seed=1)
    assert other.covariance == pytest.approx(one.covariance, rel=0.1)
    assert other.interval == pytest.approx(one.interval, abs=0.25 * one.standard_error)


def test_resamples_that_lose_a_class_are_left_out_for_all_models() -> None:
    y, A, B = slow.scored(20)
    y = np.where(np.arange(20) < 2, 1, np.where(y == 1, 2, y))
    run: dict[str, Any] = {"n_resamples": 300, "seed": 4, "stratify": False}
    message = (
        r"^\d+ of 300 resamples lost a class and were left out, so .* stratify=True avoids that$"
    )
    with pytest.warns(pr.BootstrapWarning, match=message) as caught:
        c = pr.compare(y, {"a": A, "b": B}, "hand_till", method="bootstrap", **run)
    assert [one.filename for one in caught] == [__file__]
    with pytest.warns(pr.BootstrapWarning):
        apart = differences(y, {"a": A, "b": B}, "hand_till", **run)
    lost = int(np.isnan(apart).sum())
    assert 0 < lost < 100
    assert f"{lost} of 300 resamples lost a class and were left out" in c.notes
    assert c.standard_error == pytest.approx(np.nanstd(apart, ddof=1), rel=1e-12)


def test_few_lost_resamples_are_noted_without_a_warning() -> None:
    y, a, b = slow.binary(60)
    y = np.where(np.arange(60) < 6, 1, 0)
    run: dict[str, Any] = {"n_resamples": 2000, "seed": 4, "stratify": False}
    c = pr.compare(y, {"a": a, "b": b}, "auc", method="bootstrap", **run)
    (note,) = c.notes
    lost = int(note.split()[0])
    assert 0 < lost <= 20
    assert note == f"{lost} of 2,000 resamples lost a class and were left out"


NEAR_ONE = ["hand_till", pr.Auc(max_fpr=0.3), "average_precision", "kolmogorov_smirnov"]


@pytest.mark.parametrize("reference", ["t", "normal"])
@pytest.mark.parametrize("measure", NEAR_ONE, ids=str)
def test_interval_p_value_and_margins_agree(reference: Any, measure: Any) -> None:
    """What is tested is at the end of the interval whose confidence is one minus its p-value."""
    y, A, B = slow.scored(40) if measure == "hand_till" else slow.binary(40)
    models, margin = {"a": A, "b": B}, 0.1
    run = {**Run(300, 2)._asdict(), "method": "bootstrap", "reference": reference}
    c = pr.compare(y, models, measure, margin=margin, **run)
    if c.p_value < 1:
        at = pr.compare(y, models, measure, confidence=1 - c.p_value, **run)
        assert np.abs(at.interval).min() == pytest.approx(0, abs=1e-9)
    for p, end in ((c.pairs[0].p_non_inferior, -margin), (c.pairs[0].p_non_superior, margin)):
        if p == 0.5:  # a limit on this side of the estimate does not reach so far
            continue
        at = pr.compare(y, models, measure, confidence=abs(1 - 2 * p), **run)
        assert np.abs(at.interval - end).min() == pytest.approx(0, abs=1e-9)
    assert c.overall.p_value == pytest.approx(c.p_value, rel=1e-9)


@pytest.mark.parametrize("measure", [pr.Auc(max_fpr=0.3)], ids=str)
def test_limits_of_measures_without_a_closed_form_respect_their_scale(measure: Any) -> None:
    """A model near 1 may be worse than it looks by more than it may be better."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [60, 40])
    noise = rng.normal(size=(3, 100))
    models = {"a": 2.0 * y + noise[0] + noise[2], "b": 3.3 * y + noise[1] + noise[2]}
    c = pr.compare(y, models, measure, method="bootstrap", n_resamples=999, seed=1)
    assert c.estimates[0] < c.estimates[1]
    assert c.estimates[1] > 0.9
    low, high = c.interval
    assert high - c.difference > 1.1 * (c.difference - low) > 0
    plain = pr.compare(
        y, models, measure, method="bootstrap", n_resamples=999, seed=1, reference="normal"
    )
    low, high = plain.interval
    assert c.difference - low == pytest.approx(high - c.difference, rel=1e-9)


@pytest.mark.filterwarnings("ignore::polyroc.BootstrapWarning")
@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("kind", ["rows", "groups", "weights"])
def test_small_classes_are_allowed_for_once(kind: str, stratify: bool) -> None:
    """Errors of resamples, widened, are those of influence values, whatever is resampled."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], [60, 8])
    shared, options = rng.normal(size=68), dict[str, Any](stratify=stratify)
    models = {name: 1.1 * y + shared + rng.normal(size=68) for name in "ab"}
    if kind == "groups":
        options["groups"] = np.arange(68) // 2
    if kind == "weights":
        options["sample_weight"] = np.where(np.arange(68) % 3, 1.0, 1.5)
    one = pr.compare(y, models, "auc", **options)
    other = pr.compare(y, models, "auc", method="bootstrap", n_resamples=20_000, seed=1, **options)
    assert other.pairs[0].statistic == pytest.approx(one.pairs[0].statistic, rel=0.035)
    assert other.interval == pytest.approx(one.interval, abs=0.1 * one.standard_error)
    assert other.p_value == pytest.approx(one.p_value, rel=0.06)


def test_intervals_of_replicates_need_replicates() -> None:
    y, A, B = slow.scored(30)
    for method in ("delong", "permutation"):
        with pytest.raises(ValueError, match=r"interval='bca' is made of replicates, and method="):
            pr.compare(y, {"a": A, "b": B}, method=method, interval="bca")
    with pytest.raises(ValueError, match=r"interval is 'basic'; choose one of 'test', 'bca', "):
        pr.compare(y, {"a": A, "b": B}, method="bootstrap", interval="basic")  # type: ignore[arg-type]


def test_a_partial_area_is_compared_by_percentiles() -> None:
    y, a, b = slow.binary(80)
    measure, run = pr.Auc(max_fpr=0.3), Run(199, 3)._asdict()
    models = {"a": a, "b": b}
    c = pr.compare(y, models, measure, method="bootstrap", interval="percentile", **run)
    apart = differences(y, models, measure, **run)
    assert c.interval == pytest.approx(np.quantile(apart, [0.025, 0.975]), rel=1e-9)
    assert c.notes == ()
