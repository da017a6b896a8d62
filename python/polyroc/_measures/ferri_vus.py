"""The volume under the ROC surface of crisp classifiers of three classes."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.arrays import first
from polyroc._data.labels import align, encode
from polyroc._data.order_doubts import warn_of_all_rows
from polyroc._data.row_weights import row_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Codes, Floats, Labels, Scores

# The six rates of a point: class 0 called 1 or 2, class 1 called 0 or 2, class 2 called 0 or 1.
_CALLED = ((1, 2), (0, 2), (0, 1))


@public
@hinting
def ferri_vus(
    y_true: Labels,
    predictions: Labels | Sequence[Labels],
    *,
    labels: Labels | None = None,
    sample_weight: Scores | None = None,
) -> float:
    """Volume under the ROC surface of classifiers that say one of three classes and no score.

    A classifier is a point of six error rates, the share of the rows of class i that it calls j. A
    mixture of classifiers, which tosses a coin for each row, reaches every point between them; and
    whoever makes no more errors of any kind is at least as good. The volume is that of all points
    that some mixture of these classifiers, and of the three that always say the same, is at least
    as good as, out of those where each class's two rates sum to at most 1::

        1/180 for the three alone, 1/8 for a classifier without errors

    With two classes this is the area under the convex hull of the ROC curve. It is the hull of
    each point with its 27 lifts: for each class either its two rates, or one of them raised until
    the class is always wrong. Cost: that of a convex hull in six dimensions, tenths of a second
    for ten classifiers. Needs scipy (``pip install "polyroc[stats]"``).

    Parameters
    ----------
    y_true : array_like of shape (n,)
        Labels of three classes.
    predictions : array_like of shape (n,), or a list of such
        What a classifier says of each row, or what each of several does: labels.
    labels : array_like of shape (3,), optional
        The three classes; by default the values of `y_true`.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, finite and >= 0.

    Returns
    -------
    float
        The volume, from 1/180 to 1/8.

    References
    ----------
    C. Ferri, J. Hernandez-Orallo and M. A. Salido, Volume under the ROC surface for multi-class
    problems, ECML 2003.

    Examples
    --------
    >>> import polyroc as pr
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> one, other = ["a", "b", "b", "b", "c", "a"], ["a", "a", "c", "b", "c", "c"]
    >>> round(pr.ferri_vus(y, one), 4)
    0.0322
    >>> round(pr.ferri_vus(y, [one, other]), 4)
    0.0797
    """
    codes, found = encode(y_true)
    codes, classes, _ = align(codes, found, labels)
    if len(classes) != 3 or len(found) != 3:
        raise ValueError(
            f"ferri_vus is for three classes, all with rows, but y_true has {len(found)} "
            f"{show(found)}; for scores of any number of classes use hum or pdi"
        )
    weights = np.ones(len(codes))
    if sample_weight is not None:
        weights = row_weights(sample_weight, len(codes))
        wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
        if len(wrong):
            raise ValueError(
                f"sample_weight[{wrong[0]}] is {weights[wrong[0]]}; weights must be finite and >= 0"
            )
    sizes = np.bincount(codes, weights, 3).astype(np.float64)
    if not (sizes > 0.0).all():
        lost = show(classes[int(np.argmin(sizes))])
        raise ValueError(f"no row of positive weight has the label {lost}; all three need some")
    given = _listed(predictions)
    warn_of_all_rows(y_true, sample_weight=sample_weight, **{name: one for one, name in given})
    said = [_said(one, name, len(codes), classes) for one, name in given]
    said += [np.full(len(codes), code, dtype=np.uint32) for code in range(3)]
    points = np.array([_rates(codes, one, weights, sizes) for one in said])
    return _hull_volume(np.concatenate([_lifted(point) for point in points]))


def _listed(predictions: Any) -> list[tuple[Any, str]]:
    """Return the predictions of each classifier with their name in messages."""
    several = isinstance(predictions, (list, tuple))
    if several and not predictions:
        raise ValueError(
            "predictions is empty; pass the class that a classifier says of each row, or a list of "
            "these for several"
        )
    if several and not isinstance(predictions[0], (str, bytes)) and np.ndim(predictions[0]) > 0:
        return [(one, f"predictions[{k}]") for k, one in enumerate(predictions)]
    return [(predictions, "predictions")]


def _said(predicted: Any, name: str, n_rows: int, classes: Any) -> Codes:
    """Return the class that a classifier says of each row."""
    shape = np.shape(predicted)
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"{name} has shape {shape}; pass the class said of each row, not scores: "
            "np.asarray(labels)[scores.argmax(axis=1)]"
        )
    try:
        codes, found = encode(predicted)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(str(error).replace("y_true", name)) from error
    if len(codes) != n_rows:
        raise ValueError(f"{name} has {len(codes)} rows but y_true has {n_rows}; pass one each")
    number = {label: k for k, label in enumerate(classes.tolist())}
    for k, label in enumerate(found.tolist()):
        if label not in number:
            raise ValueError(
                f"{first(codes == k, name)} is {show(label)}, which is none of the classes "
                f"{show(classes)}; pass labels, not scores"
            )
    return np.array([number[label] for label in found.tolist()], dtype=np.uint32)[codes]


def _rates(codes: Codes, said: Codes, weights: Floats, sizes: Floats) -> Floats:
    """Return the six error rates."""
    table = np.bincount(3 * codes + said, weights, 9).reshape(3, 3) / sizes[:, None]
    return np.array([table[i, j] for i in range(3) for j in _CALLED[i]])


def _lifted(point: Floats) -> Floats:
    """Return a point with its lifts, 27 in all."""
    choices = []
    for one, other in point.reshape(3, 2):
        choices.append(((one, other), (max(1.0 - other, one), other), (one, max(1.0 - one, other))))
    return np.array([np.concatenate(lift) for lift in product(*choices)])


def _hull_volume(points: Floats) -> float:
    try:
        from scipy.spatial import ConvexHull
    except ImportError as error:
        raise ImportError(
            'ferri_vus needs scipy; install it with pip install "polyroc[stats]"'
        ) from error
    return float(ConvexHull(np.unique(points, axis=0)).volume)
