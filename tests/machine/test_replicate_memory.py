"""Threads and memory change no bit of the replicates."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from given import core_measures as core
from given.replicate_samples import scored
from oracle.replicate_measures import all_measures, column_measures
from oracle.replicate_runs import run, same_bits
from oracle.replicates import Design
from oracle.resampling import SCHEMES

LARGE = scored(3000, 8, digits=3)


def large_design(weighting: str, scheme: str = "Multinomial", stratified: bool = False) -> Design:
    w = np.random.default_rng(5).exponential(size=3000)
    return Design(replace(LARGE, w=w if weighting == "real" else None), stratified, scheme)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("weighting", ["none", "real"])
def test_any_number_of_threads_gives_the_same_bits(weighting: str, scheme: str) -> None:
    design = large_design(weighting, scheme)
    statistics = [one.statistic for one in column_measures(LARGE, np.ones((8, 8))).values()]
    statistics += [core.auc_mu(None, 2.0**-53, "prevalence")]
    runs = [
        run(design, statistics, last=70, n_threads=n, influence=True, redraw=True)
        for n in (1, 2, 3)
    ]
    for other in runs[1:]:
        same_bits(runs[0], other)
        for mine, theirs in zip(runs[0].known, other.known, strict=True):
            assert mine.tobytes() == theirs.tobytes()


def needed(design: Design, statistics: list[core.Made], **options: Any) -> int:
    with pytest.raises(MemoryError) as raised:
        run(design, statistics, budget=0, **options)
    found = re.search(r"max_memory=(\d+)", str(raised.value))
    assert found
    return int(found[1])


COLUMNS = [core.hand_till("prevalence"), core.one_vs_rest(8, "macro")]
PAIRS = [core.column_pairs(8, True), core.one_vs_rest(8, None)]
PROJECTIONS = [core.auc_mu(A, 2.0**-53, None) for A in (None, 2.0 - 2 * np.eye(8))]
FAMILIES: dict[str, list[core.Made]] = {
    "columns": COLUMNS,
    "pairs": PAIRS,
    "projections": PROJECTIONS,
    "all": [one.statistic for one in all_measures(LARGE).values()],
}


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scheme", ["Multinomial", "Bayesian"])
@pytest.mark.parametrize("weighting", ["none", "real"])
def test_any_memory_gives_the_same_bits(weighting: str, scheme: str, family: str) -> None:
    design, statistics = large_design(weighting, scheme), FAMILIES[family]
    last = 200 if scheme == "Multinomial" else 33
    whole = run(design, statistics, last=last, redraw=True)
    # Not all orderings fit at once: several passes.
    budget = needed(design, statistics, last=last)
    for factor in (1, 1.5, 3):
        cut = run(design, statistics, last=last, redraw=True, budget=int(factor * budget))
        same_bits(whole, cut)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scheme", ["Multinomial", "Bayesian"])
def test_the_memory_asked_for_is_enough(scheme: str, family: str) -> None:
    statistics = FAMILIES[family]
    for design in (large_design("none", scheme), large_design("real", scheme, stratified=True)):
        for last in (1, 70):
            run(design, statistics, last=last, budget=needed(design, statistics, last=last))


@pytest.mark.parametrize("family", FAMILIES)
def test_any_memory_gives_the_same_accelerations(family: str) -> None:
    design, statistics = large_design("real"), FAMILIES[family]
    whole = run(design, statistics, influence=True)
    budget = needed(design, statistics, influence=True)
    cut = run(design, statistics, influence=True, budget=budget)
    for mine, theirs in zip(whole.known, cut.known, strict=True):
        assert mine.tobytes() == theirs.tobytes()
