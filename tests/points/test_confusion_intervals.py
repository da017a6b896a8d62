"""Intervals of rates: Wilson's and from resamples."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc import _core
from polyroc._data.sample import prepare
from polyroc._points import tally
from polyroc._points.rates import Margins, ratios, shares_of
from polyroc._points.tally import entries_of, resampled
from polyroc._stats.wilson_interval import wilson

from given import core_weights

RATES = ("sensitivity", "specificity", "ppv", "npv", "f1")
RNG = np.random.default_rng(8)
Y = RNG.integers(0, 3, 150)
P = RNG.random((150, 3)) + 0.7 * np.eye(3)[Y]
B, S = Y == 1, RNG.random(150) * 0.7 + 0.3 * (Y == 1)
GROUPS = np.arange(150) // 5


def test_wilson() -> None:
    c = pr.confusion(B, S, confidence=0.9)
    (tn, fp), (fn, tp) = c.counts.tolist()
    expected = {
        "sensitivity": (tp, tp + fn), "specificity": (tn, tn + fp), "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
    }  # fmt: skip
    for name, (x, n) in expected.items():
        np.testing.assert_allclose(c.interval[name][1], wilson(x, n, 0.9), rtol=1e-12)
    np.testing.assert_allclose(c.interval["accuracy"], wilson(tp + tn, 150, 0.9), rtol=1e-12)
    J = wilson(tp, tp + fp + fn, 0.9)
    np.testing.assert_allclose(c.interval["f1"][1], 2 * J / (1 + J), rtol=1e-12)
    assert c.f1[1] / (2 - c.f1[1]) == pytest.approx(tp / (tp + fp + fn))
    assert np.isnan(c.macro_interval["f1"]).all()


def test_values_lie_within_limits() -> None:
    ways: list[dict[str, Any]] = [
        {}, {"groups": GROUPS}, {"sample_weight": RNG.random(150)},
    ]  # fmt: skip
    ways += [{"method": "bootstrap", **way} for way in ways]
    for way in ways:
        c = pr.confusion(Y, P, seed=1, n_resamples=500, **way)
        for name in RATES:
            low, high = c.interval[name].T
            value = getattr(c, name)
            assert (low < value).all()
            assert (value < high).all()
            if "method" in way:
                assert c.macro_interval[name][0] < c.macro[name] < c.macro_interval[name][1]
        assert c.method == way.get("method", "wilson")


def test_resamples_of_units_have_the_weights_of_the_core() -> None:
    """Replicate b is the matrix of rows weighted by the b-th weights, for rows and for groups.

    Rows are numbered cell after cell, groups as they come.
    """
    weights = RNG.random(150)
    said = P.argmax(axis=1)
    sample = prepare(Y, P, sample_weight=weights)
    places = np.empty(150, dtype=int)
    places[np.argsort(3 * Y + said, kind="stable")] = np.arange(150)
    for groups, units in ((None, places), (GROUPS.astype(np.uint32), GROUPS)):
        found = resampled(entries_of(sample, said, groups), 3, 30, 4, 1)
        drawn = core_weights.weights(
            np.zeros(units.max() + 1, np.uint32), 1, _core.Scheme.Multinomial, 4, 0, 30
        )
        for b in range(30):
            expected = np.zeros((3, 3))
            np.add.at(expected, (Y, said), weights * drawn[b, units])
            np.testing.assert_allclose(found.true[b], expected.sum(axis=1), rtol=1e-12)
            np.testing.assert_allclose(found.said[b], expected.sum(axis=0), rtol=1e-12)
            np.testing.assert_allclose(found.right[b], expected.diagonal(), rtol=1e-12)


def test_threads_change_no_resample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "_VALUES", 1000)  # blocks of a few replicates each
    sample, said = prepare(Y, P, sample_weight=RNG.random(150)), P.argmax(axis=1)
    for groups in (None, GROUPS.astype(np.uint32)):
        alone, three = (resampled(entries_of(sample, said, groups), 3, 31, 4, n) for n in (1, 3))
        for one, other in zip(alone, three, strict=True):
            np.testing.assert_array_equal(one, other)


def test_equal_rows_are_counted_and_not_listed() -> None:
    """What intervals read of cells is what they would of rows."""
    said = P.argmax(axis=1)
    cells = entries_of(prepare(Y, P), said, None)
    rows = entries_of(prepare(Y, P), said, np.arange(150, dtype=np.uint32))
    assert cells.n_units <= 9
    assert rows.n_units == cells.times.sum() == 150
    for k in range(3):
        for power in (1, 2, 3):
            one = np.sum(cells.times * (cells.cell % 3 == k) * cells.cell**power)
            assert one == np.sum((rows.cell % 3 == k) * rows.cell**power)


def test_rows_without_weight_are_no_units() -> None:
    weights = np.where(np.arange(150) % 3 == 0, 0.0, 1.5)
    kept = weights > 0
    run: dict[str, Any] = {"seed": 2, "n_resamples": 50}
    for method in ("wilson", "bootstrap"):
        one = pr.confusion(Y, P, sample_weight=weights, method=method, **run)
        other = pr.confusion(Y[kept], P[kept], sample_weight=weights[kept], method=method, **run)
        assert one == other


def test_shares_add_up_to_the_ratios() -> None:
    said = P.argmax(axis=1)
    counts = pr.confusion(Y, P).counts
    for name, ratio in ratios(Margins.of(counts)).items():
        for k in range(1 if name == "accuracy" else 3):
            right = (Y == said, Y == said) if name == "accuracy" else (Y == k, said == k)
            above, below = shares_of(name, *right)
            assert above.sum() == np.ravel(ratio.above)[k]
            assert below.sum() == np.ravel(ratio.below)[k]


def test_cells_and_rows_are_drawn_by_one_law() -> None:
    """Equal weights say the same as none; only the random numbers differ."""
    cells = pr.confusion(Y, P, method="bootstrap", n_resamples=20_000, seed=1)
    rows = pr.confusion(
        Y, P, sample_weight=np.full(150, 2.0), n_resamples=20_000, method="bootstrap", seed=1
    )
    alone = pr.confusion(
        Y, P, groups=np.arange(150), n_resamples=20_000, method="bootstrap", seed=1
    )
    for name in RATES:
        np.testing.assert_allclose(cells.interval[name], rows.interval[name], atol=0.012)
        np.testing.assert_allclose(rows.interval[name], alone.interval[name], atol=0.012)
        np.testing.assert_allclose(
            cells.macro_interval[name], rows.macro_interval[name], atol=0.012
        )


def test_wilson_and_bootstrap_tell_alike() -> None:
    y = np.tile([0, 0, 1], 400)
    s = np.random.default_rng(1).random(1200) * 0.6 + 0.3 * y
    one = pr.confusion(y, s)
    other = pr.confusion(y, s, method="bootstrap", seed=1, n_resamples=5000)
    for name in RATES:
        np.testing.assert_allclose(one.interval[name], other.interval[name], atol=0.006)


def test_repeated_rows_in_groups_are_no_new_rows() -> None:
    """Each row five times in a group of its own is as sure as each row once."""
    many = np.repeat(np.arange(150), 5)
    grouped = pr.confusion(
        Y[many], P[many], groups=many, method="bootstrap", seed=1, n_resamples=2000
    )
    once = pr.confusion(Y, P, groups=np.arange(150), method="bootstrap", seed=1, n_resamples=2000)
    for name in RATES:
        np.testing.assert_allclose(grouped.interval[name], once.interval[name], atol=1e-9)


def test_a_rate_without_spread_has_wilsons_interval() -> None:
    y = np.repeat([0, 1], 20)
    c = pr.confusion(
        y, y + 0.0, sample_weight=np.full(40, 3.0), method="bootstrap", seed=1, n_resamples=100
    )
    np.testing.assert_allclose(c.interval["sensitivity"][1], wilson(20, 20, 0.95))
    np.testing.assert_allclose(c.interval["accuracy"], wilson(40, 40, 0.95))
    assert "the interval is Wilson's for the rows that would count as much" in repr(c)
    grouped = pr.confusion(
        y, y + 0.0, groups=np.arange(40) // 4, method="bootstrap", seed=1, n_resamples=100
    )
    np.testing.assert_allclose(grouped.interval["accuracy"], wilson(10, 10, 0.95))


def test_seeds() -> None:
    one = pr.confusion(Y, P, groups=GROUPS, method="bootstrap", seed=5, n_resamples=100)
    assert one == pr.confusion(Y, P, groups=GROUPS, method="bootstrap", seed=5, n_resamples=100)
    assert one != pr.confusion(Y, P, groups=GROUPS, method="bootstrap", seed=6, n_resamples=100)
    drawn = pr.confusion(Y, P, method="bootstrap", n_resamples=100)
    assert drawn == pr.confusion(Y, P, method="bootstrap", n_resamples=100, seed=drawn.seed)


def test_many_resamples_come_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pr.confusion(Y, P, groups=GROUPS, method="bootstrap", seed=5, n_resamples=100)
    cells = pr.confusion(Y, P, method="bootstrap", seed=5, n_resamples=100)
    monkeypatch.setattr("polyroc._points.tally._VALUES", 500)
    assert whole == pr.confusion(Y, P, groups=GROUPS, method="bootstrap", seed=5, n_resamples=100)
    assert cells == pr.confusion(Y, P, method="bootstrap", seed=5, n_resamples=100)


@pytest.mark.parametrize("way", ["wilson", "weights", "groups"])
def test_coverage(way: str) -> None:
    """95 % intervals of sensitivity, PPV and F1 cover what they estimate, near enough."""
    rng = np.random.default_rng(7)
    said_given = np.array([0.1, 0.8])  # P(said 1) of the classes
    truth = {"sensitivity": 0.8, "ppv": 0.3 * 0.8 / (0.3 * 0.8 + 0.7 * 0.1)}
    truth["f1"] = 2 * truth["sensitivity"] * truth["ppv"] / sum(truth.values())
    options: dict[str, Any] = {}
    covered = dict.fromkeys(truth, 0)
    for seed in range(200):
        y = (rng.random(200) < 0.3).astype(int)
        s = (rng.random(200) < said_given[y]).astype(float)
        if way == "weights":
            options = {"sample_weight": rng.uniform(0.5, 1.5, 200)}
        elif way == "groups":
            y, s = np.repeat(y, 2), np.repeat(s, 2)
            options = {"groups": np.arange(400) // 2}
        c = pr.confusion(y, s, method="bootstrap", seed=seed, n_resamples=400, **options)
        for name, value in truth.items():
            low, high = c.interval[name][1]
            covered[name] += bool(low <= value <= high)
    assert all(180 <= count <= 199 for count in covered.values()), covered
