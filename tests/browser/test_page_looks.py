"""Light and dark, phone and paper, without script, for everyone; and names that do nothing."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

CASES = ("two", "three", "twenty", "evil")


def _background(page: Any) -> str:
    return str(page.page.evaluate("getComputedStyle(document.body).backgroundColor"))


@pytest.mark.parametrize("name", CASES)
def test_nothing_goes_wrong_and_nothing_is_asked_for(opened: Any, cases: Any, name: str) -> None:
    page = opened(name)  # closing it looks at faults and requests
    assert page.page.title().startswith("Report: ")
    assert cases[name].path.stat().st_size < 2_000_000


def test_a_large_page_stays_light(browser: Any, cases: Any) -> None:
    """What it costs to load is counted; the time depends on the machine, and is printed."""
    times = []
    for _ in range(5):
        context = browser.new_context()
        page = context.new_page()
        page.goto(cases["twenty"].path.as_uri())
        times.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
        elements = page.evaluate("document.querySelectorAll('*').length")
        context.close()
    print(f"{elements} elements load in {min(times):.0f} ms (best of {len(times)})")
    assert elements < 30_000


@pytest.mark.parametrize("bypass_csp", [False, True])
def test_names_run_nothing(opened: Any, bypass_csp: bool) -> None:
    page = opened("evil", bypass_csp=bypass_csp)
    for k in (0, 1):
        page.page.select_option("#slider-model", index=k)
        page.page.select_option("#slider-class", index=k + 1)
        page.page.locator(f"#heat-{k + 1} rect[data-pair]").first.click()
    page.page.locator("thead th button").first.click()
    page.page.mouse.move(300, 900)
    page.page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    assert page.page.evaluate("window.hit") is None
    assert page.page.locator("img, b").count() == 0
    assert page.page.locator("script").count() == 2


def test_the_policy_stops_what_is_not_ours(opened: Any) -> None:
    page = opened("two")
    page.page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.hit = 9';"
        " document.body.append(s) }"
    )
    assert page.page.evaluate("window.hit") is None
    (fault,) = page.faults
    assert "Content Security Policy" in fault
    page.faults.clear()


@pytest.mark.parametrize("name", ["two", "three"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_is_found_by_axe(opened: Any, name: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(name, color_scheme=scheme, bypass_csp=True)
    page.page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    found = axe.Axe().run(page.page).response["violations"]
    grave = [
        (one["id"], [node["target"] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert grave == []


def test_dark(opened: Any) -> None:
    assert _background(opened("three", color_scheme="dark")) == "rgb(18, 18, 18)"
    assert _background(opened("three", color_scheme="light")) == "rgb(255, 255, 255)"


@pytest.mark.parametrize("name", CASES)
def test_a_phone_shows_all_without_sideways_scrolling(opened: Any, name: str) -> None:
    page = opened(name, viewport={"width": 360, "height": 740})
    page.page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = "e => e.getBoundingClientRect().right <= document.documentElement.clientWidth"
    for part in page.page.locator("figure, select, input, pre, .scroll").all():
        assert not part.is_visible() or part.evaluate(wide), part.inner_text()[:60]


@pytest.mark.parametrize("name", [*CASES, "names"])
@pytest.mark.parametrize("script", [True, False])
def test_no_heading_reaches_into_the_next_column(opened: Any, name: str, script: bool) -> None:
    for width in (360, 1200):
        page = opened(name, viewport={"width": width, "height": 740}, java_script_enabled=script)
        wider = page.page.evaluate(
            "[...document.querySelectorAll('thead th')].filter(e => e.scrollWidth > e.clientWidth)"
            ".map(e => e.textContent)"
        )
        assert wider == []


@pytest.mark.parametrize("script", [True, False])
def test_paper_is_light_and_has_all_that_is_folded(opened: Any, script: bool) -> None:
    page = opened("three", color_scheme="dark", java_script_enabled=script)
    if script:
        page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.page.emulate_media(media="print", color_scheme="dark")
    if script:
        assert _background(page) == "rgb(255, 255, 255)"
    inner = page.page.locator("details table")
    assert inner.count() >= 5
    boxes = [table.bounding_box() for table in inner.all()]
    assert all(box is not None and box["height"] > 20 for box in boxes)
    assert page.page.locator("#threshold").bounding_box() is None
    assert page.page.pdf(format="A4")[:5] == b"%PDF-"


def test_all_can_be_read_without_script(opened: Any, cases: Any) -> None:
    for name in ("two", "three"):
        page = opened(name, java_script_enabled=False)
        report = cases[name].report
        shown = page.text("main")
        for results in report.measures.values():
            for one in results.values():
                assert f"{one.estimate:.4f}"[:5] in shown
        assert report.comparison is not None
        assert re.search(r"beats|not told apart", shown)
        assert page.page.locator("#threshold").bounding_box() is None
        for figure in page.page.locator("figure:not(.needs-script) svg").all():
            assert figure.bounding_box()["height"] > 50
        assert page.page.locator("button:visible").count() == 0
        for heading in ("Measures", "Curves and thresholds", "Scores by class", "Methods",
                        "Tables to copy", "How to reproduce"):  # fmt: skip
            assert heading in shown


def test_every_figure_can_be_saved_as_it_looks(opened: Any) -> None:
    page = opened("three")
    page.page.locator("rect[data-pair]").first.click()
    figures = page.page.locator("figure").all()
    assert len(figures) >= 7
    for figure in figures:
        button = figure.get_by_role("button", name="SVG")
        with page.page.expect_download() as waiting:
            button.click()
        text = waiting.value.path().read_text(encoding="utf-8")
        assert waiting.value.suggested_filename == f"{figure.get_attribute('id')}.svg"
        root = ET.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.get("width")
        assert "var(" not in text
        assert "rgb(" in text
