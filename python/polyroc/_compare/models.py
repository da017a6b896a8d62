"""The models of a comparison, checked: same rows or different ones, same classes, same measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show, thread_count
from polyroc._data.labels import encode
from polyroc._data.sample import Sample, alike_in_ties, bundle, in_order_of, prepare, repeated
from polyroc._data.units import Plan, plan
from polyroc._measures.measure import Measure
from polyroc._measures.registry import counts_enter, measure_of

if TYPE_CHECKING:
    from polyroc._base.types import Array


class Model(NamedTuple):
    """A model's scores with their rows."""

    name: str
    sample: Sample
    units: Plan


class _Blame(NamedTuple):
    name: str
    paired: bool

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if not isinstance(error, (ValueError, TypeError)):
            return
        if not self.paired or "y_score" in str(error):
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"model {self.name!r}: {error}") from error


def blaming(name: str, paired: bool) -> _Blame:
    """Name the model in an error that is its own.

    Models on the same rows share labels, groups and weights, and what is wrong with those is
    nobody's fault.
    """
    return _Blame(name, paired)


def one_number(measure: Any) -> Measure[Any]:
    """Return the measure to compare by, which must be a single number."""
    if isinstance(measure, (list, tuple, Mapping)):
        raise TypeError("compare takes one measure at a time; call it once for each")
    if not isinstance(measure, (str, Measure)):
        raise TypeError(f"measure is {measure!r}; pass a name or a measure object")
    single = measure_of(measure)
    if not single.is_single:
        kind = type(single).__name__
        raise ValueError(
            f"{kind}(None) has one value per {single.each}; compare by an average, as "
            f"{kind}({'' if single.each == 'class' else 'average='}'macro')"
        )
    return single


def require_models(models: Any) -> None:
    """Raise unless there are two models or more, by name."""
    if not isinstance(models, Mapping):
        example = '{"boost": A, "forest": B}'
        if hasattr(models, "columns"):  # of a frame, which might hold models or the classes of one
            example = "{name: models[name] for name in models.columns}"
        raise TypeError(
            f"models is a {type(models).__name__}; pass a dict of scores by name, as {example}"
        )
    if len(models) < 2:
        count = "one model" if models else "no model"
        raise ValueError(f"models holds {count}; a comparison needs two or more")


def read_models(
    y_true: Any, models: Any, measure: Measure[Any], stratify: Any, groups: Any, labels: Any,
    pos_label: Any, sample_weight: Any, n_threads: Any, frequency_weight: Any = None,
) -> tuple[list[Model], bool]:  # fmt: skip
    """Return the models, and whether they were scored on the same rows."""
    for name in models:
        if not isinstance(name, str):
            raise TypeError(f"a model is named {name!r}; name models by strings")
    paired = not isinstance(y_true, Mapping)
    given = {
        "y_true": y_true, "sample_weight": sample_weight, "groups": groups,
        "frequency_weight": frequency_weight,
    }  # fmt: skip
    for what, values in given.items():
        if values is None:
            continue
        if isinstance(values, Mapping) == paired:
            this, that = ("a dict", "not") if paired else ("no dict", "one")
            raise TypeError(
                f"{what} is {this} but y_true is {that}; for models on different rows pass dicts "
                "by model of all, y_true, weights and groups"
            )
        if not paired and values.keys() != models.keys():
            raise ValueError(
                f"{what} has the keys {show(list(values))} but the models are "
                f"{show(list(models))}; name every model in both"
            )

    def of(values: Any, name: str) -> Any:
        return values if paired or values is None else values[name]

    threads = thread_count(n_threads)
    by_class = measure.reading == prepare
    encoded = encode(y_true, threads) if paired and by_class else None
    samples: dict[str, Sample] = {}
    for name, scores in models.items():
        with blaming(name, paired):
            rows, weights = of(y_true, name), of(sample_weight, name)
            often = of(frequency_weight, name)
            if by_class:
                own = encoded or encode(rows, threads)
                sample = bundle(
                    rows, own, scores, labels, weights, threads, pos_label, measure.orders_classes
                )
                sample = sample if often is None else repeated(sample, often)
            else:
                sample = measure.reading(rows, scores, labels, weights, n_threads, pos_label, often)
            measure._admit(sample)
        # Named columns say which class is whose: models may have them in any order.
        samples[name] = in_order_of(sample, next(iter(samples.values()), sample).labels)
    first, *others = samples
    for other in others:
        _require_alike(samples, first, other)
    out: list[Model] = []
    for name, sample in zip(samples, alike_in_ties(list(samples.values())), strict=True):
        with blaming(name, paired):
            if paired and out:
                units = out[0].units  # models on the same rows have the same units
            else:
                enter = counts_enter(sample, [measure])
                units = plan(sample, "multinomial", stratify, of(groups, name), enter)
        out.append(Model(name, sample, units))
    return out, paired


def _require_alike(samples: Mapping[str, Sample], first: str, other: str) -> None:
    a, b = samples[first], samples[other]
    both = f"models {first!r} and {other!r}"
    if a.labels is not b.labels and not np.array_equal(a.labels, b.labels):
        raise ValueError(
            f"{both} tell different classes apart: {show(a.labels)} and {show(b.labels)}; "
            "pass labels= with all classes"
        )
    if a.scores.ndim != b.scores.ndim:
        raise ValueError(
            f"{both} have scores of different shapes: {a.scores.shape} and {b.scores.shape}; "
            "pass the same columns for every model"
        )
    if a.present is not b.present and not np.array_equal(_present(a), _present(b)):
        raise ValueError(
            f"{both} have rows of different classes: {show(a.labels[_present(a)])} and "
            f"{show(b.labels[_present(b)])}; averages over them do not compare"
        )


def _present(sample: Sample) -> Array:
    """Return which classes have rows."""
    return np.ones(sample.n_classes, bool) if sample.present is None else sample.present
