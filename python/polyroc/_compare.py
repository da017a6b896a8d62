"""Models compared: differences, intervals, tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._arrays import choose
from polyroc._closed_form import closed_interval
from polyroc._compare_inputs import Model, one_number, read_models
from polyroc._comparison import Comparison, PairTest
from polyroc._delong import scale_of
from polyroc._influence import Influences, known
from polyroc._interval import Replicated, check_confidence, interval
from polyroc._measures import scores_for
from polyroc._permutation import permutation_p_value, permuted_differences
from polyroc._progress import check_progress, watching
from polyroc._resampling import memory_budget, n_units, replicate_range, seed_number
from polyroc._tests_of_equality import adjust as adjust_p
from polyroc._tests_of_equality import normal_tail, wald_test, z_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._measure import Measure
    from polyroc._types import Adjust, CompareBy, Floats, Labels, Scores, Seed

METHODS = ("delong", "bootstrap", "permutation")
ADJUST = ("holm", "bonferroni", None)


class Found(NamedTuple):
    """What a method knows: of the models, and of every two of them."""

    estimates: Floats
    covariance: Floats
    intervals: Floats
    pairs: dict[tuple[int, int], tuple[float, float, float]]  # low, high, p-value
    notes: list[str]


def compare(
    y_true: Labels | Mapping[str, Labels],
    models: Mapping[str, Scores],
    measure: str | Measure[Any] = "auc_mu",
    *,
    method: CompareBy = "delong",
    confidence: float = 0.95,
    adjust: Adjust = "holm",
    margin: float | None = None,
    stratify: bool | None = None,
    groups: Labels | Mapping[str, Labels] | None = None,
    n_resamples: int = 9999,
    seed: Seed = None,
    labels: Labels | None = None,
    sample_weight: Scores | Mapping[str, Scores] | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[int, int], object] = False,
) -> Comparison:
    """Compare two or more models by a measure: differences, intervals, p-values.

    Models scored on the same rows are correlated, and their difference is known far better than
    either of them: overlapping intervals say little. Give all models for one `y_true` (paired), or
    a dict of labels by model for models on different rows (unpaired).

    Parameters
    ----------
    y_true : array_like, or dict of them
        Labels of the rows. A dict by model: each has rows of its own.
    models : dict of array_like
        The scores of each model, by name.
    measure : str or measure object
        One that is a single number: "auc", "hand_till", "auc_mu", "one_vs_rest", "polar_area".
    method : {"delong", "bootstrap", "permutation"}
        "delong": covariances by influence values (see `delong`), z-test. "bootstrap": the same
        resamples for all models, BCa intervals of differences, z-test with the bootstrap's
        standard error. "permutation": p-values by exchanging two models within rows, after each
        ordering's scores were put on the rank scale; exact if the models are exchangeable given
        the rows, else approximate. It has no interval of its own: DeLong's stand in the result.
    confidence : float
        Of intervals, in (0, 1).
    adjust : {"holm", "bonferroni", None}
        How p-values are adjusted for the number of pairs.
    margin : float, optional
        For non-inferiority and equivalence: one-sided p-values that first > second - margin, and
        the larger one of two one-sided tests that they differ by less than margin.
    stratify, groups, labels, sample_weight, n_threads
        As for `delong`; groups and weights as dicts where `y_true` is one.
    n_resamples, seed, progress
        Of the bootstrap, or the permutations; as for `bootstrap`.

    Returns
    -------
    Comparison
        Prints as tables; ``.estimates``, ``.covariance``, ``.pairs``, ``.overall`` (chi-square
        test that all models are equal), and for two models ``.difference``, ``.interval``,
        ``.p_value``.

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Biometrics 44, 1988.
    E. S. Venkatraman and C. B. Begg, A distribution-free procedure for comparing receiver operating
    characteristic curves from a paired experiment, Biometrika 83, 1996.
    A. I. Bandos, H. E. Rockette and D. Gur, A permutation test sensitive to differences in areas
    for comparing ROC curves from a paired design, Stat. Med. 24, 2005.
    S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6, 1979.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> c = pr.compare(y, models, "hand_till")
    >>> print(c)  # doctest: +SKIP
    """
    one = one_number(measure)
    choose("method", method, METHODS)
    choose("adjust", adjust, ADJUST)
    levels, scalar = check_confidence(confidence)
    if not scalar:
        raise TypeError(f"confidence is {confidence!r}; compare takes one level")
    bound = _margin(margin, method)
    check_progress(progress)
    _, count = replicate_range(None, n_resamples)
    number = None if method == "delong" else seed_number(seed)
    listed, paired = read_models(
        y_true, models, one, stratify, groups, labels, sample_weight, n_threads
    )
    if method == "permutation" and not paired:
        raise ValueError(
            "method='permutation' exchanges two models within rows, and these have different "
            "rows; use method='delong' or 'bootstrap'"
        )
    if number is not None and method == "bootstrap":
        found = _by_bootstrap(listed, one, levels, paired, number, count, progress)
    else:
        found = _by_delong(listed, one, levels, paired)
    if number is not None and method == "permutation":
        found = _permuted(found, listed, one, number, count, progress)
    return _result(
        found, listed, one, levels, bound, adjust,
        {"method": method, "paired": paired, "seed": number,
         "n_resamples": None if number is None else count},
    )  # fmt: skip


def _margin(margin: Any, method: str) -> float | None:
    if margin is None:
        return None
    if isinstance(margin, bool) or not isinstance(margin, (int, float, np.integer, np.floating)):
        raise TypeError(f"margin is {margin!r}; pass a positive number, as 0.02")
    if not 0 < margin < math.inf:
        raise ValueError(f"margin is {margin}; pass a positive number, as 0.02")
    if method == "permutation":
        raise ValueError(
            "method='permutation' tests that models are equal and knows no margin; "
            "use method='delong' or 'bootstrap'"
        )
    return float(margin)


def _by_delong(models: list[Model], one: Measure[Any], levels: Floats, paired: bool) -> Found:
    estimates, covariance, _ = _influences(models, one, paired)
    intervals, notes = [], []
    for k, model in enumerate(models):
        scale = scale_of(one, model.sample, model.chosen)
        error = math.sqrt(covariance[k, k])
        found = closed_interval(float(estimates[k]), error, scale, levels, "two", "logit")
        intervals.append((found.low[0], found.high[0]))
        if found.note:
            notes.append(f"{model.name}: {found.note}")
    z = -NormalDist().inv_cdf((1.0 - levels[0]) / 2.0)
    bottom, top = one._bounds(models[0].sample)
    pairs = {}
    for i, j in combinations(range(len(models)), 2):
        difference = float(estimates[i] - estimates[j])
        error = _error(covariance, i, j)
        low = max(difference - z * error, bottom - top)
        high = min(difference + z * error, top - bottom)
        pairs[i, j] = low, high, z_test(difference, error, top - bottom)[1]
    return Found(estimates, covariance, np.array(intervals), pairs, notes)


def _influences(
    models: list[Model], one: Measure[Any], paired: bool
) -> tuple[Floats, Floats, Influences | None]:
    """Return estimates and their covariance; and the influence values of paired models."""
    estimates, rows, variances = [], [], []
    bounds: tuple[int, ...] = ()
    for model in models:
        found = known(model.sample, model.chosen, {"one": one})["one"]
        estimates.append(float(found.estimate))
        bounds = found.influences.bounds
        if paired:
            rows.append(found.influences.values[0])
        else:
            variances.append(found.influences.variances()[0])
    if not paired:
        return np.array(estimates), np.diag(variances), None
    together = Influences(np.array(rows), bounds)
    return np.array(estimates), together.covariance(), together


def _by_bootstrap(
    models: list[Model], one: Measure[Any], levels: Floats, paired: bool, seed: int, count: int,
    progress: Any,
) -> Found:  # fmt: skip
    with watching(progress, count if paired else count * len(models)) as watcher:
        if paired:
            replicates = _replicates(models, one, seed, count, watcher)
        else:
            # Models on different rows must not share draws: each has a seed of its own.
            seeds = np.random.SeedSequence(seed).generate_state(len(models), np.uint64)
            replicates = np.vstack(
                [
                    _replicates([model], one, int(seeds[k]), count, _after(watcher, k * count))
                    for k, model in enumerate(models)
                ]
            )
    valid = ~np.isnan(replicates).any(axis=0)
    notes = []
    if not valid.all():
        notes.append(f"{np.count_nonzero(~valid):,} of {count:,} resamples lost a class")
        replicates = replicates[:, valid]
    if replicates.shape[1] < 2:
        raise ValueError("fewer than two resamples kept all classes; stratify=True keeps them")
    try:
        estimates, _, together = _influences(models, one, paired)
    except ValueError:
        if not _has_no_closed_form(one):
            raise
        estimates, together = np.array([float(one._of(m.sample)) for m in models]), None
    intervals = []
    for k, model in enumerate(models):
        scale = scale_of(one, model.sample, model.chosen)
        data = _replicated(
            estimates[k], replicates[k], scale.bounds, together, np.eye(len(models))[k],
            sizes=scale.sizes, power=scale.degree,
        )  # fmt: skip
        intervals.append(_limits(data, levels, notes, model.name))
    covariance = np.atleast_2d(np.cov(replicates))
    if not paired:
        covariance = np.diag(np.diag(covariance))
    bottom, top = one._bounds(models[0].sample)
    pairs = {}
    for i, j in combinations(range(len(models)), 2):
        difference = float(estimates[i] - estimates[j])
        contrast = np.eye(len(models))[i] - np.eye(len(models))[j]
        apart = replicates[i] - replicates[j]
        data = _replicated(difference, apart, (bottom - top, top - bottom), together, contrast)
        low, high = _limits(data, levels, notes, f"{models[i].name} - {models[j].name}")
        error = float(np.std(apart, ddof=1))
        pairs[i, j] = low, high, z_test(difference, error, top - bottom)[1]
    return Found(estimates, covariance, np.array(intervals), pairs, notes)


def _has_no_closed_form(one: Measure[Any]) -> bool:
    return getattr(one, "max_fpr", None) not in (None, 1)


def _after(watcher: Callable[[int], object] | None, done: int) -> Callable[[int], object] | None:
    return None if watcher is None else lambda more: watcher(done + more)


def _replicates(
    models: list[Model], one: Measure[Any], seed: int, count: int,
    watcher: Callable[[int], object] | None,
) -> Floats:  # fmt: skip
    """Return the measure of models with the same rows on the same resamples, a row a model."""
    sample, chosen = models[0].sample, models[0].chosen
    scores = [scores_for(model.sample, {one.name: one}) for model in models]
    # Never cells of equal rows: which rows are equal differs from model to model.
    values, _, _, _ = _core.bootstrap(
        np.concatenate(scores), len(models), sample.codes, sample.n_classes, sample.weights,
        chosen.groups, chosen.n_groups, [one._statistic(model.sample) for model in models],
        _core.Scheme.Multinomial, chosen.stratified, seed, 0, count, False, False, False,
        len(models) * memory_budget(None, sample), sample.n_threads, watcher,
    )  # fmt: skip
    return np.array([drawn[:, 0] for drawn, _ in values])


def _replicated(
    estimate: float, replicates: Floats, bounds: tuple[float, float], together: Influences | None,
    contrast: Floats, **options: Any,
) -> Replicated:  # fmt: skip
    if together is not None:
        moved = together.combined(contrast[np.newaxis])
        acceleration, inflation, freedom = (float(x[0]) for x in moved.shape())
        if math.isfinite(acceleration):
            options |= {"acceleration": acceleration, "inflation": inflation, "freedom": freedom}
    return Replicated(float(estimate), replicates, bounds, **options)


def _limits(data: Replicated, levels: Floats, notes: list[str], name: str) -> tuple[float, float]:
    method = "percentile" if data.acceleration is None else "bca"
    found = interval(data, method, levels)
    if found.note:
        notes.append(f"{name}: {found.note}")
    return float(found.low[0]), float(found.high[0])


def _permuted(
    found: Found, models: list[Model], one: Measure[Any], seed: int, count: int, progress: Any
) -> Found:
    pairs = {}
    with watching(progress, 2 * count * len(found.pairs)) as watcher:
        for k, ((i, j), (low, high, _)) in enumerate(found.pairs.items()):
            report = _after(watcher, 2 * k * count)
            permuted = permuted_differences(models[i], models[j], one, seed, count, report)
            difference = float(found.estimates[i] - found.estimates[j])
            pairs[i, j] = low, high, permutation_p_value(difference, permuted)
    return found._replace(pairs=pairs)


def _error(covariance: Floats, i: int, j: int) -> float:
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    return math.sqrt(max(float(variance), 0.0))


def _result(
    found: Found, models: list[Model], one: Measure[Any], levels: Floats, margin: float | None,
    adjust: str | None, options: dict[str, Any],
) -> Comparison:  # fmt: skip
    bottom, top = one._bounds(models[0].sample)
    adjusted = adjust_p(np.array([p for _, _, p in found.pairs.values()]), adjust)
    notes = list(found.notes)
    tests = []
    for ((i, j), (low, high, p)), q in zip(found.pairs.items(), adjusted.tolist(), strict=True):
        difference = float(found.estimates[i] - found.estimates[j])
        error = _error(found.covariance, i, j)
        z, _ = z_test(difference, error, top - bottom)
        non_inferior = equivalent = math.nan
        if margin is not None:
            non_inferior = _one_sided(difference + margin, error)
            equivalent = max(non_inferior, _one_sided(margin - difference, error))
        first, second = models[i].name, models[j].name
        if not math.isfinite(z) or (error == 0.0 and difference == 0.0):
            notes.append(f"{first} - {second}: the difference does not vary")
        tests.append(
            PairTest(first, second, difference, error, low, high, z, p, q, non_inferior, equivalent)
        )
    overall = wald_test(found.estimates, found.covariance)
    if overall.note and len(models) > 2:
        notes.append(f"all equal: {overall.note}")
    head = models[0]
    counted = models[:1] if options["paired"] else models
    return Comparison(
        measure=one,
        models=tuple(model.name for model in models),
        estimates=found.estimates,
        standard_errors=np.sqrt(np.diag(found.covariance)),
        intervals=found.intervals,
        covariance=found.covariance,
        pairs=tuple(tests),
        overall=overall,
        adjust=adjust,
        confidence=float(levels[0]),
        margin=margin,
        notes=tuple(dict.fromkeys(notes)),
        stratified=head.chosen.stratified,
        unit="row" if head.chosen.groups is None else "group",
        n_units=sum(n_units(m.sample, m.chosen) for m in counted),
        **options,
    )


def _one_sided(above: float, error: float) -> float:
    """Return the p-value that something is not above zero."""
    if error == 0.0:
        return 0.0 if above > 0.0 else 1.0
    return normal_tail(above / error)
