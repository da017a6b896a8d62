"""What measures of two classes alone have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyroc._measures.measure import Measure

if TYPE_CHECKING:
    from polyroc._data.sample import Sample


class OfTwo(Measure[float]):
    """A measure of two classes by one score."""

    @property
    def reads_one_column(self) -> bool:
        """It does: that of the favoured class."""
        return True

    def _admit(self, sample: Sample) -> None:
        super()._admit(sample)
        sample.require_two_classes(self.name)
