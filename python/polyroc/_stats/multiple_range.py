"""Which means differ: Duncan's multiple range test, and Tukey's honestly significant difference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._stats.studentized_range import studentized_range_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Floats


@dataclass(frozen=True, eq=False)
class RangeTest:
    """Homogeneous subsets of ranked means.

    Attributes
    ----------
    name : str
        "Duncan" or "Tukey".
    alpha : float
        Duncan: the level at which two neighbours are told apart. Tukey: the probability that any
        two of the means are, when all are equal.
    df : int
        Degrees of freedom of the error.
    standard_error : float
        sqrt(s^2 / r), s^2 the error mean square, r the number of folds.
    quantiles, ranges : ndarray of shape (c - 1,)
        For p = 2 .. c means, the studentised range r_p, and R_p = r_p sqrt(s^2 / r): p means differ
        when their range exceeds R_p. Tukey's are the same for every p.
    groups : tuple of tuple
        Names that do not differ, highest mean first; groups may overlap, and every name is in one.
    """

    name: str
    alpha: float
    df: int
    standard_error: float
    quantiles: Floats
    ranges: Floats
    groups: tuple[tuple[Any, ...], ...]

    def differ(self, one: Any, other: Any) -> bool:
        """Tell whether the means of two names differ: whether no group holds both."""
        for name in (one, other):
            if not any(name in group for group in self.groups):
                known = list(dict.fromkeys(n for group in self.groups for n in group))
                raise ValueError(f"{show(name)} was not compared; choose one of {show(known)}")
        return not any(one in group and other in group for group in self.groups)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain Python."""
        return {
            "name": self.name,
            "alpha": self.alpha,
            "df": self.df,
            "standard_error": self.standard_error,
            "quantiles": self.quantiles.tolist(),
            "ranges": self.ranges.tolist(),
            "groups": [list(group) for group in self.groups],
        }


def duncan_quantiles(size: int, df: int, alpha: float) -> Floats:
    """Return Duncan's least significant studentised ranges r_p for p = 2 .. `size` means.

    r_p is the quantile of the studentised range of p means at (1 - alpha)^(p - 1), and never below
    r_(p-1), for a subset must not need the larger range (Duncan 1955).

    Examples
    --------
    >>> duncan_quantiles(4, 10, 0.05).round(3)
    array([3.151, 3.293, 3.376])
    """
    raw = (studentized_range_quantile((1.0 - alpha) ** (p - 1), p, df) for p in range(2, size + 1))
    return np.array(list(accumulate(raw, max)))


def tukey_quantiles(size: int, df: int, alpha: float) -> Floats:
    """Return Tukey's studentised range, that of all `size` means, for each p = 2 .. `size`."""
    return np.full(size - 1, studentized_range_quantile(1.0 - alpha, size, df))


def range_test(
    name: str,
    quantiles: Floats,
    names: Sequence[Any],
    means: Floats,
    *,
    alpha: float,
    mean_square: float,
    df: int,
    n_folds: int,
    rounding: float = 0.0,
) -> RangeTest:
    """Return the homogeneous subsets of `means`.

    Two means differ when the range of every set of ranked neighbours that holds both exceeds its
    R_p = r_p sqrt(s^2 / r) (B97 Eq. 14; Duncan 1955): a subset of a set that is homogeneous is so
    too. Without error, R_p is 0 and means differ unless they are equal but for rounding.
    """
    standard_error = math.sqrt(mean_square / n_folds)
    ranges = quantiles * standard_error
    order = np.argsort(-means, kind="stable")
    ranked = means[order]
    groups, reached = [], -1
    for start in range(len(ranked)):
        # The largest set from here on counts, even where a smaller one would exceed its range.
        end = max(
            (
                k
                for k in range(start + 1, len(ranked))
                if ranked[start] - ranked[k] <= ranges[k - start - 1] + rounding
            ),
            default=start,
        )
        if end > reached:
            groups.append(tuple(names[k] for k in order[start : end + 1]))
            reached = end
    for array in (quantiles, ranges):
        array.flags.writeable = False
    return RangeTest(name, alpha, df, standard_error, quantiles, ranges, tuple(groups))
