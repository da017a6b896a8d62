"""Wilson's intervals of rows with weights or in groups, and the counts that they are made with."""

from __future__ import annotations

from typing import Any

import numpy as np
import polyroc as pr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polyroc._points.effective_counts import effective_count, moments_of
from polyroc._points.rates import RATES, shares_of
from polyroc._points.threshold_moments import moments_at
from polyroc._stats.wilson_interval import wilson
from scipy import stats


def reference(
    name: str, y: Any, said: Any, w: Any, g: Any, confidence: float
) -> tuple[float, float]:
    """Return a rate and its effective count, group by group in plain Python."""
    above, below = shares_of(name, y, said)
    if name == "f1":  # by Jaccard's proportion
        above, below = y * said, np.maximum(y, said)
    total = float(np.sum(w * below))
    p = float(np.sum(w * above)) / total
    x_of, y_of = ({u: float(np.sum((w * one)[g == u])) for u in set(g)} for one in (above, below))
    rows = total**2 / float(np.sum((w * below) ** 2))
    units = total**2 / sum(value**2 for value in y_of.values())
    if p in (0.0, 1.0):
        return p, units
    variance = sum((x_of[u] - p * y_of[u]) ** 2 for u in x_of) / total**2
    variance *= units / (units - 1) * (rows - 1) / rows
    t = stats.t.ppf((1 + confidence) / 2, [rows - 1, units - 1])
    return p, min(rows, p * (1 - p) / variance) * (t[0] / t[1]) ** 2


def drawn(seed: int, n: int = 60, groups: int = 12, levels: int = 8) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    g = rng.integers(groups, size=n)
    s = (
        np.round((y * 0.5 + rng.normal(size=n) + 0.7 * rng.normal(size=groups)[g]) * levels)
        / levels
    )
    return y, s, rng.uniform(0.2, 3.0, n), g


@pytest.mark.parametrize("way", ["weights", "groups", "both"])
def test_every_rate_has_the_count_of_the_definition(way: str) -> None:
    for seed in range(4):
        y, s, w, g = drawn(seed)
        options: dict[str, Any] = {}
        if way != "groups":
            options["sample_weight"] = w
        if way != "weights":
            options["groups"] = g
        w = w if "sample_weight" in options else np.ones(60)
        g = g if "groups" in options else np.arange(60)
        for threshold in (-0.5, 0.1, 0.9):
            c = pr.confusion(y, s, threshold=threshold, method="wilson", confidence=0.9, **options)
            assert (c.method, c.seed) == ("wilson", None)
            for name in RATES:
                p, n = reference(name, y * 1, (s >= threshold) * 1, w, g, 0.9)
                limits = wilson(p * n, n, 0.9)
                if name == "f1":
                    limits = 2 * limits / (1 + limits)
                np.testing.assert_allclose(c.interval[name][1], limits, rtol=1e-9)
            right = (y == (s >= threshold)) * 1
            p, n = reference("accuracy", right, right, w, g, 0.9)
            np.testing.assert_allclose(c.interval["accuracy"], wilson(p * n, n, 0.9), rtol=1e-9)


def test_several_classes_are_each_against_the_rest() -> None:
    _, _, w, g = drawn(5)
    three = np.arange(60) % 3
    scores = np.random.default_rng(1).normal(size=(60, 3)) + np.eye(3)[three]
    c = pr.confusion(three, scores, method="wilson", groups=g, sample_weight=w)
    said = scores.argmax(axis=1)
    for k in range(3):
        own = pr.confusion(three == k, (said == k) * 1.0, threshold=0.5, method="wilson", groups=g,
                           sample_weight=w)  # fmt: skip
        for name in RATES:
            np.testing.assert_allclose(c.interval[name][k], own.interval[name][1], rtol=1e-12)
    assert "Wilson's for the number of independent rows that each rate is worth" in repr(c)


def test_equal_weights_and_groups_of_one_row_say_nothing() -> None:
    y, s, _, _ = drawn(2)
    plain = pr.confusion(y, s, threshold=0.2)
    for options in ({"sample_weight": np.full(60, 0.3)}, {"groups": np.arange(60)}):
        c = pr.confusion(y, s, threshold=0.2, method="wilson", **options)
        for name in ("accuracy", *RATES):
            np.testing.assert_allclose(c.interval[name], plain.interval[name], rtol=1e-9)


def test_rows_repeated_in_their_groups_are_no_new_rows() -> None:
    """Forty rows five times each are worth forty, but for the t of forty units."""
    y = np.arange(40) % 2
    said = np.where(np.arange(40) % 5 == 0, 1 - y, y)
    many = np.repeat(np.arange(40), 5)
    moments = moments_of(np.where(y[many] == 1, np.where(said[many] == 1, 0, 2),
                                  np.where(said[many] == 1, 1, 3)), np.ones(200), many)  # fmt: skip
    found = float(effective_count("accuracy", moments, 0.95))
    t = stats.t.ppf(0.975, [199, 39])
    assert found == pytest.approx(40 * (39 / 40) / (199 / 200) * (t[0] / t[1]) ** 2)
    assert found < 40


def test_a_rate_of_one_counts_every_group_once() -> None:
    y = np.repeat([0, 1], 20)
    c = pr.confusion(y, y + 0.0, groups=np.arange(40) // 4, method="wilson")
    np.testing.assert_allclose(c.interval["sensitivity"][1], wilson(5, 5, 0.95))
    np.testing.assert_allclose(c.interval["accuracy"], wilson(10, 10, 0.95))


@given(st.integers(0, 10**6), st.integers(1, 15), st.booleans(), st.booleans())
def test_one_sweep_gives_what_each_threshold_gives(
    seed: int, n_groups: int, weighted: bool, grouped: bool
) -> None:
    y, s, w, g = drawn(seed, 40, n_groups, levels=2)
    weights, groups = w if weighted else None, g if grouped else None
    thresholds = np.append(np.inf, np.unique(s)[::-1])[:: 1 + seed % 3]
    found = moments_at(thresholds, s, y, weights, groups)
    mass = w if weighted else np.ones(40)
    for k, threshold in enumerate(thresholds):
        said = s >= threshold
        cell = np.where(y, np.where(said, 0, 2), np.where(said, 1, 3))
        one = moments_of(cell, mass, groups)
        for own, swept in zip(one, found, strict=True):
            np.testing.assert_allclose(swept[k], own, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("way", ["weights", "groups"])
def test_coverage(way: str) -> None:
    """Groups that err together: 95 % intervals cover, where plain Wilson's do not."""
    rng = np.random.default_rng(11)
    covered = {"sensitivity": 0, "ppv": 0, "plain": 0}
    for _ in range(400):
        if way == "groups":
            g = np.repeat(np.arange(40), 8)
            y = np.tile([0, 0, 0, 1], 80)
            odds = np.where(y == 1, 1.4, -1.4) + rng.normal(0, 1.2, 40)[g]
            options: dict[str, Any] = {"groups": g}
        else:
            y = np.tile([0, 0, 0, 1], 100)
            odds = np.where(y == 1, 1.4, -1.4) + rng.normal(0, 1.2, 400)
            options = {"sample_weight": rng.exponential(size=400) ** 2}
        said = (rng.random(len(y)) < 1 / (1 + np.exp(-odds))) * 1.0
        c = pr.confusion(y, said, threshold=0.5, method="wilson", **options)
        plain = pr.confusion(y, said, threshold=0.5)
        draws = np.random.default_rng(0).normal(1.4, 1.2, 10_000)
        tpr = float(np.mean(1 / (1 + np.exp(-draws))))
        truth = {"sensitivity": tpr, "ppv": tpr / (tpr + 3 * (1 - tpr))}
        for name, value in truth.items():
            low, high = c.interval[name][1]
            covered[name] += bool(low <= value <= high)
        low, high = plain.interval["sensitivity"][1]
        covered["plain"] += bool(low <= truth["sensitivity"] <= high)
    assert 0.925 <= covered["sensitivity"] / 400 <= 0.99
    # Groups that say yes more often do so of both classes, and PPV varies less than by single rows:
    # the count stays that of the rows, and the interval is too cautious.
    assert covered["ppv"] / 400 >= 0.925
    if way == "groups":
        assert covered["plain"] < covered["sensitivity"]
