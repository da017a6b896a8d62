"""What all results can do: dicts for JSON, data frames, tables, notebooks, equality."""

from __future__ import annotations

import copy
import datetime
import json
import math
import pickle
import re
import sys
from html.parser import HTMLParser
from typing import Any

import numpy as np
import polyroc as pr
import pytest
from polyroc._base.plain import plain
from polyroc._base.result import same
from polyroc._base.table import Column, Table

from given.bootstrap_calls import boot, matrix

BAD = '<script>alert("x")</script>'
Y, P = matrix()
MODELS = {BAD: P, "b & c": P[::-1], "under_score": np.roll(P, 1, axis=0)}
FOLDS = [
    (fold, name, value + 0.01 * fold)
    for name, value in ((BAD, 0.8), ("x", 0.85), ("y", 0.7))
    for fold in range(4)
]
FOLDS[0] = (0, BAD, 0.75)


def comparison(**options: Any) -> pr.Comparison:
    return pr.compare(Y, MODELS, "hand_till", **options)


RESULTS: dict[str, Any] = {
    "bootstrap": lambda: boot(Y, P, "hand_till"),
    "two levels": lambda: boot(Y, P, "hand_till", confidence=[0.5, 0.9], pairs=True),
    "per class": lambda: boot(Y, P, pr.OneVsRest(None)),
    "per pair": lambda: boot(Y, P, "hand_till", pairs=True).pairs,
    "delong": lambda: pr.delong(Y, P, "hand_till"),
    "delong per class": lambda: pr.delong(Y, P, pr.OneVsRest(None)),
    "test": lambda: pr.delong(Y, P, "hand_till").test(0.5),
    "test per class": lambda: pr.delong(Y, P, pr.OneVsRest(None)).test(0.5),
    "comparison": comparison,
    "margin": lambda: comparison(margin=0.1, method="bootstrap", n_resamples=50, seed=1),
    "without errors": lambda: pr.compare(
        Y == 1, {"a": P[:, 1], "b": P[:, 0]}, pr.Auc(0.5), method="permutation",
        n_resamples=20, seed=1,
    ),
    "pair": lambda: comparison().pairs[0],
    "bradley": lambda: pr.bradley(FOLDS),
    "power": lambda: pr.sample_size_auc(0.8),
    "width": lambda: pr.sample_size_width(0.9, 0.1),
    "pilot": lambda: pr.power_from_pilot(
        (0.8, 0.9), [[1e-3, 5e-4], [5e-4, 1e-3]], {BAD: 40, 1: 50, "1": 9}, {BAD: 40, 1: 50, "1": 9}
    ),
}  # fmt: skip
every_result = pytest.mark.parametrize("name", RESULTS)


# Dicts


@every_result
def test_json_takes_every_dict(name: str) -> None:
    out = RESULTS[name]().to_dict()
    assert json.loads(json.dumps(out, allow_nan=False)) == out


def test_plain_values() -> None:
    day = datetime.date(2020, 1, 2)
    given = {
        ("a", 1): np.float32(0.5), 1: math.inf, "1": -math.inf, day: (np.int64(3), np.bool_(True)),
        None: [math.nan, {"x": {1}}], np.datetime64("2020-01-01"): np.datetime64("2020", "ns"),
        "z": np.array([[1.5, np.nan]]), "d": day, "c": 1 + 2j, "b": b"x", "s": np.str_("é"),
    }  # fmt: skip
    out = plain(given)
    assert json.loads(json.dumps(out, allow_nan=False)) == out
    assert len(out) == len(given)  # 1 and "1" are two
    assert list(out.values()) == [
        0.5, None, None, [3, True], [None, {"x": [1]}], "2020-01-01T00:00:00.000000000",
        [[1.5, None]], "2020-01-02", "(1+2j)", "b'x'", "é",
    ]  # fmt: skip
    assert all(type(key) is str for key in out)


def test_names_of_folds_and_classifiers_of_any_kind_are_ready_for_json() -> None:
    days = [datetime.date(2020, 1, k) for k in (1, 2, 3)]
    names = [("a", 1), np.int64(2)]
    table = [
        (day, name, 0.5 + 0.1 * i * j) for i, day in enumerate(days) for j, name in enumerate(names)
    ]
    out = pr.bradley(table).to_dict()
    assert json.loads(json.dumps(out, allow_nan=False)) == out
    assert out["folds"] == ["2020-01-01", "2020-01-02", "2020-01-03"]
    assert out["classifiers"] == [["a", 1], 2]


def test_classes_of_one_name_both_count_in_a_dict() -> None:
    sizes = RESULTS["pilot"]().to_dict()["sizes"]
    assert sizes == {repr(BAD): 40, "1": 50, "'1'": 9}


# Data frames


@every_result
def test_frames_of_both_libraries_hold_the_same(name: str) -> None:
    result = RESULTS[name]()
    pandas, polars = result.to_frame("pandas"), result.to_frame("polars")
    assert type(pandas).__module__.startswith("pandas")
    assert type(polars).__module__.startswith("polars")
    assert list(pandas.columns) == list(polars.columns)
    assert pandas.shape == polars.shape
    for column in pandas.columns:
        cells = pandas[column].tolist()
        assert pandas[column].dtype != object or None in cells
        assert [None if cell != cell else cell for cell in cells] == polars[column].to_list()
    assert type(result.to_frame()) is type(pandas)


def test_frames_have_a_line_for_each_value_and_level() -> None:
    single = boot(Y, P, "hand_till", confidence=[0.5, 0.9])
    frame = single.to_frame()
    assert frame["confidence"].tolist() == [0.5, 0.9]
    assert frame[["low", "high"]].to_numpy().tolist() == single.interval.tolist()
    assert set(frame["measure"]) == {"hand_till"}
    each = boot(Y, P, pr.OneVsRest(None))
    frame = each.to_frame()
    assert frame["class"].tolist() == [0, 1, 2]
    assert frame["estimate"].tolist() == each.estimate.tolist()
    assert frame["standard_error"].tolist() == each.standard_error.tolist()
    pairs = boot(Y, P, "hand_till", pairs=True, confidence=[0.5, 0.9]).pairs
    frame = pairs.to_frame()
    assert frame["first"].tolist() == [0, 0, 0, 0, 1, 1]
    assert frame["second"].tolist() == [1, 1, 2, 2, 2, 2]
    for _, line in frame.iterrows():
        i, j = line["first"], line["second"]
        level = [0.5, 0.9].index(line["confidence"])
        assert line["estimate"] == pairs.estimate[i, j]
        assert [line["low"], line["high"]] == pairs.interval[level, i, j].tolist()


def test_frames_of_pairs_by_name() -> None:
    found: Any
    for found in (boot(Y, P, "hand_till", pairs=True), pr.delong(Y, P, "hand_till", pairs=True)):
        assert found.to_frame(what="pairs").equals(found.pairs.to_frame())
    with pytest.raises(ValueError, match=r'^what is "pairs" but .* compute it with pairs=True$'):
        pr.delong(Y, P, "hand_till").to_frame(what="pairs")
    with pytest.raises(ValueError, match=r"^what is 'models'; choose one of 'pairs'$"):
        pr.delong(Y, P, "hand_till").to_frame(what="models")


def test_frames_of_a_comparison() -> None:
    c = comparison()
    assert c.to_frame().equals(c.to_pandas())
    assert c.to_frame("polars").equals(c.to_polars())
    models = c.to_frame(what="models")
    assert models["model"].tolist() == list(MODELS)
    assert models["estimate"].tolist() == c.estimates.tolist()
    assert models[["low", "high"]].to_numpy().tolist() == c.intervals.tolist()
    with pytest.raises(ValueError, match=r"^what is 'all'; choose one of 'pairs', 'models'$"):
        c.to_frame(what="all")
    with pytest.raises(ValueError, match=r"^library is 'models'; pass what=\"models\"$"):
        c.to_frame("models")


def test_frames_of_one_table_have_no_other() -> None:
    results = [make() for name, make in RESULTS.items() if name in ("bradley", "power")]
    for result in results:
        message = r"^what is 'pairs' but this result has one table only; leave `what` out$"
        with pytest.raises(TypeError, match=message):
            result.to_frame(what="pairs")


@pytest.mark.parametrize("labels", [["a", "b", "c"], [0.5, 1.0, np.inf], [b"x", b"y", b"z"]])
def test_frames_take_labels_of_any_kind(labels: list[Any]) -> None:
    named = np.array(labels, dtype=object if isinstance(labels[0], bytes) else None)
    result = pr.delong(named[Y], P, pr.OneVsRest(None))
    for library in ("pandas", "polars"):
        column = result.to_frame(library)["class"].to_list()
        assert column == (list(map(str, labels)) if isinstance(labels[0], bytes) else labels)


def test_frames_without_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    result = pr.delong(Y, P)
    with pytest.raises(ValueError, match=r"^library is 'excel'; choose one of 'pandas', 'polars'"):
        result.to_frame("excel")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert type(result.to_frame()).__module__.startswith("polars")
    message = r"^a pandas data frame needs pandas: pip install pandas; \.to_dict\(\) needs nothing$"
    with pytest.raises(ImportError, match=message):
        result.to_frame("pandas")
    monkeypatch.setitem(sys.modules, "polars", None)
    message = r"^a data frame needs pandas or polars: pip install pandas, or pip install polars; "
    with pytest.raises(ImportError, match=message):
        result.to_frame()


# Markdown and LaTeX


def test_tables_of_a_paper() -> None:
    result = pr.delong([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.7], "auc")
    low, high = result.interval
    line = f"{result.estimate:.4f}", f"{result.standard_error:.2g}", f"{low:.4f} to {high:.4f}"
    assert result.to_markdown() == (
        "| measure | value | std error | 95 % DeLong (t) interval |\n"
        "| --- | --: | --: | --- |\n"
        f"| auc | {' | '.join(line)} |"
    )
    assert result.to_latex() == (
        "\\begin{tabular}{lrrl}\n\\hline\n"
        "measure & value & std error & 95 \\% DeLong (t) interval \\\\\n\\hline\n"
        f"auc & {' & '.join(line)} \\\\\n\\hline\n\\end{{tabular}}"
    )


@every_result
def test_every_table_is_one(name: str) -> None:
    result = RESULTS[name]()
    lines = result.to_markdown().splitlines()
    bars = [len(re.findall(r"(?<!\\)\|", line)) for line in lines]
    assert len(lines) >= 3
    assert len(set(bars)) == 1
    assert not re.search("<[a-z/!?]", result.to_markdown(), re.IGNORECASE)
    body = result.to_latex().splitlines()
    assert body[0].startswith(r"\begin{tabular}{")
    assert body[-1] == r"\end{tabular}"
    assert len({len(re.findall(r"(?<!\\)&", line)) for line in body if line.endswith(r"\\")}) == 1


def test_a_comparison_has_two_tables() -> None:
    c = comparison()
    assert c.to_markdown().startswith("| models | difference | 95 % interval | p | p (Holm) |")
    assert c.to_latex().splitlines()[2].startswith("models & difference & 95")
    assert c.pairs[0].to_markdown().startswith("| models | difference | interval | p |")
    page = Page(c._repr_html_())
    assert page.tags.count("th") == 4 + 5
    assert "\nmodels\ndifference\n" in page.text
    assert "  difference  " in repr(c)
    assert c.to_markdown("models").startswith("| model | hand_till | std error |")
    assert "p (Holm)" in c.to_latex()
    assert r"hand\_till" in c.to_latex("models")
    for form in (c.to_markdown, c.to_latex):
        with pytest.raises(ValueError, match=r"^what is 'all'; choose one of"):
            form("all")


def test_names_are_escaped() -> None:
    table = Table([Column("a|b", [r"x_y *z* `q` \ <b> & _i_"], left=True), Column("n", ["-0.5"])])
    assert table.to_markdown().splitlines() == [
        r"| a\|b | n |", "| --- | --: |",
        r"| x_y \*z\* \`q\` \\ &lt;b> &amp; \_i\_ | -0.5 |",
    ]  # fmt: skip
    table = Table([Column("a_b", ["50 % & {x} #1 $2 ~ ^ \\ < > | a-b - c"]), Column("n", ["-0.5"])])
    assert table.to_latex().splitlines()[4] == (
        r"50 \% \& \{x\} \#1 \$2 \textasciitilde{} \textasciicircum{} \textbackslash{} "
        r"$<$ $>$ $|$ a-b $-$ c & $-$0.5 \\"
    )
    lines = Table([Column("two\nlines", ["x\ny"], left=True)]).to_markdown().splitlines()
    assert lines == ["| two lines |", "| --- |", "| x y |"]


# Notebooks


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.styles: set[str] = set()
        self.text = ""
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.styles |= {value for name, value in attrs if name == "style"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + "\n"


@every_result
def test_notebooks_get_elements_that_leak_nothing(name: str) -> None:
    page = Page(RESULTS[name]()._repr_html_())
    assert not page.open
    assert set(page.tags) <= {"div", "table", "thead", "tbody", "tr", "th", "td", "pre"}
    assert page.attributes <= {"style", "scope"}
    for style in page.styles:
        assert style.startswith("color: inherit; background: transparent;")
        assert "url(" not in style
        assert "#" not in style
    lines = "1px solid color-mix(in srgb, currentColor 20%, transparent)"
    assert any(lines in style for style in page.styles) == ("table" in page.tags)


def test_names_in_notebooks_are_text() -> None:
    for name in ("comparison", "pair", "bradley", "pilot"):
        text = RESULTS[name]()._repr_html_()
        assert "<script" not in text
        assert "alert" in Page(text).text
    assert BAD in Page(comparison()._repr_html_()).text
    assert "b & c" in Page(comparison()._repr_html_()).text


def test_notebooks_show_what_is_printed() -> None:
    c = comparison()
    shown = Page(c._repr_html_()).text
    for line in repr(c).splitlines():
        for cell in re.split(r"\s{2,}", line.strip()):
            assert cell in shown
    result = boot(Y, P, "hand_till")
    shown = Page(result._repr_html_()).text
    assert f"{result.estimate:.4f}" in shown
    assert "99 replicates of 60 rows, stratified by class, seed 1" in shown


def test_long_tables_are_cut_in_notebooks_alone() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(120) % 30
    result = pr.delong(y, rng.random((120, 30)), pr.OneVsRest(None))
    assert Page(result._repr_html_()).tags.count("tr") == 21
    assert "and 10 more rows: .to_frame() has them all" in result._repr_html_()
    assert len(result.to_markdown().splitlines()) == 32
    assert len(result.to_frame()) == 30


# Equality


@every_result
def test_equal_results_are_equal(name: str) -> None:
    one, other = RESULTS[name](), RESULTS[name]()
    for again in (other, copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert again == one
        assert hash(again) == hash(one)
    assert one != 1
    assert one != RESULTS["power" if name != "power" else "delong"]()


def test_other_values_are_not_equal() -> None:
    result = boot(Y, P, "hand_till")
    assert result != boot(Y, P, "hand_till", seed=2)
    assert result != boot(Y, P, "auc_mu")
    assert result != result.with_interval(confidence=0.9)
    assert result == result.with_interval(confidence=0.9).with_interval(confidence=0.95)
    assert pr.delong(Y, P) != pr.delong(Y, P, stratify=False)
    assert comparison() != comparison(adjust=None)
    assert pr.sample_size_auc(0.8) != pr.sample_size_auc(0.81)
    assert pr.bradley(FOLDS) != pr.bradley(FOLDS, alpha=0.1)


def test_nan_equals_nan() -> None:
    labels = [0, 1, 2, 3]
    scores = np.column_stack([P, P[:, 0]])
    measure = pr.OneVsRest(None, absent="skip")
    one, other = (boot(Y, scores, measure, labels=labels) for _ in range(2))
    assert np.isnan(one.estimate).any()
    assert one == other
    assert same(np.array([1.0, np.nan]), np.array([1.0, np.nan]))
    assert not same(np.array([1.0, np.nan]), np.array([np.nan, 1.0]))
    assert not same(np.array([1.0]), np.array([1.0, 1.0]))
    assert same({"a": (math.nan, "x")}, {"a": (math.nan, "x")})
    assert not same({"a": 1}, {"b": 1})
    assert same(np.array(["a", None], dtype=object), np.array(["a", None], dtype=object))


def test_markdown_escapes_tags_and_no_other_signs() -> None:
    cells = ["p < 0.0001", "<b>x</b>", "</td>", "<!-- x -->", "a & b", "1 <2"]
    shown = Table([Column("x", cells, left=True)]).to_markdown().splitlines()[2:]
    assert [line[2:-2] for line in shown] == [
        "p < 0.0001", "&lt;b>x&lt;/b>", "&lt;/td>", "&lt;!-- x -->", "a &amp; b", "1 <2"
    ]  # fmt: skip
