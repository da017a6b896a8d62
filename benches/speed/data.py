"""The data of the speed tables: deterministic, about as hard as a decent classifier's scores.

A row of class c has K independent standard normal logits; logit c is raised by a shift, and
the scores are the softmax of the row.  The shift is chosen so that M is about 0.9 for every
K.  Class 0 is twice as frequent as class K - 1, with the others on the line between, so two
classes give one positive row in three.  Rows with many labels are made by ``many_labels``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int64]
Scores = npt.NDArray[np.floating]

_SEED = 7_041_776

# Shifts that give M = 0.9.  With many classes the softmax denominator is nearly constant, and
# the shift tends to sqrt(2) * Phi^-1(0.9) = 1.8124, where Phi is the normal distribution.
_SHIFT = {2: 1.2816, 10: 1.655, 100: 1.79}
_SHIFT_MANY = 1.81


def two_classes(n: int, *, decimals: int | None = None) -> tuple[Labels, Scores]:
    """Labels in {0, 1} and the score of class 1, rounded to ``decimals`` if given.

    With two classes the softmax is the logistic function of the difference of the logits,
    which is normal with variance 2 around plus or minus the shift.
    """
    rng = np.random.default_rng((_SEED, 2, n))
    y = (rng.random(n) * 3.0 < 1.0).astype(np.int64)
    margin = rng.normal(scale=np.sqrt(2.0), size=n)
    margin += np.where(y == 1, _SHIFT[2], -_SHIFT[2])
    score = 1.0 / (1.0 + np.exp(-margin))
    return y, score if decimals is None else score.round(decimals)


def many_labels(n: int, k: int) -> tuple[Labels, Scores]:
    """An (n, k) matrix of labels 0 and 1 and one of scores; labels of a row depend on each other.

    Labels are as rare as findings in radiographs: the first has 17 % of the rows, the last 0.2 %.
    """
    rng = np.random.default_rng((_SEED, 1, n, k))
    shared = rng.standard_normal((n, 1))
    trait = 0.6 * shared + 0.8 * rng.standard_normal((n, k))
    rarity = np.geomspace(0.17, 0.002, k)
    y = trait > np.quantile(trait, 1.0 - rarity, axis=0).diagonal()
    logit = 1.2 * y - 2.0 + rng.standard_normal((n, k))
    return y.astype(np.int64), 1.0 / (1.0 + np.exp(-logit))


def many_classes(
    n: int, k: int, *, decimals: int | None = None, dtype: npt.DTypeLike = np.float64
) -> tuple[Labels, Scores]:
    """Labels 0 .. k - 1 and an (n, k) matrix of softmax scores in C order.

    Rounded rows no longer sum to 1 exactly, which scikit-learn's ``ovo`` refuses.
    """
    rng = np.random.default_rng((_SEED, k, n))
    frequency = np.arange(2 * (k - 1), k - 2, -1, dtype=np.float64)  # 2 : 1, first to last
    edges = np.cumsum(frequency / frequency.sum())
    y = np.minimum(np.searchsorted(edges, rng.random(n), side="right"), k - 1)
    scores = rng.standard_normal((n, k))
    scores[np.arange(n), y] += _SHIFT.get(k, _SHIFT_MANY)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    if decimals is not None:
        scores = scores.round(decimals)
    return y.astype(np.int64), scores.astype(dtype, copy=False)
