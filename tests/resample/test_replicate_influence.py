"""Influence values and standard errors of replicates, against derivatives and DeLong."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from polyroc import _core

from given import core_measures as core
from given import core_weights
from given.replicate_samples import coarse, reduced, scored
from given.sorted_rows import in_order, weights_in_order
from given.strategies import Sample
from oracle import reference as ref
from oracle import resampling
from oracle.replicate_influence import influences
from oracle.replicate_measures import Measure, all_measures, single_measures
from oracle.replicate_runs import run
from oracle.replicates import Design, Replicate
from oracle.stream import Draw

Array = NDArray[Any]


def moved(design: Design, measures: dict[str, Measure]) -> None:
    """What is known of measures by influence values is what their derivatives say."""
    given = run(design, [one.statistic for one in measures.values()], influence=True)
    brute = influences(design, measures.values())
    for name, mine, theirs in zip(measures, given.known, brute, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6, atol=1e-6, err_msg=name)
        np.testing.assert_allclose(mine[:, 1], theirs[:, 1], rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("kind", ["rows", "groups", "weights", "groups and weights"])
@pytest.mark.parametrize("stratified", [True, False])
def test_influence_is_the_derivative(stratified: bool, kind: str) -> None:
    sample = scored(48, 4)
    rng = np.random.default_rng(6)
    if "weights" in kind:
        sample = replace(sample, w=rng.integers(0, 4, 48) / 2)
    groups = rng.integers(0, 12, 48)
    groups = groups * 4 + sample.c if stratified else groups
    design = Design(sample, stratified, groups=groups if "groups" in kind else None)
    moved(design, all_measures(sample))


@pytest.mark.parametrize("stratified", [True, False])
def test_influence_on_the_auc_is_the_derivative(stratified: bool) -> None:
    sample = scored(40, 2)
    auc = {"auc": single_measures()["auc"]}
    moved(Design(sample, stratified), auc)
    moved(Design(replace(sample, w=np.arange(40) % 4 + 0.5), stratified), auc)
    moved(Design(sample, stratified, groups=np.arange(40) // 3 * 2 + sample.c), auc)


def test_influence_with_an_absent_class_is_the_derivative() -> None:
    sample = replace(scored(30, 3), K=4)
    sample = replace(sample, c=sample.c + (sample.c > 0), P=np.repeat(sample.P, [1, 2, 1], axis=1))
    for stratified in (True, False):
        moved(Design(sample, stratified), all_measures(sample))


def test_influence_where_a_stratum_has_one_unit_is_the_derivative() -> None:
    sample = scored(30, 3)
    sample = replace(sample, c=np.where(np.arange(30) == 3, 2, np.minimum(sample.c, 1)))
    measures = all_measures(sample)
    averages = {name: one for name, one in measures.items() if "(i" not in name and name != "each"}
    moved(Design(sample), averages)


@pytest.mark.parametrize("sums", ["equal", "unequal"])
def test_influence_on_two_columns_is_the_derivative(sums: str) -> None:
    p = np.random.default_rng(4).integers(0, 9, 40) / 8
    sample = scored(40, 2)
    if sums == "equal":
        sample = replace(sample, P=np.stack([1 - p, p], axis=1))
    for stratified in (True, False):
        moved(Design(sample, stratified), all_measures(sample))


def test_where_influence_is_not_known() -> None:
    sample = scored(40, 2)
    statistics = [core.Made("kolmogorov_smirnov", optimism=False), core.auc_and_error()]
    given = run(Design(sample), statistics, influence=True)
    assert np.isnan(given.known[0]).all()
    assert np.isnan(given.known[1]).all(axis=1).tolist() == [False, True]
    separated = replace(sample, P=np.stack([-sample.c, sample.c], axis=1) * 1.0)
    still = run(Design(separated), [core.auc()], influence=True)
    assert np.isnan(still.known[0][0, 0])
    assert still.known[0][0, 1] == 0


def delong(x: Array, y: Array) -> float:
    """DeLong, DeLong & Clarke-Pearson 1988, all pairs; x is favoured."""
    kernel = (x[:, None] > y) + 0.5 * (x[:, None] == y)
    V, W = kernel.mean(axis=1), kernel.mean(axis=0)
    return math.sqrt(V.var(ddof=1) / len(x) + W.var(ddof=1) / len(y))


@pytest.mark.parametrize("digits", [0, 1, 9])
@pytest.mark.parametrize("stratified", [True, False])
def test_standard_errors_are_delongs(stratified: bool, digits: int) -> None:
    for n in (12, 90):
        sample = scored(n, 2, digits=digits)
        design, s = Design(sample, stratified), sample.P[:, 1]
        given = run(design, [core.auc_and_error(), core.auc()], last=40, redraw=True)
        assert given.values[0][:, 0].tobytes() == given.values[1].tobytes()
        for b, (_, error) in enumerate(given.values[0]):
            q = design.row_weights(Draw(1, b)).astype(int)
            drawn, c = np.repeat(s, q), np.repeat(sample.c, q)
            if min((c == 0).sum(), (c == 1).sum()) > 1:
                assert error == pytest.approx(delong(drawn[c == 1], drawn[c == 0]), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("by_number", [False, True])
def test_standard_errors_over_many_stretches(by_number: bool) -> None:
    rng = np.random.default_rng(9)
    c = rng.integers(0, 2, 2**20 + 5)
    s = (rng.normal(size=len(c)) + c).round(2)
    if by_number:  # a group for each row: groups are never drawn by rank
        design = Design(Sample(2, c, s, None), False, groups=np.arange(len(c)))
        zeros = np.zeros(len(c), dtype=np.uint32)
        drawn = core_weights.weights(zeros, 1, _core.Scheme.Multinomial, 5, 0, 2, again=True)
    else:
        c, s = in_order(c, s)
        design = Design(Sample(2, c, s, None), False)
        drawn = weights_in_order(c, range(2), stratified=False)
    given = run(design, [core.auc_and_error()], seed=5, last=2)
    for (auc, error), q in zip(given.values[0], drawn, strict=True):
        values, at = np.unique(s, return_inverse=True)
        x, y = (np.bincount(at, q * (c == k), len(values)) for k in (1, 0))
        V = (np.cumsum(y) - y / 2) / y.sum()
        W = 1 - (np.cumsum(x) - x / 2) / x.sum()
        assert auc == pytest.approx(x @ V / x.sum(), rel=1e-14)
        own = x @ (V - auc) ** 2 / (x.sum() - 1) / x.sum()
        others = y @ (W - auc) ** 2 / (y.sum() - 1) / y.sum()
        assert error == pytest.approx(math.sqrt(own + others), rel=1e-10)


@pytest.mark.slow
def test_standard_errors_of_cells_are_delongs() -> None:
    sample = coarse(K=2)
    cells, counts, _ = reduced(sample)
    given = run(Design(sample), [core.auc_and_error()], last=4)
    assert given.cells
    for b, (_, error) in enumerate(given.values[0]):
        q = resampling.cell_counts(counts, cells.c.tolist(), Draw(1, b))
        drawn, c = np.repeat(cells.P[:, 1], q), np.repeat(cells.c, q)
        assert error == pytest.approx(delong(drawn[c == 1], drawn[c == 0]), rel=1e-11)


def test_a_single_draw_has_no_standard_error() -> None:
    for m in (11, 19, 37):
        s = np.random.default_rng(m).random(m + 1)
        sample = Sample(2, np.repeat([0, 1], [m, 1]), s, None)
        given = run(Design(sample), [core.auc_and_error()], last=200)
        assert np.isnan(given.values[0][:, 1]).all()


def test_a_replicate_is_the_measure_of_its_weights() -> None:
    # The reference itself: ties of the full sample, everything else the plain measure.
    sample = scored(60, 3)
    design = Design(sample, False)
    replicate = Replicate(sample, design.row_weights(Draw(1, 0)))
    measures = all_measures(sample)
    q = replicate.weights
    exact = {
        "M": ref.hand_till(sample.P, sample.c, 3, q),
        "mu": ref.auc_mu(sample.P, sample.c, 3, q, u=2.0**-53),
        "prevalence": ref.provost_domingos(sample.P, sample.c, 3, q),
    }
    for name, value in exact.items():
        assert value is not None
        assert measures[name].value(replicate)[0] == pytest.approx(float(value), rel=1e-15)
