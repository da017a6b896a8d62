"""Closed-form standard errors and intervals for every measure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.sample import Sample
from polyroc._data.units import Plan, contest_sizes, n_units, plan
from polyroc._inference.covariance import Covariance
from polyroc._inference.estimate import Estimate
from polyroc._inference.few_units import few_for_errors
from polyroc._inference.influence import measured
from polyroc._inference.pair_spreads import PairSpreads, need_leverage, pair_spreads
from polyroc._inference.results import Results
from polyroc._inference.scale import scale_of
from polyroc._inference.spread import Cells, Parts, cells_of, parts_of, pull_of, uneven
from polyroc._measures.registry import counts_enter, measures_of, read_sample, rows_for
from polyroc._stats.confidence import SIDES, check_confidence
from polyroc._stats.newcombe import FromAuc
from polyroc._stats.normal_interval import REFERENCES, TRANSFORMS
from polyroc._stats.rounding import ROUNDING
from polyroc._stats.sided_limits import Spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polyroc._base.types import Labels, Reference, Scores, Sides, Transform
    from polyroc._measures.measure import Measure
    from polyroc._stats.normal_interval import Scale


@overload
def delong(
    y_true: Labels,
    y_score: Scores,
    measure: str | Measure[Any] = "auc_mu",
    *,
    confidence: float | Sequence[float] = 0.95,
    transform: Transform = "logit",
    reference: Reference = "t",
    sides: Sides = "two",
    stratify: bool | None = None,
    groups: Labels | None = None,
    pairs: bool = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    frequency_weight: Scores | None = None,
    n_threads: int | None = None,
) -> Estimate: ...
@overload
def delong(
    y_true: Labels,
    y_score: Scores,
    measure: list[Any] | tuple[Any, ...] | Mapping[str, str | Measure[Any]],
    *,
    confidence: float | Sequence[float] = 0.95,
    transform: Transform = "logit",
    reference: Reference = "t",
    sides: Sides = "two",
    stratify: bool | None = None,
    groups: Labels | None = None,
    pairs: bool = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    frequency_weight: Scores | None = None,
    n_threads: int | None = None,
) -> Results[Estimate]: ...
@public
@hinting
def delong(
    y_true: Labels,
    y_score: Scores,
    measure: Any = "auc_mu",
    *,
    confidence: float | Sequence[float] = 0.95,
    transform: Transform = "logit",
    reference: Reference = "t",
    sides: Sides = "two",
    stratify: bool | None = None,
    groups: Labels | None = None,
    pairs: bool = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    frequency_weight: Scores | None = None,
    n_threads: int | None = None,
) -> Estimate | Results[Estimate]:
    """Estimate a measure with its closed-form standard error and interval.

    DeLong, DeLong & Clarke-Pearson's (1988) variance of an AUC rests on placement values: how much
    of the other class each row is above. M, AUC-mu and one-vs-rest are weighted averages of AUCs,
    so that a row moves them by a weighted sum of its placements; the polar area follows by the
    delta method. Partial areas and average precision have the derivative by the weight of each row,
    tie group by tie group. With l_a the centred sum of row a of class i over n_i rows::

        variance = sum over classes i of  n_i / (n_i - 1)  sum over rows a of class i of  l_a^2

    With sample weights or groups each row or group counts by the jackknife's leverage instead,
    which is the same where all weigh alike.

    Nothing is drawn at random. Cost: O(K n) time beside the point estimate, mostly one to three
    times that of the measure itself, and O(K n) memory at most; for one column of n scores
    without weights or groups, some 25 n bytes beside the input, of which 8 n are the rows' values
    (45 n where the second class has at most 8,192 rows). One value per class has K x K
    covariances, which take O(K^2 n): they are made when they are first asked for, of the influence
    values, which the result holds until then.

    Parameters
    ----------
    y_true, y_score, labels, pos_label, sample_weight
        As for the measure. With sample weights, l is that of a ratio of weighted sums.
    measure : str, measure object, or a list or dict of them
        Names, as "hand_till" or "auc_mu", or objects with options, as
        ``pr.PartialAuc(fpr=(0, 0.1))``, of measures that have influence values. A list gives
        results by name; a dict keeps its keys.
    confidence : float or sequence of float
        Confidence levels in (0, 1).
    transform : {"logit", None}
        Whether the interval is made on the logit scale, which keeps it inside the measure's range
        and covers better near 1, or as estimate +- z or t standard errors, cut off at the range.
    reference : {"t", "normal"}
        What errors are referred to. "t" takes degrees of freedom from the influence values, and
        makes the limit on the side of chance as if there were half a row more that knows nothing:
        it covers where classes are small, scores skewed, or the estimate near 1
        (benches/studies/COVERAGE.md). "normal" is the published form, which other packages print.
    sides : {"two", "lower", "upper"}
        An interval, or a lower or an upper confidence bound.
    stratify : bool, optional
        Whether class counts are taken as fixed. False lets them vary with the sample, which adds
        the derivative of weights that depend on class counts (prevalence weights, and the mixture
        of classes in one-vs-rest's rest). By default as for `bootstrap`: they vary with `groups`
        and where they enter a measure, which the result then says, and are fixed otherwise.
    groups : array_like of shape (n,), optional
        Rows of one group (a patient, a document) depend on each other: l is summed within groups,
        and groups take the place of rows. With ``stratify=True`` each group needs one class.
    pairs : bool
        Whether the result has ``.pairs``: the same for the K x K values of all pairs of classes;
        of partial areas, of ordered pairs, [i, j] being that of class i against class j.
    frequency_weight : array_like of shape (n,), optional
        How often each row was seen: a row of frequency 3 is three rows, for errors, resampling and
        degrees of freedom too, while one of `sample_weight` 3 is one row that counts three times.
    n_threads : int, optional
        Threads to use; all cores by default. Results do not depend on it.

    Returns
    -------
    Estimate, or Results of several measures
        With ``.estimate``, ``.standard_error``, ``.interval`` and ``.covariance``. Where the error
        is zero, as after perfect separation, the interval of ``reference="normal"`` is Newcombe's
        and named so.

    Raises
    ------
    ValueError
        If a class has a single unit, whose spread cannot be estimated, or the measure has no
        closed form (`kolmogorov_smirnov`, `tpr_at`, `fpr_at`, `recall_at`).

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Comparing the areas under two or more
    correlated receiver operating characteristic curves, Biometrics 44, 1988.
    X. Sun and W. Xu, Fast implementation of DeLong's algorithm for comparing the areas under
    correlated receiver operating characteristic curves, IEEE Signal Process. Lett. 21, 2014.
    N. A. Obuchowski, Nonparametric analysis of clustered ROC curve data, Biometrics 53, 1997.
    R. G. Newcombe, Confidence intervals for an effect size measure based on the Mann-Whitney
    statistic. Part 2, Stat. Med. 25, 2006.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> pr.delong(y, models["naive Bayes"], "hand_till")
    hand_till 0.9756, standard error 0.0024
      95 % DeLong (t) interval: 0.9699 to 0.9800
      1,797 rows, class counts fixed
    >>> both = pr.delong(y, models["naive Bayes"], ["auc_mu", "polar_area"], transform=None)
    >>> both["polar_area"].interval.round(3)
    array([2.953, 3.011])
    """
    measures, single = measures_of(measure, closed=True)
    check_confidence(confidence)
    choose("transform", transform, TRANSFORMS)
    choose("sides", sides, SIDES)
    choose("reference", reference, REFERENCES)
    if not isinstance(pairs, (bool, np.bool_)):
        raise TypeError(f"pairs is {pairs!r}; pass True or False")
    sample = read_sample(
        measures.values(), y_true, y_score, labels, sample_weight, n_threads, pos_label,
        frequency_weight,
    )  # fmt: skip
    units = plan(sample, "multinomial", stratify, groups, counts_enter(sample, measures.values()))
    cells, cell_of_row = cells_of(sample, units)
    found = measured(sample, units, measures, cell_of_row, cells.summed)
    options: dict[str, Any] = {
        "confidence": confidence,
        "sides": sides,
        "transform": transform,
        "reference": reference,
        "stratified": units.stratified,
        "counted_in": units.counted_in,
        "unit": units.unit,
        "n_units": n_units(sample, units),
        "classes": sample.classes,
        "sizes": units.row_sizes,
        "group_sizes": units.group_sizes,
        "remark": few_for_errors(sample, units, cells, reference),
    }
    results = {}
    effective = units._replace(sizes=cells.effective)
    for name, measure_object in measures.items():
        estimate, influences = found[name]
        parts = parts_of(influences.values, influences.bounds, cells)
        inner = _pairs(sample, units, cells, measure_object, parts, options) if pairs else None
        shape = () if isinstance(estimate, float) else np.shape(estimate)
        scale = scale_of(measure_object, sample, effective)
        contests = contest_sizes(effective, shape) if shape else None
        spreads = None
        if reference == "t":
            pulls = [pull_of(measure_object, cells)]
            if contests is not None:
                pulls = [1.0 / max(min(pair), 1.0) for pair in contests.tolist()]
            spreads = parts.spreads(pulls, kurtosis=uneven(sample.weights))
        results[name] = Estimate(
            measure_object, estimate, _errors(parts, estimate, scale),
            _of_all(parts, estimate), scale, contests=contests, spreads=spreads, pairs=inner,
            favoured=measure_object._favoured(sample), **options,
        )  # fmt: skip
    return next(iter(results.values())) if single else Results(results)


def _of_all(parts: Parts, estimate: Any) -> Covariance:
    """Return the covariance of all values of a measure."""
    if isinstance(estimate, float):
        return parts.together if estimate == estimate else Covariance.known(np.full((1, 1), np.nan))
    values = np.ravel(estimate)
    if len(parts.variances) < len(values):
        # One column of scores: every value is the one AUC.
        return Covariance.known(np.full((len(values), len(values)), parts.variances[0]))
    undefined = np.isnan(values)
    return parts.together.without(undefined) if undefined.any() else parts.together


def _errors(parts: Parts, estimate: Any, scale: Scale) -> Any:
    """Return the errors of the values, 0 where they are rounding; nan of what is not defined."""
    least = ROUNDING * (scale.bounds[1] - scale.bounds[0])
    if isinstance(estimate, float):
        error = math.sqrt(parts.variances[0]) if estimate == estimate else math.nan
        return 0.0 if error <= least else error
    errors = np.sqrt(np.broadcast_to(parts.variances, np.shape(estimate)))
    errors[errors <= least] = 0.0
    errors[np.isnan(estimate)] = np.nan
    return errors


def _pairs(
    sample: Sample, units: Plan, cells: Cells, measure: Measure[Any], parts: Parts,
    options: dict[str, Any],
) -> Estimate:  # fmt: skip
    known: PairSpreads | None = None
    if measure.ordered_pairs:
        known = pair_spreads(sample, units, measure)
        values, variances = known.values, known.variances
    else:
        rows, core = rows_for(sample, [measure], units), measure._pairs_in_core(sample)
        values = measure._shaped_pairs(_core.values(rows=rows, measure=core), sample)
        if measure._is_auc(sample):
            variances = np.where(np.isnan(values), np.nan, parts.variances[0])
        elif need_leverage(sample, units):
            known = pair_spreads(sample, units, measure)
            variances = known.variances
        else:
            # Class counts do not enter the AUC of a pair, whether they vary or not.
            variances = _core.pair_variances(rows=rows, measure=core, stratified=True)
    effective = units._replace(sizes=cells.effective)
    scale = scale_of(measure, sample, effective)
    if not measure.ordered_pairs:
        scale = scale._replace(bounds=(0.0, 1.0), from_auc=FromAuc())
    contests = contest_sizes(effective, np.shape(values))
    spreads = None
    if options["reference"] == "t":
        # The core does not say whose a variance is: as if all were of the smaller class.
        least = np.maximum(contests.min(axis=-1), 1.0).ravel()
        doubts = inner = np.ravel(variances) ** 2 / np.maximum(least - 1.0, 2.0**-10)
        pulls = 1.0 / least
        if known is not None:
            doubts, inner = np.ravel(known.doubts), np.ravel(known.inner_doubts)
            pulls = np.ravel(known.pulls)
        listed = (np.ravel(variances), doubts, inner, pulls)
        spreads = tuple(Spread(*one) for one in zip(*(x.tolist() for x in listed), strict=True))
    return Estimate(
        measure, values, np.sqrt(variances), None, scale, contests=contests, spreads=spreads,
        favoured=measure._favoured(sample), **options,
    )  # fmt: skip
