"""SE(W), the standard error of an AUC from its value and the sizes of the classes alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.arrays import first
from polyroc._data.numbers import as_numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from polyroc._base.types import Array, Floats


@overload
def hanley_mcneil(auc: float, n_pos: int, n_neg: int) -> float: ...
@overload
def hanley_mcneil(auc: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike) -> float | Floats: ...
@public
@hinting
def hanley_mcneil(auc: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike) -> float | Floats:
    """SE(W), the standard error of a binary AUC by Hanley & McNeil.

    With t the AUC, Cp and Cn the numbers of rows of the favoured class and of the other
    (B97 Eq. 10-12)::

        SE(W) = sqrt((t (1 - t) + (Cp - 1) (Q1 - t^2) + (Cn - 1) (Q2 - t^2)) / (Cp Cn))
        Q1 = t / (2 - t),    Q2 = 2 t^2 / (1 + t)

    It takes the scores of both classes for exponentially distributed, knows nothing of ties, and
    is 0 at t = 0 and t = 1, whatever the sizes. Given rows rather than summaries, `bootstrap` asks
    for no such model.

    Parameters
    ----------
    auc : float or array_like
        The AUC, in [0, 1].
    n_pos, n_neg : int or array_like
        Rows of the class whose scores are to be the higher ones, and of the other class: whole
        numbers >= 1. Arrays are broadcast against each other.

    Returns
    -------
    float or ndarray
        The standard error; a float where all three are numbers.

    References
    ----------
    B97: A. P. Bradley, The use of the area under the ROC curve in the evaluation of machine
    learning algorithms, Pattern Recognition 30, 1997.
    J. A. Hanley and B. J. McNeil, The meaning and use of the area under a receiver operating
    characteristic (ROC) curve, Radiology 143, 1982.

    Examples
    --------
    >>> import polyroc as pr
    >>> round(pr.hanley_mcneil(0.9, 50, 40), 4)
    0.0328
    >>> pr.hanley_mcneil([0.7, 0.8, 0.9], 50, 40).round(4)
    array([0.0546, 0.046 , 0.0328])
    """
    t = _floats(auc, "auc", "in [0, 1]")
    _require((t >= 0) & (t <= 1), t, "auc", "an AUC lies in [0, 1]")
    sizes = []
    for name, given in (("n_pos", n_pos), ("n_neg", n_neg)):
        size = _floats(given, name, ">= 1")
        whole = (size >= 1) & (size == np.floor(size)) & np.isfinite(size)
        _require(whole, size, name, "pass a whole number of rows, at least 1")
        sizes.append(size)
    positives, negatives = sizes
    try:
        np.broadcast_shapes(t.shape, positives.shape, negatives.shape)
    except ValueError as error:
        shapes = f"{t.shape}, {positives.shape} and {negatives.shape}"
        raise ValueError(
            f"auc, n_pos and n_neg have the shapes {shapes}, which do not fit together; "
            "pass numbers, or arrays of one shape"
        ) from error
    # Q1 - t^2 = t (1 - t) (1 - t) / (2 - t) and Q2 - t^2 = t (1 - t) t / (1 + t), which neither
    # cancel nor fall below 0 near t = 1, where the differences do.
    spread = 1 + (positives - 1) * (1 - t) / (2 - t) + (negatives - 1) * t / (1 + t)
    errors = np.sqrt(t * (1 - t) * spread / positives / negatives)
    return float(errors) if np.ndim(errors) == 0 else np.asarray(errors)


def _floats(value: Any, name: str, range_: str) -> Floats:
    array = np.asarray(value)
    if array.dtype.kind == "b" or (array.ndim == 0 and array.dtype.kind not in "iuf"):
        kind = type(value).__name__.rstrip("_")
        raise TypeError(f"{name} is {value!r}, a {kind}; pass numbers {range_}")
    if array.size == 0:
        raise ValueError(f"{name} is empty; pass at least one number")
    return as_numbers(array, name)[0].astype(np.float64)


def _require(fine: Array, values: Floats, name: str, rule: str) -> None:
    if fine.all():
        return
    place = first(~fine, name) if values.ndim else name
    raise ValueError(f"{place} is {values[~fine].flat[0]:g}; {rule}")
