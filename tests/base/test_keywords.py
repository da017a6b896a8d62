"""Arguments under the names that scikit-learn and scipy give them: the call says its own name."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._base.keywords import OF_MEASURES, hinting
from polyroc._measures.registry import MEASURES as BY_NAME
from polyroc._measures.registry import WITH_OPTIONS

from given.refusals import refused

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]
P = np.random.default_rng(0).random((6, 3))
MODELS = {"a": S, "b": S}
MEASURES = (
    "auc", "average_precision", "kolmogorov_smirnov", "hand_till", "auc_mu", "one_vs_rest",
    "polar_area", "pairwise",
)  # fmt: skip
CALLS: list[tuple[Any, tuple[Any, ...]]] = [
    *((getattr(pr, name), (Y, S)) for name in MEASURES),
    (pr.Auc(), (Y, S)),
    (pr.bootstrap, (Y, S)),
    (pr.delong, (Y, S)),
    (pr.compare, (Y, MODELS)),
    (pr.bradley, ([],)),
    (pr.cross_validate_folds, ({}, P, Y)),
    (pr.Hum, ()),
    (pr.Auc, ()),
    (pr.State, ([0, 1],)),
    (pr.State([0, 1], "auc").update, (Y, S)),
    (pr.evaluate_batches, ([],)),
    (pr.InfluenceTables, (None,)),
    (pr.sample_size_auc, (0.8,)),
    (pr.power_from_pilot, (0.8,)),
]


@pytest.mark.parametrize(("call", "given"), CALLS, ids=lambda v: getattr(v, "__name__", ""))
def test_names_of_other_packages(call: Any, given: Any) -> None:
    known = inspect.signature(call).parameters
    for elsewhere, here in (("random_state", "seed"), ("n_jobs", "n_threads")):
        way = f"it is called {here}$" if here in known else ""
        begins = rf"^([\w.]+\(\)|the call of a measure) got an unexpected .* '{elsewhere}'; {way}"
        refused(TypeError, begins, call, *given, **{elsewhere: 1})


@pytest.mark.parametrize("make", [pr.scorer, pr.lightgbm_metric, pr.xgboost_metric])
def test_makers_of_metrics(make: Any) -> None:
    refused(TypeError, r"^auc_mu has no option 'n_jobs'; it is called n_threads$", make, n_jobs=2)
    refused(TypeError, r"^auc has no option 'random_state'; it has max_fpr$", make, "auc",
            random_state=2)  # fmt: skip


def test_misspelt_and_unknown_names() -> None:
    loose: Any = pr.auc
    refused(TypeError, r"^auc\(\) got an unexpected .* 'sample_weights'; did you mean ",
            loose, Y, S, sample_weights=S)  # fmt: skip
    refused(TypeError, r".* 'alpha'; pass confidence=1 - alpha$", pr.delong, Y, S, alpha=0.1)
    refused(TypeError, r".* 'max_fpr'; pass fpr=\(0, max_fpr\)$", pr.partial_auc, Y, S, max_fpr=0.1)
    refused(TypeError, r".* 'metric'; it is called measure$", pr.delong, Y, S, metric="auc")
    refused(TypeError, r"^auc\(\) got an unexpected .* 'xyz'; there are y_true, y_score, labels, ",
            loose, Y, S, xyz=1)  # fmt: skip
    made: Any = pr.Auc
    refused(TypeError, r"^Auc\(\) got an unexpected .* 'xyz'; there is max_fpr$", made, xyz=1)


@pytest.mark.parametrize("call", [pr.delong, pr.bootstrap, pr.compare, pr.bradley])
def test_options_of_measures_are_sent_to_them(call: Any) -> None:
    begins = (
        r".* 'absent'; measures have it: pass measure=pr.HandTill\(absent=...\), or another one$"
    )
    refused(TypeError, begins, call, Y, S, absent="skip")


def test_every_option_of_a_measure_is_known() -> None:
    found = {
        field.name: type(one).__name__
        for one in (*BY_NAME.values(), *WITH_OPTIONS.values())
        for field in dataclasses.fields(one)
    }
    assert OF_MEASURES.keys() == found.keys() - inspect.signature(pr.bootstrap).parameters.keys()
    for option, name in OF_MEASURES.items():
        assert option in inspect.signature(getattr(pr, name)).parameters


def test_other_faults_are_left_alone() -> None:
    loose: Any = pr.auc
    refused(TypeError, r"^auc\(\) missing 1 required positional argument: 'y_score'", loose, Y)
    refused(TypeError, r"^y_score is a int; ", loose, Y, 3, labels=[0, 1])


def test_the_function_stays_what_it_was() -> None:
    def double(x: int, *, twice: bool = False) -> int:
        """Say it again."""
        return 4 * x if twice else 2 * x

    wrapped = hinting(double)
    assert inspect.signature(wrapped) == inspect.signature(double)
    assert (wrapped.__name__, wrapped.__doc__) == ("double", "Say it again.")
    assert (wrapped(3), wrapped(3, twice=True)) == (6, 12)
    assert pickle.loads(pickle.dumps(pr.auc)) is pr.auc
