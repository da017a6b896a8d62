"""How often 95 % intervals of the bootstrap hold the truth: ``make coverage``.

Scores come from a model whose answer is known. The columns are independent, and score i of a row of
class c is normal with mean d where c = i, else 0, and variance 1. For every number of classes and
all class sizes M = Phi(d / sqrt 2) and AUC-mu = Phi(d). With two classes one score is enough, its
mean d in class 1 alone: AUC = Phi(d / sqrt 2).

A cell has a number of classes, class sizes and a true value. Each of its data sets is bootstrapped
once, and every method makes its interval from the same replicates. Coverage is the share of data
sets whose interval holds the truth; its Monte-Carlo error is sqrt(c (1 - c) / data sets).
"""

from __future__ import annotations

import argparse
import fnmatch
import math
import multiprocessing
import sys
import time
import zlib
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import polyroc as pr

from benches import machine, report
from benches.studies.options import PACKAGES, add_shared, positive

BOOTSTRAP = ("bca", "percentile", "basic", "normal", "studentized")
CLOSED = {"delong logit": "logit", "delong plain": None}
METHODS = (*BOOTSTRAP, *CLOSED)
TARGET = 0.93  # what the default, bca, has to reach
REPLICATES = 999
QUICK = 10  # --quick does one in so many data sets
_NORMAL = NormalDist()
_ROWS = {2: (40, 200, 2000), 3: (60, 600), 10: (200, 2000)}
_VALUES = (0.5, 0.8, 0.95, 0.98)
_SHARES = {
    "even": {2: (1, 1), 3: (1, 1, 1), 10: (1,) * 10},
    "skew": {2: (9, 1), 3: (10, 4, 1), 10: (10, 10, 10, 4, 4, 4, 4, 2, 1, 1)},
}


class Cell(NamedTuple):
    """Data sets of one kind."""

    classes: int
    rows: int
    shape: str
    value: float  # of AUC, or of M

    @property
    def key(self) -> str:
        return f"k{self.classes}-{self.rows}-{self.shape}-{self.value:g}"

    @property
    def sizes(self) -> tuple[int, ...]:
        shares = _SHARES[self.shape][self.classes]
        return tuple(share * self.rows // sum(shares) for share in shares)

    @property
    def sets(self) -> int:
        """As many data sets as time allows; small ones need most."""
        return 4000 if self.rows <= 200 else 2000 if self.rows <= 600 else 1000

    @property
    def shift(self) -> float:
        """The d of the model."""
        return math.sqrt(2.0) * _NORMAL.inv_cdf(self.value)

    @property
    def truths(self) -> dict[str, float]:
        """The true value of each measure."""
        if self.classes == 2:
            return {"auc": self.value}
        return {"hand_till": self.value, "auc_mu": _NORMAL.cdf(self.shift)}


class Job(NamedTuple):
    """A cell, and how much to do of it."""

    cell: Cell
    sets: int
    replicates: int


class Found(NamedTuple):
    """What the intervals of one measure in one cell were like; a method that has none is nan."""

    cell: Cell
    sets: int
    measure: str
    truth: float
    coverage: dict[str, float]
    width: dict[str, float]

    @property
    def error(self) -> float:
        """The Monte-Carlo error of a coverage of 95 %."""
        return math.sqrt(0.95 * 0.05 / self.sets)


CELLS = [
    Cell(classes, rows, shape, value)
    for classes, sizes in _ROWS.items()
    for rows in sizes
    for shape in _SHARES
    for value in _VALUES
]


def draw(cell: Cell, labels: Any, rng: np.random.Generator) -> Any:
    """Scores of the model for rows of these classes."""
    if cell.classes == 2:
        return rng.normal(size=cell.rows) + cell.shift * labels
    scores = rng.normal(size=(cell.rows, cell.classes))
    scores[np.arange(cell.rows), labels] += cell.shift
    return scores


def run(job: Job) -> list[Found]:
    """All data sets of a cell; the seeds are the cell's key and the numbers of the sets."""
    cell, sets, replicates = job
    labels = np.repeat(np.arange(cell.classes), cell.sizes)
    rng = np.random.default_rng(zlib.crc32(cell.key.encode()))
    drawn = BOOTSTRAP if cell.classes == 2 else BOOTSTRAP[:-1]
    methods = (*drawn, *CLOSED)
    limits = {name: np.empty((sets, len(methods), 2)) for name in cell.truths}
    for number in range(sets):
        scores = draw(cell, labels, rng)
        results = pr.bootstrap(
            labels, scores, list(cell.truths), n_resamples=replicates,
            method="studentized" if "studentized" in methods else "bca", seed=number, n_threads=1,
        )  # fmt: skip
        closed = pr.delong(labels, scores, list(cell.truths), n_threads=1)
        for name, result in results.items():
            limits[name][number] = [
                *(result.with_interval(method=method).interval for method in drawn),
                *(closed[name].with_interval(transform=how).interval for how in CLOSED.values()),
            ]
    out = []
    for name, truth in cell.truths.items():
        low, high = limits[name][..., 0], limits[name][..., 1]
        holds = ((low <= truth) & (truth <= high)).mean(axis=0)
        width = (high - low).mean(axis=0)
        nothing = dict.fromkeys(METHODS, math.nan)
        coverages = {**nothing, **dict(zip(methods, holds.tolist(), strict=True))}
        widths = {**nothing, **dict(zip(methods, width.tolist(), strict=True))}
        out.append(Found(cell, sets, name, truth, coverages, widths))
    return out


def lines(found: list[Found]) -> list[list[str]]:
    """Coverage in per cent and mean width, a line for each measure of each cell."""
    out = []
    for one in found:
        cell = one.cell
        text = [
            cell.key, f"{cell.rows:,}", f"{min(cell.sizes):,}", one.measure, f"{one.truth:.3f}",
            f"{one.sets:,} ({100 * one.error:.1f})",
        ]  # fmt: skip
        for method in METHODS:
            share, width = one.coverage[method], one.width[method]
            mark = " <" if share < TARGET else ""
            text.append("" if math.isnan(share) else f"{100 * share:.1f}{mark} ({width:.3g})")
        out.append(text)
    return out


def summary(found: list[Found]) -> list[list[str]]:
    """Each method over all cells that it was run in."""
    out = []
    for method in METHODS:
        known = [one for one in found if not math.isnan(one.coverage[method])]
        if not known:
            continue
        least = min(known, key=lambda one: one.coverage[method])
        below = sum(one.coverage[method] < TARGET for one in known)
        ratios = [one.width[method] / one.width["percentile"] for one in known]
        out.append(
            [
                method,
                f"{100 * np.mean([one.coverage[method] for one in known]):.1f}",
                f"{100 * least.coverage[method]:.1f} ({least.cell.key}, {least.measure})",
                f"{below} of {len(known)}",
                f"{np.exp(np.mean(np.log(ratios))):.2f}",
            ]
        )
    return out


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="how often intervals hold the truth")
    parser.add_argument("--quick", action="store_true", help=f"one in {QUICK} data sets")
    parser.add_argument("--only", metavar="PATTERN", help="cells whose key matches, e.g. 'k3-*'")
    parser.add_argument("--list", action="store_true", help="print the keys of the cells and stop")
    parser.add_argument(
        "--replicates", type=positive, default=REPLICATES, help=f"of each ({REPLICATES})"
    )
    add_shared(parser)
    return parser.parse_args()


def main() -> int:
    """Run the chosen cells and print the tables; 2 if there is no such cell."""
    arguments = _arguments()
    chosen = [cell for cell in CELLS if fnmatch.fnmatch(cell.key, arguments.only or "*")]
    if arguments.list or not chosen:
        for cell in CELLS:
            print(f"{cell.key:18} {cell.sets:5,} data sets, class sizes {cell.sizes}")
        return 0 if arguments.list else 2
    about = machine.describe(arguments.processes, "processes", PACKAGES)
    start = time.monotonic()
    share = QUICK if arguments.quick else 1
    jobs = [Job(cell, cell.sets // share, arguments.replicates) for cell in chosen]
    jobs.sort(key=lambda job: -job.sets * (job.cell.rows + 100) * job.cell.classes)
    done: dict[Cell, list[Found]] = {}
    # Fresh processes: a pool of threads does not survive a fork.
    with multiprocessing.get_context("spawn").Pool(min(arguments.processes, len(jobs))) as pool:
        for found in pool.imap_unordered(run, jobs):
            done[found[0].cell] = found
            print(f"{found[0].cell.key} {len(done)}/{len(jobs)}", file=sys.stderr, flush=True)
    all_found = [one for cell in chosen for one in done[cell]]
    header = ["cell", "rows", "rarest", "measure", "truth", "data sets", *METHODS]
    print(report.table(header, lines(all_found), markdown=arguments.markdown), end="\n\n")
    header = ["method", "mean", "least", f"below {100 * TARGET:.0f} %", "width to percentile's"]
    print(report.table(header, summary(all_found), markdown=arguments.markdown), end="\n\n")
    about["replicates"] = f"{arguments.replicates:,} of each data set"
    about["time"] = f"{(time.monotonic() - start) / 60:.1f} minutes"
    for name, text in about.items():
        print(f"- {name}: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
