"""Measures in segments of a file's rows, as `polyroc evaluate --by` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._base.display import known, p_text
from polyroc._base.table import Column, Table
from polyroc._cli.refusal import require_errors

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    import polars as pl

    from polyroc._cli.predictions import Predictions

_OWN = "\0"  # begins the names of columns that are not the user's
ALL_ROWS = "(all rows)"


def segment_tables(args: argparse.Namespace, data: Predictions) -> dict[str, pl.DataFrame]:
    """Return the table of each model: all rows first, then every --by."""
    import numpy as np
    import polars as pl

    from polyroc._pipelines.frame_table import evaluate

    options: dict[str, Any] = {"y_true": f"{_OWN}label", "confidence": args.confidence}
    options["adjust"] = None if args.adjust == "none" else args.adjust
    options |= {"min_rows": args.min_rows, "n_threads": args.threads, "by": [(), *data.specs]}
    options |= {
        name: data.options[name] for name in ("labels", "pos_label") if name in data.options
    }
    if args.measure is not None:
        options["measure"] = args.measure
        if args.bootstrap is None:
            require_errors(args.measure, "--bootstrap N")
    if args.bootstrap is not None:
        options |= {"interval": "bootstrap", "n_resamples": args.bootstrap, "seed": args.seed}
    columns = {f"{_OWN}label": data.y_true}
    for name in ("groups", "sample_weight"):
        if name in data.options:
            columns[f"{_OWN}{name}"] = data.options[name]
            options[name] = f"{_OWN}{name}"
    keys = data.keys.with_columns(_in_order(data.keys[name]) for name in data.keys.columns)
    tables = {}
    for model, scores in data.models.items():
        parts = [scores] if scores.ndim == 1 else list(np.asarray(scores).T)
        named = {f"{_OWN}{k}": pl.Series(part) for k, part in enumerate(parts)}
        frame = keys.with_columns(**columns, **named)
        tables[model] = evaluate(frame, y_score=list(named), **options)
    return tables


def _in_order(words: pl.Series) -> pl.Series:
    """Return keys as whole numbers where all are written as such, so that 9 comes before 10."""
    import polars as pl

    text = words.cast(pl.String).drop_nulls()
    whole = text.str.contains(r"^(0|-?[1-9]\d{0,17})$").all()
    return words.cast(pl.String).cast(pl.Int64) if whole and len(text) else words


def lines_of(model: str, table: pl.DataFrame) -> Iterator[str]:
    """Yield what is printed of a model: the columns that a reader looks at first."""
    keys = table.columns[: table.columns.index("by")]
    methods = dict.fromkeys(one for one in table["method"].to_list() if one)
    measures = table["measure"].unique(maintain_order=True).to_list()
    told = [*(measures if len(measures) == 1 else []), *(methods or ["no intervals"])]
    yield f"{model}: {', '.join(told)}; differences are from all rows"
    specs = [by.split(", ") if by else [] for by in table["by"].to_list()]
    columns = [
        Column(name, [_key(cell, name, spec, name == keys[0]) for cell, spec in cells], left=True)
        for name in keys
        for cells in [zip(table[name].to_list(), specs, strict=True)]
    ]
    if len(measures) > 1:
        columns.append(Column("measure", table["measure"].to_list(), left=True))
    columns.append(Column("rows", [f"{n:,}" for n in table["n"]]))
    for title, name, form in (
        ("estimate", "estimate", ".4f"), ("error", "standard_error", ".4f"), ("low", "low", ".4f"),
        ("high", "high", ".4f"), ("difference", "difference", "+.4f"),
    ):  # fmt: skip
        columns.append(Column(title, [known(cell, form) for cell in table[name]]))
    columns.append(Column("p (adjusted)", [p_text(cell) for cell in table["p_adjusted"]]))
    columns.append(Column("status", table["status"].to_list(), left=True))
    yield from Table(columns).lines()


def _key(cell: Any, name: str, spec: list[str], first: bool) -> str:
    if not spec:
        return ALL_ROWS if first else ""
    if cell is None:
        return "(null)" if name in spec else ""
    return str(cell)


def first_values(tables: dict[str, pl.DataFrame]) -> Iterator[tuple[str, float]]:
    """Yield the first measure of every model, in all rows and in every segment, with its name."""
    for model, table in tables.items():
        keys = table.columns[: table.columns.index("by")]
        for line in table.filter(table["measure"] == table["measure"][0]).to_dicts():
            spec = line["by"].split(", ") if line["by"] else []
            segment = [f"{one}={_key(line[one], one, spec, False)}" for one in keys if one in spec]
            yield f"{', '.join([model, *segment])}: {line['measure']}", line["estimate"]
