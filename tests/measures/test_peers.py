"""The same numbers as scikit-learn and scipy, where they offer the measure at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from scipy.stats import mannwhitneyu
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

CLOSE: dict[str, Any] = {"rel": 0, "abs": 1e-12}  # scikit-learn sums trapezoids in float64
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
    "neighbours": KNeighborsClassifier(7),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}
AVERAGES: Any = [("macro", "macro"), ("prevalence", "weighted"), ("micro", "micro")]
SETS = {"iris": load_iris, "wine": load_wine, "digits": load_digits}


def predictions(load: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    X, y = load(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=1, stratify=y)
    return y_test, MODELS[name].fit(X, y).predict_proba(X_test)


@pytest.mark.parametrize("name", MODELS)
def test_binary(name: str) -> None:
    y, P = predictions(load_breast_cancer, name)
    w = np.random.default_rng(0).exponential(size=len(y))
    s = P[:, 1]
    assert pr.auc(y, s) == pytest.approx(roc_auc_score(y, s), **CLOSE)
    weighted = roc_auc_score(y, s, sample_weight=w)
    assert pr.auc(y, s, sample_weight=w) == pytest.approx(weighted, **CLOSE)
    assert pr.auc(y, P, sample_weight=w) == pytest.approx(weighted, **CLOSE)
    for f in (0.01, 0.1, 0.5, 1.0):
        for weights in (None, w):
            expected = roc_auc_score(y, s, max_fpr=f, sample_weight=weights)
            found = pr.auc(y, s, max_fpr=f, sample_weight=weights)
            assert found == pytest.approx(expected, **CLOSE)
    u = mannwhitneyu(s[y == 1], s[y == 0]).statistic
    assert pr.auc(y, s) == u / ((y == 1).sum() * (y == 0).sum())


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("data", SETS)
def test_multi_class(data: str, name: str) -> None:
    y, P = predictions(SETS[data], name)
    n = np.bincount(y)
    ovo = roc_auc_score(y, P, multi_class="ovo")
    assert pr.hand_till(y, P) == pytest.approx(ovo, **CLOSE)
    # scikit-learn's "weighted" weighs a pair by the rows it has, which is not KP19 Eq. 5.
    ovo = roc_auc_score(y, P, multi_class="ovo", average="weighted")
    assert pr.hand_till(y, P, pair_weights=n[:, None] + n) == pytest.approx(ovo, **CLOSE)
    w = np.random.default_rng(1).integers(1, 9, size=len(y)) / 8
    for average, theirs in AVERAGES:
        for weights in (None, w):
            ovr = roc_auc_score(y, P, multi_class="ovr", average=theirs, sample_weight=weights)
            found = pr.one_vs_rest(y, P, average=average, sample_weight=weights)
            assert found == pytest.approx(ovr, **CLOSE)
    each = roc_auc_score(y, P, multi_class="ovr", average=None)
    np.testing.assert_allclose(pr.one_vs_rest(y, P, average=None), each, rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("data", SETS)
def test_pair_by_pair(data: str) -> None:
    y, P = predictions(SETS[data], "neighbours")
    w = np.random.default_rng(2).exponential(size=len(y))
    A = pr.pairwise(y, P, kind="conditional", sample_weight=w)
    # Votes of seven as integers: scikit-learn then sees AUC-mu's projected ties as they are.
    votes = np.rint(7 * P)
    S = pr.pairwise(y, P, kind="auc_mu", sample_weight=w)
    for i in range(P.shape[1]):
        for j in range(P.shape[1]):
            if i != j:
                rows = (y == i) | (y == j)
                here = {"y_true": y[rows] == i, "sample_weight": w[rows]}
                column = roc_auc_score(y_score=P[rows, i], **here)
                assert A[i, j] == pytest.approx(column, **CLOSE)
                projected = roc_auc_score(y_score=votes[rows, i] - votes[rows, j], **here)
                assert S[i, j] == pytest.approx(projected, **CLOSE)


def test_labels_that_are_text() -> None:
    y, P = predictions(load_wine, "bayes")
    names = np.array(["barbera", "grignolino", "barolo"])[y]
    order = ["barbera", "grignolino", "barolo"]
    assert pr.hand_till(names, P, labels=order) == pr.hand_till(y, P)
    # Sorted, the names put the columns in another order, which must then be the scores' order.
    by_name = np.argsort(order)
    expected = roc_auc_score(names, P[:, by_name], multi_class="ovo")
    assert pr.hand_till(names, P[:, by_name]) == pytest.approx(expected, **CLOSE)
