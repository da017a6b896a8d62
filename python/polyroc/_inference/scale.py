"""What a measure can be on a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyroc._data.units import contest_sizes, two_smallest
from polyroc._stats.normal_interval import Scale

if TYPE_CHECKING:
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._measures.measure import Measure


def scale_of(measure: Measure[Any], sample: Sample, units: Plan) -> Scale:
    """Return what a measure can be on a sample."""
    if measure.compares_with_rest:
        smaller, larger = contest_sizes(units, (), with_rest=True).tolist()
    else:
        smaller, larger = two_smallest(units.sizes)
    return Scale(measure._bounds(sample), measure._from_auc(sample), (smaller, larger))
