"""The rates of a confusion matrix, each a ratio of two sums over rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats

RATES = ("sensitivity", "specificity", "ppv", "npv", "f1")
SHOWN = {
    "accuracy": "accuracy", "sensitivity": "sensitivity", "specificity": "specificity",
    "ppv": "PPV", "npv": "NPV", "f1": "F1",
}  # fmt: skip

NOTHING = 2.0**-40  # the share of all rows below which a sum is none but for rounding


class Margins(NamedTuple):
    """What all rates are made of, class by class in the last axis."""

    right: Array  # rows of the class that are said to be of it
    true: Array  # rows of the class
    said: Array  # rows said to be of it

    @classmethod
    def of(cls, counts: Array) -> Margins:
        """Return those of a confusion matrix ``counts[true, said]``."""
        return cls(counts.diagonal().copy(), counts.sum(axis=1), counts.sum(axis=0))


class Ratio(NamedTuple):
    """Numerators and denominators."""

    above: Array
    below: Array

    @property
    def value(self) -> Floats:
        """The ratios; nan where there is nothing below."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.below > 0, self.above / self.below, np.nan))


def ratios(margins: Margins) -> dict[str, Ratio]:
    """Return the rates of each class against the rest, and the accuracy of all.

    With TP, FP, FN, TN the rows rightly and wrongly said to be of the class, and rightly and
    wrongly not::

        sensitivity = TP / (TP + FN)      PPV = TP / (TP + FP)      F1 = 2 TP / (2 TP + FP + FN)
        specificity = TN / (TN + FP)      NPV = TN / (TN + FN)      accuracy: B97 Eq. 1-5
    """
    tp, true, said = margins
    total = true.sum(axis=-1, keepdims=True)
    not_true, not_said = _without_dust(total - true, total), _without_dust(total - said, total)
    made = {
        "sensitivity": Ratio(tp, true),
        "specificity": Ratio(not_true - (said - tp), not_true),
        "ppv": Ratio(tp, said),
        "npv": Ratio(not_said - (true - tp), not_said),
        "f1": Ratio(2 * tp, true + said),
        "accuracy": Ratio(tp.sum(axis=-1), total[..., 0]),
    }
    return {name: Ratio(np.clip(r.above, 0, r.below), r.below) for name, r in made.items()}


def _without_dust(sums: Array, total: Array) -> Array:
    """Return differences of sums of weights, zero where rounding alone is left of them."""
    if sums.dtype.kind in "iu":
        return sums
    return np.asarray(np.where(sums > NOTHING * total, sums, 0.0))


def shares_of(name: str, true: Array, said: Array) -> tuple[Floats, Floats]:
    """Return what a row adds above and below in a rate, given whether it is and is said of a class.

    For the accuracy: whether it is said to be what it is, and anything.
    """
    t, s = np.asarray(true, np.float64), np.asarray(said, np.float64)
    return {
        "sensitivity": (t * s, t),
        "specificity": ((1 - t) * (1 - s), 1 - t),
        "ppv": (t * s, s),
        "npv": ((1 - t) * (1 - s), 1 - s),
        "f1": (2 * t * s, t + s),
        "accuracy": (t * s, np.ones_like(t)),
    }[name]


def of_jaccard(share: Floats) -> Floats:
    """Return F1 = 2 J / (1 + J), given J = TP / (TP + FP + FN): it is a proportion, F1 is none."""
    return 2.0 * share / (1.0 + share)
