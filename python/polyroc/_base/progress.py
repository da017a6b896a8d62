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
    if callable(progress):
        yield lambda done: progress(min(done, total), total)
        progress(total, total)
        return
    if not progress:
        yield None
        return
    bar = _tqdm(total) or _Line(total)
    try:
        yield lambda done: bar.update_to(min(done, total))
        bar.update_to(total)
    finally:
        bar.close()


def check_progress(progress: Any) -> None:
    """Raise unless `progress` is a bool or a function."""
    if not (isinstance(progress, bool) or callable(progress)):
        raise TypeError(
            f"progress is {progress!r}; pass True for a bar, or a function of (done, total)"
        )


def _tqdm(total: int) -> Any:
    """Return tqdm's bar if it is installed; it gets a method that sets how far it is."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bar = tqdm(total=total, unit=" replicates", desc="bootstrap")
    bar.update_to = lambda done: bar.update(done - bar.n)
    return bar


class _Line:
    """A line on stderr: share, rate, time left. Rewritten in place on a terminal."""

    def __init__(self, total: int) -> None:
        self.total, self.start, self.shown = total, time.monotonic(), 0.0

    def update_to(self, done: int) -> None:
        now = time.monotonic()
        # A log file gets a line every five seconds, a terminal a fresh one ten times a second.
        pause = 0.1 if sys.stderr.isatty() else 5.0
        if done < self.total and now - self.shown < pause:
            return
        self.shown, spent = now, max(now - self.start, 1e-9)
        rate = done / spent
        left = f", {(self.total - done) / rate:.0f} s left" if 0 < done < self.total else ""
        text = (
            f"bootstrap: {done / self.total:4.0%} of {self.total:,} replicates, {rate:,.0f}/s{left}"
        )
        end = "" if sys.stderr.isatty() else "\n"
        start = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(start + text, end=end, file=sys.stderr, flush=True)

    def close(self) -> None:
        if sys.stderr.isatty():
            print(file=sys.stderr)


def after(watcher: Callable[[int], object], done: int) -> Callable[[int], object]:
    """Return a watcher of a part of the work that begins when `done` is done."""
    return lambda more: watcher(done + more)
