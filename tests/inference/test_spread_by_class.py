"""Variances made number by number in the core are those of whole matrices by numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from numpy.typing import NDArray
from polyroc._inference.spread import Cells, _by_class, parts_of

from oracle.delong_reference import scored

Array = NDArray[Any]


def cells(classes: Array, weights: Array | None, n_classes: int) -> Cells:
    masses = np.bincount(classes, weights, n_classes).astype(np.float64)
    return Cells(False, classes, weights, None, masses, masses, None, n_threads=2)


@pytest.mark.parametrize("numbers", [1, 3, 70])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sizes", [[400, 0, 30, 900], [2, 5, 60]])
def test_variances_and_doubts(sizes: list[int], weighted: bool, numbers: int) -> None:
    rng = np.random.default_rng(11)
    classes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes)).astype(np.uint32)
    weights = rng.random(len(classes)) + 0.1 if weighted else None
    values = rng.standard_t(4, size=(numbers, len(classes)))
    given = cells(classes, weights, len(sizes))
    found, slow = parts_of(values, (0, len(classes)), given), _by_class(values, given)
    np.testing.assert_allclose(found.variances, slow.variances, rtol=1e-12)
    np.testing.assert_allclose(found.doubt, slow.doubt, rtol=1e-11)
    np.testing.assert_allclose(found.plain_doubt, slow.plain_doubt, rtol=1e-12)
    scale = slow.covariance.diagonal().max()
    np.testing.assert_allclose(found.covariance, slow.covariance, rtol=1e-11, atol=1e-12 * scale)
    assert found.covariance.diagonal().tolist() == found.variances


@pytest.mark.parametrize("weighted", [False, True])
def test_many_values_do_not_depend_on_threads_nor_on_a_class_without_rows(weighted: bool) -> None:
    y, P = scored([9] * 40, 7)
    weights = np.random.default_rng(2).random(len(y)) + 0.5 if weighted else None
    found = [
        pr.delong(y, P, pr.OneVsRest(None), sample_weight=weights, n_threads=threads)
        for threads in (1, 2)
    ]
    assert found[0] == found[1]
    kept = y != 3
    given = None if weights is None else weights[kept]
    each = pr.delong(
        y[kept], P[kept], pr.OneVsRest(None, absent="skip"), sample_weight=given, labels=range(40)
    )
    few = pr.delong(
        y[kept], P[kept][:, np.arange(40) != 3], pr.OneVsRest(None), sample_weight=given
    )
    there = np.arange(40) != 3
    np.testing.assert_array_equal(each.estimate[there], few.estimate)
    np.testing.assert_allclose(each.standard_error[there], few.standard_error, rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_proportion_correct_of_many_rows(weighted: bool) -> None:
    y, P = scored([9000, 7000, 4000], 7, votes=40)
    weights = np.random.default_rng(2).integers(1, 4, len(y)) if weighted else np.ones(len(y))
    best = P == P.max(axis=1, keepdims=True)
    right = best[np.arange(len(y)), y] / best.sum(axis=1)
    share = np.average(right, weights=weights)
    moved = weights * (right - share) / weights.sum()
    found = pr.delong(y, P, "proportion_correct", sample_weight=weights)
    assert found.estimate == pytest.approx(share, rel=1e-14)
    assert found.standard_error == pytest.approx(np.sqrt(moved @ moved), rel=2e-4)
