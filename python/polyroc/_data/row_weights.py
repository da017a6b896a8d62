"""Weights of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._data.arrays import as_column
from polyroc._data.numbers import as_numbers, exact_float64

if TYPE_CHECKING:
    from polyroc._base.types import Floats


def row_weights(sample_weight: Any, n_rows: int) -> Floats:
    """Return sample weights as the core reads them; it checks their values as it goes."""
    name = "sample_weight"
    weights = exact_float64(as_numbers(as_column(sample_weight, name), name)[0], name)
    if len(weights) != n_rows:
        raise ValueError(
            f"sample_weight has {len(weights)} values for {n_rows} rows; pass one per row"
        )
    return np.ascontiguousarray(weights)
