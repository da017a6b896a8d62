"""How often the tests of ``compare`` reject: ``make rejections``.

Two models, and more of the first kind for overall tests, score the same rows (`designs/rivals`).
The size of a test is how often it rejects at 5 % where models are equal, its power how often where
they differ. At a margin, the models differ by the margin itself, and the test of non-inferiority
(or of non-superiority) should reject in 2.5 %. Beside it stands how often the interval of the
difference holds the truth, and on which side it misses. The Monte-Carlo error of a rate p is sqrt(p
(1 - p) / data sets).
"""

from __future__ import annotations

import argparse
import math
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polyroc as pr

from benches import report
from benches.studies import aims, runs, studies
from benches.studies.compare_methods import RESAMPLES, judge, methods_of
from benches.studies.designs import contests
from benches.studies.designs.design import Floats, sizes_text
from benches.studies.designs.rivals import Rivals
from benches.studies.options import add_designs, matching, read
from benches.studies.studies import Asked, Study

PAGE = Path(__file__).parent / "REJECTIONS.md"
MODELS = 3
HEADER = ("models", "sizes", "units", "measure", "first", "second", "method", "rate", "rejects",
          "all models", "coverage", "truth below", "truth above", "width", "error")  # fmt: skip


class Found(NamedTuple):
    """Verdicts by data set and method, and the fewest effective units of a class."""

    verdicts: Floats
    units: Floats


class Line(NamedTuple):
    """What one method said of one kind of rivals."""

    rivals: Rivals
    units: float
    method: str
    default: bool
    sets: int
    rate: float  # of rejections; at a margin, of the one-sided test
    overall: float  # nan if there is none
    below: float
    above: float
    width: float
    part: bool  # whether of fewer data sets than a full run

    @property
    def kind(self) -> str:
        if self.rivals.margin:
            return "margin"
        return "power" if self.rivals.difference else "size"

    @property
    def family(self) -> str:
        return self.rivals.family

    @property
    def missed(self) -> str:
        """Which aims it misses; unless in a full run by more than two Monte-Carlo errors."""
        sets = self.sets if self.part else math.inf
        out = []
        if self.kind == "margin":
            out.append(aims.of_margin(self.rate, sets))
        elif self.kind == "size":
            out.append(aims.of_size(self.units, self.rate, sets))
            overall = aims.of_size(self.units, self.overall, sets)
            out.append(f"all models: {overall}" if overall else "")
        interval = aims.of_interval(self.units, self.below, self.above, sets)
        out.append(f"interval {interval}" if interval else "")
        return "; ".join(text for text in out if text)

    @property
    def texts(self) -> list[str]:
        rivals = self.rivals
        truths = [one.truths[rivals.measure] for one in (rivals.first, rivals.second)]
        coverage = 1 - self.below - self.above
        interval = [f"{100 * share:.1f}" for share in (coverage, self.below, self.above)]
        return [
            rivals.name, sizes_text(rivals.first.sizes), f"{self.units:.0f}", rivals.measure,
            *(f"{truth:.3f}" for truth in truths), f"{self.method}{' *' if self.default else ''}",
            self.kind, f"{100 * self.rate:.1f}{' <' if self.missed else ''}",
            "" if math.isnan(self.overall) else f"{100 * self.overall:.1f}",
            *(["", "", ""] if math.isnan(self.width) else interval),
            "" if math.isnan(self.width) else f"{self.width:.3g}",
            f"{100 * aims.error(self.rate, self.sets):.1f}",
        ]  # fmt: skip


def sets_of(rivals: Rivals) -> int:
    """As many data sets as time allows; power may be known less well than size."""
    powers = rivals.difference and not rivals.margin
    return 1000 if powers or sum(rivals.first.sizes) > 350 else 2000


def run(job: runs.Job, models: int = MODELS, **further: Any) -> Found:
    """Draw the job's data sets and let every method judge them."""
    warnings.simplefilter("ignore", pr.BootstrapWarning)  # of resamples that lost a class
    methods = methods_of(job.design, job.quick)
    verdicts = np.empty((len(job.numbers), len(methods), 5))
    units = np.empty(len(job.numbers))
    for place, number in enumerate(job.numbers):
        contest = job.design.draw(number, models)
        units[place] = contest.rows.least_units
        verdicts[place] = [
            judge(job.design, contest, method, number, job.replicates, **further)
            for method in methods
        ]
    return Found(verdicts, units)


def lines(rivals: Rivals, found: Sequence[Found], asked: Asked) -> list[Line]:
    """A line for each method; methods that agree in all they say share one."""
    methods = methods_of(rivals, asked.quick)
    verdicts = np.concatenate([one.verdicts for one in found])
    units = float(np.concatenate([one.units for one in found]).mean())
    truth = rivals.difference
    alike: dict[int, list[int]] = {}
    for number in range(len(methods)):
        same = (k for k in alike if np.array_equal(verdicts[:, k], verdicts[:, number], True))
        alike.setdefault(next(same, number), []).append(number)
    out = []
    for first, numbers in alike.items():
        rejects, overall, at_margin, low, high = verdicts[:, first].T
        rate = at_margin if rivals.margin else rejects
        # Two models with the same ranks differ by nothing for certain: limits may be rounded.
        below, above = truth < low - 1e-12, truth > high + 1e-12
        out.append(
            Line(
                rivals, units, " = ".join(methods[k].name for k in numbers),
                any(methods[k].default for k in numbers), len(rejects), float(rate.mean()),
                float(overall.mean()), float(below.mean()), float(above.mean()),
                float((high - low).mean()), len(low) < sets_of(rivals),
            )
        )  # fmt: skip
    return out


def summary(found: Sequence[Line], markdown: bool) -> str:
    """The aims, the worst of each method, and the lines of defaults that miss an aim."""
    names = dict.fromkeys(name for line in found for name in line.method.split(" = "))
    table = []
    for name in names:
        those = [line for line in found if name in line.method.split(" = ")]
        row = [name]
        for kind, least, most in (
            ("size", aims.ENOUGH, math.inf),
            ("size", aims.FEW, aims.ENOUGH),
            ("margin", 0, math.inf),
        ):
            rates = [one.rate for one in those if one.kind == kind and least <= one.units < most]
            row.append(f"{100 * min(rates):.1f} to {100 * max(rates):.1f}" if rates else "")
        known = [one for one in those if one.units >= aims.FEW and not math.isnan(one.width)]
        row.append(f"{100 * min((1 - x.below - x.above for x in known), default=0):.1f}")
        row.append(f"{sum(not line.missed for line in those)} of {len(those)}")
        table.append(row)
    header = ["method", f"size from {aims.ENOUGH} units", f"size, {aims.FEW} to {aims.ENOUGH}",
              "at margins", f"least coverage from {aims.FEW}", "aims met"]  # fmt: skip
    missed = [
        [line.rivals.family, line.rivals.name, sizes_text(line.rivals.first.sizes),
         f"{line.units:.0f}", line.rivals.measure, line.method, line.missed,
         f"{100 * aims.error(line.rate, line.sets):.1f}"]
        for line in found if line.default and line.missed
    ]  # fmt: skip
    out = [f"{aims.INTERVALS} {aims.TESTS}", "", report.table(header, table, markdown=markdown), ""]
    defaults = sum(line.default for line in found)
    out.append(f"Lines of defaults that miss an aim: {len(missed)} of {defaults}.")
    if missed:
        header = ["family", "models", "sizes", "units", "measure", "method", "misses", "error"]
        out += ["", report.table(header, missed, markdown=markdown)]
    return "\n".join(out)


PARTS = {
    "areas": Study(PAGE, HEADER, contests.AREAS, sets_of, RESAMPLES, "resamples", summary),
    "beyond": Study(PAGE, HEADER, contests.BEYOND, sets_of, RESAMPLES, "resamples", summary,
                    ("summary of beyond", "figures of beyond")),
}  # fmt: skip


def study(all_rivals: Sequence[Rivals], asked: Asked, **further: Any) -> list[Line]:
    """Run rivals; their lines, in order."""
    return studies.study(all_rivals, asked, sets_of, partial(run, **further), lines)


def main() -> int:
    """Run the chosen rivals, part by part, and print or write the tables; 2 if there are none."""
    parser = argparse.ArgumentParser(description="how often the tests of compare reject")
    add_designs(parser, RESAMPLES)
    parser.add_argument("--models", type=int, choices=range(3, 27), default=MODELS,
                        metavar="3..26", help="in the overall tests (3)")  # fmt: skip
    parser.add_argument("--varying", action="store_true", help="tests let class counts vary")
    parser.add_argument("--part", choices=PARTS, help="of the study (both)")
    asked = read(parser)
    further: dict[str, Any] = {"models": asked.models}
    if asked.varying:
        further["stratify"] = False
    parts = [PARTS[asked.part]] if asked.part else list(PARTS.values())
    some = [part for part in parts if matching(part.all_designs, asked.only)]
    parts = parts if asked.list else some or parts[:1]
    return min(studies.carry_out(part, asked, partial(study, **further)) for part in parts)


if __name__ == "__main__":
    sys.exit(main())
