"""The page itself: what it shows is put into words, tables and pictures, then into one file."""

from __future__ import annotations

import base64
import hashlib
import shlex
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import counted, percents
from polyroc._compare.result import comparison_remarks, comparison_title
from polyroc._report.page.cells import (
    class_table,
    comparison_rows,
    confusion_tables,
    hardest_rows,
    measure_rows,
    pair_rows,
    point_rows,
)
from polyroc._report.page.data import page_data
from polyroc._report.page.held import in_script
from polyroc._report.page.pictures import pictures
from polyroc._report.tables import corrected_line, data_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polyroc._report.given import Reading
    from polyroc._report.report import Report

MOST_LETTERS = 80  # of labels that are written out


def page(report: Report, reading: Reading | None = None) -> str:
    """Return a report as one HTML document; `reading` is how the command line came by the rows."""
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError as error:
        raise ImportError(
            'a page needs jinja2: pip install "polyroc[report]"', name="jinja2"
        ) from error
    data = page_data(report, reading)
    home = files("polyroc").joinpath("_report", "page")
    script, style, template = (
        home.joinpath(name).read_text(encoding="utf-8")
        for name in ("page.js", "page.css", "page.html.j2")
    )
    made = Environment(autoescape=True, undefined=StrictUndefined).from_string(template)
    digest = hashlib.sha256(script.encode()).digest()
    comparison = report.comparison
    text: str = made.render(
        d=data,
        title=_title(report),
        data_lines=list(_data_lines(report, reading)),
        percent=percents([report.confidence]),
        weighted=report.data.weighted,
        effective=_effective(report),
        measures=list(measure_rows(report, data["meanings"])),
        corrected=corrected_line(report),
        pairs=list(comparison_rows(report)),
        adjusted=_adjusted(report),
        compared_by="" if comparison is None else comparison_title(comparison),
        remarks=[] if comparison is None else list(comparison_remarks(comparison)),
        by_class=class_table(report),
        hardest=list(hardest_rows(report)),
        all_pairs=list(pair_rows(report)),
        points=list(point_rows(report)),
        confusions=list(confusion_tables(report)),
        tables=list(_tables(report)),
        reproduce=_reproduce(report, reading),
        script_hash=base64.b64encode(digest).decode(),
        script=script,
        style=style,
        json=in_script(data),
        **pictures(report, data),
    )
    return text


def _title(report: Report) -> str:
    names = ", ".join(report.models[:3]) + (" and others" if len(report.models) > 3 else "")
    return f"Report: {names}"


def _data_lines(report: Report, reading: Reading | None) -> Iterator[str]:
    yield from data_lines(report.data)
    if reading is not None and reading.dropped:
        yield f"{counted(reading.dropped, 'row')} that lacked a value left out"


def _adjusted(report: Report) -> str:
    """Return what the column of adjusted p-values is called; nothing where there is one pair."""
    comparison = report.comparison
    if comparison is None or len(comparison.pairs) < 2:
        return ""
    return {"holm": "p (Holm)", "bonferroni": "p (Bonferroni)"}.get(comparison.adjust or "", "")


def _effective(report: Report) -> str:
    """Return what Wilson's intervals count, where that is not simply the rows."""
    why = [*(["weights"] if report.data.weighted else []),
           *(["groups"] if report.data.group_sizes is not None else [])]  # fmt: skip
    if not why:
        return ""
    return f" for as many independent rows as each rate is worth with its {' and '.join(why)}"


def _tables(report: Report) -> Iterator[dict[str, str]]:
    named: list[tuple[str, Any]] = [("Measures", report)]
    if report.comparison is not None:
        named.append(("Comparison", report.comparison))
    for name, one in named:
        yield {"name": f"{name}, Markdown", "text": one.to_markdown()}
        yield {"name": f"{name}, LaTeX", "text": one.to_latex()}


def _reproduce(report: Report, reading: Reading | None) -> str:
    if reading is not None:
        words = list(reading.command)
        if "--seed" not in words and not any(word.startswith("--seed=") for word in words):
            words += ["--seed", str(report.seed)]
        return shlex.join(words)
    options = f"n_resamples={report.n_resamples}, seed={report.seed}"
    if report.confidence != 0.95:
        options += f", confidence={report.confidence:g}"
    given = report._given
    options += _order_of_classes(report)
    if given.measures is not None:
        named = (repr(one.name) if repr(one).endswith("()") else f"pr.{one!r}"
                 for one in given.measures.values())  # fmt: skip
        options = f"[{', '.join(named)}], {options}"
    if given.groups is not None:
        options += ", groups=groups"
    if report.data.weighted:
        options += ", sample_weight=weights"
    if given.stratify is not None:
        options += f", stratify={given.stratify}"
    if given.absent != "raise":
        options += f", absent={given.absent!r}"
    return f"import polyroc as pr\nreport = pr.evaluate(y_true, models, {options})"


def _order_of_classes(report: Report) -> str:
    """Return the option that says which column is whose, or which of two classes is favoured.

    It is needed where classes are not in sorted order; of two the last one is favoured.
    """
    classes = np.asarray(report.data.classes).tolist()
    if len({type(label) for label in classes}) > 1 or classes == sorted(classes):
        return ""
    if len(classes) == 2:
        return f", pos_label={classes[1]!r}"
    text = repr(classes)
    return f", labels={text if len(text) <= MOST_LETTERS else 'labels'}"
