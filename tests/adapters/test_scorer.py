"""Measures as scorers of scikit-learn: every measure, every way in, and what a fold may lack."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import polyroc as pr
import pytest
import sklearn
from polyroc._adapters.scikit_learn import Scorer, scorer
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import get_scorer, make_scorer, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from given.refusals import refused

X, Y = load_iris(return_X_y=True)
X2, Y2 = load_breast_cancer(return_X_y=True)
COSTS = [[0, 1, 3], [2, 0, 1], [1, 1, 0]]
MEASURES = [
    pr.HandTill(), pr.HandTill("prevalence"), pr.AucMu(), pr.AucMu(COSTS, ties="exact"),
    pr.OneVsRest(), pr.OneVsRest("prevalence"), pr.OneVsRest("micro"), pr.PolarArea(),
    pr.PolarArea(normalize=True, order="pairs"),
]  # fmt: skip
FOLDS = StratifiedKFold(4, shuffle=True, random_state=3)


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


class Prophet(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Says what it is told: `proba` or `margin`, with `classes` for its columns."""

    def __init__(self, classes: Any, proba: Any = None, margin: Any = None) -> None:
        self.classes, self.proba, self.margin = classes, proba, margin
        self.classes_ = np.asarray(classes)

    def __getattr__(self, name: str) -> Any:
        told = {"predict_proba": "proba", "decision_function": "margin"}.get(name)
        if told is None or self.__dict__.get(told) is None:
            raise AttributeError(name)
        return lambda X: self.__dict__[told]


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_every_measure_scores_every_fold_as_by_hand(measure: Any) -> None:
    found = cross_val_score(
        GaussianNB(), X, Y, cv=FOLDS, scoring=scorer(measure), error_score="raise"
    )
    for (train, test), value in zip(FOLDS.split(X, Y), found, strict=True):
        scores = GaussianNB().fit(X[train], Y[train]).predict_proba(X[test])
        assert value == measure(Y[test], scores)


@pytest.mark.parametrize("measure", [pr.Auc(), pr.Auc(max_fpr=0.2), *MEASURES[:7]], ids=repr)
@pytest.mark.parametrize("model", [GaussianNB(), RidgeClassifier()], ids=["proba", "margin"])
def test_two_classes_by_probabilities_and_by_margins(measure: Any, model: Any) -> None:
    if getattr(measure, "partition", None) is not None:
        measure = pr.AucMu([[0, 1], [2, 0]])
    model.fit(X2, Y2)
    value = scorer(measure)(model, X2, Y2)
    assert type(value) is float
    margin = hasattr(model, "decision_function")
    scores = model.decision_function(X2) if margin else model.predict_proba(X2)
    if margin and measure == pr.OneVsRest("micro"):
        scores = np.column_stack([-scores, scores])
    assert value == measure(Y2, scores)


def test_agrees_with_the_scorers_of_scikit_learn() -> None:
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
    for name, theirs in (("hand_till", "roc_auc_ovo"), ("one_vs_rest", "roc_auc_ovr")):
        assert scorer(name)(model, X, Y) == pytest.approx(get_scorer(theirs)(model, X, Y))
    binary = make_pipeline(StandardScaler(), SVC()).fit(X2, Y2)
    expected = get_scorer("roc_auc")(binary, X2, Y2)
    assert scorer("auc")(binary, X2, Y2) == pytest.approx(expected)


@pytest.mark.slow
def test_grid_search_refits_and_scores_inside_a_pipeline() -> None:
    model = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": [0.001, 1.0]}
    search = GridSearchCV(model, grid, scoring=scorer("auc_mu"), cv=FOLDS, error_score="raise")
    search = clone(search).fit(X, Y)
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    assert search.score(X, Y) == pr.auc_mu(Y, search.predict_proba(X))
    assert scorer("auc_mu")(search, X, Y) == search.score(X, Y)
    several = GridSearchCV(
        model, grid, scoring={"M": scorer("hand_till"), "mu": scorer()}, refit="M", cv=FOLDS
    ).fit(X, Y)
    assert several.best_score_ == several.cv_results_["mean_test_M"].max()


def test_several_scorers_at_once_beside_scikit_learns() -> None:
    scoring = {"mu": scorer(), "M": scorer("hand_till"), "sk": "roc_auc_ovo"}
    found = cross_validate(GaussianNB(), X, Y, scoring=scoring, cv=FOLDS, error_score="raise")
    np.testing.assert_allclose(found["test_M"], found["test_sk"])
    assert (found["test_mu"] > 0.9).all()


@pytest.mark.slow
def test_worker_processes_give_the_same_scores() -> None:
    options = {"scoring": scorer("auc_mu", n_threads=1), "cv": FOLDS, "error_score": "raise"}
    here = cross_val_score(GaussianNB(), X, Y, **options)
    np.testing.assert_array_equal(cross_val_score(GaussianNB(), X, Y, n_jobs=2, **options), here)


def test_columns_follow_the_estimator_not_the_fold() -> None:
    # Columns c, a, b: by sorted labels every row would be scored by another class's column.
    proba = np.array([[8, 1, 1], [1, 7, 2], [2, 1, 7], [6, 3, 1], [1, 8, 1], [1, 3, 6]]) / 10
    y = np.array(["c", "a", "b"] * 2)
    model = Prophet(["c", "a", "b"], proba)
    assert scorer("hand_till")(model, X, y) == 1.0
    assert pr.hand_till(y, proba) < 0.5


def test_a_class_that_the_fold_lacks() -> None:
    model = GaussianNB().fit(X, Y)
    rows = Y != 1
    absent = r'^no row has the label 1; pass absent="skip"'
    refused(ValueError, absent, lambda: scorer("hand_till")(model, X[rows], Y[rows]))
    value = scorer("hand_till", absent="skip")(model, X[rows], Y[rows])
    scores = model.predict_proba(X[rows])
    assert value == pr.hand_till(Y[rows] // 2, scores[:, [0, 2]])
    # The two columns left do not sum to 1: taking them for a binary problem is another number.
    assert value == pr.hand_till(Y[rows], scores, labels=[0, 1, 2], absent="skip")


@pytest.mark.parametrize("absent", ["raise", "skip"])
def test_a_class_that_training_lacked(absent: Any) -> None:
    model = GaussianNB().fit(X[Y != 2], Y[Y != 2])
    unseen = r"^y\[100\] is 2, which the estimator never saw in training, .*\[0, 1\]\. .*Stratified"
    refused(ValueError, unseen, lambda: scorer("hand_till", absent=absent)(model, X, Y))


def test_a_fold_that_cannot_be_scored_is_nan_and_never_a_number() -> None:
    # Rows in order of class and no shuffling: each fold holds the class that training lacks.
    with pytest.warns(UserWarning, match="never saw in training"):
        found = cross_val_score(GaussianNB(), X, Y, cv=KFold(3), scoring=scorer())
    assert np.isnan(found).all()


def test_labels_of_another_type_than_the_classes() -> None:
    model = GaussianNB().fit(X, Y)
    refused(
        ValueError,
        r"^y\[0\] is '0' but the estimator knows 0, of another type; make both one type",
        lambda: scorer()(model, X, Y.astype(str)),
    )


def test_training_on_one_class() -> None:
    model = DecisionTreeClassifier().fit(X[:50], Y[:50])
    alone = r"^DecisionTreeClassifier saw the class 0 alone in training; "
    refused(ValueError, alone, lambda: scorer()(model, X[:50], Y[:50]))


def test_columns_that_are_pairs_of_classes() -> None:
    # Three classes have three pairs: only the option tells these columns from those of classes.
    machine = SVC(decision_function_shape="ovo")
    pairs = (
        r"^\w+\.decision_function gives 3 columns that do not stand for its 3 classes; .*\"ovr\""
    )
    for model in (
        machine,
        make_pipeline(StandardScaler(), machine),
        GridSearchCV(make_pipeline(StandardScaler(), machine), {"svc__C": [1.0]}, cv=2),
    ):
        model.fit(X, Y)
        refused(ValueError, pairs, lambda model=model: scorer()(model, X, Y))
    assert scorer("hand_till")(SVC().fit(X, Y), X, Y) > 0.9
    four = Prophet([0, 1, 2, 3], margin=np.zeros((4, 6)))
    refused(ValueError, r"^Prophet\.decision_function gives 6 ", lambda: scorer()(four, X, [0] * 4))


def test_estimators_without_scores_or_classes() -> None:
    silent = r"^Prophet has no predict_proba and no decision_function; pass a classifier"
    refused(TypeError, silent, lambda: scorer()(Prophet([0, 1]), X, Y))
    margins = Prophet([0, 1], margin=np.arange(4.0))
    only = r"^Prophet has no predict_proba; "
    proba = scorer(response_method="predict_proba")
    refused(TypeError, only, lambda: proba(margins, X, [0, 1, 0, 1]))
    several = Prophet([0, 1], proba=[np.zeros((4, 2))] * 2)
    refused(TypeError, r"^Prophet has several outputs; ", lambda: scorer()(several, X, [0, 1] * 2))
    nameless = Prophet([0, 1], proba=np.zeros((4, 2)))
    del nameless.classes_
    refused(TypeError, r"^Prophet has no classes_, ", lambda: scorer()(nameless, X, [0, 1] * 2))


def test_response_methods() -> None:
    part = X[:, :2]
    model = LinearDiscriminantAnalysis().fit(part, Y)
    proba, margin = model.predict_proba(part), model.decision_function(part)
    assert pr.auc_mu(Y, proba) != pr.auc_mu(Y, margin)
    assert scorer()(model, part, Y) == pr.auc_mu(Y, proba)
    by_margin = scorer(response_method="decision_function")
    assert by_margin(model, part, Y) == pr.auc_mu(Y, margin)


def test_sample_weights() -> None:
    model = GaussianNB().fit(X, Y)
    weight = np.random.default_rng(5).integers(0, 4, len(Y))
    scores = model.predict_proba(X)
    expected = pr.auc_mu(Y, scores, sample_weight=weight)
    assert expected != pr.auc_mu(Y, scores)
    assert scorer()(model, X, Y, sample_weight=weight) == expected


@pytest.mark.usefixtures("routing")
def test_sample_weights_are_routed_on_request() -> None:
    weight = np.random.default_rng(5).integers(1, 4, len(Y)).astype(float)
    options: dict[str, Any] = {"cv": FOLDS, "error_score": "raise"}
    model = GaussianNB().set_fit_request(sample_weight=False)

    def scores(scoring: Any, **params: Any) -> Any:
        return cross_val_score(model, X, Y, scoring=scoring, params=params, **options)

    weighted = scores(scorer().set_score_request(sample_weight=True), sample_weight=weight)
    proba = cross_val_predict(GaussianNB(), X, Y, cv=FOLDS, method="predict_proba")
    for (_, test), value in zip(FOLDS.split(X, Y), weighted, strict=True):
        assert value == pr.auc_mu(Y[test], proba[test], sample_weight=weight[test])
    renamed = scorer().set_score_request(sample_weight="w")
    np.testing.assert_array_equal(scores(renamed, w=weight), weighted)
    without = scorer().set_score_request(sample_weight=False)
    with pytest.raises(TypeError, match="not routed to any object"):
        scores(without, sample_weight=weight)
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
        scores(scorer(), sample_weight=weight)
    search = GridSearchCV(
        model, {"var_smoothing": [1e-9, 1e-2]}, cv=FOLDS,
        scoring={"mu": scorer().set_score_request(sample_weight=True)}, refit="mu",
    ).fit(X, Y, sample_weight=weight)  # fmt: skip
    assert search.cv_results_["mean_test_mu"][0] == pytest.approx(weighted.mean())


def test_several_scorers_share_weights_without_routing() -> None:
    model = GaussianNB().fit(X, Y)
    search = GridSearchCV(model, {}, scoring={"a": scorer(), "b": scorer("hand_till")}, refit="a")
    assert search.fit(X, Y).best_score_ > 0.9
    shared = sklearn.metrics.check_scoring(model, scoring={"a": scorer()})
    weight = np.arange(1.0, 151)
    expected = pr.auc_mu(Y, model.predict_proba(X), sample_weight=weight)
    assert shared(model, X, Y, sample_weight=weight) == {"a": expected}


def test_scorers_are_values() -> None:
    every: list[Scorer] = [
        scorer(), scorer("hand_till"), scorer(absent="skip"), scorer(n_threads=1),
        scorer(response_method="decision_function"), scorer(pr.AucMu(COSTS)),
        scorer().set_score_request(sample_weight=True),
        scorer().set_score_request(sample_weight="w"),
    ]  # fmt: skip
    assert len(set(every)) == len(every)
    for one in every:
        for again in (copy.deepcopy(one), pickle.loads(pickle.dumps(one)), clone(one, safe=False)):
            assert again == one
            assert hash(again) == hash(one)
        names = {"scorer": scorer, **{kind: getattr(pr, kind) for kind in ("AucMu", "HandTill")}}
        assert eval(repr(one), names) == one
    assert scorer("auc_mu", absent="skip") == scorer(pr.AucMu(absent="skip"))
    assert repr(scorer()) == "scorer(AucMu())"
    with pytest.raises(AttributeError):
        scorer().measure = pr.HandTill()  # type: ignore[misc]
    # The plain route through scikit-learn's own maker goes on working.
    theirs = make_scorer(pr.HandTill(), response_method="predict_proba")
    model = GaussianNB().fit(X, Y)
    assert theirs(model, X, Y) == scorer("hand_till")(model, X, Y)


def test_bad_options() -> None:
    loose: Any = scorer
    refused(ValueError, r"^measure is 'ovo'; choose one of 'auc', ", lambda: loose("ovo"))
    refused(TypeError, r"^measure is a function; pass a name or a", lambda: loose(roc_auc_score))
    refused(TypeError, r"^auc has no option 'absent'; it has max_fpr$",
            lambda: loose("auc", absent="skip"))  # fmt: skip
    refused(TypeError, r"^kolmogorov_smirnov has no option 'average'; it has no options$",
            lambda: loose("kolmogorov_smirnov", average="macro"))  # fmt: skip
    own = r"^absent: options go with a measure given by name; give them to AucMu\(\.\.\.\) itself$"
    refused(TypeError, own, lambda: loose(pr.AucMu(), absent="skip"))
    one = r"^average=None gives one value per class, and a score is one number; choose "
    three = one + r"'macro', 'prevalence' or 'micro'$"
    refused(ValueError, three, lambda: loose("one_vs_rest", average=None))
    two = one + r"'macro' or 'prevalence'$"
    refused(ValueError, two, lambda: loose(pr.AveragePrecision(None)))
    refused(ValueError, one + r"'macro'$", lambda: loose(pr.Pdi(average=None)))
    method = r"^response_method is 'predict'; choose one of 'auto', "
    refused(ValueError, method, lambda: loose(response_method="predict"))
    refused(ValueError, r"^n_threads is 0; pass a whole number", lambda: loose(n_threads=0))
    request = r"^sample_weight is 1; pass True, False, None or a name$"
    refused(TypeError, request, lambda: loose().set_score_request(sample_weight=1))


def test_scoring_does_not_import_scikit_learn() -> None:
    code = """
import sys
from polyroc._adapters.scikit_learn import scorer
class Model:
    classes_ = [0, 1]
    def predict_proba(self, X):
        return [[.9, .1], [.2, .8]]
assert scorer("auc")(Model(), None, [0, 1]) == 1.0
assert "sklearn" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)
