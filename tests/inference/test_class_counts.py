"""Whether class counts vary, where nobody says: what the measure is decides, and results say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest

RNG = np.random.default_rng(12)
Y = np.repeat([0, 1, 2], [30, 40, 50])
P = RNG.random((120, 3)) + 0.6 * np.eye(3)[Y]
TWO = np.repeat([0, 1], [50, 70])
S = RNG.normal(size=120) + TWO
BOTH = np.column_stack([RNG.normal(size=120) - TWO, S])

ENTER = [
    pr.OneVsRest("prevalence"), pr.OneVsRest("micro"), pr.OneVsRest(), pr.OneVsRest(None),
    pr.HandTill("prevalence"), pr.AucMu(pair_weights="prevalence"), pr.AveragePrecision(),
    pr.AveragePrecision(None), pr.AveragePrecision("prevalence"),
]  # fmt: skip
DO_NOT = [
    pr.HandTill(), pr.AucMu(), pr.PolarArea(), pr.HandTill(1 - np.eye(3)),
    pr.AucMu(pair_weights=np.arange(9).reshape(3, 3) * (1 - np.eye(3))),
]  # fmt: skip


def varies(y: Any, scores: Any, measure: Any, **options: Any) -> bool:
    """Tell whether counts vary by default, which every way of asking must agree on."""
    drawn = pr.bootstrap(y, scores, measure, n_resamples=20, seed=1, method="normal", **options)
    answers = {not drawn.stratified}
    if measure.has_influence:
        answers.add(not pr.delong(y, scores, measure, **options).stratified)
    if measure.is_single:
        models = {"a": scores, "b": np.sqrt(abs(scores))}
        run: dict[str, Any] = {"method": "bootstrap", "n_resamples": 20, "seed": 1, **options}
        answers.add(not pr.compare(y, models, measure, **run).stratified)
    (answer,) = answers
    return answer


@pytest.mark.parametrize("measure", ENTER, ids=repr)
def test_counts_vary_where_they_enter(measure: Any) -> None:
    assert varies(Y, P, measure)
    assert not varies(Y, P, measure, stratify=True)


@pytest.mark.parametrize("measure", DO_NOT, ids=repr)
def test_counts_are_fixed_where_they_do_not(measure: Any) -> None:
    assert not varies(Y, P, measure)
    assert varies(Y, P, measure, stratify=False)


def test_counts_of_two_classes() -> None:
    for measure in (pr.Auc(), pr.Auc(max_fpr=0.3), pr.KolmogorovSmirnov(), pr.HandTill(),
                    pr.OneVsRest(), pr.OneVsRest("prevalence"), pr.HandTill("prevalence"),
                    pr.AucMu(pair_weights="prevalence")):  # fmt: skip
        assert not varies(TWO, S, measure)
    for measure in (pr.OneVsRest(), pr.OneVsRest(None), pr.HandTill("prevalence")):
        assert not varies(TWO, BOTH, measure)
    assert varies(TWO, S, pr.AveragePrecision())
    for average in ("prevalence", "micro"):
        assert varies(TWO, BOTH, pr.OneVsRest(average))


def test_classes_without_rows_do_not_count() -> None:
    wide = np.column_stack([BOTH, RNG.random(120)])
    options: dict[str, Any] = {"labels": [0, 1, 2]}
    assert not varies(TWO, wide, pr.OneVsRest(absent="skip"), **options)
    assert not varies(TWO, wide, pr.HandTill("prevalence", "skip"), **options)
    assert varies(TWO, wide, pr.OneVsRest("prevalence", "skip"), **options)


def test_a_list_is_resampled_one_way() -> None:
    listed = pr.bootstrap(Y, P, ["hand_till", "one_vs_rest"], n_resamples=50, seed=1)
    alone = pr.bootstrap(Y, P, "hand_till", n_resamples=50, seed=1, stratify=False)
    assert not listed["hand_till"].stratified
    assert listed["hand_till"].replicates.tolist() == alone.replicates.tolist()
    assert "not stratified, as class counts enter one_vs_rest, seed 1" in repr(listed)
    both = pr.delong(Y, P, ["hand_till", "one_vs_rest"])
    assert repr(both).endswith("  120 rows, class counts vary, as they enter one_vs_rest")
    assert both["hand_till"].to_dict()["counted_in"] == "one_vs_rest"


def test_the_result_says_why() -> None:
    measure = pr.OneVsRest("prevalence")
    name = "OneVsRest(average='prevalence')"
    assert pr.delong(Y, P, measure).counted_in == name
    drawn = pr.bootstrap(Y, P, measure, n_resamples=50, seed=1)
    assert drawn.counted_in == drawn.to_dict()["counted_in"] == name
    c = pr.compare(Y, {"a": P, "b": P**2}, measure)
    assert c.to_dict()["counted_in"] == name
    assert f"  class counts vary, as they enter {name}" in repr(c).splitlines()


def test_other_reasons_are_not_told_as_this_one() -> None:
    measure = pr.OneVsRest("prevalence")
    for options in ({"stratify": False}, {"groups": np.arange(120) // 2}, {"stratify": True}):
        assert pr.delong(Y, P, measure, **options).counted_in == ""
        assert "enter" not in repr(pr.compare(Y, {"a": P, "b": P**2}, measure, **options))
    poisson = pr.bootstrap(Y, P, measure, n_resamples=50, seed=1, scheme="poisson")
    assert poisson.counted_in == ""


@pytest.mark.slow
def test_random_counts_are_covered() -> None:
    """Where counts enter, fixing them hides spread: here 93 % in the place of 96 %."""
    rng = np.random.default_rng(5)
    measure, shift = pr.OneVsRest("prevalence"), np.array([0.2, 1.0, 3.0])

    def drawn(n: int) -> tuple[Any, Any]:
        y = rng.choice(3, size=n, p=[0.4, 0.3, 0.3])
        return y, rng.normal(size=(n, 3)) + shift[y, np.newaxis] * np.eye(3)[y]

    truth = measure(*drawn(400_000))
    hits = {None: 0, True: 0}
    for _ in range(600):
        y, P = drawn(150)
        for stratify in hits:
            low, high = pr.delong(y, P, measure, stratify=stratify, n_threads=1).interval
            hits[stratify] += low <= truth <= high
    assert hits[None] >= 0.925 * 600
    assert hits[True] < hits[None] - 10
