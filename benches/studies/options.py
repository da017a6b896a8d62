"""Options that studies share, and the packages that their figures depend on."""

from __future__ import annotations

import argparse
import fnmatch
import math
import os
from collections.abc import Sequence
from typing import Any

PACKAGES = ("polyroc", "numpy", "scipy")
QUICK_SETS = 300
QUICK_REPLICATES = 499


def positive(text: str) -> int:
    """A whole number of at least one."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return number


def add_shared(parser: argparse.ArgumentParser, quick: str) -> None:
    """How much to run, on how many processes, and where figures go; what `quick` leaves out."""
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--sets", type=positive, help="data sets of each line")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")
    parser.add_argument("--write", action="store_true", help="put them into the page of the study")
    parser.add_argument("--processes", type=positive, default=os.cpu_count(), help="all cores")


def add_designs(parser: argparse.ArgumentParser, replicates: int) -> None:
    """The same, and which designs to run."""
    add_shared(parser, f"two designs per family, defaults alone, {QUICK_SETS} data sets")
    parser.add_argument("--only", metavar="PATTERN", help="designs by key, e.g. 'ties/*'")
    parser.add_argument("--list", action="store_true", help="print the keys of the designs")
    parser.add_argument("--minutes", type=float, default=math.inf,
                        help="after which no more data sets are drawn")  # fmt: skip
    parser.add_argument("--replicates", type=positive, help=f"of each data set ({replicates})")


def matching(designs: Sequence[Any], pattern: str | None) -> list[Any]:
    """Designs whose key matches; all without a pattern."""
    return [design for design in designs if fnmatch.fnmatch(design.key, pattern or "*")]


def read(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """What is asked for; a page has the figures of all designs, and says of how many data sets."""
    asked = parser.parse_args()
    partial = ("quick", "only", "replicates", "varying")
    given = [f"--{name}" for name in partial if getattr(asked, name, None)]
    if asked.write and given:
        parser.error(f"--write is for all designs; leave out {', '.join(given)}, or use --markdown")
    return asked
