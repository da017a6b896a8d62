"""Keyword arguments under the names that other packages give them: a call says its own name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_ELSEWHERE = {
    "random_state": "seed", "rng": "seed", "n_jobs": "n_threads", "confidence_level": "confidence",
    "n_bootstraps": "n_resamples", "n_bootstrap": "n_resamples", "n_boot": "n_resamples",
    "n_splits": "n_folds", "weights": "sample_weight", "pos_class": "pos_label",
    "metric": "measure", "scoring": "measure",
}  # fmt: skip
_OTHERWISE = {"alpha": ("confidence", "1 - alpha"), "max_fpr": ("fpr", "(0, max_fpr)")}

# Options of measures, each with a measure that has it: no arguments of calls that take a measure.
OF_MEASURES = {
    "absent": "HandTill", "average": "OneVsRest", "max_fpr": "Auc", "pair_weights": "HandTill",
    "partition": "AucMu", "ties": "AucMu", "normalize": "PolarArea", "order": "PolarArea",
    "threshold": "ExpectedCorrect", "screened": "ExpectedCorrect", "n_tuples": "Hum",
    "severity": "HMeasure", "severity_ratio": "HMeasure", "fpr": "PartialAuc", "tpr": "PartialAuc",
    "standardize": "PartialAuc", "precision": "RecallAt",
}  # fmt: skip


def hinting(function: F) -> F:
    """Have a function say what an argument that it does not know is called in it.

    A call that is right pays a tenth of a microsecond; the signature stays what it is.
    """

    @functools.wraps(function)
    def call(*given: Any, **options: Any) -> Any:
        try:
            return function(*given, **options)
        except TypeError:
            known = [name for name in inspect.signature(function).parameters if name != "self"]
            unknown = [name for name in options if name not in known]
            if not unknown:
                raise
            name = function.__qualname__.removesuffix(".__init__")
            caller = "the call of a measure" if name.endswith("__call__") else f"{name}()"
            unexpected = f"{caller} got an unexpected keyword argument {unknown[0]!r}"
            raise TypeError(f"{unexpected}; {_hint(unknown[0], known)}") from None

    return cast("F", call)


def other_name(name: str, known: Collection[str]) -> str | None:
    """Return which of the `known` arguments has this name in other packages."""
    twin = _ELSEWHERE.get(name)
    return twin if twin in known else None


def _hint(name: str, known: Collection[str]) -> str:
    twin = other_name(name, known)
    if twin is not None:
        return f"it is called {twin}"
    twin, value = _OTHERWISE.get(name, (None, ""))
    if twin in known:
        return f"pass {twin}={value}"
    if name in OF_MEASURES and "measure" in known:
        return f"measures have it: pass measure=pr.{OF_MEASURES[name]}({name}=...), or another one"
    from difflib import get_close_matches  # for this line alone

    near = get_close_matches(name, known, 1)
    if near:
        return f"did you mean {near[0]}?"
    return f"{'there are' if len(known) > 1 else 'there is'} {', '.join(known) or 'none'}"
