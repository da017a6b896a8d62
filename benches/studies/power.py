"""What power is promised, and what power there is: ``make power``.

Scores are normal in both classes, positives ``spread`` times as wide as negatives. Each cell asks
``sample_size_auc`` or ``sample_size_difference`` for the rows that have power 0.8, and draws data
sets of so many rows; ``delong`` or ``compare`` tests each at 5 %. The share of data sets in which
the test rejects on the right side stands beside what was promised, and beside what Hanley &
McNeil's formula would have promised at the same rows.

Of two models on the same rows the scores correlate by 0.5 within either class, and both have the
same spread.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
import time
import zlib
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import polyroc as pr

from benches import machine, pages, report
from benches.studies.options import PACKAGES, add_shared, read

PAGE = Path(__file__).parent / "POWER.md"
ONE = ((0.7, 0.6), (0.8, 0.7), (0.9, 0.8), (0.95, 0.9), (0.95, 0.8))  # AUC, null value
TWO = ((0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.85, 0.95))  # first, second
RATIOS = (0.1, 1, 10)
SPREADS = (0.5, 1, 2)
REFERENCES = ("normal", "t")
LEVEL, POWER, CORRELATION = 0.05, 0.8, 0.5
SETS, QUICK = 2000, 200
WIDEST = 0.03  # how far a promise may be from the truth
_NORMAL = NormalDist()


class Cell(NamedTuple):
    """A test that is planned: of `auc` against `other`, a value or a model."""

    test: str
    auc: float
    other: float
    ratio: float
    spread: float
    reference: Any  # "t" or "normal"

    def plan(self) -> pr.PowerAnalysis:
        """The rows asked for."""
        options: dict[str, Any] = {"ratio": self.ratio, "spread": self.spread, "power": POWER,
                                   "reference": self.reference}  # fmt: skip
        if self.test == "delong":
            return pr.sample_size_auc(self.auc, self.other, **options)
        tie: dict[str, Any] = {"score_correlation": CORRELATION}
        return pr.sample_size_difference(self.auc, self.other, **tie, **options)


class Outcome(NamedTuple):
    """What became of a cell."""

    n_pos: int
    n_neg: int
    promised: float
    found: float
    textbook: float


def grid(references: list[str]) -> list[Cell]:
    """All cells of these references."""
    return [
        Cell(test, *values, ratio, spread, reference)
        for reference in references
        for test, pairs in (("delong", ONE), ("compare", TWO))
        for values in pairs
        for ratio in RATIOS
        for spread in SPREADS
    ]


def run(job: tuple[Cell, int]) -> tuple[Cell, Outcome]:
    """The share of data sets in which the test of a cell rejects on the right side."""
    cell, sets = job
    plan = cell.plan()
    sizes: dict[str, Any] = {"n_pos": plan.n_pos, "n_neg": plan.n_neg}
    rng = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    rejected = sum(rejects(cell, plan.n_pos, plan.n_neg, rng) for _ in range(sets))
    if cell.test == "delong":
        textbook = pr.power_auc(cell.auc, cell.other, variance="hanley-mcneil", **sizes)
    else:
        exact = pr.power_difference(cell.auc, cell.other, score_correlation=CORRELATION,
                                    spread=cell.spread, **sizes)  # fmt: skip
        correlation = correlation_of_aucs(cell, exact.standard_errors[1], **sizes)
        textbook = pr.power_difference(cell.auc, cell.other, correlation=correlation,
                                       variance="hanley-mcneil", **sizes)  # fmt: skip
    return cell, Outcome(**sizes, promised=plan.power, found=rejected / sets,
                         textbook=textbook.power)  # fmt: skip


def correlation_of_aucs(cell: Cell, error: float, n_pos: int, n_neg: int) -> float:
    """The correlation of two AUCs, from their errors and that of the difference."""
    first, second = (
        pr.power_auc(auc, 0.5, n_pos=n_pos, n_neg=n_neg, spread=cell.spread).standard_errors[1]
        for auc in (cell.auc, cell.other)
    )
    return (first**2 + second**2 - error**2) / (2 * first * second)


def rejects(cell: Cell, n_pos: int, n_neg: int, rng: np.random.Generator) -> bool:
    """Draw a data set and test it."""
    labels = np.repeat([1, 0], [n_pos, n_neg])
    wide = np.repeat([cell.spread, 1.0], [n_pos, n_neg])
    common = rng.normal(size=len(labels))

    def scores(auc: float, share: float) -> Any:
        noise = math.sqrt(share) * common
        if share < 1:
            noise = noise + math.sqrt(1 - share) * rng.normal(size=len(labels))
        return _NORMAL.inv_cdf(auc) * math.hypot(1, cell.spread) * labels + wide * noise

    if cell.test == "delong":
        low, high = pr.delong(labels, scores(cell.auc, 1.0), "auc", confidence=1 - LEVEL,
                              n_threads=1, reference=cell.reference).interval  # fmt: skip
        return bool(low > cell.other if cell.auc > cell.other else high < cell.other)
    models = {"first": scores(cell.auc, CORRELATION), "second": scores(cell.other, CORRELATION)}
    found = pr.compare(labels, models, "auc", reference=cell.reference, n_threads=1)
    right = (found.estimates[1] > found.estimates[0]) == (cell.other > cell.auc)
    return bool(right and found.p_value <= LEVEL)


def lines(found: dict[Cell, Outcome], cells: list[Cell], sets: int) -> list[list[str]]:
    """A line a cell; `!` where the promise is too far off by more than chance."""
    out = []
    for cell in cells:
        got = found[cell]
        error = math.sqrt(got.promised * (1 - got.promised) / sets)
        off = got.promised - got.found
        mark = " !" if abs(off) > WIDEST + 2 * error else ""
        what = f"{cell.auc:g} v {cell.other:g}"
        out.append([cell.test, cell.reference, what, f"{cell.ratio:g}", f"{cell.spread:g}",
                    f"{got.n_pos} : {got.n_neg}", f"{got.promised:.3f}", f"{got.found:.3f}",
                    f"{off:+.3f}{mark}", f"{got.textbook:.3f}"])  # fmt: skip
    return out


def summary(found: dict[Cell, Outcome]) -> list[str]:
    """How far promises are off, by test and reference."""
    out = []
    for test, reference in sorted({(cell.test, cell.reference) for cell in found}):
        own = [got for cell, got in found.items() if cell[:1] + cell[-1:] == (test, reference)]
        off = [got.promised - got.found for got in own]
        old = [got.textbook - got.found for got in own]
        out.append(
            f"- {test}, {reference}: promised less found {min(off):+.3f} to {max(off):+.3f}, root "
            f"mean square {math.sqrt(np.mean(np.square(off))):.3f}; Hanley & McNeil "
            f"{min(old):+.3f} to {max(old):+.3f}"
        )
    return out


def main() -> int:
    """Run all cells and print or write the table."""
    parser = argparse.ArgumentParser(description="promised against simulated power")
    add_shared(parser, f"{QUICK} data sets a line, not {SETS:,}")
    parser.add_argument("--references", nargs="+", choices=REFERENCES, default=list(REFERENCES),
                        help="of the tests (both)")  # fmt: skip
    arguments = read(parser)
    if arguments.write and len(arguments.references) < len(REFERENCES):
        parser.error("--write is for all lines; leave out --references, or use --markdown")
    sets = arguments.sets or (QUICK if arguments.quick else SETS)
    about = machine.describe(arguments.processes, "processes", PACKAGES)
    start = time.monotonic()
    cells = grid(arguments.references)
    done: dict[Cell, Outcome] = {}
    with multiprocessing.get_context("spawn").Pool(arguments.processes) as pool:
        for cell, outcome in pool.imap_unordered(run, [(cell, sets) for cell in cells]):
            done[cell] = outcome
            print(f"{len(done)}/{len(cells)}", end="\r", file=sys.stderr, flush=True)
    header = ["test", "reference", "AUC v null or AUC", "ratio", "spread", "rows", "promised",
              "found", "off", "Hanley & McNeil"]  # fmt: skip
    markdown = arguments.markdown or arguments.write
    table = report.table(header, lines(done, cells, sets), markdown=markdown)
    about["data sets"] = (
        f"{sets:,} a line, Monte-Carlo error of {POWER:g}: "
        f"{math.sqrt(POWER * (1 - POWER) / sets):.3f}"
    )
    about["time"] = f"{(time.monotonic() - start) / 60:.1f} minutes"
    below = "\n".join([*summary(done), *(f"- {name}: {text}" for name, text in about.items())])
    if arguments.write:
        pages.put(PAGE, "figures", f"{table}\n\n{below}")
    else:
        print(f"{table}\n\n{below}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
