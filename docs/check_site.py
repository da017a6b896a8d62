"""Look through the site that was built: nothing from a network, no dead link, no name left out.

`make docs` calls it with the folder of the site.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import polyroc

# Attributes by which a page fetches something when it is opened. A link that a reader may follow
# (the href of an <a>) fetches nothing.
FETCHING = {"src", "srcset", "data", "poster", "action", "xlink:href"}
OUTSIDE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
IN_STYLES = re.compile(r"(?:@import\s+|url\()\s*['\"]?((?:https?:)?//[^'\")\s]*)", re.IGNORECASE)


class Page(HTMLParser):
    """What a page fetches, what it links to, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.fetched: list[str] = []
        self.linked: list[str] = []
        self.places: set[str] = set()
        self.fetched += IN_STYLES.findall(text)
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of the attributes of an element."""
        for name, value in attrs:
            if name in FETCHING or (name == "href" and tag in ("link", "image", "use", "base")):
                self.fetched.append(value or "")
            elif name == "href":
                self.linked.append(value or "")
            elif name == "id":
                self.places.add(value or "")


def faults(site: Path) -> list[str]:
    """Return what is wrong with a site, one line each."""
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}
    found = []
    for file, page in pages.items():
        name = file.relative_to(site)
        found += [f"{name} fetches {url}" for url in page.fetched if OUTSIDE.match(url)]
        for url in page.fetched + page.linked:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc or not (parts.path or parts.fragment):
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.exists():
                found.append(f"{name} links to {url}, which is not there")
            elif target in pages and unquote(parts.fragment) not in {"", *pages[target].places}:
                found.append(f"{name} links to {url}, a place that is not there")
    for file in sorted(site.rglob("*.css")):
        urls = IN_STYLES.findall(file.read_text(encoding="utf-8"))
        found += [f"{file.relative_to(site)} fetches {url}" for url in urls]
    places = {place for page in pages.values() for place in page.places}
    names = [f"polyroc.{name}" for name in polyroc.__all__ if not name.startswith("__")]
    names += [f"polyroc.plot.{name}" for name in polyroc.plot.__all__]
    return found + [f"the reference lacks {name}" for name in names if name not in places]


def main() -> None:
    """End with the faults of the site named on the command line, if there are any."""
    site = Path(sys.argv[1]).resolve()
    if not (site / "index.html").exists():
        sys.exit(f"there is no site at {site}")
    sys.exit("\n".join(faults(site)) or 0)


if __name__ == "__main__":
    main()
