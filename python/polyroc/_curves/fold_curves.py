"""ROC curves over folds: of all rows pooled, and averaged threshold by threshold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import share, show
from polyroc._base.keywords import hinting
from polyroc._base.picture import Pictured
from polyroc._base.public import public
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._curves.contrasts import readable, single_curve
from polyroc._curves.roc_points import RocCurve, rates_of
from polyroc._data.sample import Sample, prepare
from polyroc._stats.tails import t_quantile

if TYPE_CHECKING:
    from polyroc._base.table import Part
    from polyroc._base.types import Floats, Labels

_SHOWN = (0.05, 0.1, 0.2, 0.5)  # the mean false positive rates of the table
_FORM = "pass a list of (y_true, y_score), one per fold"


@public
@dataclass(frozen=True, eq=False, repr=False)
class RocFolds(Pictured, Result):
    """ROC curves over folds; made by :func:`polyroc.roc_folds`.

    Attributes
    ----------
    pooled : RocCurve
        The curve of the rows of all folds together.
    thresholds : ndarray
        All scores of all folds, falling; the first is infinite.
    fpr, tpr : ndarray
        The means over folds of the rates at each threshold: the averaged curve.
    low, high : ndarray
        Limits of the mean TPR at each threshold, by Student's t over folds.
    fpr_low, fpr_high : ndarray
        Limits of the mean FPR.
    aucs : ndarray
        The area of each fold's own curve.
    confidence : float
        The confidence level of the limits, each by itself.
    """

    _picture = "folds.averaged_curve"

    pooled: RocCurve
    thresholds: Floats
    fpr: Floats
    tpr: Floats
    low: Floats
    high: Floats
    fpr_low: Floats
    fpr_high: Floats
    aucs: Floats
    confidence: float

    def __post_init__(self) -> None:
        """Keep the arrays from being changed."""
        self._freeze()

    @property
    def auc(self) -> float:
        """The mean area over folds, which is not that of either curve."""
        return float(self.aucs.mean())

    def _contents(self) -> dict[str, Any]:
        return {**vars(self), "pooled": self.pooled.to_dict(), "auc": self.auc}

    def _parts(self) -> Iterable[Part]:
        error = self.aucs.std(ddof=1) / math.sqrt(len(self.aucs))
        yield f"ROC curves of {show(self.pooled.favoured)} over {len(self.aucs)} folds"
        yield f"  mean area {self.auc:.4f}, standard error {error:.4f}"
        yield f"  area of all rows pooled {self.pooled.auc:.4f}"
        yield self._table()

    def _columns(self) -> dict[str, list[Any]]:
        names = ("thresholds", "fpr", "tpr", "low", "high", "fpr_low", "fpr_high")
        return {name: getattr(self, name).tolist() for name in names}

    def _table(self) -> Table:
        at = np.unique(np.searchsorted(self.fpr, _SHOWN, side="right") - 1)  # each once
        level = f"{100 * self.confidence:g} % limits"
        return Table(
            [
                Column("threshold", [f"{self.thresholds[k]:.4g}" for k in at]),
                Column("mean FPR", [f"{self.fpr[k]:.4f}" for k in at]),
                Column("mean TPR", [f"{self.tpr[k]:.4f}" for k in at]),
                Column(level, [f"{self.low[k]:.4f} to {self.high[k]:.4f}" for k in at]),
                Column("TPR pooled", [f"{self.pooled.at(fpr=self.fpr[k]):.4f}" for k in at]),
            ]
        )


@public
@hinting
def roc_folds(
    folds: Iterable[tuple[Any, Any]],
    *,
    confidence: float = 0.95,
    labels: Labels | None = None,
    pos_label: object = None,
    n_threads: int | None = None,
) -> RocFolds:
    """ROC curves over the folds of a cross-validation: pooled, and averaged by threshold.

    Pooling puts the rows of all folds together, as if one model had scored them (B97 s.6). Models
    of different folds need not score alike, and where they do not, the pooled curve lies lower
    than theirs. Averaging takes at each threshold t the mean over folds of FPR(t) and TPR(t), the
    same weight for every fold, with limits from the spread over folds: with F folds and s(t)
    the standard deviation of TPR(t) over them::

        mean of TPR(t) -+ t_(F - 1) s(t) / sqrt(F)

    Both need scores that mean the same in every fold; the mean of the folds' areas does not.
    Folds share training rows, so that limits are too narrow rather than too wide.
    Cost: O(n log n + F n) time and memory.

    Parameters
    ----------
    folds : iterable of (y_true, y_score)
        Labels and scores of each fold's test rows: two classes, and both in every fold.
    confidence : float
        The confidence level of the limits.
    labels : array_like of shape (2,), optional
        The classes, in column order. By default the sorted values of `y_true`.
    pos_label : label, optional
        The class that high scores stand for; ``labels[1]`` by default.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.

    Returns
    -------
    RocFolds
        The pooled curve, `.pooled`, and the averaged one, `.fpr` and `.tpr`, with `.low` and
        `.high` for the TPR.

    References
    ----------
    B97: A. P. Bradley, The use of the area under the ROC curve in the evaluation of machine
    learning algorithms, Pattern Recognition 30, 1997.
    T. Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27, 2006.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> s = models["naive Bayes"][:, 8]
    >>> pr.roc_folds([(y[k::5] == 8, s[k::5]) for k in range(5)])
    ROC curves of True over 5 folds
      mean area 0.9518, standard error 0.0095
      area of all rows pooled 0.9538
      threshold  mean FPR  mean TPR       95 % limits  TPR pooled
         0.9946    0.0497    0.7972  0.7135 to 0.8808      0.7931
      0.0009609    0.0997    0.8998  0.8311 to 0.9685      0.9023
      8.724e-10    0.1996    0.9629  0.8923 to 1.0000      0.9713
      1.216e-40    0.4996    0.9811  0.9570 to 1.0000      0.9828
    """
    level = share("confidence", confidence, "0.95")
    samples = _samples(folds, labels, pos_label, n_threads)
    curves = [single_curve(sample) for sample in samples]
    pooled = RocCurve(
        *rates_of(_core.curve(rows=_joined(samples).rows(), favoured=None), False),
        samples[0].classes[1],
    )
    rates = np.array([_rates_at(curve, pooled.thresholds) for curve in curves])
    mean = rates.mean(axis=0)
    half = t_quantile((1.0 - level) / 2.0, len(curves) - 1.0) * rates.std(axis=0, ddof=1)
    half /= math.sqrt(len(curves))
    low, high = np.clip(mean - half, 0.0, 1.0), np.clip(mean + half, 0.0, 1.0)
    return RocFolds(
        pooled=pooled,
        thresholds=pooled.thresholds.copy(),
        fpr=mean[0],
        tpr=mean[1],
        low=low[1],
        high=high[1],
        fpr_low=low[0],
        fpr_high=high[0],
        aucs=np.array([RocCurve(*rates_of(curve, False)).auc for curve in curves]),
        confidence=level,
    )


def _rates_at(curve: _core.Curve, thresholds: Floats) -> Floats:
    """Return FPR and TPR of a fold at the thresholds of all folds."""
    # How many of its own points lie at or above each.
    at = np.searchsorted(-curve.thresholds[1:], -thresholds, side="right")
    at[0] = 0  # above all scores
    return np.array([curve.fp[at] / curve.fp[-1], curve.tp[at] / curve.tp[-1]])


def _joined(samples: list[Sample]) -> Sample:
    scores = np.concatenate([_column(sample) for sample in samples])
    codes = np.concatenate([sample.codes for sample in samples])
    return samples[0]._replace(scores=scores, codes=codes, weights=None, present=None)


def _column(sample: Sample) -> Floats:
    return sample.scores if sample.scores.ndim == 1 else sample.scores[:, 1]


def _samples(folds: Any, labels: Any, pos_label: Any, n_threads: Any) -> list[Sample]:
    if isinstance(folds, (str, bytes)) or not isinstance(folds, Iterable):
        raise TypeError(f"folds is a {type(folds).__name__}; {_FORM}")
    samples: list[Sample] = []
    for k, fold in enumerate(folds):
        if not isinstance(fold, (tuple, list)) or len(fold) != 2:
            raise TypeError(f"folds[{k}] is a {type(fold).__name__}; {_FORM}")
        try:
            sample = prepare(fold[0], fold[1], labels, None, n_threads, pos_label)
            sample.require_two_classes("roc_folds")
            sample.require_present()
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"folds[{k}]: {error}") from error
        if samples and sample.labels.tolist() != samples[0].labels.tolist():
            own, first = show(sample.labels), show(samples[0].labels)
            raise ValueError(f"folds[{k}] has the classes {own}, folds[0] {first}; pass labels=")
        samples.append(readable(sample))
    if len(samples) < 2:
        raise ValueError("folds holds fewer than two folds; a spread over folds needs at least two")
    return samples
