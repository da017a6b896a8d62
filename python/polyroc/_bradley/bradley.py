"""Bradley's protocol: classifiers compared over the folds of a cross-validation."""

from __future__ import annotations

import math
import reprlib
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import is_number, show, thread_count
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._bradley.folds import ScoredFolds, at, check_folds, read_folds
from polyroc._bradley.result import BradleyResult
from polyroc._bradley.table import FoldTable
from polyroc._measures.measure import Measure
from polyroc._measures.registry import measures_of
from polyroc._stats.anova import two_way_anova
from polyroc._stats.hanley_mcneil import hanley_mcneil
from polyroc._stats.multiple_range import duncan_quantiles, range_test, tukey_quantiles
from polyroc._stats.studentized_range import require_scipy

if TYPE_CHECKING:
    from polyroc._base.types import Floats, Labels
    from polyroc._data.sample import Sample


@public
@hinting
def bradley(
    folds: Any,
    measure: str | Measure[Any] | None = None,
    *,
    labels: Labels | None = None,
    pos_label: object = None,
    alpha: float = 0.05,
    n_threads: int | None = None,
) -> BradleyResult:
    """Compare classifiers over the folds of a cross-validation, as Bradley does.

    The measure of every classifier in every fold is averaged over folds, and put through a two-way
    analysis of variance with folds as blocks, which asks whether the classifiers differ at all
    (B97 s. 7.1). Duncan's multiple range test says which do (B97 Eq. 14), and Tukey's honestly
    significant difference stands beside it: Duncan finds more differences, but with many
    classifiers also more that are not there, for it does not hold the probability of any false one
    at `alpha`, and Tukey does.

    Both take the values of different folds for independent, which they are not quite, because
    training sets overlap: differences that barely show are to be doubted.
    Cost: the measures, and a tenth of a second for every classifier, for the distributions.

    Parameters
    ----------
    folds : iterable of folds, or a table
        Either ``(y_true, {"name": scores, ...})`` for each fold: the labels of its test rows and
        the scores of each classifier for them, as the measure takes them, and as
        `cross_validate_folds` collects them. Or a table of values computed elsewhere: triples
        (fold, classifier, value), records with these keys, or a dict or data frame with these
        columns. Every classifier in every fold; at least two of each.
    measure : str or measure object, optional
        Its name, as "auc" (the default) or "hand_till", or an object with options, as
        ``pr.HandTill(absent="skip")``. For a table, whatever its values are called; "value" by
        default.
    labels : array_like of shape (K,), optional
        The classes, in column order; for folds with scores, as for the measure.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    alpha : float
        The level of the tests, in (0, 1).
    n_threads : int, optional
        Threads to use; all cores by default. Results do not depend on it.

    Returns
    -------
    BradleyResult
        With ``.values``, ``.mean``, ``.standard_error``, ``.pooled``, ``.anova``, ``.duncan`` and
        ``.tukey``; prints as tables.

    Notes
    -----
    If the error mean square is 0 (classifiers that do not differ in any fold, or differ by the
    same amounts in all), F is 0 with p = 1 for a source without an effect, and infinite with p = 0
    for one with an effect; all ranges are 0, so that means share a group only where they are
    equal. A note in the result says so.

    It needs scipy, ``pip install "polyroc[stats]"``.

    References
    ----------
    B97: A. P. Bradley, The use of the area under the ROC curve in the evaluation of machine
    learning algorithms, Pattern Recognition 30, 1997.
    D. B. Duncan, Multiple range and multiple F tests, Biometrics 11, 1955.
    J. W. Tukey, Comparing individual means in the analysis of variance, Biometrics 5, 1949; and
    The problem of multiple comparisons, Princeton University, 1953.
    J. A. Hanley and B. J. McNeil, The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143, 1982.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> from sklearn.model_selection import StratifiedKFold  # the folds that they came from
    >>> splits = StratifiedKFold(10, shuffle=True, random_state=0).split(y, y)
    >>> folds = [(y[k], {name: p[k] for name, p in models.items()}) for _, k in splits]
    >>> result = pr.bradley(folds, "auc_mu")
    >>> result
    auc_mu of 3 classifiers over 10 folds, 1,797 rows
         classifier              mean        SE       SD  pooled
      1  9 nearest neighbours  0.9998  0.000090  0.00028  0.9998
      2  logistic regression   0.9996  0.000079  0.00025  0.9995
      3  naive Bayes           0.9858  0.001519  0.00480  0.9867
      SE: of the mean; SD: over folds
      pooled: all folds' rows as one sample
    Analysis of variance, folds as blocks
      source       sum of squares  df  mean square      F         p
      classifiers       0.0012919   2   0.00064596  85.41  < 0.0001
      folds             0.0000727   9   0.00000808   1.07    0.4296
      error             0.0001361  18   0.00000756
      total             0.0015008  29
    Duncan's multiple range test, alpha 0.05: a line joins those that do not differ
      9 nearest neighbours  logistic regression  naive Bayes
             0.9998                0.9996           0.9858
      -----------------------------------------
                                                 -----------
    Tukey's honestly significant difference, alpha 0.05: the same groups
    >>> result.mean.round(4)
    array([0.9996, 0.9998, 0.9858])
    >>> result.duncan.differ("logistic regression", "naive Bayes")
    True
    """
    level = _check_alpha(alpha)
    thread_count(n_threads)
    require_scipy()
    data = read_folds(folds)
    if isinstance(data, FoldTable):
        for name, given in (("labels", labels), ("pos_label", pos_label)):
            if given is not None:
                raise ValueError(
                    f"{name}= is for folds with scores, but folds is a table of values"
                )
        return _compare(data, level, measure=_title(measure))
    chosen = _choose("auc" if measure is None else measure)
    scored = check_folds(data, labels, pos_label, n_threads, chosen.skips_absent)
    table = scored.measured(lambda sample: _single(chosen, sample))
    first = next(iter(scored.samples.values()))
    pooled = []
    for name, sample in scored.pooled().items():
        with at(f"all folds of {show(name)} together"):
            pooled.append(_single(chosen, sample))
    return _compare(
        table,
        level,
        measure=chosen,
        pooled=np.array(pooled),
        standard_error_w=_standard_error_w(chosen, scored, table),
        n_rows=tuple(len(sample.codes) for sample in first),
        favoured=chosen._favoured(first[0]),
    )


def _compare(table: FoldTable, alpha: float, **known: Any) -> BradleyResult:
    anova = two_way_anova(table.values)
    r, c = table.values.shape
    means = np.array([math.fsum(column) / r for column in table.values.T])
    options: dict[str, Any] = {
        "names": table.classifiers,
        "means": means,
        "alpha": alpha,
        "mean_square": anova.error.mean_square,
        "df": anova.error.df,
        "n_folds": r,
        "rounding": anova.rounding,
    }
    return BradleyResult(
        classifiers=table.classifiers,
        folds=table.folds,
        values=table.values,
        mean=means,
        anova=anova,
        duncan=range_test("Duncan", duncan_quantiles(c, anova.error.df, alpha), **options),
        tukey=range_test("Tukey", tukey_quantiles(c, anova.error.df, alpha), **options),
        alpha=alpha,
        **known,
    )


def _check_alpha(alpha: Any) -> float:
    if not is_number(alpha):
        raise TypeError(f"alpha is {reprlib.repr(alpha)}; pass a number in (0, 1), as 0.05")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {show(alpha)}; it must lie in (0, 1), as 0.05")
    return float(alpha)


def _choose(measure: Any) -> Measure[Any]:
    found, single = measures_of(measure)
    if not single:
        raise TypeError("measure holds several; bradley compares by one: call it for each")
    return next(iter(found.values()))


def _title(measure: Any) -> str:
    """Return what the values of a table are called."""
    if measure is None:
        return "value"
    if isinstance(measure, (str, Measure)):
        return measure if isinstance(measure, str) else measure.name
    raise TypeError(f"measure is {reprlib.repr(measure)}; name what the values of the table are")


def _single(measure: Measure[Any], sample: Sample) -> float:
    value = measure._of(sample)
    if np.ndim(value):
        raise ValueError(
            f"{measure!r} has a value for each class, and bradley compares single numbers; "
            f'use {type(measure).__name__}("{measure.averages[0]}") or another average'
        )
    return float(value)


def _standard_error_w(
    measure: Measure[Any], scored: ScoredFolds, table: FoldTable
) -> Floats | None:
    """Return SE(W) of a fold at the average AUC; None where the measure is not the binary AUC.

    Folds may differ in size: the root of the mean of SE(W)^2, which is what the spread of fold
    values estimates.
    """
    if not measure.is_binary_auc:
        return None
    errors = []
    for samples, values in zip(scored.samples.values(), table.values.T, strict=True):
        sizes = np.array([np.bincount(sample.codes, minlength=2) for sample in samples])
        each = hanley_mcneil(np.mean(values), sizes[:, 1], sizes[:, 0])
        errors.append(math.sqrt(np.mean(np.square(each))))
    return np.array(errors)
