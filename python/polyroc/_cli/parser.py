"""The commands and their options, by the standard library alone: help must come at once."""

from __future__ import annotations

import argparse
from typing import Any

FORMATS = (
    "CSV, TSV, Parquet, Arrow or JSON lines, also gzipped or with zstd; - reads standard input"
)
SHELLS = ("bash", "zsh", "tcsh")


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = _parser(
        prog="polyroc",
        description="Score classifiers from files of predictions: the AUC family, with intervals.",
        epilog="examples:\n"
        "  polyroc example --out predictions.csv\n"
        '  polyroc evaluate predictions.csv --label y --scores "p_*" --report report.html\n'
        "  polyroc compare boost.csv forest.csv --label y --measure auc_mu\n\n"
        "exit codes: 0 done, 1 a gate (--fail-under) was missed, 2 wrong use or data",
    )
    top.add_argument("--version", action="store_true", help="print the version and leave")
    top.add_argument(
        "--print-completion",
        choices=SHELLS,
        metavar="SHELL",
        help="print a script that completes commands: bash, zsh or tcsh",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _evaluate(commands)
    _compare(commands)
    _bradley(commands)
    _example(commands)
    return top


def _parser(**options: Any) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options
    )


def _command(commands: Any, name: str, text: str, example: str) -> argparse.ArgumentParser:
    found: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        allow_abbrev=False,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return found


def _evaluate(commands: Any) -> None:
    command = _command(
        commands,
        "evaluate",
        "every measure that applies, with intervals",
        'polyroc evaluate predictions.parquet --label y --scores "p_*" --bootstrap 10000 --seed 7',
    )
    _data(command)
    _run(command, "the headline measures (may be given several times); by default all that apply")
    command.add_argument(
        "--report", metavar="FILE", help="write a page that opens from disk: report.html"
    )
    command.add_argument(
        "--fail-under",
        type=float,
        metavar="X",
        help="exit with 1 if the first measure of a model is below X, in all rows or a segment",
    )
    segments = command.add_argument_group("segments")
    segments.add_argument(
        "--by",
        metavar="COLUMN",
        action="append",
        help="a table by the values of a column, or of several as country,device "
        "(may be given several times)",
    )
    segments.add_argument(
        "--adjust",
        choices=("holm", "bh", "none"),
        default="holm",
        help="p-values for their number (default: %(default)s)",
    )
    segments.add_argument(
        "--min-rows", type=int, default=1, metavar="N", help="segments of fewer rows have no number"
    )


def _compare(commands: Any) -> None:
    command = _command(
        commands,
        "compare",
        "models compared: differences, intervals, tests",
        "polyroc compare boost.csv forest.csv --label y --measure auc_mu --fail-under -0.01",
    )
    _data(command)
    _run(command, "what to compare by; auc for two classes, auc_mu for more")
    command.add_argument(
        "--method",
        choices=("delong", "bootstrap", "permutation"),
        default="delong",
        help="how (default: %(default)s)",
    )
    command.add_argument(
        "--alternative",
        choices=("two-sided", "greater", "less"),
        default="two-sided",
        help="what is tested (default: %(default)s)",
    )
    command.add_argument("--margin", type=float, help="for non-inferiority and equivalence")
    command.add_argument(
        "--fail-under",
        type=float,
        metavar="X",
        help="exit with 1 if the first model minus the second is below X",
    )


def _bradley(commands: Any) -> None:
    command = _command(
        commands,
        "bradley",
        "classifiers compared over the folds of a cross-validation",
        "polyroc bradley folds.csv --label y --fold fold --model model",
    )
    _data(command)
    command.add_argument("--fold", required=True, metavar="COLUMN", help="the fold of each row")
    command.add_argument("--measure", metavar="NAME", help="auc for two classes, auc_mu for more")
    command.add_argument(
        "--alpha", type=float, default=0.05, help="level of the tests (%(default)s)"
    )
    _output(command)


def _example(commands: Any) -> None:
    command = _command(
        commands,
        "example",
        "the bundled example as a file, to try the rest on",
        "polyroc example --out predictions.csv",
    )
    command.add_argument(
        "--out", metavar="FILE", required=True, help="a .csv, .tsv, .parquet, .arrow or .jsonl file"
    )


def _data(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help=f"{FORMATS}. Several files are several models, named by their stems",
    )
    data = command.add_argument_group("columns")
    data.add_argument("--label", metavar="COLUMN", help="the class of each row")
    data.add_argument(
        "--scores",
        metavar="PATTERN",
        action="append",
        help='columns of scores: a glob as "p_*", one column per class, or one column for '
        'two classes; "{model}_p_{class}" has several models',
    )
    data.add_argument(
        "--positive", metavar="LABEL", help="of two classes, the one that high scores stand for"
    )
    data.add_argument("--model", metavar="COLUMN", help="the model of each row")
    data.add_argument("--groups", metavar="COLUMN", help="rows of one group are drawn together")
    data.add_argument("--weights", metavar="COLUMN", help="weights of the rows")
    data.add_argument("--id", metavar="COLUMN", help="names rows, to match those of several models")
    data.add_argument(
        "--long",
        action="store_true",
        help="one line per row and class: --id, --class and --score name the columns",
    )
    data.add_argument("--class", dest="class_column", metavar="COLUMN", help="with --long")
    data.add_argument("--score", dest="score_column", metavar="COLUMN", help="with --long")
    data.add_argument(
        "--float32",
        action="store_true",
        help="scores were single precision before they were written as text",
    )
    data.add_argument(
        "--missing",
        choices=("error", "drop"),
        default="error",
        help="rows that lack a score (default: %(default)s)",
    )
    data.add_argument(
        "--absent",
        choices=("raise", "skip"),
        default="raise",
        help="classes that have a column but no rows (default: %(default)s)",
    )


def _run(command: argparse.ArgumentParser, measure: str) -> None:
    run = command.add_argument_group("numbers")
    run.add_argument("--measure", metavar="NAME", action="append", help=measure)
    run.add_argument("--bootstrap", metavar="N", type=int, help="how many resamples")
    run.add_argument("--seed", type=int, help="the same seed gives the same numbers")
    run.add_argument("--confidence", type=float, default=0.95, help="(default: %(default)s)")
    _output(command)


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--threads", type=int, metavar="N", help="all cores by default")
    command.add_argument(
        "--json", action="store_true", help="print one JSON document and nothing else"
    )
