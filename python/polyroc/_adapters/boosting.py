"""Measures as custom metrics of LightGBM and XGBoost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._adapters.early_stopping import warn_if_falling
from polyroc._adapters.scikit_learn import scalar_measure
from polyroc._base.checks import thread_count
from polyroc._base.public import public
from polyroc._data.arrays import as_array, as_column, first

if TYPE_CHECKING:
    from polyroc._base.types import Array
    from polyroc._measures.measure import Measure


@dataclass(frozen=True, repr=False)
class _BoostingMetric:
    """A measure with the name under which a library logs it."""

    measure: Measure[Any]
    name: str
    n_threads: int | None = None

    @property
    def __name__(self) -> str:
        """The name again, where functions have theirs: XGBoost logs under it."""
        return self.name

    def _value(self, labels: Any, predictions: Any, weights: Any, by_class: bool) -> float:
        """Return the measure; flat predictions of many classes are `by_class`, or refused."""
        if labels is None:
            raise ValueError("the data have no labels; give the evaluation set its label")
        y = as_column(labels, "label")
        scores = _table(as_array(predictions, "predictions"), len(y), by_class)
        n_classes = 2 if scores.ndim == 1 else scores.shape[1]
        _check_codes(y, n_classes, scores.ndim == 1)
        # XGBoost says "no weights" by an empty array, LightGBM by None.
        weighted = weights is not None and np.size(weights) > 0
        value = self.measure(
            y,
            scores,
            labels=np.arange(n_classes),
            sample_weight=weights if weighted else None,
            n_threads=self.n_threads,
        )
        return float(value)

    def __repr__(self) -> str:
        shown = [repr(self.measure)]
        if self.name != self.measure.name:
            shown.append(f"name={self.name!r}")
        if self.n_threads is not None:
            shown.append(f"n_threads={self.n_threads!r}")
        return f"{self._maker}({', '.join(shown)})"

    _maker = ""


@dataclass(frozen=True, repr=False)
class LightGBMMetric(_BoostingMetric):
    """A custom metric of LightGBM; made by :func:`lightgbm_metric`."""

    _maker = "lightgbm_metric"

    # LightGBM's scikit-learn classes count the parameters: of three, the third gets the weights.
    def __call__(self, y_true: Any, y_pred: Any, weight: Any = None) -> tuple[str, float, bool]:
        """Return (name, value, True) for ``(preds, dataset)`` or ``(y_true, y_pred, weight)``."""
        if hasattr(y_pred, "get_label"):
            predictions, data = y_true, y_pred
            value = self._value(data.get_label(), predictions, data.get_weight(), True)
        else:
            value = self._value(y_true, y_pred, weight, True)
        return self.name, value, True


@dataclass(frozen=True, repr=False)
class XGBoostMetric(_BoostingMetric):
    """A custom metric of XGBoost; made by :func:`xgboost_metric`."""

    _maker = "xgboost_metric"

    def __call__(self, y_true: Any, y_score: Any, sample_weight: Any = None) -> Any:
        """Return (name, value) for ``(predt, dmatrix)``, the bare value for ``(y_true, y_score)``.

        The second form is the one of XGBoost's scikit-learn classes, which add the name.
        """
        warn_if_falling(self.name)
        if hasattr(y_score, "get_label"):
            predictions, data = y_true, y_score
            weights = data.get_weight()
            return self.name, self._value(data.get_label(), predictions, weights, False)
        return self._value(y_true, y_score, sample_weight, False)


@public
def lightgbm_metric(
    measure: str | Measure[Any] = "auc_mu",
    *,
    name: str | None = None,
    n_threads: int | None = None,
    **options: Any,
) -> LightGBMMetric:
    """Make a custom metric of LightGBM out of a measure.

    It goes both into ``lightgbm.train(..., feval=...)`` and ``lightgbm.cv``, which call it with
    predictions and a Dataset, and into ``LGBMClassifier.fit(..., eval_metric=...)``, which calls
    it with labels, predictions and weights. Multi-class predictions may be 2-D, or flat and
    ordered by class as before LightGBM 4. Sample weights of the data are used.

    Classes are numbered 0 to K - 1, K being the columns of the predictions, so that a validation
    set without some class is noticed: an error, or with ``absent="skip"`` an average without it.

    Parameters
    ----------
    measure : str or measure object
        One that is a single number: its name, as "hand_till" or "auc_mu", or an object with
        options, as ``pr.AucMu(partition=A)``.
    name : str, optional
        The name it is logged under, without spaces and colons; that of the measure by default.
        LightGBM has metrics "auc" and "auc_mu" of its own: where they are computed as well, give
        this one another name.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.
    **options
        Options of a measure given by its name, as ``absent="skip"``.

    Returns
    -------
    LightGBMMetric
        A callable that returns (name, value, True): higher is better.

    Examples
    --------
    >>> import polyroc as pr
    >>> metric = pr.lightgbm_metric("hand_till", absent="skip")
    >>> metric([0, 0, 1, 2], [[.8, .1, .1], [.4, .5, .1], [.1, .6, .3], [.5, .3, .2]])
    ('hand_till', 0.75, True)
    >>> metric
    lightgbm_metric(HandTill(absent='skip'))
    """
    return LightGBMMetric(*_checked(measure, options, name, n_threads))


@public
def xgboost_metric(
    measure: str | Measure[Any] = "auc_mu",
    *,
    name: str | None = None,
    n_threads: int | None = None,
    **options: Any,
) -> XGBoostMetric:
    """Make a custom metric of XGBoost out of a measure.

    It goes both into ``xgboost.train(..., custom_metric=...)``, which calls it with predictions
    and a DMatrix, and into ``XGBClassifier(eval_metric=...)``, which calls it with labels, scores
    and weights. The objective must give scores: "multi:softprob", not "multi:softmax", which
    gives class numbers. To stop early, pass ``callbacks=[pr.xgboost_early_stopping(metric, 10)]``
    and not ``early_stopping_rounds=10``, which takes lower values for better ones; see there.

    Classes are numbered 0 to K - 1, K being the columns of the predictions, so that a validation
    set without some class is noticed: an error, or with ``absent="skip"`` an average without it.

    Parameters
    ----------
    measure : str or measure object
        One that is a single number: its name, as "hand_till" or "auc_mu", or an object with
        options, as ``pr.AucMu(partition=A)``.
    name : str, optional
        The name it is logged under, without spaces and colons; that of the measure by default.
    n_threads : int, optional
        Threads to use; all cores by default. The result does not depend on it.
    **options
        Options of a measure given by its name, as ``absent="skip"``.

    Returns
    -------
    XGBoostMetric
        A callable that returns (name, value), or the value where XGBoost adds the name.

    Examples
    --------
    >>> import polyroc as pr
    >>> metric = pr.xgboost_metric("hand_till", name="M")
    >>> metric([0, 0, 1, 2], [[.8, .1, .1], [.4, .5, .1], [.1, .6, .3], [.5, .3, .2]])
    0.75
    >>> metric
    xgboost_metric(HandTill(), name='M')
    """
    return XGBoostMetric(*_checked(measure, options, name, n_threads))


def _checked(
    measure: Any, options: dict[str, Any], name: Any, n_threads: Any
) -> tuple[Measure[Any], str, int | None]:
    found = scalar_measure(measure, options)
    thread_count(n_threads)
    label = found.name if name is None else name
    if not isinstance(label, str) or not label or ":" in label or any(map(str.isspace, label)):
        raise ValueError(f"name is {label!r}; pass a word without spaces and colons")
    return found, label, n_threads


def _table(predictions: Array, n_rows: int, by_class: bool) -> Array:
    """Return predictions of shape (n,) or (n, K)."""
    if predictions.ndim == 2 and predictions.shape[1] == 1:
        return predictions[:, 0]
    if predictions.ndim == 1 and len(predictions) != n_rows and len(predictions) % n_rows == 0:
        if not by_class:
            raise ValueError(
                f"there are {len(predictions)} predictions in one row for {n_rows} labels; "
                "pass them as (n, K), one column per class"
            )
        return predictions.reshape((n_rows, -1), order="F")  # all of class 0, all of class 1, ...
    if len(predictions) != n_rows:
        raise ValueError(
            f"there are {n_rows} labels but predictions for {len(predictions)} rows; "
            "pass one row of predictions per label"
        )
    return predictions


def _check_codes(y: Array, n_classes: int, flat: bool) -> None:
    """Raise if a label is not the number of a column."""
    if y.dtype.kind not in "biuf":
        raise TypeError(f"label has dtype {y.dtype}; number the classes 0 to {n_classes - 1}")
    wrong = ~((y >= 0) & (y < n_classes) & (y == np.floor(y)))
    if not wrong.any():
        return
    place = f"{first(wrong, 'label')} is {y[wrong][0]:g}"
    if flat:
        raise ValueError(
            f"{place} but there is one prediction per row, which tells classes 0 and 1 apart; more "
            "classes need a column each: train for probabilities, as with objective multi:softprob"
        )
    raise ValueError(
        f"{place} but predictions have {n_classes} columns; "
        f"number the classes 0 to {n_classes - 1}, and set num_class to their number"
    )
