"""K x K options of measures, checked: weights of class pairs, the partition matrix of AUC-mu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._data.arrays import as_array, first
from polyroc._data.frames import is_default
from polyroc._data.numbers import as_numbers, exact_float64

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

_COSTS = (
    "partition is the cost matrix A of Kleiman & Page (2019), A[i, k] = cost of saying class i "
    "when the truth is k; weights of class pairs go in pair_weights"
)


def partition_matrix(partition: Any) -> Floats | None:
    """Return a checked, read-only cost matrix; None stands for the argmax partition."""
    if partition is None:
        return None
    if isinstance(partition, str):
        raise ValueError(
            f"partition is {partition!r}; pass a K x K cost matrix, or None for argmax"
        )
    costs = _square(partition, "partition")
    diagonal = np.eye(len(costs), dtype=np.bool_)
    for wrong, rule in (
        (~np.isfinite(costs), "costs must be finite"),
        (diagonal & (costs != 0), f"the diagonal must be 0. {_COSTS}"),
        (~diagonal & (costs <= 0), f"off-diagonal costs must be > 0. {_COSTS}"),
    ):
        if wrong.any():
            raise ValueError(f"{first(wrong, 'partition')} is {costs[wrong][0]}; {rule}")
    return _frozen(costs)


def pair_weight_matrix(pair_weights: Any) -> Floats | str | None:
    """Return checked, read-only pair weights, "prevalence", or None for equal ones."""
    if pair_weights is None or (isinstance(pair_weights, str) and pair_weights == "prevalence"):
        return pair_weights
    if isinstance(pair_weights, str):
        raise ValueError(
            f"pair_weights is {pair_weights!r}; pass None, 'prevalence' or a K x K matrix"
        )
    weights = _square(pair_weights, "pair_weights")
    np.fill_diagonal(weights, 0.0)  # a class makes no pair with itself: never read
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        raise ValueError(
            f"{first(wrong, 'pair_weights')} is {weights[wrong][0]}; "
            "weights must be finite and >= 0"
        )
    if not weights.any():
        raise ValueError("pair_weights sum to zero; give at least one pair of classes a weight > 0")
    return _frozen(weights)


def fit_partition(costs: Any, n_classes: int) -> Floats | None:
    """Return the core's partition: K x K, or None where it is the argmax one."""
    if costs is None:
        return None
    _check_size(costs, n_classes, "partition")
    return None if (costs == 1.0 - np.eye(n_classes)).all() else costs


def fit_pair_weights(weights: Any, n_classes: int, present: Array | None) -> Floats | str | None:
    """Return the core's `pair_weights`: a matrix, "prevalence" or None.

    A pair {i, j} has one weight, W[i, j] + W[j, i], so that symmetric and triangular matrices
    mean the same; the matrix returned is symmetric. The core scales the sum to 1.
    """
    if weights is None or isinstance(weights, str):
        return weights
    _check_size(weights, n_classes, "pair_weights")
    # A power of two scales without rounding, and keeps sums of huge weights finite.
    scaled: Floats = np.ldexp(weights, -np.frexp(weights.max())[1])
    both = scaled + scaled.T
    if present is not None and not both[np.ix_(present, present)].any():
        raise ValueError(
            "pair_weights sum to zero over the classes that have rows; weigh a pair of those"
        )
    return both


def class_weights(weights: Any, masses: Floats) -> Floats:
    """Return what each class weighs in an average over pairs, given the weight of each class."""
    if weights is None:
        both = np.outer(masses > 0.0, masses > 0.0).astype(np.float64)
    elif isinstance(weights, str):
        both = np.outer(masses, masses)
    else:
        both = (weights + weights.T) * np.outer(masses > 0.0, masses > 0.0)
    both = both * (1.0 - np.eye(len(masses)))
    return np.asarray(2.0 * both.sum(axis=1) / both.sum())


def refuse_names(matrix: Any, name: str) -> None:
    """Raise for a data frame whose columns have names, as these would be passed over."""
    if hasattr(matrix, "columns") and not is_default(matrix.columns):
        # Score columns are matched by name, but only when data comes, long after this.
        raise ValueError(
            f"{name} is a data frame with named columns, which are not read; put it in the order "
            "of labels, or else of the columns of y_score, and pass its .to_numpy()"
        )


def _square(matrix: Any, name: str) -> Floats:
    """Return `matrix` as a float64 copy, K x K with K >= 2."""
    refuse_names(matrix, name)
    array = as_array(matrix, name)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or len(array) < 2:
        raise ValueError(
            f"{name} has shape {array.shape}; it must be K x K, a row and a column for each class"
        )
    numbers = exact_float64(as_numbers(array, name)[0], name)
    return np.array(numbers, order="C") + 0.0  # + 0.0 makes -0.0 equal 0.0 to the last bit


def _frozen(matrix: Floats) -> Floats:
    matrix.flags.writeable = False
    return matrix


def _check_size(matrix: Array, n_classes: int, name: str) -> None:
    if len(matrix) != n_classes:
        raise ValueError(
            f"{name} is {len(matrix)} x {len(matrix)} but there are {n_classes} classes; "
            "give it a row and a column for each, in the order of labels"
        )
