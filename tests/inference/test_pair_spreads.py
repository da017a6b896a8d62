"""Errors of single pairs of classes where units weigh differently, or are of several classes."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc import _core
from polyroc._data.sample import prepare
from polyroc._data.units import plan
from polyroc._inference.pair_spreads import pair_spreads
from polyroc._measures.registry import measures_of, rows_for

RNG = np.random.default_rng(8)
Y = np.repeat([0, 1, 2], [20, 12, 8])[RNG.permutation(40)]
P = RNG.normal(size=(40, 3)) + np.eye(3)[Y]
WEIGHTS = np.where(np.arange(40) % 7, np.exp(RNG.normal(size=40)), 0.0)
COSTS = [[0, 1, 2], [1, 0, 1], [3, 1, 0]]
OPTIONS: dict[str, dict[str, Any]] = {
    "weights": {"sample_weight": WEIGHTS},
    "weights, counts vary": {"sample_weight": WEIGHTS, "stratify": False},
    "mixed groups": {"groups": np.arange(40) % 13},
    "weights, mixed groups": {"sample_weight": WEIGHTS, "groups": np.arange(40) % 13},
    "groups of one class": {"groups": 100 * Y + np.arange(40) % 5, "stratify": True},
}


@pytest.mark.parametrize("kind", OPTIONS)
def test_a_pair_has_the_interval_of_its_two_classes_alone(kind: str) -> None:
    options = OPTIONS[kind]
    pairs = pr.delong(Y, P, "hand_till", pairs=True, **options).pairs
    assert pairs is not None
    for i, j in combinations(range(3), 2):
        rows = (Y == i) | (Y == j)
        per_row = {k: v[rows] if isinstance(v, np.ndarray) else v for k, v in options.items()}
        if kind == "weights, counts vary":
            per_row["stratify"] = True  # class counts do not enter the AUC of a pair
        two = pr.delong(Y[rows], P[rows][:, [i, j]], "hand_till", **per_row)
        assert pairs.estimate[i, j] == pytest.approx(two.estimate, rel=1e-12)
        assert pairs.standard_error[i, j] == pytest.approx(two.standard_error, rel=1e-9)
        assert pairs.standard_error[j, i] == pairs.standard_error[i, j]
        assert pairs.interval[i, j] == pytest.approx(two.interval, rel=1e-7)
    assert np.isnan(np.diag(pairs.standard_error)).all()


@pytest.mark.parametrize("measure", ["hand_till", "auc_mu", pr.AucMu(COSTS), "polar_area"])
def test_where_all_count_alike_they_are_those_of_the_core(measure: Any) -> None:
    (one,) = measures_of(measure)[0].values()
    sample = prepare(Y, P, None, None, 1)
    units = plan(sample, "multinomial", None, None, "")
    rows, core = rows_for(sample, [one], units), one._pairs_in_core(sample)
    expected = _core.pair_variances(rows=rows, measure=core, stratified=True)
    found = pair_spreads(sample, units, one)
    np.testing.assert_allclose(found.variances, expected, rtol=1e-12)


@pytest.mark.parametrize("kind", ["alike", *OPTIONS])
@pytest.mark.parametrize("way", ["hand_till", "auc_mu"])
@pytest.mark.parametrize("part", [{"fpr": (0.0, 0.3)}, {"tpr": (0.5, 1.0), "standardize": True}])
def test_partial_areas_of_ordered_pairs(kind: str, way: Any, part: dict[str, Any]) -> None:
    options = OPTIONS.get(kind, {})
    whole = pr.delong(Y, P, pr.PartialAuc(**part, pairs=way), pairs=True, **options)
    pairs = whole.pairs
    assert pairs is not None
    for i, j in permutations(range(3), 2):
        rows = (Y == i) | (Y == j)
        per_row = {k: v[rows] if isinstance(v, np.ndarray) else v for k, v in options.items()}
        if kind == "weights, counts vary":
            per_row["stratify"] = True
        scores = P[rows, i] if way == "hand_till" else P[rows, i] - P[rows, j]
        two = pr.delong(Y[rows] == i, scores, pr.PartialAuc(**part), **per_row)
        assert pairs.estimate[i, j] == pytest.approx(two.estimate, rel=1e-12)
        assert pairs.standard_error[i, j] == pytest.approx(two.standard_error, rel=1e-9)
        assert pairs.interval[i, j] == pytest.approx(two.interval, rel=1e-7)
    assert np.nanmean(pairs.estimate) == pytest.approx(whole.estimate, rel=1e-12)
    assert np.isnan(np.diag(pairs.estimate)).all()
    frame = pairs.to_frame("pandas")
    assert list(zip(frame["first"], frame["second"], strict=True)) == list(
        permutations(range(3), 2)
    )
    assert frame["estimate"][2] == pairs.estimate[1, 0]


def test_partial_areas_of_pairs_are_refused_with_a_way_out() -> None:
    part = pr.PartialAuc(fpr=(0, 0.2))
    rows = Y < 2
    for call in (pr.delong, pr.bootstrap):
        with pytest.raises(
            ValueError, match=r"^pairs=True is for .* pass pr\.PartialAuc\(.*pairs='h"
        ):
            call(Y[rows], P[rows, 1], part, pairs=True)
    paired = pr.PartialAuc(fpr=(0, 0.2), pairs="auc_mu")
    with pytest.raises(ValueError, match=r"delong\(pairs=True\) has parts of them"):
        pr.bootstrap(Y, P, paired, pairs=True)
    with pytest.raises(ValueError, match=r"^pairs=True needs a column of scores for each class"):
        pr.delong(Y[rows], P[rows, 1], paired, pairs=True)


def test_an_absent_class_has_no_pairs() -> None:
    options: dict[str, Any] = {"sample_weight": WEIGHTS, "labels": [0, 1, 2, 3]}
    columns = np.column_stack([P, P[:, 0]])
    measure = pr.HandTill(absent="skip")
    found = pr.delong(Y, columns, measure, pairs=True, **options).pairs
    assert found is not None
    assert np.isnan(found.standard_error[3]).all()
    assert np.isfinite(found.standard_error[0, 1])
    with pytest.raises(ValueError, match="pairs=True is for measures of pairs of classes"):
        pr.OneVsRest()._of_pair()
