"""Scorers of estimators with many labels per row."""

from __future__ import annotations

import numpy as np
import polyroc as pr
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier

X, Y = make_multilabel_classification(150, n_classes=3, random_state=1)


def test_columns_and_lists_of_outputs() -> None:
    scorer = pr.scorer(pr.Multilabel("auc"))
    assert repr(scorer) == "scorer(Multilabel('auc'))"
    by_column = OneVsRestClassifier(LogisticRegression()).fit(X, Y)
    expected = roc_auc_score(Y, by_column.predict_proba(X), average="macro")
    assert scorer(by_column, X, Y) == pytest.approx(expected)
    forest = RandomForestClassifier(10, max_depth=3, random_state=1).fit(X, Y)
    scores = np.column_stack([p[:, 1] for p in forest.predict_proba(X)])
    assert scorer(forest, X, Y) == pytest.approx(roc_auc_score(Y, scores, average="macro"))
    weights = np.arange(len(Y)) % 3 + 1
    weighted = roc_auc_score(Y, scores, average="macro", sample_weight=weights)
    assert scorer(forest, X, Y, sample_weight=weights) == pytest.approx(weighted)


def test_folds() -> None:
    model = MultiOutputClassifier(LogisticRegression())
    found = cross_val_score(model, X, Y, scoring=pr.scorer(pr.Multilabel("average_precision")))
    assert (found > 0.5).all()


def test_an_output_that_was_never_one() -> None:
    rare = np.column_stack([Y, np.zeros(len(Y), int)])
    forest = RandomForestClassifier(5, max_depth=2, random_state=1).fit(X, rare)
    rare[0, 3] = 1
    assert 0 < pr.scorer(pr.Multilabel())(forest, X, rare) < 1


def test_other_measures_name_the_way() -> None:
    forest = RandomForestClassifier(5, max_depth=2, random_state=1).fit(X, Y)
    with pytest.raises(TypeError, match=r"has several outputs; .* by pr.Multilabel$"):
        pr.scorer("auc_mu")(forest, X, Y[:, 0])
