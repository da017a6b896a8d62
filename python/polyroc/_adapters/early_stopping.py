"""Early stopping of XGBoost by a measure, of which higher values are better."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import is_number, whole
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._base.warn import warn

if TYPE_CHECKING:
    from types import FrameType

    from polyroc._adapters.boosting import XGBoostMetric
    from polyroc._measures.measure import Measure

_DEEPEST = 16  # frames between a metric and the callbacks of the training that calls it
_RISING = ("auc", "pre", "map", "ndcg")  # beginnings of names that XGBoost itself takes for rising


@public
@hinting
def xgboost_early_stopping(
    metric: str | XGBoostMetric | Measure[Any],
    rounds: int,
    *,
    data_name: str | None = None,
    save_best: bool = False,
    min_delta: float = 0.0,
) -> Any:
    """Make a callback that ends XGBoost's training when a measure no longer rises.

    For ``callbacks=[...]`` of ``xgboost.train``, ``xgboost.cv`` and ``XGBClassifier``, in the place
    of ``early_stopping_rounds=``: XGBoost takes lower values of most metrics it does not know for
    better ones, so that this would keep the worst iteration, often the first. (It goes by the name:
    it takes those that begin with "auc" for rising, "hand_till" for falling.) Metrics of
    :func:`xgboost_metric` warn where they see that.

    Parameters
    ----------
    metric : XGBoostMetric, measure object or str
        What :func:`xgboost_metric` made, or the name that it is logged under.
    rounds : int
        How many iterations without a higher value end the training.
    data_name : str, optional
        The evaluation set that counts, as "validation_0"; the last one by default.
    save_best : bool
        Whether the model that is returned ends with the best iteration.
    min_delta : float
        By how much a value must be higher.

    Returns
    -------
    xgboost.callback.EarlyStopping
        With ``maximize=True``. It remembers what it saw: make one for each training.

    Notes
    -----
    It needs xgboost, ``pip install xgboost``.

    Examples
    --------
    >>> import polyroc as pr
    >>> metric = pr.xgboost_metric("hand_till")
    >>> stop = pr.xgboost_early_stopping(metric, 10)  # doctest: +SKIP
    >>> model = XGBClassifier(eval_metric=metric, callbacks=[stop])  # doctest: +SKIP
    >>> model.fit(X, y, eval_set=[(X_val, y_val)])  # doctest: +SKIP
    """
    name = metric if isinstance(metric, str) else getattr(metric, "name", None)
    if not isinstance(name, str) or not name:
        raise TypeError(
            f"metric is {metric!r}; pass what xgboost_metric made, or the name it is logged under"
        )
    count = whole(rounds)
    if count is None or count < 1:
        raise ValueError(f"rounds is {rounds!r}; pass a whole number >= 1, as 10")
    if not is_number(min_delta) or not min_delta >= 0:
        raise ValueError(f"min_delta is {min_delta!r}; pass a number >= 0")
    try:
        from xgboost.callback import EarlyStopping
    except ImportError as error:
        raise ModuleNotFoundError(
            "xgboost_early_stopping needs xgboost; install it with pip install xgboost",
            name="xgboost",
        ) from error
    return EarlyStopping(
        rounds=count,
        metric_name=name,
        data_name=data_name,
        maximize=True,
        save_best=save_best,
        min_delta=float(min_delta),
    )


def warn_if_falling(name: str) -> None:
    """Warn if the training that computes a metric would stop once it rises.

    A metric is not told of it: the callbacks are looked up in the calling frames, if they are
    there, before the first of them has seen a value.
    """
    frame: FrameType | None = sys._getframe(1)
    for _ in range(_DEEPEST):
        if frame is None:
            return
        if frame.f_code.co_name == "after_iteration" and _is_of_xgboost(frame):
            callbacks = getattr(frame.f_locals.get("self"), "callbacks", ())
            if any(_falls(callback, name) for callback in callbacks):
                warn(
                    f"XGBoost takes lower values of {name} for better ones and will keep the worst "
                    "iteration, often the first; in the place of early_stopping_rounds pass "
                    f"callbacks=[polyroc.xgboost_early_stopping({name!r}, rounds)]",
                    UserWarning,
                )
            return
        frame = frame.f_back


def _is_of_xgboost(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "xgboost"


def _falls(callback: Any, name: str) -> bool:
    """Tell a callback that is to stop when this metric no longer falls, and has just begun."""
    if not hasattr(callback, "rounds") or getattr(callback, "stopping_history", None) != {}:
        return False
    if getattr(callback, "metric_name", None) not in (None, name):
        return False
    rising = getattr(callback, "maximize", None)
    return not (name.startswith(_RISING) and name != "mape" if rising is None else rising)
