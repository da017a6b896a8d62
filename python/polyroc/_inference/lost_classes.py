"""What is said of replicates that lost a class, and of classes that are a single unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import counted
from polyroc._base.warn import warn
from polyroc._data.units import keeping_classes, single_units
from polyroc._inference.bootstrap_result import BootstrapWarning
from polyroc._inference.run import MANY_LOST

if TYPE_CHECKING:
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan


def remark(sample: Sample, units: Plan, lost: Any, part: range, total: int, degenerate: str) -> str:
    """Warn of what a reader of the interval should know; raise where it was asked for."""
    n_lost = int(np.count_nonzero(lost))
    if n_lost:
        keeping = keeping_classes(units)
        text = f"{n_lost:,} of {counted(len(lost), 'replicate')} lost a class"
        if degenerate == "raise":
            raise ValueError(
                f"{text}, the first one being {part.start + int(np.argmax(lost))}; {keeping} "
                'keeps all classes, degenerate="redraw" draws such replicates again'
            )
        if n_lost == total:
            raise ValueError(f"{text}; {keeping} keeps all classes")
        if n_lost > MANY_LOST * len(lost):
            warn(
                f"{text} and were left out, so that the interval holds for resamples with all "
                f'classes only; {keeping} avoids that, degenerate="redraw" does not',
                BootstrapWarning,
            )
    alone = single_units(sample, units)
    if alone:
        warn(alone, BootstrapWarning)
    return alone
