"""What a report was made from: the rows, and the options that its numbers depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from polyroc._base.types import Absent


class Given(NamedTuple):
    """What `evaluate` was given: not part of the report's numbers."""

    y_true: Any
    models: dict[str, Any]
    options: dict[str, Any]  # labels, pos_label, sample_weight, n_threads
    absent: Absent = "raise"
    groups: Any = None
    stratify: bool | None = None
    measures: dict[str, Any] | None = None  # None: all that apply


class Reading(NamedTuple):
    """How the command line came by the rows, for a page to tell and to be verified by."""

    command: list[str]
    options: dict[str, Any]  # which columns, and what to do about missing values
    dropped: int  # rows that lacked a value
