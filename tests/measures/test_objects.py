"""Measure objects as values: their options, equality, copies and how they print."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.measure_objects import NEEDING, OBJECTS

COSTS = [[0, 1, 4], [2, 0, 1], [1, 1, 0]]
VARIANTS = [
    pr.HMeasure(), pr.HMeasure("r"), pr.HMeasure((1, 3)), pr.HMeasure(severity_ratio=0.1),
    pr.HullArea(), pr.Auc(), pr.Auc(max_fpr=0.1), pr.KolmogorovSmirnov(), pr.AveragePrecision(),
    pr.AveragePrecision(None), pr.HandTill(), pr.HandTill("prevalence"),
    pr.HandTill(COSTS, absent="skip"), pr.AucMu(), pr.AucMu(COSTS), pr.AucMu(pair_weights=COSTS),
    pr.AucMu(ties="exact"), pr.AucMu(COSTS, "prevalence", absent="skip"), pr.OneVsRest(),
    pr.OneVsRest("prevalence"), pr.OneVsRest("micro"), pr.OneVsRest(None), pr.PolarArea(),
    pr.PolarArea(normalize=True), pr.PolarArea(order="pairs"),
    pr.PolarArea(order=[("a", "b"), ("b", "c"), ("a", "c")]), pr.ProportionCorrect(),
    pr.ProportionCorrect(pairs=True), pr.ExpectedCorrect(), pr.ExpectedCorrect(threshold=(2, 5)),
    pr.ExpectedCorrect(screened=0.1), pr.ExpectedCorrect(screened=(1, 9)),
    pr.Vus(), pr.Vus("skip"), pr.Hum(),
    pr.Hum(ties="exact"), pr.Hum(n_tuples=100, seed=1), pr.Pdi(), pr.Pdi(None),
    pr.PartialAuc(fpr=(0, 0.1)),
    pr.PartialAuc(tpr=(0.9, 1)), pr.PartialAuc(fpr=(0, 0.1), standardize=True),
    pr.PartialAuc(fpr=(0, 0.1), pairs="auc_mu", absent="skip"), pr.TprAt(0.1), pr.TprAt(0.2),
    pr.FprAt(0.1), pr.RecallAt(0.1),
]  # fmt: skip


@pytest.mark.parametrize("name", NEEDING)
def test_objects_that_need_an_option(name: str) -> None:
    measure, options = NEEDING[name]
    assert measure.name == name
    parameters = inspect.signature(type(measure)).parameters.values()
    assert {p.name: p.default for p in parameters} == options


@pytest.mark.parametrize("name", OBJECTS)
def test_objects(name: str) -> None:
    cls, options = OBJECTS[name]
    measure = cls()
    assert measure.name == name
    parameters = inspect.signature(cls).parameters.values()
    assert {p.name: p.default for p in parameters} == options
    call = list(inspect.signature(measure).parameters.values())
    names = ["y_true", "y_score", "labels", "pos_label", "sample_weight", "n_threads"]
    assert [p.name for p in call] == names
    assert all(p.kind is p.KEYWORD_ONLY for p in call[2:])
    for option, default in options.items():
        assert getattr(measure, option) == default
        with pytest.raises(AttributeError):
            setattr(measure, option, default)
    with pytest.raises(AttributeError):
        measure.other = 1


def test_objects_are_values() -> None:
    for a, one in enumerate(VARIANTS):
        for b, other in enumerate(VARIANTS):
            assert (one == other) == (a == b)
        assert one != one.name
    assert len(set(VARIANTS)) == len(VARIANTS)
    assert len({hash(one) for one in VARIANTS}) == len(VARIANTS)


@pytest.mark.parametrize("measure", VARIANTS, ids=repr)
def test_copies_are_equal(measure: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(measure, protocol))
        assert again == measure
        assert hash(again) == hash(measure)
        assert repr(again) == repr(measure)
    assert copy.copy(measure) == measure
    assert copy.deepcopy(measure) == measure


@pytest.mark.parametrize("measure", VARIANTS, ids=repr)
def test_reprs_build_the_object(measure: Any) -> None:
    names = {cls.__name__: cls for cls, _ in OBJECTS.values()}
    names |= {type(one).__name__: type(one) for one, _ in NEEDING.values()}
    assert eval(repr(measure), names) == measure


def test_equal_options_make_equal_objects() -> None:
    forms: list[Any] = [
        COSTS,
        np.array(COSTS),
        np.array(COSTS, np.float32),
        tuple(map(tuple, COSTS)),
    ]
    assert len({pr.AucMu(partition=form) for form in forms}) == 1
    assert len({pr.HandTill(pair_weights=form) for form in forms}) == 1
    assert pr.Auc(max_fpr=np.float64(0.5)) == pr.Auc(max_fpr=0.5)
    # -0.0 is the cost 0.
    assert pr.AucMu([[-0.0, 1.0], [1.0, 0.0]]) == pr.AucMu([[0, 1], [1, 0]])


def test_objects_keep_their_own_copy() -> None:
    costs = np.array(COSTS, dtype=float)
    measure = pr.AucMu(partition=costs, pair_weights=costs)
    before = repr(measure), hash(measure)
    costs[0, 1] = 99.0
    assert (repr(measure), hash(measure)) == before
    matrix: Any
    for matrix in (measure.partition, measure.pair_weights):
        with pytest.raises(ValueError, match="read-only"):
            matrix[0, 1] = 2.0


def test_large_options_print_shortly() -> None:
    costs = np.ones((200, 200)) - np.eye(200)
    assert len(repr(pr.AucMu(partition=costs))) < 200


def test_objects_serve_as_metrics_of_scikit_learn() -> None:
    from sklearn.datasets import load_iris
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import cross_val_score
    from sklearn.naive_bayes import GaussianNB

    X, y = load_iris(return_X_y=True)
    scorer = make_scorer(pr.AucMu(), response_method="predict_proba")
    assert "auc_mu" in repr(scorer)
    assert (cross_val_score(GaussianNB(), X, y, scoring=scorer) > 0.9).all()
