"""The ways to an interval, each by the public interface.

A method that a version of polyroc does not know is left out: `delong(reference=...)`, say.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import polyroc as pr

from benches.studies.designs.design import Data, Design

REPLICATES = 999


class Method(NamedTuple):
    """Options of a function; bootstraps of the same options but `remade` share their replicates."""

    name: str
    function: Callable[..., Any]
    options: dict[str, Any]
    default: bool = False
    remade: str = ""  # by `with_interval(method=...)` from the replicates

    @property
    def known(self) -> bool:
        """Whether this version of polyroc has all of its options."""
        return self.options.keys() <= inspect.signature(self.function).parameters.keys()

    @property
    def drawn(self) -> bool:
        return self.function is pr.bootstrap


def _bootstrap(name: str, remade: str = "", **options: Any) -> Method:
    return Method(name, pr.bootstrap, options, name == "bootstrap", remade)


USUAL = [
    Method("delong", pr.delong, {}, default=True),
    Method("delong normal", pr.delong, {"reference": "normal"}),
    Method("delong t", pr.delong, {"reference": "t"}),
    _bootstrap("bootstrap"),
    _bootstrap("bca", "bca"),
    _bootstrap("percentile", "percentile"),
]
OTHERS = [  # on the grid, and of rates, which have no closed form
    Method("delong plain", pr.delong, {"transform": None}),
    _bootstrap("basic", "basic"),
    _bootstrap("normal", "normal"),
]
STUDENTIZED = _bootstrap("studentized", method="studentized")  # of a single AUC without weights
SCHEMES = [  # poisson's counts are random in any case
    _bootstrap("multinomial, counts fixed", stratify=True),
    _bootstrap("multinomial, counts random", stratify=False),
    _bootstrap("poisson", scheme="poisson"),
    _bootstrap("bayesian, counts fixed", scheme="bayesian", stratify=True),
    _bootstrap("bayesian, counts random", scheme="bayesian", stratify=False),
]
SCHEMED = (  # keys of designs that every scheme is tried on
    "grid/normal 0.8 20:20",
    "ties/4 grades 0.766 60:8",
    "exponential/exponential 0.85 100:15",
    "exponential/exponential 0.85 100:40",
    "random counts/R 0.98, 0.6, 0.8 40:40:40",
    "clusters/20 clusters of 8, 8 of class 1 0.8 96:64",
    "weights/logistic weights h 1.5 0.8 100:100",
    "near 1/normal 0.98 40:40",
)


def methods_of(design: Design, quick: bool = False) -> list[Method]:
    """The methods tried on a design; in a quick run the defaults alone."""
    chosen = list(USUAL)
    if design.family in ("grid", "curve at a rate", "recall at a precision"):
        chosen += OTHERS
    if design.family == "grid" and len(design.sizes) == 2:
        chosen.append(STUDENTIZED)
    if design.key in SCHEMED:
        chosen += SCHEMES
    if not design.has_closed_form:
        chosen = [method for method in chosen if method.drawn]
    return [method for method in chosen if method.known and (method.default or not quick)]


def intervals(
    measures: dict[str, Any], data: Data, methods: Iterable[Method], seed: int, replicates: int
) -> dict[str, dict[str, tuple[float, float]]]:
    """The limits by each method of each measure."""
    runs: dict[str, Any] = {}
    out: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in measures}
    for method in methods:
        options: dict[str, Any] = {**data.rows.options, **method.options, "n_threads": 1}
        if method.drawn:
            options.update(seed=seed, n_resamples=replicates)
        run = f"{method.function.__name__} {method.options}"
        if run not in runs:
            runs[run] = method.function(data.rows.labels, data.scores, measures, **options)
        for measure, result in runs[run].items():
            if method.remade:
                result = result.with_interval(method=method.remade)
            low, high = result.interval
            out[measure][method.name] = float(low), float(high)
    return out
