"""Options that studies share, and the packages that their figures depend on."""

from __future__ import annotations

import argparse
import os

PACKAGES = ("polyroc", "numpy")


def positive(text: str) -> int:
    """A whole number of at least one."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return number


def add_shared(parser: argparse.ArgumentParser) -> None:
    """How to print, and on how many processes to run."""
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown")
    parser.add_argument("--processes", type=positive, default=os.cpu_count(), help="all cores")
