"""The ways to compare models, each by the public interface."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import polyroc as pr

from benches.studies import aims
from benches.studies.designs.rivals import Contest, Rivals

RESAMPLES = 499


class Method(NamedTuple):
    """Options of `compare`; `drawn` ones are given two models, others all, for the overall test."""

    name: str
    options: dict[str, Any]
    default: bool = False
    drawn: bool = False
    knows_margins: bool = True
    everywhere: bool = True  # or in the family "other options" alone


class Verdict(NamedTuple):
    """What a method says of the first two models, and of all."""

    rejects: bool
    rejects_all: float  # nan where there are two models alone
    rejects_margin: float  # nan where there is none
    low: float
    high: float


OTHER_OPTIONS: dict[str, dict[str, Any]] = {
    "delong, counts fixed": {"stratify": True},
    "permutation studentized": {"method": "permutation", "statistic": "studentized"},
    "bootstrap bca": {"method": "bootstrap", "interval": "bca"},
    "bootstrap percentile": {"method": "bootstrap", "interval": "percentile"},
}
METHODS = [
    Method("delong", {}, default=True),
    Method("delong normal", {"reference": "normal"}),
    Method("delong t", {"reference": "t"}),
    Method("bootstrap", {"method": "bootstrap"}, default=True, drawn=True),
    Method("permutation", {"method": "permutation"}, default=True, drawn=True, knows_margins=False),
    *(
        Method(name, options, drawn="method" in options, everywhere=False)
        for name, options in OTHER_OPTIONS.items()
    ),
]


def methods_of(rivals: Rivals, quick: bool = False) -> list[Method]:
    """The methods tried on rivals; in a quick run the defaults alone."""
    return [
        method
        for method in METHODS
        if (method.default or not quick)
        and (method.knows_margins or not rivals.margin)
        and (method.drawn or rivals.first.has_closed_form)
        and (method.everywhere or rivals.family == "other options")
    ]


def judge(
    rivals: Rivals, contest: Contest, method: Method, seed: int, resamples: int, **further: Any
) -> Verdict:
    """Compare the models of one data set."""
    options: dict[str, Any] = {**contest.rows.options, **method.options, **further}
    options["n_threads"] = 1
    models = contest.models
    if method.drawn:
        options.update(seed=seed, n_resamples=resamples)
        models = {name: models[name] for name in "ab"}
    if rivals.margin:
        options["margin"] = abs(rivals.difference)
    found = pr.compare(contest.rows.labels, models, rivals.asked, **options)
    pair = found.pair("a", "b")
    at_margin = math.nan
    if rivals.margin:
        p_value = pair.p_non_inferior if rivals.difference < 0 else pair.p_non_superior
        at_margin = float(p_value <= aims.LEVEL / 2)
    overall = math.nan if method.drawn else float(found.overall.p_value <= aims.LEVEL)
    return Verdict(pair.p_value <= aims.LEVEL, overall, at_margin, pair.low, pair.high)
