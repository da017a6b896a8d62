"""Which segments have numbers, and what is said of those that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes
    from polyroc._data.sample import Sample
    from polyroc._measures.measure import Measure
    from polyroc._pipelines.segments import Segments

NOTHING, ESTIMATE, ERROR = 0, 1, 2


class Status(NamedTuple):
    """What can be known of each segment."""

    counts: Array  # rows of each class, one line per segment; those without weight are none
    units: Array  # the same of what varies by itself: rows, or groups
    wanted: Codes  # NOTHING, the ESTIMATE alone, or its ERROR too
    texts: list[str]  # "ok", or what is missing and why

    @property
    def pairs_used(self) -> Array:
        """How many pairs of classes an estimate is made of."""
        present = (self.counts > 0).sum(axis=1)
        return np.where(self.wanted > NOTHING, present * (present - 1) // 2, 0)

    @property
    def lacks_class(self) -> Array:
        """Which segments have no rows of some class."""
        return np.asarray((self.counts == 0).any(axis=1))


def status_of(
    sample: Sample, part: Segments, measure: Measure[Any], min_rows: int, groups: Codes | None
) -> Status:
    """Return which segments have enough rows; errors take two units of each class."""
    counts = _counts(sample, part, None)
    if groups is None:
        return status_of_counts(sample.labels, counts, measure, min_rows)
    units = _counts(sample, part, groups)
    return status_of_counts(sample.labels, counts, measure, min_rows, (units, "group"))


def status_of_counts(
    labels: Array, counts: Array, measure: Measure[Any], min_rows: int,
    counted: tuple[Array, str] | None = None,
) -> Status:  # fmt: skip
    """Return the same from the rows of each class in each segment; `counted` are other units."""
    units, unit = counted or (counts, "row")
    wanted = np.full(len(counts), ERROR, dtype=np.uint32)
    texts = np.full(len(counts), "ok", dtype=object)
    absent, single = counts == 0, units == 1
    told = single.any(axis=1)
    wanted[told] = ESTIMATE
    texts[told] = _naming(labels, single[told], f"one {unit} of ", ": no error")
    lacking = absent.any(axis=1)
    if measure.skips_absent:
        lacking &= (~absent).sum(axis=1) < 2
    wanted[lacking] = NOTHING
    texts[lacking] = _naming(labels, absent[lacking], "no rows of ", "")
    few = counts.sum(axis=1) < min_rows
    wanted[few] = NOTHING
    texts[few] = f"fewer than {min_rows} rows"
    texts[few & (counts.sum(axis=1) == 0)] = "no row weighs more than 0"
    return Status(counts, units, wanted, texts.tolist())


def _counts(sample: Sample, part: Segments, groups: Codes | None) -> Array:
    """Return the rows of each class in each segment, or its groups."""
    k = sample.n_classes
    small = part.n_segments * k < 2**31  # then there is no need to make codes wider, which is slow
    joined: Array = sample.codes if small else sample.codes.astype(np.int64)
    if part.n_segments > 1:
        joined = part.codes * joined.dtype.type(k) + joined
    if sample.weights is not None:
        joined = joined[sample.weights > 0.0]
        groups = None if groups is None else groups[sample.weights > 0.0]
    if groups is not None:
        size = int(groups.max(initial=0)) + 1
        joined = np.unique(joined.astype(np.int64) * size + groups) // size
    return np.bincount(joined, minlength=part.n_segments * k).reshape(part.n_segments, k)


def _naming(labels: Array, which: Array, before: str, after: str) -> Array:
    """Return a text for each line, with the labels that it marks; equal lines share one."""
    packed = np.ascontiguousarray(np.packbits(which, axis=1))
    lines = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, firsts, inverse = np.unique(lines, return_index=True, return_inverse=True)
    texts = [f"{before}{show(labels[which[k]])}{after}" for k in firsts.tolist()]
    return np.array(texts, dtype=object)[inverse]
