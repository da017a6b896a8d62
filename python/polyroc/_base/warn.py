"""Warnings that point at the line of the caller, however deep they come from."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from types import FrameType

F = TypeVar("F", bound=Callable[..., Any])
_ROOT = __name__.partition(".")[0]


def warn(message: str, category: type[Warning]) -> None:
    """Warn as if from the first line outside this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_ours(frame):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def each_once(function: F) -> F:
    """Have a function that reads the same rows several times say each warning once.

    Python's own record of what was said does not last: libraries that change filters clear it.
    """

    @functools.wraps(function)
    def call(*given: Any, **options: Any) -> Any:
        caught: list[warnings.WarningMessage] = []
        try:
            with warnings.catch_warnings(record=True) as caught:
                return function(*given, **options)
        finally:
            for text, category in dict.fromkeys((str(one.message), one.category) for one in caught):
                warn(text, category)

    return cast("F", call)


def _is_ours(frame: FrameType) -> bool:
    return (frame.f_globals.get("__package__") or "").partition(".")[0] == _ROOT
