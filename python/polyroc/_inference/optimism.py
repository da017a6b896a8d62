"""By how much replicates look better than what was chosen in them is on the sample."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._data.units import SCHEMES
from polyroc._measures.registry import rows_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polyroc._base.types import Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan
    from polyroc._inference.run import Budget
    from polyroc._measures.measure import Measure

# Of a mean that is a fraction of the standard error. A number of its own, so that parts of a run
# have the same optimism.
REPLICATES = 256


def usual_method(measure: Measure[Any], sample: Sample) -> str:
    """Return the method of bootstrap intervals of a measure where none is asked for."""
    return "bca" if measure._optimism(sample) is None else "corrected"


def optimism_of(
    sample: Sample, units: Plan, measures: Mapping[str, Measure[Any]], seed: int, budget: Budget
) -> dict[str, Floats]:
    """Return the mean optimism of each measure that has any, one number for each of its values.

    It is nan where every replicate is lost.
    """
    found: Sequence[Any] = ()
    asked = {name: one._optimism(sample) for name, one in measures.items()}
    core = [one for one in asked.values() if one is not None]
    if core:
        run = _core.bootstrap(
            models=[rows_for(sample, measures.values(), units)],
            measures=core,
            scheme=SCHEMES[units.scheme],
            stratified=units.stratified,
            seed=seed,
            first=0,
            last=REPLICATES,
            redraw=False,
            estimates=False,
            influence=False,
            cells=False,
            watcher=None,
            **budget._asdict(),
        )
        kept = ~np.asarray(run.lost, dtype=np.bool_)
        found = [values[kept] for values in run.values]
    names = (name for name, one in asked.items() if one is not None)
    return {
        name: values.mean(axis=0) if len(values) else np.full(values.shape[1], math.nan)
        for name, values in zip(names, found, strict=True)
    }
