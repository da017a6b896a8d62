"""Estimators on stratified folds: the folds, the columns, and the protocol on real data."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pytest
from polyroc._bradley.bradley import bradley
from polyroc._bradley.cross_validation import cross_validate_folds
from scipy.sparse import coo_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from given.refusals import refusals

WINE = load_wine(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
MODELS: dict[str, Any] = {"naive Bayes": GaussianNB(), "ridge": RidgeClassifier()}


class Backwards(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with its classes, and columns, in descending order."""

    def fit(self, X: Any, y: Any) -> Backwards:
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_[::-1]
        return self

    def decision_function(self, X: Any) -> Any:
        scores = self.inner_.predict_proba(X)[:, ::-1]
        return scores[:, 1] if len(self.classes_) == 2 else scores


class Forgetful(Backwards):
    """One that leaves out the last class, as if its training rows had none of it."""

    def fit(self, X: Any, y: Any) -> Forgetful:
        keep = y != np.max(y)
        super().fit(X[keep], y[keep])
        return self


class Hopeless(Backwards):
    def fit(self, X: Any, y: Any) -> Hopeless:
        raise RuntimeError("no fit today")


# Folds and scores


def test_scores_are_scikit_learns_on_the_same_folds() -> None:
    X, y = WINE
    found = cross_validate_folds(MODELS, X, y, n_folds=5, seed=3)
    splits = StratifiedKFold(5, shuffle=True, random_state=3)
    expected = {
        "naive Bayes": cross_val_predict(GaussianNB(), X, y, cv=splits, method="predict_proba"),
        "ridge": cross_val_predict(RidgeClassifier(), X, y, cv=splits, method="decision_function"),
    }
    assert len(found) == len(list(found)) == 5
    assert found.seed == 3
    assert found.labels.tolist() == [0, 1, 2]
    for (labels, scores), rows, (_, test) in zip(
        found, found.rows, splits.split(X, y), strict=True
    ):
        assert rows.tolist() == test.tolist()
        assert labels.tolist() == y[test].tolist()
        assert list(scores) == ["naive Bayes", "ridge"]
        for name, matrix in expected.items():
            np.testing.assert_allclose(scores[name], matrix[test], rtol=1e-12)


def test_every_row_is_tested_once_and_every_fold_has_every_class() -> None:
    X, y = WINE
    found = cross_validate_folds(MODELS, X, y, seed=0)
    assert sorted(np.concatenate(found.rows)) == list(range(len(y)))
    assert all(set(labels) == {0, 1, 2} for labels, _ in found)


def test_a_seed_repeats_the_folds_and_none_draws_one() -> None:
    X, y = WINE
    one, other = (cross_validate_folds(MODELS, X, y, n_folds=3) for _ in range(2))
    assert one.seed != other.seed
    again = cross_validate_folds(MODELS, X, y, n_folds=3, seed=one.seed)
    assert [rows.tolist() for rows in again.rows] == [rows.tolist() for rows in one.rows]
    drawn = cross_validate_folds(MODELS, X, y, n_folds=3, seed=np.random.default_rng(1))
    assert drawn.seed is not None
    assert 0 <= drawn.seed < 2**32


def test_estimators_are_left_as_they_were() -> None:
    model = GaussianNB()
    cross_validate_folds({"a": model}, *WINE, n_folds=3, seed=0)
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize(
    "form",
    [np.ndarray.tolist, pd.DataFrame, pl.DataFrame, coo_matrix],
    ids=["lists", "pandas", "polars", "sparse"],
)
def test_rows_in_other_containers(form: Any) -> None:
    X, y = WINE
    models = {"knn": KNeighborsClassifier(), "ridge": RidgeClassifier()}
    plain = cross_validate_folds(models, X, y, n_folds=3, seed=1)
    other = cross_validate_folds(models, form(X), pd.Series(y), n_folds=3, seed=1)
    for (_, scores), (_, expected) in zip(other, plain, strict=True):
        np.testing.assert_allclose(scores["knn"], expected["knn"])


# Columns


def test_columns_follow_the_classes_of_the_estimator() -> None:
    X, y = WINE
    names = np.array(["barolo", "grignolino", "barbera"])[y]
    found = cross_validate_folds({"a": GaussianNB(), "b": Backwards()}, X, names, n_folds=3, seed=0)
    assert found.labels.tolist() == ["barbera", "barolo", "grignolino"]
    for _, scores in found:
        np.testing.assert_array_equal(scores["a"], scores["b"])


def test_a_single_score_of_the_first_class_is_turned() -> None:
    X, y = CANCER
    found = cross_validate_folds({"a": GaussianNB(), "b": Backwards()}, X, y, n_folds=3, seed=0)
    for _, scores in found:
        np.testing.assert_array_equal(scores["b"], -scores["a"][:, 0])
    assert bradley(found).mean.min() > 0.9


value_error, type_error = refusals(cross_validate_folds)


def test_a_class_that_training_lost_is_an_error() -> None:
    lost = (
        r"estimators\['b'\] in fold 0: it knows the classes \[1, 0\] but the rows have "
        r"\[0, 1, 2\], so that its columns cannot be matched; "
    )
    value_error(lost, {"a": GaussianNB(), "b": Forgetful()}, *WINE, n_folds=3)


def test_columns_of_pairs_are_not_taken_for_columns_of_classes() -> None:
    # Three classes have three pairs: the shape alone would not tell.
    for model in (SVC(decision_function_shape="ovo"),
                  make_pipeline(StandardScaler(), SVC(decision_function_shape="ovo"))):  # fmt: skip
        message = (
            r"estimators\['a'\] in fold 0: decision_function gives shape \(\d+, 3\), not a col"
        )
        value_error(message, {"a": model}, *WINE, n_folds=3)
    fine = cross_validate_folds({"a": SVC()}, *WINE, n_folds=3, seed=0)
    assert fine[0][1]["a"].shape[1] == 3


def test_estimators_that_give_no_scores() -> None:
    class Mute(Backwards):
        decision_function = property()

    message = r"estimators\['a'\] in fold 0: a Mute has no predict_proba nor decision_function; "
    type_error(message, {"a": Mute()}, *WINE, n_folds=3)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="notes came with Python 3.11")
def test_an_error_of_an_estimator_stays_what_it_is_and_names_it() -> None:
    with pytest.raises(RuntimeError, match="no fit today") as caught:
        cross_validate_folds({"a": GaussianNB(), "b": Hopeless()}, *WINE, n_folds=3)
    assert caught.value.__notes__ == ["raised by estimators['b'] in fold 0"]


# Bad input


def test_estimators() -> None:
    type_error(r"estimators is a list; pass a dict of them by name$", [GaussianNB()], *WINE)
    value_error(r"estimators is empty; name at least one$", {}, *WINE)
    kind = r"estimators\['a'\] is the class GaussianNB; pass an instance, GaussianNB\(\)$"
    type_error(kind, {"a": GaussianNB}, *WINE)
    type_error(r"estimators\['a'\] is a str, which has no fit; ", {"a": "nb"}, *WINE)


def test_numbers_of_folds() -> None:
    for wrong in (2.5, "10", True):
        type_error(r"n_folds is .*; pass a whole number", MODELS, *WINE, n_folds=wrong)
    value_error(r"n_folds is 1; at least two are needed", MODELS, *WINE, n_folds=1)
    X, y = WINE
    rare = np.where(np.arange(len(y)) < 4, 7, y)
    few = (
        r"class 7 has 4 rows for 10 folds, so that some would be without it; pass n_folds=4 or few"
    )
    value_error(few, MODELS, X, rare)


def test_rows_and_labels() -> None:
    X, y = WINE
    value_error(r"X has 100 rows but y has 178; pass one label per row$", MODELS, X[:100], y)
    type_error(r"X is a int; pass an array or a data frame", MODELS, 5, y)
    gaps = np.where(np.arange(len(y)) == 9, np.nan, y)
    value_error(r"y\[9\] is NaN; drop or label that row first$", MODELS, X, gaps)
    value_error(r"every row of y has the label 0; two classes", MODELS, X, y * 0)
    type_error(r"progress is 'yes'; pass True for a bar", MODELS, X, y, progress="yes")


def test_without_scikit_learn_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    message = r'needs scikit-learn; install it with pip install "polyroc\[sklearn\]"$'
    with pytest.raises(ModuleNotFoundError, match=message):
        cross_validate_folds(MODELS, *WINE)


# Progress


def test_progress_counts_fits(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[tuple[int, int]] = []
    cross_validate_folds(MODELS, *WINE, n_folds=3, progress=lambda *told: seen.append(told))
    assert seen[:6] == [(k, 6) for k in range(1, 7)]
    assert capsys.readouterr().err == ""
    cross_validate_folds(MODELS, *WINE, n_folds=3, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"cross-validation: {k} of 6 fits" for k in (2, 4, 6)]


# The protocol on real data


def scaled(model: Any) -> Any:
    return make_pipeline(StandardScaler(), model)


@pytest.mark.slow
def test_breast_cancer_by_auc() -> None:
    models = {
        "logistic regression": scaled(LogisticRegression()),
        "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
        "ridge": scaled(RidgeClassifier()),
    }
    result = bradley(cross_validate_folds(models, *CANCER, seed=1))
    assert result.values.shape == (10, 3)
    assert sum(result.n_rows or ()) == 569
    assert result.ranking[-1] == "tree"
    assert result.duncan.groups == (("logistic regression", "ridge"), ("tree",))
    assert result.anova.classifiers.p_value is not None
    assert result.anova.classifiers.p_value < 0.001
    # B97 s. 9.3.2: the spread over folds and SE(W) measure the same thing.
    assert result.standard_error_w is not None
    ratio = result.standard_deviation / result.standard_error_w
    assert ((ratio > 0.3) & (ratio < 3)).all()


@pytest.mark.slow
def test_wine_and_digits_by_auc_mu() -> None:
    digits = load_digits(return_X_y=True)
    few = tuple(part[:500] for part in digits)
    for X, y in (WINE, few):
        models = {
            "naive Bayes": GaussianNB(),
            "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
            "neighbours": scaled(KNeighborsClassifier()),
        }
        folds = cross_validate_folds(models, X, y, n_folds=5, seed=2)
        result = bradley(folds, "auc_mu")
        labels, scores = folds[3]
        assert result.values[3, 1] == pr.auc_mu(labels, scores["tree"])
        assert result.anova.error.df == 8
        assert result.ranking[-1] == "tree"
        assert "nan" not in repr(result)


def test_the_same_run_is_equal_and_survives_pickling() -> None:
    one, again = (cross_validate_folds(MODELS, *WINE, n_folds=3, seed=5) for _ in range(2))
    assert one == again == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(again)
    assert one != cross_validate_folds(MODELS, *WINE, n_folds=3, seed=6)
    assert one != list(one)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_scores_as_a_frame_in_the_order_of_rows(library: str) -> None:
    y = WINE[1]
    folds = cross_validate_folds(MODELS, *WINE, n_folds=3, seed=5)
    frame = folds.to_frame(library)
    assert frame["row"].to_list() == list(range(len(y)))
    assert frame["y_true"].to_list() == y.tolist()
    for k, (rows, (_, scores)) in enumerate(zip(folds.rows, folds, strict=True)):
        assert (frame["fold"].to_numpy()[rows] == k).all()
        for name, columns in scores.items():
            for label in range(3):
                found = frame[f"{name}: {label}"].to_numpy()[rows]
                np.testing.assert_array_equal(found, columns[:, label])


def test_single_scores_have_one_column_in_the_frame() -> None:
    folds = cross_validate_folds({"ridge": RidgeClassifier()}, *CANCER, n_folds=3, seed=5)
    assert list(folds.to_frame()) == ["row", "fold", "y_true", "ridge"]
