from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from benches.studies.designs import contests, families
from benches.studies.designs.curves import CURVES
from benches.studies.designs.design import Design, Rows
from benches.studies.designs.heavy_tails import HeavyTails
from benches.studies.designs.labels import Labelled
from benches.studies.designs.rivals import Rivals
from benches.studies.designs.volumes import VOLUMES
from benches.studies.interval_methods import methods_of

SETS = 150
# Ratios of weighted sums, and pairs within clusters, move the mean by part of a standard deviation.
BIAS = {"clusters": 0.35, "weights": 0.35, "random counts": 0.1}


def values(design: Design, count: int) -> Any:
    """Every measure of some data sets."""
    out = []
    for number in range(count):
        rows, scores = design.draw(number)
        options: dict[str, Any] = {"n_threads": 1}
        if rows.weights is not None:
            options["sample_weight"] = rows.weights
        calls = [
            getattr(pr, one) if isinstance(one, str) else one for one in design.measures.values()
        ]
        out.append([call(rows.labels, scores, **options) for call in calls])
    return np.array(out)


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [d for d in families.ALL if sum(d.sizes) <= 1300 and d.has_closed_form],
    ids=lambda d: d.key,
)
def test_estimates_are_around_the_truth(design: Design) -> None:
    found = values(design, SETS)
    truths = np.array(list(design.truths.values()))
    spread = found.std(axis=0)
    allowed = 4.5 / math.sqrt(SETS) + BIAS.get(design.family, 0.0)
    assert (abs(found.mean(axis=0) - truths) <= allowed * spread).all()


@pytest.mark.parametrize("listed", [families.ALL, contests.ALL], ids=["designs", "rivals"])
def test_keys_are_names(listed: list[Any]) -> None:
    keys = [one.key for one in listed]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("listed", [families.ALL, contests.ALL], ids=["designs", "rivals"])
def test_every_family_has_two_sizes(listed: list[Any]) -> None:
    for family in {one.family for one in listed}:
        of_family = [one for one in families.few(listed) if one.family == family]
        assert len(of_family) == 2


@pytest.mark.parametrize("design", families.few(families.ALL), ids=lambda d: d.key)
def test_a_data_set_is_its_number(design: Design) -> None:
    first, again, other = design.draw(3), design.draw(3), design.draw(4)
    assert np.array_equal(first.scores, again.scores)
    assert first.scores.shape != other.scores.shape or (first.scores != other.scores).any()


@pytest.mark.parametrize("rivals", contests.ALL, ids=lambda r: r.key)
def test_rivals_are_equal_or_known_to_differ(rivals: Rivals) -> None:
    contest = rivals.draw(0)
    assert list(contest.models) == ["a", "b", "c"]
    assert {len(scores) for scores in contest.models.values()} == {len(contest.rows.labels)}
    if rivals.family not in ("grid", "margins"):
        assert rivals.difference == 0
    if rivals.margin:
        assert abs(rivals.difference) >= 0.01


def test_twins_differ_in_few_rows() -> None:
    rivals = next(one for one in contests.ALL if one.fresh < 1)
    models = rivals.draw(0).models
    changed = np.cbrt(models["a"]) != models["b"]
    assert 0 < changed.sum() < 0.1 * len(changed)


def test_correlation_of_noise() -> None:
    rivals = next(one for one in contests.ALL if one.correlation == 0.95)
    drawn = [rivals.draw(number) for number in range(100)]
    zeros = [one.rows.labels == 0 for one in drawn]
    first = np.concatenate([one.models["a"][k] for one, k in zip(drawn, zeros, strict=True)])
    second = np.concatenate([one.models["b"][k] for one, k in zip(drawn, zeros, strict=True)])
    assert np.corrcoef(first, second**3)[0, 1] == pytest.approx(0.95, abs=0.01)


def test_fewest_effective_units() -> None:
    labels = np.array([0, 0, 0, 1, 1, 1, 1])
    assert Rows(labels).least_units == 3
    assert Rows(labels, groups=np.array([0, 0, 1, 1, 2, 3, 4])).least_units == pytest.approx(9 / 5)
    weights = np.array([2.0, 1, 1, 5, 5, 5, 5])
    assert Rows(labels, weights=weights).least_units == pytest.approx(16 / 6)


@pytest.mark.slow
def test_softmax_truth_depends_on_the_temperature() -> None:
    truths = []
    for temperature in (0.25, 2.0):
        design = HeavyTails((4000, 4000, 4000), 0.9, 3, temperature, family="trial")
        (truth,) = design.truths.values()
        rows, scores = design.draw(0)
        assert pr.hand_till(rows.labels, scores) == pytest.approx(truth, abs=0.006)
        truths.append(truth)
    assert truths[0] != pytest.approx(truths[1], abs=0.002)


@pytest.mark.parametrize(
    "design",
    [one for one in families.ALL if not one.has_closed_form or one in CURVES],
    ids=lambda d: d.key,
)
def test_measures_of_many_rows_are_the_truth(design: Design) -> None:
    """Also of those that are too high in small samples, as maxima and hulls are."""
    times = 300_000 // sum(design.sizes)
    many: Any = replace(design, sizes=tuple(times * size for size in design.sizes))
    if isinstance(design, Labelled):
        many = replace(many, count=times * design.count)
    truths = design.truths
    assert many.truths == truths
    rows, scores = many.draw(0)
    for name, measure in design.measures.items():
        call = getattr(pr, measure) if isinstance(measure, str) else measure
        # A recall at a precision that is hardly reached settles slowly.
        assert call(rows.labels, scores) == pytest.approx(truths[name], abs=0.015)


def test_hum_of_the_designs_by_another_way() -> None:
    """Scores -(x - i mu)^2 give the own assignment the greatest total where x are in order."""
    marker = VOLUMES[0]
    rows, scores = marker.draw(0)
    squares = -((scores[:, None] - 1.3 * np.arange(3)) ** 2)
    assert pr.hum(rows.labels, squares) == pytest.approx(pr.vus(rows.labels, scores), abs=1e-12)


def test_what_delong_does_not_know_is_drawn() -> None:
    for design in families.ALL:
        drawn = {method.drawn for method in methods_of(design)}
        assert drawn == ({True, False} if design.has_closed_form else {True})
