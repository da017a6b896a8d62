"""How a computed number is held against an exact one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

UNIT_ROUNDOFF = {"float16": 2.0**-11, "float32": 2.0**-24, "float64": 2.0**-53}


def unit_roundoff(scores: NDArray[Any]) -> float:
    """Half the gap above 1 in the dtype the user gave; integers are exact."""
    return UNIT_ROUNDOFF.get(scores.dtype.name, 0.0)


def same(value: float, exact: Fraction | None) -> None:
    """The value is the correctly rounded quotient of integer counts; nan where undefined."""
    if exact is None:
        assert math.isnan(value)
    else:
        assert value == float(exact)


def close(value: float, exact: Fraction | None, within: float = 1e-15) -> None:
    """The value is a mean of such quotients (or has real weights): a few roundings are allowed."""
    if exact is None:
        assert math.isnan(value)
    else:
        assert abs(Fraction(float(value)) - exact) <= within


def same_table(
    values: NDArray[np.float64],
    table: Mapping[tuple[int, int], Fraction | None],
    within: float = 0.0,
) -> None:
    """A K x K array holds the table, nan on the diagonal."""
    K = 1 + max(i for i, _ in table)
    assert values.shape == (K, K)
    assert values.dtype == np.float64
    assert np.isnan(np.diag(values)).all()
    for (i, j), exact in table.items():
        if within:
            close(values[i, j], exact, within)
        else:
            same(values[i, j], exact)
