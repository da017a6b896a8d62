"""What every measure must do in resamples and comparisons, whatever it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from numpy.typing import NDArray
from polyroc import _core
from polyroc._data.sample import prepare

from given import core_weights

Array = NDArray[Any]
SEED, COUNT = 5, 24


def replicates_are_the_measure_of_weighted_rows(measure: Any, y: Array, scores: Array) -> None:
    """The b-th replicate is the measure with the b-th weights, for counts and for real weights."""
    codes = np.unique(y, return_inverse=True)[1].astype(np.uint32)
    K = int(codes.max()) + 1
    for scheme in ("multinomial", "bayesian"):
        run: dict[str, Any] = {"n_resamples": COUNT, "seed": SEED, "stratify": True}
        result = pr.bootstrap(y, scores, measure, scheme=scheme, **run)
        how = getattr(_core.Scheme, scheme.capitalize())
        drawn = core_weights.weights(codes, K, how, SEED, 0, COUNT)
        expected = [measure(y, scores, sample_weight=w) for w in drawn]
        np.testing.assert_allclose(result.replicates, expected, rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(result.estimate, measure(y, scores))
    weights = np.random.default_rng(3).random(len(y))
    result = pr.bootstrap(y, scores, measure, sample_weight=weights, method="percentile", **run)
    drawn = core_weights.weights(codes, K, _core.Scheme.Multinomial, SEED, 0, COUNT)
    expected = [measure(y, scores, sample_weight=w * weights) for w in drawn]
    np.testing.assert_allclose(result.replicates, expected, rtol=1e-12, atol=1e-14)


def threads_and_memory_change_no_bit(measure: Any, y: Array, scores: Array) -> None:
    ways: list[dict[str, Any]] = [{"n_threads": 1}, {"n_threads": 2}, {"max_memory": 3_000_000}]
    fixed: dict[str, Any] = {"n_resamples": 70, "seed": SEED, "method": "percentile"}
    results = [pr.bootstrap(y, scores, measure, **fixed, **way) for way in ways]
    for other in results[1:]:
        assert results[0].replicates.tobytes() == other.replicates.tobytes()


def comparisons_are_made(
    measure: Any, y: Array, good: Array, bad: Array, closed: bool = False
) -> None:
    """Compared by bootstrap and permutation, and by a closed-form error if there is one."""
    models = {"good": good, "bad": bad}
    methods: list[Any] = ["bootstrap", "permutation", *(["delong"] if closed else [])]
    for method in methods:
        c = pr.compare(y, models, measure, method=method, n_resamples=200, seed=1)
        assert c.estimates == pytest.approx([measure(y, good), measure(y, bad)])
        assert 0 < c.p_value < 0.05
        same = pr.compare(y, {"a": good, "b": good}, measure, method=method, n_resamples=50)
        assert same.p_value == 1
    if closed:
        return
    with pytest.raises(ValueError, match=r"has no closed-form error; use bootstrap"):
        pr.delong(y, good, measure)
    with pytest.raises(ValueError, match=r"has no closed-form error; use bootstrap"):
        pr.compare(y, models, measure, method="delong")


def moved_by_weight(measure: Any, y: Array, scores: Array, w: Array, unit: Array) -> Array:
    """How much the measure moves with the weight of each unit, by difference."""
    ways = ([w * (1 + e * (unit == one)) for e in (1e-5, -1e-5)] for one in np.unique(unit))
    ends = [[measure(y, scores, sample_weight=weights) for weights in both] for both in ways]
    return np.asarray([(more - less) / 2e-5 for more, less in ends])


def influence_values(measure: Any, y: Array, scores: Array, weights: Array, k: int = 0) -> Array:
    """How much each row moves the k-th number of a measure, rows in their order."""
    sample = prepare(y, scores, sample_weight=weights, marker=True)
    core = [measure._in_core(sample)]
    found = _core.influence(
        rows=sample.rows(measure.projects), measures=core, stratified=True, widened=False
    )
    values = np.empty(len(y))
    values[np.argsort(sample.codes, kind="stable")] = found.values[0][k]
    return values
