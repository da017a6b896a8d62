"""Pictures of a report, from the rows and results that it holds."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import show
from polyroc._plot.confusion import confusion
from polyroc._plot.decision import calibration, decision_curve
from polyroc._plot.distributions import replicates, scores
from polyroc._plot.forest import differences, models
from polyroc._plot.pairs import pair_differences, pairs
from polyroc._plot.polar import polar
from polyroc._plot.roc import precision_recall, roc

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from polyroc._report.report import Report

OF_ALL: Mapping[str, Callable[..., Any]] = {
    "roc": roc, "precision_recall": precision_recall, "polar": polar,
    "decision_curve": decision_curve, "calibration": calibration,
    "pair_differences": pair_differences,
}  # fmt: skip
OF_ONE: Mapping[str, Callable[..., Any]] = {"pairs": pairs, "scores": scores}
OF_COMPARISON: Mapping[str, Callable[..., Any]] = {"models": models, "differences": differences}
KINDS = (*OF_ALL, *OF_ONE, *OF_COMPARISON, "confusion", "replicates")


def draw_report(report: Report, kind: str | None = None, **options: Any) -> Any:
    """Draw a picture of a report; see :meth:`polyroc.Report.plot`."""
    if kind is None:
        several = "models" if report.comparison is not None else "pairs"
        kind = "roc" if len(report.data.classes) == 2 else several
    if kind not in KINDS:
        raise ValueError(f"kind is {show(kind)}; choose one of {', '.join(KINDS)}")
    if kind in OF_COMPARISON:
        if report.comparison is None:
            raise ValueError(f"{kind!r} compares models, and the report has one only")
        return OF_COMPARISON[kind](report.comparison, **options)
    if kind == "confusion":
        model = _model(report, options)
        return confusion(report.confusions[model], **({"name": model} | options))
    if kind == "replicates":
        own = report.measures[_model(report, options)]
        name = options.pop("measure", next(iter(own)))
        if name not in own:
            raise ValueError(f"measure is {show(name)}; the report has {', '.join(own)}")
        return replicates(own[name], **options)
    given = report._given
    if given.y_true is None:
        raise ValueError(f"the report does not hold the rows that {kind!r} is drawn from")
    draw = OF_ONE[kind] if kind in OF_ONE else OF_ALL[kind]
    # What the user says takes the place of what the report was made with.
    known = taken_by(draw, {**given.options, "groups": given.groups}) | options
    if kind in OF_ONE:
        model = _model(report, known)
        title = {"name": model} if len(report.models) > 1 else {}
        return draw(given.y_true, given.models[model], **(title | known))
    chosen = given.models
    if kind == "pair_differences" and len(chosen) > 2:
        chosen = dict(list(chosen.items())[:2])
    return draw(given.y_true, chosen, **known)


def taken_by(draw: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of some options of a sample that a picture takes."""
    names = inspect.signature(draw).parameters
    return {name: value for name, value in options.items() if name in names}


def _model(report: Report, options: dict[str, Any]) -> str:
    model: str = options.pop("model", report.models[0])
    if model not in report.models:
        raise ValueError(f"model is {show(model)}; the report has {', '.join(report.models)}")
    return model
