"""Early stopping of XGBoost, against stand-ins with its interface.

What they mimic, as of XGBoost 3: ``CallbackContainer.after_iteration`` computes the metric, then
asks each of ``.callbacks``. ``early_stopping_rounds=`` is an ``EarlyStopping`` with ``maximize``
None: it takes metrics whose names begin with "auc" and the like for rising, others for falling.
"""

from __future__ import annotations

import sys
import types
import warnings
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.refusals import refused

Y = np.arange(30) % 3
ROUNDS = [np.random.default_rng(k).random((30, 3)) for k in range(3)]

CALLBACKS = """
class EarlyStopping:
    def __init__(self, *, rounds, metric_name=None, data_name=None, maximize=None, save_best=False,
                 min_delta=0.0):
        self.rounds, self.metric_name, self.data, self.maximize = (
            rounds, metric_name, data_name, maximize)
        self.save_best, self._min_delta = save_best, min_delta
        self.stopping_history = {}

    def after_iteration(self, value):
        self.stopping_history.setdefault("valid", []).append(value)


class Monitor:
    def after_iteration(self, value):
        pass


class CallbackContainer:
    def __init__(self, callbacks, metric):
        self.callbacks, self.metric = callbacks, metric

    def eval_set(self, y, scores):
        return self.metric(y, scores)

    def after_iteration(self, y, scores):
        value = self.eval_set(y, scores)
        for callback in self.callbacks:
            callback.after_iteration(value)
"""


@pytest.fixture
def xgboost(monkeypatch: pytest.MonkeyPatch) -> Any:
    package, module = types.ModuleType("xgboost"), types.ModuleType("xgboost.callback")
    exec(CALLBACKS, module.__dict__)
    monkeypatch.setitem(sys.modules, "xgboost", package)
    monkeypatch.setitem(sys.modules, "xgboost.callback", module)
    return module


def train(xgboost: Any, metric: Any, *callbacks: Any) -> list[str]:
    """Return what was warned of while a model was trained."""
    container = xgboost.CallbackContainer([xgboost.Monitor(), *callbacks], metric)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for scores in ROUNDS:
            container.after_iteration(Y, scores)
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("metric", ["M", pr.xgboost_metric("hand_till", name="M")])
def test_the_callback_looks_for_rising_values(xgboost: Any, metric: Any) -> None:
    stop = pr.xgboost_early_stopping(metric, 7, data_name="valid", save_best=True, min_delta=0.1)
    assert type(stop) is xgboost.EarlyStopping
    assert (stop.rounds, stop.metric_name, stop.data, stop.maximize) == (7, "M", "valid", True)
    assert (stop.save_best, stop._min_delta) == (True, 0.1)
    assert pr.xgboost_early_stopping(pr.HandTill(), 7).metric_name == "hand_till"


def test_a_metric_that_would_be_made_small_warns_once(xgboost: Any) -> None:
    metric = pr.xgboost_metric("hand_till")
    begins = "XGBoost takes lower values of hand_till for better ones and will keep the worst"
    for wrong in ({}, {"maximize": False}, {"metric_name": "hand_till"}):
        (message,) = train(xgboost, metric, xgboost.EarlyStopping(rounds=5, **wrong))
        assert message.startswith(begins)
        assert message.endswith("callbacks=[polyroc.xgboost_early_stopping('hand_till', rounds)]")


def test_right_uses_do_not_warn(xgboost: Any) -> None:
    metric, stop = pr.xgboost_metric("hand_till"), xgboost.EarlyStopping
    assert not train(xgboost, metric)
    assert not train(xgboost, metric, pr.xgboost_early_stopping(metric, 5))
    assert not train(xgboost, metric, stop(rounds=5, maximize=True))
    assert not train(xgboost, metric, stop(rounds=5, metric_name="mlogloss"))
    assert not train(xgboost, pr.xgboost_metric("auc_mu"), stop(rounds=5))  # by its name
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metric(Y, ROUNDS[0])


def test_faults(xgboost: Any) -> None:
    make: Any = pr.xgboost_early_stopping
    wrong: Any
    refused(TypeError, r"^metric is 3; pass what xgboost_metric made", make, 3, 10)
    for wrong in (0, 2.5, True, None):
        refused(ValueError, r"^rounds is .*; pass a whole number >= 1", make, "M", wrong)
    for wrong in (-1.0, np.nan, "x"):
        refused(ValueError, r"^min_delta is .*; pass a number >= 0", make, "M", 5, min_delta=wrong)


def test_without_xgboost_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xgboost.callback", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs xgboost; install it with pip install"):
        pr.xgboost_early_stopping("M", 5)
