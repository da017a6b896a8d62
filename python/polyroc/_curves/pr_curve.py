"""Precision-recall curves of two classes, or of each class against the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._curves.by_name import PrCurves
from polyroc._curves.contrasts import ABSENT, curves_by_contrast, is_single, single_curve
from polyroc._curves.pr_points import PrCurve, precisions_of
from polyroc._data.sample import prepare

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Labels, Scores


@public
@hinting
def pr_curve(
    y_true: Labels,
    y_score: Scores,
    *,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> Any:
    """Precision-recall curve of two classes, or one for each class against the rest.

    A threshold t gives the point::

        precision(t) = the share of favoured rows among the rows that score t or more
        recall(t)    = the share of the favoured rows that score t or more

    with one point for each score, the lowest first, and (1, 0) at the end, which has no threshold:
    the same arrays as scikit-learn's. With 1-D scores, or two columns, there is one curve, that of
    ``labels[1]``. With more columns there is one for each class, by its own column.
    Cost: O(n log n) time and O(n) memory for each curve.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, K)
        Scores of ``labels[1]``, or a column for each class, higher for more likely.
    labels : array_like of shape (K,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one that high scores stand for; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0. Rows of weight zero are left out.
    absent : {"raise", "skip"}
        Whether a class of `labels` without rows of positive weight is an error, or has no curve.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    PrCurve or PrCurves
        The curve, with `.precision`, `.recall`, `.thresholds` and `.average_precision`; it unpacks
        as ``precision, recall, thresholds``. Of several, a mapping by class.

    References
    ----------
    J. Davis and M. Goadrich, The relationship between precision-recall and ROC curves, ICML 2006.

    Examples
    --------
    >>> import polyroc as pr
    >>> precision, recall, thresholds = pr.pr_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> print(precision.round(2), recall, thresholds)
    [0.5  0.67 0.5  1.   1.  ] [1.  1.  0.5 0.5 0. ] [0.1  0.35 0.4  0.8 ]
    """
    choose("absent", absent, ABSENT)
    sample = prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    if absent == "raise":
        sample.require_present()
    if is_single(sample, None):
        return PrCurve(*precisions_of(single_curve(sample)), sample.classes[1])
    curves = curves_by_contrast(sample, None).items()
    return PrCurves({name: PrCurve(*precisions_of(curve), name) for name, curve in curves})
