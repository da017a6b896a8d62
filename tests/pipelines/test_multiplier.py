"""Replicates by influence values: their weights, and their errors beside those of `bootstrap`."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.shards import softmax_rows
from oracle.influence_reference import influence
from oracle.resampling import poisson
from oracle.stream import Draw
from pipelines.test_second_pass import MEASURES, evaluated, library

N = 600
ROWS = softmax_rows(N, 3, "moderate", 1)


def poisson_weights(seed: int, count: int, ids: Any) -> Any:
    """Poisson weights by the documented stream, in plain Python, for as many units as there are."""
    law = poisson(1.0)
    return np.array([[law.weight(Draw(seed, b), int(u)) for u in ids] for b in range(count)])


@pytest.mark.parametrize("measure", MEASURES)
def test_errors_are_those_of_the_bootstrap(measure: str) -> None:
    found = evaluated(ROWS, measure, interval="bootstrap", seed=3, n_resamples=4000)[measure]
    wanted = pr.bootstrap(
        ROWS.y, ROWS.P, library(measure), seed=5, n_resamples=4000, method="percentile"
    )
    assert found.method == "Poisson multiplier bootstrap (t)"
    # Two standard deviations of 4,000 replicates each differ by 1.6 % (one standard error).
    assert found.standard_error == pytest.approx(wanted.standard_error, rel=0.06)
    closed = pr.delong(ROWS.y, ROWS.P, library(measure))
    np.testing.assert_allclose(found.interval, closed.interval, atol=0.15 * closed.standard_error)
    assert found.replicates is not None
    assert found.replicates.shape == (4000,)


@pytest.mark.parametrize("kind", ["groups", "weights", "class_counts"])
@pytest.mark.parametrize("measure", ["hand_till", "one_vs_rest"])
def test_errors_with_more_to_them(measure: str, kind: str) -> None:
    rng = np.random.default_rng(4)
    more: dict[str, Any] = {}
    if kind == "groups":
        more["groups"] = rng.integers(0, 120, N)
    if kind == "weights":
        more["sample_weight"] = rng.gamma(3.0, size=N)
    wanted = pr.delong(ROWS.y, ROWS.P, measure, **more)
    if kind == "class_counts":
        more["class_counts"] = np.bincount(ROWS.y)
    found = evaluated(ROWS, measure, interval="bootstrap", seed=6, n_resamples=4000, **more)[
        measure
    ]
    # DeLong's has n / (n - 1) and leverages, which the bootstrap lacks.
    assert found.standard_error == pytest.approx(wanted.standard_error, rel=0.06)


@pytest.mark.parametrize("measure", MEASURES)
def test_replicates_are_sums_of_weights_times_influence(measure: str) -> None:
    ids = np.arange(N) * 7 + 2**33
    found = evaluated(ROWS, measure, interval="bootstrap", seed=8, n_resamples=6, row_id=ids)[
        measure
    ]
    weights = poisson_weights(8, 6, ids)
    values = influence(measure, ROWS.y, ROWS.P)
    means = np.array([values[ROWS.y == k].mean() for k in range(3)])
    for b, replicate in enumerate(found.replicates):
        moved = 0.0
        for k in range(3):
            mine = ROWS.y == k
            w, n = weights[b][mine], mine.sum()
            moved += n * (w @ values[mine] / w.sum() - means[k])
            moved += means[k] * w.sum() / (weights[b].sum() / N)
        assert replicate == pytest.approx(found.estimate + moved, abs=1e-10)


def test_weights_hang_on_the_row_and_models_share_them() -> None:
    ids = np.array([f"part-{k % 4}:{k}" for k in range(N)])
    once = evaluated(ROWS, "hand_till", interval="bootstrap", seed=1, n_resamples=50, row_id=ids)
    again = np.random.default_rng(0).permutation(N)
    turned = evaluated(
        ROWS.part(again), "hand_till", interval="bootstrap", seed=1, n_resamples=50,
        row_id=ids[again].astype(object),
    )  # fmt: skip
    assert once["hand_till"] == turned["hand_till"]
    both = evaluated(
        ROWS, "hand_till", interval="bootstrap", seed=1, n_resamples=50, row_id=ids,
        scores={"a": ROWS.P, "b": ROWS.P[:, ::-1]},
    )["hand_till"]  # fmt: skip
    np.testing.assert_array_equal(both.models["a"].replicates, once["hand_till"].replicates)
    assert both.p_value < 1e-6
    same = evaluated(
        ROWS, "hand_till", interval="bootstrap", seed=1, n_resamples=50,
        scores={"a": ROWS.P, "b": ROWS.P},
    )["hand_till"]  # fmt: skip
    assert (same.difference, same.p_value) == (0.0, 1.0)


def test_compared_models_have_the_bootstraps_error() -> None:
    rng = np.random.default_rng(2)
    noisy = np.abs(ROWS.P + 0.2 * rng.normal(size=ROWS.P.shape)).clip(0, 1)
    scores = {"a": ROWS.P, "b": noisy}
    found = evaluated(
        ROWS, "hand_till", interval="bootstrap", seed=3, n_resamples=4000, scores=scores
    )
    pair = found["hand_till"].pairs[0]
    wanted = pr.compare(ROWS.y, scores, "hand_till", method="delong").pairs[0]
    assert pair.standard_error == pytest.approx(wanted.standard_error, rel=0.06)
    assert pair.low < pair.difference < pair.high


def test_heavy_rows_are_refused() -> None:
    rows = softmax_rows(9000, 3, "moderate", 2)
    weights = np.ones(9000)
    weights[np.flatnonzero(rows.y == 0)[0]] = 1e9
    state = pr.State(range(3), "hand_till").update(rows.y, rows.P, sample_weight=weights)
    sums = pr.InfluenceSums(pr.InfluenceTables(state, n_resamples=4, seed=1))
    with pytest.raises(ValueError, match="more than a thousand times its mean in a class"):
        sums.update(rows.y, rows.P, sample_weight=weights, row_id=range(9000))
    assert sums.n == 0


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("measure", ["hand_till", "one_vs_rest"])
def test_a_segment_beside_all_rows(measure: str, grouped: bool) -> None:
    """Differences are nearly those of the closed form, whose errors they have but for chance."""
    ids, part = np.arange(N), np.arange(N) < 250
    named = {"groups": ids // 2} if grouped else {}

    def sums_of(n_resamples: int, seed: int, rows: Any, state: pr.State, **more: Any) -> Any:
        tables = pr.InfluenceTables(
            state, n_resamples=n_resamples, seed=seed, groups=grouped, **more
        )
        given = {name: values[rows] for name, values in {**named, "row_id": ids}.items()}
        return pr.InfluenceSums(tables).update(ROWS.y[rows], ROWS.P[rows], **given)

    every = np.ones(N, dtype=np.bool_)
    whole, own = (
        pr.State(range(3), measure).update(ROWS.y[rows], ROWS.P[rows]) for rows in (every, part)
    )
    sums = sums_of(4000, 3, every, whole)
    found = sums_of(4000, 3, part, own).compute(whole=sums)[measure]
    above = {} if grouped else {"whole": whole}
    closed = sums_of(0, 0, part, own, **above).compute(whole=sums_of(0, 0, every, whole))[measure]
    assert found.method == "Poisson multiplier bootstrap (t)"
    assert found.difference == closed.difference
    error = closed.standard_error
    np.testing.assert_allclose(found.interval, closed.interval, atol=0.15 * error)
    away = found.difference_interval - closed.difference_interval
    np.testing.assert_allclose(away, 0.0, atol=0.15 * error)
    assert found.p_value == pytest.approx(closed.p_value, abs=0.05)
    for count, seed in ((4000, 4), (3999, 3), (0, 0)):
        with pytest.raises(ValueError, match="both the same n_resamples and seed"):
            sums_of(count, seed, part, own).compute(whole=sums)


def test_limits_of_models_are_made_of_the_errors_of_replicates() -> None:
    rng = np.random.default_rng(6)
    other = np.clip(ROWS.P + rng.normal(0.0, 0.1, ROWS.P.shape), 0.0, 1.0)
    batches = [{"y_true": ROWS.y, "y_score": {"one": ROWS.P, "other": other}}]
    call: dict[str, Any] = {"labels": range(3), "n_resamples": 4000, "seed": 1}
    found = pr.evaluate_batches(batches, **call, interval="bootstrap")["hand_till"]
    closed = pr.evaluate_batches(batches, **call)["hand_till"]
    error = closed.pairs[0].standard_error
    assert found.pairs[0].standard_error == pytest.approx(error, rel=0.06)
    np.testing.assert_allclose(found.interval, closed.interval, atol=0.15 * error)
    apart = found.interval[0] > 0.0 or found.interval[1] < 0.0
    assert apart == (found.p_value < 0.05)


@pytest.mark.parametrize("sized", [True, False])
def test_progress_counts_the_batches_of_both_passes(sized: bool) -> None:
    batches = [(ROWS.y[k::4], ROWS.P[k::4]) for k in range(4)]
    given: Any = batches if sized else lambda: iter(batches)
    told: list[tuple[int, int | None]] = []
    pr.evaluate_batches(
        given, labels=range(3), progress=lambda done, total: told.append((done, total))
    )
    first = [(k, 8 if sized else None) for k in range(1, 5)]
    known = [] if sized else [(4, 8)]
    assert told == [*first, *known, *((k, 8) for k in range(5, 9))]
    with pytest.raises(TypeError, match=r"^progress is 3; pass True for a bar"):
        pr.evaluate_batches(given, labels=range(3), progress=3)  # type: ignore[arg-type]


def test_a_sample_of_rows_with_errors_is_refused_before_any_batch() -> None:
    def never() -> Any:
        raise AssertionError("a batch was read")

    with pytest.raises(ValueError, match=r"^auc_mu of 200 classes .*max_bins=6,744 or fewer"):
        pr.evaluate_batches(never, labels=range(200), measures=["hand_till", "auc_mu"])
