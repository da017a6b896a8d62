"""A sample of the rows of each class, for measures whose tables would outgrow a shard.

Every row has a hash of its id, and of each class the rows with the least hashes are kept: a simple
random sample without replacement, as hashes have nothing to do with scores (E. Cohen and H. Kaplan,
Summarizing data using bottom-k sketches, PODC 2007). Which rows these are depends on the rows that
came and on nothing else, so that any order, split and tree of merges gives the same sample.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import show, whole
from polyroc._pipelines.shard_rows import numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array, Codes, Floats
    from polyroc._pipelines.note import Note

MOST_PAIR_BINS = 2**27  # of all pairs of classes together, with two counts of 8 bytes each
MOST_SCORES = 2**25  # that a sample keeps unless told otherwise: 256 MiB


def rows_to_sample(note: Note, max_bins: int, sample_rows: Any) -> int | None:
    """Return how many rows of each class a state keeps; None where it counts all in tables."""
    classes = len(note.labels)
    if sample_rows is not None:
        most = whole(sample_rows)
        if most is None or most < 2:
            raise ValueError(
                f"sample_rows is {show(sample_rows)}; pass how many rows of each class to keep, a "
                "whole number above 1"
            )
        if "auc_mu" not in note.measures:
            raise ValueError(
                f"sample_rows is for auc_mu, and measures has {', '.join(note.measures)}; leave it "
                "out"
            )
        if classes == 2:
            raise ValueError("auc_mu of two classes takes a single table; leave sample_rows out")
        return most
    if not has_to_sample(note.measures, classes, max_bins):
        return None
    return max(2, MOST_SCORES // classes**2)


def has_to_sample(measures: Sequence[str], n_classes: int, max_bins: int) -> bool:
    """Tell whether there are more pairs of classes than there can be tables of."""
    return "auc_mu" in measures and _pairs(n_classes) * max_bins > MOST_PAIR_BINS


def refuse_two_passes(measures: Sequence[str], n_classes: int, max_bins: int) -> None:
    """Raise, before any row is read, if AUC-mu would be that of a sample, which has one pass."""
    if not has_to_sample(measures, n_classes, max_bins):
        return
    fewer = MOST_PAIR_BINS // _pairs(n_classes)
    raise ValueError(
        f"auc_mu of {n_classes:,} classes has {_pairs(n_classes):,} tables, too many for "
        f"max_bins={max_bins:,}: it is that of a sample of rows, and interval= takes a second pass "
        "over all of them, which a sample does not have; pass "
        + (f"max_bins={fewer:,} or fewer, " if fewer >= 2 else "")
        + "interval=None with row_id=, or leave auc_mu out (hand_till takes one table per class)"
    )


def _pairs(n_classes: int) -> int:
    return n_classes * (n_classes - 1) // 2


def ids_to_sample(row_id: Any, n_rows: int, labels: tuple[Any, ...]) -> Array:
    """Return the row ids that a sample goes by, as whole numbers."""
    if row_id is None:
        raise ValueError(
            f"auc_mu of these {len(labels)} classes is that of a sample of rows, which is drawn by "
            "row ids; pass row_id= (the same for a row wherever it is read), fewer max_bins, or "
            "leave auc_mu out (hand_till takes one table per class)"
        )
    return numbers_of(row_id, "row_id", n_rows)


class Kept(NamedTuple):
    """Rows of a sample, ordered by class, hash and what stands in them."""

    codes: Codes
    hashes: Array
    weights: Floats
    scores: Floats

    def take(self, rows: Any) -> Kept:
        """Return some of the rows, in some order."""
        return Kept(*(column[rows] for column in self))


class RowSample:
    """The rows of each class with the least hashes of their ids, at most `most` of each."""

    def __init__(self, n_classes: int, most: int) -> None:
        self.most, self.n_classes = most, n_classes
        empty = np.empty(0)
        self._kept = Kept(
            empty.astype(np.uint32), empty.astype(np.uint64), empty, np.empty((0, n_classes))
        )
        self._waiting: list[Kept] = []
        self._limits = np.full(n_classes, np.iinfo(np.uint64).max)

    def add(self, codes: Codes, ids: Array, weights: Floats | None, scores: Any) -> None:
        """Take rows; `scores` is a matrix, or a list of columns."""
        hashes = _mixed(ids)
        rows = np.flatnonzero(hashes <= self._limits[codes])  # most rows come too late
        if not len(rows):
            return
        matrix = isinstance(scores, np.ndarray)
        chosen = scores[rows] if matrix else np.stack([column[rows] for column in scores]).T
        weight = np.ones(len(rows)) if weights is None else weights[rows]
        self._wait(Kept(codes[rows], hashes[rows], weight, chosen.astype(np.float64) + 0.0))

    def merge(self, other: RowSample) -> None:
        """Take the rows of another sample of as many rows of each class."""
        self._wait(other.kept())

    def _wait(self, more: Kept) -> None:
        self._waiting.append(more)
        # Sorting is put off until there is as much to sort as is kept.
        if sum(len(few.codes) for few in self._waiting) > max(len(self._kept.codes), 1 << 12):
            self.kept()

    def kept(self) -> Kept:
        """Return the sample."""
        if not self._waiting:
            return self._kept
        parts = [self._kept, *self._waiting]
        every = Kept(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
        ordered = every.take(_order(every))
        starts = np.searchsorted(ordered.codes, np.arange(self.n_classes))
        place = np.arange(len(ordered.codes)) - starts[ordered.codes]
        full = place == self.most - 1
        self._limits[ordered.codes[full]] = ordered.hashes[full]
        self._kept, self._waiting = ordered.take(place < self.most), []
        return self._kept

    def copy(self) -> RowSample:
        """Return a sample that goes its own way from here."""
        other = RowSample(self.n_classes, self.most)
        other._kept, other._limits = self.kept(), self._limits.copy()
        return other

    def to_bytes(self) -> bytes:
        """Return the sample as bytes, the same for the same rows."""
        kept = self.kept()
        counts = np.bincount(kept.codes, minlength=self.n_classes)
        numbers = np.concatenate(([self.most, self.n_classes], counts)).astype("<u8")
        columns = (kept.hashes.astype("<u8"), kept.weights.astype("<f8"), kept.scores.astype("<f8"))
        return b"".join(part.tobytes() for part in (numbers, *columns))

    @classmethod
    def from_bytes(cls, data: bytes) -> RowSample:
        """Return the sample of such bytes, whose checksum is known to be right."""
        most, n_classes = np.frombuffer(data, "<u8", 2).tolist()
        counts = np.frombuffer(data, "<u8", n_classes, 16).astype(np.int64)
        total, at = int(counts.sum()), 16 + 8 * n_classes
        hashes = np.frombuffer(data, "<u8", total, at)
        weights = np.frombuffer(data, "<f8", total, at + 8 * total)
        scores = np.frombuffer(data, "<f8", total * n_classes, at + 16 * total)
        sample = cls(n_classes, most)
        codes = np.repeat(np.arange(n_classes, dtype=np.uint32), counts)
        sample._waiting = [Kept(codes, hashes, weights, scores.reshape(total, n_classes))]
        sample.kept()
        return sample

    def refuse_doubles(self) -> None:
        """Raise if two rows of the sample have one id."""
        hashes = np.sort(self.kept().hashes)
        double = hashes[1:][hashes[1:] == hashes[:-1]]
        if len(double):
            ids = [int(one) for one in np.unique(double)]
            raise ValueError(
                f"{len(double):,} rows of the sample have an id that came before (their hashes are "
                f"{show(ids)}); row_id tells each row from all others, or a shard was read twice"
            )


def _mixed(ids: Array) -> Array:
    """Return a hash of each id, the finaliser of splitmix64: another id has another hash."""
    z = ids + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ z >> np.uint64(31))


def _order(rows: Kept) -> Array:
    """Return the order of rows by class and hash; those of one id are told apart by their bytes."""
    order = np.lexsort((rows.hashes, rows.codes))
    codes, hashes = rows.codes[order], rows.hashes[order]
    same = (codes[1:] == codes[:-1]) & (hashes[1:] == hashes[:-1])
    if not same.any():
        return np.asarray(order)
    run = np.concatenate(([0], np.cumsum(~same)))  # the number of each stretch of one id
    doubled = np.flatnonzero(np.bincount(run)[run] > 1)
    row_bytes = {
        int(at): rows.weights[order[at]].tobytes() + rows.scores[order[at]].tobytes()
        for at in doubled
    }
    order[doubled] = order[sorted(row_bytes, key=lambda at: (run[at], row_bytes[at]))]
    return np.asarray(order)
