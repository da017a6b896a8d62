"""What a report prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.display import UNKNOWN, counted, decimals, percents
from polyroc._base.table import Column, Table
from polyroc._data.favoured import favour_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._inference.bootstrap_result import BootstrapResult
    from polyroc._points.operating_point_result import OperatingPoint
    from polyroc._report.data import Data
    from polyroc._report.report import Report

MOST_COLUMNS = 4  # models side by side; more of them are listed one below the other
MOST_CLASSES = 30  # printed; all of them are in `to_frame`
HARDEST = 5  # pairs of classes
MOST_LETTERS = 120  # of pairs that stand on one line
MOST_DIGITS = 5  # of the values of classes, of which some may be all but perfect


def title(report: Report) -> str:
    """Return the first line."""
    models = ", ".join(report.models[:3]) + (", ..." if len(report.models) > 3 else "")
    return f"Report of {counted(len(report.models), 'model')}: {models}"


def data_lines(data: Data) -> Iterable[str]:
    """Yield what there is to say of the data."""
    rows = f"{int(data.sizes.sum()):,} rows"
    if data.group_sizes is not None:
        rows += f" in {data.n_groups:,} groups"
    if data.weighted:
        rows += ", weighted"
    yield f"{rows}, {len(data.classes):,} classes: {_sizes(data)}"
    if len(data.classes) == 2:
        yield favour_text(data.classes[1])
    tied = ", ".join(f"{model} {share:.1%}" for model, share in data.ties.items() if share > 0)
    if tied:
        yield f"pairs of rows that tie: {tied}"


def _sizes(data: Data) -> str:
    listed = [
        f"{show(label)} {size:,}" for label, size in zip(data.classes, data.sizes, strict=True)
    ]
    if len(listed) <= 12:
        return ", ".join(listed)
    least, most = data.sizes.min(), data.sizes.max()
    return f"{least:,} rows each" if least == most else f"{least:,} to {most:,} rows each"


def measure_table(report: Report) -> Table:
    """Return the headline measures, models side by side or one below the other."""
    names = list(report.measures[report.models[0]])
    interval = f"{percents([report.confidence])} interval"
    if len(report.models) <= MOST_COLUMNS:
        columns = [Column("measure", names, left=True)]
        for model in report.models:
            cells = [_cell(report.measures[model][name]) for name in names]
            columns.append(Column(f"{model}", cells, left=True))
        return Table(columns)
    lines = [(name, model) for name in names for model in report.models]
    results = [report.measures[model][name] for name, model in lines]
    return Table(
        [
            Column("measure", [name for name, _ in lines], left=True),
            Column("model", [model for _, model in lines], left=True),
            Column("value", [_value(one) for one in results]),
            Column(interval, [_limits(one) for one in results], left=True),
        ]
    )


def run_line(report: Report) -> str:
    """Return how intervals were made."""
    results = [one for found in report.measures.values() for one in found.values()]
    methods = dict.fromkeys(one._shown().method_name for one in results)
    return f"{', '.join(methods)}; {results[0]._run()}"


def corrected_measures(report: Report) -> list[str]:
    """Return the measures whose intervals allow for thresholds that are chosen on the same rows."""
    return list(dict.fromkeys(
        name for found in report.measures.values() for name, one in found.items()
        if one.method == "corrected"
    ))  # fmt: skip


def corrected_line(report: Report) -> str:
    """Return why a value may lie above its interval; nothing where none can."""
    names = ", ".join(corrected_measures(report))
    return names and (
        f"{names}: the interval is without what thresholds look too good by on the rows they are "
        "chosen on, so a value may lie above it"
    )


def _digits(one: BootstrapResult) -> int:
    return decimals(np.array([one.standard_error]))


def _value(one: BootstrapResult) -> str:
    return f"{one.estimate:.{_digits(one)}f}"


def _limits(one: BootstrapResult) -> str:
    digits = _digits(one)
    return "{:.{d}f} to {:.{d}f}".format(*one.interval, d=digits)


def _cell(one: BootstrapResult) -> str:
    return f"{_value(one)} ({_limits(one)})"


def class_lines(report: Report) -> Iterable[str]:
    """Yield what the table of classes shows, where its columns are named after models."""
    if len(report.models) > 1:
        yield f"{next(iter(report.by_class[report.models[0]]))}, by class:"


def class_table(report: Report) -> Table:
    """Return every class: its rows, and by model its AUC against the rest."""
    data, shown = report.data, slice(MOST_CLASSES)
    columns = [
        Column("class", [str(label) for label in data.classes[shown]], left=True),
        Column("rows", [f"{size:,}" for size in data.sizes[shown]]),
    ]
    alone = len(report.models) == 1
    for model in report.models:
        for name, one in report.by_class[model].items():
            if not alone and name != next(iter(report.by_class[model])):
                continue  # one column per model: the rest is in `to_frame`
            heading = name if alone else model
            columns.append(Column(heading, _of_classes(one, shown), left=True))
    return Table(columns)


def _of_classes(one: BootstrapResult, shown: slice) -> list[str]:
    digits = min(decimals(one.standard_error[~np.isnan(one.standard_error)]), MOST_DIGITS)
    cells = []
    for value, limits in zip(one.estimate[shown], one.interval[shown], strict=True):
        low, high = limits
        text = f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
        cells.append(UNKNOWN if np.isnan(value) else text)
    return cells


def point_lines(report: Report) -> Iterable[str]:
    """Yield the operating point of each model, and what comes of it."""
    if not report.operating_points:
        return
    yield "operating points by Youden's rule, chosen on these rows: expect worse rates on new ones"
    for model, point in report.operating_points.items():
        fpr, tpr = (_rate(point, name) for name in ("fpr", "tpr"))
        told = report.confusions[model].counts.tolist()
        (tn, fp), (fn, tp) = (map(count_text, row) for row in told)
        yield f"  {model}: score >= {point.threshold:.6g}: FPR {fpr}, TPR {tpr}"
        of = " (sums of weights)" if report.data.weighted else ""
        yield f"    {tp} true and {fp} false positives, {fn} false and {tn} true negatives{of}"


def _rate(point: OperatingPoint, name: str) -> str:
    low, high = point.interval[name].tolist()
    return f"{getattr(point, name):.4f} ({low:.4f} to {high:.4f})"


def count_text(number: float) -> str:
    """Return a number of rows, or a sum of weights, which need not be whole and may be small."""
    if float(number).is_integer():
        return f"{number:,.0f}"
    return f"{number:,.2f}" if number >= 0.1 else f"{number:.2g}"


def hardest_lines(report: Report) -> Iterable[str]:
    """Yield the pairs of classes that each model tells apart least, worst first."""
    for model, pairs in report.by_pair.items():
        named = [
            f"{show(pairs.classes[i])}-{show(pairs.classes[j])} {pairs.estimate[i, j]:.4f}"
            for i, j in hardest_pairs(pairs, HARDEST)
        ]
        line = f"{model}: {', '.join(named)}"
        if len(line) <= MOST_LETTERS:
            yield line
        else:
            yield f"{model}:"
            yield from (f"  {pair}" for pair in named)


def hardest_pairs(pairs: BootstrapResult, most: int) -> list[tuple[int, int]]:
    """Return the places of the pairs of classes with the lowest values, the lowest first."""
    values: Any = pairs.estimate
    first, second = np.triu_indices(len(values), k=1)
    known = ~np.isnan(values[first, second])
    first, second = first[known], second[known]
    worst = np.argsort(values[first, second], kind="stable")[:most]
    return list(zip(first[worst].tolist(), second[worst].tolist(), strict=True))
