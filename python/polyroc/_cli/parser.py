"""The commands and their options, by the standard library alone: help must come at once."""

from __future__ import annotations

import argparse
from typing import Any

from polyroc._cli.plot_options import add_plot_options, describe_kinds

FORMATS = (
    "CSV, TSV, Parquet, Arrow or JSON lines, also gzipped or with zstd; - reads standard input"
)
SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = _parser(
        prog="polyroc",
        description="Score classifiers from files of predictions: the AUC family, with intervals.",
        epilog="examples:\n"
        "  polyroc example --out digits.csv\n"
        '  polyroc evaluate digits.csv --scores "{model}_p_{class}" --report report.html\n'
        "  polyroc compare boost.csv forest.csv --label y --measure auc_mu\n"
        "  polyroc plot polar digits.csv -o polar.svg\n"
        "  polyroc verify report.html digits.csv\n\n"
        "exit codes: 0 done, 2 wrong use or data, 1 a gate (--fail-under) was missed or\n"
        "  a page differs from its data",
    )
    top.add_argument("--version", action="store_true", help="print the version and leave")
    top.add_argument(
        "--print-completion",
        choices=SHELLS,
        metavar="SHELL",
        help=f"print a script that completes commands: {', '.join(SHELLS)}",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _evaluate(commands)
    _compare(commands)
    _plot(commands)
    _bradley(commands)
    _verify(commands)
    _example(commands)
    return top


def _parser(**options: Any) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options
    )


def _command(
    commands: Any, name: str, text: str, example: str, more: str = ""
) -> argparse.ArgumentParser:
    found: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        allow_abbrev=False,
        epilog=f"example:\n  {example}" + (f"\n\n{more}" if more else ""),
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
    _run(
        command,
        "the headline measures (may be given several times); by default all that apply",
        "how many resamples (default: 1,000; none with --by, whose errors are DeLong's then)",
    )
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
        "(may be given several times); of hand_till, unless --measure names others",
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
    _run(
        command,
        "what to compare by; auc for two classes, auc_mu for more",
        "how many resamples or permutations (default: 9,999; none with --method delong)",
    )
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


def _plot(commands: Any) -> None:
    command = _command(
        commands,
        "plot",
        "a picture for a paper: .svg, .pdf or .png",
        "polyroc plot polar predictions.csv -o polar.svg\n"
        "  polyroc plot roc boost.csv forest.csv --label y --band simultaneous -o roc.pdf\n"
        '  polyroc plot roc predictions.csv --scores "{model}_p_{class}" --of 8 -o 8.png\n\n'
        f"pictures:\n{describe_kinds()}",
    )
    command.add_argument("kind", metavar="KIND", help="which picture; they are listed below")
    _data(command)
    add_plot_options(command)


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


def _verify(commands: Any) -> None:
    command = _command(
        commands,
        "verify",
        "make a page again from its data, and say what differs",
        "polyroc verify report.html predictions.parquet",
        "A page of evaluate --report knows how its data were read. For one that Python saved,\n"
        "name columns where they cannot be guessed. Exit code 1 if something differs, 2 if the\n"
        "page or the data cannot be read.",
    )
    command.add_argument("page", metavar="PAGE", help="a page that evaluate or Report.save wrote")
    _data(command)
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
    group = command.add_argument_group("columns")
    usual: dict[str, Any] = {}

    def add(*names: str, **options: Any) -> None:
        made = group.add_argument(*names, **options)
        usual[made.dest] = made.default

    add("--label", metavar="COLUMN", help="the class of each row")
    add(
        "--scores",
        metavar="PATTERN",
        action="append",
        help='columns of scores: a glob as "p_*", one column per class, or one column for '
        'two classes; "{model}_p_{class}" has several models, and so have several columns of '
        "two classes, each named by a --scores of its own",
    )
    add("--positive", metavar="LABEL", help="of two classes, the one that high scores stand for")
    add("--model", metavar="COLUMN", help="the model of each row")
    add("--groups", metavar="COLUMN", help="rows of one group are drawn together")
    add("--weights", metavar="COLUMN", help="sample weights: how much each row counts")
    add("--id", metavar="COLUMN", help="names rows, to match those of several models")
    add(
        "--long",
        action="store_true",
        help="one line per row and class: --id, --class and --score name the columns",
    )
    add("--class", dest="class_column", metavar="COLUMN", help="with --long")
    add("--score", dest="score_column", metavar="COLUMN", help="with --long")
    add(
        "--float32",
        action="store_true",
        help="scores were single precision before they were written as text",
    )
    add(
        "--missing",
        choices=("error", "drop"),
        default="error",
        help="rows that lack a score (default: %(default)s)",
    )
    add(
        "--absent",
        choices=("raise", "skip"),
        default="raise",
        help="classes that have a column but no rows (default: %(default)s)",
    )
    # What a page holds, to be read in the same way when it is verified.
    command.set_defaults(reading=usual)


def _run(command: argparse.ArgumentParser, measure: str, resamples: str) -> None:
    run = command.add_argument_group("numbers")
    run.add_argument("--measure", metavar="NAME", action="append", help=measure)
    run.add_argument("--bootstrap", metavar="N", type=int, help=resamples)
    run.add_argument("--seed", type=int, help="the same seed gives the same numbers")
    run.add_argument("--confidence", type=float, default=0.95, help="(default: %(default)s)")
    _output(command)


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--threads", type=int, metavar="N", help="all cores by default")
    command.add_argument(
        "--json", action="store_true", help="print one JSON document and nothing else"
    )
