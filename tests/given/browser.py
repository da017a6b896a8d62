"""A Chromium, where there is one, and pages opened in it as a reader opens them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Return the path of a Chromium; None where there is none."""
    named = os.environ.get("POLYROC_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Any]:
    """Give a browser; skip the test where there is none."""
    path = chromium()
    if path is None:
        pytest.skip(f"no Chromium: none of {', '.join(NAMES)} is there")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path)
        try:
            yield browser
        finally:
            browser.close()


class Opened:
    """A page in a browser that has no network, and what went wrong in it."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.context = browser.new_context(offline=True, **options)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())

    def _dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def text(self, place: str) -> str:
        """Return the text of an element."""
        return str(self.page.locator(place).inner_text())

    def close(self) -> None:
        """Close it; nothing may have gone wrong, and nothing but the page been asked for."""
        requests = [url for url in self.requests if not url.startswith("blob:")]
        self.context.close()
        assert self.faults == []
        assert len(requests) == 1, requests
