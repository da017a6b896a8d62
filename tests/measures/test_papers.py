"""Numbers that stand in the papers, or follow from their models.

HT01 = Hand & Till 2001; KP19 = Kleiman & Page 2019; HA10 = Hassan et al. 2010. Simulated values
carry their own standard error, estimated from how the pairwise values vary: a pairwise AUC of n_i
and n_j rows has a variance of at most A (1 - A) / min(n_i, n_j), and a mean of pairwise values no
larger standard error than the largest of its parts. Tests allow four of these.
"""

from __future__ import annotations

import itertools
import math
from statistics import NormalDist

import numpy as np
import polyroc as pr
import pytest

phi = NormalDist().cdf


def scores_with(r: list[float], K: int, rows: int = 1000) -> tuple[np.ndarray, np.ndarray]:
    """A sample whose pairwise values A(i,j) are r, pair by pair, to the digits of 1/rows.

    In column i class i scores 1/2; a share r of class j lies below it and the rest above, so that
    A(i|j) = A(j|i) = r.
    """
    c = np.repeat(np.arange(K), rows)
    P = np.full((K * rows, K), 0.5)
    for (i, j), share in zip(itertools.combinations(range(K), 2), r, strict=True):
        above = np.arange(rows) >= round(share * rows)
        P[c == j, i] = above
        P[c == i, j] = above
    return c, P


# HA10 Table 1: the largest area by number of classes.
TABLE_1 = {3: 1.2990, 4: 2.5981, 5: 2.9389, 6: 3.0505, 7: 3.0949, 8: 3.1153, 9: 3.1257,
           10: 3.1314, 16: 3.1402}  # fmt: skip

# HA10 Table 2: AUCs of pairs 12, 13, 23 and the area. For SVM and Random Forest the table prints
# 0.908 and 0.909, which its own formula gives the other way round; these are the formula's.
TABLE_2 = {
    "SVM": ([0.82, 0.84, 0.85], 0.9092),
    "C4.5": ([0.70, 0.90, 0.90], 0.896),
    "Random Tree": ([0.60, 0.70, 0.90], 0.689),
    "Random Forest": ([0.78, 0.86, 0.87], 0.9083),
}

# HA10 Table 3 (SEGMENT, 7 classes): the AUCs below 1 among the 21, and the area.
TABLE_3 = {
    "SVM": ([0.998, 0.837, 0.983, 0.967, 0.988, 0.92, 0.995], 3.00),
    "C4.5": (
        [0.941, 0.995, 0.998, 0.984, 0.998, 0.96, 0.977, 0.998, 0.998, 0.99, 0.995, 0.999, 0.998,
         0.998, 0.998],
        3.04,
    ),
    "Random Forest": ([0.97, 0.95, 0.990, 0.994, 0.990, 0.99], 3.06),
}  # fmt: skip


@pytest.mark.parametrize("K", TABLE_1)
def test_polar_area_extremes(K: int) -> None:
    c, P = np.arange(K), np.eye(K)
    assert pr.polar_area(c, P) == pytest.approx(TABLE_1[K], abs=5.1e-5)
    assert pr.polar_area(c, P, normalize=True) == pytest.approx(1, abs=1e-15)
    assert pr.polar_area(c, 0 * P) == pytest.approx(TABLE_1[K] / 4, abs=5.1e-5)
    assert pr.polar_area(c, 0 * P, normalize=True) == pytest.approx(0.25, abs=1e-15)


@pytest.mark.parametrize("name", TABLE_2)
def test_polar_area_of_three_classes(name: str) -> None:
    r, area = TABLE_2[name]
    c, P = scores_with(r, K=3)
    np.testing.assert_allclose(pr.pairwise(c, P)[np.triu_indices(3, 1)], r, rtol=0, atol=1e-15)
    assert pr.polar_area(c, P) == pytest.approx(area, abs=1e-3)  # a unit of the last digit printed
    # Three rays have one order only.
    assert pr.polar_area(c, P, order="pairs") == pytest.approx(pr.polar_area(c, P), rel=1e-15)


@pytest.mark.parametrize("name", TABLE_3)
def test_polar_area_of_seven_classes(name: str) -> None:
    below_one, area = TABLE_3[name]
    c, P = scores_with(below_one + [1.0] * (21 - len(below_one)), K=7)
    assert pr.polar_area(c, P) == pytest.approx(area, abs=1e-2)  # a unit of the last digit printed
    assert pr.polar_area(c, P, order="pairs") <= pr.polar_area(c, P)


def test_polar_area_separates_what_m_does_not() -> None:
    # HA10 s.4: for one mean of the pairwise values, an uneven spread has another area.
    even, uneven = scores_with([0.8, 0.8, 0.8], 3), scores_with([0.6, 0.9, 0.9], 3)
    assert pr.hand_till(*even) == pytest.approx(pr.hand_till(*uneven), abs=1e-15)
    assert pr.polar_area(*even) > pr.polar_area(*uneven)


def margin(values: list[float], smallest: int) -> float:
    """Four standard errors of a mean of pairwise values."""
    return 4 * max(math.sqrt(a * (1 - a) / smallest) for a in values)


@pytest.mark.parametrize(("K", "mu"), [(2, 1.0), (3, 0.5), (3, 1.0), (5, 0.7)])
def test_normal_classes_on_a_line(K: int, mu: float) -> None:
    rng = np.random.default_rng([9, K, int(10 * mu)])
    n = 20_000
    x = [rng.normal(i * mu, 1, n) for i in range(K)]
    y = np.repeat([0, 1], n)
    pairs = list(itertools.combinations(range(K), 2))
    # HT01 Eq. 9: the AUC of the scalar x, pair by pair, is Phi(k mu / sqrt 2).
    truth = [phi((j - i) * mu / math.sqrt(2)) for i, j in pairs]
    found = [pr.auc(y, np.concatenate([x[i], x[j]])) for i, j in pairs]
    eq_9 = 2 / (K * (K - 1)) * sum((K - k) * phi(k * mu / math.sqrt(2)) for k in range(1, K))
    assert sum(truth) / len(truth) == pytest.approx(eq_9, abs=1e-15)
    assert sum(found) / len(found) == pytest.approx(eq_9, abs=margin(truth, n))
    # C2: which of two classes is nearer is a score of two values, whose AUC for classes of one
    # size is the proportion put right, Phi(k mu / 2).
    truth = [phi((j - i) * mu / 2) for i, j in pairs]
    found = [pr.auc(y, np.concatenate([x[i], x[j]]) > mu * (i + j) / 2) for i, j in pairs]
    c2 = 2 / (K * (K - 1)) * sum((K - k) * phi(k * mu / 2) for k in range(1, K))
    assert sum(truth) / len(truth) == pytest.approx(c2, abs=1e-15)
    assert sum(found) / len(found) == pytest.approx(c2, abs=margin(truth, n))


@pytest.mark.parametrize("d", [0.0, 0.5, 1.5])
@pytest.mark.parametrize(
    "sizes", [(30_000, 6_000), (20_000, 5_000, 5_000), (9_000, 3_000, 3_000, 3_000, 3_000)]
)
def test_independent_columns(d: float, sizes: tuple[int, ...]) -> None:
    # Score i of a class c row ~ N(d [c = i], 1): M = one-vs-rest = Phi(d / sqrt 2), and
    # AUC-mu = Phi(d), for every K and any class sizes.
    K = len(sizes)
    rng = np.random.default_rng([K, int(10 * d)])
    c = np.repeat(np.arange(K), sizes)
    P = rng.standard_normal((len(c), K))
    P[np.arange(len(c)), c] += d
    m, mu = phi(d / math.sqrt(2)), phi(d)
    within = margin([m], min(sizes))
    assert pr.hand_till(c, P) == pytest.approx(m, abs=within)
    assert pr.hand_till(c, P, pair_weights="prevalence") == pytest.approx(m, abs=within)
    assert pr.one_vs_rest(c, P) == pytest.approx(m, abs=within)
    assert pr.one_vs_rest(c, P, average="prevalence") == pytest.approx(m, abs=within)
    within = margin([mu], min(sizes))
    assert pr.auc_mu(c, P) == pytest.approx(mu, abs=within)
    assert pr.auc_mu(c, P, pair_weights="prevalence") == pytest.approx(mu, abs=within)


def test_normal_classes_with_true_posteriors() -> None:
    # For K > 2 no score matrix gives Eq. 9 as M; these are the limits at K = 3, mu = 1.
    rng = np.random.default_rng(31)
    n = 40_000
    c = np.repeat(np.arange(3), n)
    x = rng.normal(c, 1.0)
    log_density = -((x[:, None] - np.arange(3)) ** 2) / 2
    P = np.exp(log_density)
    P /= P.sum(axis=1, keepdims=True)
    assert pr.hand_till(c, P) == pytest.approx(0.7725, abs=margin([0.7725], n))
    assert pr.auc_mu(c, P) == pytest.approx(0.8070, abs=margin([0.8070], n))
    assert pr.auc_mu(c, np.log(P)) == pytest.approx(0.8140, abs=margin([0.8140], n))


def test_proportion_correct_under_a_random_threshold() -> None:
    # HT01 Eq. 5: r = (pi0^2 + pi1^2) / 2 + 2 pi0 pi1 AUC, thresholds drawn from the scores
    # themselves, a row at the threshold counted one half.
    rng = np.random.default_rng(8)
    y = rng.random(300) < 0.3
    s = rng.normal(y, 1.0).round(1)
    above, equal = s[:, None] > s[None, :], s[:, None] == s[None, :]
    right = np.where(y[:, None], above + equal / 2, 1 - above - equal / 2)
    pi1 = y.mean()
    pi0 = 1 - pi1
    r = (pi0**2 + pi1**2) / 2 + 2 * pi0 * pi1 * pr.auc(y, s)
    assert right.mean() == pytest.approx(r, abs=1e-12)
