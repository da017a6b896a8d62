"""What every shard is told: which columns to read, and what to count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.display import titled
from polyroc._data.labels import encode, label_list
from polyroc._data.sample import Sample, bundle, one_class
from polyroc._measures.auc_mu import AucMu
from polyroc._measures.registry import MEASURES, measures_of
from polyroc._pipelines.frame_columns import score_names
from polyroc._pipelines.note import MEASURES as OF_STATES
from polyroc._pipelines.segments import Spec, columns_of, specs_of
from polyroc._pipelines.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array
    from polyroc._measures.measure import Measure

ALL_ROWS: Spec = ()

# The column of row ids that an engine makes, where the caller names none.
ROW_ID = "polyroc_row_id"


class Columns(NamedTuple):
    """The columns of a frame that a job reads."""

    y_true: str
    y_score: tuple[str, ...]
    sample_weight: str | None
    row_id: str | None
    groups: str | None
    keys: tuple[str, ...]  # those that part rows into segments

    @property
    def names(self) -> list[str]:
        """All of them, each once."""
        told = [self.sample_weight, self.row_id, self.groups]
        listed = [self.y_true, *self.y_score, *(name for name in told if name is not None)]
        return list(dict.fromkeys([*listed, *self.keys]))


class Shape(NamedTuple):
    """How scores are counted: the arguments of a state."""

    measures: tuple[str, ...]
    key: str
    max_bins: int
    class_counts: tuple[Any, ...] | None = None


class Plan(NamedTuple):
    """What every shard is told. Classes go by their numbers in there."""

    columns: Columns  # with the scores in the order of the classes
    labels: tuple[Any, ...]
    specs: tuple[Spec, ...]  # the first one is that of all rows
    shape: Shape
    n_threads: int = 1

    def spec(self, number: int) -> Spec:
        """Return the columns of a spec; none for what is wrong with a shard."""
        return self.specs[number] if number >= 0 else ALL_ROWS

    def state(self) -> State:
        """Return a state that has seen no rows."""
        shape = self.shape
        classes = range(len(self.labels))
        return State(classes, **shape._asdict())


def columns_asked(y_true: Any, y_score: Any, by: Any, **others: Any) -> tuple[Columns, list[Spec]]:
    """Return the columns that a call names, and how rows are parted; others may be None."""
    names = tuple(score_names(y_score))
    specs = specs_of(by)
    keys = tuple(columns_of(specs))
    told = [*(("y_score", name) for name in names), *(("by", name) for name in keys)]
    told += [(argument, name) for argument, name in others.items() if name is not None]
    for argument, name in [("y_true", y_true), *told]:
        if not isinstance(name, str):
            raise TypeError(
                f"{argument} is a {type(name).__name__}; with a frame it is the name of a column"
            )
        if name == ROW_ID:
            raise ValueError(
                f"{argument} is {name!r}, as row numbers are called here; rename that column"
            )
    return Columns(y_true, tuple(map(str, names)), **others, keys=tuple(map(str, keys))), specs


def measures_asked(measure: Any) -> dict[str, Measure[Any]]:
    """Return the measures by their titles in the table; each has to be one that a state has."""
    found, _ = measures_of(measure)
    out: dict[str, Measure[Any]] = {}
    for name, one in found.items():
        plain: Measure[Any] = AucMu(ties="exact") if one.name == "auc_mu" else MEASURES[one.name]
        if one.name not in OF_STATES or one not in (plain, MEASURES[one.name]):
            raise ValueError(
                f"{one!r} cannot be counted by shards; pass {', '.join(OF_STATES)}, without options"
            )
        # Differences of scores are counted as they are: shards know no other rule of ties.
        out[name if name != one.name else titled(plain)] = plain
    return out


def sample_of_labels(
    known: Sequence[Any], columns: Columns, labels: Any, pos_label: Any
) -> tuple[Sample, Columns]:
    """Return classes and score columns in one order, as a frame with such labels would have them.

    The sample has one row for each label, and the number of its column as every score.
    """
    codes, found = encode(list(known))
    scores = {
        name: np.full(len(codes), k, dtype=np.float64) for k, name in enumerate(columns.y_score)
    }
    sample = bundle(codes, (codes, found), scores, labels, None, 1, pos_label)
    if sample.scores.ndim == 1:
        return sample, columns
    order = sample.scores[0].astype(int).tolist()
    return sample, columns._replace(y_score=tuple(columns.y_score[k] for k in order))


def counts_told(
    class_counts: Any, labels: Any, specs: list[Spec], sample_weight: Any, interval: Any
) -> dict[Any, Any]:
    """Return class counts by label; raise where they are of no use."""
    if any(specs):
        raise ValueError(
            "class_counts are those of all rows, and every segment has others; leave out by, or "
            "class_counts"
        )
    if sample_weight is not None and interval is not None:
        raise ValueError(
            "class_counts with sample_weight has no second pass for errors; leave class_counts "
            "out, or pass interval=None"
        )
    if labels is None:
        raise ValueError("class_counts is in the order of labels; pass labels= too")
    names, counts = label_list(labels, np.array([])), np.ravel(np.asarray(class_counts)).tolist()
    if len(names) != len(counts):
        raise ValueError(
            f"class_counts has {len(counts)} numbers and labels has {len(names)}; pass one each"
        )
    return dict(zip(names, counts, strict=True))


def require_two_classes(labels: Array, counts: Array, weighted: bool) -> None:
    """Raise, as for a frame of one machine, if rows of fewer classes than two came."""
    if weighted and not counts.any():
        raise ValueError("sample_weight is zero in every row; give some rows a weight > 0")
    if np.count_nonzero(counts) < 2:
        which = " of positive weight" if weighted else ""
        raise ValueError(one_class(labels[counts > 0][0], which))
