"""A(i,j) of every pair of classes as a measure of its own: a report has it from the same run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from polyroc._measures.hand_till import HandTill

if TYPE_CHECKING:
    from polyroc import _core
    from polyroc._base.types import Floats
    from polyroc._data.sample import Sample
    from polyroc._inference.bootstrap_result import BootstrapResult


@dataclass(frozen=True, eq=False, repr=False)
class PairAucs(HandTill):
    """The K x K values that M is the mean of: what ``bootstrap(pairs=True)`` has for `HandTill`."""

    @property
    def is_single(self) -> bool:
        """It is not: every pair has a value."""
        return False

    def _describe(self, sample: Sample) -> _core.Measure:
        return self._describe_pairs(sample)

    def _shape(self, sample: Sample) -> tuple[int, ...]:
        return sample.n_classes, sample.n_classes

    def _shaped(self, values: Floats, sample: Sample) -> Any:
        return self._shaped_pairs(values, sample)


def as_pairs(found: BootstrapResult) -> BootstrapResult:
    """Return a result of it as one of the pairs of M."""
    measure = cast("PairAucs", found.measure)
    return replace(found, measure=HandTill(absent=measure.absent))
