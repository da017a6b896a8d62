"""Two-way analysis of variance, one value per cell: folds as blocks, classifiers as columns."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._stats.tails import f_tail

if TYPE_CHECKING:
    from polyroc._base.types import Floats

_EPSILON = 2.0**-52
_EXTREME = 1e140  # beyond it, or below its inverse, squares leave the range of float64


@dataclass(frozen=True)
class AnovaLine:
    """A line of the table: a source of variation.

    Attributes
    ----------
    sum_of_squares, mean_square : float
        `mean_square` is None for the total.
    df : int
        Degrees of freedom.
    f, p_value : float or None
        The mean square over that of the error, and the probability of such a ratio or a larger one
        if the source had no effect. None for the error and the total.
    """

    sum_of_squares: float
    df: int
    mean_square: float | None = None
    f: float | None = None
    p_value: float | None = None


@dataclass(frozen=True)
class Anova:
    """A two-way analysis of variance; made by :func:`two_way_anova`.

    Attributes
    ----------
    classifiers, folds, error, total : AnovaLine
        The table.
    rounding : float
        Means closer than this are equal but for rounding.
    notes : tuple of str
        What is special about it, one sentence each.
    """

    classifiers: AnovaLine
    folds: AnovaLine
    error: AnovaLine
    total: AnovaLine
    rounding: float = 0.0
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain Python: a dict for each line."""
        lines = asdict(self)
        return {name: lines[name] for name in ("classifiers", "folds", "error", "total")}


def two_way_anova(values: Floats) -> Anova:
    """Return the analysis of variance of `values`, an array of r folds x c classifiers.

    With m the mean of all values, m_i of fold i and m_j of classifier j (B97 s. 7.1)::

        folds:        c sum_i (m_i - m)^2                       r - 1 degrees of freedom
        classifiers:  r sum_j (m_j - m)^2                       c - 1
        error:        sum_ij (x_ij - m_i - m_j + m)^2           (r - 1) (c - 1)
        F = mean square / mean square of the error

    Without error, as when classifiers are the same or differ by one amount in all folds, F is
    infinite with p = 0 for a source that has an effect, and 0 with p = 1 for one that has none; a
    note says so. Effects that rounding explains (a few units in the last place of the largest
    value) are taken for 0. Sums are rounded once, so that the order of folds and classifiers
    does not show in the last bit. Cost: O(r c).

    Examples
    --------
    >>> import numpy as np
    >>> table = two_way_anova(np.array([[0.75, 0.625], [0.5, 0.5], [1.0, 0.625]]))
    >>> line = table.classifiers
    >>> print(f"{line.sum_of_squares:.4f}, df {line.df}, F {line.f:.4f}, p {line.p_value:.4f}")
    0.0417, df 1, F 2.2857, p 0.2697
    """
    r, c = values.shape
    scale = float(np.abs(values).max())
    if scale and not 1 / _EXTREME < scale < _EXTREME:
        raise ValueError(f"values reach {scale:g}, whose square is out of range; rescale them")
    rounding = 8 * _EPSILON * scale
    mean = _mean(values.ravel())
    by_fold = np.array([_mean(row) for row in values]) - mean
    by_classifier = np.array([_mean(column) for column in values.T]) - mean
    residuals = values - mean - by_fold[:, np.newaxis] - by_classifier
    effects = {
        "classifiers": (r * _squares(by_classifier, rounding), c - 1),
        "folds": (c * _squares(by_fold, rounding), r - 1),
    }
    error = _squares(residuals, rounding)
    df = (r - 1) * (c - 1)
    lines, notes = {}, []
    for name, (sum_of_squares, own) in effects.items():
        mean_square = sum_of_squares / own
        if error:
            f = mean_square / (error / df)
            p_value = f_tail(f, own, df)
        else:
            f, p_value = (math.inf, 0.0) if mean_square else (0.0, 1.0)
        lines[name] = AnovaLine(sum_of_squares, own, mean_square, f, p_value)
    if not error:
        same = "differ by the same amounts in every fold"
        if not effects["classifiers"][0]:
            same = "do not differ in any fold"
        set_to = ", ".join(f"{'infinity' if line.f else 0} for {n}" for n, line in lines.items())
        notes.append(f"the classifiers {same}; with an error of 0, F is set to {set_to}")
    return Anova(
        error=AnovaLine(error, df, error / df),
        total=AnovaLine(math.fsum([error, *(s for s, _ in effects.values())]), r * c - 1),
        rounding=rounding,
        notes=tuple(notes),
        **lines,
    )


def _mean(values: Floats) -> float:
    return math.fsum(values) / len(values)


def _squares(deviations: Floats, rounding: float) -> float:
    """Return the sum of squares; 0 where rounding explains all of them."""
    if np.abs(deviations).max() <= rounding:
        return 0.0
    return math.fsum(np.square(deviations).ravel())
