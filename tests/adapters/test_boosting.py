"""Custom metrics of LightGBM and XGBoost, against stand-ins with the interface of each.

What the stand-ins mimic, as documented: LightGBM calls ``feval(preds, eval_data)`` with
``Dataset.get_label()`` and ``get_weight()`` (None without weights), predictions 2-D since 4.0 and
flat by class before; its scikit-learn classes count a metric's parameters and call it with
(y_true, y_pred), and the weights and groups if it has three or four. XGBoost calls
``custom_metric(predt, dtrain)`` with ``DMatrix.get_label()`` and ``get_weight()`` (empty without
weights); its scikit-learn classes call ``metric(y_true, y_score)``, with ``sample_weight=`` if the
data have weights, and log it under ``metric.__name__``.
"""

from __future__ import annotations

import copy
import pickle
from inspect import signature
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._adapters.boosting import lightgbm_metric, xgboost_metric

from given.refusals import refused

RNG = np.random.default_rng(11)
N, K = 60, 3
LABEL = RNG.permutation(np.arange(N) % K).astype(np.float32)
PREDS = RNG.dirichlet(np.ones(K), N)
WEIGHT = RNG.integers(1, 5, N).astype(np.float32)
BINARY = (LABEL > 0).astype(np.float32)
MEASURES = [
    pr.HandTill(), pr.AucMu(), pr.AucMu(pair_weights="prevalence"), pr.OneVsRest(),
    pr.OneVsRest("prevalence"), pr.OneVsRest("micro"), pr.PolarArea(normalize=True),
]  # fmt: skip


class Dataset:
    """As lightgbm.Dataset and xgboost.DMatrix show themselves to a metric."""

    def __init__(self, label: Any, weight: Any = None) -> None:
        self.label, self.weight = label, weight

    def get_label(self) -> Any:
        return self.label

    def get_weight(self) -> Any:
        return self.weight


class DMatrix(Dataset):
    def get_weight(self) -> Any:
        return np.array([], dtype=np.float32) if self.weight is None else self.weight


def lightgbm_sklearn(metric: Any, data: Dataset, preds: Any) -> Any:
    """What the wrapper of LightGBM's scikit-learn classes does with a metric."""
    arguments = [data.get_label(), preds, data.get_weight(), None]
    count = len(signature(metric).parameters)
    assert count in (2, 3, 4)
    return metric(*arguments[:count])


def xgboost_sklearn(metric: Any, data: DMatrix, preds: Any) -> Any:
    """What the wrapper of XGBoost's scikit-learn classes does with a metric."""
    weight = data.get_weight()
    options = {} if weight.size == 0 else {"sample_weight": weight}
    return metric.__name__, metric(data.get_label(), preds, **options)


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_every_measure_by_every_interface(measure: Any, weight: Any) -> None:
    expected = measure(LABEL, PREDS, sample_weight=weight)
    for_lightgbm, for_xgboost = lightgbm_metric(measure), xgboost_metric(measure)
    rows, matrix = Dataset(LABEL, weight), DMatrix(LABEL, weight)
    flat = PREDS.ravel(order="F")  # all rows of class 0, then all of class 1, ...
    for preds in (PREDS, flat, np.asfortranarray(PREDS)):
        assert for_lightgbm(preds, rows) == (measure.name, expected, True)
        assert lightgbm_sklearn(for_lightgbm, rows, preds) == (measure.name, expected, True)
    assert for_xgboost(PREDS, matrix) == (measure.name, expected)
    assert xgboost_sklearn(for_xgboost, matrix, PREDS) == (measure.name, expected)
    assert type(for_lightgbm(PREDS, rows)[1]) is type(for_xgboost(PREDS, matrix)[1]) is float


@pytest.mark.parametrize("measure", [pr.Auc(), pr.Auc(max_fpr=0.3), pr.AucMu()], ids=repr)
def test_two_classes_have_one_prediction_a_row(measure: Any) -> None:
    score = PREDS[:, 1].astype(np.float32)
    expected = measure(BINARY, score, sample_weight=WEIGHT)
    for preds in (score, score[:, np.newaxis]):
        found = lightgbm_metric(measure)(preds, Dataset(BINARY, WEIGHT))
        assert found == (measure.name, expected, True)
        assert xgboost_metric(measure)(preds, DMatrix(BINARY, WEIGHT)) == found[:2]


def test_two_columns_flat_by_class() -> None:
    flat = np.concatenate([PREDS[:, 0], PREDS[:, 1]])
    expected = pr.auc_mu(BINARY, PREDS[:, :2])
    assert lightgbm_metric()(flat, Dataset(BINARY)) == ("auc_mu", expected, True)


def test_a_validation_set_without_some_class() -> None:
    rows = LABEL != 1
    data, preds = DMatrix(LABEL[rows]), PREDS[rows]
    absent = r'^no row has the label 1; pass absent="skip"'
    expected = pr.hand_till(LABEL[rows], preds, labels=[0, 1, 2], absent="skip")
    for make in (lightgbm_metric, xgboost_metric):
        refused(ValueError, absent, lambda make=make: make("hand_till")(preds, data))
        assert make("hand_till", absent="skip")(preds, data)[:2] == ("hand_till", expected)
    # The last class missing must not make the table look as if it had a column too many.
    rest = LABEL < 2
    found = lightgbm_metric(absent="skip")(PREDS[rest].ravel(order="F"), Dataset(LABEL[rest]))
    assert found[1] == pr.auc_mu(LABEL[rest], PREDS[rest], labels=range(3), absent="skip")


def test_class_numbers_in_the_place_of_scores() -> None:
    numbers = PREDS.argmax(axis=1).astype(np.float32)  # what multi:softmax predicts
    softmax = r"^label\[\d+\] is 2 but there is one prediction per row, .*multi:softprob"
    refused(ValueError, softmax, lambda: xgboost_metric()(numbers, DMatrix(LABEL)))


def test_labels_that_number_no_column() -> None:
    data = Dataset(LABEL + 1)
    beyond = r"^label\[\d+\] is 3 but predictions have 3 columns; number the classes 0 to 2, "
    refused(ValueError, beyond, lambda: lightgbm_metric()(PREDS, data))
    for value, shown in ((-1, "-1"), (0.5, r"0\.5"), (np.nan, "nan")):
        wrong = np.r_[LABEL[:-1], value]
        refused(ValueError, rf"^label\[59\] is {shown} but predictions have 3 columns",
                lambda wrong=wrong: lightgbm_metric()(PREDS, Dataset(wrong)))  # fmt: skip
    words = np.array(["a", "b", "c"] * 20)
    refused(TypeError, r"^label has dtype .*; number the classes 0 to 2",
            lambda: lightgbm_metric()(words, PREDS))  # fmt: skip


def test_shapes_that_do_not_fit() -> None:
    flat = PREDS.ravel()
    row = r"^there are 180 predictions in one row for 60 labels; pass them as \(n, K\)"
    refused(ValueError, row, lambda: xgboost_metric()(flat, DMatrix(LABEL)))
    short = r"^there are 60 labels but predictions for 59 rows; "
    refused(ValueError, short, lambda: lightgbm_metric()(PREDS[1:], Dataset(LABEL)))
    refused(ValueError, short, lambda: xgboost_metric()(BINARY[1:], DMatrix(BINARY)))
    refused(ValueError, r"^the data have no labels; ",
            lambda: lightgbm_metric()(PREDS, Dataset(None)))  # fmt: skip


def test_names() -> None:
    named = lightgbm_metric("hand_till", name="M")
    assert named(PREDS, Dataset(LABEL))[0] == "M"
    assert xgboost_metric(name="mu").__name__ == "mu"
    loose: Any = lightgbm_metric
    for wrong in ("", "two words", "a:b", "tab\t", 3):
        message = r"^name is .*; pass a word without spaces and colons$"
        refused(ValueError, message, lambda wrong=wrong: loose(name=wrong))
    refused(ValueError, r"^average=None gives one value per class",
            lambda: loose("one_vs_rest", average=None))  # fmt: skip
    refused(ValueError, r"^n_threads is 0; ", lambda: loose(n_threads=0))


def test_metrics_are_values() -> None:
    every: list[Any] = [
        make(**options)
        for make in (lightgbm_metric, xgboost_metric)
        for options in ({}, {"measure": "hand_till"}, {"absent": "skip"}, {"name": "m"},
                        {"n_threads": 1})
    ]  # fmt: skip
    assert len(set(every)) == len(every)
    names = {"lightgbm_metric": lightgbm_metric, "xgboost_metric": xgboost_metric,
             "AucMu": pr.AucMu, "HandTill": pr.HandTill}  # fmt: skip
    for one in every:
        assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one)
        assert eval(repr(one), names) == one
