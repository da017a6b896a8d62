"""The decision curve: net benefit over a range of threshold probabilities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.display import counted
from polyroc._base.keywords import hinting
from polyroc._base.picture import Pictured
from polyroc._base.plain import plain_label
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._data.arrays import as_column
from polyroc._data.sample import prepare
from polyroc._points.confusion import one_level
from polyroc._points.net_benefit import benefits, checked_prevalence, checked_probability
from polyroc._stats.normal import normal_quantile

if TYPE_CHECKING:
    from polyroc._base.table import Part
    from polyroc._base.types import Floats, Labels, Scores

_MOST_LINES = 11  # that are printed


@public
@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurve(Pictured, Result):
    """Net benefit at many thresholds; made by :func:`polyroc.decision_curve`.

    Attributes
    ----------
    thresholds : ndarray of shape (T,)
        Threshold probabilities, rising.
    net_benefit, treat_all, treat_none : ndarray of shape (T,)
        Of acting where the model says so, on every row, and on none (0).
    standard_error : ndarray of shape (T,)
        Of the model's net benefit.
    interval : ndarray of shape (T, 2)
        Its limits, threshold by threshold.
    prevalence : float
        The share of the positive class.
    confidence : float
        The confidence level.
    n_rows : int
        Rows of positive weight.
    favoured : label
        The positive class, which high scores stand for.
    """

    _picture = "decision.draw_result"

    thresholds: Floats
    net_benefit: Floats
    treat_all: Floats
    treat_none: Floats
    standard_error: Floats
    interval: Floats
    prevalence: float
    confidence: float
    n_rows: int
    favoured: Any = None

    def __post_init__(self) -> None:
        self._freeze()

    def _contents(self) -> dict[str, Any]:
        return {**vars(self), "favoured": plain_label(self.favoured)}

    def _parts(self) -> Iterable[Part]:
        rows = counted(self.n_rows, "row")
        share = f"prevalence {self.prevalence:.4g} of class {show(self.favoured)}"
        yield f"decision curve of {rows}, {share}: net benefit"
        yield self._table()
        better = self.net_benefit > np.maximum(self.treat_all, 0.0)
        count = counted(len(self.thresholds), "threshold")
        yield f"  the model is best at {np.count_nonzero(better)} of {count}{self._reach(better)}"
        if len(self.thresholds) > _MOST_LINES:
            yield "  .to_frame() has all of them"

    def _reach(self, better: Any) -> str:
        where = self.thresholds[better]
        return f", from {where[0]:g} to {where[-1]:g}" if len(where) else ""

    def _table(self) -> Table:
        count = len(self.thresholds)
        lines = np.linspace(0, count - 1, min(count, _MOST_LINES)).round().astype(int).tolist()
        title = f"{100 * self.confidence:g} % interval"
        return Table(
            [
                Column("threshold", [f"{self.thresholds[k]:g}" for k in lines]),
                Column("model", [f"{self.net_benefit[k]:.4f}" for k in lines]),
                Column(
                    title,
                    [f"{self.interval[k, 0]:.4f} to {self.interval[k, 1]:.4f}" for k in lines],
                    left=True,
                ),
                Column("treat all", [f"{self.treat_all[k]:.4f}" for k in lines]),
                Column("treat none", [f"{self.treat_none[k]:.4f}" for k in lines]),
            ]
        )

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "threshold": self.thresholds.tolist(),
            "net_benefit": self.net_benefit.tolist(),
            "low": self.interval[:, 0].tolist(),
            "high": self.interval[:, 1].tolist(),
            "standard_error": self.standard_error.tolist(),
            "treat_all": self.treat_all.tolist(),
            "treat_none": self.treat_none.tolist(),
        }


@public
@hinting
def decision_curve(
    y_true: Labels,
    y_score: Scores,
    *,
    thresholds: Scores | None = None,
    prevalence: float | None = None,
    confidence: float = 0.95,
    labels: Labels | None = None,
    pos_label: object = None,
    sample_weight: Scores | None = None,
    n_threads: int | None = None,
) -> DecisionCurve:
    """Decision curve: net benefit of a model over threshold probabilities.

    A model helps where its net benefit exceeds that of acting on every row and that of acting on
    none. Limits hold for each threshold by itself, with rows that are independent (the error of a
    mean). Cost: O(n log T) for T thresholds.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of two classes: integers, booleans, strings, a categorical.
    y_score : array_like of shape (n,) or (n, 2)
        Probabilities of ``labels[1]``, in [0, 1]; of two columns the second is used.
    thresholds : array_like of shape (T,), optional
        Threshold probabilities in [0, 1), rising; by default 0.01, 0.02, ..., 0.99. Those that a
        decision could really be made at are few: name them.
    prevalence : float, optional
        As for :func:`net_benefit`.
    confidence : float
        Confidence level of the intervals, in (0, 1).
    labels, pos_label, sample_weight, n_threads
        As for :func:`net_benefit`.

    Returns
    -------
    DecisionCurve
        With ``.thresholds``, ``.net_benefit``, ``.treat_all``, ``.treat_none`` and ``.interval``.

    References
    ----------
    A. J. Vickers and E. B. Elkin, Decision curve analysis: a novel method for evaluating prediction
    models, Medical Decision Making 26, 2006.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> s = models["logistic regression"][:, 8]
    >>> pr.decision_curve(y == 8, s, thresholds=[0.05, 0.1, 0.2, 0.5])
    decision curve of 1,797 rows, prevalence 0.09683 of class True: net benefit
      threshold   model  95 % interval     treat all  treat none
           0.05  0.0914  0.0777 to 0.1051     0.0493      0.0000
            0.1  0.0896  0.0759 to 0.1033    -0.0035      0.0000
            0.2  0.0871  0.0735 to 0.1007    -0.1290      0.0000
            0.5  0.0835  0.0702 to 0.0967    -0.8063      0.0000
      the model is best at 4 of 4 thresholds, from 0.05 to 0.5
    """
    level = one_level(confidence)
    share_of_positives = checked_prevalence(prevalence)
    at = _thresholds(thresholds)
    sample = prepare(y_true, y_score, labels, sample_weight, n_threads, pos_label)
    found = benefits(sample, at, share_of_positives, "decision_curve")
    n_rows = len(sample.codes) if sample.weights is None else np.count_nonzero(sample.weights)
    # As that of a mean: n - 1 in the place of n.
    error = np.sqrt(found.variance * n_rows / max(n_rows - 1, 1))
    half = normal_quantile((1.0 + level) / 2) * error
    return DecisionCurve(
        thresholds=at,
        net_benefit=found.model,
        treat_all=found.treat_all,
        treat_none=np.zeros(len(at)),
        standard_error=error,
        interval=np.stack([found.model - half, found.model + half], axis=-1),
        prevalence=found.prevalence,
        confidence=level,
        n_rows=int(n_rows),
        favoured=sample.classes[1],
    )


def _thresholds(thresholds: Any) -> Floats:
    if thresholds is None:
        return np.arange(1, 100) / 100
    if np.size(thresholds) == 0:
        raise ValueError("thresholds is empty; pass probabilities, as [0.05, 0.1, 0.2], or None")
    given = as_column(thresholds, "thresholds").tolist()
    at = np.array([checked_probability(t, f"thresholds[{k}]") for k, t in enumerate(given)])
    falls = np.diff(at) <= 0
    if falls.any():
        k = int(falls.argmax())
        raise ValueError(
            f"thresholds[{k + 1}] is {at[k + 1]:g} after {at[k]:g}; pass them rising, each once"
        )
    return at
