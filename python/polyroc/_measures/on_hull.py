"""What measures of the convex hull of ROC curves have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._base.checks import choose
from polyroc._measures.measure import ABSENT, Measure

if TYPE_CHECKING:
    from polyroc._data.sample import Sample


class OnHull(Measure[float]):
    """A measure of one hull, or the mean over the hulls of all pairs of classes."""

    absent: Any

    def __post_init__(self) -> None:
        """Check the options."""
        choose("absent", self.absent, ABSENT)

    @property
    def has_influence(self) -> bool:
        """Not so: which points are corners changes with every row."""
        return False

    @property
    def reads_one_column(self) -> bool:
        """It does: that of the favoured class."""
        return True

    def _caution(self, estimate: Any, sizes: tuple[int, ...]) -> str:
        """Say what resampling does to a mean over the hulls of many pairs."""
        if len(sizes) == 2:
            return ""
        return (
            "hulls of resamples lie above that of the sample, and a mean over many pairs varies "
            "little beside that: the interval lies too high and may even leave out the estimate"
        )

    def _one_column(self, sample: Sample) -> bool:
        return sample.n_classes == 2
