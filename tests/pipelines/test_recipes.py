"""The recipes of docs/recipes.md, run as they stand there, where their packages are installed."""

from __future__ import annotations

import logging
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polyroc as pr
import pytest

from given.shards import softmax_rows

PAGE = Path(__file__).parents[2] / "docs" / "recipes.md"
LABELS = ["bird", "cat", "dog"]
RECIPES = dict(re.findall(r"```python\n# (\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S))
ROWS = softmax_rows(2000, 3, "moderate", seed=4)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.engine,
    pytest.mark.xdist_group("recipes"),
    # What other packages say about themselves is no fault of a recipe.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]


def run(name: str) -> dict[str, Any]:
    """Run a recipe; return its names."""
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(RECIPES[name], f"recipes.md, {name}", "exec"), names)
    return names


def needs(package: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"the recipe of {package} is not tested: {package} is not installed")


@pytest.fixture(autouse=True)
def _predictions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(ROWS.P, columns=[f"p_{label}" for label in LABELS])
    frame = frame.assign(label=np.array(LABELS)[ROWS.y], id=np.arange(len(ROWS.y)))
    frame.to_parquet("predictions.parquet")


def test_all_recipes_are_tested() -> None:
    assert list(RECIPES) == ["sql", "duckdb", "daft", "ray", "torch", "mlflow"]


@pytest.mark.parametrize("name", ["sql", "duckdb", "daft"])
def test_counts_of_an_engine_give_the_value_of_the_rows(name: str) -> None:
    if name != "sql":
        needs(name)
    state = run(name)["state"]
    assert state.exact
    assert state.class_counts.tolist() == np.bincount(ROWS.y).tolist()
    assert state.compute()["hand_till"].estimate == pr.hand_till(ROWS.y, ROWS.P)


def test_states_of_ray_blocks_give_the_value_of_the_rows() -> None:
    needs("ray")
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        names = run("ray")
    finally:
        ray.shutdown()
    assert len(names["pieces"]) == 4
    found = names["state"].compute()
    assert found["hand_till"].estimate == pr.hand_till(ROWS.y, ROWS.P)
    truth = pr.auc_mu(ROWS.y, ROWS.P, ties="exact")
    assert found["auc_mu"].estimate == pytest.approx(truth, abs=1e-12)


def test_a_report_is_logged_to_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # a database would need the whole of it
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "runs").as_uri())
    names = run("mlflow")
    import mlflow

    (logged,) = mlflow.search_runs(output_format="list")
    for name, result in names["report"].measures["model"].items():
        assert logged.data.metrics[name] == result.estimate
        assert logged.data.metrics[f"{name}_high"] == result.interval[1]
    kept = {file.path for file in mlflow.MlflowClient().list_artifacts(logged.info.run_id)}
    assert kept == {"polyroc.json", "report.html"}


def test_a_metric_of_pytorch(capsys: pytest.CaptureFixture[str]) -> None:
    needs("torch")
    run("torch")
    y, models = pr.example_predictions()
    told = f"hand_till {pr.hand_till(y, models['naive Bayes']):.4f}, exact"
    assert told in capsys.readouterr().out
