"""What a reader sees when moving the slider, pointing at curves, clicking pairs, sorting."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polyroc as pr
import pytest


def _limits(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"[\d.,]+", text)]


@pytest.mark.parametrize(("name", "model", "label"), [
    ("two", "forest", "dog"), ("three", "boost", "owl"), ("weights", "boost", "dog"),
    ("groups", "forest", "cat"), ("both", "forest", "dog"),
])  # fmt: skip
def test_the_slider_shows_the_librarys_decisions(
    opened: Any, cases: Any, name: str, model: str, label: str
) -> None:
    case, page = cases[name], opened(name)
    scores = np.asarray(case.models[model])
    column = scores if scores.ndim == 1 else scores[:, ["cat", "dog", "owl"].index(label)]
    page.page.select_option("#slider-model", model)
    page.page.select_option("#slider-class", label)
    last = int(page.page.locator("#threshold").get_attribute("max"))
    weights = case.options.get("sample_weight")
    best = pr.operating_point(
        case.y == label, column, rule="youden", n_resamples=19, seed=1, sample_weight=weights
    )
    seen = set()
    for k in (None, 0, 1, last // 3, last // 2, last - 1, last):
        if k is not None:
            page.page.locator("#threshold").evaluate(
                "(e, k) => { e.value = k; e.dispatchEvent(new Event('input')) }", k
            )
        text = page.text("#threshold-value")
        found = pr.confusion(case.y == label, column, threshold=float(text), **case.options)
        (tn, fp), (fn, tp) = found.counts.tolist()
        shown = [page.text(f"#{cell}").replace(",", "") for cell in ("tp", "fp", "fn", "tn")]
        if weights is None:
            assert shown == [str(count) for count in (tp, fp, fn, tn)], text
        else:
            assert [float(one) for one in shown] == pytest.approx([tp, fp, fn, tn], rel=6e-4)
        for place, rate in (("sens", "sensitivity"), ("spec", "specificity"), ("ppv", "ppv"),
                            ("npv", "npv")):  # fmt: skip
            value = getattr(found, rate)[1]
            if np.isnan(value):
                assert page.text(f"#{place}") == "-"
                continue
            assert page.text(f"#{place}") == f"{value:.4f}"
            low, high = found.interval[rate][1]
            told = "-" if np.isnan(low) else f"{low:.4f} to {high:.4f}"
            assert page.text(f"#{place}-limits") == told, (rate, text)
        limits = found.interval["sensitivity"][1] * (tp + fn)
        if weights is None:
            assert _limits(page.text("#tp-limits")) == np.rint(limits).tolist()
        else:
            assert _limits(page.text("#tp-limits")) == pytest.approx(limits, rel=6e-4)
        point = page.page.locator("#curves .point")
        assert float(point.get_attribute("cx")) == pytest.approx(46 + 400 * fp / (fp + tn))
        assert float(point.get_attribute("cy")) == pytest.approx(408 - 400 * tp / (tp + fn))
        if k is None:  # where it begins
            assert (tp / (tp + fn), fp / (fp + tn)) == pytest.approx((best.tpr, best.fpr))
        seen.add(tuple(shown))
    assert len(seen) > 3


def test_pointing_at_a_curve_shows_its_threshold(opened: Any, cases: Any) -> None:
    case, page = cases["two"], opened("two")
    curve = pr.roc_curve(case.y, case.models["boost"])
    at = int(np.argmax(curve.tpr - curve.fpr))
    page.page.locator("#curves").scroll_into_view_if_needed()
    box = page.page.locator("#curves svg").bounding_box()
    scale = box["width"] / 460
    page.page.mouse.move(
        box["x"] + scale * (46 + 400 * curve.fpr[at]),
        box["y"] + scale * (408 - 400 * curve.tpr[at]),
    )
    told = re.fullmatch(r"(\w+): threshold (\S+), FPR (\S+), TPR (\S+)", page.text("#hover"))
    assert told is not None
    assert told[1] == "boost"
    said = np.asarray(case.models["boost"]) >= float(told[2])
    rates = [f"{said[case.y == label].mean():.4f}" for label in ("cat", "dog")]
    assert [told[3], told[4]] == rates
    assert rates == [f"{curve.fpr[at]:.4f}", f"{curve.tpr[at]:.4f}"]


def test_a_click_on_a_pair_shows_its_curves(opened: Any, cases: Any) -> None:
    case, page = cases["three"], opened("three")
    figure = page.page.locator("#pair-curves")
    assert not figure.is_visible()
    page.page.locator('#heat-2 rect[data-pair="0,2"]').click()
    assert figure.is_visible()
    assert page.text("#pair-name") == "forest: cat and owl, each by its own column"
    areas = pr.pairwise(case.y, case.models["forest"], kind="conditional")
    legends = figure.locator("text.legend").all_text_contents()
    assert [legend.split()[-1] for legend in legends] == [
        f"{areas[0, 2]:.4f}", f"{areas[2, 0]:.4f}"
    ]  # fmt: skip
    before = figure.locator("path[data-slot='0']").get_attribute("d")
    page.page.locator("#pairs ~ .scroll td[data-pair] button").first.click()  # the hardest of all
    assert figure.locator("path[data-slot='0']").get_attribute("d") != before
    assert page.text("#pair-name").startswith("boost: ")


def test_tables_sort_by_numbers(opened: Any, cases: Any) -> None:
    case, page = cases["twenty"], opened("twenty")
    table = page.page.locator('[aria-label="Classes"] table')
    values = case.report.by_class["forest"]["AUC against the rest"].estimate
    button = table.locator("thead th").nth(4).locator("button")
    for up in (True, False):
        button.click()
        order = np.argsort(values if up else -values, kind="stable")
        shown = table.locator("tbody tr td:first-child").all_text_contents()
        assert shown == [f"class {k:02d}" for k in order]
        state = table.locator("thead th").nth(4).get_attribute("aria-sort")
        assert state == ("ascending" if up else "descending")


def test_models_and_classes_are_switched(opened: Any, cases: Any) -> None:
    case, page = cases["twenty"], opened("twenty")
    page.page.select_option("#slider-model", "linear")
    page.page.select_option("#slider-class", "class 07")
    legends = page.page.locator("#curves text.legend").all_text_contents()
    for legend, model in zip(legends, case.models, strict=True):
        area = pr.auc(case.y == "class 07", case.models[model][:, 7])
        assert legend.split() == [model, f"{area:.4f}"]
    assert page.text("#curves-of") == "class class 07 against the rest"
    said = case.models["linear"][:, 7] >= float(page.text("#threshold-value"))
    assert page.text("#tp") == str(int((said & (case.y == "class 07")).sum()))
