"""What must not change the numbers, and what must change them in a known way."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.strategies import Sample, codes, partitions, samples

dyadic = st.integers(-1024, 1024).map(lambda k: k / 1024)
exact_sums = samples(K=st.integers(3, 5), dtypes=("float64",), scores=dyadic)
PAIRWISE: Any = ("hand_till", "conditional", "auc_mu")


def every_value(c: Any, P: Any, **options: Any) -> list[float]:
    """All measures at once, each a plain number."""
    area = [pr.polar_area(c, P, **options)] if P.shape[1] > 2 else []
    return [
        pr.hand_till(c, P, **options),
        pr.auc_mu(c, P, **options),
        *area,
        *(pr.one_vs_rest(c, P, average=a, **options) for a in ("macro", "prevalence", "micro")),
        *pr.one_vs_rest(c, P, average=None, **options),
        *(x for kind in PAIRWISE for x in pr.pairwise(c, P, kind=kind, **options).flat),
    ]


def dense_ranks(x: np.ndarray) -> np.ndarray:
    """0, 1, 2, ... in the order of the values: the most violent increasing map there is."""
    return np.unique(x, return_inverse=True)[1].reshape(x.shape)


@given(samples())
def test_column_measures_see_only_the_order(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    # Each column has a map of its own, and every second one is stretched beyond all scale.
    ranks = np.stack([dense_ranks(P[:, k]) for k in range(K)], axis=1)
    stretched = np.where(np.arange(K) % 2, 8.0 ** (ranks - 10.0), 5.0 * ranks - 7.0)
    for kind in ("conditional", "hand_till"):
        before = pr.pairwise(c, P, kind=kind, sample_weight=w)
        np.testing.assert_array_equal(before, pr.pairwise(c, stretched, kind=kind, sample_weight=w))
    for measure in (pr.HandTill(), pr.OneVsRest(), pr.OneVsRest("prevalence")):
        assert measure(c, P, sample_weight=w) == measure(c, stretched, sample_weight=w)
    # Micro pools the columns, so it allows one map for all of them.
    pooled = dense_ranks(np.asarray(P))
    micro = pr.one_vs_rest(c, P, average="micro", sample_weight=w)
    assert micro == pr.one_vs_rest(c, pooled, average="micro", sample_weight=w)


@given(samples(K=st.just(2), columns=False, weighting=("none", "whole", "real")))
def test_auc_sees_only_the_order(sample: Sample) -> None:
    c, s, w = sample.c, sample.P, sample.w
    for f in (None, 0.3):
        value = pr.auc(c, s, sample_weight=w, max_fpr=f)
        assert value == pr.auc(c, dense_ranks(s), sample_weight=w, max_fpr=f)


@given(exact_sums, st.integers(-20, 20), dyadic, st.data())
def test_auc_mu_allows_common_affine_maps(
    sample: Sample, power: int, shift: float, data: st.DataObject
) -> None:
    c, P, w = sample.c, sample.P, sample.w
    A = data.draw(partitions(sample.K))
    value = pr.auc_mu(c, P, sample_weight=w, ties="exact")
    assert value == pr.auc_mu(c, 2.0**power * (P + shift), sample_weight=w, ties="exact")
    # A scale alone is allowed for any partition; a common factor of the costs as well.
    value = pr.auc_mu(c, P, partition=A, sample_weight=w)
    assert value == pr.auc_mu(c, 2.0**power * P, partition=A, sample_weight=w)
    assert value == pr.auc_mu(c, P, partition=2.0**power * A, sample_weight=w)


@given(exact_sums, st.data())
def test_argmax_auc_mu_sees_only_differences_within_a_row(
    sample: Sample, data: st.DataObject
) -> None:
    n = len(sample.c)
    shift = np.array(data.draw(st.lists(dyadic, min_size=n, max_size=n)))[:, None]
    value = pr.auc_mu(sample.c, sample.P, sample_weight=sample.w, ties="exact")
    moved = sample.P + shift
    assert value == pr.auc_mu(sample.c, moved, sample_weight=sample.w, ties="exact")


@given(exact_sums, st.randoms(use_true_random=False))
def test_rows_have_no_order(sample: Sample, random: Any) -> None:
    rows = list(range(len(sample.c)))
    random.shuffle(rows)
    w = None if sample.w is None else sample.w[rows]
    before = every_value(sample.c, sample.P, sample_weight=sample.w)
    after = every_value(sample.c[rows], sample.P[rows], sample_weight=w)
    np.testing.assert_array_equal(before, after)


near_ties = st.integers(0, 10).map(lambda k: k / 10) | st.sampled_from([2.1, 2.2, 4.1, 4.2, 8.3])


@given(
    samples(K=st.integers(3, 4), dtypes=("float64", "float32"), scores=near_ties),
    st.randoms(use_true_random=False),
)
def test_rows_have_no_order_where_projections_nearly_tie(sample: Sample, random: Any) -> None:
    rows = list(range(len(sample.c)))
    random.shuffle(rows)
    w = None if sample.w is None else sample.w[rows]
    before = pr.pairwise(sample.c, sample.P, kind="auc_mu", sample_weight=sample.w)
    after = pr.pairwise(sample.c[rows], sample.P[rows], kind="auc_mu", sample_weight=w)
    np.testing.assert_array_equal(before, after)


@given(exact_sums, st.data())
def test_labels_name_columns(sample: Sample, data: st.DataObject) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    order = data.draw(st.permutations(range(K)))
    shuffled = P[:, order]
    for kind in PAIRWISE:
        before = pr.pairwise(c, P, kind=kind, sample_weight=w)
        after = pr.pairwise(c, shuffled, kind=kind, sample_weight=w, labels=order)
        np.testing.assert_array_equal(before[np.ix_(order, order)], after)
    for measure in (pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.PolarArea()):
        value = measure(c, P, sample_weight=w)
        assert measure(c, shuffled, sample_weight=w, labels=order) == pytest.approx(
            value, abs=1e-15
        )


@given(exact_sums, st.data())
def test_names_of_labels_do_not_matter(sample: Sample, data: st.DataObject) -> None:
    K = sample.K
    integers = st.sets(st.integers(-(2**63), 2**63 - 1), min_size=K, max_size=K)
    texts = st.sets(st.text(max_size=5), min_size=K, max_size=K)
    numbers = st.sets(st.floats(-1e9, 1e9), min_size=K, max_size=K)
    before = every_value(sample.c, sample.P, sample_weight=sample.w)
    for names in (sorted(data.draw(s)) for s in (integers, texts, numbers)):
        y: Any = [names[i] for i in sample.c]
        after = every_value(y, sample.P, sample_weight=sample.w)
        np.testing.assert_array_equal(before, after)


@given(samples(K=st.just(2), columns=False))
def test_complement(sample: Sample) -> None:
    c, w = sample.c, sample.w
    s = dense_ranks(sample.P)
    value = pr.auc(c, s, sample_weight=w)
    for other in (pr.auc(c, -s, sample_weight=w), pr.auc(1 - c, s, sample_weight=w)):
        assert other == pytest.approx(1 - value, abs=2.0**-53)
    assert pr.auc(1 - c, -s, sample_weight=w) == value
    assert pr.auc(c, s, labels=[1, 0], sample_weight=w) == pr.auc(1 - c, s, sample_weight=w)


@given(exact_sums, st.data())
def test_whole_weights_are_repeated_rows(sample: Sample, data: st.DataObject) -> None:
    n = len(sample.c)
    w = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)))
    for i in range(sample.K):
        w[np.flatnonzero(sample.c == i)[0]] += 1
    rows = np.repeat(np.arange(n), w)
    weighted = every_value(sample.c, sample.P, sample_weight=w)
    repeated = every_value(sample.c[rows], sample.P[rows])
    np.testing.assert_array_equal(weighted, repeated)
    # Zero-weight rows are not there.
    kept = every_value(sample.c[w > 0], sample.P[w > 0], sample_weight=w[w > 0])
    np.testing.assert_array_equal(weighted, kept)


@given(samples(K=st.integers(3, 5), dtypes=("float64",), scores=dyadic, weighting=("real",)))
def test_weights_have_no_scale(sample: Sample) -> None:
    c, P, w = sample.c, sample.P, sample.w
    assert w is not None
    before = every_value(c, P, sample_weight=w)
    for scale in (2.0**-30, 4.0, 2.0**100):
        np.testing.assert_array_equal(before, every_value(c, P, sample_weight=scale * w))
    for scale in (1e-300, 1e-5, 3.0, 1e290):
        after = every_value(c, P, sample_weight=scale * w)
        np.testing.assert_allclose(before, after, rtol=0, atol=1e-12)


@given(samples(K=st.just(2), columns=False, weighting=("none", "whole"), infinite=False), st.data())
def test_two_classes_one_score_one_value(sample: Sample, data: st.DataObject) -> None:
    c, s, w = sample.c, sample.P, sample.w
    value = pr.auc(c, s, sample_weight=w)
    A = data.draw(partitions(2))
    for other in (
        pr.hand_till(c, s, sample_weight=w),
        pr.hand_till(c, s, pair_weights="prevalence", sample_weight=w),
        pr.auc_mu(c, s, sample_weight=w),
        pr.auc_mu(c, s, partition=A, sample_weight=w),
        pr.one_vs_rest(c, s, sample_weight=w),
        pr.one_vs_rest(c, s, average="prevalence", sample_weight=w),
    ):
        assert other == value
    for kind in PAIRWISE:
        table = pr.pairwise(c, s, kind=kind, sample_weight=w)
        np.testing.assert_array_equal(table, [[np.nan, value], [value, np.nan]])


@given(codes(2, 40), st.data())
def test_two_columns_that_sum_to_one(c: np.ndarray, data: st.DataObject) -> None:
    n = len(c)
    p = np.array(data.draw(st.lists(st.integers(0, 1024), min_size=n, max_size=n))) / 1024
    P = np.stack([1 - p, p], axis=1)
    A = data.draw(partitions(2))
    value = pr.auc(c, p)
    for dtype in (np.float64, np.float32):
        Q = P.astype(dtype)
        assert pr.auc(c, Q) == value
        assert pr.hand_till(c, Q) == value
        for ties in ("rounding", "exact"):
            assert pr.auc_mu(c, Q, ties=ties) == value
            assert pr.auc_mu(c, Q, partition=A, ties=ties) == value
        assert pr.one_vs_rest(c, Q) == value


@given(codes(2, 40), st.data())
def test_two_columns_that_sum_to_one_but_for_rounding(c: np.ndarray, data: st.DataObject) -> None:
    # 1 - p rounds, so sums differ in the last digit; the ties of column 1 must survive.
    n, grid = len(c), st.integers(0, 49)
    p = np.array(data.draw(st.lists(grid, min_size=n, max_size=n))) / 49
    for dtype in ("float64", "float32"):
        q: np.ndarray = p.astype(dtype)
        P = np.stack([1 - q, q], axis=1)
        assert pr.auc_mu(c, P) == pr.auc(c, q)
        assert pr.auc_mu(c, P, partition=[[0.0, 3.0], [0.7, 0.0]]) == pr.auc(c, q)


def test_perfect_argmax_is_one_for_auc_mu_not_for_m() -> None:
    P = np.array([[0.40, 0.30, 0.30], [0.45, 0.50, 0.05], [0.45, 0.05, 0.50]])
    assert (P.argmax(axis=1) == np.arange(3)).all()
    assert pr.auc_mu(range(3), P) == 1.0
    assert pr.hand_till(range(3), P) == pytest.approx(2 / 3, abs=1e-15)


@given(samples(K=st.integers(3, 5), dtypes=("float64", "float32"), scores=dyadic))
def test_perfect_argmax_is_one_for_auc_mu(sample: Sample) -> None:
    P: np.ndarray = np.array(sample.P, dtype=float)
    rows = np.arange(len(P))
    P[rows, sample.c] = P.max(axis=1) + 1 / 1024
    assert pr.auc_mu(sample.c, P, sample_weight=sample.w) == 1.0
    assert pr.auc_mu(sample.c, P, sample_weight=sample.w, pair_weights="prevalence") == 1.0
    assert (pr.pairwise(sample.c, P, kind="auc_mu")[~np.eye(sample.K, dtype=bool)] == 1.0).all()


@given(samples(), st.booleans())
def test_constant_scores_are_one_half(sample: Sample, broadcast: bool) -> None:
    c, w, K = sample.c, sample.w, sample.K
    P = np.broadcast_to(1 / 3, (len(c), K)) if broadcast else np.full((len(c), K), 1 / 3)
    values = np.array(every_value(c, P, sample_weight=w))
    if K > 2:
        values[2] *= 2 / ((K * (K - 1) / 2) / 2 * math.sin(4 * math.pi / (K * (K - 1))))
    np.testing.assert_allclose(values[~np.isnan(values)], 0.5, rtol=0, atol=1e-15)
    for kind in PAIRWISE:
        tied = pr.pairwise(c, P, kind=kind, sample_weight=w, return_ties=True)[1]
        assert (tied[~np.eye(K, dtype=bool)] == 1.0).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_random_scores_are_one_half(dtype: type) -> None:
    rng = np.random.default_rng(20)
    c = rng.choice(4, size=8000, p=[0.5, 0.3, 0.15, 0.05])
    P: np.ndarray = rng.integers(0, 2**30, size=(8000, 4)).astype(dtype)
    # Each A(i|j) has variance (n_i + n_j + 1) / (12 n_i n_j); the mean is no wider than the worst.
    n = np.bincount(c)
    worst = max(
        math.sqrt((a + b + 1) / (12 * a * b)) for a, b in itertools.combinations(n.tolist(), 2)
    )
    for measure in (pr.HandTill(), pr.AucMu(), pr.OneVsRest(), pr.OneVsRest("micro")):
        assert measure(c, P) == pytest.approx(0.5, abs=4 * worst)


@given(exact_sums, st.data())
def test_class_skew_moves_no_unweighted_mean(sample: Sample, data: st.DataObject) -> None:
    c, P = sample.c, sample.P
    copies = np.array(data.draw(st.lists(st.integers(1, 5), min_size=sample.K, max_size=sample.K)))
    rows = np.repeat(np.arange(len(c)), copies[c])
    for kind in PAIRWISE:
        before, after = (pr.pairwise(c[r], P[r], kind=kind) for r in (slice(None), rows))
        np.testing.assert_array_equal(before, after)
    for measure in (pr.HandTill(), pr.AucMu(), pr.PolarArea()):
        assert measure(c, P) == measure(c[rows], P[rows])


@given(exact_sums, st.data())
def test_means_are_means_of_the_parts(sample: Sample, data: st.DataObject) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    upper = np.triu_indices(K, 1)
    for measure in (pr.hand_till, pr.auc_mu):
        kind: Any = measure.__name__
        table = pr.pairwise(c, P, kind=kind, sample_weight=w)
        np.testing.assert_array_equal(table, table.T)
        mean = math.fsum(table[upper]) / len(upper[0])
        assert measure(c, P, sample_weight=w) == pytest.approx(mean, abs=1e-15)
    A = pr.pairwise(c, P, kind="conditional", sample_weight=w)
    both = pr.pairwise(c, P, sample_weight=w)
    np.testing.assert_allclose((A + A.T) / 2, both, rtol=0, atol=2.0**-53)
    each = pr.one_vs_rest(c, P, average=None, sample_weight=w)
    assert pr.one_vs_rest(c, P, sample_weight=w) == pytest.approx(each.mean(), abs=1e-15)


@given(exact_sums, st.data())
def test_pair_weights_mean_the_pair(sample: Sample, data: st.DataObject) -> None:
    K = sample.K
    cells = data.draw(st.lists(st.integers(1, 9), min_size=K * K, max_size=K * K))
    upper = np.triu(np.array(cells, dtype=float).reshape(K, K), 1)
    diagonal = np.diag(np.full(K, 100.0))
    for measure in (pr.hand_till, pr.auc_mu):
        value = measure(sample.c, sample.P, pair_weights=upper)
        for W in (upper.T, upper + upper.T, 8 * upper, upper + diagonal, upper.tolist()):
            assert measure(sample.c, sample.P, pair_weights=W) == pytest.approx(value, abs=1e-15)
        only = np.zeros((K, K))
        only[0, 1] = 1.0
        kind: Any = measure.__name__
        table = pr.pairwise(sample.c, sample.P, kind=kind)
        assert measure(sample.c, sample.P, pair_weights=only) == table[0, 1]
