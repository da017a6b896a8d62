"""Weights that are counts: a row of frequency 3 is three rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._data.arrays import as_column, first
from polyroc._data.numbers import as_numbers, exact_float64

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

_MOST = 2**32 - 1  # rows that the core numbers


def repeated_rows(frequency_weight: Any, n_rows: int) -> Array:
    """Return the number of each row as often as it was seen; rows of frequency 0 are left out."""
    name = "frequency_weight"
    counts: Floats = exact_float64(as_numbers(as_column(frequency_weight, name), name)[0], name)
    if len(counts) != n_rows:
        raise ValueError(f"{name} has {len(counts)} values for {n_rows} rows; pass one per row")
    wrong = ~((counts >= 0) & (counts == np.floor(counts)) & np.isfinite(counts))
    if wrong.any():
        raise ValueError(
            f"{first(wrong, name)} is {counts[wrong][0]}; frequencies are whole numbers of rows: "
            "pass other weights as sample_weight"
        )
    total = float(counts.sum())
    if total > _MOST:
        raise ValueError(f"{name} stands for {total:.3g} rows; at most {_MOST} can be numbered")
    return np.repeat(np.arange(n_rows), counts.astype(np.int64))
