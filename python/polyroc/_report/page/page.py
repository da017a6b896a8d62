"""The page itself: what it shows is put into words and pictures, then into one file."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import decimals, p_text, percents
from polyroc._compare.result import comparison_remarks, comparison_title
from polyroc._report.page import svg
from polyroc._report.page.data import page_data
from polyroc._report.tables import data_lines
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._report.report import Report

HARDEST = 10


def page(report: Report) -> str:
    """Return a report as one HTML document."""
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        raise ImportError(
            'a page needs jinja2: pip install "polyroc[report]"', name="jinja2"
        ) from error
    data = page_data(report)
    data["z"] = float(normal_quantile(0.5 + report.confidence / 2.0))
    home = files("polyroc").joinpath("_report", "page")
    script, style, template = (
        home.joinpath(name).read_text(encoding="utf-8")
        for name in ("page.js", "page.css", "page.html.j2")
    )
    made = Environment(autoescape=True, undefined=StrictUndefined).from_string(template)
    digest = hashlib.sha256(script.encode()).digest()
    return made.render(
        d=data,
        title=_title(report),
        data_lines=list(data_lines(report.data)),
        percent=percents([report.confidence]),
        measures=list(_measures(report, data)),
        pairs=list(_pairs(report)),
        compared_by="" if report.comparison is None else comparison_title(report.comparison),
        remarks=[] if report.comparison is None else list(comparison_remarks(report.comparison)),
        by_class=_by_class(report),
        hardest=list(_hardest(report)),
        tables=list(_tables(report)),
        reproduce=_reproduce(report),
        script_hash=base64.b64encode(digest).decode(),
        script=script,
        style=style,
        json=_in_script(data),
        **_figures(report, data),
    )


def _title(report: Report) -> str:
    names = ", ".join(report.models[:3]) + (" and others" if len(report.models) > 3 else "")
    return f"Report: {names}"


def _in_script(data: dict[str, Any]) -> str:
    """Return JSON that cannot end the element it stands in."""
    text = json.dumps(data, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _measures(report: Report, data: dict[str, Any]) -> Any:
    for name in report.measures[report.models[0]]:
        cells = []
        for model in report.models:
            one = report.measures[model][name]
            digits = decimals(np.array([one.standard_error]))
            low, high = one.interval.tolist()
            cells.append({
                "value": repr(float(one.estimate)), "low": repr(low),
                "text": f"{one.estimate:.{digits}f}",
                "limits": f"{low:.{digits}f} to {high:.{digits}f}",
            })  # fmt: skip
        yield {"name": name, "cells": cells, "meaning": data["meanings"].get(name, "")}


def _pairs(report: Report) -> Any:
    if report.comparison is None:
        return
    digits = decimals(report.comparison.standard_errors)
    for pair in report.comparison.pairs:
        yield {
            "names": f"{pair.first} - {pair.second}",
            "value": repr(pair.difference),
            "difference": f"{pair.difference:+.{digits}f}",
            "limits": f"{pair.low:+.{digits}f} to {pair.high:+.{digits}f}",
            "p": p_text(pair.p_value),
            "p_number": repr(pair.p_value),
            "p_adjusted": p_text(pair.p_adjusted),
            "p_adjusted_number": repr(pair.p_adjusted),
        }


def _by_class(report: Report) -> dict[str, Any] | None:
    if not report.by_class:
        return None
    listed = [
        (model, name, one)
        for model in report.models
        for name, one in report.by_class[model].items()
    ]
    rows = []
    for k, (label, size) in enumerate(zip(report.data.classes, report.data.sizes, strict=True)):
        cells = []
        for _, _, one in listed:
            value, (low, high) = one.estimate[k], one.interval[k]
            text = "" if np.isnan(value) else f"{value:.4f} ({low:.4f} to {high:.4f})"
            cells.append({"value": repr(float(value)), "text": text})
        rows.append({"label": str(label), "size": int(size), "cells": cells})
    several = len(report.models) > 1
    heads = [f"{model}: {name}" if several else name for model, name, _ in listed]
    return {"heads": heads, "rows": rows}


def _hardest(report: Report) -> Any:
    for model, found in report.by_pair.items():
        values: Any = found.estimate
        first, second = np.triu_indices(len(values), k=1)
        known = ~np.isnan(values[first, second])
        first, second = first[known], second[known]
        for k in np.argsort(values[first, second], kind="stable")[:HARDEST]:
            i, j = first[k], second[k]
            low, high = found.interval[i, j].tolist()
            yield {
                "model": model,
                "pair": f"{found.classes[i]} - {found.classes[j]}",
                "value": repr(float(values[i, j])),
                "text": f"{values[i, j]:.4f}",
                "limits": f"{low:.4f} to {high:.4f}",
            }


def _tables(report: Report) -> Any:
    yield {"name": "Measures, Markdown", "text": report.to_markdown()}
    yield {"name": "Measures, LaTeX", "text": report.to_latex()}
    if report.comparison is not None:
        yield {"name": "Comparison, Markdown", "text": report.comparison.to_markdown()}
        yield {"name": "Comparison, LaTeX", "text": report.comparison.to_latex()}


def _reproduce(report: Report) -> str:
    options = f"n_resamples={report.n_resamples}, seed={report.seed}"
    if report.confidence != 0.95:
        options += f", confidence={report.confidence:g}"
    return (
        f"# polyroc {report.version}\n"
        f"import polyroc as pr\n"
        f"report = pr.evaluate(y_true, models, {options})"
    )


def _figures(report: Report, data: dict[str, Any]) -> dict[str, Any]:
    classes = list(next(iter(data["curves"].values())))
    shown = classes[0]
    named = {model: data["curves"][model][shown] for model in report.models[:5]}
    what = f"class {shown} against the rest" if len(report.data.classes) > 2 else f"class {shown}"
    heat = [
        {"model": model, "svg": svg.heat_map(f"A(i,j) of {model}", data["classes"], pairs)}
        for model, pairs in data["pairs"].items()
    ]
    out: dict[str, Any] = {
        "curves": svg.curves(f"ROC curves of {what}", named),
        "curves_caption": f"ROC curves of {what}, with their areas; thinned to within half a "
        "pixel, areas are of all rows.",
        "slider_classes": classes,
        "heat_maps": heat,
        "histograms": [
            {"model": model, "svg": svg.histogram(f"Scores of {model} by class", scores)}
            for model, scores in data["scores"].items()
        ],
        "polar": "",
        "pair_curves": "",
    }
    if data["pairs"]:
        out["polar"] = svg.polar("AUC of every pair of classes", data["classes"], data["pairs"])
    if data["pair_curves"]:
        nothing = {"fpr": [0.0, 1.0], "tpr": [0.0, 1.0], "auc": 0.5}
        out["pair_curves"] = svg.curves("ROC curves of a pair", {"": nothing, " ": nothing})
    return out
