"""Rows with many labels, read: a matrix of 0 and 1 (nan where a row is not labelled) and scores.

What one row says of one label is an entry. Every label has two classes, its negative entries and
its positive ones, and the entries of a row belong together: they vary, and are resampled, as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import show, thread_count
from polyroc._data.arrays import first
from polyroc._data.frequencies import repeated_rows
from polyroc._data.indicators import label_names, read_indicators, scores_of_labels
from polyroc._data.order_doubts import warn_of_rows
from polyroc._data.row_weights import row_weights
from polyroc._data.sample import Sample

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes, Floats

_NEGATIVE, _POSITIVE = " = 0", " = 1"


class Entries(NamedTuple):
    """What the entries of a sample are, beside their scores and classes."""

    rows: Codes  # the row of each
    n_rows: int
    pooled: bool  # whether labels are not told apart
    complete: bool  # whether every row has an entry


@dataclass(frozen=True)
class LabelReading:
    """How rows with many labels are read; called as `prepare` is.

    Labels are told apart or `pooled`; one without both classes is an error, unless it `skips`.
    """

    pooled: bool
    skips: bool

    def __call__(
        self, y_true: Any, y_score: Any, labels: Any = None, sample_weight: Any = None,
        n_threads: Any = None, pos_label: Any = None, frequency_weight: Any = None,
    ) -> Sample:  # fmt: skip
        """Check labels, scores and weights, and bundle their entries."""
        threads = thread_count(n_threads)
        if pos_label is not None:
            raise ValueError(
                "pos_label is for two classes; of many labels 1 is always the positive"
            )
        indicators, names = read_indicators(y_true)
        scores, roundoff, own_names = scores_of_labels(y_score, indicators.shape, names)
        names = label_names(labels, names or own_names, indicators.shape[1])
        index = getattr(y_true, "index", None)
        if type(y_score) is not np.ndarray:
            warn_of_rows(index, y_score, "y_score")
        n_rows = len(indicators)
        weights = None if sample_weight is None else _checked(row_weights(sample_weight, n_rows))
        warn_of_rows(index, sample_weight, "sample_weight")
        seen = None
        if frequency_weight is not None:
            seen = repeated_rows(frequency_weight, n_rows)
            warn_of_rows(index, frequency_weight, "frequency_weight")
            indicators, scores = indicators[seen], scores[seen]
            weights = None if weights is None else weights[seen]
        found = _core.entries(labels=indicators, scores=scores, n_threads=threads)
        sample = _bundle(found, len(indicators), weights, names, roundoff, threads)
        sample = sample._replace(seen=seen, n_given=0 if seen is None else n_rows, index=index)
        return _pooled(sample) if self.pooled else _told_apart(sample, names, self.skips)


def _checked(weights: Floats) -> Floats:
    wrong = ~(np.isfinite(weights) & (weights >= 0.0))
    if wrong.any():
        place, value = first(wrong, "sample_weight"), weights[wrong][0]
        raise ValueError(f"{place} is {value}; weights must be finite and >= 0")
    if not weights.any():
        raise ValueError("sample_weight is zero in every row; give some rows a weight > 0")
    return weights


def _bundle(
    found: _core.Entries, n_rows: int, weights: Floats | None, names: list[str], roundoff: float,
    threads: int,
) -> Sample:  # fmt: skip
    """Return the entries of all labels as a sample."""
    classes = [name + ending for name in names for ending in (_NEGATIVE, _POSITIVE)]
    rows, complete = found.rows, len(found.rows) == n_rows * len(names)
    if not complete:
        met = np.zeros(n_rows, dtype=np.bool_)
        met[rows] = True
        complete = bool(met.all())
    return Sample(
        scores=found.scores,
        codes=found.codes,
        labels=np.array(classes, dtype=object),
        weights=None if weights is None else weights[rows],
        present=None,
        unit_roundoff=roundoff,
        n_threads=threads,
        integers=None,
        entries=Entries(rows, n_rows, False, complete),
        sizes=np.array(found.sizes),
    )


def _pooled(sample: Sample) -> Sample:
    """Return entries of all labels as those of one."""
    entries = sample.entries
    assert entries is not None
    codes, weights = sample.codes & np.uint32(1), sample.weights
    counted = codes if weights is None else codes[weights > 0.0]
    ones = int(np.count_nonzero(counted))
    if ones in (0, len(counted)):
        said = "0" if ones == 0 else "1"
        raise ValueError(f"every label in y_true is {said}; an AUC compares 1 with 0: pass both")
    return sample._replace(
        codes=codes, labels=np.array([0, 1]), entries=entries._replace(pooled=True), sizes=None
    )


def _told_apart(sample: Sample, names: list[str], skips: bool) -> Sample:
    """Return entries of labels that have both classes; the others are an error, or left out."""
    sizes = np.asarray(sample.sizes)
    if sample.weights is not None and sample.weights.min() == 0.0:
        sizes = np.bincount(sample.codes[sample.weights > 0.0], minlength=len(sizes))
        sample = sample._replace(sizes=sizes)
    counts = sizes.reshape(-1, 2)
    lacking = (counts == 0).any(axis=1)
    if not lacking.any():
        return sample
    if lacking.all() or not skips:
        raise ValueError(_one_sided(names, counts, lacking, skips))
    kept = ~np.repeat(lacking, 2)[sample.codes]
    entries = sample.entries
    assert entries is not None
    rows = entries.rows[kept]
    met = np.zeros(entries.n_rows, dtype=np.bool_)
    met[rows] = True
    return sample._replace(
        scores=sample.scores[kept],
        codes=sample.codes[kept],
        weights=None if sample.weights is None else sample.weights[kept],
        present=np.repeat(~lacking, 2),
        sizes=np.where(np.repeat(lacking, 2), 0, sizes),
        entries=entries._replace(rows=rows, complete=bool(met.all())),
    )


def _one_sided(names: list[str], counts: Array, lacking: Array, skips: bool) -> str:
    """Say which labels have one class alone, and what to do about it."""
    listed = np.flatnonzero(lacking).tolist()
    told = []
    for label in listed[:4]:
        negative, positive = counts[label].tolist()
        has = "no rows" if negative == positive == 0 else "no 1" if positive == 0 else "no 0"
        told.append(f"{show(names[label])} has {has}")
    more = f" and {len(listed) - 4} more are alike" if len(listed) > 4 else ""
    if skips:
        return f"no label in y_true has both 0 and 1: {', '.join(told)}{more}; there is no average"
    return (
        f'a label needs rows with 1 and with 0, but {", ".join(told)}{more}; pass absent="skip" '
        "to average without such labels, or drop their columns"
    )


def names_of_labels(classes: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the names of labels whose classes are told apart."""
    return tuple(str(name).removesuffix(_POSITIVE) for name in classes[1::2])
