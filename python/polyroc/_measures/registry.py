"""Which measures a call asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from polyroc._base.display import titled
from polyroc._measures.auc import Auc
from polyroc._measures.auc_mu import AucMu
from polyroc._measures.average_precision import AveragePrecision
from polyroc._measures.expected_correct import ExpectedCorrect
from polyroc._measures.h_measure import HMeasure
from polyroc._measures.hand_till import HandTill
from polyroc._measures.hull_area import HullArea
from polyroc._measures.hum import Hum
from polyroc._measures.kolmogorov_smirnov import KolmogorovSmirnov
from polyroc._measures.measure import Measure
from polyroc._measures.one_vs_rest import OneVsRest
from polyroc._measures.partial_auc import PartialAuc
from polyroc._measures.pdi import Pdi
from polyroc._measures.polar_area import PolarArea
from polyroc._measures.proportion_correct import ProportionCorrect
from polyroc._measures.rate_at import FprAt, TprAt
from polyroc._measures.recall_at import RecallAt
from polyroc._measures.vus import Vus

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan

MEASURES: dict[str, Measure[Any]] = {
    measure.name: measure
    for measure in (
        Auc(),
        HandTill(),
        AucMu(),
        OneVsRest(),
        PolarArea(),
        KolmogorovSmirnov(),
        AveragePrecision(),
        ProportionCorrect(),
        ExpectedCorrect(),
        Vus(),
        Hum(),
        Pdi(),
        HMeasure(),
        HullArea(),
    )
}

# Those that have an option without a default, with one that it may have.
WITH_OPTIONS: dict[str, Measure[Any]] = {
    measure.name: measure
    for measure in (PartialAuc(fpr=(0.0, 0.1)), TprAt(0.05), FprAt(0.95), RecallAt(0.9))
}


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
                f"measure is a {type(measure).__name__}; pass a name, a measure object, "
                "or a list or dict of them"
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


def choices(wrong: str, closed: bool = False) -> str:
    """Say which measure a name that is none may stand for, and which there are."""
    from difflib import get_close_matches  # for this line alone

    known, optional = (
        [name for name, one in those.items() if one.has_influence or not closed]
        for those in (MEASURES, WITH_OPTIONS)
    )
    near = get_close_matches(wrong.lower().replace("-", "_"), [*known, *optional], 1, 0.75)
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
