"""One report: the numbers of the library's own calls, and the warnings that a reader needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polyroc as pr
import pytest

RUN: dict[str, Any] = {"n_resamples": 99, "seed": 3}


def _classes(n: int = 90, k: int = 3, seed: int = 1) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    good, poor = (np.eye(k)[y] * away + rng.normal(size=(n, k)) for away in (1.5, 0.5))
    return np.array([f"c{i}" for i in y]), good, poor


def test_numbers_are_those_of_the_calls_it_stands_for() -> None:
    y, good, poor = _classes()
    report = pr.evaluate(y, {"good": good, "poor": poor}, **RUN)
    for model, scores in (("good", good), ("poor", poor)):
        apart = pr.bootstrap(y, scores, "hand_till", pairs=True, stratify=False, **RUN)
        assert report.by_pair[model] == apart.pairs
        for name, one in report.measures[model].items():
            alone = pr.bootstrap(y, scores, one.measure, stratify=False, **RUN)
            assert (one.estimate, one.interval.tolist()) == (
                alone.estimate, alone.interval.tolist(),
            ), name  # fmt: skip
        each = pr.bootstrap(y, scores, pr.OneVsRest(None), stratify=False, **RUN)
        found = report.by_class[model]["AUC against the rest"]
        assert found.interval.tolist() == each.interval.tolist()
        pairs = pr.pairwise(y, scores)
        np.testing.assert_array_equal(report.by_pair[model].estimate, pairs)
    assert report.comparison == pr.compare(y, {"good": good, "poor": poor}, "auc_mu")


def test_two_classes_have_one_table() -> None:
    y, good, _ = _classes(k=2)
    report = pr.evaluate(y, good[:, 1], **RUN)
    assert report.models == ("model",)
    assert not report.by_class
    assert not report.by_pair
    assert report.comparison is None
    text = repr(report)
    assert text.startswith("Report of 1 model: model\n  90 rows, 2 classes: 'c0' 45, 'c1' 45\n")
    assert "auc  " in text
    assert "99 replicates of 90 rows" in text
    with pytest.raises(ValueError, match="three classes or more"):
        report.to_frame(what="pairs")
    with pytest.raises(ValueError, match="there is one only"):
        report.to_frame(what="models")


def test_the_normalised_polar_area_is_named_so_wherever_it_stands() -> None:
    y, good, _ = _classes()
    report = pr.evaluate(y, good, **RUN)
    name = "polar_area, normalised"
    assert report.measures["model"][name].estimate == pr.polar_area(y, good, normalize=True)
    assert "polar_area" not in report.measures["model"]
    assert name in report.to_dict()["measures"]["model"]
    assert name in report.to_frame("pandas")["measure"].tolist()
    for text in (repr(report), report.to_markdown(), report.to_latex()):
        shown = text.replace(r"\_", "_")
        assert shown.count(name) == shown.count("polar_area") == 1
    alone = pr.evaluate(y, good, measure="polar_area", **RUN)  # as `polar_area` itself is
    assert alone.measures["model"]["polar_area"].estimate == pr.polar_area(y, good)


def test_pdi_and_the_h_measure_of_many_classes_are_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    y, good, _ = _classes()
    report = pr.evaluate(y, good, **RUN)
    for name, value in (("pdi", pr.pdi(y, good)), ("h_measure", pr.h_measure(y, good))):
        assert report.measures["model"][name].estimate == value
        low, high = report.to_dict()["measures"]["model"][name]["interval"]
        assert low < value < high
        assert name in report.to_frame("pandas")["measure"].tolist()
        assert f"\n  {name}  " in repr(report)
    monkeypatch.setattr("polyroc._report.chosen.MOST_HULLS", 90 * 2 * 99 - 1)
    large = pr.evaluate(y, good, **RUN)
    assert "h_measure" not in large.measures["model"]
    (said,) = (text for text in large.warnings if text.startswith("h_measure is left out"))
    assert "99 replicates of 90 rows in 3 classes" in said
    assert said in large.to_dict()["warnings"]
    asked = pr.evaluate(y, good, ["auc_mu", "h_measure"], **RUN)  # whatever it takes
    assert "h_measure" in asked.measures["model"]
    assert said not in asked.warnings


def test_both_proportions_correct_are_in_it() -> None:
    y, good, _ = _classes()
    found = pr.evaluate(y, good, **RUN).measures["model"]
    for pairs, name in ((False, "proportion_correct"), (True, "proportion_correct, pairs")):
        alone = pr.bootstrap(y, good, pr.ProportionCorrect(pairs=pairs), **RUN)
        assert found[name].estimate == pr.proportion_correct(y, good, pairs=pairs)
        assert found[name].interval.tolist() == alone.interval.tolist()


def test_a_class_without_rows_has_no_number_in_the_table_of_classes() -> None:
    y, good, _ = _classes()
    kept = y != "c2"
    options: dict[str, Any] = {"labels": ["c0", "c1", "c2"], "absent": "skip"}
    text = repr(pr.evaluate(y[kept], good[kept], **options, **RUN))
    assert "nan" not in text
    assert "\n  c2        0  -\n" in text


def test_measures_of_other_rows_are_refused_with_a_way_out() -> None:
    y, good, _ = _classes()
    marks, scores = np.eye(3)[np.arange(90) % 3], good
    marks[:5, 0] = np.nan
    with pytest.raises(ValueError, match=r"where a row may have many labels use multilabel"):
        pr.evaluate(marks, scores, **RUN)
    many = r"^Multilabel\('auc'\) is for rows with many labels, .* pass it to bootstrap"
    with pytest.raises(ValueError, match=many):
        pr.evaluate(marks, scores, pr.Multilabel("auc"), **RUN)
    with pytest.raises(ValueError, match=r"^Vus\(\) orders 3 classes by one score, and a report"):
        pr.evaluate(y, good[:, 0], "vus", **RUN)
    two = y != "c2"
    found = pr.evaluate(y[two], good[two, 1], "vus", **RUN).measures["model"]["vus"]
    assert found.estimate == pr.auc(y[two], good[two, 1])


def test_absent_classes_leave_pdi_and_the_h_measure_defined() -> None:
    y, good, _ = _classes()
    kept = y != "c2"
    options: dict[str, Any] = {"labels": ["c0", "c1", "c2"], "absent": "skip"}
    report = pr.evaluate(y[kept], good[kept], **options, **RUN)
    for name in ("pdi", "h_measure"):
        alone = getattr(pr, name)(y[kept], good[kept], **options)
        assert report.measures["model"][name].estimate == alone


def test_what_is_warned_of_is_said_once() -> None:
    y, good, poor = _classes()
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(good, columns=["u", "v", "w"])
    with pytest.warns(UserWarning, match="no column of y_score is named after a class") as said:
        pr.evaluate(y, frame, **RUN)
    assert len(said) == 1
    assert said[0].filename == __file__
    both = {"good": frame, "poor": pandas.DataFrame(poor, columns=["x", "y", "z"])}
    with pytest.warns(UserWarning, match="no column of y_score is named after a class") as said:
        pr.evaluate(y, both, **RUN)
    assert len(said) == 2


def test_other_forms() -> None:
    y, good, poor = _classes()
    report = pr.evaluate(y, {"good": good, "poor": poor}, **RUN)
    plain = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert plain["measures"]["good"]["auc_mu"]["estimate"] == pr.auc_mu(y, good)
    assert "replicates" not in plain["measures"]["good"]["auc_mu"]
    assert len(report.to_dict(replicates=True)["measures"]["good"]["auc_mu"]["replicates"]) == 99
    frame = report.to_frame("pandas")
    assert frame["model"].unique().tolist() == ["good", "poor"]
    assert report.to_frame("pandas", what="classes").shape[0] == 2 * 3
    assert report.to_frame("pandas", what="pairs")["first"].tolist()[:2] == ["c0", "c0"]
    assert report.to_frame("pandas", what="models")["difference"].tolist() == [
        report.comparison.difference  # type: ignore[union-attr]
    ]
    assert "<table" in report._repr_html_()
    assert report.to_markdown().startswith("| measure | good | poor |")


def test_many_models_stand_below_each_other() -> None:
    y, good, _ = _classes()
    report = pr.evaluate(y, {f"m{i}": good + i for i in range(5)}, "auc_mu", **RUN)
    lines = repr(report).splitlines()
    assert any(line.split()[:2] == ["auc_mu", "m4"] for line in lines)


@pytest.mark.parametrize(
    ("y", "scores", "options", "text"),
    [
        ([0] * 5 + [1] * 300, np.arange(305) % 7, {}, "fewer than 20 rows in class 0 (5)"),
        ([0] * 5 + [1] * 300, np.arange(305) % 7, {}, "60 times the rows of the smallest"),
        ([0, 1] * 50, np.arange(100) % 3, {}, "of the pairs of rows tie"),
        ([0, 1] * 50, np.arange(100) % 2, {}, "perfectly separated, so that its AUC is 1"),
        ([1, 0] * 50, np.arange(100) % 2, {}, "its AUC is below one half"),
        (
            [0, 1] * 50, np.arange(100.0), {"sample_weight": np.arange(100.0) ** 2 + 1},
            "weights are uneven: the 50 rows of class 0 are worth 27.5 of equal weight",
        ),
        (
            [0, 1] * 50, np.arange(100.0), {"sample_weight": np.arange(100.0) ** 6 + 1},
            "fewer than 20 effective rows in classes 0 (13.1 of 50), 1 (13.3 of 50): what",
        ),
        ([0, 1] * 50, np.arange(100) % 7, {"groups": np.arange(100) // 20}, "20 groups in classes"),
    ],
)  # fmt: skip
def test_warnings(y: Any, scores: Any, options: Any, text: str) -> None:
    report = pr.evaluate(y, scores, "auc", **options, **RUN)
    assert any(text in warning for warning in report.warnings), report.warnings


@pytest.mark.parametrize(
    ("k", "swapped"), [(3, (1, 2, 0)), (6, (0, 1, 2, 3, 5, 4)), (4, (3, 2, 1, 0))]
)
def test_columns_in_another_order_are_asked_about(k: int, swapped: tuple[int, ...]) -> None:
    y, good, poor = _classes(120 * k, k)
    right = pr.evaluate(y, {"good": good, "poor": poor}, "auc_mu", **RUN)
    assert not [text for text in right.warnings if "order" in text]
    wrong = pr.evaluate(y, {"good": good, "turned": good[:, swapped]}, "auc_mu", **RUN)
    (asked,) = [text for text in wrong.warnings if "are the columns in another order" in text]
    assert asked.startswith("turned: the column of class 'c")
    moved = sum(place != k for k, place in enumerate(swapped))
    assert f"and {moved} classes are so" in asked
    labels = np.unique(y)[list(swapped)]  # the class of each column
    mended = pr.evaluate(y, good[:, swapped], "auc_mu", labels=labels, **RUN)
    assert not [text for text in mended.warnings if "order" in text]


@pytest.mark.parametrize(("n", "k"), [(60, 3), (400, 4), (3000, 10)])
def test_scores_without_value_are_said_to_be_so_and_no_more(n: int, k: int) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        report = pr.evaluate(np.arange(n) % k, rng.normal(size=(n, k)), "hand_till", **RUN)
        asked = [text for text in report.warnings if "another order" in text]
        assert not [text for text in asked if "below one half" not in text]
    y, good, _ = _classes(400, 4)
    shuffled = rng.permutation(y)
    told = pr.evaluate(shuffled, good, "auc_mu", **RUN).warnings
    assert any("auc_mu is not told from chance" in text for text in told)


def test_an_absent_class_is_refused_or_left_out() -> None:
    y, good, _ = _classes()
    wide = np.column_stack([good, np.zeros(90)])
    labels = ["c0", "c1", "c2", "c3"]
    with pytest.raises(ValueError, match="c3"):
        pr.evaluate(y, wide, labels=labels, **RUN)
    report = pr.evaluate(y, wide, labels=labels, absent="skip", **RUN)
    assert any(text.startswith("no rows of class 'c3'") for text in report.warnings)
    json.dumps(report.to_dict(), allow_nan=False)


def test_progress_counts_all_runs() -> None:
    y, good, poor = _classes()
    seen: list[tuple[int, int]] = []
    pr.evaluate(y, {"good": good, "poor": poor}, progress=lambda *at: seen.append(at), **RUN)
    assert seen[-1] == (2 * 99, 2 * 99)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_no_model() -> None:
    with pytest.raises(ValueError, match="y_score holds no model"):
        pr.evaluate([0, 1], {})


def test_the_page_says_which_class_was_favoured_where_that_is_not_the_last(tmp_path: Path) -> None:
    y = np.array(["ill", "well"] * 20)
    score = np.linspace(0.0, 1.0, 40)
    told: dict[str, dict[str, Any]] = {"said": {"pos_label": "ill"}, "default": {}}
    for name, options in told.items():
        pr.evaluate(y, score, **options, **RUN).save(tmp_path / name)
    assert "pos_label=&#39;ill&#39;" in (tmp_path / "said").read_text()
    assert "pos_label" not in (tmp_path / "default").read_text().split("How to reproduce")[1]
