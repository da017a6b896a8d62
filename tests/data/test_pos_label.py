"""`pos_label` names the class that high scores stand for, in every call alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

from given.refusals import refused

RNG = np.random.default_rng(8)
SICK = RNG.random(60) < 0.4
Y = np.where(SICK, "alive", "dead")  # the first in sorted order is the one that scores are for
S = RNG.random(60) + 0.4 * SICK
P = np.column_stack([S, RNG.random(60)])
FOLDS = [(Y[k::3], {"one": S[k::3], "two": P[k::3, 1]}) for k in range(3)]
ONE_COLUMN: list[Any] = [
    pr.Auc(), pr.Auc(max_fpr=0.3), pr.KolmogorovSmirnov(), pr.AveragePrecision(),
]  # fmt: skip
EVERY: list[Any] = [*ONE_COLUMN, pr.HandTill(), pr.AucMu(), pr.OneVsRest()]
CALLS: dict[str, Any] = {
    "bootstrap": lambda **o: pr.bootstrap(Y, S, "auc", n_resamples=50, seed=1, **o).interval,
    "delong": lambda **o: pr.delong(Y, S, "auc", **o).interval,
    "compare": lambda **o: pr.compare(Y, {"a": S, "b": P[:, 1]}, "auc", **o).intervals,
    "bradley": lambda **o: pr.bradley(FOLDS, "auc", **o).values,
    "pairwise": lambda **o: pr.pairwise(Y, S, **o),
}


@pytest.mark.parametrize("measure", EVERY, ids=repr)
def test_scores_of_the_first_class(measure: Any) -> None:
    expected = measure(SICK, S)
    assert measure(Y, S, pos_label="alive") == expected == measure(Y, S, labels=["dead", "alive"])
    assert measure(Y, S, pos_label="dead") == measure(Y, S)
    assert measure(SICK, S, pos_label=True) == measure(SICK.astype(int), S, pos_label=1) == expected


@pytest.mark.parametrize("measure", ONE_COLUMN, ids=repr)
def test_of_two_columns_the_one_of_the_class_counts(measure: Any) -> None:
    expected = measure(SICK, S)
    assert measure(Y, P, pos_label="alive") == expected
    assert measure(Y, P, pos_label="dead") == measure(Y, P) == measure(~SICK, P[:, 1])
    frame = pd.DataFrame({"p_dead": P[:, 1], "p_alive": P[:, 0]})
    assert measure(Y, frame, pos_label="alive") == expected
    assert measure(Y, frame, pos_label="dead") == measure(Y, P)


def test_measures_of_both_columns_do_not_change() -> None:
    for measure in (pr.HandTill(), pr.AucMu(), pr.OneVsRest()):
        assert measure(Y, P, pos_label="alive") == pytest.approx(measure(Y, P), abs=1e-15)
    each: Any = pr.OneVsRest(None)
    assert each(Y, P, pos_label="alive").tolist() == each(Y, P)[::-1].tolist()


@pytest.mark.parametrize("name", CALLS)
def test_every_call_takes_it(name: str) -> None:
    call = CALLS[name]
    np.testing.assert_array_equal(call(pos_label="alive"), call(labels=["dead", "alive"]))
    np.testing.assert_array_equal(call(pos_label="dead"), call())
    assert not np.array_equal(call(pos_label="alive"), call(), equal_nan=True)


def test_ranked_integers_turn_too() -> None:
    large = [[2**60, 2**60 + 1], [2**60 + 1, 2**60]]
    assert pr.auc([0, 1], large, pos_label=0) == pr.auc([0, 1], [2, 1], pos_label=0) - 1 == 0
    assert pr.auc([0, 1], large) == 0


def test_a_column_named_after_the_other_class_says_how() -> None:
    named = pd.Series(S, name="p_alive")
    refused(
        ValueError,
        r"^y_score is named 'p_alive', .*pass pos_label='alive', or a bare",
        pr.auc,
        Y,
        named,
    )
    assert pr.auc(Y, named, pos_label="alive") == pr.auc(SICK, S)
    refused(ValueError, r"^y_score is named 'p_alive'", pr.auc, Y, named, pos_label="dead")


def test_it_says_nothing_of_the_order_of_two_columns() -> None:
    y = pd.Series(pd.Categorical(Y, categories=["dead", "alive"]))
    assert pr.auc(y, S, pos_label="alive") == pr.auc(SICK, S)  # of one column it says all
    for label in ("alive", "dead"):
        with pytest.warns(UserWarning, match=r"taken in sorted order, \['alive', 'dead'\]"):
            pr.auc(y, P, pos_label=label)


@pytest.mark.parametrize("name", [*CALLS, "auc"])
def test_faults(name: str) -> None:
    call: Any = CALLS.get(name, lambda **o: pr.auc(Y, S, **o))
    place = r"^(folds\[0\], 'one': )?"
    unknown = place + r"pos_label is 'sick', which is none of the classes \['alive', 'dead'\]; name"
    refused(ValueError, unknown, call, pos_label="sick")
    against = place + r"pos_label is 'alive' but labels is \['alive', 'dead'\], whose second"
    refused(ValueError, against, call, pos_label="alive", labels=["alive", "dead"])


def test_faults_of_the_rows() -> None:
    y, scores = np.arange(9) % 3, RNG.random((9, 3))
    many = r"^pos_label is for two classes but there are 3 \[0, 1, 2\]; .*y_true == label"
    refused(ValueError, many, pr.hand_till, y, scores, pos_label=1)
    refused(ValueError, many, pr.auc, y, scores[:, 0], pos_label=1)
    refused(ValueError, r".*; 1 is of another type$", pr.auc, [0, 1], [1, 2], pos_label="1")
    odd: Any
    for odd in (["alive"], np.array([1, 2]), {}):
        refused(ValueError, r"^pos_label is .*none of the", pr.auc, Y, S, pos_label=odd)
    table = [(k, name, 0.5 + k / 10) for k in range(3) for name in "ab"]
    refused(ValueError, r"^pos_label= is for folds with scores", pr.bradley, table, pos_label=1)


class Fitted:
    classes_ = np.array(["alive", "dead"])

    def predict_proba(self, X: Any) -> Any:
        return np.column_stack([1 - X, X])

    def decision_function(self, X: Any) -> Any:
        return X


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_scorer(method: Any) -> None:
    low = 1 - S / 2
    plain = pr.scorer("average_precision", response_method=method)
    turned = pr.scorer("average_precision", response_method=method, pos_label="alive")
    assert plain(Fitted(), low, Y) == pr.average_precision(~SICK, low)
    assert turned(Fitted(), low, Y) == pr.average_precision(SICK, -low)
    assert "pos_label='alive'" in repr(turned)
    assert turned != plain
    unknown = pr.scorer("auc", pos_label="sick")
    refused(ValueError, r"^pos_label is 'sick', which is none", unknown, Fitted(), low, Y)
