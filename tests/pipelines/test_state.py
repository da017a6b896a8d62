"""Values of states: the library's own while exact, within their bound after bins were joined."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from given.shards import REGIMES, Rows, softmax_rows
from oracle.state_reference import measure as slow

MEASURES = ("hand_till", "one_vs_rest", "auc_mu")
LIBRARY: dict[str, Any] = {
    "auc": pr.auc,
    "hand_till": pr.hand_till,
    "one_vs_rest": pr.one_vs_rest,
    "auc_mu": pr.AucMu(ties="exact"),
}


def state_of(rows: Rows, measures: Any = MEASURES, **options: Any) -> pr.State:
    labels = range(rows.P.shape[1] if rows.P.ndim == 2 else 2)
    state = pr.State(labels, measures, **options)
    return state.update(rows.y, rows.P, sample_weight=rows.w)


def library(name: str, rows: Rows) -> float:
    return float(LIBRARY[name](rows.y, rows.P, sample_weight=rows.w))


def weights_of(kind: str, n: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    if kind == "none":
        return None
    return rng.integers(0, 5, n).astype(float) if kind == "whole" else rng.gamma(2.0, size=n)


@pytest.mark.parametrize("weights", ["none", "whole", "real"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("regime", REGIMES)
def test_while_exact_values_are_the_librarys(regime: str, dtype: str, weights: str) -> None:
    rows = softmax_rows(400, 4, regime, 1, dtype)
    rows = rows._replace(w=weights_of(weights, 400, 2))
    for name, value in state_of(rows).compute().items():
        assert abs(value.estimate - library(name, rows)) <= 1e-12 + value.error_bound
        assert value.exact == (weights != "real")
        assert value.error_bound == 0.0 if value.exact else value.error_bound < 1e-7
        assert value.n == value.class_counts.sum() == 400


@pytest.mark.parametrize("key", ["fold", "float"])
@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("most", [2, 7, 60, 300])
def test_bins_are_those_of_the_slow_way(regime: str, key: str, most: int) -> None:
    rows = softmax_rows(90, 3, regime, most)
    rows = rows._replace(w=weights_of("whole", 90, 3))
    found = state_of(rows, key=key, max_bins=most).compute()
    for name in MEASURES:
        wanted, exact = slow(name, rows.y, rows.P, rows.w, most, key)
        assert found[name].exact == exact
        np.testing.assert_allclose(found[name].estimate, float(wanted.value), rtol=1e-13)
        if not exact:
            np.testing.assert_allclose(found[name].error_bound, float(wanted.loose), rtol=1e-12)


@given(
    regime=st.sampled_from(REGIMES),
    most=st.integers(2, 200),
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from(["float32", "float64"]),
    weights=st.sampled_from(["none", "whole", "real"]),
    step=st.sampled_from([0.0, 0.01, 0.2]),
    margins=st.booleans(),
)
def test_the_bound_is_never_broken(
    regime: str, most: int, seed: int, dtype: str, weights: str, step: float, margins: bool
) -> None:
    rows = softmax_rows(120, 3, regime, seed)
    P = np.log(rows.P) if margins else rows.P
    if step:
        P = np.round(P / step) * step
    P = P.astype(dtype)
    rows = Rows(rows.y, P if margins else P.clip(0, 1), weights_of(weights, 120, seed))
    state = state_of(rows, key="float" if margins else "fold", max_bins=most)
    for name, value in state.compute().items():
        assert abs(value.estimate - library(name, rows)) <= value.error_bound + 1e-12


def test_class_counts_make_a_small_state_with_the_same_value() -> None:
    rows = softmax_rows(3000, 12, "confident", 5)
    counts = np.bincount(rows.y)
    for most in (64, 4096):
        plain = state_of(rows, ["hand_till", "one_vs_rest"], max_bins=most)
        known = state_of(rows, ["hand_till", "one_vs_rest"], max_bins=most, class_counts=counts)
        for name, value in plain.compute().items():
            other = known.compute()[name]
            np.testing.assert_allclose(other.estimate, value.estimate, rtol=1e-13)
            np.testing.assert_allclose(other.error_bound, value.error_bound, rtol=1e-11)
            assert other.exact == value.exact == (most == 4096)


@pytest.mark.parametrize("columns", [1, 2])
def test_two_classes_have_delongs_error(columns: int) -> None:
    rows = softmax_rows(700, 2, "moderate", 6)
    P = rows.P[:, 1] if columns == 1 else rows.P
    wanted = pr.delong(rows.y, P, "auc")
    found = pr.State([0, 1], "auc").update(rows.y, P).compute()["auc"]
    assert found.estimate == wanted.estimate
    np.testing.assert_allclose(found.standard_error, wanted.standard_error, rtol=1e-12)
    np.testing.assert_allclose(found.interval, wanted.interval, rtol=1e-12)


def test_one_column_is_every_measure_of_two_classes() -> None:
    rows = softmax_rows(300, 2, "moderate", 7)
    found = state_of(Rows(rows.y, rows.P[:, 1])).compute()
    for name in MEASURES:
        assert found[name].estimate == pytest.approx(pr.auc(rows.y, rows.P[:, 1]), abs=1e-13)


def test_other_labels_and_extreme_scores() -> None:
    y = np.array(["no", "yes", "no", "yes", "no", "yes"])
    x = np.array([-np.inf, np.inf, -0.0, 0.0, 1e-300, 5e-324])
    found = pr.State(["no", "yes"], "auc", key="float").update(y, x).compute()["auc"]
    assert found.estimate == pr.auc(y, x)
    p = np.array([0.0, 1.0, -0.0, 5e-324, 1 - 2.0**-53, 0.5])
    found = pr.State(["no", "yes"], "auc").update(y, p).compute()["auc"]
    assert found.estimate == pr.auc(y, p)


def test_a_batch_may_lack_classes_and_rows() -> None:
    rows = softmax_rows(200, 3, "moderate", 8)
    state = pr.State(range(3), MEASURES)
    state.update([], np.empty((0, 3)))
    for k in range(3):
        state.update(rows.y[rows.y == k], rows.P[rows.y == k])
    assert state == state_of(rows)
    assert (state.n, state.exact, state.key, state.max_bins) == (200, True, "fold", 16384)
    assert state.class_counts.tolist() == np.bincount(rows.y).tolist()


def test_what_a_person_sees() -> None:
    rows = softmax_rows(500, 3, "moderate", 9)
    state = state_of(rows)
    assert repr(state) == (
        "State of hand_till, one_vs_rest, auc_mu, 3 classes: 500 rows, at most 500 distinct "
        "scores in a column, exact"
    )
    assert repr(pr.State([0, 1], "auc")) == "State of auc, 2 classes: 0 rows"
    coarse = state_of(rows, "hand_till", max_bins=50)
    assert "bins in a column" in repr(coarse)
    text = repr(coarse.compute())
    assert text.startswith("hand_till 0.")
    assert "of exact\n  500 rows" in text
    assert coarse.compute()["hand_till"].to_dict()["n"] == 500
    with pytest.raises(KeyError, match="no measure 'auc'; there are hand_till"):
        coarse.compute()["auc"]


def test_a_binary_area_without_an_error_says_why() -> None:
    y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    weighted = pr.State([0, 1], "auc").update(y, s, sample_weight=[1, 2, 1, 1]).compute()
    why = "no standard error: weighted rows need a second pass (pr.InfluenceTables)"
    assert repr(weighted).startswith(f"auc 0.6667, exact, {why}\n  4 rows")
    rows = "4 rows, high scores favour class 1"
    assert repr(weighted["auc"]) == f"auc 0.6667, exact\n  {why}\n  {rows}"
    one = pr.State([0, 1], "auc").update(y[1:], s[1:]).compute()
    why = "no standard error: a class has one row"
    assert repr(one).startswith(f"auc 0.5000, exact, {why}\n  3 rows")
    assert "no standard error" not in repr(pr.State([0, 1], "auc").update(y, s).compute())


def test_values_of_a_state_as_a_frame() -> None:
    values = state_of(softmax_rows(60, 3, REGIMES[0], 1)).compute()
    for library in ("pandas", "polars"):
        frame = values.to_frame(library)
        assert frame["measure"].to_list() == list(MEASURES)
        assert frame["estimate"].to_list() == [one.estimate for one in values.values()]
        assert frame["n"].to_list() == [60] * 3
    with pytest.raises(TypeError, match=r"^what is 'pairs' but this result has one table only"):
        values.to_frame(what="pairs")
    lines = values.to_markdown().splitlines()
    assert lines[0] == "| measure | estimate | error bound | n |"
    assert [line.split(" | ")[0] for line in lines[2:]] == [f"| {name}" for name in MEASURES]
    assert values.to_latex().count(r"\\") == 1 + len(MEASURES)
    assert values._repr_html_().count("<tr") == 1 + len(MEASURES)


def test_class_counts_may_be_floats_that_are_whole() -> None:
    rows = softmax_rows(90, 3, "moderate", 1)
    counts = np.bincount(rows.y)
    wanted = pr.State(range(3), "hand_till", class_counts=counts)
    assert pr.State(range(3), "hand_till", class_counts=counts.astype(float)) == wanted
    with pytest.raises(ValueError, match="give the rows of each of the 3 labels, whole numbers"):
        pr.State(range(3), "hand_till", class_counts=[3.5, 1.0, np.nan])
