"""A row of frequency 3 is three rows: for values, errors, resampling and degrees of freedom."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest

RNG = np.random.default_rng(5)
Y = np.repeat([0, 1, 2], [14, 9, 11])
P = RNG.random((len(Y), 3)).round(2)
P[np.arange(len(Y)), Y] += 0.4
TIMES = RNG.integers(0, 4, len(Y))
TIMES[[0, 15, 25]] = 3
GROUPS = np.arange(len(Y)) // 3
SEEN = np.repeat(np.arange(len(Y)), TIMES)


def _same(one: Any, other: Any) -> None:
    assert one.estimate == other.estimate
    np.testing.assert_allclose(one.interval, other.interval, rtol=1e-13)
    np.testing.assert_array_equal(one.sizes, other.sizes)


@pytest.mark.parametrize("measure", ["hand_till", "auc_mu", "one_vs_rest"])
@pytest.mark.parametrize("options", [{}, {"stratify": False}, {"groups": GROUPS}])
def test_delong(measure: str, options: dict[str, Any]) -> None:
    found = pr.delong(Y, P, measure, frequency_weight=TIMES, **options)
    repeats = {name: value[SEEN] if name == "groups" else value for name, value in options.items()}
    wanted = pr.delong(Y[SEEN], P[SEEN], measure, **repeats)
    _same(found, wanted)
    assert found.freedom == pytest.approx(wanted.freedom)
    assert found.n_units == wanted.n_units


def test_it_is_not_a_sample_weight() -> None:
    frequent = pr.delong(Y, P, "hand_till", frequency_weight=np.full(len(Y), 4))
    weighted = pr.delong(Y, P, "hand_till", sample_weight=np.full(len(Y), 4.0))
    assert frequent.estimate == weighted.estimate
    assert frequent.standard_error < 0.6 * weighted.standard_error


def test_bootstrap() -> None:
    found = pr.bootstrap(Y, P, "hand_till", frequency_weight=TIMES, n_resamples=99, seed=3)
    wanted = pr.bootstrap(Y[SEEN], P[SEEN], "hand_till", n_resamples=99, seed=3)
    _same(found, wanted)
    np.testing.assert_array_equal(found.replicates, wanted.replicates)


def test_compare() -> None:
    models = {"a": P, "b": P[:, [0, 2, 1]]}
    found = pr.compare(Y, models, "auc_mu", frequency_weight=TIMES)
    wanted = pr.compare(Y[SEEN], {name: p[SEEN] for name, p in models.items()}, "auc_mu")
    assert found.p_value == pytest.approx(wanted.p_value)
    np.testing.assert_allclose(found.covariance, wanted.covariance, rtol=1e-12)
    apart = {"a": Y, "b": Y}
    times = {"a": TIMES, "b": TIMES}
    assert pr.compare(apart, models, "auc_mu", frequency_weight=times).sizes.shape == (2, 3)


def test_with_sample_weights_too() -> None:
    weights = RNG.random(len(Y)) + 0.5
    found = pr.delong(Y, P, "hand_till", frequency_weight=TIMES, sample_weight=weights)
    _same(found, pr.delong(Y[SEEN], P[SEEN], "hand_till", sample_weight=weights[SEEN]))


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (TIMES[:-1], r"frequency_weight has 33 values for 34 rows; pass one per row"),
        (TIMES - 1.0, r"frequency_weight\[\d+\] is -1.0; frequencies are whole numbers of rows"),
        (TIMES + 0.5, r"frequency_weight\[0\] is 3.5; .* pass other weights as sample_weight"),
        (np.zeros(len(Y)), r"frequency_weight is zero in every row"),
        (np.where(Y == 0, 2, 0), r"every row of positive weight has the label 0"),
        (np.full(len(Y), 1e9), r"frequency_weight stands for 3.4e\+10 rows"),
    ],
)
def test_errors(times: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pr.delong(Y, P, "hand_till", frequency_weight=times)


@pytest.mark.parametrize("groups", [GROUPS[:-3], np.append(GROUPS, 0)])
def test_groups_of_another_length(groups: Any) -> None:
    with pytest.raises(ValueError, match=r"groups has .* values for 34 rows"):
        pr.delong(Y, P, "hand_till", frequency_weight=TIMES, groups=groups)
