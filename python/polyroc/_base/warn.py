"""Warnings that point at the line of the caller, however deep they come from."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_ROOT = __name__.partition(".")[0]


def warn(message: str, category: type[Warning]) -> None:
    """Warn as if from the first line outside this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_ours(frame):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def _is_ours(frame: FrameType) -> bool:
    return (frame.f_globals.get("__package__") or "").partition(".")[0] == _ROOT
