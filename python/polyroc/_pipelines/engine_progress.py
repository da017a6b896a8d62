"""How far an engine is: tasks that are done, of all passes over the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Report: TypeAlias = "Callable[[int, int | None], object]"


class Passes:
    """Passes over the rows of a frame, one after the other, and somebody who is told of them.

    A pass that is to come is taken to have as many tasks as the one that goes on.
    """

    def __init__(self, count: int, report: Report) -> None:
        self.left, self.report = count, report
        self.before = 0  # tasks of the passes that are over
        self.last = 0, 0

    def update(self, done: int, total: int) -> None:
        """Tell of the pass that goes on, if there is something new."""
        if (done, total) != self.last:
            self.last = done, total
            self.report(self.before + done, self.before + total * self.left)

    def end(self) -> None:
        """Note that the pass is over."""
        total = self.last[1]
        self.update(total, total)
        self.before, self.left, self.last = self.before + total, self.left - 1, (0, 0)

    def close(self) -> None:
        """Note that all is done, passes that turned out not to be needed too."""
        self.report(self.before, self.before)
