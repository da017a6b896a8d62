"""How Sphinx makes the site; `make docs` calls it. Nothing here or in the pages needs a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polyroc
from polyroc._base.result import Result

ROOT = Path(__file__).parents[1]

project = "polyroc"
author = "polyroc contributors"
release = version = polyroc.__version__
copyright = "polyroc contributors, MIT licence"

extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "myst_parser", "numpydoc"]
exclude_patterns = ["_site", "_made", "requirements.txt"]
templates_path = ["_templates"]
default_role = "py:obj"
nitpicky = False

myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc's sections name the types, in words
autodoc_member_order = "groupwise"
numpydoc_show_class_members = False  # autodoc lists them
numpydoc_xref_param_type = False

pygments_dark_style = "github-dark"

html_theme = "furo"
html_title = f"polyroc {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["copy.js"]
html_extra_path = ["_made"]  # the example report
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072B2", "color-brand-content": "#00629B"},
    "dark_css_variables": {"color-brand-primary": "#6CB8E6", "color-brand-content": "#6CB8E6"},
}

# Pages that live elsewhere in the repository, where the commands that write them look for them.
ELSEWHERE = {
    "measured/coverage": "benches/studies/COVERAGE.md",
    "measured/power": "benches/studies/POWER.md",
    "measured/rejections": "benches/studies/REJECTIONS.md",
    "measured/speed": "benches/speed/README.md",
    "measured/speed-figures": "benches/speed/FIGURES.md",
}
PLACES = {path: page for page, path in ELSEWHERE.items()} | {"README.md": "index"}


def read(app: Any, page: str, source: list[str]) -> None:
    """Put in pages from elsewhere, and let links to them stay within the site."""
    file = ROOT / "docs" / page
    if page in ELSEWHERE:
        file = ROOT / ELSEWHERE[page]
        source[0] = file.read_text(encoding="utf-8")

    def within(link: re.Match[str]) -> str:
        target = (file.parent / link[1]).resolve().relative_to(ROOT).as_posix()
        return f"](/{PLACES[target]}.md)" if target in PLACES else link[0]

    # The empty line that ends an example's output is for doctest alone.
    source[0] = source[0].replace("\n\n```\n", "\n```\n")
    source[0] = re.sub(r"\]\(([\w./-]+\.md)\)", within, source[0])


def signature(app: Any, what: str, name: str, thing: Any, *_: Any) -> tuple[str, str] | None:
    """Leave out how results are made: functions make them, users never do."""
    return ("", "") if what == "class" and issubclass(thing, Result) else None


def setup(app: Any) -> None:
    """Sphinx calls this."""
    app.connect("autodoc-process-signature", signature)
    app.connect("source-read", read)
