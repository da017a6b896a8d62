"""Net benefit of decisions at a threshold probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import number, share, show
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.arrays import first
from polyroc._data.sample import Sample, prepare
from polyroc._points.decide import check_scores, values_of
from polyroc._points.tally import check_weights

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats, Labels, Scores


@public
@hinting
def net_benefit(
    y_true: Labels,
    y_score: Scores,
    threshold: float,
    *,
    prevalence: float | None = None,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> float:
    """Net benefit of saying ``labels[1]`` where its probability is at least a threshold.

    Whoever acts from probability t on holds a false positive to be worth t / (1 - t) of a true one
    (Vickers & Elkin 2006)::

        NB(t) = TP / n - FP / n * t / (1 - t)

    in true positives per row, beside 0 for never acting. At most the prevalence.
    Cost: O(n).

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Probabilities of ``labels[1]``, in [0, 1]; of two columns the second is used.
    threshold : float
        The threshold probability t, in [0, 1).
    prevalence : float, optional
        The share of ``labels[1]`` where the classifier is used, in (0, 1), for rows that were
        sampled by class: TPR * prevalence takes the place of TP / n, FPR * (1 - prevalence) that of
        FP / n.
    labels : array_like of shape (2,), optional
        The classes, in column order. By default the sorted values of `y_true`, or the column
        names of a data frame where these are the classes.
    pos_label : label, optional
        Of two classes, the one whose probabilities are given; ``labels[1]`` by default.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.
    n_threads : int, optional
        Threads to use; all cores by default.

    Returns
    -------
    float
        The net benefit. :func:`decision_curve` has it at many thresholds, with errors.

    References
    ----------
    A. J. Vickers and E. B. Elkin, Decision curve analysis: a novel method for evaluating prediction
    models, Medical Decision Making 26, 2006.

    Examples
    --------
    >>> import polyroc as pr
    >>> pr.net_benefit([0, 0, 0, 1, 1], [0.1, 0.3, 0.6, 0.5, 0.9], 0.5)
    0.2
    >>> pr.net_benefit([0, 0, 0, 1, 1], [0.1, 0.3, 0.6, 0.5, 0.9], 0.2)
    0.3
    """
    at = checked_probability(threshold, "threshold")
    sample = prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    curve = benefits(sample, np.array([at]), checked_prevalence(prevalence), "net_benefit")
    return float(curve.model[0])


class Benefits(NamedTuple):
    """Net benefits at some thresholds."""

    model: Floats
    treat_all: Floats
    variance: Floats  # of the model's
    prevalence: float


def benefits(sample: Sample, thresholds: Floats, prevalence: float | None, name: str) -> Benefits:
    """Return the net benefit at rising thresholds, of the model and of saying yes to every row.

    It is an average over rows of v = 1, -t / (1 - t) or 0, whose error is that of a mean. At a
    given prevalence it is one average over each class.
    """
    sample.require_two_classes(name, "pass y == label and the probabilities of one class")
    scores = values_of(sample)
    column = scores if scores.ndim == 1 else scores[:, 1]
    check_scores(column)
    _require_probabilities(column)
    check_weights(sample.weights)
    # Thresholds are read in the type of the scores, as numpy's scores >= threshold reads them.
    reached = np.searchsorted(thresholds.astype(column.dtype), column, side="right")
    said, all_rows = [], []
    for code in (0, 1):
        of = sample.codes == code
        weights = np.ones(np.count_nonzero(of)) if sample.weights is None else sample.weights[of]
        for power in (weights, weights * weights):
            met = np.bincount(reached[of], power, minlength=len(thresholds) + 1)
            # From the highest threshold down, rows that reach it.
            said.append(met[:0:-1].cumsum()[::-1])
            all_rows.append(float(power.sum()))
    fp, fp2, tp, tp2 = said
    n0, n02, n1, n12 = all_rows
    odds = thresholds / (1.0 - thresholds)
    if prevalence is None:
        total = n0 + n1
        model, all_said = (tp - fp * odds) / total, (n1 - n0 * odds) / total
        none2 = n02 + n12 - tp2 - fp2
        squares = tp2 * (1 - model) ** 2 + fp2 * (odds + model) ** 2 + none2 * model**2
        return Benefits(model, all_said, squares / total**2, n1 / total)
    tpr, fpr = tp / n1, fp / n0
    model = prevalence * tpr - (1 - prevalence) * odds * fpr
    of_tpr = (tp2 * (1 - tpr) ** 2 + (n12 - tp2) * tpr**2) / n1**2
    of_fpr = (fp2 * (1 - fpr) ** 2 + (n02 - fp2) * fpr**2) / n0**2
    variance = prevalence**2 * of_tpr + ((1 - prevalence) * odds) ** 2 * of_fpr
    return Benefits(model, prevalence - (1 - prevalence) * odds, variance, prevalence)


def checked_probability(value: Any, name: str) -> float:
    """Return a threshold probability."""
    at = number(name, value)
    if not 0 <= at < 1:
        raise ValueError(
            f"{name} is {show(value)}; a threshold probability lies in [0, 1): at 1 a false "
            "positive would be worth infinitely many true ones"
        )
    return at


def checked_prevalence(prevalence: Any) -> float | None:
    """Return a prevalence, if there is one."""
    if prevalence is None:
        return None
    return share("prevalence", prevalence, "0.02 for 2 % of rows")


def _require_probabilities(column: Array) -> None:
    wrong = (column < 0) | (column > 1)
    if wrong.any():
        raise ValueError(
            f"{first(wrong, 'y_score')} is {column[wrong][0]}; net benefit weighs errors by the "
            "threshold probability: pass probabilities in [0, 1], calibrated ones"
        )
