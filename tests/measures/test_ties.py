"""Ties of projected scores: what exact arithmetic ties is tied, and dense data are not merged."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from oracle import fast_oracle

SETS = {"iris": load_iris, "wine": load_wine, "digits": load_digits}


def halves(data: str) -> list[Any]:
    X, y = SETS[data](return_X_y=True)
    return list(train_test_split(X, y, test_size=0.5, random_state=3, stratify=y))


def exact_auc_mu(exact: np.ndarray, y: np.ndarray, A: list[list[Fraction]] | None = None) -> float:
    """AUC-mu of rational scores: projected, compared and averaged without any rounding."""
    K = exact.shape[1]
    total = Fraction(0)
    for i, j in itertools.combinations(range(K), 2):
        rows = (y == i) | (y == j)
        if A is None:
            s = exact[rows, i] - exact[rows, j]
        else:
            s = exact[rows] @ np.array([A[j][k] - A[i][k] for k in range(K)], dtype=object)
        rank = {v: r for r, v in enumerate(sorted(set(s)))}
        order = np.array([rank[v] for v in s])
        of = y[rows]
        total += fast_oracle.auc(order[of == i], order[of == j])
    return float(total / (K * (K - 1) // 2))


def costs(K: int) -> list[list[Fraction]]:
    """Costs in tenths and thirds, none of them a float64."""
    return [
        [Fraction(0) if i == k else Fraction(1 + (3 * i + 5 * k) % 7, 10 if i < k else 3)
         for k in range(K)]
        for i in range(K)
    ]  # fmt: skip


@pytest.mark.parametrize("k", [3, 5, 7, 10, 49])
@pytest.mark.parametrize("data", SETS)
def test_neighbours(data: str, k: int) -> None:
    X, X_test, y, y_test = halves(data)
    P = KNeighborsClassifier(k).fit(X, y).predict_proba(X_test)
    votes = np.vectorize(int, otypes=[object])(np.rint(k * P))
    expected = exact_auc_mu(votes, y_test)
    for dtype in (np.float64, np.float32):
        assert pr.auc_mu(y_test, P.astype(dtype)) == pytest.approx(expected, abs=1e-15)
    # Integers need no rule.
    assert pr.auc_mu(y_test, votes.astype(int)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("k", [3, 10])
@pytest.mark.parametrize("data", ["iris", "wine"])
def test_neighbours_with_costs(data: str, k: int) -> None:
    X, X_test, y, y_test = halves(data)
    P = KNeighborsClassifier(k).fit(X, y).predict_proba(X_test)
    votes = np.vectorize(int, otypes=[object])(np.rint(k * P))
    A = costs(P.shape[1])
    expected = exact_auc_mu(votes, y_test, A)
    for dtype in (np.float64, np.float32):
        found = pr.auc_mu(y_test, P.astype(dtype), partition=[[float(a) for a in r] for r in A])
        assert found == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("depth", [2, 4, 6])
@pytest.mark.parametrize("data", SETS)
def test_trees(data: str, depth: int) -> None:
    X, X_test, y, y_test = halves(data)
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
    leaf = tree.apply(X_test)
    size = tree.tree_.n_node_samples[leaf]
    P = tree.predict_proba(X_test)
    counts = np.rint(P * size[:, None])
    assert np.abs(P * size[:, None] - counts).max() < 1e-9
    exact = np.array(
        [[Fraction(int(v), int(n)) for v in row] for row, n in zip(counts, size, strict=True)]
    )
    expected = exact_auc_mu(exact, y_test)
    for dtype in (np.float64, np.float32):
        assert pr.auc_mu(y_test, P.astype(dtype)) == pytest.approx(expected, abs=1e-15)


def test_plain_differences_lose_ties() -> None:
    # Why there is a rule: 0.3 - 0.2 and 0.2 - 0.1 are both one tenth, but for rounding.
    P = np.array([[0.3, 0.2, 0.5], [0.2, 0.1, 0.7], [0.0, 0.0, 1.0]])
    y = [0, 1, 2]
    assert 0.3 - 0.2 != 0.2 - 0.1
    assert pr.pairwise(y, P, kind="auc_mu")[0, 1] == 0.5
    assert pr.pairwise(y, P, kind="auc_mu", ties="exact")[0, 1] in (0.0, 1.0)
    tied = pr.pairwise(y, P, kind="auc_mu", return_ties=True)[1]
    assert tied[0, 1] == 1.0
    assert tied[0, 2] == 0.0


def softmax(z: np.ndarray) -> np.ndarray:
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def confident(n: int, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits so spread out that most float32 scores crowd near 0 and 1."""
    rng = np.random.default_rng([n, K])
    c = rng.integers(0, K, n)
    z = 8 * rng.standard_normal((n, K))
    z[np.arange(n), c] += 8
    return c, softmax(z.astype(np.float32))


@pytest.mark.parametrize("n", [2_000, 300_000])
def test_dense_scores_are_not_merged(n: int) -> None:
    c, P = confident(n, 3)
    expected = fast_oracle.separation(P, c, 3, 2.0**-24)
    np.testing.assert_array_equal(pr.pairwise(c, P, kind="auc_mu"), expected)
    # Scores that differ by less than rounding do tie, but no chain of them may swallow the rest.
    exact = pr.auc_mu(c, P, ties="exact")
    assert pr.auc_mu(c, P) == pytest.approx(exact, abs=1e-3)


def test_a_chain_without_limit_would_merge() -> None:
    # The sample of the test above is one where linking alone goes wrong.
    c, P = confident(300_000, 3)
    rows = c < 2
    p, q = P[rows, 0].astype(float), P[rows, 1].astype(float)
    s, m = q - p, np.abs(p) + np.abs(q)
    order = np.argsort(s)
    near = np.diff(s[order]) <= 2 * 2.0**-24 * (m[order][1:] + m[order][:-1])
    group = np.empty(len(s), dtype=int)
    group[order] = np.concatenate([[0], np.cumsum(~near)])
    of = c[rows]
    merged = float(fast_oracle.auc(group[of == 1], group[of == 0]))
    assert abs(merged - pr.pairwise(c, P, kind="auc_mu")[0, 1]) > 1e-3


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_neighbouring_floats_on_a_grid(dtype: type) -> None:
    # A whole grid of neighbouring floats is dense data: every value stands for itself.
    ulp = np.finfo(dtype).eps
    steps = np.arange(40) * ulp
    P: np.ndarray = np.stack([1 + steps, np.zeros(40), np.ones(40)], axis=1).astype(dtype)
    c = np.arange(40) % 2
    expected = fast_oracle.auc(P[c == 0, 0], P[c == 1, 0])
    assert pr.pairwise([*c, 2], [*P.tolist(), [0, 0, 0]], kind="auc_mu", ties="exact")[0, 1] == (
        float(expected)
    )
    P = np.concatenate([P, np.zeros((1, 3), dtype)])
    assert pr.pairwise([*c, 2], P, kind="auc_mu")[0, 1] == float(expected)


def test_signs_do_not_tie() -> None:
    # p_0 - p_1 of +1e-17, 0 and -1e-17 beside scores of size 1e-17: three different numbers.
    P = np.array([[2e-17, 1e-17, 1.0], [1e-17, 1e-17, 1.0], [1e-17, 2e-17, 1.0]])
    values = pr.pairwise([0, 1, 1, 2], [*P, [0, 0, 1]], kind="auc_mu")
    assert values[0, 1] == 1.0
    values = pr.pairwise([1, 0, 1, 2], [*P, [0, 0, 1]], kind="auc_mu")
    assert values[0, 1] == 0.5
    # The same where the difference is the rounding of numbers of size one.
    up = np.nextafter(0.3, 1)
    P = np.array([[up, 0.3, 0.4], [0.3, 0.3, 0.4], [0.3, up, 0.4], [0, 0, 1]])
    assert pr.pairwise([0, 1, 1, 2], P, kind="auc_mu")[0, 1] == 1.0


@pytest.mark.parametrize("votes", [7, 10, 20])
def test_costs_tie_at_their_boundary(votes: int) -> None:
    # With costs a projection that is 0 in truth comes out as some 1e-17 of either sign.
    rng = np.random.default_rng(votes)
    lost = 0
    for _ in range(40):
        c = np.concatenate([np.arange(3), rng.integers(0, 3, 27)])
        V = rng.multinomial(votes, [0.3, 0.4, 0.3], 30)
        A = rng.integers(1, 4, (3, 3)) * (1 - np.eye(3))
        exact = pr.pairwise(c, V, kind="auc_mu", partition=A)
        np.testing.assert_array_equal(pr.pairwise(c, V / votes, kind="auc_mu", partition=A), exact)
        unlinked = pr.pairwise(c, V / votes, kind="auc_mu", partition=A, ties="exact")
        lost += not np.array_equal(unlinked, exact, equal_nan=True)
    assert lost > 10


def test_equal_costs_are_the_argmax_partition() -> None:
    up = np.nextafter(0.3, 1)
    P = np.array([[up, 0.3, 0.4], [0.3, 0.3, 0.4], [0.3, up, 0.4], [0, 0, 1]])
    for A in (None, 1 - np.eye(3), 0.1 * (1 - np.eye(3))):
        assert pr.pairwise([0, 1, 1, 2], P, kind="auc_mu", partition=A)[0, 1] == 1.0


def test_infinite_scores_tie_when_equal() -> None:
    inf = np.inf
    P = np.array([[inf, 0, 0], [inf, 1, 0], [1, 0, 0], [1, 0, 0], [0, -inf, 1], [0, 0, 5]])
    values, tied = pr.pairwise([0, 1, 0, 1, 1, 2], P, kind="auc_mu", return_ties=True)
    # p_0 - p_1: class 0 has inf, 1; class 1 has inf, 1, inf.
    assert tied[0, 1] == 3 / 6
    assert values[0, 1] == (3 / 2 + 1) / 6


def test_columns_tie_by_equality_alone() -> None:
    near = np.nextafter(0.3, 1)
    assert pr.auc([0, 1], [0.3, near]) == 1.0
    assert pr.auc([0, 1], np.array([0.3, np.nextafter(np.float32(0.3), 1)], np.float32)) == 1.0
    P = np.array([[near, 0.3], [0.3, near]])
    assert pr.hand_till([0, 1], P) == 1.0


def test_rows_have_no_order() -> None:
    # Two rows share the projection 1/4, one of scores of size 1/4, one of size 8. A neighbour is
    # within rounding of the second alone, wherever rows stand: a value has one m, the largest.
    P = np.array([[0.25, 0, 0], [8.25, 8, 0], [0.25 + 2.0**-52, 0, 0], [0, 0, 1]])
    y = np.array([0, 0, 1, 2])
    for order in itertools.permutations(range(4)):
        rows = list(order)
        assert pr.pairwise(y[rows], P[rows], kind="auc_mu")[0, 1] == 0.5
