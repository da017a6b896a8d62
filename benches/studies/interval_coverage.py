"""How often 95 % intervals hold the truth: ``make coverage``.

Data sets come from designs whose answer is known (`designs/`). Every method makes its interval of
the same data set; bootstrap intervals of the same options share their replicates. The truth is
below an interval, in it, or above it: the shares of these over data sets are what is printed, each
with a Monte-Carlo error of sqrt(p (1 - p) / data sets). Intervals of differences are in
`rejection_rates`, beside the tests that go with them.
"""

from __future__ import annotations

import argparse
import math
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polyroc as pr

from benches import report
from benches.studies import aims, runs, studies
from benches.studies.designs import families
from benches.studies.designs.design import Design, Floats, sizes_text
from benches.studies.interval_methods import REPLICATES, intervals, methods_of
from benches.studies.options import add_designs, read
from benches.studies.studies import Asked, Study

PAGE = Path(__file__).parent / "COVERAGE.md"
HEADER = ("design", "sizes", "units", "measure", "truth", "method", "coverage", "truth below",
          "truth above", "width", "error")  # fmt: skip


class Found(NamedTuple):
    """Limits by measure, data set and method, and the fewest effective units of a class."""

    limits: dict[str, Floats]
    units: Floats


class Line(NamedTuple):
    """Intervals of one measure by one method in one design."""

    design: Design
    units: float
    measure: str
    method: str
    default: bool
    sets: int
    below: float
    above: float
    width: float
    part: bool  # whether of fewer data sets than a full run

    @property
    def coverage(self) -> float:
        return 1 - self.below - self.above

    @property
    def family(self) -> str:
        return self.design.family

    @property
    def missed(self) -> str:
        """Which aims it misses; unless in a full run by more than two Monte-Carlo errors."""
        sets = self.sets if self.part else math.inf
        return aims.of_interval(self.units, self.below, self.above, sets)

    @property
    def texts(self) -> list[str]:
        truth = self.design.truths[self.measure]
        mark = " <" if self.missed else ""
        return [
            self.design.name, sizes_text(self.design.sizes), f"{self.units:.0f}", self.measure,
            f"{truth:.3f}", f"{self.method}{' *' if self.default else ''}",
            f"{100 * self.coverage:.1f}{mark}", f"{100 * self.below:.1f}",
            f"{100 * self.above:.1f}", f"{self.width:.3g}",
            f"{100 * aims.error(self.coverage, self.sets):.1f}",
        ]  # fmt: skip


def sets_of(design: Design) -> int:
    """As many data sets as time allows; small ones need most."""
    return round(design.sets * (2000 if sum(design.sizes) <= 600 else 1000))


def run(job: runs.Job) -> Found:
    """Draw the job's data sets and take their intervals."""
    warnings.simplefilter("ignore", pr.BootstrapWarning)  # of resamples that lost a class
    methods = methods_of(job.design, job.quick)
    measures = job.design.measures  # of some designs found by integration, together with truths
    limits = {name: np.empty((len(job.numbers), len(methods), 2)) for name in measures}
    units = np.empty(len(job.numbers))
    for place, number in enumerate(job.numbers):
        data = job.design.draw(number)
        units[place] = data.rows.least_units
        found = intervals(measures, data, methods, number, job.replicates)
        for measure, by_method in found.items():
            limits[measure][place] = [by_method[method.name] for method in methods]
    return Found(limits, units)


def lines(design: Design, found: Sequence[Found], asked: Asked) -> list[Line]:
    """A line for each measure and method; methods that agree in every limit share one."""
    methods = methods_of(design, asked.quick)
    units = float(np.concatenate([one.units for one in found]).mean())
    out = []
    for measure, truth in design.truths.items():
        limits = np.concatenate([one.limits[measure] for one in found])
        alike: dict[int, list[int]] = {}
        for number in range(len(methods)):
            first = next(
                (k for k in alike if np.array_equal(limits[:, k], limits[:, number])), number
            )
            alike.setdefault(first, []).append(number)
        for first, numbers in alike.items():
            low, high = limits[:, first].T
            out.append(
                Line(
                    design, units, measure, " = ".join(methods[k].name for k in numbers),
                    any(methods[k].default for k in numbers), len(low),
                    float((truth < low).mean()), float((truth > high).mean()),
                    float((high - low).mean()), len(low) < sets_of(design),
                )
            )  # fmt: skip
    return out


def summary(found: Sequence[Line], markdown: bool) -> str:
    """The aims, each method over all its lines, and the lines of defaults that miss an aim."""
    by_method: dict[str, list[Line]] = {}
    for line in found:
        for name in line.method.split(" = "):
            by_method.setdefault(name, []).append(line)
    table = []
    for name, those in by_method.items():
        row = [name]
        for least, most in ((aims.ENOUGH, np.inf), (aims.FEW, aims.ENOUGH)):
            some = [line for line in those if least <= line.units < most]
            worst = min((line.coverage for line in some), default=np.nan)
            row += [
                f"{sum(not line.missed for line in some)} of {len(some)}",
                f"{100 * worst:.1f}" if some else "",
                f"{100 * max((line.below for line in some), default=0):.1f}" if some else "",
                f"{100 * max((line.above for line in some), default=0):.1f}" if some else "",
            ]
        table.append(row)
    header = ["method"]
    for units in (f"from {aims.ENOUGH} units", f"{aims.FEW} to {aims.ENOUGH} units"):
        header += [f"{units}: aims met", "least coverage", "most below", "most above"]
    missed = [
        [line.design.family, line.design.name, sizes_text(line.design.sizes), f"{line.units:.0f}",
         line.measure, line.method, line.missed,
         f"{100 * aims.error(line.coverage, line.sets):.1f}"]
        for line in found if line.default and line.missed
    ]  # fmt: skip
    defaults = sum(line.default for line in found)
    out = [aims.INTERVALS, "", report.table(header, table, markdown=markdown), ""]
    out.append(f"Lines of defaults that miss an aim: {len(missed)} of {defaults}.")
    if missed:
        header = ["family", "design", "sizes", "units", "measure", "method", "misses", "error"]
        out += ["", report.table(header, missed, markdown=markdown)]
    return "\n".join(out)


STUDY = Study(PAGE, HEADER, families.ALL, sets_of, REPLICATES, "replicates", summary)


def study(designs: Sequence[Design], asked: Asked) -> list[Line]:
    """Run designs; their lines, in order."""
    return studies.study(designs, asked, sets_of, run, lines)


def main() -> int:
    """Run the chosen designs and print or write the tables; 2 if there is no such design."""
    parser = argparse.ArgumentParser(description="how often intervals hold the truth")
    add_designs(parser, REPLICATES)
    return studies.carry_out(STUDY, read(parser), study)


if __name__ == "__main__":
    sys.exit(main())
