"""What measures of the convex hull of ROC curves have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._base.checks import choose
from polyroc._measures.measure import ABSENT, Measure

if TYPE_CHECKING:
    from polyroc import _core
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
        """Say what intervals that are made of replicates alone miss."""
        return (
            "hulls of resamples lie above that of the sample, as it lies above the true one: this "
            'interval lies too high, method="corrected" takes that off'
        )

    def _describe(self, sample: Sample) -> _core.Measure:
        return self._of_hulls(one_column=sample.n_classes == 2, optimism=False)

    def _optimism(self, sample: Sample) -> _core.Measure | None:
        """Return that of the hull's thresholds."""
        return self._of_hulls(one_column=sample.n_classes == 2, optimism=True)

    def _of_hulls(self, **which: bool) -> _core.Measure:
        """Return what the core makes of hulls: the measure, or the optimism of their corners."""
        raise NotImplementedError
