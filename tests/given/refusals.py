"""Calls that must be refused: exactly this error, with a message that begins with this pattern."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

LONGEST = 300  # a message that shows what it was given must not show all of it

Call = Callable[..., Any]
Refusal = Callable[..., None]


def refused(
    error: type[Exception], begins: str, call: Call, /, *given: Any, **options: Any
) -> None:
    """The call raises this error itself, not one derived from it."""
    with pytest.raises(error) as caught:
        call(*given, **options)
    message = str(caught.value)
    assert type(caught.value) is error, message
    assert re.match(begins, message, re.DOTALL), message
    assert len(message) < LONGEST, message


def refusals(call: Call) -> tuple[Refusal, Refusal]:
    """How tests of one call say it: `value_error(begins, ...)` and `type_error(begins, ...)`."""

    def refusal(error: type[Exception], begins: str, /, *given: Any, **options: Any) -> None:
        refused(error, begins, call, *given, **options)

    return partial(refusal, ValueError), partial(refusal, TypeError)
