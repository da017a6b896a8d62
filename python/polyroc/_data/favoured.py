"""The favoured one of two classes: the one that high scores stand for."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import show

if TYPE_CHECKING:
    from polyroc._base.types import Array


def favours_first(pos_label: Any, classes: Array, labels: Any) -> bool:
    """Tell whether high scores stand for the first of two classes, which `pos_label` names.

    `labels` are the caller's: without them, either class can be the one.
    """
    if len(classes) != 2:
        raise ValueError(
            f"pos_label is for two classes but there are {len(classes)} {show(classes)}; leave it "
            "out, or compare one class with the rest: pass y_true == label and the scores of label"
        )
    same = [_is_same(pos_label, label) for label in classes]
    if not any(same):
        twin = next((label for label in classes if str(label) == str(pos_label)), None)
        way = "name one of them" if twin is None else f"{show(twin)} is of another type"
        raise ValueError(
            f"pos_label is {reprlib.repr(pos_label)}, which is none of the classes "
            f"{show(classes)}; {way}"
        )
    if same[0] and labels is not None:
        raise ValueError(
            f"pos_label is {show(classes[0])} but labels is {show(classes)}, whose second class is "
            "the one that high scores stand for; pass one of the two arguments"
        )
    return same[0]


def favour_text(label: Any) -> str:
    """Say which class is favoured."""
    return f"high scores favour class {show(label)}"


def _is_same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except (TypeError, ValueError):  # as for an array
        return False
