"""The models of a comparison, checked: same rows or different ones, same classes, same measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._arrays import show
from polyroc._measures import measure_of
from polyroc._one_vs_rest import OneVsRest
from polyroc._resampling import Plan, plan
from polyroc._sample import Sample, prepare

if TYPE_CHECKING:
    from polyroc._measure import Measure


class Model(NamedTuple):
    """A model's scores with their rows."""

    name: str
    sample: Sample
    chosen: Plan


def one_number(measure: Any) -> Measure[Any]:
    """Return the measure to compare by, which must be a single number."""
    one = measure_of(measure) if isinstance(measure, str) else measure
    if isinstance(measure, (list, tuple, Mapping)):
        raise TypeError("compare takes one measure at a time; call it once for each")
    one = measure_of(one)
    if isinstance(one, OneVsRest) and one.average is None:
        raise ValueError(
            "OneVsRest(None) has a value a class; compare by an average, as OneVsRest('macro')"
        )
    return one


def read_models(
    y_true: Any, models: Any, measure: Measure[Any], stratify: Any, groups: Any, labels: Any,
    sample_weight: Any, n_threads: Any,
) -> tuple[list[Model], bool]:  # fmt: skip
    """Return the models, and whether they were scored on the same rows."""
    if not isinstance(models, Mapping):
        raise TypeError(
            f"the models are a {type(models).__name__}; pass a dict of scores by name, "
            'as {"boost": A, "forest": B}'
        )
    if len(models) < 2:
        raise ValueError(f"there is {len(models)} model; a comparison needs two or more")
    for name in models:
        if not isinstance(name, str):
            raise TypeError(f"a model is named {name!r}; name models by strings")
    paired = not isinstance(y_true, Mapping)
    given = {"y_true": y_true, "sample_weight": sample_weight, "groups": groups}
    for what, values in given.items():
        if isinstance(values, Mapping) != (not paired) and values is not None:
            raise TypeError(
                f"{what} is {'a dict' if paired else 'no dict'}, but y_true is "
                f"{'none' if paired else 'one'}; models on different rows have a dict each of "
                "labels, weights and groups"
            )
        if isinstance(values, Mapping) and values.keys() != models.keys():
            raise ValueError(f"{what} has the keys {list(values)}, the models are {list(models)}")

    def of(values: Any, name: str) -> Any:
        return values[name] if isinstance(values, Mapping) else values

    out = []
    for name, scores in models.items():
        try:
            sample = prepare(of(y_true, name), scores, labels, of(sample_weight, name), n_threads)
            measure._admit(sample)
            chosen = plan(sample, "multinomial", stratify, of(groups, name))
        except (ValueError, TypeError) as error:
            raise type(error)(f"model {name!r}: {error}") from error
        out.append(Model(name, sample, chosen))
    _require_alike(out)
    return out, paired


def _require_alike(models: list[Model]) -> None:
    head = models[0]
    for one in models[1:]:
        a, b = head.sample, one.sample
        if not np.array_equal(a.labels, b.labels):
            raise ValueError(
                f"models {head.name!r} and {one.name!r} tell different classes apart: "
                f"{show(a.labels)} and {show(b.labels)}; pass labels= with all classes"
            )
        if a.scores.ndim != b.scores.ndim:
            raise ValueError(
                f"models {head.name!r} and {one.name!r} have scores of different shapes: "
                f"{a.scores.shape} and {b.scores.shape}; pass the same columns for every model"
            )
