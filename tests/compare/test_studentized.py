"""The studentised permutation test: its statistic, its permutations, what it is not for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._compare import studentized
from scipy import stats

from oracle import compare_reference as slow

RUN: dict[str, Any] = {"method": "permutation", "n_resamples": 199, "seed": 3}


def delong_statistic(y: Any, a: Any, b: Any) -> float:
    """The difference of two AUCs in standard errors, by placements as DeLong has them."""
    moved = [[], []]  # type: ignore[var-annotated]
    for x in (a, b):
        won = (x[y == 1] > x[y == 0][:, None]) + (x[y == 1] == x[y == 0][:, None]) / 2
        moved[0].append(won.mean(axis=1))
        moved[1].append(won.mean(axis=0))
    d = [one - other for one, other in moved]
    variance = sum(np.var(part, ddof=1) / len(part) for part in d)
    return 0.0 if abs(d[0].mean()) < 1e-12 else float(abs(d[0].mean()) / math.sqrt(variance))


@pytest.mark.parametrize("digits", [0, 8])
def test_permutations_are_compared_in_their_own_errors(digits: int) -> None:
    y, a, b = slow.binary(40, digits=digits)
    c = pr.compare(y, {"a": a, "b": b}, "auc", statistic="studentized", **RUN)
    ranks = [stats.rankdata(x) for x in (a, b)]
    observed = delong_statistic(y, *ranks)
    drawn = [
        delong_statistic(y, np.where(own, *ranks), np.where(own, *ranks[::-1]))
        for own in slow.coins(40, 3, 199)[:, :40] > 0
    ]
    expected = (1 + np.count_nonzero(np.array(drawn) >= observed * (1 - 1e-9))) / 200
    assert c.p_value == expected
    assert c.statistic == "studentized"
    british = pr.compare(y, {"a": a, "b": b}, "auc", statistic="studentised", **RUN)
    assert british.p_value == c.p_value


@pytest.mark.parametrize("name", ["M", "macro", "micro", "prevalence"])
def test_where_errors_are_alike_it_is_the_plain_test(name: str) -> None:
    y, A, B = slow.scored(60)
    models, measure = {"a": A, "b": B}, slow.MEASURES[name]
    plain = pr.compare(y, models, measure, **RUN)
    c = pr.compare(y, models, measure, statistic="studentized", **RUN)
    assert c.p_value == pytest.approx(plain.p_value, abs=0.08)
    assert (c.difference, c.standard_error) == (plain.difference, plain.standard_error)
    w = np.random.default_rng(1).integers(0, 3, 60).astype(float)
    weighted = pr.compare(y, models, measure, statistic="studentized", sample_weight=w, **RUN)
    again = pr.compare(y, models, measure, sample_weight=w, **RUN)
    assert weighted.p_value == pytest.approx(again.p_value, abs=0.12)


def test_groups_are_exchanged_whole() -> None:
    y, A, B = slow.scored(60)
    groups = np.arange(60) % 20
    c = pr.compare(y, {"a": A, "b": B}, "hand_till", groups=groups, statistic="studentized", **RUN)
    plain = pr.compare(y, {"a": A, "b": B}, "hand_till", groups=groups, **RUN)
    assert c.p_value == pytest.approx(plain.p_value, abs=0.1)


def test_equal_models_and_several() -> None:
    y, A, B = slow.scored(60)
    models = {"a": A, "b": np.exp(A), "c": B}
    c = pr.compare(y, models, "hand_till", statistic="studentized", **RUN)
    assert c.pairs[0].p_value == 1
    done: list[tuple[int, int]] = []
    again = pr.compare(
        y, models, "hand_till", statistic="studentized", progress=lambda *x: done.append(x), **RUN
    )
    assert [one.p_value for one in again.pairs] == [one.p_value for one in c.pairs]
    assert done[-1] == (3 * 199, 3 * 199)


def test_the_result_says_what_was_tested() -> None:
    y, A, B = slow.scored(60)
    plain = repr(pr.compare(y, {"a": A, "b": B}, "hand_till", **RUN))
    assert "p by permutation, which tests that models are exchangeable; errors and" in plain
    c = pr.compare(y, {"a": A, "b": B}, "hand_till", statistic="studentized", **RUN)
    assert "p by studentized permutation, approximate unless models are exchangeable" in repr(c)
    assert c.to_dict()["statistic"] == "studentized"


def test_what_it_is_not_for(monkeypatch: pytest.MonkeyPatch) -> None:
    y, A, B = slow.scored(60)
    models: dict[str, Any] = {"a": A, "b": B}

    def refused(message: str, measure: Any = "hand_till", y: Any = y, **options: Any) -> None:
        given = {**RUN, "statistic": "studentized", **options}
        with pytest.raises(ValueError, match=message):
            pr.compare(y, models, measure, **given)

    refused(r"^statistic='studentized' is for method='permutation', not 'delong'", method="delong")
    refused(r"^statistic is 'rank'; choose one of 'difference', 'studentized'$", statistic="rank")
    refused(r"exchanges columns of scores, and AucMu\(\) projects them; ", "auc_mu")
    two, a, b = slow.binary(60)
    with pytest.raises(
        ValueError, match=r"and KolmogorovSmirnov\(\) has none in closed form; leave "
    ):
        pr.compare(two, {"a": a, "b": b}, "kolmogorov_smirnov", statistic="studentized", **RUN)
    alone = y.copy()
    alone[alone == 2] = 1
    alone[0] = 2
    refused(r"which a class of a single row does not have; leave statistic out$", y=alone)
    monkeypatch.setattr(studentized, "MOST_WORK", 36_000)
    refused(r"too much for 199 permutations of 60 rows; pass n_resamples=100, or leave statistic")
    monkeypatch.setattr(studentized, "MOST_WORK", 100)
    refused(r"too much for 199 permutations of 60 rows; leave statistic out: so many rows ")
