"""What formulas say of the error of an AUC, and what it is: second part of ``make power``.

Scores are normal in both classes, positives ``spread`` times as wide as negatives. Each line draws
data sets and takes the standard deviation of their AUCs, and how often the z-test of `delong`
rejects a null value on the right side; beside them stands what `power_auc` says by each formula.
"""

from __future__ import annotations

import argparse
import math
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import polyroc as pr

from benches.studies import one_table, runs
from benches.studies.one_table import OneTable
from benches.studies.options import add_shared, read

PAGE = Path(__file__).parent / "POWER.md"
FORMULAS = ("binormal", "hanley-mcneil", "obuchowski")
SETS, QUICK = 5000, 500
HEADER = ("AUC", "null", "rows", "spread", "sd found", *FORMULAS, "power found", *FORMULAS)
_NORMAL = NormalDist()


class Line(NamedTuple):
    """An AUC, what it is tested against, and the rows."""

    auc: float
    null: float
    n_pos: int
    n_neg: int
    spread: float = 1.0


LINES = [
    Line(0.9, 0.8, 50, 80),
    Line(0.9, 0.8, 251, 26),
    Line(0.9, 0.8, 26, 251),
    Line(0.8, 0.7, 80, 80),
    Line(0.8, 0.7, 80, 80, 2.0),
    Line(0.7, 0.5, 40, 40),
]


class Found(NamedTuple):
    """The AUC of each data set, and whether the test rejects on the right side."""

    values: list[float]
    rejects: list[bool]


def run(job: runs.Job) -> Found:
    """Draw the job's data sets and test them."""
    line: Line = job.design
    labels = np.repeat([1, 0], [line.n_pos, line.n_neg])
    wide = np.where(labels == 1, line.spread, 1.0)
    shift = _NORMAL.inv_cdf(line.auc) * math.hypot(1.0, line.spread)
    found = Found([], [])
    for number in job.numbers:
        rng = np.random.default_rng([zlib.crc32(repr(line).encode()), number])
        scores = shift * labels + wide * rng.standard_normal(len(labels))
        estimate = pr.delong(labels, scores, "auc", reference="normal", n_threads=1)
        found.values.append(float(estimate.estimate))
        found.rejects.append(bool(estimate.interval[0] > line.null))
    return found


def texts(line: Line, found: Sequence[Found]) -> list[str]:
    """What the table says of a line."""
    values = [value for part in found for value in part.values]
    rejects = [one for part in found for one in part.rejects]
    said = []
    for formula in FORMULAS:
        options: dict[str, Any] = {"n_pos": line.n_pos, "n_neg": line.n_neg, "variance": formula}
        if formula == "binormal":
            options |= {"spread": line.spread, "reference": "normal"}
        said.append(pr.power_auc(line.auc, null=line.null, **options))
    return [
        f"{line.auc:g}", f"{line.null:g}", f"{line.n_pos} : {line.n_neg}", f"{line.spread:g}",
        f"{np.std(values, ddof=1):.4f}", *(f"{one.standard_errors[1]:.4f}" for one in said),
        f"{np.mean(rejects):.3f}", *(f"{one.power:.3f}" for one in said),
    ]  # fmt: skip


TABLE = OneTable(PAGE, "formulas", HEADER, run, texts)


def main() -> int:
    """Run all lines and print or write the table."""
    parser = argparse.ArgumentParser(description="errors and power by formula and by simulation")
    add_shared(parser, f"{QUICK} data sets a line, not {SETS:,}")
    asked = read(parser)
    sets = asked.sets or (QUICK if asked.quick else SETS)
    one_table.carry_out(TABLE, LINES, sets, 0, asked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
