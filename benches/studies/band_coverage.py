"""How often 95 % bands hold the whole true ROC curve, or its height at one rate: ``make coverage``.

Scores of the other class are N(0, 1) and those of the favoured one N(a / b, 1 / b^2), so that the
true curve is R(f) = Phi(a + b Phi^-1(f)). A simultaneous band holds it if it does so at a thousand
rates, straight between its own; a pointwise band is looked at where f is 0.05, 0.2 and 0.5.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import polyroc as pr
from numpy.typing import NDArray
from scipy import stats

from benches import machine, report
from benches.studies import pages, runs
from benches.studies.options import (
    PACKAGES,
    QUICK_REPLICATES,
    QUICK_SETS,
    add_designs,
    matching,
    read,
)

PAGE = pages.FOLDER / "COVERAGE.md"
SETS, REPLICATES = 1000, 999
RATES = np.linspace(0.0, 1.0, 1001)
POINTS = (0.05, 0.2, 0.5)
HEADER = ("rows", "a", "b", "AUC", "whole curve", "width", *(f"at {f:g}" for f in POINTS), "error")
AIM = (0.93, 0.97)
KINDS: tuple[Literal["simultaneous", "pointwise"], ...] = ("simultaneous", "pointwise")


class Curves(NamedTuple):
    """Two normal classes."""

    positives: int
    negatives: int
    a: float
    b: float

    @property
    def key(self) -> str:
        return f"band/{self.positives}:{self.negatives} {self.a:g} {self.b:g}"

    @property
    def true(self) -> NDArray[np.float64]:
        return np.asarray(stats.norm.cdf(self.a + self.b * stats.norm.ppf(RATES)))


DESIGNS = [
    Curves(positives, negatives, a, b)
    for positives, negatives in ((50, 50), (50, 200), (200, 50), (200, 200), (1000, 1000))
    for a, b in ((0.75, 1.0), (1.5, 1.0), (2.3, 1.0), (1.2, 0.5))
]


def run(job: runs.Job) -> NDArray[np.float64]:
    """Whether each data set's bands hold the curve and its points, and how wide they are."""
    design: Curves = job.design
    true = design.true
    points = np.searchsorted(RATES, POINTS)
    out = np.empty((len(job.numbers), 2 + len(POINTS)))
    y = np.repeat([1, 0], [design.positives, design.negatives])
    for place, number in enumerate(job.numbers):
        rng = np.random.default_rng([number, *design.key.encode()])
        s = rng.normal(size=len(y))
        s[y == 1] = (s[y == 1] + design.a) / design.b
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


def line(design: Curves, found: Sequence[NDArray[np.float64]]) -> list[str]:
    """What a table says of a design."""
    every = np.concatenate(found)
    whole, width, *at = every.mean(axis=0)
    error = np.sqrt(whole * (1 - whole) / len(every))
    mark = "" if AIM[0] - 2 * error <= whole <= AIM[1] + 2 * error else " <"
    auc = stats.norm.cdf(design.a / np.hypot(1, design.b))
    return [
        f"{design.positives}:{design.negatives}", f"{design.a:g}", f"{design.b:g}", f"{auc:.3f}",
        f"{100 * whole:.1f}{mark}", f"{width:.3f}", *(f"{100 * share:.1f}" for share in at),
        f"{100 * error:.1f}",
    ]  # fmt: skip


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
    if not designs:
        return
    about, start = machine.describe(asked.processes, "processes", PACKAGES), time.monotonic()
    jobs = [job for design in designs for job in runs.parts(design, sets, replicates, asked.quick)]
    found = runs.run(run, jobs, asked.processes)
    rows = []
    for design in designs:
        own = [one for job, one in zip(jobs, found, strict=True) if job.design == design]
        rows.append(line(design, own))
    text = f"### bands\n\n{report.table(HEADER, rows, markdown=asked.markdown or asked.write)}\n"
    about["data sets"] = f"{sets:,}, {replicates:,} replicates each"
    about["time"] = f"{(time.monotonic() - start) / 60:.1f} minutes"
    text += "\n" + "\n".join(f"- {name}: {told}" for name, told in about.items())
    if asked.write:
        pages.put(PAGE, "bands", text)
    else:
        print(text)


if __name__ == "__main__":
    main()
