"""Labels and models out of files: one sample, however it was written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from polyroc._cli.columns import (
    Score,
    are_markers,
    by_class,
    in_order,
    label_column,
    positive_class,
    require_columns,
    score_columns,
    segment_columns,
    segment_specs,
)
from polyroc._cli.refusal import Refusal, listed
from polyroc._cli.sources import Source, open_source, read_columns

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    import polars as pl


class Predictions(NamedTuple):
    """What the library is given."""

    y_true: Any
    models: dict[str, Any]
    options: dict[str, Any]  # labels or pos_label, groups, sample_weight
    classes: list[Any]
    folds: Any  # the fold of each row, where one was asked for
    keys: Any  # the columns that part rows into segments
    specs: list[tuple[str, ...]]  # those of each --by
    dropped: int  # rows that lacked a score
    files: list[str]


class _Table(NamedTuple):
    """The rows of one model."""

    name: str
    frame: pl.DataFrame
    scores: list[Score]


def read_predictions(args: argparse.Namespace, tell: Callable[[str], object]) -> Predictions:
    """Read all models; `tell` gets one line for each guess."""
    sources = [open_source(name) for name in args.files]
    tables: list[_Table] = []
    label = label_column(sources[0], args.label)
    for source in sources:
        tables += _tables(source, label, args)
    names = [table.name for table in tables]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Refusal(f"two models are called {twice[0]!r}; name files or columns apart")
    tables, dropped = _complete(tables, label, args)
    _require_same_rows(tables, label, args)
    head = tables[0].frame
    classes = in_order(head[label].unique().to_list())
    if len(tables) == 1 and are_markers(tables[0].scores, classes, args.scores):
        tables = [_Table(one.column, head, [one]) for one in tables[0].scores]
    if args.label is None or args.scores is None:
        tell(f"label column: {label} ({len(classes)} values); scores: {_used(tables)}")
    if len(classes) < 2:
        only = listed(classes) if classes else "none"
        raise Refusal(f"column {label!r} has one class only ({only}); an AUC compares classes")
    options: dict[str, Any] = {}
    if args.weights:
        options["sample_weight"] = head[args.weights].to_numpy()
    if args.groups:
        options["groups"] = head[args.groups].to_numpy()
    numbers = all(isinstance(one, str) and one.lstrip("-").isdigit() for one in classes)
    numbers = numbers and all(str(int(one)) == one for one in classes)
    arrays, labels = {}, None
    for table in tables:
        arrays[table.name], labels, positive = _scores(table, classes, args, tell)
        if positive is not None:
            options["pos_label"] = int(positive) if numbers else positive
    y_true = head[label].cast(_integers() if numbers else _words(classes))
    classes = [int(one) for one in classes] if numbers else classes
    if labels is not None:
        options["labels"] = [int(one) for one in labels] if numbers else labels
    folds = head[args.fold].to_numpy() if getattr(args, "fold", None) else None
    keys, specs = head.select(segment_columns(sources[0], args)), segment_specs(sources[0], args)
    files = [source.name for source in sources]
    return Predictions(y_true, arrays, options, classes, folds, keys, specs, dropped, files)


def _used(tables: list[_Table]) -> str:
    """Return which columns hold the scores, those of the first model where there are several."""
    scores = tables[0].scores
    used = ", ".join(score.column for score in scores[:8]) + (", ..." if len(scores) > 8 else "")
    used += " by name" if len(scores) > 1 else ""
    if len(tables) == 1:
        return used
    names = ", ".join(table.name for table in tables[:8]) + (", ..." if len(tables) > 8 else "")
    return f"{len(tables)} models ({names}), of the first {used}"


def _integers() -> Any:
    import polars as pl

    return pl.Int64


def _words(classes: list[str]) -> Any:
    import polars as pl

    return pl.Enum(classes)


def _tables(source: Source, label: str, args: argparse.Namespace) -> list[_Table]:
    """Return the models of one file."""
    extra = [args.model, args.groups, args.id, getattr(args, "fold", None)]
    words = require_columns(source, dict.fromkeys([label, *extra, *segment_columns(source, args)]))
    weights = require_columns(source, [args.weights])
    if args.long:
        return _from_long(source, words, weights, args)
    scores = score_columns(source, args.scores, [*words, *weights])
    frame = read_columns(source, words, [*weights, *(score.column for score in scores)])
    if args.model is not None:
        parts = frame.partition_by(args.model, as_dict=True, maintain_order=True)
        return [_Table(str(name[0]), part, scores) for name, part in parts.items()]
    models = dict.fromkeys(score.model for score in scores)
    return [
        _Table(model, frame, [score for score in scores if score.model == model])
        for model in models
    ]


def _from_long(
    source: Source, words: list[str], weights: list[str], args: argparse.Namespace
) -> list[_Table]:
    """Return the models of a file with one line per row and class."""
    import polars as pl

    named = {"--id": args.id, "--class": args.class_column, "--score": args.score_column}
    lacking = [option for option, column in named.items() if column is None]
    if lacking:
        raise Refusal(f"--long needs {', '.join(lacking)}: one line per row and class")
    require_columns(source, [args.class_column, args.score_column])
    frame = read_columns(source, [*words, args.class_column], [*weights, args.score_column])
    keys = [*words, *weights]
    twice = frame.select(
        pl.struct(args.id, *([args.model] if args.model else []), args.class_column)
    )
    again = twice.to_series().is_duplicated()
    if again.any():
        row = int(again.arg_max() or 0)
        raise Refusal(
            f"{source.name}, row {row + 1}: {args.id} {frame[args.id][row]!r} has class "
            f"{frame[args.class_column][row]!r} twice"
        )
    wide = frame.pivot(args.class_column, index=keys, values=args.score_column)
    per_row = wide.select(pl.struct(args.id, *([args.model] if args.model else []))).to_series()
    if per_row.is_duplicated().any():
        row = int(per_row.is_duplicated().arg_max() or 0)
        raise Refusal(
            f"{source.name}: {args.id} {wide[args.id][row]!r} has several labels, weights or groups"
        )
    columns = [name for name in wide.columns if name not in keys]
    parts = {(source.stem,): wide}
    if args.model is not None:
        parts = wide.partition_by(args.model, as_dict=True, maintain_order=True)
    return [
        _Table(str(name[0]), part, [Score(column, str(name[0]), column) for column in columns])
        for name, part in parts.items()
    ]


def _complete(
    tables: list[_Table], label: str, args: argparse.Namespace
) -> tuple[list[_Table], int]:
    """Return the tables without rows that lack something; raise unless these may be dropped."""
    import polars as pl

    kept, lost = [], 0
    shared: pl.Series | None = None
    for table in tables:
        needed = [score.column for score in table.scores]
        needed += [name for name in (label, args.weights, args.groups) if name]
        gaps = pl.any_horizontal(
            [pl.col(name).is_null() for name in needed]
            + [pl.col(score.column).is_nan() for score in table.scores]
        )
        missing = table.frame.select(gaps.fill_null(True)).to_series()
        count = int(missing.sum())
        if count and args.missing == "error":
            row = int(missing.arg_max() or 0)
            cells = {name: table.frame[name][row] for name in needed}
            column = next(name for name, cell in cells.items() if cell is None or cell != cell)
            what = "a row lacks" if count == 1 else f"{count:,} rows lack"
            raise Refusal(
                f"{table.name}: {what} a value, the first one row {row + 1} (column {column!r}); "
                "pass --missing drop to leave such rows out"
            )
        same = shared is None or len(shared) == len(missing)
        shared = missing if shared is None else (shared | missing if same else missing)
        kept.append((table, missing))
    out = []
    for table, missing in kept:
        # Rows that any model lacks are left out of all.
        gone = (
            shared
            if shared is not None and len(shared) == len(missing) and not args.id
            else missing
        )
        lost = max(lost, int(gone.sum()))
        frame = table.frame.filter(~gone) if gone.any() else table.frame
        if not len(frame):
            raise Refusal(f"{table.name}: every row lacks a value")
        out.append(table._replace(frame=frame))
    return out, lost


def _require_same_rows(tables: list[_Table], label: str, args: argparse.Namespace) -> None:
    """Put the rows of all models into one order; raise if their labels differ."""
    first = tables[0]
    for k, table in enumerate(tables[1:], start=1):
        if args.id is not None and table.frame is not first.frame:
            tables[k] = table = _matched(first, table, args.id)
        if len(table.frame) != len(first.frame):
            raise Refusal(
                f"{first.name} has {len(first.frame):,} rows but {table.name} has "
                f"{len(table.frame):,}; models need the same rows: pass --id to match them"
            )
        differ = first.frame[label] != table.frame[label]
        if differ.any():
            row = int(differ.arg_max() or 0)
            raise Refusal(
                f"row {row + 1} is {first.frame[label][row]!r} in {first.name} but "
                f"{table.frame[label][row]!r} in {table.name}; models need the same rows: "
                "sort them alike, or pass --id"
            )


def _matched(first: _Table, table: _Table, key: str) -> _Table:
    import polars as pl

    for one in (first, table):
        again = one.frame[key].is_duplicated()
        if again.any():
            row = int(again.arg_max() or 0)
            raise Refusal(f"{one.name}: {key} {one.frame[key][row]!r} is there more than once")
    order = first.frame.select(pl.col(key))
    found = order.join(table.frame, on=key, how="left", maintain_order="left")
    lacking = ~order[key].is_in(table.frame[key].implode())
    if lacking.any() or len(table.frame) != len(order):
        only = order[key].filter(lacking)
        which = repr(only[0]) if len(only) else "more rows"
        raise Refusal(f"{first.name} and {table.name} have different rows by {key} ({which})")
    return table._replace(frame=found)


def _scores(
    table: _Table, classes: list[str], args: argparse.Namespace, tell: Callable[[str], object]
) -> tuple[Any, list[str] | None, str | None]:
    """Return the scores of a model, and the labels of its columns or the positive class."""
    import numpy as np

    columns = [score.column for score in table.scores]
    if len(columns) == 1:
        if len(classes) > 2:
            raise Refusal(
                f"{table.name} has one column of scores ({columns[0]!r}) for {len(classes)} "
                f"classes ({listed(classes)}); pass --scores with one column per class"
            )
        positive, why = positive_class(table.scores[0], classes, args)
        tell(f"{table.name}: high {columns[0]} stands for class {positive!r} ({why})")
        only = table.frame[columns[0]].to_numpy()
        return only.astype(np.float32) if args.float32 else only, None, positive
    if args.positive is not None:
        raise Refusal("--positive is for one column of scores; here every class has its own")
    ordered, labels = by_class(table.scores, classes, args.absent)
    kinds = {table.frame[column].dtype for column in ordered}
    single = args.float32 or (len(kinds) == 1 and str(next(iter(kinds))) == "Float32")
    kind = np.float32 if single else np.float64
    # One column at a time: a second copy of all of them would double the memory.
    out = np.empty((len(table.frame), len(ordered)), dtype=kind)
    for k, column in enumerate(ordered):
        out[:, k] = table.frame[column].to_numpy()
    return out, labels, None
