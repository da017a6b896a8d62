"""How often 95 % bands hold the whole true ROC curve, or its height at one rate: ``make coverage``.

Scores of the other class are N(0, 1) and those of the favoured one N(a / b, 1 / b^2), so that the
true curve is R(f) = Phi(a + b Phi^-1(f)). Scores may be cut into grades at equal distances from -1
to a / b + 1, as ratings are; the curve is then straight between the cuts. In other designs they are
exponential, with means of 1 and a ("exp." for b), and R(f) = f^(1 / a). A simultaneous band holds
the curve if it does so at a thousand rates, straight between its own; a pointwise band is looked at
where f is 0.05, 0.2 and 0.5.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import polyroc as pr
from scipy import special

from benches.studies import one_table, runs
from benches.studies.designs.design import Floats, Integers
from benches.studies.one_table import OneTable
from benches.studies.options import (
    QUICK_REPLICATES,
    QUICK_SETS,
    add_designs,
    matching,
    read,
)

PAGE = Path(__file__).parent / "COVERAGE.md"
SETS, REPLICATES = 1000, 999
RATES = np.linspace(0.0, 1.0, 1001)
POINTS = (0.05, 0.2, 0.5)
HEADER = (
    "rows",
    "a",
    "b",
    "grades",
    "AUC",
    "whole curve",
    "width",
    *(f"at {f:g}" for f in POINTS),
    "error",
)
AIM = (0.93, 0.97)
KINDS: tuple[Literal["simultaneous", "pointwise"], ...] = ("simultaneous", "pointwise")


class Curves(NamedTuple):
    """Two normal classes, whose scores are cut into so many grades; 0: not cut."""

    positives: int
    negatives: int
    a: float
    b: float
    grades: int = 0

    @property
    def key(self) -> str:
        grades = f" in {self.grades} grades" if self.grades else ""
        return f"band/{self.positives}:{self.negatives} {self.a:g} {self.b:g}{grades}"

    @property
    def cuts(self) -> Floats:
        return np.linspace(-1.0, self.a / self.b + 1.0, max(self.grades - 1, 0))

    def curve(self, rates: Floats) -> Floats:
        """The true curve at these false positive rates."""
        if self.grades:
            high_first = self.cuts[::-1]
            fpr = np.array([0.0, *special.ndtr(-high_first), 1.0])
            tpr = np.array([0.0, *special.ndtr(self.a - self.b * high_first), 1.0])
            return np.asarray(np.interp(rates, fpr, tpr))
        return np.asarray(special.ndtr(self.a + self.b * special.ndtri(rates)))

    @property
    def auc(self) -> float:
        middles = (np.arange(100_000) + 0.5) / 100_000
        return float(self.curve(middles).mean())

    def draw(self, number: int) -> tuple[Integers, Floats]:
        """Labels and scores of the data set of this number."""
        rng = np.random.default_rng([number, *self.key.encode()])
        labels = np.repeat([1, 0], [self.positives, self.negatives])
        scores = rng.normal(size=len(labels))
        scores[labels == 1] = (scores[labels == 1] + self.a) / self.b
        if self.grades:
            scores = np.searchsorted(self.cuts, scores).astype(float)
        return labels, scores


class Waits(NamedTuple):
    """Two exponential classes with means of 1 and a: curves that bend at one end alone."""

    positives: int
    negatives: int
    a: float
    b: None = None
    grades: int = 0

    @property
    def key(self) -> str:
        return f"band/{self.positives}:{self.negatives} exponential {self.a:g}"

    def curve(self, rates: Floats) -> Floats:
        """The true curve at these false positive rates."""
        return np.asarray(rates ** (1.0 / self.a))

    @property
    def auc(self) -> float:
        return self.a / (self.a + 1.0)

    def draw(self, number: int) -> tuple[Integers, Floats]:
        """Labels and scores of the data set of this number."""
        rng = np.random.default_rng([number, *self.key.encode()])
        labels = np.repeat([1, 0], [self.positives, self.negatives])
        return labels, rng.exponential(np.where(labels == 1, self.a, 1.0))


DESIGNS: list[Curves | Waits] = [
    *(
        Curves(positives, negatives, a, b)
        for positives, negatives in ((50, 50), (50, 200), (200, 50), (200, 200), (1000, 1000))
        for a, b in ((0.75, 1.0), (1.5, 1.0), (2.3, 1.0), (1.2, 0.5))
    ),
    Curves(50, 50, 3.0, 1.0),
    Curves(50, 50, 3.5, 1.0),
    Curves(80, 60, 2.6, 1.3),
    Curves(50, 500, 1.5, 1.0),
    Curves(500, 50, 1.5, 1.0),
    Curves(2000, 2000, 1.5, 1.0),
    Waits(60, 60, 3.0),
    Waits(300, 100, 8.0),
    Waits(50, 100, 25.0),
    Waits(2000, 2000, 6.0),
    Curves(50, 50, 1.5, 1.0, grades=5),
    Curves(50, 200, 1.5, 1.0, grades=5),
    Curves(200, 50, 1.5, 1.0, grades=5),
    Curves(100, 100, 0.4, 1.0, grades=5),
    Curves(50, 50, 2.3, 1.0, grades=10),
    Curves(200, 200, 2.3, 1.0, grades=10),
    Curves(100, 100, 1.5, 1.0, grades=40),
]


def run(job: runs.Job) -> Floats:
    """Whether each data set's bands hold the curve and its points, and how wide they are."""
    design: Curves | Waits = job.design
    true = design.curve(RATES)
    points = np.searchsorted(RATES, POINTS)
    out = np.empty((len(job.numbers), 2 + len(POINTS)))
    for place, number in enumerate(job.numbers):
        y, s = design.draw(number)
        holds = []
        for kind in KINDS:
            band = pr.roc_band(
                y, s, kind=kind, seed=number, n_resamples=job.replicates, n_threads=1
            )
            low, high = (np.interp(RATES, band.fpr, limit) for limit in (band.low, band.high))
            holds.append((low <= true + 1e-12) & (true <= high + 1e-12))
            if kind == "simultaneous":
                out[place, 1] = np.mean(high - low)
        out[place, 0] = holds[0].all()
        out[place, 2:] = holds[1][points]
    return out


def line(design: Curves | Waits, found: Sequence[Floats]) -> list[str]:
    """What a table says of a design."""
    every = np.concatenate(found)
    whole, width, *at = every.mean(axis=0)
    error = np.sqrt(whole * (1 - whole) / len(every))
    mark = "" if AIM[0] - 2 * error <= whole <= AIM[1] + 2 * error else " <"
    return [
        f"{design.positives}:{design.negatives}", f"{design.a:g}",
        f"{design.b:g}" if design.b else "exp.",
        f"{design.grades or ''}", f"{design.auc:.3f}", f"{100 * whole:.1f}{mark}",
        f"{width:.3f}", *(f"{100 * share:.1f}" for share in at),
        f"{100 * error:.1f}",
    ]  # fmt: skip


TABLE = OneTable(PAGE, "bands", HEADER, run, line)


def main() -> None:
    """Run the study and print, or write, its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_designs(parser, REPLICATES)
    asked = read(parser)
    designs = matching(DESIGNS, asked.only)
    if asked.list:
        print("\n".join(design.key for design in designs))
        return
    if asked.quick:
        designs = designs[:2]
    sets = asked.sets or (QUICK_SETS if asked.quick else SETS)
    replicates = asked.replicates or (QUICK_REPLICATES if asked.quick else REPLICATES)
    if designs:
        one_table.carry_out(TABLE, designs, sets, replicates, asked)


if __name__ == "__main__":
    main()
