"""What a state keeps beside its counts: labels and measures, equal where their bytes are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show
from polyroc._data.labels import label_list

if TYPE_CHECKING:
    from collections.abc import Sequence

MEASURES = ("auc", "hand_till", "one_vs_rest", "auc_mu")


class Note(NamedTuple):
    """The labels, in column order, and the names of the measures."""

    labels: tuple[Any, ...]
    measures: tuple[str, ...]

    def to_bytes(self) -> bytes:
        """Return the note as bytes."""
        return json.dumps([self.labels, self.measures], separators=(",", ":")).encode()


def note_of(labels: Any, measures: str | Sequence[str]) -> Note:
    """Check labels and measures."""
    names = label_list(labels, np.array([]))
    return Note(tuple(map(_plain, names)), _measures(measures, len(names)))


def from_bytes(data: bytes) -> Note:
    """Return the note of such bytes."""
    labels, measures = json.loads(data)
    return Note(tuple(labels), tuple(measures))


def _plain(label: Any) -> Any:
    label = label.item() if isinstance(label, np.generic) else label
    if type(label) not in (str, int, float, bool):
        raise TypeError(
            f"labels holds {show(label)}, a {type(label).__name__}; a state writes its labels into "
            "its bytes: pass strings or numbers"
        )
    return label


def _measures(measures: Any, n_classes: int) -> tuple[str, ...]:
    # An object in the place of a name is told so below, by itself as well as in a list.
    alone = isinstance(measures, str) or not isinstance(measures, Iterable)
    names = (measures,) if alone else tuple(measures)
    for name in names:
        if name not in MEASURES:
            raise ValueError(f"measures holds {name!r}; a state has {', '.join(MEASURES)}")
        if names.count(name) > 1:
            raise ValueError(f"measures holds {name!r} twice; name each once")
    if not names:
        raise ValueError("measures is empty; name at least one")
    if "auc" in names and n_classes > 2:
        raise ValueError(
            f"auc is a measure of two classes but labels has {n_classes}; use hand_till, "
            "one_vs_rest or auc_mu"
        )
    return tuple(name for name in MEASURES if name in names)
