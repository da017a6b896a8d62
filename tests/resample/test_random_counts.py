"""Rows by rank where class counts are random: unstratified and Poisson runs of one column."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from scipy import stats

from given import core_weights
from given.sorted_rows import MANY, in_order, made, weights_in_order
from oracle import resampling
from oracle.laws import UNLIKELY, binomial_law, fits, independent, of, pair_law
from oracle.poisson_number import poisson_number
from oracle.stream import Draw

UNSTRATIFIED: dict[str, Any] = {"scheme": "Multinomial", "stratified": False}
POISSON: dict[str, Any] = {"scheme": "Poisson", "stratified": False}
# What the core calls them, and what users do.
CALLS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (UNSTRATIFIED, {"stratify": False}),
    (POISSON, {"scheme": "poisson"}),
    (POISSON, {"scheme": "poisson", "stratify": False}),
]


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [UNSTRATIFIED, POISSON])
@pytest.mark.parametrize("most", [1, 7, 64, 200, 5000])
@pytest.mark.parametrize("sizes", [(1,), (5, 3), (64, 0, 301), (1000,)])
def test_weights_are_the_twins(sizes: tuple[int, ...], most: int, drawn: dict[str, Any]) -> None:
    for seed, first, last, attempt in [(1, 0, 34, 0), (2**63 + 5, 7, 12, 3)]:
        found = core_weights.in_portions(sizes, most, seed, first, last, attempt=attempt, **drawn)
        draws = [Draw(seed, b, attempt) for b in range(first, last)]
        twin = [resampling.in_portions(sizes, most, draw, **drawn) for draw in draws]
        np.testing.assert_array_equal(found, np.array(twin).reshape(last - first, sum(sizes)))


def test_poisson_weights_do_not_depend_on_strata() -> None:
    found = [
        core_weights.in_portions([300, 200], 90, 3, 0, 40, scheme="Poisson", stratified=stratified)
        for stratified in (False, True)
    ]
    assert found[0].tobytes() == found[1].tobytes()


def test_other_schemes_have_no_portions() -> None:
    with pytest.raises(ValueError, match="not drawn in portions"):
        core_weights.in_portions([30, 20], 9, 3, 0, 4, scheme="Bayesian")


@pytest.mark.slow
def test_weights_are_multinomial_over_all_classes() -> None:
    values = core_weights.in_portions([100, 40], 30, 11, 0, 60_000, **UNSTRATIFIED)
    assert (values.sum(axis=1) == 140).all()
    for unit in (0, 24, 25, 99, 100, 139):
        assert fits(of(values[:, unit]), binomial_law(140), len(values)) > UNLIKELY
    # Neighbours in a portion, across its end, and of different classes.
    for a, b in [(3, 4), (24, 25), (2, 97), (99, 100)]:
        assert fits(of(values[:, [a, b]]), pair_law(140), len(values)) > UNLIKELY
    counts = {float(k): float(stats.binom.pmf(k, 140, 40 / 140)) for k in range(141)}
    assert fits(of(values[:, 100:].sum(axis=1)), counts, len(values)) > UNLIKELY


@pytest.mark.slow
def test_weights_are_poisson() -> None:
    values = core_weights.in_portions([100, 40], 30, 11, 0, 60_000, **POISSON)
    law = {float(k): float(stats.poisson.pmf(k, 1)) for k in range(20)}
    for unit in (0, 24, 25, 99, 100, 139):
        assert fits(of(values[:, unit]), law, len(values)) > UNLIKELY
    for a, b in [(3, 4), (24, 25), (2, 97), (99, 100)]:
        assert fits(of(values[:, [a, b]]), independent(law, law), len(values)) > UNLIKELY
    for units in (slice(0, 3), slice(20, 60), slice(0, 140)):
        n = units.stop - units.start
        sums = {float(k): float(stats.poisson.pmf(k, n)) for k in range(4 * n + 20)}
        assert fits(of(values[:, units].sum(axis=1)), sums, len(values)) > UNLIKELY


@pytest.mark.parametrize("mean", [0.5, 9.0, 10.0, 37.0, 65_536.0])
def test_poisson_numbers_follow_their_law(mean: float) -> None:
    # In steps of a sixteenth of the standard deviation, or of one.
    step = max(1, int(np.sqrt(mean) / 16))
    drawn = Counter(poisson_number(mean, Draw(2, b).words(0)) // step for b in range(20_000))
    ends = step * np.arange(int((mean + 9 * np.sqrt(mean) + 20) / step) + 1)
    law = np.diff(stats.poisson.cdf(ends - 1, mean))
    assert fits(drawn, dict(enumerate(law.tolist())), 20_000) > UNLIKELY


@pytest.mark.parametrize(("drawn", "options"), CALLS)
@pytest.mark.parametrize(
    ("n_others", "n_favoured", "levels"),
    [(MANY // 2, MANY // 2 + 1, 1e9), (MANY, 11, 1e5), (90_000, 150_000, 1e5)],
)
def test_replicates_are_measures_of_weighted_rows(
    n_others: int, n_favoured: int, levels: float, drawn: dict[str, Any], options: dict[str, Any]
) -> None:
    y, s = made(n_others, n_favoured, levels, 3)
    found = pr.bootstrap(y, s, "auc", n_resamples=70, seed=5, n_threads=2, **options)
    assert found.path == "sorted rows"
    assert found.estimate == pr.auc(y, s)
    y_sorted, s_sorted = in_order(y, s)
    weights = weights_in_order(y_sorted, range(66, 70), **drawn)
    for b, row in zip(range(66, 70), weights, strict=True):
        assert found.replicates[b] == pr.auc(y_sorted, s_sorted, sample_weight=row)
    part = range(66, 70)
    alone = pr.bootstrap(
        y, s, "auc", n_resamples=70, replicates=part, seed=5, n_threads=1, **options
    )
    assert alone.replicates.tobytes() == found.replicates[66:].tobytes()


@pytest.mark.parametrize(("drawn", "options"), CALLS[:2])
def test_other_ways_to_look_at_the_curve(drawn: dict[str, Any], options: dict[str, Any]) -> None:
    y, s = made(70_000, 69_000, 1e5, 4)
    y_sorted, s_sorted = in_order(y, s)
    weights = weights_in_order(y_sorted, range(3), **drawn)
    options = {**options, "n_resamples": 3, "seed": 5}
    partial = pr.bootstrap(y, s, pr.Auc(max_fpr=0.1), method="percentile", **options)
    exact = [pr.auc(y_sorted, s_sorted, sample_weight=w, max_fpr=0.1) for w in weights]
    np.testing.assert_allclose(partial.replicates, exact, rtol=1e-12)
    greatest = pr.bootstrap(y, s, "kolmogorov_smirnov", method="percentile", **options)
    exact = [pr.kolmogorov_smirnov(y_sorted, s_sorted, sample_weight=w) for w in weights]
    np.testing.assert_allclose(greatest.replicates, exact, rtol=1e-12)


def test_a_rare_class_may_be_lost_and_is_drawn_again() -> None:
    y, s = made(MANY, 2, 1e9, 5)
    options: dict[str, Any] = {"n_resamples": 200, "seed": 5, "stratify": False}
    with pytest.warns(UserWarning, match="lost|left out|no row"):
        skipped = pr.bootstrap(y, s, "auc", method="percentile", **options)
    y_sorted, _ = in_order(y, s)
    weights = weights_in_order(y_sorted, range(8), **UNSTRATIFIED)
    lost = weights[:, y_sorted == 1].sum(axis=1) == 0
    np.testing.assert_array_equal(np.isnan(skipped.replicates[:8]), lost)
    assert skipped.n_lost == pytest.approx(200 * np.exp(-2), abs=25)
    again = pr.bootstrap(y, s, "auc", method="percentile", degenerate="redraw", **options)
    assert again.n_lost == 0
    assert again.n_redrawn >= skipped.n_lost
    kept = ~np.isnan(skipped.replicates)
    np.testing.assert_array_equal(again.replicates[kept], skipped.replicates[kept])


@pytest.mark.slow
@pytest.mark.parametrize(("n_others", "n_favoured"), [(70_000, 69_000), (140_000, 400)])
@pytest.mark.parametrize("options", [{"stratify": False}, {"scheme": "poisson"}])
def test_errors_are_the_closed_ones(n_others: int, n_favoured: int, options: Any) -> None:
    y, s = made(n_others, n_favoured, 1e9, 6)
    found = pr.bootstrap(y, s, "auc", n_resamples=20_000, seed=1, method="percentile", **options)
    closed = pr.delong(y, s, "auc", stratify=False)
    # Chance alone is half a percent: sqrt(1 / 40,000).
    assert found.standard_error == pytest.approx(closed.standard_error, rel=0.01)


@pytest.mark.parametrize("options", [{"stratify": False}, {"scheme": "poisson"}])
def test_acceleration_is_that_of_rows_by_number(options: dict[str, Any]) -> None:
    # Influence values are those of all rows as one stratum, in whatever order they come.
    y, s = made(70_000, 69_000, 1e9, 6)
    ranked = pr.bootstrap(y, s, "auc", n_resamples=64, seed=1, method="bca", **options)
    rows = pr.bootstrap(y, s, "auc", n_resamples=64, seed=1, groups=np.arange(len(y)), **options)
    assert (ranked.path, rows.path) == ("sorted rows", "rows")
    found, exact = ranked.ingredients.acceleration, rows.ingredients.acceleration
    np.testing.assert_allclose(found, exact, rtol=1e-8)
