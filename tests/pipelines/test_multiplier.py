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
    assert found.method == "Poisson multiplier bootstrap (percentile)"
    # Two standard deviations of 4,000 replicates each differ by 1.6 % (one standard error).
    assert found.standard_error == pytest.approx(wanted.standard_error, rel=0.06)
    np.testing.assert_allclose(found.interval, wanted.interval, atol=0.2 * wanted.standard_error)
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
