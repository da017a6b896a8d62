"""Runs that sort many rows by one column of scores draw rows by rank, a portion at a time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given import core_weights
from given.sorted_rows import MANY, in_order, made, weights_in_order
from oracle import resampling
from oracle.binomial import binomial
from oracle.laws import UNLIKELY, binomial_law, fits, independent, of, pair_law
from oracle.stream import Draw


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 7, 64, 200, 5000])
@pytest.mark.parametrize("sizes", [(1,), (5, 3), (64, 0, 301), (1000,)])
def test_weights_are_the_twins(sizes: tuple[int, ...], most: int) -> None:
    for seed, first, last, attempt in [(1, 0, 34, 0), (2**63 + 5, 7, 12, 3)]:
        found = core_weights.in_portions(sizes, most, seed, first, last, attempt=attempt)
        twin = [
            resampling.in_portions(sizes, most, Draw(seed, b, attempt)) for b in range(first, last)
        ]
        np.testing.assert_array_equal(found, np.array(twin).reshape(last - first, sum(sizes)))


@pytest.mark.slow
def test_draws_are_made_and_taken_back() -> None:
    # Else the test above would not see both kinds of correction.
    law, missing = resampling.poisson(1 - 2 / math.isqrt(150 // 2)), []
    for b in range(300):
        words = Draw(1, b).words(0)
        wanted = binomial(1500, 150, 1500, words)
        missing.append(wanted - sum(law.weight(Draw(1, b), u) for u in range(150)))
    assert sum(d > 0 for d in missing) > 200
    assert sum(d < 0 for d in missing) > 2
    found = core_weights.in_portions([1500], 150, 1, 0, 300)
    twin = [resampling.in_portions([1500], 150, Draw(1, b)) for b in range(300)]
    np.testing.assert_array_equal(found, twin)


@pytest.mark.slow
def test_weights_are_multinomial() -> None:
    values = core_weights.in_portions([100, 40], 30, 11, 0, 60_000)
    assert (values[:, :100].sum(axis=1) == 100).all()
    assert (values[:, 100:].sum(axis=1) == 40).all()
    for unit, n in [(0, 100), (24, 100), (25, 100), (99, 100), (100, 40), (139, 40)]:
        assert fits(of(values[:, unit]), binomial_law(n), len(values)) > UNLIKELY
    # Neighbours in a portion, across its end, far apart; and of different strata.
    for a, b in [(3, 4), (24, 25), (2, 97)]:
        assert fits(of(values[:, [a, b]]), pair_law(100), len(values)) > UNLIKELY
    both = independent(binomial_law(100), binomial_law(40))
    assert fits(of(values[:, [99, 100]]), both, len(values)) > UNLIKELY


@pytest.mark.parametrize(
    ("n_others", "n_favoured", "levels"),
    [(MANY // 2, MANY // 2 + 1, 1e9), (MANY, 11, 1e5), (90_000, 150_000, 1e5)],
)
def test_replicates_are_measures_of_weighted_rows(
    n_others: int, n_favoured: int, levels: float
) -> None:
    y, s = made(n_others, n_favoured, levels, 3)
    found = pr.bootstrap(y, s, "auc", n_resamples=70, seed=5, n_threads=2)
    assert found.path == "sorted rows"
    assert found.estimate == pr.auc(y, s)
    y_sorted, s_sorted = in_order(y, s)
    for b, weights in zip(range(66, 70), weights_in_order(y_sorted, range(66, 70)), strict=True):
        assert found.replicates[b] == pr.auc(y_sorted, s_sorted, sample_weight=weights)
    alone = pr.bootstrap(y, s, "auc", n_resamples=70, replicates=range(66, 70), seed=5, n_threads=1)
    assert alone.replicates.tobytes() == found.replicates[66:].tobytes()


def test_other_ways_to_look_at_the_curve() -> None:
    y, s = made(70_000, 69_000, 1e5, 4)
    y_sorted, s_sorted = in_order(y, s)
    weights = weights_in_order(y_sorted, range(3))
    partial = pr.bootstrap(y, s, pr.Auc(max_fpr=0.1), n_resamples=3, seed=5, method="percentile")
    exact = [pr.auc(y_sorted, s_sorted, sample_weight=w, max_fpr=0.1) for w in weights]
    np.testing.assert_allclose(partial.replicates, exact, rtol=1e-12)
    student = pr.bootstrap(y, s, "auc", n_resamples=3, seed=5, method="studentized")
    assert student.ingredients.errors is not None
    for error, w in zip(student.ingredients.errors, weights, strict=True):
        rows = np.repeat(np.arange(len(y)), w.astype(int))
        whole = pr.delong(y_sorted[rows], s_sorted[rows], "auc")
        assert error == pytest.approx(whole.standard_error, rel=1e-4)


def test_the_law_is_that_of_rows_by_number() -> None:
    y, s = made(70_000, 69_000, 1e9, 6)
    in_order = pr.bootstrap(y, s, "auc", n_resamples=2000, seed=1)
    closed = pr.delong(y, s, "auc")
    assert in_order.standard_error == pytest.approx(closed.standard_error, rel=0.07)
    assert in_order.interval == pytest.approx(closed.interval, abs=closed.standard_error / 5)
    # Two columns want two orderings, and those want rows by number.
    both = pr.bootstrap(y, np.stack([-s, s], axis=1), "hand_till", n_resamples=2, seed=1)
    assert both.path == "rows"


@pytest.mark.parametrize(
    "options",
    [{"scheme": "bayesian"}, {"groups": "rows"}, {"sample_weight": "two"}],
)
def test_all_else_draws_rows_by_number(options: dict[str, Any]) -> None:
    y, s = made(70_000, 69_000, 1e9, 7)
    given = {"rows": np.arange(len(y)), "two": np.full(len(y), 2.0)}
    options = {k: given.get(v, v) if isinstance(v, str) else v for k, v in options.items()}
    assert pr.bootstrap(y, s, "auc", n_resamples=2, seed=1, **options).path == "rows"


def test_few_rows_are_drawn_by_number() -> None:
    y, s = made(MANY // 2, MANY // 2, 1e9, 8)
    assert pr.bootstrap(y, s, "auc", n_resamples=2, seed=1).path == "rows"


def test_a_nan_among_many_rows() -> None:
    y, s = made(70_000, 69_000, 1e9, 9)
    s[100_003] = np.nan
    with pytest.raises(ValueError, match=r"NaN.*100003|100003.*NaN"):
        pr.bootstrap(y, s, "auc", n_resamples=2, seed=1)
