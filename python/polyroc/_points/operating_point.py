"""The point of the ROC curve at which a classifier is best used."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from polyroc import _core
from polyroc._base.display import counted
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._base.seeds import seed_number
from polyroc._data.sample import Sample, prepare
from polyroc._data.units import SCHEMES, Plan, n_units, plan
from polyroc._inference.run import few_replicates, memory_budget, replicate_range
from polyroc._points.confusion import one_level
from polyroc._points.decide import values_of
from polyroc._points.operating_point_result import OperatingPoint
from polyroc._points.rules import rule_of
from polyroc._points.tally import check_weights
from polyroc._stats.replicate_interval import Replicated, interval
from polyroc._stats.wilson_interval import wilson

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats, Labels, Scores, Seed


@public
@hinting
def operating_point(
    y_true: Labels,
    y_score: Scores,
    *,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    rule: Literal["youden"] | None = None,
    costs: tuple[float, float] | None = None,
    prevalence: float | None = None,
    confidence: float = 0.95,
    groups: Labels | None = None,
    stratify: bool | None = None,
    n_resamples: int = 2000,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    frequency_weight: Scores | None = None,
    n_threads: int | None = None,
) -> OperatingPoint:
    """Operating point: the threshold that a rule finds best, with its FPR and TPR.

    Give exactly one rule. The point is one that some threshold attains, none between two of them;
    bounds are inclusive. Its intervals come from choosing anew in every replicate of a bootstrap:
    they hold for the whole procedure, and not for a threshold that was known beforehand. A point
    that is judged by the rows it was chosen on looks better than it is: judge it by
    ``confusion(y, s, threshold=...)`` on others. Cost: O(n log n), and O(n) for each replicate.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Scores of ``labels[1]``, higher for more likely; of two columns the second is used. Any
        numbers that order rows will do.
    max_fpr : float, optional
        The greatest TPR whose FPR is at most this, in [0, 1] (Neyman and Pearson; B97 s.9.2); among
        equals that of the lower FPR.
    min_tpr : float, optional
        The least FPR whose TPR is at least this, in [0, 1]; among equals that of the higher TPR.
    rule : {"youden"}, optional
        The greatest TPR - FPR; among equals that of the lower FPR.
    costs : tuple of float, optional
        (false positive, false negative): the least FP c_fp + FN c_fn (B97 Eq. 6); among equals that
        of the lower FPR.
    prevalence : float, optional
        With `costs`: the share of ``labels[1]`` where the classifier is used, in (0, 1). By default
        that of the rows.
    confidence : float
        Confidence level of the intervals, in (0, 1).
    groups : array_like of shape (n,), optional
        Rows of one group (a patient, a document) are drawn together.
    stratify : bool, optional
        Whether each class is resampled by itself. By default it is, unless there are `groups`, or
        costs at the prevalence of the rows.
    n_resamples : int
        How many replicates.
    seed : int, numpy Generator or SeedSequence, optional
        Replicates are a function of it; the result records it.
    labels : array_like of shape (2,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    frequency_weight : array_like of shape (n,), optional
        How often each row was seen: a row of frequency 3 is three rows.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    OperatingPoint
        With ``.fpr``, ``.tpr`` and ``.threshold``: ``score >= threshold`` gives the point, and
        infinity says that none is positive (no row that scores infinity either).
        ``.interval`` has their limits by name.

    References
    ----------
    B97: A. P. Bradley, The use of the area under the ROC curve in the evaluation of machine
    learning algorithms, Pattern Recognition 30, 1997.
    W. J. Youden, Index for rating diagnostic tests, Cancer 3, 1950.
    B. Efron, Estimating the error rate of a prediction rule, J. Am. Stat. Assoc. 78, 1983 (the
    optimism).

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> s = models["naive Bayes"][:, 8]
    >>> point = pr.operating_point(y == 8, s, max_fpr=0.05, seed=1)
    >>> point
    operating point: the greatest TPR with FPR <= 0.05
                    value  95 % percentile interval
      FPR          0.0493  0.0444 to 0.0499
      TPR          0.7931  0.6897 to 0.8678
      threshold  0.994857  0.898736 to 0.999915
      said True where score >= 0.9948568940162659
      2,000 replicates of 1,797 rows, stratified by class, seed 1; the point is chosen anew in each
      judged by the rows it was chosen on, a point looks better than it is: check it on other rows
      corrected for that by the replicates: FPR 0.0497, TPR 0.7910
    """
    chosen = rule_of(max_fpr, min_tpr, rule, costs, prevalence)
    level = one_level(confidence)
    _, total = replicate_range(None, n_resamples)
    number = seed_number(seed)
    sample = prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label, frequency_weight)
    check_weights(sample.weights)
    sample.require_two_classes("operating_point")
    counted_in = "the cost" if chosen.counts_enter else ""
    units = plan(sample, "multinomial", stratify, groups, counted_in)
    if n_units(sample, units) == 1:
        raise ValueError(
            "groups puts all rows into one group, and a single unit has no spread; name the group "
            "of each row, or leave groups out if rows are independent"
        )
    run = _core.bootstrap(
        models=[sample.rows(units=units)],
        measures=[chosen.in_core()],
        scheme=SCHEMES[units.scheme],
        stratified=units.stratified,
        seed=number,
        first=0,
        last=total,
        redraw=False,
        estimates=True,
        influence=False,
        cells=True,
        watcher=None,
        **memory_budget(None, sample, y_score)._asdict(),
    )
    thresholds = _thresholds(sample)
    fpr, tpr, place = run.estimates[0].tolist()
    kept = run.values[0][~run.lost]
    places = kept[:, 2].astype(np.intp)
    notes = [*_lost(run.lost), *few_replicates(len(kept), level)]
    limits = {
        "fpr": _limits(fpr, kept[:, 0], int(units.sizes[0]), level, units, notes),
        "tpr": _limits(tpr, kept[:, 1], int(units.sizes[1]), level, units, notes),
        "threshold": _threshold_limits(thresholds[places], level),
    }
    masses = np.bincount(sample.codes, sample.weights, minlength=2).astype(np.float64)
    optimism = kept[:, :2].mean(axis=0) - _rates(sample, thresholds)[places].mean(axis=0)
    corrected = np.clip(np.array([fpr, tpr]) - optimism, 0.0, 1.0).tolist()
    replicates = run.values[0].copy()
    replicates[~run.lost, 2] = thresholds[places]
    return OperatingPoint(
        fpr=fpr,
        tpr=tpr,
        threshold=_exact(thresholds[int(place)]),
        interval=limits,
        corrected=dict(zip(("fpr", "tpr"), corrected, strict=True)),
        rule=chosen.name,
        how=chosen.text,
        expected_cost=chosen.expected_cost(fpr, tpr, masses),
        replicates=replicates,
        confidence=level,
        classes=sample.classes,
        sizes=tuple(units.row_sizes.tolist()),
        unit=units.unit,
        n_units=n_units(sample, units),
        stratified=units.stratified,
        n_resamples=total,
        seed=number,
        notes=tuple(dict.fromkeys(notes)),
    )


def _thresholds(sample: Sample) -> Array:
    """Return infinity and the scores of the favoured class, the highest first."""
    own = sample.codes == 1
    if sample.weights is not None:
        own &= sample.weights > 0
    scores = np.unique(_column(sample)[own])[::-1]
    if scores.dtype.kind == "f":
        scores = scores.astype(np.float64) + 0.0
        return np.concatenate([[np.inf], scores])
    return np.array([np.inf, *scores.tolist()], dtype=object)  # whole numbers beyond float64


def _column(sample: Sample) -> Array:
    values = values_of(sample)
    return values if values.ndim == 1 else values[:, 1]


def _rates(sample: Sample, thresholds: Array) -> Floats:
    """Return FPR and TPR of the rows at each of the thresholds, the highest of which is first."""
    rising = thresholds[:0:-1].astype(_column(sample).dtype)  # infinity has both rates 0
    # A row is said positive at those that are not above its score.
    reached = np.searchsorted(rising, _column(sample), side="right")
    rates = np.zeros((len(thresholds), 2))
    for code in (0, 1):
        of = sample.codes == code
        weights = None if sample.weights is None else sample.weights[of]
        met = np.bincount(reached[of], weights, minlength=len(thresholds))[:0:-1].cumsum()
        total = float(np.count_nonzero(of)) if weights is None else float(weights.sum())
        rates[1:, code] = np.minimum(met / total, 1.0)
    return rates


def _exact(threshold: Any) -> Any:
    return threshold if isinstance(threshold, int) else float(threshold)


def _lost(lost: Array) -> list[str]:
    count = int(np.count_nonzero(lost))
    if count == len(lost):
        raise ValueError("every replicate lost a class; stratify=True keeps both")
    share = f"{count:,} of {counted(len(lost), 'replicate')}"
    return [f"{share} lost a class and were left out"] if count else []


def _limits(
    rate: float, replicates: Floats, size: int, level: float, units: Plan, notes: list[str]
) -> Floats:
    """Return percentile limits of a rate; Wilson's where every replicate has the same one."""
    if np.ptp(replicates) == 0.0:
        notes.append(
            "where all replicates have one rate, the interval is Wilson's for "
            f"the {units.unit}s of the class"
        )
        return wilson(rate * size, size, level)
    found = interval(Replicated(rate, replicates), "percentile", np.array([level]))
    return np.array([found.low[0], found.high[0]])


def _threshold_limits(thresholds: Array, level: float) -> Floats:
    """Return percentile limits that are thresholds of replicates, infinity among them."""
    ordered, count = np.sort(thresholds), len(thresholds)
    places = (math.floor((1 - level) / 2 * (count - 1)), math.ceil((1 + level) / 2 * (count - 1)))
    return np.array([float(ordered[place]) for place in places])
