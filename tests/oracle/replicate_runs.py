"""A run of many replicates: as the core gives it, and as it should be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from polyroc import _core

from given import core_measures as core
from oracle.replicate_measures import Measure
from oracle.replicates import NAN, Array, Design, Replicate
from oracle.stream import Draw

MOST_ATTEMPTS = 1000
BUDGET = 1 << 28


@dataclass(frozen=True)
class Run:
    """Replicates as the core gives them, or as they should be."""

    values: list[Array]
    lost: Array
    redrawn: int
    known: list[Array]  # acceleration, variance, inflation and degrees of freedom of each value
    cells: bool = False


def run(
    design: Design,
    measures: Iterable[core.Made],
    seed: int = 1,
    first: int = 0,
    last: int = 32,
    redraw: bool = False,
    influence: bool = False,
    budget: int = BUDGET,
    n_threads: int = 1,
) -> Run:
    """The core's replicates."""
    sample, groups = design.sample, design.groups
    rows = _core.Rows(
        scores=sample.P,
        codes=sample.c.astype(np.uint32),
        n_classes=sample.K,
        weights=sample.w,
        n_threads=n_threads,
    )
    if groups is not None:
        rows = rows.grouped(codes=groups.astype(np.uint32), count=int(groups.max()) + 1)
    found = _core.bootstrap(
        models=[rows],
        measures=list(measures),
        scheme=getattr(_core.Scheme, design.scheme),
        stratified=design.stratified,
        seed=seed,
        first=first,
        last=last,
        redraw=redraw,
        estimates=False,
        influence=influence,
        cells=True,
        budget=budget,
        grows=False,
        held=0,
        watcher=None,
    )
    known = [
        np.column_stack([shape.acceleration, shape.variance, shape.inflation, shape.df])
        for shape in found.shapes
    ]
    return Run(found.values, found.lost, found.n_redrawn, known, found.path == "cells")


def expected(
    design: Design,
    measures: Iterable[Measure],
    seed: int = 1,
    first: int = 0,
    last: int = 32,
    redraw: bool = False,
) -> Run:
    """What they should be."""
    measures, redrawn, drawn = list(measures), 0, []
    for b in range(first, last):
        for t in range(MOST_ATTEMPTS + 1 if redraw else 1):
            replicate = Replicate(design.sample, design.row_weights(Draw(seed, b, t)))
            if not replicate.lost:
                break
        redrawn += t
        drawn.append(replicate)
    values = [
        np.array([one.value(r) if not r.lost else [NAN] for r in drawn], dtype=object)
        for one in measures
    ]
    lost = np.array([r.lost for r in drawn])
    return Run([widened(v) for v in values], lost, redrawn, [])


def widened(values: Array) -> Array:
    """Rows of lost replicates as wide as the others."""
    rows = [np.atleast_1d(np.array(row, dtype=float)) for row in values]
    width = max((len(row) for row in rows), default=1)
    return np.array([row if len(row) == width else np.full(width, NAN) for row in rows])


def same_bits(a: Run, b: Run) -> None:
    for mine, theirs in zip(a.values, b.values, strict=True):
        assert mine.tobytes() == theirs.tobytes()
    assert a.lost.tobytes() == b.lost.tobytes()
    assert a.redrawn == b.redrawn
