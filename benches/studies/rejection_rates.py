"""How often the tests of ``compare`` reject: ``make rejections``.

Scores of two models come from a model whose answer is known. Column i of model m is, for a row of
class c, d_m where c = i, else 0, plus sqrt(r) u + sqrt(1 - r) e_m with u common to the models, so
that their scores correlate by r within classes. With two classes one column is used. M is
Phi(d / sqrt 2) and AUC-mu is Phi(d); two models with the same d are equal in truth, and are
exchangeable, which is what the permutation test assumes. ``scale`` makes the second model's scores
a monotone function of theirs, which changes no rank.

The size of a test is how often it rejects at 5 % where models are equal, its power how often where
they differ. The Monte-Carlo error of a rate p is sqrt(p (1 - p) / data sets). Options ask for more
models in the overall tests, and for tests that let class counts vary (``stratify=False``).
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
import time
import warnings
import zlib
from statistics import NormalDist
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
import polyroc as pr

from benches import machine, report
from benches.studies.options import PACKAGES, add_shared, positive

TESTS = ("delong", "delong t", "bootstrap", "permutation", "chi-square", "F")
LEVEL = 0.05
RESAMPLES = 499
SETS = 2000
CORRELATION = 0.5
_NORMAL = NormalDist()


class Job(NamedTuple):
    """A cell, the data sets to draw, the models in the overall tests, and whether counts vary."""

    cell: Cell
    sets: int
    models: int
    varying: bool


class Cell(NamedTuple):
    """Data sets of one kind; the second model's value is `other`."""

    sizes: tuple[int, ...]
    measure: str
    value: float
    other: float

    @property
    def key(self) -> str:
        sizes = "-".join(map(str, self.sizes))
        return f"{self.measure} {sizes} {self.value:g} {self.other:g}"


CELLS = [
    Cell(sizes, measure, value, other)
    for measure, all_sizes in {
        "auc": ((20, 20), (36, 2), (36, 4), (100, 100), (180, 20)),
        "hand_till": ((20, 20, 20), (40, 16, 4), (100, 100, 100)),
        "auc_mu": ((20, 20, 20), (40, 16, 4), (100, 100, 100)),
    }.items()
    for sizes in all_sizes
    for value, other in ((0.7, 0.7), (0.9, 0.9), (0.7, 0.8), (0.9, 0.95))
]


def shift(measure: str, value: float) -> float:
    """The d at which a measure has a value."""
    d = _NORMAL.inv_cdf(value)
    return d if measure == "auc_mu" else math.sqrt(2.0) * d


def draw(cell: Cell, labels: Any, rng: np.random.Generator, count: int = 3) -> dict[str, Any]:
    """Scores of some models: all but the second one, b, have the same d."""
    classes = len(cell.sizes)
    shape = (len(labels),) if classes == 2 else (len(labels), classes)
    own = labels.astype(float) if classes == 2 else np.eye(classes)[labels]
    common = math.sqrt(CORRELATION) * rng.normal(size=shape)
    models = {}
    for name in ascii_lowercase[:count]:
        value = cell.other if name == "b" else cell.value
        noise = math.sqrt(1 - CORRELATION) * rng.normal(size=shape)
        models[name] = shift(cell.measure, value) * own + common + noise
    if cell.measure != "auc_mu":
        models["b"] = np.exp(models["b"])  # another scale, the same ranks
    return models


def run(job: Job) -> tuple[Cell, dict[str, float]]:
    """The share of data sets in which each test rejects."""
    cell, sets, count, varying = job
    warnings.simplefilter("ignore", pr.BootstrapWarning)  # of resamples that lost a class
    options: dict[str, Any] = {"stratify": not varying, "n_threads": 1}
    labels = np.repeat(np.arange(len(cell.sizes)), cell.sizes)
    rng = np.random.default_rng(zlib.crc32(cell.key.encode()))
    rejected = dict.fromkeys(TESTS, 0)
    for number in range(sets):
        models = draw(cell, labels, rng, count)
        two = {name: models[name] for name in "ab"}
        for method in ("bootstrap", "permutation"):
            found = pr.compare(labels, two, cell.measure, method=method,
                               n_resamples=RESAMPLES, seed=number, **options)  # fmt: skip
            rejected[method] += found.p_value <= LEVEL
        for reference, pair, overall in (("normal", *TESTS[::4]), ("t", *TESTS[1::4])):
            found = pr.compare(labels, models, cell.measure, reference=reference, **options)
            rejected[pair] += found.pair("a", "b").p_value <= LEVEL
            rejected[overall] += found.overall.p_value <= LEVEL
    return cell, {test: count / sets for test, count in rejected.items()}


def lines(found: dict[Cell, dict[str, float]], sets: int) -> list[list[str]]:
    """Rejections in per cent, a line a cell."""
    out = []
    for cell in CELLS:
        if cell not in found:
            continue
        rates = found[cell]
        equal = cell.value == cell.other
        text = [cell.measure, " : ".join(map(str, cell.sizes)), f"{cell.value:g}",
                f"{cell.other:g}", "size" if equal else "power"]  # fmt: skip
        for test in TESTS:
            error = math.sqrt(LEVEL * (1 - LEVEL) / sets)
            mark = " >" if equal and rates[test] > LEVEL + 2 * error else ""
            text.append(f"{100 * rates[test]:.1f}{mark}")
        out.append(text)
    return out


def main() -> int:
    """Run all cells and print the table."""
    parser = argparse.ArgumentParser(description="how often the tests of compare reject")
    parser.add_argument("--sets", type=positive, default=SETS, help=f"data sets a cell ({SETS})")
    parser.add_argument("--models", type=int, choices=range(3, 27), default=3, metavar="3..26",
                        help="in the overall tests (3)")  # fmt: skip
    parser.add_argument("--varying", action="store_true", help="tests let class counts vary")
    add_shared(parser)
    arguments = parser.parse_args()
    about = machine.describe(arguments.processes, "processes", PACKAGES)
    start = time.monotonic()
    asked = arguments.sets, arguments.models, arguments.varying
    jobs = sorted((Job(cell, *asked) for cell in CELLS), key=lambda job: -sum(job.cell.sizes))
    done: dict[Cell, dict[str, float]] = {}
    with multiprocessing.get_context("spawn").Pool(arguments.processes) as pool:
        for cell, rates in pool.imap_unordered(run, jobs):
            done[cell] = rates
            print(f"{cell.key} {len(done)}/{len(jobs)}", file=sys.stderr, flush=True)
    header = ["measure", "class sizes", "first", "second", "rate", *TESTS]
    print(report.table(header, lines(done, arguments.sets), markdown=arguments.markdown))
    about["data sets"] = (
        f"{arguments.sets:,} a line, Monte-Carlo error of 5 %: "
        f"{100 * math.sqrt(LEVEL * (1 - LEVEL) / arguments.sets):.1f} %; {RESAMPLES} resamples"
    )
    about["time"] = f"{(time.monotonic() - start) / 60:.1f} minutes"
    for name, text in about.items():
        print(f"- {name}: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
