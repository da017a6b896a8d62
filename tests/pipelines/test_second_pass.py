"""Errors of two passes over shards against `delong`, `compare` and a slow reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.shards import REGIMES, Rows, softmax_rows
from oracle.influence_reference import variance

MEASURES = ("hand_till", "one_vs_rest", "auc_mu")
N = 400


def library(name: str) -> Any:
    return pr.AucMu(ties="exact") if name == "auc_mu" else name


def batches_of(rows: Rows, size: int = 130, **more: Any) -> list[dict[str, Any]]:
    """Return the rows some at a time, with what else each has."""
    scores = more.pop("scores", rows.P)

    def some(values: Any, part: slice) -> Any:
        return {k: v[part] for k, v in values.items()} if isinstance(values, dict) else values[part]

    parts = [slice(k, k + size) for k in range(0, len(rows.y), size)]
    given = {"y_true": rows.y, "y_score": scores, **more}
    return [{name: some(values, part) for name, values in given.items()} for part in parts]


def evaluated(rows: Rows, measures: Any = MEASURES, **options: Any) -> Any:
    more = {name: options.pop(name) for name in ("sample_weight", "groups", "row_id", "scores")
            if name in options}  # fmt: skip
    K = rows.P.shape[1] if rows.P.ndim == 2 else 2
    return pr.evaluate_batches(
        batches_of(rows, **more), labels=range(K), measures=measures, **options
    )


def extras(kind: str, n: int = N) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    found: dict[str, Any] = {}
    if "groups" in kind:
        found["groups"] = rng.integers(0, n // 6, n)
    if "whole" in kind:
        found["sample_weight"] = rng.integers(0, 4, n).astype(float)
    if "even" in kind:
        found["sample_weight"] = np.full(n, 3.0)
    if "ones" in kind:
        found["sample_weight"] = np.ones(n)
    if "real" in kind:
        found["sample_weight"] = rng.gamma(2.0, size=n)
    return found


KINDS = ("plain", "ones", "groups", "whole", "even", "real", "groups, whole", "groups, real")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("regime", REGIMES)
def test_errors_and_limits_are_delongs(regime: str, kind: str) -> None:
    rows, more = softmax_rows(N, 4, regime, 5), extras(kind)
    found = evaluated(rows, confidence=0.9, **more)
    near = 1e-9 if "real" in kind else 1e-12  # weights are rounded to 2^-32
    for name in MEASURES:
        wanted = pr.delong(rows.y, rows.P, library(name), confidence=0.9, **more)
        value = found[name]
        assert abs(value.estimate - wanted.estimate) <= near
        assert value.standard_error == pytest.approx(wanted.standard_error, rel=near)
        np.testing.assert_allclose(value.interval, wanted.interval, rtol=near)
        assert value.method == "DeLong (t)"
        assert value.exact == ("real" not in kind)


@pytest.mark.parametrize("measure", MEASURES)
def test_errors_are_those_of_all_pairs_of_rows(measure: str) -> None:
    rows = softmax_rows(150, 3, "skewed", 6)
    error = evaluated(rows, measure)[measure].standard_error
    assert error == pytest.approx(variance(measure, rows.y, rows.P) ** 0.5, rel=1e-12)


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("kind", ["plain", "groups", "whole"])
def test_two_classes(columns: int, kind: str) -> None:
    rows, more = softmax_rows(N, 2, "moderate", 7), extras(kind)
    P = rows.P[:, 1] if columns == 1 else rows.P
    found = evaluated(Rows(rows.y, P), ["auc", *MEASURES], **more)
    for name, value in found.items():
        wanted = pr.delong(rows.y, P, library(name), **more)
        assert value.standard_error == pytest.approx(wanted.standard_error, rel=1e-12)
        np.testing.assert_allclose(value.interval, wanted.interval, rtol=1e-12)


@pytest.mark.parametrize("kind", ["plain", "groups"])
def test_class_counts_given_beforehand(kind: str) -> None:
    rows, more = softmax_rows(N, 6, "confident", 8), extras(kind)
    names = ["hand_till", "one_vs_rest"]
    counts = np.bincount(rows.y)
    found = evaluated(rows, names, class_counts=counts, **more)
    for name in names:
        wanted = pr.delong(rows.y, rows.P, name, **more)
        assert found[name].standard_error == pytest.approx(wanted.standard_error, rel=1e-12)
        np.testing.assert_allclose(found[name].interval, wanted.interval, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("regime", REGIMES)
def test_four_thousand_bins_give_five_digits(regime: str, dtype: str) -> None:
    rows = softmax_rows(60_000, 5, regime, 9, dtype)
    found = evaluated(rows, max_bins=4096)
    for name in MEASURES:
        wanted = pr.delong(rows.y, rows.P, library(name))
        assert not found[name].exact
        assert abs(found[name].estimate - wanted.estimate) <= found[name].error_bound
        assert found[name].standard_error == pytest.approx(wanted.standard_error, rel=1e-5)


def test_margins_and_perfect_separation() -> None:
    rows = softmax_rows(N, 3, "moderate", 10)
    margins = Rows(rows.y, np.log(rows.P))
    found = evaluated(margins, "hand_till", key="float")["hand_till"]
    wanted = pr.delong(rows.y, margins.P, "hand_till")
    np.testing.assert_allclose(found.interval, wanted.interval, rtol=1e-12)
    perfect = Rows(rows.y, np.eye(3)[rows.y])
    for name in MEASURES:
        value = evaluated(perfect, name)[name]
        wanted = pr.delong(rows.y, perfect.P, library(name))
        assert value.standard_error == 0.0
        np.testing.assert_allclose(value.interval, wanted.interval, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_models_are_compared_as_compare_does(kind: str) -> None:
    rows, more = softmax_rows(N, 3, "moderate", 11), extras(kind)
    rng = np.random.default_rng(1)
    noisy = np.abs(rows.P + 0.1 * rng.normal(size=rows.P.shape)).clip(0, 1)
    models = {"a": rows.P, "b": noisy, "c": rows.P.astype(np.float32)}
    found = evaluated(rows, scores=models, **more)
    near = 1e-9 if "real" in kind else 1e-12
    for name in MEASURES:
        wanted = pr.compare(rows.y, models, library(name), **more)
        for pair, other in zip(found[name].pairs, wanted.pairs, strict=True):
            assert (pair.first, pair.second) == (other.first, other.second)
            for what in ("difference", "low", "high", "p_value", "p_adjusted"):
                assert abs(getattr(pair, what) - getattr(other, what)) <= near, what
            assert pair.standard_error == pytest.approx(other.standard_error, rel=near, abs=1e-12)
        assert list(found[name].models) == ["a", "b", "c"]
        with pytest.raises(AttributeError, match="3 models have 3 differences"):
            _ = found[name].difference
    two = evaluated(rows, "hand_till", scores={"a": models["a"], "b": models["b"]}, **more)
    one = two["hand_till"]
    wanted = pr.compare(rows.y, {"a": rows.P, "b": noisy}, "hand_till", **more)
    assert abs(one.difference - wanted.difference) <= near
    np.testing.assert_allclose(one.interval, wanted.interval, atol=near)
    assert one.p_value == pytest.approx(wanted.p_value, abs=near)


@given(seed=st.integers(0, 2**32), K=st.integers(2, 5), step=st.sampled_from([0.0, 0.1]))
def test_any_rows_have_delongs_errors(seed: int, K: int, step: float) -> None:
    rows = softmax_rows(60, K, REGIMES[seed % 3], seed)
    if step:
        rows = rows._replace(P=(np.round(rows.P / step) * step).clip(0, 1))
    found = evaluated(rows)
    for name in MEASURES:
        wanted = pr.delong(rows.y, rows.P, library(name))
        assert found[name].standard_error == pytest.approx(
            wanted.standard_error, rel=1e-10, abs=1e-14
        )
        np.testing.assert_allclose(found[name].interval, wanted.interval, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_segment_beside_all_rows(measure: str, share: float) -> None:
    rows = softmax_rows(900, 3, "moderate", 12)
    inside = np.random.default_rng(2).random(900) < share
    part = rows.part(inside)
    whole, own = (pr.State(range(3), measure).update(r.y, r.P) for r in (rows, part))
    all_sums = pr.InfluenceSums(pr.InfluenceTables(whole)).update(rows.y, rows.P)
    sums = pr.InfluenceSums(pr.InfluenceTables(own, whole=whole)).update(part.y, part.P)
    value = sums.compute(whole=all_sums)[measure]
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rows.P, columns=list("abc")).assign(
        y=np.array(list("abc"))[rows.y], k=inside
    )
    table = pr.evaluate(frame, y_true="y", y_score=list("abc"), measure=library(measure), by="k")
    wanted = table[table["k"].astype(bool)].iloc[0]
    assert isinstance(value, pr.StateValue)
    assert value.standard_error == pytest.approx(wanted.standard_error, rel=1e-12)
    assert value.difference == pytest.approx(wanted.difference, abs=1e-13)
    ends = [wanted.difference_low, wanted.difference_high]
    np.testing.assert_allclose(value.difference_interval, ends, atol=1e-10)
    assert value.p_value == pytest.approx(wanted.p_value, abs=1e-9)
    assert "difference from all rows" in repr(value)


def test_what_a_person_sees() -> None:
    rows = softmax_rows(N, 3, "moderate", 13)
    value = evaluated(rows, "hand_till")["hand_till"]
    assert "95 % DeLong (t) interval: 0." in repr(value)
    both = evaluated(rows, "hand_till", scores={"a": rows.P, "b": rows.P[:, ::-1]})
    assert repr(both).startswith("a: hand_till 0.")
    assert "a - b: +" in repr(both)
    assert set(both["hand_till"].to_frame().columns) >= {"first", "second", "p_value"}
    assert both.to_dict()["hand_till"]["models"]["a"]["n"] == N
    with pytest.raises(KeyError, match="there are hand_till"):
        both["auc"]


@pytest.mark.parametrize("others", [2.0, 0.5])
def test_a_batch_without_weights_has_rows_of_weight_one(others: float) -> None:
    rows = softmax_rows(N, 3, "moderate", 6)
    weights = np.where(np.arange(N) < N // 2, 1.0, others)
    batches = batches_of(rows, N // 2, sample_weight=weights)
    del batches[0]["sample_weight"]
    found = pr.evaluate_batches(batches, labels=range(3), measures="hand_till")["hand_till"]
    wanted = pr.delong(rows.y, rows.P, "hand_till", sample_weight=weights)
    assert found.standard_error == pytest.approx(wanted.standard_error, rel=1e-9)
    assert found.interval == pytest.approx(wanted.interval, rel=1e-9)


def test_weights_that_the_first_pass_did_not_see_are_refused() -> None:
    rows = softmax_rows(60, 3, "moderate", 1)
    state = pr.State(range(3), "hand_till").update(rows.y, rows.P)
    sums = pr.InfluenceSums(pr.InfluenceTables(state))
    with pytest.raises(ValueError, match="a weight was not seen in the first pass"):
        sums.update(rows.y, rows.P, sample_weight=np.full(60, 2.0))


def test_rare_classes_cost_digits_of_the_error_and_more_bins_bring_them_back() -> None:
    """Which rows of a bin stand above which is lost; a class of 50 rows averages little of it."""
    rng = np.random.default_rng(4)
    y = np.concatenate([np.repeat(np.arange(10), 20), rng.choice(10, 29_800, p=_halving(10))])
    z = rng.normal(size=(len(y), 10))
    z[np.arange(len(y)), y] += 1.3
    P = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    wanted = pr.delong(y, P, "hand_till").standard_error
    off = {}
    for bins in (1024, 4096, 1 << 16):
        found = pr.evaluate_batches([(y, P)], labels=range(10), max_bins=bins)["hand_till"]
        off[bins] = abs(found.standard_error / wanted - 1.0)
    assert off[1024] < 2e-3
    assert off[4096] < 5e-4
    assert off[1 << 16] < 1e-12


def _halving(count: int) -> Any:
    share = 0.5 ** np.arange(count)
    return share / share.sum()


@pytest.mark.parametrize("seed", range(6))
def test_what_rounding_alone_leaves_of_values_is_summed_up(seed: int) -> None:
    """Of classes that are apart all rows are worth the same, and their mean is so but for rounding.

    Times the share of a row that weighs little, and to the fourth power, some 1e-108 is left.
    """
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 3
    P = 0.05 + 0.1 * rng.random((40, 3))
    P[np.arange(40), y] = 0.8 + 0.1 * rng.random(40)
    weight = 2.0 ** rng.integers(0, 31, 40)
    names = ["hand_till", "one_vs_rest"]
    found = evaluated(Rows(y, P), names, sample_weight=weight)
    for name in names:
        wanted = pr.delong(y, P, name, sample_weight=weight)
        assert found[name].estimate == wanted.estimate == 1.0
        assert found[name].standard_error == pytest.approx(wanted.standard_error, abs=1e-12)
        np.testing.assert_allclose(found[name].interval, wanted.interval, rtol=1e-9)
