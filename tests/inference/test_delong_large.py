"""Closed-form errors of many rows, on any number of threads, and beside the bootstrap."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from numpy.typing import NDArray

from oracle import delong_reference as slow
from oracle.delong_reference import Data, scored
from oracle.leverage_reference import known_by_derivatives

Array = NDArray[Any]

# A class above 8,192 rows is compared part by part, and rows are dealt in chunks of 262,144.
PARTS, CHUNKS = 20_000, 270_000


def binary(n: int, kind: str) -> tuple[Array, Array]:
    """Two classes, of scores that are all different, few, of a long tail, or partly infinite."""
    rng = np.random.default_rng(n)
    y = (rng.random(n) < 0.45).astype(int)
    s = rng.normal(size=n) + y
    if kind == "few":
        s = np.round(3 * s)
    elif kind == "long tail":
        s = np.where(rng.random(n) < 0.7, 0.0, np.exp(20 * s))
    elif kind == "infinite":
        s[rng.random(n) < 0.1] = np.inf
        s[rng.random(n) < 0.1] = -np.inf
    return y, s


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["different", "few", "long tail", "infinite"])
@pytest.mark.parametrize("n", [PARTS, CHUNKS])
def test_binary_errors_are_those_by_midranks(n: int, kind: str) -> None:
    y, s = binary(n, kind)
    expected = slow.delong_variance(*slow.midrank_placements(s[y == 1], s[y == 0]))
    for scores in (s, np.column_stack([-s, s])):
        found = pr.delong(y, scores, "auc")
        assert found.standard_error**2 == pytest.approx(expected, rel=1e-11)
        assert found.estimate == pr.auc(y, scores)


@pytest.mark.slow
@pytest.mark.parametrize("votes", [0, 40])
@pytest.mark.parametrize("n", [PARTS, CHUNKS])
def test_errors_of_three_classes_are_those_by_midranks(n: int, votes: int) -> None:
    y, P = scored([n // 2, n // 10, n - n // 2 - n // 10], n, votes=votes)
    for measure, by_column in (("hand_till", True), ("auc_mu", False)):
        expected = slow.multiclass_variance(y, P, by_column, slow.midrank_placements)
        found = pr.delong(y, P, measure)
        assert found.standard_error**2 == pytest.approx(expected, rel=1e-10)
        assert found.estimate == getattr(pr, measure)(y, P)


@pytest.mark.parametrize("n", [PARTS, CHUNKS])
def test_whole_weights_place_rows_as_repeats_do(n: int) -> None:
    y, s = binary(n, "few")
    times = np.random.default_rng(0).integers(0, 4, n)
    rows = np.repeat(np.arange(n), times)
    value, many = np.zeros(n), y[rows]
    for own, V in zip((1, 0), slow.midrank_placements(s[rows][many == 1], s[rows][many == 0]),
                      strict=True):  # fmt: skip
        value[rows[many == own]] = (V - V.mean()) / len(V)
    expected = 0.0
    for own in (0, 1):
        mine = (y == own) & (times > 0)
        n, h = mine.sum(), times[mine] / times[mine].sum()
        expected += (n - 1) / n * ((times * value)[mine] ** 2 / (1 - h) ** 2).sum()
    found = pr.delong(y, s, "auc", sample_weight=times)
    assert found.standard_error**2 == pytest.approx(expected, rel=1e-10)
    thirds = pr.delong(y, s, "auc", sample_weight=times / 3)
    assert thirds.standard_error**2 == pytest.approx(expected, rel=1e-9)


def test_large_classes_against_the_rest_have_the_errors_of_their_mean() -> None:
    # Beside two classes of one index each, one that is dealt into parts.
    y, P = scored([40_000, 300, 9_000], 5, votes=1000)
    each = pr.delong(y, P, pr.OneVsRest(None))
    mean = pr.delong(y, P, "one_vs_rest").standard_error
    assert each.covariance is not None
    assert each.covariance.sum() / 9 == pytest.approx(mean**2, rel=1e-10)
    np.testing.assert_array_equal(each.estimate, pr.one_vs_rest(y, P, average=None))


@pytest.mark.slow
def test_thread_counts_give_the_same_bits() -> None:
    y, P = scored([PARTS // 2, 6000, PARTS // 2 - 6000], 7, votes=50)
    w = np.random.default_rng(1).random(PARTS)
    measures = {"M": pr.HandTill(), "mu": pr.AucMu(), "each": pr.OneVsRest(None),
                "micro": pr.OneVsRest("micro"), "polar": pr.PolarArea()}  # fmt: skip
    for options in ({}, {"sample_weight": w}, {"groups": np.arange(PARTS) // 5}):
        found = [pr.delong(y, P, measures, n_threads=k, **options) for k in (1, 2, 3)]
        for name in measures:
            assert len({np.asarray(one[name].estimate).tobytes() for one in found}) == 1, name
            assert len({np.asarray(one[name].covariance).tobytes() for one in found}) == 1, name
    for measure in ("hand_till", "auc_mu"):
        pairs = [pr.delong(y, P, measure, pairs=True, n_threads=k).pairs for k in (1, 2, 3)]
        assert len({one.standard_error.tobytes() for one in pairs if one is not None}) == 1
    y, s = binary(CHUNKS, "different")
    assert len({pr.delong(y, s, "auc", n_threads=k).standard_error for k in (1, 2, 3)}) == 1


def test_separation_of_many_rows_has_no_error() -> None:
    for n in (PARTS, CHUNKS):
        y = np.arange(n) % 2
        found = pr.delong(y, np.arange(n) + n * y, "auc")
        assert (found.estimate, found.method) == (1.0, "t")
        assert found.standard_error < 1e-15


B = 4000
SHAPES = {
    "even": [40, 40],
    "skewed": [120, 25],
    "three": [60, 25, 45],
    "five": [90, 25, 30, 40, 35],
}


@pytest.mark.parametrize("votes", [0, 6])
@pytest.mark.parametrize("shape", SHAPES)
def test_errors_agree_with_the_bootstrap(shape: str, votes: int) -> None:
    sizes = SHAPES[shape]
    y, P = scored(sizes, len(sizes) + votes, votes=votes)
    measures: dict[str, Any] = {
        "M": pr.HandTill(), "M prevalence": pr.HandTill("prevalence"), "mu": pr.AucMu(),
        "macro": pr.OneVsRest(), "prevalence": pr.OneVsRest("prevalence"),
        "micro": pr.OneVsRest("micro"), "each": pr.OneVsRest(None),
    }  # fmt: skip
    measures |= {"polar": pr.PolarArea()} if len(sizes) > 2 else {"auc": pr.Auc()}
    within = 4 / np.sqrt(2 * B) + 1 / min(sizes)
    for options in ({}, {"stratify": False}, {"groups": np.arange(len(y)) // 2}):
        closed = pr.delong(y, P, measures, **options)
        drawn = pr.bootstrap(y, P, measures, n_resamples=B, seed=1, **options)
        for name in measures:
            ratio = closed[name].standard_error / drawn[name].standard_error
            assert (abs(ratio - 1) < within).all(), (name, options, ratio)


def test_errors_shrink_with_the_sample() -> None:
    y, P = scored([60, 25, 45], 4, votes=9)
    once = pr.delong(y, P, "auc_mu")
    many = pr.delong(np.tile(y, 100), np.tile(P, (100, 1)), "auc_mu")
    assert many.estimate == pytest.approx(once.estimate, rel=1e-14)
    assert many.standard_error == pytest.approx(once.standard_error / 10, rel=0.03)


def test_scores_of_several_kinds_of_memory() -> None:
    y, P = scored([6000, 9000, 5000], 5, votes=30)
    expected = pr.delong(y, P, "hand_till").standard_error
    for other in (np.asfortranarray(P), P[::-1][::-1], np.repeat(P, 2, axis=1)[:, ::2]):
        assert pr.delong(y, other, "hand_till").standard_error == expected
    assert pr.delong(y, P.astype(np.float32), "hand_till").standard_error == expected
    whole = np.round(P * 30).astype(np.int16)
    assert pr.delong(y, whole, "hand_till").standard_error == expected
    data = Data(y[:60], whole[:60])
    found = pr.delong(data.y, data.P, "auc_mu").covariance
    assert found is not None
    np.testing.assert_allclose(found, known_by_derivatives(pr.AucMu(), data).covariance, rtol=1e-6)
