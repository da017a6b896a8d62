"""What measures have in common that are one value per class, put together or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from polyroc._base.checks import choose
from polyroc._measures.measure import ABSENT, Measure

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._data.sample import Sample


Values: TypeAlias = "float | Floats"


class PerClass(Measure[Values]):
    """A measure with the options `average` and `absent`; `averages` are those it knows."""

    average: Any
    absent: Any

    def __post_init__(self) -> None:
        """Check the options."""
        if str(self.average) == "weighted":
            raise ValueError("average is 'weighted'; scikit-learn's name for 'prevalence'")
        choose("average", self.average, (*self.averages, None))
        choose("absent", self.absent, ABSENT)

    @property
    def is_single(self) -> bool:
        """Whether classes are put together."""
        return self.average is not None

    def _shape(self, sample: Sample) -> tuple[int, ...]:
        return () if self.is_single else (sample.n_classes,)
