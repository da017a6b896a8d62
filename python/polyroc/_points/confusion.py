"""The confusion matrix of decisions, and its rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._base.seeds import seed_number
from polyroc._data.sample import prepare
from polyroc._data.units import n_units, plan
from polyroc._inference.run import replicate_range
from polyroc._points.confusion_result import Confusion
from polyroc._points.decide import cost_matrix, decide
from polyroc._points.rate_intervals import by_bootstrap, by_effective_wilson, by_wilson, values_of
from polyroc._points.rates import RATES, Margins
from polyroc._points.tally import check_weights, entries_of, resampled, tally
from polyroc._stats.confidence import check_confidence

if TYPE_CHECKING:
    from polyroc._base.types import Labels, RateIntervals, Scores, Seed

METHODS = ("wilson", "bootstrap", None)


@public
@hinting
def confusion(
    y_true: Labels,
    y_score: Scores,
    *,
    threshold: float | None = None,
    costs: Scores | None = None,
    confidence: float = 0.95,
    method: RateIntervals = None,
    groups: Labels | None = None,
    n_resamples: int = 2000,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    frequency_weight: Scores | None = None,
    n_threads: int | None = None,
) -> Confusion:
    r"""Confusion matrix of the classes said of rows, with its rates and their intervals.

    What is said follows from the scores in one of three ways. At a `threshold`: ``labels[1]`` where
    the score is at least that. At least expected cost, with `costs` and no threshold: the class i
    of the least sum over k of ``costs[i, k]`` times the probability of k. Otherwise by the greatest
    score of a row, and of a single column at 1/2. Of equals the first is said; expected costs are
    equal where rounding can explain their difference.
    Cost: O(n K) time, with costs O(n K^2).

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, K)
        Scores of ``labels[1]``, or a column for each class. For expected costs probabilities: a
        single column in [0, 1], or columns that are not negative.
    threshold : float, optional
        From which score on a row is said to be of ``labels[1]``; of two columns the second is
        compared. Any number will do, infinity too. By default 0.5 for a single column in [0, 1].
    costs : array_like of shape (K, K), optional
        ``costs[said, true]``, finite and >= 0, as `partition` of :func:`auc_mu` (the diagonal need
        not be 0). For two classes also a pair, (false positive, false negative). With a threshold
        they price what is said and do not decide it.
    confidence : float
        Confidence level of the intervals, in (0, 1).
    method : {"wilson", "bootstrap"}, optional
        How intervals are made: Wilson's, the default, or by resampling units (BCa), which averages
        over classes need. With `groups` or `sample_weight` Wilson's take each rate to come from as
        many independent rows of equal weight as would give it the variance that it has.
    groups : array_like of shape (n,), optional
        Rows of one group (a patient, a document) are drawn together.
    n_resamples : int
        How many resamples, where intervals come from these. Class counts vary.
    seed : int, numpy Generator or SeedSequence, optional
        Resamples are a function of it; the result records it.
    labels : array_like of shape (K,), optional
        The classes, in column order; one alone needs rows. By default the sorted values of
        `y_true`, or the column names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0; counts are sums of them.
    frequency_weight : array_like of shape (n,), optional
        How often each row was seen: a row of frequency 3 is three rows.
    n_threads : int, optional
        Threads to use; all cores by default.

    Returns
    -------
    Confusion
        With ``.counts[true, said]``, ``.accuracy``, and an array with one value per class each of
        ``.sensitivity``, ``.specificity``, ``.ppv``, ``.npv`` and ``.f1`` (that class against the
        rest); ``.interval`` has their limits by name, ``.cost`` the cost of all rows.

    References
    ----------
    B97: A. P. Bradley, The use of the area under the ROC curve in the evaluation of machine
    learning algorithms, Pattern Recognition 30, 1997 (Eq. 1-6).
    E. B. Wilson, Probable inference, the law of succession, and statistical inference, J. Am. Stat.
    Assoc. 22, 1927.
    E. L. Korn and B. I. Graubard, Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data, Survey Methodology 24, 1998 (weights and groups).

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> c = pr.confusion(y == 8, models["naive Bayes"][:, 8], threshold=0.5, costs=(1, 5))
    >>> c
    confusion of 1,797 rows, said True where score >= 0.5
    <BLANKLINE>
      true \ said  False  True
      False        1,507   116
      True            24   150
    <BLANKLINE>
      rate          value  95 % Wilson interval
      accuracy     0.9221  0.9088 to 0.9336
      sensitivity  0.8621  0.8030 to 0.9055
      specificity  0.9285  0.9150 to 0.9401
      PPV          0.5639  0.5038 to 0.6222
      NPV          0.9843  0.9768 to 0.9894
      F1           0.6818  0.6300 to 0.7295
      rates are those of class True
      total cost 236, 0.1313 per row
    >>> int(c.counts[1, 0]), c.sensitivity.round(3), c.interval["f1"][1].round(3)
    (24, array([0.929, 0.862]), array([0.63 , 0.729]))
    """
    level = one_level(confidence)
    choose("method", method, METHODS)
    sample = prepare(
        y_true, y_score, labels, sample_weight, n_threads, pos_label, frequency_weight, fewest=1
    )
    check_weights(sample.weights)
    prices = cost_matrix(costs, sample.n_classes)
    said, at, how = decide(sample, threshold, prices)
    counts = tally(sample, said)
    margins = Margins.of(counts)
    units = plan(sample, "multinomial", False, groups)
    weighted = sample.weights is not None
    by_drawing = method == "bootstrap"
    count = n_units(sample, units)
    drawing: dict[str, Any] = {"method": "wilson", "seed": None, "n_resamples": 0}
    if count == 1 and (by_drawing or groups is not None):
        raise ValueError(
            "groups puts all rows into one group, and a single unit has no spread; name the "
            "group of each row, or leave groups out if rows are independent"
        )
    if by_drawing:
        _, total = replicate_range(None, n_resamples)
        number = seed_number(seed)
        entries = entries_of(sample, said, units.groups)
        drawn = resampled(entries, sample.n_classes, total, number, sample.n_threads)
        limits = by_bootstrap(margins, drawn, entries, units.unit, level)
        drawing = {"method": "bootstrap", "seed": number, "n_resamples": total}
    elif weighted or groups is not None:
        limits = by_effective_wilson(sample, said, units.groups, level)
    else:
        limits = by_wilson(margins, level)
    rates: dict[str, Any] = values_of(margins)
    return Confusion(
        counts=counts,
        classes=sample.classes,
        threshold=at,
        costs=prices,
        cost=None if prices is None else float(np.sum(counts * prices.T)),
        accuracy=float(rates.pop("accuracy")),
        **rates,
        macro={name: float(rates[name].mean()) for name in RATES},
        interval=limits.each,
        macro_interval=limits.macro,
        confidence=level,
        n_rows=int(units.row_sizes.sum()),
        unit=units.unit,
        n_units=count,
        how=how,
        notes=limits.notes,
        **drawing,
    )


def one_level(confidence: Any) -> float:
    """Return the only confidence level."""
    levels, scalar = check_confidence(confidence)
    if not scalar:
        raise TypeError("confidence holds several levels; pass one number, as 0.95")
    return float(levels[0])
