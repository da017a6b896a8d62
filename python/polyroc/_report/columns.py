"""The tables of a report as columns of data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._base.frame import label_column
from polyroc._inference.measured import values_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polyroc._inference.bootstrap_result import BootstrapResult
    from polyroc._report.report import Report


def measure_columns(report: Report) -> dict[str, list[Any]]:
    """Return the headline measures of all models."""
    return _by_model(report.measures)


def class_columns(report: Report) -> dict[str, list[Any]]:
    """Return the measures of every class."""
    if not report.by_class:
        raise ValueError('what="classes" is for three classes or more; two have one value each')
    return _by_model(report.by_class)


def pair_columns(report: Report) -> dict[str, list[Any]]:
    """Return A(i,j) of every pair of classes."""
    if not report.by_pair:
        raise ValueError('what="pairs" is for three classes or more; two are one pair')
    return _by_model({model: {"A(i,j)": pairs} for model, pairs in report.by_pair.items()})


def _by_model(results: Mapping[str, Mapping[str, BootstrapResult]]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    for model, each in results.items():
        found = values_columns([(name, one._shown()) for name, one in each.items()])
        found = {"model": [model] * len(found["estimate"]), **found}
        for title, cells in found.items():
            columns.setdefault(title, []).extend(cells)
    for title in ("class", "first", "second"):
        if title in columns:
            columns[title] = label_column(columns[title])
    return columns
