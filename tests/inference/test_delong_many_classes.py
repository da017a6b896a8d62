"""Closed-form errors of many classes with few rows each: their numbers, and what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from numpy.typing import NDArray
from polyroc._inference.influence import MANY, Influences

from oracle import delong_reference as slow
from oracle.delong_reference import scored

Array = NDArray[Any]

MEASURES = ["hand_till", "auc_mu", "one_vs_rest", "polar_area"]


def many(n_classes: int, rows: int, votes: int = 0) -> tuple[Array, Array]:
    """As many rows of each class, of scores that tie if there are votes."""
    return scored([rows] * n_classes, 7, votes=votes)


@pytest.mark.parametrize("votes", [0, 40])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_estimate_is_the_measure(measure: str, dtype: Any, votes: int) -> None:
    # Of float32 scores some projections are so close that a pair of classes has to be sorted.
    y, P = many(60, 5, votes)
    scores = P.astype(dtype)
    assert pr.delong(y, scores, measure).estimate == getattr(pr, measure)(y, scores)
    assert pr.delong(y, scores, measure, stratify=False).estimate == pytest.approx(
        getattr(pr, measure)(y, scores), rel=1e-15
    )


@pytest.mark.parametrize("measure", [pr.OneVsRest(average=None), pr.OneVsRest(average="micro")])
def test_the_estimate_of_each_class_is_the_measure(measure: Any) -> None:
    y, P = many(30, 4)
    np.testing.assert_array_equal(pr.delong(y, P, measure).estimate, measure(y, P))


@pytest.mark.parametrize("votes", [0, 40])
@pytest.mark.parametrize("n_classes", [5, 30])
@pytest.mark.parametrize("rows", ["alike", "weighted", "grouped"])
def test_classes_against_the_rest_have_the_errors_of_their_mean(
    rows: str, n_classes: int, votes: int
) -> None:
    # Each class alone takes the others for one side, the mean tells them apart.
    y, P = many(n_classes, 9, votes)
    kinds: dict[str, dict[str, Any]] = {
        "alike": {},
        "weighted": {"sample_weight": np.arange(len(y)) % 4 / 2},
        "grouped": {"groups": np.arange(len(y)) // 2},
    }
    options = kinds[rows]
    each = pr.delong(y, P, pr.OneVsRest(None), **options)
    mean = pr.delong(y, P, "one_vs_rest", **options)
    assert each.covariance is not None
    expected = mean.standard_error**2
    assert each.covariance.sum() / n_classes**2 == pytest.approx(expected, rel=1e-10)
    weights = options.get("sample_weight")
    values = pr.one_vs_rest(y, P, average=None, sample_weight=weights)
    np.testing.assert_array_equal(each.estimate, values)


def test_covariances_of_many_numbers_are_those_stratum_by_stratum() -> None:
    bounds = (0, 3, 3, 5000, 9000)
    values = np.random.default_rng(3).normal(size=(MANY, bounds[-1]))
    many, few = Influences(values, bounds), Influences(values[:2], bounds)
    np.testing.assert_allclose(many.covariance()[:2, :2], few.covariance(), rtol=1e-12)
    np.testing.assert_allclose(np.diag(many.covariance()), many.variances(), rtol=1e-12)


def test_two_columns_of_one_sum() -> None:
    y, logits = many(2, 50)
    share = 1 / (1 + np.exp(-logits[:, 1]))
    P = np.column_stack([1 - share, share])
    assert pr.delong(y, P, "auc_mu").estimate == pr.auc_mu(y, P)
    one = pr.delong(y, P[:, 1], "auc")
    assert pr.delong(y, P, "auc_mu").standard_error == one.standard_error


@pytest.mark.parametrize("votes", [0, 40])
@pytest.mark.parametrize(("measure", "by_column"), [("hand_till", True), ("auc_mu", False)])
def test_errors_are_those_by_midranks(measure: str, by_column: bool, votes: int) -> None:
    y, P = many(25, 6, votes)
    expected = slow.multiclass_variance(y, P, by_column, slow.midrank_placements)
    found = pr.delong(y, P, measure)
    assert found.standard_error**2 == pytest.approx(expected, rel=1e-10)


def test_groups_of_one_row_are_rows() -> None:
    y, P = many(20, 5)
    rows = pr.delong(y, P, MEASURES, stratify=True)
    groups = pr.delong(y, P, MEASURES, groups=np.arange(len(y)), stratify=True)
    for measure in MEASURES:
        assert groups[measure].estimate == rows[measure].estimate
        error = rows[measure].standard_error
        assert groups[measure].standard_error == pytest.approx(error, rel=1e-13)


def test_several_measures_at_once_are_those_one_by_one() -> None:
    y, P = many(20, 5)
    together = pr.delong(y, P, MEASURES, stratify=False)
    for measure in MEASURES:
        assert together[measure] == pr.delong(y, P, measure, stratify=False)
