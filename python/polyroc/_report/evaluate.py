"""One report of everything that applies to some predictions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.progress import after, check_progress, watching
from polyroc._base.public import public
from polyroc._base.seeds import seed_number
from polyroc._base.warn import each_once
from polyroc._compare.compare import compare
from polyroc._compare.models import read_models
from polyroc._data.sample import prepare
from polyroc._data.units import plan
from polyroc._inference.bootstrap import bootstrap
from polyroc._inference.results import Results
from polyroc._inference.run import replicate_range
from polyroc._measures.measure import ABSENT
from polyroc._measures.registry import counts_enter, measures_of
from polyroc._points.confusion import confusion
from polyroc._points.operating_point import operating_point
from polyroc._report.chosen import AGAINST_REST, headline, left_out, per_class
from polyroc._report.column_order import order_doubt
from polyroc._report.data import data_of
from polyroc._report.doubts import doubts
from polyroc._report.given import Given
from polyroc._report.pair_aucs import PairAucs, as_pairs
from polyroc._report.report import Report
from polyroc._stats.confidence import check_confidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from polyroc._base.types import Absent, Floats, Labels, Scores, Seed
    from polyroc._data.sample import Sample
    from polyroc._inference.bootstrap_result import BootstrapResult
    from polyroc._measures.measure import Measure
    from polyroc._points.confusion_result import Confusion
    from polyroc._points.operating_point_result import OperatingPoint

MOST_CLASSES = 30  # whose pairs are listed
# Bytes that a run may use: with less, a million rows of ten classes are sorted again and again.
ROOM = 800 * 2**20


@public
@hinting
@each_once
def evaluate(
    y_true: Labels,
    y_score: Scores | Mapping[str, Scores],
    measure: Any = None,
    *,
    n_resamples: int = 1000,
    seed: Seed = None,
    confidence: float = 0.95,
    stratify: bool | None = None,
    groups: Labels | None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> Report:
    """Evaluate one model or several: every measure that applies, with intervals, in one report.

    Parameters
    ----------
    y_true, labels, pos_label, sample_weight, stratify, groups
        As for `bootstrap`.
    y_score : array_like, or dict of them
        The scores of a model, or of several by name, all for the same rows.
    measure : str, measure object, or a list or dict of them, optional
        Which headline measures; by default all that apply, but for the H measure of many classes
        where it would take longer than all else, which a warning says. Models are compared by the
        first one.
    n_resamples, seed, n_threads, progress
        Of the bootstrap. All measures see the same resamples.
    confidence : float
        Of intervals, in (0, 1).
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or left out.

    Returns
    -------
    Report
        Prints as text; ``.measures``, ``.by_class``, ``.by_pair``, ``.operating_points``,
        ``.confusions``, ``.comparison``, ``.data``, ``.warnings``; ``.to_dict()``,
        ``.to_frame()``.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> report = pr.evaluate(y, models["naive Bayes"], ["auc_mu", "hand_till"], seed=7)
    >>> report.measures["model"]["hand_till"].interval.round(3)
    array([0.97, 0.98])
    """
    choose("absent", absent, ABSENT)
    check_progress(progress)
    levels, scalar = check_confidence(confidence)
    if not scalar:
        raise TypeError(f"confidence is {confidence!r}; evaluate takes one level")
    level = float(levels[0])
    _, count = replicate_range(None, n_resamples)
    number = seed_number(seed)
    models = _models(y_score)
    given: dict[str, Any] = {
        "labels": labels, "pos_label": pos_label, "sample_weight": sample_weight,
        "n_threads": n_threads,
    }  # fmt: skip
    asked = {} if measure is None else measures_of(measure)[0]
    head = _head(y_true, next(iter(models.values())), asked, given)
    asked = asked or headline(head, absent, count)
    classes = per_class(head, absent)
    first = next(iter(asked.values()))
    listed, _ = read_models(
        y_true, models, first, stratify, groups, labels, pos_label, sample_weight, n_threads
    )
    enter = counts_enter(head, [*asked.values(), *classes.values()])
    units = plan(head, "multinomial", stratify, groups, enter)
    run: dict[str, Any] = {
        "n_resamples": count, "seed": number, "confidence": level, "groups": groups, **given,
        "stratify": units.stratified,
    }  # fmt: skip
    measures: dict[str, Any] = {}
    by_class: dict[str, Any] = {}
    by_pair: dict[str, Any] = {}
    wanted = list(asked.values()) + list(classes.values())
    if 2 < head.n_classes <= MOST_CLASSES:
        wanted.append(PairAucs(absent=absent))
    with watching(progress, count * len(models)) as watcher:
        for k, (name, scores) in enumerate(models.items()):
            # One run for all: rows are sorted once, and all see the same resamples.
            run["progress"] = _reporter(watcher, k * count)
            found = _resampled(y_true, scores, wanted, run)
            measures[name] = Results(dict(zip(asked, found, strict=False)))
            own = dict(zip(classes, found[len(asked) :], strict=False))
            by_class[name] = Results(own) if own else {}
            if isinstance(wanted[-1], PairAucs):
                by_pair[name] = as_pairs(found[-1])
    del run["progress"]
    points, said = _decided(y_true, models, head, run)
    comparison = None
    if len(models) > 1:
        by_delong = first.has_influence and 1 not in units.sizes.tolist()
        way: dict[str, Any] = (
            {} if by_delong else {"method": "bootstrap", "n_resamples": count, "seed": number}
        )
        comparison = compare(
            y_true, models, first, confidence=level, stratify=stratify, groups=groups,
            **way, **given,
        )  # fmt: skip
    data = data_of({model.name: model.sample for model in listed}, units)
    return Report(
        models=tuple(models),
        measures=measures,
        by_class=by_class if classes else {},
        by_pair=by_pair,
        operating_points=points,
        confusions=said,
        comparison=comparison,
        data=data,
        warnings=(
            *doubts(data, _areas(measures, by_pair), measures),
            *_order_doubts({model.name: model.sample for model in listed}, by_class),
            *(left_out(head, count) if measure is None else ()),
        ),
        confidence=level,
        n_resamples=count,
        seed=number,
        _given=Given(
            y_true, models, given, absent, groups, stratify, None if measure is None else asked
        ),
    )


def _head(
    y_true: Any, scores: Any, asked: Mapping[str, Measure[Any]], given: dict[str, Any]
) -> Sample:
    """Return the rows of the first model: of one class each, with a column of scores for each."""
    way = "pass it to bootstrap, and to compare for several models"
    for one in asked.values():
        if one.reading is not prepare:
            raise ValueError(
                f"{one!r} is for rows with many labels, and a report for rows of one class; {way}"
            )
    orders = [one for one in asked.values() if one.orders_classes]
    head = prepare(y_true, scores, marker=bool(orders), **given)
    if head.scores.ndim == 1 and head.n_classes > 2:
        raise ValueError(
            f"{orders[0]!r} orders {head.n_classes} classes by one score, and a report needs a "
            f"column for each; {way}"
        )
    return head


def _resampled(y_true: Any, scores: Any, wanted: list[Any], run: Any) -> list[BootstrapResult]:
    """Return the results of all measures, from one run."""
    numbered = {str(at): one for at, one in enumerate(wanted)}
    try:
        found = bootstrap(y_true, scores, numbered, max_memory=ROOM, **run)
    except MemoryError:  # before anything is drawn: these rows need more, and get what they need
        found = bootstrap(y_true, scores, numbered, **run)
    return list(found.values())


def _order_doubts(samples: Mapping[str, Sample], by_class: Mapping[str, Any]) -> Iterator[str]:
    """Yield the models whose columns seem to be in another order than the classes."""
    for name, sample in samples.items():
        if AGAINST_REST in by_class[name]:
            doubt = order_doubt(sample, by_class[name][AGAINST_REST].estimate)
            if doubt:
                yield f"{name}: {doubt}"


def _models(y_score: Any) -> dict[str, Any]:
    """Return the scores of each model; those of a single one may come by themselves."""
    if not isinstance(y_score, Mapping):
        return {"model": y_score}
    if not y_score:
        raise ValueError("y_score holds no model; pass scores, or a dict of scores by model")
    return dict(y_score)


def _reporter(watcher: Any, done: int) -> Any:
    """Return what a run tells how far it is, where others have been done before it."""
    if watcher is None:
        return False
    return lambda now, _: after(watcher, done)(now)


def _decided(
    y_true: Any, models: Mapping[str, Any], head: Sample, run: dict[str, Any]
) -> tuple[dict[str, OperatingPoint], dict[str, Confusion]]:
    """Return the operating point of each model, of two classes, and what is said of rows.

    Of two classes at that point, of more by the greatest score.
    """
    points = {}
    if head.n_classes == 2:
        points = {
            name: operating_point(y_true, scores, rule="youden", **run)
            for name, scores in models.items()
        }
    run = {name: value for name, value in run.items() if name != "stratify"}
    at: dict[str, dict[str, Any]] = {
        name: {"threshold": point.threshold} for name, point in points.items()
    }
    said = {
        name: confusion(y_true, scores, **at.get(name, {}), **run)
        for name, scores in models.items()
    }
    return points, said


def _areas(
    measures: Mapping[str, Mapping[str, BootstrapResult]], by_pair: Mapping[str, Any]
) -> dict[str, Floats]:
    """Return the AUCs of each model: of every pair of classes, or the only one."""
    if by_pair:
        return {name: np.ravel(pairs.estimate) for name, pairs in by_pair.items()}
    only = {name: [one.estimate for key, one in results.items() if key == "auc"]
            for name, results in measures.items()}  # fmt: skip
    return {name: np.array(values) for name, values in only.items() if values}
