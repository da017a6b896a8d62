"""A state made of counts that another engine has made: ``GROUP BY`` column, class and score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.keywords import hinting
from polyroc._base.public import public
from polyroc._data.labels import unknown_label
from polyroc._data.numbers import exact_float64
from polyroc._pipelines.frame_columns import Columns, read_columns
from polyroc._pipelines.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyroc._base.types import Array, Codes, Labels

COLUMNS = ("column", "class", "key", "count")


@public
@hinting
def from_cells(
    frame: Any,
    *,
    labels: Labels,
    measures: str | Sequence[str] = "hand_till",
    key: str = "fold",
    max_bins: int = 16384,
) -> State:
    """Make a state of counts by column, class and score, as any SQL engine makes them.

    Parameters
    ----------
    frame : data frame
        With the columns ``column`` (the label whose score it is), ``class`` (the label of the
        rows), ``key`` (the score itself) and ``count`` (how many rows have it). Scores that no row
        has are left out; a score may stand in several rows. Any frame that :func:`evaluate` takes.
    labels : array_like of shape (K,)
        The classes. Each is a column; of two classes, that of ``labels[1]`` may stand alone.
    measures : str or sequence of str
        "hand_till", "one_vs_rest", "auc"; not "auc_mu", which needs the scores of a row together.
    key, max_bins
        As in :class:`State`.

    Returns
    -------
    State
        As if it had taken the rows themselves, but for its checksum, which is one of cells.

    Examples
    --------
    >>> import pandas as pd, polyroc as pr
    >>> rows = pd.DataFrame({"label": ["a", "b", "b", "a"], "p_b": [0.1, 0.8, 0.3, 0.3]})
    >>> cells = rows.groupby(["label", "p_b"]).size().reset_index(name="count")
    >>> cells = cells.rename(columns={"label": "class", "p_b": "key"}).assign(column="b")
    >>> pr.from_cells(cells, labels=["a", "b"], measures="auc").compute()["auc"].estimate
    0.875
    """
    state = State(labels, measures, key=key, max_bins=max_bins)
    if "auc_mu" in state.measures:
        raise ValueError(
            "measures holds 'auc_mu', which compares scores of one row with each other; cells tell "
            "of one column at a time: give the rows to State.update"
        )
    columns = read_columns(frame, COLUMNS)
    codes = _labels(columns, "class", state)
    own = _labels(columns, "column", state)
    scores = exact_float64(columns.numbers("key"), "key")
    counts = _counts(columns.numbers("count"))
    single = len(state.labels) == 2 and len(own) > 0 and bool((own == 1).all())
    if single:
        own = np.zeros_like(own)
    width = 1 if single else len(state.labels)
    _require_equal(_totals(own, codes, counts, width, len(state.labels)), state.labels)
    state._core.take_cells(columns=own, codes=codes, scores=scores, counts=counts, width=width)
    return state


def _labels(columns: Columns, name: str, state: State) -> Codes:
    """Return the number of the class that each row of a column names."""
    column = columns.coded(name)
    if not len(column.codes):
        raise ValueError("the frame has no rows; there is nothing to rank")
    missing = column.codes < 0
    if missing.any():
        row = int(missing.argmax())
        raise ValueError(f"column {show(name)} is null in row {row}; drop that row")
    numbers = {label: k for k, label in enumerate(state.labels)}
    found = columns.listed(name, column.firsts)
    for value, row in zip(found, column.firsts.tolist(), strict=True):
        if value not in numbers:
            place = f"column {show(name)} in row {row}"
            raise ValueError(unknown_label(value, place, list(state.labels)))
    return np.array([numbers[value] for value in found], dtype=np.uint32)[column.codes]


def _counts(given: Array) -> Array:
    wrong = ~((given >= 0) & (given < 2**63) & (np.floor(given) == given))
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"count is {show(given[row])} in row {row}; it says how many rows there are: a whole "
            "number"
        )
    return given.astype(np.uint64)


def _totals(own: Codes, codes: Codes, counts: Array, width: int, n_classes: int) -> Array:
    """Return the rows of each class in each column."""
    totals = np.zeros((width, n_classes), dtype=np.uint64)
    np.add.at(totals, (own, codes), counts)
    return totals


def _require_equal(totals: Array, labels: tuple[Any, ...]) -> None:
    """Raise unless every column has all rows."""
    for column in range(1, len(totals)):
        differ = totals[column] != totals[0]
        if differ.any():
            k = int(differ.argmax())
            raise ValueError(
                f"column {show(labels[column])} has {totals[column, k]:,} rows of class "
                f"{show(labels[k])} but column {show(labels[0])} has {totals[0, k]:,}; count the "
                "same rows in every column, and leave none out"
            )
