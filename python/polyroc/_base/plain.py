"""Values as plain Python, which JSON takes whatever they were."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Return lists, dicts, numbers and strings; nan and infinities, which JSON lacks, as None.

    What is none of these, as a date, goes by its name.
    """
    if isinstance(value, np.ndarray):
        return [plain(part) for part in value] if value.ndim else plain(value[()])
    if isinstance(value, Mapping):
        names = names_of(value)
        return {name: plain(part) for name, part in zip(names, value.values(), strict=True)}
    if isinstance(value, (list, tuple, range, Set)):
        return [plain(part) for part in value]
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":  # .item() may lose the unit
        value = value.item()
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def plain_labels(labels: Iterable[Any]) -> list[Any]:
    """Return labels as numbers and strings; others, as dates or infinity, by their names."""
    return [plain_label(label) for label in labels]


def plain_label(label: Any) -> Any:
    """Return a label as a number or a string; None, where there is none, stays."""
    finite = isinstance(label, float) and math.isfinite(label)
    return label if label is None or finite or isinstance(label, (int, str)) else str(label)


def names_of(keys: Iterable[Any]) -> list[str]:
    """Return keys as strings, no two alike: 1 and "1" keep their quotes."""
    listed = list(keys)
    names = [str(key) for key in listed]
    return names if len(set(names)) == len(names) else [repr(key) for key in listed]
