"""What the commands do. Each returns its exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from polyroc._base.write import require_place, written
from polyroc._cli.gate import gate
from polyroc._cli.output import print_json, print_result, tell
from polyroc._cli.predictions import Predictions, read_predictions
from polyroc._cli.refusal import Refusal, require_errors
from polyroc._cli.verify import verify as verify

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from polyroc._bradley.result import BradleyResult


def evaluate(args: argparse.Namespace) -> int:
    """Print a report, or a table of segments."""
    if args.by:
        return _segments(args)
    from polyroc._report.evaluate import evaluate as evaluated
    from polyroc._report.given import Reading

    if args.report is not None:
        require_place(args.report)  # before the work, not after it
    data = read_predictions(args, tell)
    run = _run(args)
    report = evaluated(
        data.y_true, data.models, args.measure, absent=args.absent,
        confidence=args.confidence, progress=_progress(args), **run, **data.options,
    )  # fmt: skip
    if args.json:
        print_json({**_head("evaluate", data), **_numbers(report.to_dict())})
    else:
        print_result(report)
        _tell_dropped(data)
    if args.report is not None:
        options = {name: getattr(args, name) for name in args.reading}
        report._save(args.report, Reading(["polyroc", *args.line], options, data.dropped))
        tell(f"wrote {args.report}")
    firsts = {model: next(iter(results.items())) for model, results in report.measures.items()}
    named = ((f"{model}: {name}", one.estimate) for model, (name, one) in firsts.items())
    return gate(named, args.fail_under)


def _segments(args: argparse.Namespace) -> int:
    """Print each model's measures in all rows and in every segment."""
    from polyroc._cli.by_segment import first_values, lines_of, segment_tables

    if args.report is not None:
        raise Refusal("--report is a page of all rows; leave out --by, or call once for each")
    data = read_predictions(args, tell)
    tables = segment_tables(args, data)
    if args.json:
        listed = {model: table.to_dicts() for model, table in tables.items()}
        print_json({**_head("evaluate", data), "segments": listed})
    else:
        print_result("\n\n".join("\n".join(lines_of(*one)) for one in tables.items()))
        _tell_dropped(data)
    return gate(first_values(tables), args.fail_under)


def compare(args: argparse.Namespace) -> int:
    """Print a comparison of models."""
    from polyroc._compare.compare import compare as compared

    if args.measure is not None and len(args.measure) > 1:
        raise Refusal("compare takes one --measure; run it once for each")
    data = read_predictions(args, tell)
    if len(data.models) < 2:
        raise Refusal(
            "there is one model only; pass a file for each, --model COLUMN, or {model} in --scores"
        )
    measure = args.measure[0] if args.measure else usual_measure(data)
    options = dict(data.options)
    if args.method == "delong":
        require_errors([measure], "--method bootstrap")
    else:
        options |= _run(args)
        options["progress"] = _progress(args)
    found = compared(
        data.y_true, data.models, measure, method=args.method, alternative=args.alternative,
        margin=args.margin, confidence=args.confidence, n_threads=args.threads,
        **{name: one for name, one in options.items() if name != "n_threads"},
    )  # fmt: skip
    if args.json:
        models = {
            name: {found.measure.name: {"estimate": estimate, "standard_error": error,
                                        "interval": interval}}
            for name, estimate, error, interval in zip(
                found.models, found.estimates.tolist(), found.standard_errors.tolist(),
                found.intervals.tolist(), strict=True,
            )
        }  # fmt: skip
        print_json({**_head("compare", data), "models": models, "comparison": found.to_dict()})
    else:
        print_result(found)
        _tell_dropped(data)
    pair = found.pairs[0]
    name = f"{pair.first} minus {pair.second}: {found.measure.name}"
    return gate([(name, pair.difference)], args.fail_under)


def bradley(args: argparse.Namespace) -> int:
    """Print classifiers compared over folds."""
    data = read_predictions(args, tell)
    found = over_folds(
        data, args.measure or usual_measure(data), alpha=args.alpha, n_threads=args.threads
    )
    if args.json:
        print_json({**_head("bradley", data), "result": found.to_dict()})
    else:
        print_result(found)
        _tell_dropped(data)
    return 0


def over_folds(data: Predictions, measure: str, **options: Any) -> BradleyResult:
    """Return classifiers compared over the folds that a column names."""
    from polyroc._bradley.bradley import bradley as by_folds

    folds = []
    y_true = data.y_true.to_numpy()
    for fold in sorted(set(data.folds.tolist())):
        own = data.folds == fold
        folds.append((y_true[own], {name: scores[own] for name, scores in data.models.items()}))
    known = {name: data.options[name] for name in ("labels", "pos_label") if name in data.options}
    return by_folds(folds, measure, **options, **known)


def plot(args: argparse.Namespace) -> int:
    """Write a picture."""
    from polyroc._cli.pictures import plot as drawn

    return drawn(args)


def example(args: argparse.Namespace) -> int:
    """Write the bundled example."""
    import polars as pl

    from polyroc._example.example import example_predictions

    y_true, models = example_predictions()
    columns: dict[str, Any] = {"y": y_true}
    for name, scores in models.items():
        short = "_".join(name.split())
        columns |= {f"{short}_p_{digit}": scores[:, digit] for digit in range(scores.shape[1])}
    frame = pl.DataFrame(columns)
    suffix = args.out.rpartition(".")[2].lower()
    write: Mapping[str, Any] = {
        "csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc,
        "jsonl": frame.write_ndjson, "tsv": lambda path: frame.write_csv(path, separator="\t"),
    }  # fmt: skip
    if suffix not in write:
        raise Refusal(f"--out {args.out!r} ends in none of {', '.join('.' + one for one in write)}")
    with written(args.out) as path:
        write[suffix](path)
    text = " --float32" if suffix in ("csv", "tsv", "jsonl") else ""
    tell(
        f"wrote {args.out}: {len(frame):,} rows, 3 models of 10 classes; try\n"
        f'  polyroc evaluate {args.out} --label y --scores "{{model}}_p_{{class}}"{text}'
    )
    return 0


def _run(args: argparse.Namespace) -> dict[str, Any]:
    run: dict[str, Any] = {"seed": args.seed, "n_threads": args.threads}
    if args.bootstrap is not None:
        run["n_resamples"] = args.bootstrap
    return run


def _progress(args: argparse.Namespace) -> bool:
    """Tell whether to show a bar: on a terminal alone."""
    return sys.stderr.isatty() and not args.json


def usual_measure(data: Predictions) -> str:
    """Return what models are compared by unless something else is asked for."""
    return "auc" if len(data.classes) == 2 else "auc_mu"


def _tell_dropped(data: Predictions) -> None:
    if data.dropped:
        rows = "1 row" if data.dropped == 1 else f"{data.dropped:,} rows"
        print_result(f"\n  {rows} that lacked a value left out")


def _head(command: str, data: Predictions) -> dict[str, Any]:
    from polyroc import _core

    return {"polyroc": _core.__version__, "command": command, "files": data.files,
            "dropped_rows": data.dropped}  # fmt: skip


def _numbers(report: dict[str, Any]) -> dict[str, Any]:
    """Return a report with its measures by model under the name that the schema has for them."""
    renamed = dict(report)
    renamed["models"] = renamed.pop("measures")
    return renamed
