"""What a shard of rows knows of the measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose, show, thread_count, whole
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.order_doubts import warn_of_all_rows
from polyroc._data.row_weights import row_weights
from polyroc._pipelines.frame_columns import score_names
from polyroc._pipelines.note import Note, from_bytes, note_of
from polyroc._pipelines.row_sample import RowSample, ids_to_sample, rows_to_sample
from polyroc._pipelines.sampled_bytes import is_sampled, seal, unseal
from polyroc._pipelines.shard_rows import codes_of, is_empty, scores_of
from polyroc._pipelines.state_frames import Named, parts_of_frame
from polyroc._pipelines.state_value import StateValues, values_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from polyroc._base.types import Array, Labels, Scores
    from polyroc._pipelines.state_frames import Batch

KEYS = ("fold", "float")
_MOST_COUNTED = 2**40  # see `Layout::shares` in the core


@public
class State:
    """Counts by score that shards make by themselves and add up.

    A state depends on the rows that it has seen and on nothing else: any order of rows, any split
    into shards and any order of merging gives the same bytes. It counts every distinct score
    until a column has more than `max_bins` of them; then neighbouring scores share a bin, and
    results say by how much they may be off at most.

    Parameters
    ----------
    labels : array_like of shape (K,)
        The classes, in column order: strings or numbers.
    measures : str or sequence of str
        "auc" (two classes), "hand_till", "one_vs_rest" (macro), "auc_mu" (ties="exact"). The first
        three share one table per column; AUC-mu needs one per pair of classes.
    key : {"fold", "float"}
        How scores are binned when they must be. "fold" is for probabilities, and as fine near 1 as
        near 0; "float" for any other scores: margins, logits.
    max_bins : int
        The most distinct scores, or bins, of a column, 2 to 2^24. For "auc_mu" all pairs of
        classes together may have 2^27: 128 classes at the default.
    class_counts : array_like of shape (K,), optional
        The rows of each class (with sample weights: their sum), where they are known beforehand.
        A column then keeps its own class and the rest apart, and not all K classes: for hundreds
        of classes it is what makes a state small. ``compute`` fails if other rows came. At most
        2^40 each.
    sample_rows : int, optional
        For "auc_mu": keep so many rows of each class, chosen by a hash of their ids, and no table
        of pairs; ``update`` then needs `row_id`. Where tables of pairs would have more than 2^27
        bins it is done anyway, with as many rows as make 2^25 scores in all (256 MiB), 2 at least.

    Notes
    -----
    Sample weights that are whole numbers are exact. If any is not, all are counted in units of
    2^-32, which `error_bound` includes.

    Memory: K columns of at most `max_bins` bins with K counts of 8 bytes each (4 counts with
    `class_counts`), and while rows are counted up to 1 MiB for each column and 2 MiB for all.
    AUC-mu has K (K - 1) / 2 tables of bins with 2 counts, or a sample of `sample_rows` rows of each
    class with K scores of 8 bytes each. AUC-mu of a sample is exact while no class has more rows
    than that; then its value says that it is sampled.

    Examples
    --------
    >>> import polyroc as pr
    >>> y, models = pr.example_predictions()
    >>> P = models["naive Bayes"]
    >>> state = pr.State(range(10), "hand_till").update(y[:1000], P[:1000])
    >>> other = pr.State(range(10), "hand_till").update(y[1000:], P[1000:])
    >>> state.merge(pr.State.from_bytes(other.to_bytes())).compute()
    hand_till 0.9756, exact
      1,797 rows
    >>> state.compute()["hand_till"].estimate == pr.hand_till(y, P)
    True
    """

    __slots__ = ("_core", "_note", "_sample")

    def __init__(
        self,
        labels: Labels,
        measures: str | Sequence[str],
        *,
        key: str = "fold",
        max_bins: int = 16384,
        class_counts: Any = None,
        sample_rows: int | None = None,
    ) -> None:
        choose("key", key, KEYS)
        self._note = note_of(labels, measures)
        kept = rows_to_sample(self._note, checked_bins(max_bins), sample_rows)
        if class_counts is not None:
            class_counts = _counts(class_counts, self._note)
        count = len(self._note.labels)
        self._sample = None if kept is None else RowSample(count, kept)
        self._core = _core.State(
            n_classes=count,
            folded=key == "fold",
            max_bins=checked_bins(max_bins),
            by_column=self._note.measures != ("auc_mu",),
            by_pair="auc_mu" in self._note.measures and kept is None,
            class_counts=class_counts,
            note=self._note.to_bytes(),
        )

    @property
    def labels(self) -> tuple[Any, ...]:
        """The classes, in column order."""
        return self._note.labels

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures."""
        return self._note.measures

    @property
    def key(self) -> str:
        """How scores are binned."""
        return "fold" if self._core.folded else "float"

    @property
    def max_bins(self) -> int:
        """The most bins of a column."""
        return self._core.max_bins

    @property
    def sample_rows(self) -> int | None:
        """The most rows of each class that are kept for AUC-mu; None where none are."""
        return None if self._sample is None else self._sample.most

    @property
    def n(self) -> int:
        """How many rows came."""
        return sum(self._core.rows)

    @property
    def class_counts(self) -> Array:
        """How many rows of each class came."""
        return np.array(self._core.rows, dtype=np.int64)

    @property
    def exact(self) -> bool:
        """Whether every distinct score is still counted by itself, and every row sampled."""
        few = self.sample_rows is None or max(self._core.rows) <= self.sample_rows
        return few and max(self._core.shifts) == 0 and not self._core.rounded

    @property
    def checksum(self) -> int:
        """A sum of a hash of each row: the same for the same rows in any order."""
        return self._core.checksum

    @hinting
    def update(
        self,
        y_true: Labels,
        y_score: Scores,
        *,
        sample_weight: Scores | None = None,
        row_id: Labels | None = None,
        n_threads: int | None = 1,
    ) -> State:
        """Take a batch of rows: all of it or, if anything is wrong with it, nothing.

        Parameters
        ----------
        y_true : array_like of shape (n,)
            Labels; each has to be one of the state's. A batch need not have all of them.
        y_score : array_like of shape (n, K), or (n,) for two classes
            A column of scores for each class, in the order of `labels`.
        sample_weight : array_like of shape (n,), optional
            Weights of the rows, finite and >= 0.
        row_id : array_like of shape (n,), optional
            What tells each row from all others, on all shards: whole numbers, or strings. Needed
            where AUC-mu is sampled (see `sample_rows`), and otherwise not looked at.
        n_threads : int, optional
            Threads to use: one by default, as shards are mostly worked on side by side already;
            None for all cores. The state does not depend on it.

        Returns
        -------
        State
            Itself.
        """
        threads = thread_count(n_threads)
        if is_empty(y_true, y_score):
            return self
        codes, found = codes_of(y_true, self.labels, threads)
        scores = scores_of(y_score, self.labels, found, len(codes))
        weights = None if sample_weight is None else row_weights(sample_weight, len(codes))
        ids = None if self._sample is None else ids_to_sample(row_id, len(codes), self.labels)
        warn_of_all_rows(y_true, y_score=y_score, sample_weight=sample_weight, row_id=row_id)
        self._core.update(scores=scores, codes=codes, weights=weights, n_threads=threads)
        if self._sample is not None and ids is not None:
            self._sample.add(codes, ids, weights, scores)
        return self

    @hinting
    def update_frame(
        self,
        frame: Any,
        *,
        y_true: Hashable,
        y_score: Hashable | Sequence[Hashable],
        sample_weight: Hashable | None = None,
        row_id: Hashable | None = None,
        n_threads: int | None = None,
    ) -> State:
        """Take the rows of a data frame, a file or a stream, batch by batch: all or nothing.

        Memory does not grow with the rows: a few batches and a state for each thread.

        Parameters
        ----------
        frame : data frame
            As for :func:`evaluate`; a pyarrow Dataset (``pyarrow.dataset.dataset("folder")``), a
            RecordBatchReader, a polars LazyFrame or a duckdb relation is never held as a whole.
        y_true, y_score, sample_weight, row_id
            Names of columns; those of scores in the order of `labels`. Row ids are needed where
            AUC-mu is sampled.
        n_threads : int, optional
            Threads to use; all cores by default. The state does not depend on it.

        Returns
        -------
        State
            Itself.

        Examples
        --------
        >>> import numpy as np, pandas as pd, polyroc as pr
        >>> rng = np.random.default_rng(0)
        >>> frame = pd.DataFrame({"y": rng.integers(0, 2, 500), "score": rng.random(500)})
        >>> state = pr.State([0, 1], "auc").update_frame(frame, y_true="y", y_score="score")
        >>> state.compute()["auc"].estimate == pr.auc(frame.y, frame.score)
        True
        """
        wanted = None if self._sample is None else row_id
        named = Named(self.labels, y_true, score_names(y_score), sample_weight, wanted)
        if self._sample is not None and row_id is None:
            ids_to_sample(None, 0, self.labels)
        parts = parts_of_frame(self._empty, frame, named, thread_count(n_threads))
        total = parts[0]
        for part in parts[1:]:
            total.merge(part)
        return self.merge(total)

    def _empty(self) -> State:
        """Return a state of the same kind without rows."""
        options: dict[str, Any] = {"key": self.key, "max_bins": self.max_bins}
        options |= {"class_counts": self._core.class_counts, "sample_rows": self.sample_rows}
        return State(self.labels, self.measures, **options)

    def _add(self, batch: Batch) -> None:
        """Take a batch into a state that is thrown away if this fails."""
        codes, scores, weights, ids = batch
        self._core.add(scores=scores, codes=codes, weights=weights)
        if self._sample is not None and ids is not None:
            self._sample.add(codes, ids, weights, scores)

    def merge(self, other: State) -> State:
        """Add what another state knows, which keeps it. Returns itself."""
        if not isinstance(other, State):
            raise TypeError(f"other is a {type(other).__name__}; merge takes a State")
        if other is self:
            raise ValueError("a state was merged with itself; its rows would count twice")
        for name in ("labels", "measures", "key", "max_bins", "sample_rows"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise ValueError(
                    f"states do not fit: {name} is {show(mine)} in one and {show(theirs)} in the "
                    "other; make all shards with the same arguments"
                )
        if self._core.class_counts != other._core.class_counts:
            raise ValueError(
                "states do not fit: class_counts differ; make all shards with the same arguments"
            )
        widths = {self._core.width, other._core.width} - {0}
        if len(widths) > 1:
            raise ValueError(
                "states do not fit: one has seen 1-D scores, the other one column per class; "
                "pass all batches in one form"
            )
        self._core.merge(other._core)
        if self._sample is not None and other._sample is not None:
            self._sample.merge(other._sample)
        return self

    def compute(self) -> StateValues:
        """Return the measures by name.

        Returns
        -------
        StateValues
            A mapping of names to :class:`StateValue`, each with ``.estimate``, ``.exact``,
            ``.error_bound``, ``.n`` and ``.class_counts``; the binary AUC of rows without weights
            also with ``.standard_error`` and ``.interval``. AUC-mu of a sample has both, and
            ``.sampling_error``.
        """
        return values_of(self._note, self._core, self._sample)

    def to_bytes(self) -> bytes:
        """Return the state as bytes: versioned, with a checksum, equal for equal rows."""
        counts = self._core.to_bytes()
        return counts if self._sample is None else seal(counts, self._sample.to_bytes())

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> State:
        """Return the state of such bytes; raise ValueError if they were changed on the way."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"data is a {type(data).__name__}; pass the bytes of a state")
        counts, sample = bytes(data), None
        if is_sampled(counts):
            counts, rows = unseal(counts)
            sample = RowSample.from_bytes(rows)
        return cls._of(_core.State.from_bytes(counts), sample)

    @classmethod
    def _of(cls, core: _core.State, sample: RowSample | None = None) -> State:
        state = cls.__new__(cls)
        state._core, state._note, state._sample = core, from_bytes(core.note), sample
        return state

    def copy(self) -> State:
        """Return a state with the same rows; what one of the two takes, the other does not."""
        return self._of(self._core.copy(), None if self._sample is None else self._sample.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return State.from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        measures = ", ".join(self.measures)
        head = f"State of {measures}, {len(self.labels)} classes: {self.n:,} rows"
        if not self.n:
            return head
        if self._sample is not None:
            kept = len(self._sample.kept().codes)
            head += f", {kept:,} of them sampled" if kept < self.n else ", all of them kept"
        if self._note.measures == ("auc_mu",) and self._sample is not None:
            return head
        columns, pairs = self._core.bins
        where = "pair of classes" if pairs > columns else "column"
        kind, end = ("distinct scores", ", exact") if self.exact else ("bins", "")
        return f"{head}, at most {max(columns, pairs):,} {kind} in a {where}{end}"


def checked_bins(max_bins: Any) -> int:
    """Return the most bins of a column."""
    most = whole(max_bins)
    if most is None or not 2 <= most <= 2**24:
        raise ValueError(f"max_bins is {show(max_bins)}; pass a whole number, 2 to {2**24:,}")
    return most


def _counts(class_counts: Any, note: Note) -> list[int]:
    if "auc_mu" in note.measures:
        raise ValueError("class_counts makes no difference to auc_mu; leave it out")
    counts = np.asarray(class_counts)
    fits = counts.shape == (len(note.labels),) and counts.dtype.kind in "iuf"
    if not fits or not (counts >= 1).all() or (counts != np.trunc(counts)).any():
        raise ValueError(
            f"class_counts is {show(class_counts)}; give the rows of each of the "
            f"{len(note.labels)} labels, whole numbers above 0"
        )
    if (counts > _MOST_COUNTED).any():
        raise ValueError(
            f"class_counts is {show(class_counts)}; from 2^40 on a row's share of its class is not "
            "told to twelve digits: divide all weights by one constant, or leave class_counts out"
        )
    return [int(count) for count in counts]
