"""Words of warning where a class has too few units for errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyroc._base.checks import show
from polyroc._base.display import counted

if TYPE_CHECKING:
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan

# Units of a class below which intervals were seen to miss (benches/studies/COVERAGE.md).
FEW_FOR_ERRORS = 10


def few_for_errors(sample: Sample, units: Plan) -> str:
    """Say if a class has too few units for a closed-form error to be well known."""
    sizes = units.sizes.tolist()
    fewest = min(size for size in sizes if size)
    if fewest >= FEW_FOR_ERRORS:
        return ""
    rarest, unit = sizes.index(fewest), units.unit
    return (
        f"class {show(sample.labels[rarest])} has {counted(fewest, unit)}, from which "
        "its spread is badly known, and the interval may be too short; bootstrap's allows for that"
    )
