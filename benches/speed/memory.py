"""Peak memory of every measure beyond its input: ``python -m benches.speed.memory``.

The input is written to a file once.  For each measure a fresh process loads it, warms up on a
few rows (threads, imports), notes its resident size, resets the kernel's high-water mark, calls
the measure once and reads the mark.  Allowed: twice the input plus 16 MiB.  Linux only.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benches import report
from benches.speed import data, figures

_MODULE = "benches.speed.memory"  # the name that a child is started by
_MIB = 2**20
_SPARE = 16 * _MIB


@dataclass(frozen=True)
class Input:
    """A data set; ``few`` marks one too large for work of order n K^2 times K.

    ``small`` makes scores float32 and labels int8: every other byte counts more beside them.
    """

    name: str
    n: int
    k: int
    options: dict[str, Any] = field(default_factory=dict)
    few: bool = False
    small: bool = False

    def write(self, folder: Path) -> None:
        """Write labels, scores and row weights where the children find them."""
        if self.k == 2:
            y, scores = data.two_classes(self.n, **self.options)
            if self.small:
                y, scores = y.astype(np.int8), scores.astype(np.float32)
        else:
            y, scores = data.many_classes(self.n, self.k, **self.options)
        weights = np.random.default_rng(self.n).random(self.n)
        for name, array in (("y", y), ("scores", scores), ("weights", weights)):
            np.save(folder / f"{name}.npy", array)


INPUTS = (
    Input("auc", 10_000_000, 2),
    Input("auc-rounded", 10_000_000, 2, {"decimals": 2}),
    Input("auc-small-types", 20_000_000, 2, small=True),
    Input("small", 10_000, 3),
    Input("k-10", 1_000_000, 10),
    Input("k-10-rounded", 1_000_000, 10, {"decimals": 2}),
    Input("k-100", 100_000, 100),
    Input("k-1000", 50_000, 1_000, {"dtype": "float32"}, few=True),
    Input("k-1000-short", 20_000, 1_000, {"dtype": "float32"}, few=True),
)

Measure = Callable[[Any, Any, Any, Any], Any]  # module, labels, scores, weights (or None)


def _costs(k: int) -> Any:
    costs = 1.0 + np.random.default_rng(k).random((k, k))
    np.fill_diagonal(costs, 0.0)
    return costs


BINARY: dict[str, Measure] = {
    "auc": lambda pr, y, s, w: pr.auc(y, s, sample_weight=w),
    "auc, max_fpr": lambda pr, y, s, w: pr.auc(y, s, max_fpr=0.1, sample_weight=w),
    "kolmogorov_smirnov": lambda pr, y, s, w: pr.kolmogorov_smirnov(y, s, sample_weight=w),
    "expected_correct, threshold": lambda pr, y, s, w: pr.expected_correct(
        y, s, threshold=(2, 5), sample_weight=w
    ),
    "expected_correct, screened": lambda pr, y, s, w: pr.expected_correct(
        y, s, screened=(1, 9), sample_weight=w
    ),
    "average_precision": lambda pr, y, s, w: pr.average_precision(y, s, sample_weight=w),
}
MULTI: dict[str, Measure] = {
    "hand_till": lambda pr, y, s, w: pr.hand_till(y, s, sample_weight=w),
    "auc_mu": lambda pr, y, s, w: pr.auc_mu(y, s, sample_weight=w),
    "auc_mu, exact ties": lambda pr, y, s, w: pr.auc_mu(y, s, ties="exact", sample_weight=w),
    "auc_mu, partition": lambda pr, y, s, w: pr.auc_mu(
        y, s, partition=_costs(s.shape[1]), sample_weight=w
    ),
    "one_vs_rest": lambda pr, y, s, w: pr.one_vs_rest(y, s, sample_weight=w),
    "one_vs_rest, micro": lambda pr, y, s, w: pr.one_vs_rest(
        y, s, average="micro", sample_weight=w
    ),
    "proportion_correct": lambda pr, y, s, w: pr.proportion_correct(y, s, sample_weight=w),
    "proportion_correct, pairs": lambda pr, y, s, w: pr.proportion_correct(
        y, s, pairs=True, sample_weight=w
    ),
    "polar_area": lambda pr, y, s, w: pr.polar_area(y, s, sample_weight=w),
    "pairwise, conditional": lambda pr, y, s, w: pr.pairwise(
        y, s, kind="conditional", sample_weight=w
    ),
    "pairwise, auc_mu": lambda pr, y, s, w: pr.pairwise(y, s, kind="auc_mu", sample_weight=w),
}
_DEAR = {"auc_mu, partition"}  # order n K^3: left out of inputs marked few


def measures(chosen: Input) -> dict[str, Measure]:
    """What is measured on an input, by name."""
    every = BINARY if chosen.k == 2 else MULTI
    return {name: m for name, m in every.items() if not (chosen.few and name in _DEAR)}


def status(key: str) -> int:
    """Return a line of /proc/self/status, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"/proc/self/status has no {key}")


def child(folder: Path, name: str, k: int, weighted: bool) -> None:
    """Call one measure on the stored input and print the bytes it took, as JSON."""
    import polyroc

    measure = (BINARY if k == 2 else MULTI)[name]
    y, scores = np.load(folder / "y.npy"), np.load(folder / "scores.npy")
    weights = np.load(folder / "weights.npy") if weighted else None
    size = y.nbytes + scores.nbytes + (0 if weights is None else weights.nbytes)
    few = np.concatenate([np.flatnonzero(y == c)[:2] for c in range(k)])
    measure(polyroc, y[few], scores[few], None if weights is None else weights[few])
    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark starts again
    measure(polyroc, y, scores, weights)
    print(json.dumps({"input": size, "extra": max(0, status("VmHWM") - before)}))


def _line(folder: Path, chosen: Input, name: str, weighted: bool) -> list[str]:
    command = [sys.executable, "-m", _MODULE, "--child", str(folder), name, str(chosen.k)]
    done = subprocess.run(
        [*command, "weighted" if weighted else "plain"], capture_output=True, text=True
    )
    work = f"{name}{', weighted' if weighted else ''}"
    if done.returncode:
        problem = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return [chosen.name, work, "", problem, "", "NO"]
    got = json.loads(done.stdout)
    allowed = 2 * got["input"] + _SPARE
    figures = [f"{value / _MIB:.1f} MiB" for value in (got["input"], got["extra"], allowed)]
    return [chosen.name, work, *figures, "yes" if got["extra"] <= allowed else "NO"]


def main() -> int:
    """Measure the chosen inputs and print the table; 1 if a measure took more than allowed."""
    parser = argparse.ArgumentParser(description="peak memory of every measure")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="inputs by name: 'k-*'")
    parser.add_argument("--measure", metavar="PATTERN", default="*", help="measures by name")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--write", action="store_true", help="put all into FIGURES.md and README")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        folder, name, k, weighted = arguments.child
        child(Path(folder), name, int(k), weighted == "weighted")
        return 0
    if arguments.write and (arguments.only, arguments.measure) != ("*", "*"):
        parser.error("--write is for all inputs and measures; leave out --only and --measure")
    printed = []
    for chosen in INPUTS:
        if not fnmatch.fnmatch(chosen.name, arguments.only):
            continue
        print(f"{chosen.name} ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            chosen.write(Path(folder))
            for name in measures(chosen):
                if fnmatch.fnmatch(name, arguments.measure):
                    for weighted in (False, True):
                        printed.append(_line(Path(folder), chosen, name, weighted))
    header = ["input", "measure", "input size", "beyond it", "allowed", "kept"]
    print(report.table(header, printed, markdown=arguments.markdown))
    kept = sum(line[-1] == "yes" for line in printed)
    if arguments.write:
        figures.put(figures.PAGE, "memory", report.table(header, printed, markdown=True))
        figures.put(
            figures.README,
            "memory",
            "Memory beyond the input stayed within twice the input plus 16 MiB in "
            f"{kept} of {len(printed)} cases.",
        )
    return int(kept < len(printed))


if __name__ == "__main__":
    sys.exit(main())
