"""ROC curves of two classes, and of each class or pair of classes of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from polyroc._base.checks import choose
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._curves.by_name import RocCurves
from polyroc._curves.contrasts import ABSENT, curves_by_contrast, is_single, single_curve
from polyroc._curves.roc_points import RocCurve, rates_of
from polyroc._data.sample import prepare

if TYPE_CHECKING:
    from polyroc._base.types import Absent, Labels, Scores
    from polyroc._curves.contrasts import ABSENT, CurveKind


@overload
def roc_curve(
    y_true: Labels,
    y_score: Scores,
    *,
    kind: Literal["pairwise", "auc_mu"],
    drop_collinear: bool = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> RocCurves: ...
@overload
def roc_curve(
    y_true: Labels,
    y_score: Scores,
    *,
    kind: None = None,
    drop_collinear: bool = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> Any: ...  # how many curves depends on the data
@public
@hinting
def roc_curve(
    y_true: Labels,
    y_score: Scores,
    *,
    kind: CurveKind = None,
    drop_collinear: bool = False,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    absent: Absent = "raise",
    n_threads: int | None = None,
) -> Any:
    """ROC curve of two classes, or one for each class or pair of classes.

    A threshold t gives the point::

        FPR(t) = the share of the other rows that score t or more
        TPR(t) = the share of the favoured rows that score t or more

    with one point for each score, the highest first, after (0, 0), whose threshold is infinite.
    Rows of one score are one step. The points are exact: ``y_score >= threshold`` gives them again.
    With 1-D scores, or two columns, there is one curve, that of ``labels[1]``. With more columns::

        kind=None:       class i by column i against all other classes         one per class
        kind="pairwise": class i by column i against class j; area A(i|j)      one per (i, j)
        kind="auc_mu":   class i against j by p_i - p_j; area S(i,j), KP19     one per (i, j), i < j

    Cost: O(n log n) time and O(n) memory for each curve.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, K)
        Scores of ``labels[1]``, or a column for each class, higher for more likely.
    kind : {None, "pairwise", "auc_mu"}
        What is compared with what.
    drop_collinear : bool
        Whether to leave out points on the straight line between their neighbours: the curve stays
        the same, with fewer thresholds.
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
    RocCurve or RocCurves
        The curve, with `.fpr`, `.tpr` and `.thresholds`, `.auc` and `.at`; it unpacks as
        ``fpr, tpr, thresholds``. Of several, a mapping by class or by pair of classes.

    References
    ----------
    B97: A. P. Bradley, The use of the area under the ROC curve in the evaluation of machine
    learning algorithms, Pattern Recognition 30, 1997.
    KP19: R. S. Kleiman and D. Page, AUC-mu: a performance metric for multi-class machine learning
    models, ICML 2019.

    Examples
    --------
    >>> import polyroc as pr
    >>> fpr, tpr, thresholds = pr.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> print(fpr, tpr, thresholds)
    [0.  0.  0.5 0.5 1. ] [0.  0.5 0.5 1.  1. ] [ inf 0.8  0.4  0.35 0.1 ]
    >>> y, models = pr.example_predictions()
    >>> curves = pr.roc_curve(y, models["naive Bayes"])
    >>> curves[8]
    ROC curve of 8: 896 points, area 0.9538
      at FPR    0.01    0.05     0.1     0.2     0.5
      TPR     0.2713  0.7931  0.9023  0.9713  0.9828
    """
    choose("absent", absent, ABSENT)
    sample = prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    if absent == "raise":
        sample.require_present()
    if is_single(sample, kind):
        return RocCurve(*rates_of(single_curve(sample), drop_collinear), sample.classes[1])
    found = {}
    for name, masses in curves_by_contrast(sample, kind).items():
        favoured, against = name if kind is not None else (name, None)
        found[name] = RocCurve(*rates_of(masses, drop_collinear), favoured, against)
    return RocCurves(found)
