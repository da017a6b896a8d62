"""A page can be made again from its rows: what was altered is found, whatever held the rows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._data.sample import prepare
from polyroc._report.origin import origin
from polyroc._report.page.differences import differences
from polyroc._report.page.held import held_in
from polyroc._report.page.page import page
from polyroc._report.verify import Rows, verify

pytest.importorskip("jinja2")

N = 60
RUN: dict[str, Any] = {"n_resamples": 49, "seed": 5}


def _data(k: int = 3) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(2)
    y = np.arange(N) % k
    return y, {name: np.eye(k)[y] + rng.normal(size=(N, k)) for name in ("a", "b")}


def _origin(report: pr.Report) -> dict[str, Any]:
    given = report._given
    return origin(report, {name: prepare(given.y_true, scores, **given.options)
                           for name, scores in given.models.items()})  # fmt: skip


def _verified(text: str, rows: Rows) -> list[str]:
    return verify(text, held_in(text), rows, None)


def _rows(y: Any, models: Any, k: int = 3, **more: Any) -> Rows:
    return Rows(np.asarray(y), [str(label) for label in range(k)], models, **more)


OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "groups": {"groups": np.arange(N) // 3},
    "weights": {"sample_weight": 1.0 + np.arange(N) % 4},
    "stratified": {"stratify": True, "confidence": 0.9},
    "measures": {"measure": {"mu": pr.AucMu(partition=1 - np.eye(3)), "M": "hand_till"}},
}


@pytest.mark.parametrize("case", OPTIONS)
def test_the_same_rows_give_the_same_page(case: str) -> None:
    y, models = _data()
    given = dict(OPTIONS[case])
    text = page(pr.evaluate(y, models, given.pop("measure", None), **given, **RUN))
    rows = _rows(y, models, weights=given.get("sample_weight"), groups=given.get("groups"))
    assert _verified(text, rows) == []


def test_two_classes_by_one_column_the_first_one_favoured() -> None:
    y, models = _data(2)
    scores = models["a"][:, 0].astype(np.float32)
    text = page(pr.evaluate(y == 1, scores, pos_label=False, **RUN))
    # As a file has them: lower case, double precision, under another name.
    rows = Rows(y, ["false", "true"], {"file": scores.astype(np.float64)})
    assert _verified(text, rows) == []


def test_columns_models_and_groups_may_come_in_another_order() -> None:
    y, models = _data()
    groups = np.arange(N) // 4
    text = page(pr.evaluate(y, models, groups=groups, **RUN))
    other = np.array([2, 0, 1])  # the place of each class among those of the file
    turned = {f"file {name}": scores[:, np.argsort(other)]
              for name, scores in reversed(models.items())}  # fmt: skip
    classes = [str(label) for label in np.argsort(other)]
    rows = Rows(other[y], classes, turned, groups=[f"group {99 - g}" for g in groups])
    assert _verified(text, rows) == []


def test_every_number_of_a_page_is_held_against_the_rows() -> None:
    y, models = _data()
    text = page(pr.evaluate(y, models, "auc_mu", **RUN))
    rows = _rows(y, models)
    numbers = [found for found in re.finditer(r"\d+\.\d+", text) if found.start() > 4000]
    rng = np.random.default_rng(1)
    for k in rng.choice(len(numbers), 25, replace=False).tolist():
        at = numbers[k].end() - 1
        digit = str((int(text[at]) + 1) % 10)
        altered = text[:at] + digit + text[at + 1 :]
        assert list(differences(altered, text)), text[at - 80 : at + 20]
    at = text.index(">0.", text.index('id="measures"')) + 4
    altered = text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1 :]
    (only,) = _verified(altered, rows)
    assert only.startswith("shown in 'measures': '0.")


def test_what_differs_is_told() -> None:
    y, models = _data()
    text = page(pr.evaluate(y, models, **RUN))
    held = held_in(text)
    assert _verified(text.replace("</h1>", "!</h1>"), _rows(y, models)) == [
        "shown in the summary: 'Report: a, b!', computed 'Report: a, b'"
    ]
    seed = text.replace('"seed":5', '"seed":6')
    assert any(".seed: 6" in told or "seed" in told for told in _verified(seed, _rows(y, models)))
    version = text.replace(held["version"], "0.0.1")
    assert _verified(version, _rows(y, models))[0].startswith("made by polyroc 0.0.1, and this is")
    added = text.replace("</main>", "<p>and 0.9999</p></main>")
    assert any("0.9999" in told for told in _verified(added, _rows(y, models)))
    twice = text.replace('"version":', '"version":"9","version":', 1)
    assert _verified(twice, _rows(y, models))[0].startswith("character ")


def test_other_rows_are_told_apart() -> None:
    y, models = _data()
    text = page(pr.evaluate(y, models, **RUN))
    other = {**models, "b": models["b"] + 1e-9}
    assert _verified(text, _rows(y, other)) == ["the scores of 'b' are not those of the page"]
    swapped = y.copy()
    swapped[:2] = swapped[1::-1]
    assert _verified(text, _rows(swapped, models)) == [
        "the labels are not those of the page, which has others"
    ]
    weighted = _verified(text, _rows(y, models, weights=np.full(N, 2.0)))
    assert weighted == ["the weights are not those of the page, which has none"]
    grouped = page(pr.evaluate(y, models, groups=np.arange(N) // 2, **RUN))
    assert "were read without" in _verified(grouped, _rows(y, models))[0]
    assert "is not on the page" in _verified(text, Rows(y, ["0", "1", "x"], models))[0]
    missing = _verified(text, _rows(y, {"a": models["a"], "c": models["b"] + 1}))
    assert missing == ["no model of the data is 'b'; they are ['a', 'c']"]


def test_hashes_do_not_depend_on_what_holds_the_rows() -> None:
    y, models = _data()
    polars = pytest.importorskip("polars")
    names = np.array(["x", "y", "z"])
    one = pr.evaluate(names[y], models, "auc_mu", groups=list(range(N)), **RUN)
    frames = {name: polars.DataFrame(scores, schema=["x", "y", "z"])
              for name, scores in models.items()}  # fmt: skip
    two = pr.evaluate(
        polars.Series(names[y]), frames, "auc_mu", groups=[f"g{k}" for k in range(N)], **RUN
    )
    assert _origin(one)["rows"] == _origin(two)["rows"]
    signed = {name: np.where(scores == scores[0, 0], -0.0, scores)
              for name, scores in models.items()}  # fmt: skip
    unsigned = {name: scores + 0.0 for name, scores in signed.items()}
    hashes = [_origin(pr.evaluate(y, each, "auc_mu", **RUN))["hash"] for each in (signed, unsigned)]
    assert hashes[0] == hashes[1]


def test_what_is_no_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no page of a polyroc report"):
        held_in("<html></html>")
    with pytest.raises(ValueError, match="no JSON"):
        held_in('<script type="application/json" id="data">{]</script>')
    with pytest.raises(ValueError, match="lack 'version'"):
        held_in(f'<script type="application/json" id="data">{json.dumps({})}</script>')
