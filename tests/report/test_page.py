"""The page of a report: its numbers are the library's, and names from the data do nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._figures.thinned import thinned
from polyroc._measures.registry import MEASURES, WITH_OPTIONS
from polyroc._report.page.held import held_in
from polyroc._report.page.page import page
from polyroc._report.page.thresholds import threshold_texts
from polyroc._report.page.words import meaning, methods
from polyroc._stats.wilson_interval import wilson

pytest.importorskip("jinja2")

EVIL = "</script><script>alert(1)</script>"


def _page(tmp_path: Path, k: int = 3, names: tuple[str, str] = ("a", "b")) -> tuple[str, Any, Any]:
    rng = np.random.default_rng(1)
    y = np.arange(40 * k) % k
    models = {name: np.eye(k)[y] * 1.2 + rng.normal(size=(40 * k, k)) for name in names}
    if k == 2:
        models = {name: scores[:, 1] for name, scores in models.items()}
    labels = np.array([f"<b>{i}</b>" for i in y])
    report = pr.evaluate(labels, models, n_resamples=99, seed=1)
    report.save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert held is not None
    return text, json.loads(held[1]), report


@pytest.mark.parametrize("k", [2, 4])
def test_numbers_are_those_of_the_report(k: int, tmp_path: Path) -> None:
    text, data, report = _page(tmp_path, k)
    assert data["report"] == json.loads(json.dumps(report.to_dict()))
    for model, results in report.measures.items():
        for one in results.values():
            assert f'data-value="{float(one.estimate)!r}"' in text, model
    assert data["verdicts"][0] in text
    curve = next(iter(data["curves"]["a"].values()))
    assert (curve["fp"][0], curve["tp"][-1]) == (0, curve["p"])


def test_words_name_measures_weights_and_intervals(tmp_path: Path) -> None:
    _, data, report = _page(tmp_path)
    assert re.match(r"[ab] (beats|and) [ab] (in|are not told apart by) auc_mu", data["verdicts"][0])
    assert "on 120 rows of 3 classes" in data["methods"]
    assert "rates of confusion matrices are Wilson's." in data["methods"]
    assert "\n  AUC against the rest, by class:\n  class " in repr(report)
    y = np.arange(60) % 2
    weighted = pr.evaluate(y, np.arange(60) % 7, "auc", n_resamples=49, sample_weight=1.0 + y)
    assert "on 60 weighted rows of 2 classes" in methods(weighted)
    assert "are Wilson's for the effective number of rows (Korn and Graubard" in methods(weighted)


def test_thresholds_give_the_counts_again(tmp_path: Path) -> None:
    _, data, report = _page(tmp_path, 2)
    scores = np.asarray(report._given.models["a"])
    y = np.asarray(report._given.y_true) == "<b>1</b>"
    curve = data["curves"]["a"]["<b>1</b>"]
    for k, threshold in enumerate(curve["thresholds"]):
        said = scores >= float(threshold)
        assert (curve["tp"][k], curve["fp"][k]) == ((said & y).sum(), (said & ~y).sum())


@pytest.mark.parametrize("way", ["plain", "weights", "groups"])
def test_the_slider_has_the_librarys_intervals_at_every_position(way: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    y = np.arange(90) % 3
    scores = rng.normal(size=(90, 3)) + np.eye(3)[y]
    ways: dict[str, dict[str, Any]] = {
        "plain": {}, "weights": {"sample_weight": 1.0 + y}, "groups": {"groups": np.arange(90) // 4}
    }  # fmt: skip
    options = ways[way]
    report = pr.evaluate(y, scores, "auc_mu", n_resamples=49, seed=1, **options)
    report.save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    said = {"plain": "Wilson's, and", "weights": "worth with its weights, and",
            "groups": "worth with its groups, and"}[way]  # fmt: skip
    assert said in html.unescape(text)
    curve = held_in(text)["curves"]["model"]["1"]
    assert ("effective" in curve) is (way != "plain")
    for k, threshold in enumerate(curve["thresholds"]):
        c = pr.confusion(y == 1, scores[:, 1], threshold=float(threshold), **options)
        for name in ("sensitivity", "specificity", "ppv", "npv"):
            value, (low, high) = getattr(c, name)[1], c.interval[name][1]
            if way == "plain" or np.isnan(value):
                continue
            n = curve["effective"][name][k]
            if n is None:
                assert np.isnan(low)
            else:
                np.testing.assert_allclose(wilson(value * n, n, 0.95), (low, high), atol=1e-7)


def test_more_models_than_colours(tmp_path: Path) -> None:
    y = np.arange(60) % 3
    rng = np.random.default_rng(1)
    models = {f"m{k}": np.eye(3)[y] + rng.normal(size=(60, 3)) for k in range(7)}
    report = pr.evaluate(y, models, "auc_mu", n_resamples=49, seed=1)
    report.save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count("<option>m") == 7
    assert 'data-slot="4"' in text
    assert 'data-slot="5"' not in text
    assert len(re.findall(r'class="verdict"', text)) == 21


def test_thresholds_have_few_digits_that_give_the_same_rows() -> None:
    rng = np.random.default_rng(3)
    for kind in (np.float64, np.float32):
        scores = np.unique(np.concatenate([rng.normal(size=300) * 10.0 ** rng.integers(-9, 9, 300),
                                           [0.0, 1.0, 1.0 + 1e-9]]).astype(kind))  # fmt: skip
        falling = np.concatenate([[np.inf], scores[::-1].astype(np.float64)])
        texts = threshold_texts(falling, np.arange(len(falling)), kind)
        assert texts[0] == "inf"
        for text, threshold in zip(texts, falling, strict=True):
            assert np.array_equal(scores >= kind(float(text)), scores >= threshold), text
        assert np.mean([len(text) for text in texts]) < 8


def test_every_measure_is_explained() -> None:
    for listed in (MEASURES, WITH_OPTIONS):
        for name, measure in listed.items():
            assert meaning(measure), name
    assert meaning(pr.ProportionCorrect(pairs=True)) != meaning(pr.ProportionCorrect())


def test_intervals_of_hulls_are_explained() -> None:
    y, scores = [0, 1] * 20, np.arange(40) % 7
    report = pr.evaluate(y, scores, ["auc", "h_measure"], n_resamples=99, seed=1)
    told = "h_measure: the interval is without what thresholds look too good by"
    assert told in repr(report)
    assert told in page(report)
    assert "That of h_measure is by Student's t" in methods(report)
    assert "thresholds" not in methods(pr.evaluate(y, scores, "auc", n_resamples=99, seed=1))


def test_an_order_of_classes_is_reproduced() -> None:
    y, scores = np.array(["low", "mid", "top"])[np.arange(30) % 3], np.eye(3)[np.arange(30) % 3]
    for labels, text in ((["low", "top", "mid"], "labels=['low', 'top', 'mid']"),
                         (["low", "mid", "top"], "seed=1)")):  # fmt: skip
        report = pr.evaluate(y, scores, "auc_mu", labels=labels, n_resamples=49, seed=1)
        assert text in html.unescape(page(report)).split("How to reproduce")[1]


def test_names_do_nothing(tmp_path: Path) -> None:
    text, _, _ = _page(tmp_path, 3, (EVIL, 'x" onload="alert(2)'))
    assert EVIL not in text
    assert "<b>0</b>" not in text
    attributes: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda _, found: attributes.extend(  # type: ignore[method-assign, assignment]
        name for name, _ in found
    )
    parser.feed(text)
    assert "id" in attributes
    assert not [name for name in attributes if name.startswith("on")]
    assert text.count("<script") == 2


def test_one_script_is_allowed_and_nothing_is_fetched(tmp_path: Path) -> None:
    text, _, _ = _page(tmp_path)
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text
    assert "default-src 'none'" in text
    fetched = re.findall(r'(?:src|href)="(?!data:|#)([^"]*)"', text)
    assert fetched == []


def test_a_page_is_whole_or_not_there(tmp_path: Path) -> None:
    _, _, report = _page(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        report.save(tmp_path / "nowhere" / "page.html")
    with pytest.raises(IsADirectoryError):
        report.save(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html"]


def test_thinned_curves_stay_near() -> None:
    rng = np.random.default_rng(1)
    x, y = np.sort(rng.random(5000)), np.sort(rng.random(5000))
    kept = thinned(x, y, 0.002, 5000)
    near = np.interp(x, x[kept], y[kept])
    slope = np.abs(near - y)
    assert {0, 4999} <= set(kept.tolist())
    assert len(kept) < 1000
    assert slope.max() < 0.05
    assert len(thinned(x, y, 1e-9, 50)) <= 50


def test_a_page_of_many_classes_with_weights_is_not_heavy(tmp_path: Path) -> None:
    """Twenty classes, three models, curves with more points than are held: below 2 MB."""
    rng = np.random.default_rng(2)
    y = np.arange(6000) % 20
    models = {f"model {m}": rng.normal(size=(6000, 20)) + np.eye(20)[y] for m in range(3)}
    weights = rng.uniform(0.1, 3.0, 6000)
    pr.evaluate(y, models, n_resamples=19, seed=1, sample_weight=weights).save(tmp_path / "p.html")
    assert (tmp_path / "p.html").stat().st_size < 2_000_000


def test_words_for_people(tmp_path: Path) -> None:
    """One pair has no adjusted p; weighted counts are said to be sums of weights."""
    text, _, _ = _page(tmp_path)
    assert "p (adjusted)" not in text
    assert "p (Holm)" not in text
    assert "Accuracy differs from proportion_correct only by ties" in text
    assert "sums of weights" not in text.partition("<script")[0]
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    models = {name: y + rng.normal(size=60) for name in "abc"}
    report = pr.evaluate(y, models, "auc", n_resamples=49, seed=1, sample_weight=rng.random(60))
    report.save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "p (Holm)" in text
    assert text.partition("<script")[0].count("ums of weights") >= 2
    assert "(sums of weights)" in repr(report)
