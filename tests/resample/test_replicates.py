"""Replicates of every measure are the exact reference's, whatever is drawn and how it is cut."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from polyroc import _core

from given import core_measures as core
from given import core_weights
from given.agreement import unit_roundoff
from given.replicate_samples import coarse, reduced, scored
from given.strategies import Sample, pair_weight_matrices, partitions, rounded_rows, samples
from oracle import resampling
from oracle.replicate_measures import (
    Measure,
    all_measures,
    column_measures,
    projected_measures,
    single_measures,
)
from oracle.replicate_runs import Run, expected, run, same_bits
from oracle.replicates import Design, Replicate
from oracle.resampling import SCHEMES
from oracle.stream import Draw

Array = NDArray[Any]
REAL = 1e-12
POOLING = ("macro", "prevalence", "each", "micro")  # measures with several classes on one side


def agree(design: Design, measures: dict[str, Measure], **options: Any) -> Run:
    """The core's replicates are the reference's."""
    given = run(design, [measure.statistic for measure in measures.values()], **options)
    exact = expected(design, measures.values(), **options)
    np.testing.assert_array_equal(given.lost, exact.lost)
    assert given.redrawn == exact.redrawn
    assert not given.cells
    for (name, measure), mine, theirs in zip(
        measures.items(), given.values, exact.values, strict=True
    ):
        if given.lost.all():
            assert np.isnan(mine).all(), name
        elif design.is_real or not measure.exact:
            within = REAL if design.is_real else 1e-14
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=within, err_msg=name)
        else:
            np.testing.assert_array_equal(mine, theirs, err_msg=name)
        assert np.isnan(mine[given.lost]).all()
    return given


def plain(sample: Sample) -> Sample:
    """Laid out as the core wants it, and weights so small that all pairs stay below 2^53."""
    P = np.ascontiguousarray(sample.P, dtype=sample.P.dtype.newbyteorder("="))
    return replace(sample, P=P, w=None if sample.w is None else np.minimum(sample.w, 1000.0))


@st.composite
def designs(draw: st.DrawFn, sample: Sample) -> Design:
    """Any scheme, rows or groups of rows, with and without strata."""
    stratified, n = draw(st.booleans()), len(sample.c)
    groups = None
    if draw(st.booleans()):
        groups = np.array(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)))
        if stratified:
            groups = groups * sample.K + sample.c
    return Design(sample, stratified, draw(st.sampled_from(SCHEMES)), groups)


votes = st.sampled_from([4, 9, 10, 49]).flatmap(rounded_rows)
floats = ("float32", "float64")
cuts = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 70), st.integers(0, 9))


@given(
    samples(
        K=st.integers(3, 5),
        dtypes=floats,
        scores=votes,
        most=20,
        weighting=("none", "none", "whole"),
    ),
    st.data(),
)
def test_any_sample(sample: Sample, data: st.DataObject) -> None:
    sample = plain(sample)
    design, u = data.draw(designs(sample)), unit_roundoff(sample.P)
    W, A = data.draw(pair_weight_matrices(sample.K)), data.draw(partitions(sample.K))
    measures = {
        **column_measures(sample, W),
        **projected_measures(sample, W, None, u),
        **projected_measures(sample, W, A, 0.0, "mu costs"),
    }
    seed, first, count = data.draw(cuts)
    agree(
        design,
        measures,
        seed=seed,
        first=first,
        last=first + count,
        redraw=data.draw(st.booleans()),
    )


@given(
    samples(K=st.just(2), columns=False, dtypes=floats, weighting=("none", "whole")),
    st.floats(0.01, 1.0),
    st.data(),
)
def test_any_sample_of_one_column(sample: Sample, f: float, data: st.DataObject) -> None:
    sample = plain(sample)
    seed, first, count = data.draw(cuts)
    design, redraw = data.draw(designs(sample)), data.draw(st.booleans())
    options = {"seed": seed, "first": first, "last": first + count, "redraw": redraw}
    agree(design, single_measures(f), **options)


@given(samples(K=st.integers(3, 6), absent=True, most=12, dtypes=floats, scores=votes), st.data())
def test_absent_classes_are_left_out(sample: Sample, data: st.DataObject) -> None:
    sample = plain(sample)
    design = data.draw(designs(sample))
    measures = all_measures(sample)
    agree(design, measures, last=5, redraw=data.draw(st.booleans()))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rows", "groups"])
@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("weighting", ["none", "whole", "real"])
def test_strata_above_64_units(weighting: str, scheme: str, stratified: bool, kind: str) -> None:
    sample = scored(240, 3)
    rng = np.random.default_rng(2)
    w = {"none": None, "whole": rng.integers(0, 9, 240) * 1.0, "real": rng.exponential(size=240)}
    sample = replace(sample, w=w[weighting])
    groups = rng.integers(0, 150, 240)
    groups = groups * 3 + sample.c if stratified else groups
    design = Design(sample, stratified, scheme, groups if kind == "groups" else None)
    agree(design, all_measures(sample), seed=7, first=30, last=34)


@pytest.mark.parametrize("name", POOLING)
def test_the_stratified_bayesian_bootstrap_keeps_class_masses(name: str) -> None:
    sample = scored(60, 3)
    agree(Design(sample, True, "Bayesian"), {name: all_measures(sample)[name]})


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_single_columns(dtype: str) -> None:
    two = scored(130, 2)
    sample = replace(two, P=two.P.astype(dtype))
    for single in (sample, replace(sample, P=np.ascontiguousarray(sample.P[:, 1]))):
        for design in (Design(single), Design(single, False), Design(single, False, "Poisson")):
            for f in (0.05, 0.5, 1.0):
                agree(design, single_measures(f), last=16)
    w = np.random.default_rng(1).exponential(size=130)
    agree(Design(replace(sample, w=w), False), single_measures(0.3), last=20)


@pytest.mark.parametrize("sums", ["equal", "unequal"])
def test_two_columns(sums: str) -> None:
    sample = scored(80, 2)
    if sums == "equal":
        p = np.random.default_rng(4).integers(0, 9, 80) / 8
        sample = replace(sample, P=np.stack([1 - p, p], axis=1))
    for stratified in (True, False):
        agree(Design(sample, stratified), all_measures(sample), last=20)


def test_float32_is_float64_of_the_same_numbers() -> None:
    narrow = scored(200, 4)
    narrow = replace(narrow, P=(narrow.P * 8).round().astype(np.float32))
    wide = replace(narrow, P=narrow.P.astype(float))
    statistics = [one.statistic for one in all_measures(wide).values()]
    same_bits(run(Design(narrow), statistics), run(Design(wide), statistics))


def test_tiny_classes_are_lost_and_drawn_again() -> None:
    sample = scored(30, 4)
    one_row = replace(sample, c=np.where(np.arange(30) == 7, 3, np.minimum(sample.c, 2)))
    measures = all_measures(one_row)
    for scheme in ("Multinomial", "Poisson"):
        kept = agree(Design(one_row, False, scheme), measures, last=60)
        assert 10 < kept.lost.sum() < 40
        assert kept.redrawn == 0
        again = agree(Design(one_row, False, scheme), measures, last=60, redraw=True)
        assert not again.lost.any()
        assert again.redrawn >= kept.lost.sum()
        for before, after in zip(kept.values, again.values, strict=True):
            np.testing.assert_array_equal(before[~kept.lost], after[~kept.lost])


@pytest.mark.slow
def test_two_units_are_drawn_apart_half_the_time() -> None:
    # Both draws are of one unit, and so of one class, with probability 1/2.
    c = np.repeat([0, 1], 20)
    pair = Design(Sample(2, c, np.arange(40.0) % 23, None), False, groups=c)
    assert 150 < agree(pair, single_measures(), last=400).lost.sum() < 250
    assert 300 < agree(pair, single_measures(), last=400, redraw=True).redrawn < 500


@pytest.mark.slow
def test_a_hopeless_redraw() -> None:
    sample = Sample(30, np.arange(30), np.eye(30), None)
    with pytest.raises(ValueError, match=r"^replicate 5 lost a class in each of 1001 draws; "):
        run(Design(sample, False), [core.hand_till()], first=5, last=9, redraw=True)


def test_unused_groups_are_no_units() -> None:
    sample = scored(40, 3)
    w = np.ones(40)
    w[::5] = 0
    groups = np.arange(40) // 2 * 3
    agree(Design(replace(sample, w=w), False, groups=groups), all_measures(sample), last=20)


def test_measures_together_are_measures_alone() -> None:
    sample = scored(150, 3)
    measures = all_measures(sample)
    together = run(Design(sample, False), [one.statistic for one in measures.values()])
    for k, one in enumerate(measures.values()):
        alone = run(Design(sample, False), [one.statistic])
        assert alone.values[0].tobytes() == together.values[k].tobytes()


def test_measures_of_cells_together_are_measures_alone() -> None:
    columns = [core.hand_till("prevalence"), core.micro(), core.auc_and_error()]
    statistics = [*columns, core.auc(0.2), core.auc_mu(None, 2.0**-53, None)]
    design = Design(coarse(K=2))
    together = run(design, statistics)
    assert together.cells
    for k, one in enumerate(statistics):
        assert run(design, [one]).values[0].tobytes() == together.values[k].tobytes()


def test_slices_are_slices_of_the_whole() -> None:
    sample = scored(100, 4)
    statistics = [one.statistic for one in all_measures(sample).values()]
    for design in (Design(sample, False), Design(sample, True, "Bayesian")):
        whole = run(design, statistics, last=200, redraw=True)
        for first, last in [(0, 1), (1, 7), (31, 33), (64, 200), (63, 129), (199, 200), (50, 50)]:
            part = run(design, statistics, first=first, last=last, redraw=True)
            for mine, theirs in zip(part.values, whole.values, strict=True):
                assert mine.tobytes() == theirs[first:last].tobytes()


def counted(sample: Sample, weights: Array) -> Array:
    """A(i|j) of whole weights, by sorting: doubled U over doubled pairs, in integers."""
    K, tables = sample.K, np.full((len(weights), sample.K, sample.K), math.nan)
    for i in range(K):
        values, at = np.unique(sample.P[:, i], return_inverse=True)
        for table, q in zip(tables, weights, strict=True):
            mass = np.zeros((len(values), K))  # whole numbers far below 2^53
            np.add.at(mass, (at, sample.c), q)
            below = np.cumsum(mass, axis=0) - mass
            for j in set(range(K)) - {i}:
                won = int((mass[:, i] * (2 * below[:, j] + mass[:, j])).sum())
                table[i, j] = won / (2 * int(mass[:, i].sum()) * int(mass[:, j].sum()))
    return tables


def are_counted(sample: Sample, stratified: bool, last: int, again: bool) -> None:
    """Replicates are what their weights make of the rows."""
    strata = (sample.c if stratified else 0 * sample.c).astype(np.uint32)
    n_strata, scheme = int(strata.max()) + 1, _core.Scheme.Multinomial
    weights = core_weights.weights(strata, n_strata, scheme, 1, 0, last, again=again)
    pairs = core.column_pairs(sample.K, False)
    given = run(Design(sample, stratified), [pairs], last=last)
    assert not given.cells
    values = given.values[0].reshape(last, sample.K, sample.K)
    np.testing.assert_array_equal(values, counted(sample, weights))


@pytest.mark.slow
@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("digits", [2, 9])
def test_weights_drawn_again_for_many_rows(digits: int, stratified: bool) -> None:
    sample = scored(2**20 + 77, 3, digits=digits)
    are_counted(replace(sample, P=sample.P.astype(np.float32)), stratified, 2, again=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n0", "n1"),
    [
        (32_000, 32_000),  # one stretch of 32-bit counts
        (131_000, 32_767),  # just below its limits in a stratified run
        (131_200, 32_767),  # just above
        (1_000, 32_768),  # more favoured rows than fit 15 bits
        (60_000, 60_000),
        (200_000, 3),
    ],
)
def test_counts_of_any_size(n0: int, n1: int) -> None:
    rng = np.random.default_rng([n0, n1])
    c = rng.permutation(np.repeat([0, 1], [n0, n1]))
    s = (rng.normal(size=len(c)) + c).round(4)
    for stratified in (True, False):
        are_counted(Sample(2, c, np.stack([-s, s], axis=1), None), stratified, 3, again=False)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("stratified", [True, False])
def test_cells_of_equal_rows(stratified: bool, weighted: bool) -> None:
    sample = coarse(weighted=weighted)
    cells, counts, mass = reduced(sample)
    measures = all_measures(cells)
    given = run(Design(sample, stratified), [one.statistic for one in measures.values()], last=9)
    assert given.cells
    strata = cells.c.tolist() if stratified else [0] * len(counts)
    for b in range(9):
        drawn = np.array(resampling.cell_counts(counts, strata, Draw(1, b))) * mass
        replicate = Replicate(cells, drawn)
        for (name, one), values in zip(measures.items(), given.values, strict=True):
            np.testing.assert_array_equal(values[b], one.value(replicate), err_msg=f"{name} {b}")


def test_cells_have_the_law_of_rows() -> None:
    sample = coarse(4200)
    statistics = [core.hand_till("prevalence"), core.micro()]
    cells = run(Design(sample, False), statistics, last=2000, influence=True)
    rows = run(Design(sample, False, groups=np.arange(4200)), statistics, last=2000, influence=True)
    assert cells.cells
    assert not rows.cells
    for k in range(2):
        a, b = cells.values[k][:, 0], rows.values[k][:, 0]
        assert abs(a.mean() - b.mean()) < 4 * a.std() * math.sqrt(2 / 2000)
        assert a.std() == pytest.approx(b.std(), rel=4 / math.sqrt(2000))
        np.testing.assert_allclose(cells.known[k], rows.known[k], rtol=1e-9)
