"""Which measures a call asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from polyroc._base.display import titled
from polyroc._measures.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polyroc import _core
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan


class _Named(Mapping[str, Measure[Any]]):
    """Measures by name, each of which is loaded when it is asked for: a call mostly needs one."""

    def __init__(self, homes: dict[str, tuple[str, str, tuple[Any, ...]]]) -> None:
        self._homes = homes  # the file, the class in it, and its arguments
        self._made: dict[str, Measure[Any]] = {}

    def __getitem__(self, name: str) -> Measure[Any]:
        if name not in self._made:
            file, kind, given = self._homes[name]
            self._made[name] = getattr(import_module(f"polyroc._measures.{file}"), kind)(*given)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


MEASURES: Mapping[str, Measure[Any]] = _Named({
    "auc": ("auc", "Auc", ()),
    "hand_till": ("hand_till", "HandTill", ()),
    "auc_mu": ("auc_mu", "AucMu", ()),
    "one_vs_rest": ("one_vs_rest", "OneVsRest", ()),
    "polar_area": ("polar_area", "PolarArea", ()),
    "kolmogorov_smirnov": ("kolmogorov_smirnov", "KolmogorovSmirnov", ()),
    "average_precision": ("average_precision", "AveragePrecision", ()),
    "proportion_correct": ("proportion_correct", "ProportionCorrect", ()),
    "expected_correct": ("expected_correct", "ExpectedCorrect", ()),
    "vus": ("vus", "Vus", ()),
    "hum": ("hum", "Hum", ()),
    "pdi": ("pdi", "Pdi", ()),
    "h_measure": ("h_measure", "HMeasure", ()),
    "hull_area": ("hull_area", "HullArea", ()),
})  # fmt: skip

# Those that have an option without a default, with one that it may have.
WITH_OPTIONS: Mapping[str, Measure[Any]] = _Named({
    "partial_auc": ("partial_auc", "PartialAuc", ((0.0, 0.1),)),
    "tpr_at": ("rate_at", "TprAt", (0.05,)),
    "fpr_at": ("rate_at", "FprAt", (0.95,)),
    "recall_at": ("recall_at", "RecallAt", (0.9,)),
})  # fmt: skip

# What other packages call them.
_ELSEWHERE = {
    "roc_auc": "auc", "auroc": "auc", "roc_auc_ovo": "hand_till", "roc_auc_ovr": "one_vs_rest",
    "accuracy": "proportion_correct", "pr_auc": "average_precision", "auprc": "average_precision",
    "ks": "kolmogorov_smirnov",
}  # fmt: skip


def measures_of(measure: Any, closed: bool = False) -> tuple[dict[str, Measure[Any]], bool]:
    """Return the measures by name, and whether only one was asked for, by itself.

    With `closed`, names are proposed of those alone that have an error in closed form.
    """
    if isinstance(measure, (str, Measure)):
        one = measure_of(measure, closed)
        return {one.name: one}, True
    if isinstance(measure, Mapping):
        found = {name: measure_of(one, closed) for name, one in measure.items()}
    else:
        try:
            listed = [measure_of(one, closed) for one in measure]
        except TypeError as error:
            if isinstance(measure, (list, tuple)):
                raise
            raise TypeError(
                f"measure is a {type(measure).__name__}; pass {_object_of(measure)}"
            ) from error
        found = {one.name: one for one in listed}
        if len(found) < len(listed):
            names = [one.name for one in listed]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(
                f"measure holds {twice!r} twice; pass a dict to give each a name of its own"
            )
    if not found:
        raise ValueError("measure is empty; name at least one")
    return found, False


def _object_of(thing: Any) -> str:
    """Say what to pass in the place of a measure's function or class."""
    name = getattr(thing, "__name__", "")
    for one in (*MEASURES.values(), *WITH_OPTIONS.values()):
        if thing is type(one) or (name == one.name and not isinstance(thing, type)):
            return f"pr.{one!r}{f', or {one.name!r}' if one.name in MEASURES else ''}"
    return "a name, a measure object, or a list or dict of them"


def choices(wrong: str, closed: bool = False) -> str:
    """Say which measure a name that is none may stand for, and which there are."""
    from difflib import get_close_matches  # for this line alone

    known, optional = (
        [name for name, one in those.items() if one.has_influence or not closed]
        for those in (MEASURES, WITH_OPTIONS)
    )
    plain = wrong.lower().replace("-", "_")
    near = [_ELSEWHERE[plain]] if _ELSEWHERE.get(plain) in known else []
    near = near or get_close_matches(plain, [*known, *optional], 1, 0.75)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}choose one of {', '.join(map(repr, known))}"


def measure_of(measure: Any, closed: bool = False) -> Measure[Any]:
    """Return the measure of a name, or a measure as it is; `closed` as in :func:`measures_of`."""
    if isinstance(measure, Measure):
        return measure
    if isinstance(measure, str):
        if measure in MEASURES:
            return MEASURES[measure]
        if measure in WITH_OPTIONS:
            example = WITH_OPTIONS[measure]
            if closed and not example.has_influence:
                raise ValueError(
                    f"{measure!r} has no closed-form error; use bootstrap, with pr.{example!r}"
                )
            raise ValueError(f"measure is {measure!r}, which has no default; pass pr.{example!r}")
        raise ValueError(f"measure is {measure!r}; {choices(measure, closed)}")
    raise TypeError(f"measure holds {measure!r}; pass names or measure objects")


def read_sample(
    measures: Iterable[Measure[Any]], y_true: Any, y_score: Any, labels: Any, sample_weight: Any,
    n_threads: Any, pos_label: Any, frequency_weight: Any,
) -> Sample:  # fmt: skip
    """Return the rows of a call as its measures read them, which must do so alike."""
    listed = list(measures)
    first, *others = listed
    for other in others:
        if other.reading != first.reading:
            raise ValueError(
                f"{first!r} and {other!r} do not read labels alike, so that they cannot share a "
                "call; make one for each"
            )
    marker = {"marker": True} if any(one.orders_classes for one in listed) else {}
    return first.reading(
        y_true, y_score, labels, sample_weight, n_threads, pos_label, frequency_weight, **marker
    )


def counts_enter(sample: Sample, measures: Iterable[Measure[Any]]) -> str:
    """Name the first measure that depends on class counts; empty if none of them does."""
    found = (titled(measure) for measure in measures if measure._counts_enter(sample))
    return next(found, "")


def rows_for(
    sample: Sample, measures: Iterable[Measure[Any]], units: Plan | None = None
) -> _core.Rows:
    """Return the rows as the core needs them for these measures, in groups where there are any."""
    return sample.rows(any(measure.projects for measure in measures), units)
