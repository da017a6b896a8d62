"""Tuples of one row from each class, drawn at random, and what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.public import public
from polyroc._base.seeds import seed_number

if TYPE_CHECKING:
    from polyroc._base.types import Codes
    from polyroc._data.sample import Sample


@public
class TupleSample(float):
    """A mean over tuples drawn at random: a float that knows its error.

    Attributes
    ----------
    standard_error : float
        How far the mean over all tuples may be from it. That is the error of drawing tuples of
        these rows, not that of the rows themselves.
    n_tuples : int
        How many tuples were drawn.
    seed : int
        The seed that draws them again.
    """

    standard_error: float
    n_tuples: int
    seed: int

    def __new__(cls, value: float, standard_error: float, n_tuples: int, seed: int) -> TupleSample:
        """Put the parts together."""
        made = super().__new__(cls, value)
        made.standard_error, made.n_tuples, made.seed = standard_error, n_tuples, seed
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return float(self), self.standard_error, self.n_tuples, self.seed

    def __repr__(self) -> str:
        return (
            f"{float(self):.6g} +- {self.standard_error:.3g} "
            f"(standard error of {self.n_tuples:,} tuples, seed {self.seed})"
        )


def draw_tuples(sample: Sample, n_tuples: int, seed: Any) -> tuple[Codes, int]:
    """Return tuples of row numbers, one row of each class that has any, and the seed.

    Rows are drawn in proportion to their weights, each class by itself.
    """
    number = seed_number(seed)
    generator = np.random.default_rng(number)
    codes, drawn = sample.codes, []
    weights = np.ones(len(codes)) if sample.weights is None else sample.weights
    for code in range(sample.n_classes):
        rows = np.flatnonzero((codes == code) & (weights > 0.0))
        if len(rows):
            below = np.cumsum(weights[rows])
            at = np.searchsorted(below, generator.random(n_tuples) * below[-1], side="right")
            drawn.append(rows[np.minimum(at, len(rows) - 1)])
    return np.ascontiguousarray(np.column_stack(drawn).astype(np.uint32)), number
