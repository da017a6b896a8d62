"""What a shard returns of the second pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc import _core
from polyroc._base.checks import show, thread_count
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.order_doubts import warn_of_all_rows
from polyroc._data.row_weights import row_weights
from polyroc._pipelines.influence_tables import InfluenceTables
from polyroc._pipelines.shard_results import results_of
from polyroc._pipelines.shard_rows import codes_of, is_empty, numbers_of, scores_of
from polyroc._pipelines.shard_segment import AllRows

if TYPE_CHECKING:
    from polyroc._base.types import Array, Floats, Labels, Scores


@public
class InfluenceSums:
    """Sums over the rows of a shard, of which errors are made when all shards are merged.

    They depend on the rows alone: sums are exact, so that any order of rows, any split into shards
    and any order of merging gives the same bytes, and the same errors to the last bit.

    Parameters
    ----------
    tables : InfluenceTables
        Made of the merged state of all rows.

    Examples
    --------
    See :class:`InfluenceTables`, and :func:`polyroc.evaluate_batches` for both passes in one call.
    """

    __slots__ = ("_above", "_core", "_tables")

    def __init__(self, tables: InfluenceTables) -> None:
        if not isinstance(tables, InfluenceTables):
            raise TypeError(f"tables is a {type(tables).__name__}; pass InfluenceTables")
        self._tables = tables
        self._core: _core.Sums = _core.Sums(tables._core)
        self._above: AllRows | None = None  # what segments stand beside, once it is asked for

    @property
    def tables(self) -> InfluenceTables:
        """The tables that rows are looked up in."""
        return self._tables

    @property
    def n(self) -> int:
        """How many rows came."""
        return sum(self._core.rows)

    @hinting
    def update(
        self,
        y_true: Labels,
        y_score: Scores | Mapping[str, Scores],
        *,
        sample_weight: Scores | None = None,
        row_id: Any = None,
        groups: Any = None,
        n_threads: int | None = 1,
    ) -> InfluenceSums:
        """Take a batch of rows: all of it or, if anything is wrong with it, nothing.

        Parameters
        ----------
        y_true, sample_weight, n_threads
            As for :meth:`State.update`.
        y_score : array_like, or dict of them
            The scores; by model where the tables are of several.
        row_id : array_like of shape (n,), optional
            What the weights of replicates hang on: whole numbers or strings that tell each row from
            all others, whatever shard it is read on. Needed for replicates without groups. Of a
            sample of 4,096 ids `compute` makes sure that no two rows have them.
        groups : array_like of shape (n,), optional
            The group of each row, whole numbers or strings, with the same meaning on every shard.

        Returns
        -------
        InfluenceSums
            Itself.
        """
        threads, tables = thread_count(n_threads), self._tables
        models = self._scores(y_score)
        if is_empty(y_true, next(iter(models))):
            return self
        codes, found = codes_of(y_true, tables.labels, threads)
        n = len(codes)
        scores = [scores_of(one, tables.labels, found, n) for one in models]
        weights = None if sample_weight is None else row_weights(sample_weight, n)
        ids = _numbers(row_id, "row_id", n, tables.n_resamples > 0 and not tables.groups)
        if groups is not None and not tables.groups:
            raise ValueError(
                "groups were given, but not to InfluenceTables; pass groups=True there"
            )
        named = _numbers(groups, "groups", n, tables.groups)
        if tables._whole is not None:
            scores = scores * 2
        warn_of_all_rows(
            y_true, y_score=y_score, sample_weight=sample_weight, row_id=row_id, groups=groups
        )
        self._above = None
        self._core.update(
            scores=_of_one_kind(scores), codes=codes, weights=weights, ids=ids, groups=named,
            n_threads=threads,
        )  # fmt: skip
        return self

    def _scores(self, y_score: Any) -> list[Any]:
        """Return the scores of each model."""
        names = self._tables.models
        if names is None:
            if isinstance(y_score, dict):
                raise TypeError("y_score is a dict, but the tables are of one model without a name")
            return [y_score]
        if not isinstance(y_score, Mapping) or set(y_score) != set(names):
            given = list(y_score) if isinstance(y_score, Mapping) else type(y_score).__name__
            raise ValueError(
                f"y_score is {show(given)}; pass the scores of each of the models "
                f"{show(list(names))}"
            )
        return [y_score[name] for name in names]

    def merge(self, other: InfluenceSums) -> InfluenceSums:
        """Add what another shard found, which keeps it. Returns itself."""
        if not isinstance(other, InfluenceSums):
            raise TypeError(f"other is a {type(other).__name__}; merge takes InfluenceSums")
        if other is self:
            raise ValueError("sums were merged with themselves; their rows would count twice")
        self._above = None
        self._core.merge(other._core)
        return self

    @hinting
    def compute(self, *, confidence: float = 0.95, whole: InfluenceSums | None = None) -> Any:
        """Return the measures with their errors.

        Parameters
        ----------
        confidence : float
            Of intervals, in (0, 1).
        whole : InfluenceSums, optional
            The sums of all rows, if these are of a segment of them: its tables know the state of
            all rows, or rows come in groups, or both have replicates of one seed.

        Returns
        -------
        StateValues or StateComparisons
            By measure: a :class:`StateValue` with ``.standard_error``, ``.interval`` and
            ``.method``, or of several models a :class:`StateComparison`.

        Raises
        ------
        ValueError
            If the two passes did not see the same rows: a shard was read twice or lost. If several
            rows have one `row_id`.
        """
        return results_of(self, confidence, whole)

    def _as_all_rows(self) -> AllRows:
        """Return what segments of these rows stand beside, found once."""
        if self._above is None:
            self._above = AllRows(self)
        return self._above

    def _groups_by_class(self) -> Array:
        """Return how many groups have rows of each class."""
        return np.bincount(self._core.group_cells()[1], minlength=len(self._tables.labels))

    def to_bytes(self) -> bytes:
        """Return the sums as bytes: versioned, with a checksum, equal for equal rows."""
        return self._core.to_bytes()

    @classmethod
    def from_bytes(
        cls, data: bytes | bytearray | memoryview, tables: InfluenceTables
    ) -> InfluenceSums:
        """Return the sums of such bytes, which were made with the same tables."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"data is a {type(data).__name__}; pass the bytes of sums")
        sums = cls(tables)
        sums._core = _core.Sums.from_bytes(bytes(data), tables._core)
        return sums

    def __reduce__(self) -> tuple[Any, ...]:
        return InfluenceSums.from_bytes, (self.to_bytes(), self._tables)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InfluenceSums):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        of = self._tables._states[0].n
        return f"InfluenceSums of {', '.join(self._tables.measures)}: {self.n:,} of {of:,} rows"


def _numbers(ids: Any, name: str, n_rows: int, needed: bool) -> Any:
    if ids is None:
        if needed:
            why = "replicates hang on it" if name == "row_id" else "InfluenceTables has groups=True"
            raise ValueError(f"{name} is missing: {why}; pass one value per row")
        return None
    return numbers_of(ids, name, n_rows)


def _of_one_kind(scores: list[Floats]) -> list[Floats]:
    """Return scores that are all doubles, unless all are single."""
    if len({one.dtype for one in scores}) > 1:
        return [one.astype(np.float64) for one in scores]
    return scores
