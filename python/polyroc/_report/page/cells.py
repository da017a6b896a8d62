"""The tables of a page: cells with their text, and the number that they are sorted by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import decimals, known, p_text
from polyroc._points.rates import RATES, SHOWN
from polyroc._report.tables import count_text, hardest_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polyroc._report.report import Report

HARDEST, HARDEST_OF_SEVERAL = 10, 5  # pairs of classes of a single model, and of each of several
_RATE_DIGITS = 4


def measure_rows(report: Report, meanings: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the headline measures, one row each."""
    for name in report.measures[report.models[0]]:
        cells = []
        for model in report.models:
            one = report.measures[model][name]
            digits = decimals(np.array([one.standard_error]))
            cells.append(_cell(one.estimate, one.interval, digits))
        yield {"name": name, "cells": cells, "meaning": meanings[name]}


def comparison_rows(report: Report) -> Iterator[dict[str, Any]]:
    """Yield every two models, one row each."""
    if report.comparison is None:
        return
    digits = decimals(report.comparison.standard_errors)
    for pair in report.comparison.pairs:
        yield {
            "names": f"{pair.first} - {pair.second}",
            "value": repr(pair.difference),
            "difference": f"{pair.difference:+.{digits}f}",
            "limits": f"{pair.low:+.{digits}f} to {pair.high:+.{digits}f}",
            "low": repr(pair.low),
            "p": p_text(pair.p_value),
            "p_number": repr(pair.p_value),
            "p_adjusted": p_text(pair.p_adjusted),
            "p_adjusted_number": repr(pair.p_adjusted),
        }


def class_table(report: Report) -> dict[str, Any] | None:
    """Return every class: its rows, and its measures by model."""
    if not report.by_class:
        return None
    listed = [
        (model, name, one)
        for model in report.models
        for name, one in report.by_class[model].items()
    ]
    rows = []
    for k, (label, size) in enumerate(zip(report.data.classes, report.data.sizes, strict=True)):
        cells = [_cell(one.estimate[k], one.interval[k], _RATE_DIGITS) for _, _, one in listed]
        rows.append({"label": str(label), "size": int(size), "cells": cells})
    several = len(report.models) > 1
    heads = [f"{model}: {name}" if several else name for model, name, _ in listed]
    return {"heads": heads, "rows": rows}


def hardest_rows(report: Report) -> Iterator[dict[str, Any]]:
    """Yield the pairs of classes that each model tells apart least, worst first."""
    most = HARDEST if len(report.by_pair) == 1 else HARDEST_OF_SEVERAL
    for model, found in report.by_pair.items():
        for i, j in hardest_pairs(found, most):
            cell = _cell(found.estimate[i, j], found.interval[i, j], _RATE_DIGITS)
            yield {"model": model, **_pair(found.classes, i, j), "cell": cell}


def pair_rows(report: Report) -> Iterator[dict[str, Any]]:
    """Yield every pair of classes with the values of all models."""
    listed = list(report.by_pair.values())
    if not listed:
        return
    for i, j in zip(*np.triu_indices(len(listed[0].classes), k=1), strict=True):
        if not np.isnan(listed[0].estimate[i, j]):
            cells = [_cell(one.estimate[i, j], one.interval[i, j], _RATE_DIGITS) for one in listed]
            yield {**_pair(listed[0].classes, int(i), int(j)), "cells": cells}


def _pair(classes: Any, i: int, j: int) -> dict[str, str]:
    return {"pair": f"{classes[i]} - {classes[j]}", "places": f"{i},{j}"}


def point_rows(report: Report) -> Iterator[dict[str, Any]]:
    """Yield the operating point of each model of two classes."""
    for model, point in report.operating_points.items():
        (tn, fp), (fn, tp) = report.confusions[model].counts.tolist()
        rates = [
            _cell(getattr(point, name), point.interval[name], _RATE_DIGITS)
            for name in ("tpr", "fpr")
        ]
        yield {
            "model": model,
            "threshold": f"{point.threshold!r}",
            "shown": f"{point.threshold:.6g}",
            "rates": rates,
            "counts": [count_text(one) for one in (tp, fp, fn, tn)],
        }


def confusion_tables(report: Report) -> Iterator[dict[str, Any]]:
    """Yield what each model says of the rows, and its rates."""
    for model, said in report.confusions.items():
        several = len(said.classes) > 2
        rates = []
        for name in RATES:
            cells = [
                _cell(getattr(said, name)[k], said.interval[name][k], _RATE_DIGITS)
                for k in (range(len(said.classes)) if several else (1,))
            ]
            rates.append({"name": SHOWN[name], "cells": cells})
        yield {
            "model": model,
            "how": said.how,
            "classes": [str(label) for label in said.classes],
            "rows": [
                {"label": str(label), "cells": [count_text(one) for one in row]}
                for label, row in zip(said.classes, said.counts.tolist(), strict=True)
            ],
            "accuracy": _cell(said.accuracy, said.interval["accuracy"], _RATE_DIGITS),
            "rated": [str(label) for label in (said.classes if several else said.classes[1:])],
            "rates": rates,
        }


def _cell(value: Any, limits: Any, digits: int) -> dict[str, str]:
    low, high = (float(limit) for limit in limits)
    one = float(value)
    return {
        "value": "" if np.isnan(one) else repr(one),
        "text": known(one, f".{digits}f"),
        "low": "" if np.isnan(low) else repr(low),
        "limits": "-" if np.isnan(low) else f"{low:.{digits}f} to {high:.{digits}f}",
    }
