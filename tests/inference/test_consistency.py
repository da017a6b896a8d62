"""The same data in another form give the same results: dtypes, containers, parts, pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polyroc as pr
import pytest

Y, MODELS = pr.example_predictions()
Y = Y[::3]
P = MODELS["naive Bayes"][::3]  # float32
TWICE: dict[str, Any] = {"single": P, "double": P.astype(np.float64)}


@pytest.mark.parametrize("method", ["delong", "bootstrap", "permutation"])
def test_a_model_does_not_differ_from_itself_in_another_precision(method: Any) -> None:
    # By itself, either precision ties what its own rounding can explain.
    assert pr.auc_mu(Y, TWICE["single"]) != pr.auc_mu(Y, TWICE["double"])
    c = pr.compare(Y, TWICE, "auc_mu", method=method, n_resamples=199, seed=1)
    assert c.difference == 0.0
    assert c.p_value == 1.0


def test_nor_does_a_classifier_in_bradleys_protocol() -> None:
    pytest.importorskip("scipy")
    fold = np.arange(len(Y)) % 4
    folds = [(Y[fold == k], {n: s[fold == k] for n, s in TWICE.items()}) for k in range(4)]
    result = pr.bradley(folds, "auc_mu")
    assert (result.values[:, 0] == result.values[:, 1]).all()


@pytest.mark.parametrize("call", [
    lambda y, p: pr.delong(y, p, "hand_till", pairs=True, reference="normal").pairs,
    lambda y, p: pr.bootstrap(y, p, "hand_till", pairs=True, n_resamples=99, seed=1).pairs,
])  # fmt: skip
def test_a_perfect_pair_has_the_limits_of_its_own_classes(call: Any) -> None:
    # Classes 0 and 1 are told apart perfectly; the three rows of class 2 are no concern of theirs.
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [50, 40, 3])
    scores = np.eye(3)[y] + 0.05 * rng.normal(size=(93, 3))
    scores[y == 2] += rng.normal(size=(3, 3))
    alone = pr.delong(y[y < 2], (scores[:, 1] - scores[:, 0])[y < 2], "auc",
                      reference="normal")  # fmt: skip
    assert alone.method == "newcombe"
    np.testing.assert_allclose(call(y, scores).interval[0, 1], alone.interval, rtol=1e-12)


def test_a_perfect_class_has_the_limits_of_itself_and_the_rest() -> None:
    y = np.repeat([0, 1, 2], [20, 30, 4])
    scores = np.random.default_rng(1).random((54, 3))
    scores[:, 0] = y == 0
    each = pr.OneVsRest(None)
    by_t = pr.delong(y == 0, scores[:, 0], "auc").interval
    np.testing.assert_allclose(pr.delong(y, scores, each).interval[0], by_t, rtol=1e-12)
    alone = pr.delong(y == 0, scores[:, 0], "auc", reference="normal").interval
    found = pr.delong(y, scores, each, reference="normal")
    np.testing.assert_allclose(found.interval[0], alone, rtol=1e-12)
    drawn = pr.bootstrap(y, scores, each, n_resamples=99, seed=1, stratify=True)
    np.testing.assert_allclose(drawn.interval[0], alone, rtol=1e-12)
    # Groups with rows of several classes count once for the rest.
    grouped = pr.delong(y, scores, each, groups=np.r_[:20, np.arange(34) % 30 + 20],
                        reference="normal")  # fmt: skip
    assert grouped.interval[0, 0] == pytest.approx(alone[0], abs=0.01)


@pytest.mark.parametrize("form", [list, np.array, pd.Series, pl.Series, pd.Categorical])
def test_groups_are_the_same_units_in_any_container(form: Any) -> None:
    names = [f"p{(7 * k) % 40}" for k in range(len(Y))]
    numbers = [int(name[1:]) for name in names]
    expected = pr.bootstrap(Y, P, groups=numbers, n_resamples=99, seed=1)
    found = pr.bootstrap(Y, P, groups=form(names), n_resamples=99, seed=1)
    assert found.replicates.tolist() == expected.replicates.tolist()


def test_one_group_is_nothing_to_draw_from() -> None:
    with pytest.raises(ValueError, match=r"^groups puts all rows into one group, .* leave groups"):
        pr.bootstrap(Y, P, groups=np.zeros(len(Y)))


def test_equal_replicates_have_no_spread() -> None:
    y, scores = [0] * 5 + [1] * 5, [0.1 * k for k in range(10)]
    result = pr.bootstrap(y, scores, "auc", n_resamples=300, seed=1)
    assert result.standard_error == 0.0


def halves(scores: Any, **options: Any) -> list[pr.BootstrapResult]:
    return [
        pr.bootstrap(Y, scores, n_resamples=40, seed=1, replicates=part, **options)
        for part in (range(20), range(20, 40))
    ]


def test_parts_of_other_options_do_not_join() -> None:
    _, second = halves(P)
    for other in ({"method": "percentile"}, {"confidence": 0.9}, {"sides": "lower"}):
        first, _ = halves(P, **other)
        with pytest.raises(ValueError, match=r"asked for different things \(method, confidence"):
            pr.BootstrapResult.join([first, second])


def test_parts_with_the_estimate_of_other_data_do_not_join() -> None:
    # Both have an AUC of 3/4, by different rows.
    y = [0, 0, 1, 1]
    parts = [
        pr.bootstrap(y, scores, "auc", n_resamples=8, seed=1, replicates=part)
        for scores, part in (([1, 3, 2, 4], range(4)), ([2, 2, 2, 4], range(4, 8)))
    ]
    assert parts[0].estimate == parts[1].estimate == 0.75
    with pytest.raises(ValueError, match=r"^the results have different influence values; were"):
        pr.BootstrapResult.join(parts)


def test_as_many_digits_as_the_error_has() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(20_000) % 2
    scores = rng.normal(size=20_000) + 6 * y
    for result in (pr.delong(y, scores, "auc"), pr.bootstrap(y, scores, "auc", seed=1)):
        assert f"{result.estimate:.7f}" in repr(result)
        assert f"{result.interval[0]:.7f} to {result.interval[1]:.7f}" in repr(result)


def test_how_many_replicates_a_level_wants() -> None:
    few = pr.bootstrap(Y, P, n_resamples=1000, confidence=0.9999, method="percentile", seed=1)
    assert few.notes[0].endswith("pass n_resamples=200000 or more")
    c = pr.compare(Y, TWICE, "hand_till", method="bootstrap", n_resamples=20, seed=1)
    assert any(note.startswith("20 replicates are few for limits at 95 %") for note in c.notes)


def test_a_permutation_test_needs_no_errors() -> None:
    rng = np.random.default_rng(2)
    y = np.arange(60) % 2
    two = {"a": rng.normal(size=60) + 2 * y, "b": rng.normal(size=60)}
    c = pr.compare(y, two, pr.TprAt(0.2), method="permutation", n_resamples=999, seed=1)
    assert c.p_value < 0.01
    assert np.isnan([c.standard_error, *c.interval, *c.standard_errors]).all()
    assert "no closed-form errors here" in c.notes[0]
    assert "no closed-form errors here" in repr(c)
    assert c.to_dict()["pairs"][0]["standard_error"] is None
    # A class of one row: the p-value is that of all places where the row can stand.
    one, a, b = [0] * 9 + [1], [*range(9), 8.5], [*range(9), 1.5]
    lone = pr.compare(one, {"a": a, "b": b}, "auc", method="permutation", n_resamples=999, seed=1)
    assert lone.difference == pytest.approx(7 / 9)
    assert 0 < lone.p_value < 1
    three = {"a": a, "b": b, "c": [*range(9), 4.5]}
    all_of = pr.compare(one, three, "auc", method="permutation", n_resamples=99, seed=1)
    least = min(pair.p_value for pair in all_of.pairs)
    assert all_of.overall.p_value == pytest.approx(min(3 * least, 1))
    assert "Bonferroni" in all_of.overall.note
    assert "chi-square" not in repr(all_of)
    assert "by DeLong" not in repr(all_of)


@pytest.mark.parametrize("form", [list, np.array])
def test_classes_are_plain_whatever_names_them(form: Any) -> None:
    y, scores = [0, 1, 2] * 4, np.random.default_rng(0).random((12, 3))
    result = pr.delong(y, scores, labels=form([2, 0, 1]))
    assert result.to_dict()["classes"] == [2, 0, 1]
    assert [type(label) for label in result.classes] == [int] * 3


def test_dates_are_classes_by_their_names() -> None:
    y = np.array(["2026-01-01", "2026-01-02"] * 6, dtype="datetime64[ns]")
    result = pr.delong(y, np.random.default_rng(0).random(12), "auc")
    assert result.to_dict()["classes"][0].startswith("2026-01-01")


def test_a_pairs_statistic_gives_its_p_value() -> None:
    stats = pytest.importorskip("scipy.stats")
    y = np.arange(60) % 3
    rng = np.random.default_rng(4)
    models = {name: rng.normal(size=(60, 3)) + np.eye(3)[y] for name in "ab"}
    # By t the p-value is that of limits made apart on either side, not of the statistic.
    choices: list[dict[str, Any]] = [
        {"method": "bootstrap", "reference": "normal", "n_resamples": 99, "seed": 1},
        {"stratify": False, "reference": "normal"},
    ]
    for options in choices:
        c = pr.compare(y, models, "hand_till", **options)
        pair = c.pairs[0]
        p = 2 * stats.t.sf(abs(pair.statistic), pair.freedom)
        assert pair.p_value == pytest.approx(p, rel=1e-9)
        assert c.overall.statistic == pytest.approx(pair.statistic**2, rel=1e-6)


def test_a_confidence_of_nothing_is_a_point() -> None:
    c = pr.compare(Y, TWICE, "auc_mu", confidence=1e-17, reference="t")
    assert c.interval.tolist() == [0.0, 0.0]
