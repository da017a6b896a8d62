"""What measures of tuples have in common, of one row from each class."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from polyroc._measures.measure import Measure, Value
from polyroc._stats.newcombe import FromAuc

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._data.sample import Sample


class ByTuple(Measure[Value]):
    """A measure that is a mean over tuples of one row from each class."""

    def _chance(self, n_classes: int) -> float:
        """Return what it is by chance."""
        raise NotImplementedError

    def _degree(self, n_classes: int) -> float:
        """Return the power of an AUC that it goes with: 0, chance and 1 stay what they are.

        An AUC is 1/2 by chance; so the scale on which limits are made has its middle at chance.
        """
        return -math.log2(self._chance(n_classes))

    def _from_auc(self, sample: Sample) -> FromAuc:
        return FromAuc(self._degree(sample.n_present))

    def _class_weights(self, masses: Floats) -> Floats:
        # A row of any class is in 1 / n of all tuples, which on the scale of the AUC is less.
        present = masses > 0.0
        return np.where(present, 1.0 / self._degree(int(np.count_nonzero(present))), 0.0)
