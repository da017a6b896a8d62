"""Names and signatures, and what every call keeps to."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.measure_objects import NEEDING, OBJECTS, REQUIRED

NAMES: list[str] = vars(pr)["__all__"]
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
        "from_cells",
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
    W = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
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


def test_options_that_do_not_apply_are_errors() -> None:
    with pytest.raises(ValueError, match=r'^ties is for kind="auc_mu" only'):
        pr.pairwise([0, 1], [0.1, 0.2], ties="exact")
    with pytest.raises(ValueError, match=r"^average is 'weighted'; scikit-learn's name for"):
        pr.OneVsRest("weighted")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^absent is .*; choose one of") as error:
        pr.HandTill(None, np.zeros(10_000))  # type: ignore[arg-type]
    assert len(str(error.value)) < 200
