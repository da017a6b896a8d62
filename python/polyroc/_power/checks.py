"""Checks of what power and sample sizes are asked for."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np

from polyroc._data.arrays import as_array, show
from polyroc._data.numbers import as_numbers, exact_float64

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
Variance: TypeAlias = Literal["hanley-mcneil", "obuchowski"]

ALTERNATIVES = ("two-sided", "greater", "less")
_REAL = (int, float, np.integer, np.floating)
_SAME = 1e-9  # rounding that a covariance matrix may show


def number(name: str, value: Any) -> float:
    """Return `value` as a finite float."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, _REAL):
        raise TypeError(f"{name} is {value!r}; pass a number")
    if not math.isfinite(value):
        raise ValueError(f"{name} is {show(value)}; pass a finite number")
    return float(value)


def share(name: str, value: Any, example: str) -> float:
    """Return `value`, which must lie strictly between 0 and 1."""
    found = number(name, value)
    if not 0 < found < 1:
        raise ValueError(f"{name} is {show(value)}; it must lie in (0, 1), as {example}")
    return found


def ratio_of_rows(value: Any) -> float:
    """Return n_neg / n_pos."""
    found = number("ratio", value)
    if found <= 0:
        raise ValueError(f"ratio is {show(value)}; it is n_neg / n_pos, a number > 0")
    return found


def correlation_of(name: str, value: Any) -> float:
    """Return a correlation."""
    found = number(name, value)
    if not -1 <= found < 1:
        raise ValueError(f"{name} is {show(value)}; pass a correlation >= -1 and < 1")
    return found


def row_count(name: str, value: Any) -> int:
    """Return a number of rows, at least one."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; pass a whole number of rows") from None
    if count < 1:
        raise ValueError(f"{name} is {count}; every class needs at least one row")
    return count


def class_sizes(name: str, sizes: Any) -> dict[Any, int]:
    """Return class sizes by label; the numbers 0, 1, ... label those of a plain sequence."""
    if isinstance(sizes, Mapping):
        named = dict(sizes)
    else:
        named = dict(enumerate(as_array(sizes, name).tolist()))
    if len(named) < 2:
        raise ValueError(f"{name} has {len(named)} class; an AUC compares at least two")
    return {label: row_count(f"{name}[{label!r}]", value) for label, value in named.items()}


def covariance_matrix(covariance: Any, size: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return a covariance matrix of `size` estimates; a number will do for one."""
    if size == 1 and np.ndim(covariance) == 0:
        matrix = np.array([[number("covariance", covariance)]])
    else:
        array = as_array(covariance, "covariance")
        matrix = exact_float64(as_numbers(array, "covariance")[0], "covariance")
    if matrix.shape != (size, size):
        what = "the variance of the estimate" if size == 1 else "2 x 2 for two estimates"
        raise ValueError(f"covariance has shape {matrix.shape}; it must be {what}")
    if not np.isfinite(matrix).all():
        raise ValueError("covariance holds nan or inf; pass finite variances and covariances")
    scale = float(np.abs(matrix).max())
    if np.abs(matrix - matrix.T).max() > _SAME * scale:
        raise ValueError(f"covariance is not symmetric: {matrix.tolist()}; pass both halves alike")
    if np.linalg.eigvalsh(matrix)[0] < -_SAME * scale:
        raise ValueError(
            f"covariance is not positive semidefinite: {matrix.tolist()}; no two estimates have "
            "such variances and covariances"
        )
    return matrix
