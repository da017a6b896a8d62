"""What Wilson's intervals of the slider count, where rows have weights or come in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyroc._curves.contrasts import readable
from polyroc._points.effective_counts import effective_count
from polyroc._points.threshold_moments import moments_at

if TYPE_CHECKING:
    from polyroc._base.types import Codes, Floats
    from polyroc._data.sample import Sample

_RATES = ("sensitivity", "specificity", "ppv", "npv")
_DIGITS = 7  # that limits with four decimals need, and some more


def effective_at(
    sample: Sample, place: int, thresholds: Floats, groups: Codes | None, confidence: float
) -> dict[str, list[float | None]]:
    """Return the effective counts of the rates at each threshold for one class against the rest.

    None where a rate is not defined, or where its interval is not: all its rows are in one group.
    """
    scores = readable(sample).scores
    column = scores if scores.ndim == 1 else scores[:, place]
    found = moments_at(thresholds, column, sample.codes == place, sample.weights, groups)
    return {
        name: [
            None if not count > 0 else float(f"{count:.{_DIGITS}g}")
            for count in effective_count(name, found, confidence).tolist()
        ]
        for name in _RATES
    }
