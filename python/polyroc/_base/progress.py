"""Telling a person how far a long run is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def watching(progress: Any, total: int) -> Iterator[Callable[[int], object] | None]:
    """Yield what the core calls now and then with the number of replicates done.

    `progress` is False for nothing, True for a bar, or a function of (done, total).
    """
    with following(progress, "replicates", "bootstrap", total) as report:
        if report is None:
            yield None
            return
        yield lambda done: report(min(done, total), total)
        report(total, total)


@contextmanager
def following(
    progress: Any, unit: str, title: str, total: int | None = None
) -> Iterator[Callable[[int, int | None], object] | None]:
    """Yield what takes how much is done, and of how much: None where that is not known yet."""
    if callable(progress) or not progress:
        yield progress or None
        return
    bar = _tqdm(total, unit, title) or _Line(unit, title)
    try:
        yield bar.update_to
    finally:
        bar.close()


def check_progress(progress: Any) -> None:
    """Raise unless `progress` is a bool or a function."""
    if not (isinstance(progress, bool) or callable(progress)):
        raise TypeError(
            f"progress is {progress!r}; pass True for a bar, or a function of (done, total)"
        )


def _tqdm(total: int | None, unit: str, title: str) -> Any:
    """Return tqdm's bar if it is installed; it gets a method that sets how far it is."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bar = tqdm(total=total, unit=f" {unit}", desc=title)

    def update_to(done: int, total: int | None) -> None:
        bar.total = total
        bar.update(done - bar.n)

    bar.update_to = update_to
    return bar


class _Line:
    """A line on stderr: share, rate, time left. Rewritten in place on a terminal."""

    def __init__(self, unit: str, title: str) -> None:
        self.unit, self.title, self.start, self.shown = unit, title, time.monotonic(), 0.0

    def update_to(self, done: int, total: int | None) -> None:
        now = time.monotonic()
        # A log file gets a line every five seconds, a terminal a fresh one ten times a second.
        pause = 0.1 if sys.stderr.isatty() else 5.0
        if done != total and now - self.shown < pause:
            return
        self.shown, spent = now, max(now - self.start, 1e-9)
        rate, left = done / spent, ""
        many = f"{done:,}"
        if total is not None:
            many = f"{done / max(total, 1):4.0%} of {total:,}"
            left = f", {(total - done) / rate:.0f} s left" if 0 < done < total else ""
        text = f"{self.title}: {many} {self.unit}, {rate:,.0f}/s{left}"
        end = "" if sys.stderr.isatty() else "\n"
        start = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(start + text, end=end, file=sys.stderr, flush=True)

    def close(self) -> None:
        if sys.stderr.isatty():
            print(file=sys.stderr)


def after(watcher: Callable[[int], object], done: int) -> Callable[[int], object]:
    """Return a watcher of a part of the work that begins when `done` is done."""
    return lambda more: watcher(done + more)
