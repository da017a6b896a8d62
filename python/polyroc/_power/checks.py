"""Checks of what power and sample sizes are asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from polyroc._base.checks import choose, number, share, show, whole
from polyroc._data.arrays import as_array
from polyroc._data.numbers import as_numbers, exact_float64
from polyroc._stats.normal_test import ALTERNATIVES

Variance: TypeAlias = Literal["binormal", "hanley-mcneil", "obuchowski"]

VARIANCES = ("binormal", "hanley-mcneil", "obuchowski")
_SAME = 1e-9  # rounding that a covariance matrix may show


class Test(NamedTuple):
    """The test that is planned."""

    alpha: float
    alternative: str
    reference: str

    @property
    def tail(self) -> float:
        """The error allowed at the end that is looked at."""
        return self.alpha / 2 if self.alternative == "two-sided" else self.alpha


def planned_test(alpha: Any, alternative: Any, variance: Any, reference: Any) -> Test:
    """Check a test, and whether there is a variance for it."""
    choose("variance", variance, VARIANCES)
    choose("alternative", alternative, ALTERNATIVES)
    choose("reference", reference, ("t", "normal", None))
    if reference == "t" and variance != "binormal":
        raise ValueError(
            f"reference is 't' but {variance!r} is a formula for z-tests; "
            'leave reference out, or pass variance="binormal"'
        )
    level = share("alpha", alpha, "0.05")
    return Test(level, alternative, reference or ("t" if variance == "binormal" else "normal"))


def ratio_of_spreads(name: str, value: Any, variance: str) -> float:
    """Return sd of positives / sd of negatives."""
    amount = number(name, value)
    if amount <= 0:
        raise ValueError(
            f"{name} is {show(value)}; it is the standard deviation of the positives' scores over "
            "that of the negatives', a number > 0"
        )
    if amount != 1 and variance != "binormal":
        raise ValueError(
            f'{name} is for variance="binormal", and {variance!r} has no room for it; '
            "leave one of them out"
        )
    return amount


def ratio_of_rows(value: Any) -> float:
    """Return n_neg / n_pos."""
    amount = number("ratio", value)
    if amount <= 0:
        raise ValueError(f"ratio is {show(value)}; it is n_neg / n_pos, a number > 0")
    return amount


def correlation_of(name: str, value: Any) -> float:
    """Return a correlation."""
    amount = number(name, value)
    if not -1 <= amount < 1:
        raise ValueError(f"{name} is {show(value)}; pass a correlation >= -1 and < 1")
    return amount


def row_count(name: str, value: Any) -> int:
    """Return a number of rows, at least one."""
    count = whole(value)
    if count is None:
        raise TypeError(f"{name} is {value!r}; pass a whole number of rows")
    if count < 1:
        raise ValueError(f"{name} is {count}; every class needs at least one row")
    return count


def class_sizes(
    name: str, sizes: Any, classes: Sequence[Any] = (), absent: Collection[Any] = ()
) -> dict[Any, int]:
    """Return class sizes by label; a plain sequence has those of `classes`, or 0, 1, ...

    Classes that are `absent` are left out. The labels of a pandas Series are its index:
    `y.value_counts()` comes in the order of size.
    """
    if isinstance(sizes, Mapping):
        named = dict(sizes)
    elif hasattr(sizes, "index") and hasattr(sizes, "to_dict"):
        named = sizes.to_dict()
        if len(named) < len(sizes):
            raise ValueError(f"{name} names a class twice: {[*sizes.index]}; name each once")
    else:
        array = as_array(sizes, name)
        if array.ndim != 1:
            raise ValueError(
                f"{name} has shape {array.shape}; pass one number per class, or a dict of them by "
                "label"
            )
        listed = array.tolist()
        if classes and len(listed) != len(classes):
            raise ValueError(
                f"{name} has {len(listed)} values but the pilot the classes {show([*classes])}; "
                "pass one per class"
            )
        named = dict(zip(classes or range(len(listed)), listed, strict=True))
    named = {label: size for label, size in named.items() if label not in absent}
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
