"""Which class is said of each row: at a threshold, by the greatest score, or at least cost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import is_number, number, show
from polyroc._data.arrays import as_array, first, reject
from polyroc._data.numbers import as_numbers, exact_float64
from polyroc._measures.matrices import refuse_names

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample

_BLOCK = 2**16  # rows priced at a time


class Decided(NamedTuple):
    """The class said of each row, and how it was found."""

    said: Array
    threshold: float | None
    how: str  # as it is printed


def decide(sample: Sample, threshold: Any, costs: Floats | None) -> Decided:
    """Return what is said of each row.

    At a `threshold` if there is one; else at least expected cost if there are `costs`; else at 1/2
    of a single column, and by the greatest score of several.
    """
    scores = values_of(sample)
    check_scores(scores)
    single = scores.ndim == 1
    if threshold is None and costs is not None:
        _require_probabilities(scores, single)
        said = least_cost(scores, costs, sample.unit_roundoff)
        return Decided(said, None, "the class of least expected cost is said")
    if threshold is None and not single:
        return Decided(scores.argmax(axis=1), None, "the class of the greatest score is said")
    if not single and sample.n_classes != 2:
        raise ValueError(
            f"threshold is for one column of scores but there are {scores.shape[1]}; leave it out "
            "to say the class of the greatest score, or pass y == label and the scores of label"
        )
    column = scores if single else scores[:, 1]
    at = _default(column) if threshold is None else checked_threshold(threshold)
    how = f"said {show(sample.classes[1])} where score >= {at:.6g}"
    return Decided(at_least(column, at).astype(np.intp), at, how)


def values_of(sample: Sample) -> Array:
    """Return the scores as they were given, where the core reads ranks in their place."""
    return sample.scores if sample.integers is None else sample.integers


def check_scores(scores: Array) -> None:
    """Raise if a score is not there."""
    if scores.dtype.kind == "f":
        reject(np.isnan(scores), "y_score", "NaN")


def checked_threshold(threshold: Any, name: str = "threshold") -> float:
    """Return a threshold: any number, and infinity, above all scores."""
    if not is_number(threshold):
        raise TypeError(f"{name} is {threshold!r}; pass a number, as 0.5")
    if math.isnan(threshold):
        raise ValueError(f"{name} is nan; pass a number, as 0.5")
    return float(threshold) if isinstance(threshold, (float, np.floating)) else int(threshold)


def at_least(scores: Array, threshold: float) -> Array:
    """Tell which scores are at or above a threshold, as ``scores >= threshold`` of numpy.

    So a threshold is read in the type of the scores: 0.1 is that of float32 where scores are.
    """
    if scores.dtype.kind == "f":
        return np.asarray(scores >= scores.dtype.type(threshold))
    if math.isinf(threshold):
        return np.full(scores.shape, threshold < 0)
    return np.asarray(scores >= math.ceil(threshold))


def _default(column: Array) -> float:
    if column.min() < 0 or column.max() > 1:
        raise ValueError(
            f"y_score reaches from {column.min():.6g} to {column.max():.6g}, where 0.5 says "
            "nothing; pass threshold=, as threshold=0 for margins"
        )
    return 0.5


def least_cost(scores: Array, costs: Floats, unit_roundoff: float) -> Array:
    """Return, row by row, the i of the least sum over k of costs[i, k] p[k], the first of equals.

    What all answers cost alike is taken off first, and the scale where all errors cost the same:
    so these say what the greatest score says, to the last bit. Otherwise sums tie whose difference
    rounding can explain, of the scores as they were given and of the products: no sign changes in
    a sum, so that its error is a share of it.
    """
    extra = costs - costs.max(axis=0)
    room = 2.0 * unit_roundoff + (len(costs) + 1) * float(np.finfo(np.float64).eps)
    if np.isin(extra, (0.0, extra.min())).all():
        extra, room = extra / -extra.min(), 0.0
    said = np.empty(len(scores), dtype=np.intp)
    for start in range(0, len(scores), _BLOCK):
        block = np.asarray(scores[start : start + _BLOCK], np.float64)
        if block.ndim == 1:
            block = np.column_stack([1.0 - block, block])
        spent = block @ extra.T  # 0 at most
        enough = spent.min(axis=1, keepdims=True) * (1.0 - room)
        said[start : start + _BLOCK] = (spent <= enough).argmax(axis=1)
    return said


def _require_probabilities(scores: Array, single: bool) -> None:
    wrong = ~np.isfinite(scores) | (scores < 0) | ((scores > 1) if single else False)
    if wrong.any():
        rule = "in [0, 1]" if single else "finite and >= 0"
        raise ValueError(
            f"{first(wrong, 'y_score')} is {scores[wrong][0]}; expected costs need probabilities, "
            f"{rule}: calibrate the scores, or pass threshold="
        )


def cost_matrix(costs: Any, n_classes: int) -> Floats | None:
    """Return checked costs[said, true]; a pair stands for (false positive, false negative)."""
    if costs is None:
        return None
    refuse_names(costs, "costs")
    array = as_array(costs, "costs")
    if array.ndim == 1 and len(array) == 2 and n_classes == 2:
        false_positive, false_negative = cost_pair(costs)
        return np.array([[0.0, false_negative], [false_positive, 0.0]])
    if array.shape != (n_classes, n_classes):
        pair = ", or (false positive, false negative)" if n_classes == 2 else ""
        raise ValueError(
            f"costs has shape {array.shape} but there are {n_classes} classes; pass "
            f"{n_classes} x {n_classes}, costs[said, true] in the order of labels{pair}"
        )
    matrix = np.array(exact_float64(as_numbers(array, "costs")[0], "costs"))
    wrong = ~(np.isfinite(matrix) & (matrix >= 0))
    if wrong.any():
        place, cost = first(wrong, "costs"), matrix[wrong][0]
        raise ValueError(f"{place} is {cost}; costs must be finite and >= 0")
    if not (matrix != matrix[:1]).any():
        raise ValueError(
            "costs are the same whatever is said; give saying a wrong class a cost of its own"
        )
    return matrix


def cost_pair(costs: Any) -> tuple[float, float]:
    """Return the costs of a false positive and of a false negative."""
    try:
        false_positive, false_negative = costs
    except (TypeError, ValueError):
        raise TypeError(
            f"costs is {costs!r}; pass two numbers, (false positive, false negative)"
        ) from None
    pair = number("costs[0]", false_positive), number("costs[1]", false_negative)
    for k, cost in enumerate(pair):
        if cost < 0:
            raise ValueError(f"costs[{k}] is {cost:g}; costs must be >= 0")
    if not any(pair):
        raise ValueError("costs are both 0, and every point is as good; give one of them a cost")
    return pair
