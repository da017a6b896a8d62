"""Every measure equals the O(n^2) reference: exactly where it is one count over another."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.agreement import close, same, same_table, unit_roundoff
from given.strategies import (
    FLOATS,
    Sample,
    pair_weight_matrices,
    partitions,
    rounded_rows,
    samples,
    score,
)
from oracle import reference as ref


def rules(P: np.ndarray) -> Any:
    """The two ways to tie projections, and the unit roundoff each reckons with."""
    return ("rounding", unit_roundoff(P)), ("exact", 0.0)


REAL = 1e-13  # real weights: sums of a few dozen terms in float64
binary = samples(K=st.just(2), columns=False)
multi = samples()
multi_real = samples(weighting=("real",), most=16)
with_absent = samples(K=st.integers(3, 6), absent=True, most=12)


def split(sample: Sample, column: int | None = None) -> Any:
    """x, y and their whole weights: class 1 against class 0."""
    c, q = sample.c, ref.whole(sample.w, len(sample.c))
    s = sample.P if column is None else sample.P[:, column]
    return s[c == 1], s[c == 0], q[c == 1], q[c == 0]


@given(binary)
def test_auc(sample: Sample) -> None:
    value = pr.auc(sample.c, sample.P, sample_weight=sample.w)
    assert type(value) is float
    same(value, ref.auc(*split(sample)))


@given(samples(K=st.just(2)))
def test_auc_of_two_columns_reads_the_second(sample: Sample) -> None:
    value = pr.auc(sample.c, sample.P, sample_weight=sample.w)
    same(value, ref.auc(*split(sample, column=1)))


@given(samples(K=st.just(2), columns=False, weighting=("real",)))
def test_auc_real_weights(sample: Sample) -> None:
    close(pr.auc(sample.c, sample.P, sample_weight=sample.w), ref.auc(*split(sample)), REAL)


@given(
    samples(K=st.just(2), columns=False, weighting=("none", "whole", "real")),
    st.sampled_from([1e-6, 0.1, 0.25, 0.5, 0.99, 1.0]) | st.floats(1e-3, 1.0),
)
def test_partial_auc(sample: Sample, f: float) -> None:
    value = pr.auc(sample.c, sample.P, sample_weight=sample.w, max_fpr=f)
    x, y, wx, wy = split(sample)
    close(value, ref.auc_below(x, y, wx, wy, f), 1e-12)


@given(multi)
def test_conditional(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    values, tied = pr.pairwise(c, P, kind="conditional", sample_weight=w, return_ties=True)
    same_table(values, ref.conditional(P, c, K, w))
    same_table(tied, ref.conditional(P, c, K, w, count=ref.doubled_ties))
    alone = pr.pairwise(c, P, kind="conditional", sample_weight=w)
    np.testing.assert_array_equal(alone, values)


@given(multi)
def test_hand_till_pairs(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    values, tied = pr.pairwise(c, P, sample_weight=w, return_ties=True)
    same_table(values, ref.hand_till_pairs(P, c, K, w), within=2.0**-53)
    T = ref.conditional(P, c, K, w, count=ref.doubled_ties)
    both = {(i, j): (T[i, j] + T[j, i]) / 2 for i, j in T}  # type: ignore[operator]
    same_table(tied, both, within=2.0**-53)


@given(multi_real)
def test_pairs_real_weights(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    values, tied = pr.pairwise(c, P, kind="conditional", sample_weight=w, return_ties=True)
    same_table(values, ref.conditional(P, c, K, w), within=REAL)
    same_table(tied, ref.conditional(P, c, K, w, count=ref.doubled_ties), within=REAL)


@given(multi, st.data())
def test_hand_till(sample: Sample, data: st.DataObject) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    table = ref.hand_till_pairs(P, c, K, w)
    close(pr.hand_till(c, P, sample_weight=w), ref.average(table))
    n = ref.prevalence_weights(c, K, w)
    close(pr.hand_till(c, P, sample_weight=w, pair_weights="prevalence"), ref.average(table, n))
    W = data.draw(pair_weight_matrices(K))
    close(pr.hand_till(c, P, sample_weight=w, pair_weights=W), ref.average(table, W))


@given(multi)
def test_one_vs_rest(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    values = pr.one_vs_rest(c, P, average=None, sample_weight=w)
    exact = ref.one_vs_rest(P, c, K, w)
    assert isinstance(values, np.ndarray)
    assert values.shape == (K,)
    for value, quotient in zip(values, exact, strict=True):
        same(value, quotient)
    macro = sum((v for v in exact if v is not None), Fraction(0)) / K
    close(pr.one_vs_rest(c, P, sample_weight=w), macro)
    prevalence = pr.one_vs_rest(c, P, average="prevalence", sample_weight=w)
    close(prevalence, ref.provost_domingos(P, c, K, w))
    same(pr.one_vs_rest(c, P, average="micro", sample_weight=w), ref.micro(P, c, K, w))


@given(multi_real)
def test_averages_real_weights(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    close(pr.hand_till(c, P, sample_weight=w), ref.hand_till(P, c, K, w), REAL)
    n = ref.prevalence_weights(c, K, w)
    weighted = pr.hand_till(c, P, sample_weight=w, pair_weights="prevalence")
    close(weighted, ref.hand_till(P, c, K, w, n), REAL)
    prevalence = pr.one_vs_rest(c, P, average="prevalence", sample_weight=w)
    close(prevalence, ref.provost_domingos(P, c, K, w), REAL)
    close(pr.one_vs_rest(c, P, average="micro", sample_weight=w), ref.micro(P, c, K, w), REAL)


@st.composite
def projectable(draw: st.DrawFn, weighting: tuple[str, ...] = ("none", "whole")) -> Sample:
    """Scores whose projections cannot overflow: AUC-mu's domain, K > 2."""
    dtype = draw(st.sampled_from([*FLOATS, "int8", "uint16", "int32", "int64", "uint64", "bool"]))
    near = rounded_rows(draw(st.sampled_from([3, 7, 9, 10, 49])))
    ulps = st.integers(0, 6).map(lambda k: 0.5 + k * 2.0**-53)
    one = {
        "float64": st.floats(-1e300, 1e300) | near | ulps,
        "int64": st.integers(-(2**52), 2**52) | st.integers(0, 3),
        "uint64": st.integers(0, 2**52) | st.integers(0, 3),
    }.get(dtype, near | score(dtype, infinite=False) if dtype in FLOATS else score(dtype))
    return draw(
        samples(K=st.integers(3, 5), dtypes=(dtype,), weighting=weighting, scores=one, most=24)
    )


@given(projectable())
def test_separation(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    for ties, u in rules(P):
        values, tied = pr.pairwise(
            c, P, kind="auc_mu", ties=ties, sample_weight=w, return_ties=True
        )
        same_table(values, ref.separation(P, c, K, w, u=u))
        same_table(tied, ref.separation(P, c, K, w, u=u, count=ref.doubled_ties))


@given(projectable(), st.data())
def test_auc_mu(sample: Sample, data: st.DataObject) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    table = ref.separation(P, c, K, w, u=unit_roundoff(P))
    close(pr.auc_mu(c, P, sample_weight=w), ref.average(table))
    n = ref.prevalence_weights(c, K, w)
    close(pr.auc_mu(c, P, sample_weight=w, pair_weights="prevalence"), ref.average(table, n))
    W = data.draw(pair_weight_matrices(K))
    close(pr.auc_mu(c, P, sample_weight=w, pair_weights=W), ref.average(table, W))
    argmax = np.ones((K, K)) - np.eye(K)
    assert pr.auc_mu(c, P, partition=argmax, sample_weight=w) == pr.auc_mu(c, P, sample_weight=w)


@given(projectable(weighting=("real",)))
def test_auc_mu_real_weights(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    exact = ref.auc_mu(P, c, K, w, u=unit_roundoff(P))
    close(pr.auc_mu(c, P, sample_weight=w), exact, REAL)


votes = st.sampled_from([4, 9, 10, 49]).flatmap(rounded_rows)
# The core's compensated sum has about 106 bits; the reference has all. Nothing here needs more.
margins = st.integers(-(2**20), 2**20).map(lambda k: k / 4096)


@given(
    samples(
        K=st.integers(3, 5),
        dtypes=("float32", "float64"),
        scores=votes | margins,
        most=16,
    ),
    st.data(),
)
def test_separation_by_any_partition(sample: Sample, data: st.DataObject) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    A = data.draw(partitions(K))
    for ties, u in rules(P):
        table = ref.separation(P, c, K, w, A, u)
        values = pr.pairwise(c, P, kind="auc_mu", partition=A, ties=ties, sample_weight=w)
        same_table(values, table)
        value = pr.auc_mu(c, P, partition=A, ties=ties, sample_weight=w)
        close(value, ref.average(table))


@given(samples(K=st.just(2), dtypes=("float64", "int32"), scores=st.integers(0, 9)), st.data())
def test_separation_of_two_columns_with_unequal_sums(sample: Sample, data: st.DataObject) -> None:
    # Small integers: sums are equal or at least 1 apart, so there is no doubt about rounding.
    c, P, w = sample.c, sample.P, sample.w
    A = data.draw(partitions(2))
    exact = ref.separation(P, c, 2, w, A, unit_roundoff(P))
    same_table(pr.pairwise(c, P, kind="auc_mu", partition=A, sample_weight=w), exact)


@given(samples(K=st.integers(3, 5)))
def test_polar_area(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    table = ref.hand_till_pairs(P, c, K, w)
    pairs = list(itertools.combinations(range(K), 2))
    r = [float(table[pair] or 0) for pair in pairs]
    area = pr.polar_area(c, P, sample_weight=w)
    assert area == pytest.approx(ref.polar_area_maximum(r), rel=1e-14, abs=1e-300)
    plain = pr.polar_area(c, P, order="pairs", sample_weight=w)
    assert plain == pytest.approx(ref.polar_area(r), rel=1e-14, abs=1e-300)
    back = pr.polar_area(c, P, order=[(j, i) for i, j in pairs[::-1]], sample_weight=w)
    assert back == pytest.approx(plain, rel=1e-14, abs=1e-300)
    share = pr.polar_area(c, P, normalize=True, sample_weight=w)
    assert share == pytest.approx(area / ref.polar_area([1.0] * len(r)), rel=1e-14, abs=1e-300)


def test_polar_area_in_a_given_order() -> None:
    rng = np.random.default_rng(5)
    c, P = np.repeat(np.arange(4), 6), rng.random((24, 4))
    table = pr.pairwise(c, P)
    order = [(2, 0), (1, 3), (0, 1), (3, 2), (1, 2), (0, 3)]
    expected = ref.polar_area([table[at] for at in order])
    assert pr.polar_area(c, P, order=order) == pytest.approx(expected, rel=1e-15)


@given(with_absent)
def test_absent_classes_are_skipped(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    options: dict[str, Any] = {"labels": list(range(K)), "absent": "skip", "sample_weight": w}
    close(pr.hand_till(c, P, **options), ref.hand_till(P, c, K, w))
    n = ref.prevalence_weights(c, K, w)
    weighted = pr.hand_till(c, P, pair_weights="prevalence", **options)
    close(weighted, ref.hand_till(P, c, K, w, n))
    same_table(pr.pairwise(c, P, kind="conditional", **options), ref.conditional(P, c, K, w))
    exact = ref.one_vs_rest(P, c, K, w)
    for value, quotient in zip(pr.one_vs_rest(c, P, average=None, **options), exact, strict=True):
        same(value, quotient)
    known = [v for v in exact if v is not None]
    close(pr.one_vs_rest(c, P, **options), sum(known, Fraction(0)) / len(known))
    prevalence = pr.one_vs_rest(c, P, average="prevalence", **options)
    close(prevalence, ref.provost_domingos(P, c, K, w))


@given(samples(K=st.integers(3, 6), absent=True, most=12, dtypes=("float64",), scores=votes))
def test_absent_classes_are_skipped_by_auc_mu(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    options: dict[str, Any] = {"labels": list(range(K)), "absent": "skip", "sample_weight": w}
    table = ref.separation(P, c, K, w, u=2.0**-53)
    close(pr.auc_mu(c, P, **options), ref.average(table))
    same_table(pr.pairwise(c, P, kind="auc_mu", **options), table)


@given(samples(K=st.integers(3, 4)))
def test_objects_are_the_functions(sample: Sample) -> None:
    c, P, w = sample.c, sample.P, sample.w
    assert pr.HandTill()(c, P, sample_weight=w) == pr.hand_till(c, P, sample_weight=w)
    for average in ("macro", "prevalence", "micro"):
        value = pr.one_vs_rest(c, P, average=average, sample_weight=w)
        assert pr.OneVsRest(average)(c, P, sample_weight=w) == value
    area = pr.polar_area(c, P, normalize=True, sample_weight=w)
    assert pr.PolarArea(normalize=True)(c, P, sample_weight=w) == area
    prevalence = pr.hand_till(c, P, pair_weights="prevalence", sample_weight=w)
    assert pr.HandTill(pair_weights="prevalence")(c, P, sample_weight=w) == prevalence


@given(projectable())
def test_auc_mu_object_is_the_function(sample: Sample) -> None:
    c, P, w, K = sample.c, sample.P, sample.w, sample.K
    A = np.arange(1.0, K * K + 1).reshape(K, K)
    np.fill_diagonal(A, 0.0)
    options: dict[str, Any] = {"partition": A, "pair_weights": "prevalence", "ties": "exact"}
    value = pr.auc_mu(c, P, sample_weight=w, **options)
    assert pr.AucMu(**options)(c, P, sample_weight=w) == value


@given(binary)
def test_auc_object_is_the_function(sample: Sample) -> None:
    for f in (None, 0.25):
        value = pr.auc(sample.c, sample.P, max_fpr=f, sample_weight=sample.w)
        assert pr.Auc(max_fpr=f)(sample.c, sample.P, sample_weight=sample.w) == value
