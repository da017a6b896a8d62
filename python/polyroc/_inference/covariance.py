"""The covariance of several numbers, which can wait until somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._base.types import Array, Floats


class Covariance:
    """A covariance matrix, made when it is first asked for.

    Of K numbers and n units it takes O(K^2 n) time, where their variances take O(K n): one value
    for each of many classes would spend most of it here. Two of them are equal if the matrices are,
    and a pickled one is the matrix alone.
    """

    def __init__(self, make: Callable[[], Floats]) -> None:
        self._make: Callable[[], Floats] | None = make
        self._matrix: Floats | None = None

    @staticmethod
    def known(matrix: Floats) -> Covariance:
        """Return one that is there already."""
        return Covariance(lambda: matrix)

    def matrix(self) -> Floats:
        """Return the matrix, read-only."""
        make = self._make
        if make is not None:
            matrix = make()
            matrix.setflags(write=False)
            # In this order: whoever finds no `_make`, in another thread too, finds the matrix.
            self._matrix = matrix
            self._make = None  # with what it was made of
        assert self._matrix is not None
        return self._matrix

    def without(self, undefined: Array) -> Covariance:
        """Return the same with nan for undefined numbers, which is no covariance of 0."""

        def make() -> Floats:
            matrix = self.matrix().copy()
            matrix[undefined], matrix[:, undefined] = np.nan, np.nan
            return matrix

        return Covariance(make)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Covariance):
            return NotImplemented
        return np.array_equal(self.matrix(), other.matrix(), equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Covariance.known, (self.matrix(),)
