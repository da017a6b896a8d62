"""Words of warning where a class has too few units for errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polyroc._base.checks import show
from polyroc._base.display import counted

if TYPE_CHECKING:
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._inference.spread import Cells

# Effective units of a class below which intervals were seen to miss
# (benches/studies/COVERAGE.md), by what errors are referred to.
FEW_FOR_ERRORS = {"normal": 20, "t": 5}
MUCH_FOR_ONE = 0.15  # of a class's weight, from which on t intervals were seen to miss


def few_for_errors(sample: Sample, units: Plan, cells: Cells, reference: str) -> str:
    """Say if a class has too few effective units for a closed-form error to be well known."""
    sizes = cells.effective.tolist()
    fewest = min([size for size in sizes if size])
    if fewest >= FEW_FOR_ERRORS[reference]:
        if cells.heaviest is None or cells.weights is None or reference == "normal":
            return ""
        heaviest = cells.heaviest.tolist()
        if max(heaviest) <= MUCH_FOR_ONE:
            return ""
        k = heaviest.index(max(heaviest))
        return (
            f"one {units.unit} has {100 * heaviest[k]:.0f} % of the weight of class "
            f"{show(sample.labels[k])}: with weights so uneven the interval may be too short"
        )
    rarest = sizes.index(fewest)
    unit, count = units.unit, int(units.sizes[rarest])
    worth = "" if np.isclose(fewest, count) else f", worth {fewest:.1f} of equal weight"
    way = 'pass reference="t"' if reference == "normal" else "collect more"
    return (
        f"class {show(sample.labels[rarest])} has {counted(count, unit)}{worth}, from which its "
        f"spread is badly known, and the interval may be too short; {way}"
    )
