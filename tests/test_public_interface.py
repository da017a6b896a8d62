"""Names, signatures, and how measure objects behave as values."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polyroc as pr
import pytest

NAMES: list[str] = vars(pr)["__all__"]
REQUIRED = inspect.Parameter.empty
SIGNATURES: dict[str, dict[str, Any]] = {
    "auc": {
        "labels": None, "pos_label": None, "sample_weight": None, "max_fpr": None,
        "n_threads": None,
    },
    "hand_till": {
        "pair_weights": None, "labels": None, "pos_label": None, "sample_weight": None,
        "absent": "raise", "n_threads": None,
    },
    "auc_mu": {
        "partition": None, "pair_weights": None, "ties": "rounding", "labels": None,
        "pos_label": None, "sample_weight": None, "absent": "raise", "n_threads": None,
    },
    "one_vs_rest": {
        "average": "macro", "labels": None, "pos_label": None, "sample_weight": None,
        "absent": "raise", "n_threads": None,
    },
    "average_precision": {
        "average": "macro", "labels": None, "pos_label": None, "sample_weight": None,
        "absent": "raise", "n_threads": None,
    },
    "kolmogorov_smirnov": {
        "labels": None, "pos_label": None, "sample_weight": None, "n_threads": None,
    },
    "proportion_correct": {
        "pairs": False, "labels": None, "pos_label": None, "sample_weight": None,
        "absent": "raise", "n_threads": None,
    },
    "expected_correct": {
        "threshold": None, "screened": None, "labels": None, "pos_label": None,
        "sample_weight": None, "n_threads": None,
    },
    "partial_auc": {
        "fpr": None, "tpr": None, "standardize": False, "pairs": None, "labels": None,
        "pos_label": None, "sample_weight": None, "absent": "raise", "n_threads": None,
    },
    "tpr_at": {
        "fpr": REQUIRED, "labels": None, "pos_label": None, "sample_weight": None,
        "n_threads": None,
    },
    "fpr_at": {
        "tpr": REQUIRED, "labels": None, "pos_label": None, "sample_weight": None,
        "n_threads": None,
    },
    "recall_at": {
        "precision": REQUIRED, "labels": None, "pos_label": None, "sample_weight": None,
        "n_threads": None,
    },
    "polar_area": {
        "normalize": False, "order": None, "labels": None, "sample_weight": None,
        "absent": "raise", "n_threads": None,
    },
    "vus": {
        "labels": None, "pos_label": None, "sample_weight": None, "absent": "raise",
        "n_threads": None,
    },
    "hum": {
        "ties": "rounding", "n_tuples": None, "seed": None, "labels": None, "pos_label": None,
        "sample_weight": None, "absent": "raise", "n_threads": None,
    },
    "pdi": {
        "average": "macro", "labels": None, "pos_label": None, "sample_weight": None,
        "absent": "raise", "n_threads": None,
    },
    "pairwise": {
        "kind": "hand_till", "partition": None, "ties": "rounding", "return_ties": False,
        "labels": None, "pos_label": None, "sample_weight": None, "absent": "raise",
        "n_threads": None,
    },
    "h_measure": {
        "severity": None, "severity_ratio": None, "labels": None, "pos_label": None,
        "sample_weight": None, "absent": "raise", "n_threads": None,
    },
    "hull_area": {
        "labels": None, "pos_label": None, "sample_weight": None, "absent": "raise",
        "n_threads": None,
    },
    "pr_curve": {
        "labels": None, "pos_label": None, "sample_weight": None, "absent": "raise",
        "n_threads": None,
    },
    "roc_band": {
        "kind": "simultaneous", "confidence": 0.95, "fpr": None, "n_resamples": 2000,
        "scheme": "multinomial", "stratify": None, "groups": None, "seed": None, "labels": None,
        "pos_label": None, "sample_weight": None, "n_threads": None,
    },
    "roc_hull": {
        "prevalence": None, "labels": None, "pos_label": None, "sample_weight": None,
        "n_threads": None,
    },
    "roc_curve": {
        "kind": None, "drop_collinear": False, "labels": None, "pos_label": None,
        "sample_weight": None, "absent": "raise", "n_threads": None,
    },
}  # fmt: skip
OBJECTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "auc": (pr.Auc, {"max_fpr": None}),
    "hand_till": (pr.HandTill, {"pair_weights": None, "absent": "raise"}),
    "auc_mu": (
        pr.AucMu,
        {"partition": None, "pair_weights": None, "ties": "rounding", "absent": "raise"},
    ),
    "one_vs_rest": (pr.OneVsRest, {"average": "macro", "absent": "raise"}),
    "average_precision": (pr.AveragePrecision, {"average": "macro", "absent": "raise"}),
    "h_measure": (pr.HMeasure, {"severity": None, "severity_ratio": None, "absent": "raise"}),
    "hull_area": (pr.HullArea, {"absent": "raise"}),
    "kolmogorov_smirnov": (pr.KolmogorovSmirnov, {}),
    "proportion_correct": (pr.ProportionCorrect, {"pairs": False, "absent": "raise"}),
    "expected_correct": (pr.ExpectedCorrect, {"threshold": None, "screened": None}),
    "polar_area": (pr.PolarArea, {"normalize": False, "order": None, "absent": "raise"}),
    "vus": (pr.Vus, {"absent": "raise"}),
    "hum": (pr.Hum, {"ties": "rounding", "absent": "raise", "n_tuples": None, "seed": None}),
    "pdi": (pr.Pdi, {"average": "macro", "absent": "raise"}),
}
# Those with an option that has no default, with one that it may have.
NEEDING: dict[str, tuple[Any, dict[str, Any]]] = {
    "partial_auc": (
        pr.PartialAuc(fpr=(0, 0.1)),
        {"fpr": None, "tpr": None, "standardize": False, "pairs": None, "absent": "raise"},
    ),
    "tpr_at": (pr.TprAt(0.05), {"fpr": REQUIRED}),
    "fpr_at": (pr.FprAt(0.95), {"tpr": REQUIRED}),
    "recall_at": (pr.RecallAt(0.9), {"precision": REQUIRED}),
}
COSTS = [[0, 1, 4], [2, 0, 1], [1, 1, 0]]
VARIANTS = [
    pr.HMeasure(), pr.HMeasure("r"), pr.HMeasure((1, 3)), pr.HMeasure(severity_ratio=0.1),
    pr.HullArea(), pr.Auc(), pr.Auc(max_fpr=0.1), pr.KolmogorovSmirnov(), pr.AveragePrecision(),
    pr.AveragePrecision(None), pr.HandTill(), pr.HandTill("prevalence"),
    pr.HandTill(COSTS, absent="skip"), pr.AucMu(), pr.AucMu(COSTS), pr.AucMu(pair_weights=COSTS),
    pr.AucMu(ties="exact"), pr.AucMu(COSTS, "prevalence", absent="skip"), pr.OneVsRest(),
    pr.OneVsRest("prevalence"), pr.OneVsRest("micro"), pr.OneVsRest(None), pr.PolarArea(),
    pr.PolarArea(normalize=True), pr.PolarArea(order="pairs"),
    pr.PolarArea(order=[("a", "b"), ("b", "c"), ("a", "c")]), pr.ProportionCorrect(),
    pr.ProportionCorrect(pairs=True), pr.ExpectedCorrect(), pr.ExpectedCorrect(threshold=(2, 5)),
    pr.ExpectedCorrect(screened=0.1), pr.ExpectedCorrect(screened=(1, 9)),
    pr.Vus(), pr.Vus("skip"), pr.Hum(),
    pr.Hum(ties="exact"), pr.Hum(n_tuples=100, seed=1), pr.Pdi(), pr.Pdi(None),
    pr.PartialAuc(fpr=(0, 0.1)),
    pr.PartialAuc(tpr=(0.9, 1)), pr.PartialAuc(fpr=(0, 0.1), standardize=True),
    pr.PartialAuc(fpr=(0, 0.1), pairs="auc_mu", absent="skip"), pr.TprAt(0.1), pr.TprAt(0.2),
    pr.FprAt(0.1), pr.RecallAt(0.1),
]  # fmt: skip


def test_all_names_are_there_and_no_others() -> None:
    names = {*SIGNATURES, *(cls.__name__ for cls, _ in OBJECTS.values())}
    names |= {type(measure).__name__ for measure, _ in NEEDING.values()}
    assert set(NAMES) == names | {
        "BootstrapResult",
        "BootstrapWarning",
        "BradleyResult",
        "Comparison",
        "Confusion",
        "CrossValidation",
        "DecisionCurve",
        "Estimate",
        "OperatingPoint",
        "Multilabel",
        "PowerAnalysis",
        "Results",
        "RocCurve",
        "PrCurve",
        "PrCurves",
        "RocBand",
        "RocCurves",
        "RocFolds",
        "RocHull",
        "Scorer",
        "State",
        "InfluenceSums",
        "InfluenceTables",
        "StateComparison",
        "StateComparisons",
        "StateValue",
        "StateValues",
        "evaluate_batches",
        "TupleSample",
        "bradley",
        "compare",
        "confusion",
        "cross_validate_folds",
        "decision_curve",
        "delong",
        "ferri_vus",
        "hanley_mcneil",
        "lightgbm_metric",
        "net_benefit",
        "operating_point",
        "multilabel",
        "power_auc",
        "roc_folds",
        "power_difference",
        "power_from_pilot",
        "sample_size_auc",
        "sample_size_difference",
        "sample_size_from_pilot",
        "sample_size_width",
        "scorer",
        "xgboost_early_stopping",
        "xgboost_metric",
        "bootstrap",
        "evaluate",
        "Report",
        "example_predictions",
        "__version__",
    }
    assert len(NAMES) == len(set(NAMES))
    public = {name for name in dir(pr) if not name.startswith("_")}
    assert public <= set(NAMES)


@pytest.mark.parametrize("name", SIGNATURES)
def test_functions(name: str) -> None:
    parameters = inspect.signature(getattr(pr, name)).parameters
    data, options = list(parameters.values())[:2], list(parameters.values())[2:]
    assert [p.name for p in data] == ["y_true", "y_score"]
    assert all(p.default is REQUIRED for p in data)
    assert all(p.kind is p.KEYWORD_ONLY for p in options)
    assert {p.name: p.default for p in options} == SIGNATURES[name]
    doc = getattr(pr, name).__doc__
    assert ">>>" in doc


@pytest.mark.parametrize("name", NEEDING)
def test_objects_that_need_an_option(name: str) -> None:
    measure, options = NEEDING[name]
    assert measure.name == name
    parameters = inspect.signature(type(measure)).parameters.values()
    assert {p.name: p.default for p in parameters} == options


@pytest.mark.parametrize("name", OBJECTS)
def test_objects(name: str) -> None:
    cls, options = OBJECTS[name]
    measure = cls()
    assert measure.name == name
    parameters = inspect.signature(cls).parameters.values()
    assert {p.name: p.default for p in parameters} == options
    call = list(inspect.signature(measure).parameters.values())
    names = ["y_true", "y_score", "labels", "pos_label", "sample_weight", "n_threads"]
    assert [p.name for p in call] == names
    assert all(p.kind is p.KEYWORD_ONLY for p in call[2:])
    for option, default in options.items():
        assert getattr(measure, option) == default
        with pytest.raises(AttributeError):
            setattr(measure, option, default)
    with pytest.raises(AttributeError):
        measure.other = 1


def test_objects_are_values() -> None:
    for a, one in enumerate(VARIANTS):
        for b, other in enumerate(VARIANTS):
            assert (one == other) == (a == b)
        assert one != one.name
    assert len(set(VARIANTS)) == len(VARIANTS)
    assert len({hash(one) for one in VARIANTS}) == len(VARIANTS)


@pytest.mark.parametrize("measure", VARIANTS, ids=repr)
def test_copies_are_equal(measure: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(measure, protocol))
        assert again == measure
        assert hash(again) == hash(measure)
        assert repr(again) == repr(measure)
    assert copy.copy(measure) == measure
    assert copy.deepcopy(measure) == measure


@pytest.mark.parametrize("measure", VARIANTS, ids=repr)
def test_reprs_build_the_object(measure: Any) -> None:
    names = {cls.__name__: cls for cls, _ in OBJECTS.values()}
    names |= {type(one).__name__: type(one) for one, _ in NEEDING.values()}
    assert eval(repr(measure), names) == measure


def test_equal_options_make_equal_objects() -> None:
    forms: list[Any] = [
        COSTS,
        np.array(COSTS),
        np.array(COSTS, np.float32),
        tuple(map(tuple, COSTS)),
    ]
    assert len({pr.AucMu(partition=form) for form in forms}) == 1
    assert len({pr.HandTill(pair_weights=form) for form in forms}) == 1
    assert pr.Auc(max_fpr=np.float64(0.5)) == pr.Auc(max_fpr=0.5)
    # -0.0 is the cost 0.
    assert pr.AucMu([[-0.0, 1.0], [1.0, 0.0]]) == pr.AucMu([[0, 1], [1, 0]])


def test_objects_keep_their_own_copy() -> None:
    costs = np.array(COSTS, dtype=float)
    measure = pr.AucMu(partition=costs, pair_weights=costs)
    before = repr(measure), hash(measure)
    costs[0, 1] = 99.0
    assert (repr(measure), hash(measure)) == before
    matrix: Any
    for matrix in (measure.partition, measure.pair_weights):
        with pytest.raises(ValueError, match="read-only"):
            matrix[0, 1] = 2.0


def test_large_options_print_shortly() -> None:
    costs = np.ones((200, 200)) - np.eye(200)
    assert len(repr(pr.AucMu(partition=costs))) < 200


def test_results_are_plain() -> None:
    y, P = [0, 1, 2, 0], np.random.default_rng(0).random((4, 3))
    for name in ("hand_till", "auc_mu", "one_vs_rest", "polar_area"):
        assert type(getattr(pr, name)(y, P)) is float
    assert type(pr.auc([0, 1], [1, 2])) is float
    assert type(pr.auc([0, 1], [1, 2], max_fpr=0.5)) is float
    for kind in ("hand_till", "conditional", "auc_mu"):
        values, tied = pr.pairwise(y, P, kind=kind, return_ties=True)
        assert type(values) is type(tied) is np.ndarray
        assert values.flags.writeable


def test_input_is_left_alone() -> None:
    rng = np.random.default_rng(1)
    y, P, w = rng.integers(0, 3, 50), rng.random((50, 3)), rng.random(50)
    W = np.array(COSTS, dtype=float)
    before = [a.copy() for a in (y, P, w, W)]
    for a in (y, P, w, W):
        a.flags.writeable = False
    for measure in (
        pr.HandTill(W),
        pr.AucMu(W, W),
        pr.OneVsRest(),
        pr.OneVsRest("micro"),
        pr.PolarArea(),
    ):
        measure(y, P, sample_weight=w)
    pr.auc(y > 0, P[:, 1], sample_weight=w, max_fpr=0.5)
    for a, b in zip((y, P, w, W), before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_version() -> None:
    assert pr.__version__ == version("polyroc")
    cargo = (Path(__file__).parents[1] / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.+)"$', cargo, re.MULTILINE)
    assert found is not None
    assert pr.__version__ == found[1]


def test_example_predictions() -> None:
    y, predictions = pr.example_predictions()
    assert len(predictions) >= 3
    assert len(np.unique(y)) >= 7
    for scores in predictions.values():
        assert scores.dtype == np.float32
        assert scores.shape == (len(y), len(np.unique(y)))
        assert 0.5 < pr.auc_mu(y, scores) <= 1
    again = pr.example_predictions()[1]
    for name, scores in predictions.items():
        np.testing.assert_array_equal(again[name], scores)


def child(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


def test_import_prints_nothing_and_pulls_in_nothing_but_numpy() -> None:
    heavy = ["pandas", "polars", "pyarrow", "scipy", "sklearn", "matplotlib", "torch"]
    code = f"import sys, polyroc; sys.exit(any(m in sys.modules for m in {heavy}))"
    done = child(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.slow
def test_calls_print_nothing() -> None:
    code = (
        "import polyroc as pr; p = [[.7,.2,.1],[.1,.6,.3],[.3,.3,.4]]; y = [0,1,2];"
        "[m(y, p) for m in (pr.hand_till, pr.auc_mu, pr.one_vs_rest, pr.polar_area, pr.pairwise)]"
    )
    done = child(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.slow
def test_the_module_is_the_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "polyroc"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
    for word in ("evaluate", "compare", "bradley", "example"):
        assert word.lower() in done.stdout.lower()
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_objects_serve_as_metrics_of_scikit_learn() -> None:
    from sklearn.datasets import load_iris
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import cross_val_score
    from sklearn.naive_bayes import GaussianNB

    X, y = load_iris(return_X_y=True)
    scorer = make_scorer(pr.AucMu(), response_method="predict_proba")
    assert "auc_mu" in repr(scorer)
    assert (cross_val_score(GaussianNB(), X, y, scoring=scorer) > 0.9).all()


def test_options_that_do_not_apply_are_errors() -> None:
    with pytest.raises(ValueError, match=r'^ties is for kind="auc_mu" only'):
        pr.pairwise([0, 1], [0.1, 0.2], ties="exact")
    with pytest.raises(ValueError, match=r"^average is 'weighted'; scikit-learn's name for"):
        pr.OneVsRest("weighted")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^absent is .*; choose one of") as error:
        pr.HandTill(None, np.zeros(10_000))  # type: ignore[arg-type]
    assert len(str(error.value)) < 200
