"""Models compared: differences, intervals, tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import choose, is_number
from polyroc._base.keywords import hinting
from polyroc._base.progress import check_progress
from polyroc._base.public import public
from polyroc._base.seeds import seed_number
from polyroc._compare.by_delong import by_delong
from polyroc._compare.evidence import Evidence, without_errors
from polyroc._compare.few_units import few_units
from polyroc._compare.models import Model, one_number, read_models, require_models
from polyroc._compare.one_sided import check_alternative, one_sided
from polyroc._compare.overall import overall_test
from polyroc._compare.pair_test import PairTest
from polyroc._compare.result import Comparison
from polyroc._compare.studentized import require_studentized
from polyroc._data.units import n_units
from polyroc._inference.run import replicate_range
from polyroc._stats.confidence import check_confidence
from polyroc._stats.wald import adjust as adjust_p

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import (
        Adjust,
        Alternative,
        Array,
        CompareBy,
        DifferenceBy,
        Labels,
        Reference,
        Scores,
        Seed,
        Statistic,
    )
    from polyroc._measures.measure import Measure

METHODS = ("delong", "bootstrap", "permutation")
REFERENCES = ("normal", "t", None)
STATISTICS = ("difference", "studentized")
INTERVALS = ("test", "bca", "percentile")
ADJUST = ("holm", "bonferroni", None)


@public
@hinting
def compare(
    y_true: Labels | Mapping[str, Labels],
    models: Mapping[str, Scores],
    measure: str | Measure[Any] = "auc_mu",
    *,
    method: CompareBy | None = None,
    alternative: Alternative = "two-sided",
    reference: Reference | None = None,
    interval: DifferenceBy = "test",
    statistic: Statistic = "difference",
    confidence: float = 0.95,
    adjust: Adjust = "holm",
    margin: float | None = None,
    stratify: bool | None = None,
    groups: Labels | Mapping[str, Labels] | None = None,
    n_resamples: int = 9999,
    seed: Seed = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | Mapping[str, Scores] | None = None,
    frequency_weight: Scores | Mapping[str, Scores] | None = None,
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
        One that is a single number: its name, as "hand_till" or "auc_mu", or an object with
        options, as ``pr.PartialAuc(fpr=(0, 0.1))``. Measures without influence values, as
        `kolmogorov_smirnov` and `tpr_at`, are compared by the bootstrap or by permutations.
    method : {"delong", "bootstrap", "permutation"}, optional
        By default "delong", and "bootstrap" for measures without influence values.
        "delong": covariances by influence values (see `delong`). "bootstrap": the same
        resamples for all models, intervals of the models as `bootstrap` has them, and differences
        by the errors and correlations of the replicates, widened for small samples. "permutation":
        p-values by exchanging two models within rows, after each ordering's scores were put on the
        rank scale.
        That tests whether the models are exchangeable given the rows, and is exact for that;
        models with equal measures but unequal spread are not, and are rejected too often with
        few rows. It has no interval of its own: DeLong's stand in the result, and need not agree
        with p, or nan where there is none (a measure without influence values, a class of one
        row).
    alternative : {"two-sided", "greater", "less"}
        What is tested against no difference: that models differ, or that the first one of a pair
        has the greater measure, or the lesser. One-sided tests have one-sided intervals, whose
        other end is what a difference can be at most. The test of all models has no sides.
    reference : {"t", "normal"}, optional
        What differences are referred to. "t", the default of measures with influence values: the
        limits of a difference are put together from those of the two models (Student's t on the
        logit scale, see `delong`) and their correlation, and p-values and margins follow from
        them, so that all agree; all models by F, but no surer than the pairs. The bootstrap does
        the same with its own errors; measures without influence values have their degrees of
        freedom from a jackknife, and limits on the logit scale of their range. "normal": z-tests,
        and a chi-square test that all models are equal, as DeLong published them; with few rows in
        a class, unequal spread or models near 1 they reject equal models too often, and with few
        rows the result says so. With method="permutation" it concerns what DeLong's method adds:
        the intervals, and the test of all models.
    interval : {"test", "bca", "percentile"}
        How intervals of differences are made. "test": as the p-value is, so that zero is outside
        if and only if p is below one minus the confidence. "bca" and "percentile", by bootstrap
        alone, are made of the replicates' quantiles and need not agree with the p-value; with few
        rows in a class, or models that differ in few rows, they miss more often than they should.
    statistic : {"difference", "studentized"}
        What permutations are compared by: the difference, or the difference in its own standard
        errors. The second is right for equal measures of models that are not exchangeable, if
        there are rows enough; with few of them and unequal spread it mostly differs little from
        the first. It takes a standard error in every permutation: measures with influence values
        that do not project, and not too many rows.
    confidence : float
        Of intervals, in (0, 1).
    adjust : {"holm", "bonferroni", None}
        How p-values are adjusted for the number of pairs.
    margin : float, optional
        For non-inferiority and equivalence: one-sided p-values that first > second - margin and
        that first < second + margin, and the larger one of the two, small if the models differ by
        less than margin.
    stratify, groups, labels, pos_label, sample_weight, frequency_weight, n_threads
        As for `delong`; groups and weights as dicts where `y_true` is one. Class counts vary by
        default where they enter the measure, and the result says so.
    n_resamples, seed, progress
        Of the bootstrap, or the permutations; as for `bootstrap`.

    Returns
    -------
    Comparison
        Prints as tables; ``.estimates``, ``.covariance``, ``.pairs``, ``.overall`` (chi-square or
        F test that all models are equal), and for two models ``.difference``, ``.interval``,
        ``.p_value``. Where a difference has no estimated error, as between two perfect models, the
        limits of the two models are put together. Where the smallest class has no more units than
        there are directions in which models differ, F has no answer, and Bonferroni's p-value of
        the pairs takes its place. The result says so in both cases.

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Biometrics 44, 1988.
    E. S. Venkatraman and C. B. Begg, A distribution-free procedure for comparing receiver operating
    characteristic curves from a paired experiment, Biometrika 83, 1996.
    A. I. Bandos, H. E. Rockette and D. Gur, A permutation test sensitive to differences in areas
    for comparing ROC curves from a paired design, Stat. Med. 24, 2005.
    E. Chung and J. P. Romano, Exact and asymptotically robust permutation tests, Ann. Stat. 41,
    2013.
    R. G. Newcombe, Interval estimation for the difference between independent proportions:
    comparison of eleven methods, Stat. Med. 17, 1998.
    K. Krishnamoorthy and J. Yu, Modified Nel and Van der Merwe test for the multivariate
    Behrens-Fisher problem, Stat. Probab. Lett. 66, 2004.
    S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Stat. 6, 1979.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> c = pr.compare(y, models, "hand_till")
    >>> c
    hand_till of 3 models on the same 1,797 rows: DeLong, t
    <BLANKLINE>
      model                 hand_till  std error  95 % interval
      logistic regression     0.99897    0.00023  0.99736 to 0.99937
      9 nearest neighbours    0.99892    0.00055  0.99635 to 0.99969
      naive Bayes             0.97556     0.0024  0.96995 to 0.97997
    <BLANKLINE>
      difference                                            95 % interval                p  p (Holm)
      logistic regression - 9 nearest neighbours  +0.00005  -0.00105 to +0.00209    1.0000    1.0000
      logistic regression - naive Bayes           +0.02341  +0.01915 to +0.02893  < 0.0001  < 0.0001
      9 nearest neighbours - naive Bayes          +0.02336  +0.01862 to +0.02891  < 0.0001  < 0.0001
    <BLANKLINE>
      all equal: F 46.25 on 2 and 19.9 degrees of freedom, p < 0.0001
    >>> c.pair("naive Bayes", "logistic regression").p_adjusted < 0.001
    True

    Is one model at worst 0.001 below another?

    >>> two = {name: models[name] for name in ("logistic regression", "9 nearest neighbours")}
    >>> test = pr.compare(y, two, "hand_till", margin=0.001)
    >>> test.pairs[0].p_non_inferior < 0.05
    True

    Is it the better one? (One-sided, as in pROC's ``alternative="greater"``.)

    >>> round(pr.compare(y, two, "hand_till", alternative="greater").p_value, 2)
    0.5

    Few rows in a class say little of models near 1.

    >>> few = {name: scores[::10] for name, scores in models.items()}
    >>> small = pr.compare(y[::10], few, "hand_till")
    >>> test = small.overall
    >>> f"F {test.statistic:.2f} on {test.df} and {test.freedom:.1f} degrees of freedom"
    'F 3.99 on 2 and 8.7 degrees of freedom'
    """
    require_models(models)
    measure = one_number(measure)
    if method is None:
        method = "delong" if measure.has_influence else "bootstrap"
    choose("method", method, METHODS)
    referred = _reference(reference, method, measure)
    choose("interval", interval, INTERVALS)
    statistic = "studentized" if statistic == "studentised" else statistic
    choose("statistic", statistic, STATISTICS)
    if statistic != "difference" and method != "permutation":
        raise ValueError(
            f"statistic={statistic!r} is for method='permutation', not {method!r}; leave it out"
        )
    if interval != "test" and method != "bootstrap":
        raise ValueError(
            f"interval={interval!r} is made of replicates, and method={method!r} has none; "
            "use method='bootstrap', or leave interval out"
        )
    choose("adjust", adjust, ADJUST)
    levels, scalar = check_confidence(confidence)
    if not scalar:
        raise TypeError(f"confidence is {confidence!r}; compare takes one level")
    bound = _margin(margin, method)
    check_progress(progress)
    _, count = replicate_range(None, n_resamples)
    number = None if method == "delong" else seed_number(seed)
    listed, paired = read_models(
        y_true, models, measure, stratify, groups, labels, pos_label, sample_weight, n_threads,
        frequency_weight,
    )  # fmt: skip
    if method == "permutation" and not paired:
        raise ValueError(
            "method='permutation' exchanges two models within rows, and these have different "
            "rows; use method='delong' or 'bootstrap'"
        )
    if statistic == "studentized":
        require_studentized(listed, measure, count)
    level = float(levels[0])
    check_alternative(alternative, interval, level)
    if number is not None and method == "bootstrap":
        for model in listed:
            measure._admit_replicates(model.sample, count)
        from polyroc._compare.by_bootstrap import by_bootstrap  # brings the bootstrap along

        evidence = by_bootstrap(
            listed, measure, level, paired, number, count, progress, referred, interval
        )
        referred = "normal" if evidence.influences is None else referred
    elif method == "permutation" and not (measure.has_influence and have_spread(listed)):
        evidence = without_errors(listed, measure, paired)
    else:
        evidence = by_delong(listed, measure, level, paired, referred)
    evidence = one_sided(evidence, alternative, level)
    if number is not None and method == "permutation":
        from polyroc._compare.by_permutation import permuted

        evidence = permuted(
            evidence, listed, measure, number, count, progress, (statistic, alternative)
        )
    options = {"method": method, "alternative": alternative, "reference": referred,
               "interval_by": interval, "statistic": statistic,
               "paired": paired, "confidence": level,
               "adjust": adjust, "margin": bound, "seed": number,
               "n_resamples": None if number is None else count}  # fmt: skip
    return _result(evidence, listed, measure, options)


def have_spread(models: list[Model]) -> bool:
    """Tell whether every class has two units or more, so that errors can be estimated."""
    return all((model.units.sizes != 1).all() for model in models)


def _reference(reference: Any, method: str, measure: Measure[Any]) -> str:
    choose("reference", reference, REFERENCES)
    if not measure.has_influence and method != "bootstrap":
        if reference == "t":
            raise ValueError(
                "reference='t' takes degrees of freedom from influence values, and "
                f"{measure!r} has none; use method='bootstrap', or leave reference out"
            )
        return "normal"
    return reference or "t"


def _margin(margin: Any, method: str) -> float | None:
    if margin is None:
        return None
    if not is_number(margin):
        raise TypeError(f"margin is {margin!r}; pass a positive number, as 0.02")
    if not 0 < margin < math.inf:
        raise ValueError(f"margin is {margin}; pass a positive number, as 0.02")
    if method == "permutation":
        raise ValueError(
            "method='permutation' tests that models are equal and knows no margin; "
            "use method='delong' or 'bootstrap'"
        )
    return float(margin)


def _result(
    evidence: Evidence, models: list[Model], measure: Measure[Any], options: dict[str, Any]
) -> Comparison:
    margin = options["margin"]
    adjusted = adjust_p(
        np.array([pair.p_value for pair in evidence.pairs.values()]), options["adjust"]
    )
    notes = list(evidence.notes)
    tests = []
    for ((i, j), pair), p_adjusted in zip(evidence.pairs.items(), adjusted.tolist(), strict=True):
        first, second, difference = models[i].name, models[j].name, pair.difference
        notes.append((f"{first} - {second}", difference.note))
        above = below = math.nan
        if margin is not None:
            above = difference.p_not_above(-margin)
            below = difference.turned().p_not_above(-margin)
        numbers = (difference.value, difference.error, pair.low, pair.high, difference.z)
        p_values = (pair.p_value, p_adjusted, above, below, max(above, below))
        alternative = options["alternative"]
        tests.append(PairTest(first, second, *numbers, *p_values, difference.freedom, alternative))
    bottom, top = measure._bounds(models[0].sample)
    method, reference, paired = (options[name] for name in ("method", "reference", "paired"))
    influence = evidence.influences if reference == "t" else None
    overall = overall_test(evidence, top - bottom, method == "bootstrap", influence)
    if len(models) > 2:
        notes.append(("all equal", overall.note))
    if any(pair.difference.varies for pair in evidence.pairs.values()):
        tested = math.isfinite(overall.statistic)
        notes.append(
            ("", few_units(models, method, reference, paired, measure.has_influence, tested))
        )
    head = models[0]
    listed = models[:1] if paired else models
    return Comparison(
        measure=measure,
        models=tuple(model.name for model in models),
        estimates=evidence.estimates,
        standard_errors=np.sqrt(evidence.covariance.diagonal()),
        intervals=evidence.intervals,
        covariance=evidence.covariance,
        pairs=tuple(tests),
        overall=overall,
        notes=_sentences(notes),
        stratified=head.units.stratified,
        counted_in=head.units.counted_in,
        unit=head.units.unit,
        n_units=sum(n_units(model.sample, model.units) for model in listed),
        classes=head.sample.classes,
        favoured=measure._favoured(head.sample),
        sizes=_of_classes([model.units.row_sizes for model in listed], paired),
        group_sizes=None if head.units.groups is None else
        _of_classes([model.units.sizes for model in listed], paired),
        **options,
    )  # fmt: skip


def _of_classes(sizes: list[Array], paired: bool) -> Array:
    """Return what each class has: in a line per model where these have rows of their own."""
    return np.array(sizes[0] if paired else sizes)


def _sentences(notes: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return each note once, with those whom it concerns."""
    concerned: dict[str, list[str]] = {}
    for name, note in notes:
        if note:
            concerned.setdefault(note, []).append(name)
    out = []
    for note, names in concerned.items():
        more = f" and {len(names) - 3} more" if len(names) > 4 else ""
        who = ", ".join(names[:3] if more else names) + more
        out.append(f"{who}: {note}" if who else note)
    return tuple(out)
