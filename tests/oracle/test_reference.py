"""The oracle is itself checked: hand-worked cases, scikit-learn, scipy, and its fast twin."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from sklearn.metrics import roc_auc_score

from given.strategies import FLOATS, Sample, samples
from oracle import fast_oracle
from oracle import reference as ref

F = Fraction


def ones(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return ref.whole(None, len(x)), ref.whole(None, len(y))


def test_auc_by_hand() -> None:
    x, y = np.array([0.9, 0.5, 0.5]), np.array([0.5, 0.1])
    # 0.9 wins twice; each 0.5 ties once and wins once.
    assert ref.doubled_u(x, y, *ones(x, y)) == 10
    assert ref.auc(x, y, *ones(x, y)) == F(5, 6)
    assert ref.auc(x, y, *ones(x, y), count=ref.doubled_ties) == F(2, 6)
    assert ref.auc(x, y, ref.whole(np.array([0.5, 0.25, 0.0]), 3), ref.whole(None, 2)) == F(11, 12)


def test_hand_till_by_hand() -> None:
    # KP19 Fig. 1's point: every row is labelled right by argmax, yet two of six A(i|j) are 0.
    P = np.array([[0.40, 0.30, 0.30], [0.45, 0.50, 0.05], [0.45, 0.05, 0.50]])
    c = np.arange(3)
    assert ref.hand_till(P, c, 3) == F(2, 3)
    assert ref.auc_mu(P, c, 3) == 1
    assert ref.one_vs_rest(P, c, 3) == [0, 1, 1]
    assert ref.provost_domingos(P, c, 3) == F(2, 3)


def test_general_partition_by_hand() -> None:
    A = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    P = np.array([[0.5, 0.25, 0.25]])
    # v_01 = (-3, 1, 1): s = -1.5 + 0.25 + 0.25; e = (3, 1, 3): m = 1.5 + 0.25 + 0.75.
    s, m = ref.project(P, A, 0, 1)
    assert (s[0], m[0]) == (-1.0, 2.5)
    # v_02 = (-1, 0, 2): column 1 has one cost in both rows and drops out of s and of m.
    s, m = ref.project(P, A, 0, 2)
    assert (s[0], m[0]) == (0.0, 1.0)


def test_tie_groups_by_hand() -> None:
    u = 2.0**-53
    near = np.array([0.1 - 0.0, 0.2 - 0.1, 0.3 - 0.2, 0.9 - 0.8])
    m = np.array([0.1, 0.3, 0.5, 1.7])
    assert len(set(near)) > 1
    assert len(set(ref.tie_groups(near, m, u))) == 1
    assert len(set(ref.tie_groups(near, m, 0.0))) == len(set(near))
    # Signs: a value next to zero is neither zero nor its mirror image.
    s = np.array([-1e-20, -0.0, 0.0, 1e-20])
    assert ref.tie_groups(s, np.ones(4), u).tolist() == [0, 1, 1, 2]
    # A chain whose ends are too far apart falls back to equality.
    s = 0.25 + 4 * u * np.array([0, 0, 1, 2])
    assert ref.tie_groups(s, np.full(4, 1.0), u).tolist() == [0, 0, 1, 2]
    assert ref.tie_groups(s[:3], np.full(3, 1.0), u).tolist() == [0, 0, 0]
    # Infinite values tie when equal, and never with finite ones.
    s = np.array([-np.inf, -np.inf, 1.0, np.inf])
    assert ref.tie_groups(s, np.array([np.inf, np.inf, 1, np.inf]), u).tolist() == [0, 0, 1, 2]


def test_polar_area_by_hand() -> None:
    assert math.isclose(ref.polar_area([1, 1, 1]), 3 * math.sqrt(3) / 4)
    r = [0.5, 0.61, 0.72, 0.88, 0.93, 1.0]
    every = max(ref.polar_area(order) for order in permutations(r))
    assert math.isclose(ref.polar_area_maximum(r), every)


@given(samples(K=st.just(2), columns=False, weighting=("none",)))
def test_auc_is_the_rank_formula(sample: Sample) -> None:
    x, y = sample.P[sample.c == 1], sample.P[sample.c == 0]
    assert ref.auc(x, y, *ones(x, y)) == ref.auc_by_ranks(x, y)


@given(samples(K=st.just(2), columns=False, weighting=("none",), dtypes=FLOATS))
def test_auc_is_mann_whitney(sample: Sample) -> None:
    x, y = (np.array(sample.P[sample.c == i], dtype=float) for i in (1, 0))
    u = mannwhitneyu(x, y, method="asymptotic").statistic if len({*x, *y}) > 1 else None
    if u is not None:
        assert ref.doubled_u(x, y, *ones(x, y)) == round(2 * u)


def sane(draw_weights: tuple[str, ...], columns: bool = True) -> st.SearchStrategy[Sample]:
    """Scores that scikit-learn takes too: finite, multiples of 1/8."""
    return samples(
        K=st.integers(3, 5) if columns else st.just(2),
        dtypes=("float64",),
        weighting=draw_weights,
        scores=st.integers(1, 8).map(lambda x: x / 8),
        columns=columns,
    )


@given(sane(("none", "whole", "real"), columns=False), st.sampled_from([0.05, 0.3, 0.9, 1.0]))
def test_auc_and_partial_auc_are_sklearns(sample: Sample, f: float) -> None:
    c, s, w = sample.c, np.ascontiguousarray(sample.P, dtype=float), sample.w
    q = ref.whole(w, len(c))
    x, y, wx, wy = s[c == 1], s[c == 0], q[c == 1], q[c == 0]
    assert float(ref.auc(x, y, wx, wy) or 0) == pytest.approx(
        roc_auc_score(c, s, sample_weight=w), abs=1e-12
    )
    full = ref.auc_below(x, y, wx, wy, 1.0)
    assert full == ref.auc(x, y, wx, wy)
    if f < 1:
        expected = roc_auc_score(c, s, sample_weight=w, max_fpr=f)
        assert float(ref.auc_below(x, y, wx, wy, f) or 0) == pytest.approx(expected, abs=1e-12)


@given(sane(("none",)))
def test_multi_class_measures_are_sklearns(sample: Sample) -> None:
    P = np.ascontiguousarray(sample.P, dtype=float)
    P, c, K = P / P.sum(axis=1, keepdims=True), sample.c, sample.K
    macro = sum(v for v in ref.one_vs_rest(P, c, K) if v is not None) / K
    for value, options in [
        (ref.hand_till(P, c, K), {"multi_class": "ovo"}),
        (macro, {"multi_class": "ovr"}),
        (ref.provost_domingos(P, c, K), {"multi_class": "ovr", "average": "weighted"}),
        (ref.micro(P, c, K), {"multi_class": "ovr", "average": "micro"}),
    ]:
        assert value is not None
        assert float(value) == pytest.approx(roc_auc_score(c, P, **options), abs=1e-12)


@given(samples(weighting=("none", "whole")))
def test_fast_oracle_counts_as_the_reference(sample: Sample) -> None:
    c, K = sample.c, sample.K
    table = ref.conditional(sample.P, c, K, sample.w)
    for (i, j), value in table.items():
        x, y = sample.P[c == i, i], sample.P[c == j, i]
        w = (None, None) if sample.w is None else (sample.w[c == i], sample.w[c == j])
        assert fast_oracle.auc(x, y, *w) == value


near_ties = st.integers(0, 9).map(lambda v: v / 9) | st.sampled_from([0.3, 0.1 + 0.2, 0.7, 0.1 * 7])


@given(
    samples(dtypes=("float32", "float64"), weighting=("none",), scores=near_ties, most=40),
    st.sampled_from([0.0, 2.0**-53, 2.0**-24, 2.0**-6]),
)
def test_fast_oracle_groups_as_the_reference(sample: Sample, u: float) -> None:
    s, m = ref.project(sample.P, None, 0, 1)
    fast, plain = fast_oracle.tie_groups(s, m, u), ref.tie_groups(s, m, u)
    assert fast.tolist() == plain.tolist()
