"""The bootstrap of every measure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.progress import check_progress, watching
from polyroc._base.public import public
from polyroc._base.seeds import seed_number
from polyroc._data.sample import Sample
from polyroc._data.units import (
    SCHEMES,
    Plan,
    contest_sizes,
    n_units,
    plan,
)
from polyroc._inference.bootstrap_result import BootstrapResult
from polyroc._inference.effective import effective_sizes
from polyroc._inference.lost_classes import remark
from polyroc._inference.optimism import optimism_of, usual_method
from polyroc._inference.origin import Ingredients, Origin
from polyroc._inference.results import Results
from polyroc._inference.run import (
    DEGENERATE,
    memory_budget,
    replicate_range,
)
from polyroc._inference.shape import left_out_shapes, shapes_of
from polyroc._inference.spread import Cells, pulls_of
from polyroc._measures.registry import counts_enter, measures_of, read_sample, rows_for
from polyroc._stats.confidence import SIDES, check_confidence
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.replicate_interval import check_method

_OF_INFLUENCE = {"bca", "corrected", "studentized"}

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from polyroc._base.types import (
        Array,
        Degenerate,
        Floats,
        Labels,
        Method,
        Scheme,
        Scores,
        Seed,
        Sides,
    )
    from polyroc._inference.shape import Shape
    from polyroc._measures.measure import Measure


@overload
def bootstrap(
    y_true: Labels,
    y_score: Scores,
    measure: str | Measure[Any] = "auc_mu",
    *,
    n_resamples: int = 9999,
    scheme: Scheme = "multinomial",
    stratify: bool | None = None,
    groups: Labels | None = None,
    method: Method | None = None,
    confidence: float | Sequence[float] = 0.95,
    sides: Sides = "two",
    degenerate: Degenerate = "skip",
    pairs: bool = False,
    replicates: range | None = None,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    frequency_weight: Scores | None = None,
    max_memory: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> BootstrapResult: ...
@overload
def bootstrap(
    y_true: Labels,
    y_score: Scores,
    measure: list[Any] | tuple[Any, ...] | Mapping[str, str | Measure[Any]],
    *,
    n_resamples: int = 9999,
    scheme: Scheme = "multinomial",
    stratify: bool | None = None,
    groups: Labels | None = None,
    method: Method | None = None,
    confidence: float | Sequence[float] = 0.95,
    sides: Sides = "two",
    degenerate: Degenerate = "skip",
    pairs: bool = False,
    replicates: range | None = None,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    frequency_weight: Scores | None = None,
    max_memory: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> Results[BootstrapResult]: ...
@public
@hinting
def bootstrap(
    y_true: Labels,
    y_score: Scores,
    measure: Any = "auc_mu",
    *,
    n_resamples: int = 9999,
    scheme: Scheme = "multinomial",
    stratify: bool | None = None,
    groups: Labels | None = None,
    method: Method | None = None,
    confidence: float | Sequence[float] = 0.95,
    sides: Sides = "two",
    degenerate: Degenerate = "skip",
    pairs: bool = False,
    replicates: range | None = None,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    frequency_weight: Scores | None = None,
    max_memory: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> BootstrapResult | Results[BootstrapResult]:
    """Bootstrap a measure: its standard error, a confidence interval, and the replicates.

    Rows are drawn with replacement, `n_resamples` times, and the measure is computed on each
    resample. All measures of one call see the same resamples. A resample is a vector of weights:
    the rows are sorted once, not `n_resamples` times.

    Parameters
    ----------
    y_true, y_score, labels, pos_label, sample_weight
        As for the measure. With sample weights, a row drawn twice counts twice its weight.
    measure : str, measure object, or a list or dict of them
        Names, as "hand_till" or "auc_mu", or objects with options, as
        ``pr.AucMu(pair_weights="prevalence")``. A list gives results by name; a dict keeps its
        keys.
    n_resamples : int
        How many replicates.
    scheme : {"multinomial", "poisson", "bayesian"}
        "multinomial" is Efron's bootstrap, exactly: n draws with replacement. "poisson" gives
        every unit an independent Poisson(1) weight; "bayesian" exponential weights (Rubin's
        Bayesian bootstrap).
    stratify : bool, optional
        Whether each class is resampled by itself, so that class counts are fixed. By default they
        vary with `groups`, and where they enter a measure (weights by prevalence, micro averages,
        one-vs-rest of more than two classes, average precision), which the result then says;
        otherwise they are fixed. With groups True needs groups of one class each.
    groups : array_like of shape (n,), optional
        Rows of one group (a patient, a document) are drawn together.
    method : {"bca", "percentile", "basic", "normal", "studentized", "corrected"}, optional
        How intervals are made; by default "corrected" for measures whose thresholds are chosen
        on the rows that judge them (`h_measure`, `hull_area`, `kolmogorov_smirnov`) and BCa for
        all others. BCa takes its acceleration from influence values; measures that have none in
        closed form (`tpr_at`, `fpr_at`, `recall_at`) have those of a jackknife. Its limit on the
        side of chance is made as if the class whose rows count most had half a row more that knows
        nothing: bad rows that are not in the sample are in no resample (not so for measures without
        a closed form), and the lower limit of `recall_at` is no more than a score test of its
        precision proves. "corrected" takes off what thresholds look too good by on the rows they
        are chosen on, as 256 of the resamples show it. "studentized" is for a single AUC. Where a
        method has no answer (all replicates equal, as after perfect separation) the result names
        what took its place.
    confidence : float or sequence of float
        Confidence levels in (0, 1).
    sides : {"two", "lower", "upper"}
        An interval, or a lower or an upper confidence bound.
    degenerate : {"skip", "redraw", "raise"}
        What to do about a replicate that loses a class, which cannot happen with `stratify`:
        leave it out, draw it again, or raise. Counted in the result; a warning when more than 1 %
        are left out.
    pairs : bool
        Whether the result has ``.pairs``: the same for the K x K values of all pairs of classes.
    replicates : range, optional
        Only these of the `n_resamples` replicates, to split a run over processes or machines;
        `BootstrapResult.join` puts parts together.
    seed : int, numpy Generator or SeedSequence, optional
        Replicate b of a seed is the same on every machine, for any number of threads, and in any
        part of a run. None draws a seed; the result records it.
    max_memory : int, optional
        Bytes the run may use beside its input and its result; with less than it needs it raises
        MemoryError. By default 256 MiB, the size of the scores, or what the input needs at least,
        whichever is most: for one column of n scores 19 to 24 bytes per row
        (docs/bootstrap.md). Results do not depend on it.
    frequency_weight : array_like of shape (n,), optional
        How often each row was seen: a row of frequency 3 is three rows, for errors, resampling and
        degrees of freedom too, while one of `sample_weight` 3 is one row that counts three times.
    n_threads : int, optional
        Threads to use; all cores by default. Results do not depend on it.
    progress : bool or callable
        True shows a bar (tqdm's if it is installed); a function gets (done, total).

    Returns
    -------
    BootstrapResult, or Results of several measures
        With ``.estimate``, ``.standard_error``, ``.interval``, ``.replicates`` and what is needed
        to repeat the run.

    References
    ----------
    B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993.
    B. Efron, Better bootstrap confidence intervals, J. Am. Stat. Assoc. 82, 1987.
    D. B. Rubin, The Bayesian bootstrap, Ann. Stat. 9, 1981.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> pr.bootstrap(y, models["naive Bayes"], "hand_till", n_resamples=2000, seed=7)
    hand_till 0.9756, standard error 0.0024
      95 % BCa interval: 0.9702 to 0.9800
      2,000 replicates of 1,797 rows, stratified by class, seed 7
    >>> both = pr.bootstrap(y, models["naive Bayes"], ["auc_mu", "polar_area"], seed=7)
    >>> both["polar_area"].interval.round(3)
    array([2.947, 3.008])
    """
    measures, single = measures_of(measure)
    check_confidence(confidence)
    asked = None if method is None else check_method(method)
    choose("sides", sides, SIDES)
    choose("degenerate", degenerate, DEGENERATE)
    check_progress(progress)
    if not isinstance(pairs, (bool, np.bool_)):
        raise TypeError(f"pairs is {pairs!r}; pass True or False")
    part, total = replicate_range(replicates, n_resamples)
    number = seed_number(seed)
    sample = read_sample(
        measures.values(), y_true, y_score, labels, sample_weight, n_threads, pos_label,
        frequency_weight,
    )  # fmt: skip
    units = plan(sample, scheme, stratify, groups, counts_enter(sample, measures.values()))
    count = n_units(sample, units)
    if count == 1:
        raise ValueError(
            "groups puts all rows into one group, and a single unit has no spread; name the group "
            "of each row, or leave groups out if rows are independent"
        )
    budget = memory_budget(max_memory, sample, y_score)
    for one in measures.values():
        one._admit(sample)
        one._admit_replicates(sample, len(part))
    requested = {name: asked or usual_method(one, sample) for name, one in measures.items()}
    core = [_core_measure(one, sample, units, requested[name]) for name, one in measures.items()]
    if pairs:
        core += [one._pairs_in_core(sample) for one in measures.values()]
    run_of = partial(
        _core.bootstrap,
        models=[rows_for(sample, measures.values(), units)],
        measures=core,
        scheme=SCHEMES[units.scheme],
        seed=number,
        redraw=degenerate == "redraw",
        estimates=True,
        influence=bool(_OF_INFLUENCE & set(requested.values())),
        cells=True,
        **budget._asdict(),
    )
    with watching(progress, len(part)) as watcher:
        run = run_of(stratified=units.stratified, first=part.start, last=part.stop, watcher=watcher)
    by_class = partial(run_of, stratified=True, first=0, last=1, watcher=None)
    shapes = shapes_of(run, units, count, by_class)
    if bool(_OF_INFLUENCE & set(requested.values())):
        without = {k: m for k, m in enumerate(measures.values()) if not m.has_influence}
        left_out = left_out_shapes(sample, units, count, list(without.values()))
        for k, shape in zip(without, left_out, strict=False):
            shapes[k] = shape
    chosen = {name: one for name, one in measures.items() if requested[name] == "corrected"}
    optimism = optimism_of(sample, units, chosen, number, budget)
    options: dict[str, Any] = {
        "origin": Origin(
            seed=number,
            n_resamples=total,
            scheme=units.scheme,
            stratified=units.stratified,
            counted_in=units.counted_in,
            unit=units.unit,
            n_units=count,
            degenerate=degenerate,
            path=run.path,
            classes=sample.classes,
            sizes=tuple(units.row_sizes.tolist()),
            group_sizes=None if units.groups is None else tuple(units.sizes.tolist()),
        ),
        "confidence": confidence,
        "sides": sides,
        "first": part.start,
        "n_lost": int(np.count_nonzero(run.lost)),
        "n_redrawn": run.n_redrawn,
        "remark": remark(sample, units, run.lost, part, total, degenerate),
    }
    studentized = asked == "studentized"
    masses, effective = effective_sizes(sample, units)
    cells = Cells(units.stratified, None, None, None, masses, effective, None)
    results = {}
    for k, (name, one) in enumerate(measures.items()):
        inner, favoured = None, one._favoured(sample)
        if pairs:
            values = one._shaped_pairs(run.estimates[len(measures) + k], sample)
            sizes = contest_sizes(units, values.shape)
            at = len(measures) + k
            pulls = pulls_of(one, cells, units, values.shape)
            made = _made(run.values[at], shapes[at], values, (0.0, 1.0), FromAuc(), sizes, pulls)
            inner = BootstrapResult(
                one, values, favoured=favoured, requested=requested[name], **made, **options
            )
        # The AUC with its error has two numbers; the first is the estimate.
        estimate = one._shaped(run.estimates[k][:1] if studentized else run.estimates[k], sample)
        sizes = contest_sizes(units, np.shape(estimate), one.compares_with_rest)
        made = _made(
            run.values[k], shapes[k], estimate, one._bounds(sample), one._from_auc(sample), sizes,
            pulls_of(one, cells, units, np.shape(estimate)), studentized, optimism.get(name),
            one._proven(sample, effective),
        )  # fmt: skip
        caution = ""
        if name not in chosen:
            caution = one._caution(estimate, tuple(units.sizes.tolist()))
        told = {**options, "remark": "; ".join(filter(None, (options["remark"], caution)))}
        results[name] = BootstrapResult(
            one, estimate, pairs=inner, favoured=favoured, requested=requested[name],
            **made, **told,
        )  # fmt: skip
    return next(iter(results.values())) if single else Results(results)


def _made(
    values: Floats,
    shape: Shape,
    estimate: Any,
    bounds: tuple[float, float],
    from_auc: FromAuc,
    sizes: Array,
    pulls: Floats,
    studentized: bool = False,
    optimism: Floats | None = None,
    proven: Floats | None = None,
) -> dict[str, Any]:
    """Return a measure's replicates and what intervals need beside them, by name."""
    errors = None
    if studentized:
        values, errors = values[:, :1], values[:, 1].copy()
    known = np.array(shape)
    known = known[:, : values.shape[1]]
    if values.shape[1] < np.size(estimate):
        # One column of scores: every value is the one AUC, or not defined.
        defined = np.where(np.isnan(np.ravel(estimate)), np.nan, 0.0)
        values, known = values + defined, known + defined
    shaped = values.reshape((len(values), *np.shape(estimate)))
    acceleration, variance, inflation, df = known
    ingredients = Ingredients(
        bounds, from_auc, sizes.reshape(-1, 2), acceleration, variance, inflation, df, pulls,
        optimism, errors, proven,
    )  # fmt: skip
    return {"replicates": shaped, "ingredients": ingredients}


def _core_measure(measure: Measure[Any], sample: Sample, units: Plan, method: str) -> _core.Measure:
    if method == "corrected" and measure._optimism(sample) is None:
        raise ValueError(
            "method='corrected' is for measures whose thresholds are chosen on the rows they are "
            f"judged by, as of a hull or a maximum, not for {measure!r}; use method='bca'"
        )
    if method != "studentized":
        return measure._in_core(sample)
    with_error = measure._with_error_in_core(sample)
    if with_error is None:
        raise ValueError(
            f"method='studentized' is for a single AUC, not for {measure!r} on these scores; "
            "use method='bca'"
        )
    if units.groups is not None or sample.weights is not None or units.scheme != "multinomial":
        raise ValueError(
            "method='studentized' knows rows of weight one alone: no groups, no sample_weight and "
            "scheme='multinomial'; use method='bca'"
        )
    return with_error
