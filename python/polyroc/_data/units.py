"""What varies and is resampled, checked: rows or groups, within classes or not, by which scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose, show
from polyroc._data.arrays import as_column, first, is_missing, reject
from polyroc._data.order_doubts import warn_of_rows

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes
    from polyroc._data.entries import Entries
    from polyroc._data.sample import Sample

_BLOCK = 2**18  # rows looked at a time

SCHEMES = {
    "multinomial": _core.Scheme.Multinomial,
    "poisson": _core.Scheme.Poisson,
    "bayesian": _core.Scheme.Bayesian,
}
_NAMES = tuple(SCHEMES)


class Plan(NamedTuple):
    """How units are drawn."""

    scheme: str
    stratified: bool
    groups: Codes | None  # the group of each row; None where rows are resampled
    n_groups: int
    sizes: Array  # units of each class: rows, or groups with rows of it
    row_sizes: Array  # rows of each class
    counted_in: str = ""  # the measure that class counts enter, where they vary because of that
    of_entries: bool = False  # whether the groups are rows, and what is in them entries of labels
    by_label: bool = (
        False  # whether classes come in twos, negative and positive, which are compared
    )

    @property
    def unit(self) -> str:
        """What is drawn: "row" or "group"."""
        return "row" if self.groups is None or self.of_entries else "group"

    @property
    def group_sizes(self) -> Array | None:
        """The groups with rows of each class; None where rows are resampled."""
        return None if self.unit == "row" else self.sizes


def plan(sample: Sample, scheme: Any, stratify: Any, groups: Any, counts_enter: str = "") -> Plan:
    """Check how units are to be drawn from the rows of a sample.

    Unless `stratify` says it, class counts are fixed where they do not matter, and vary where rows
    come in groups or where they enter a measure; `counts_enter` names that one, or is empty.
    """
    choose("scheme", scheme, _NAMES)
    if stratify is not None and not isinstance(stratify, (bool, np.bool_)):
        raise TypeError(f"stratify is {stratify!r}; pass True, False or None")
    if scheme == "poisson":
        if stratify:
            raise ValueError(
                'scheme="poisson" draws every weight by itself and fixes no class count; '
                'leave stratify out, or use scheme="multinomial"'
            )
        stratify = False
    if sample.entries is not None:
        return _of_entries(sample, sample.entries, scheme, stratify, groups)
    codes = count = None
    counted_in = ""
    if groups is not None:
        given = len(sample.codes) if sample.seen is None else sample.n_given
        codes, count = _encode_groups(groups, given)
        warn_of_rows(sample.index, groups, "groups")
        if sample.seen is not None:
            codes, count = _seen(codes, sample.seen)
    elif stratify is None:
        counted_in = counts_enter
    if stratify is None:
        stratify = groups is None and not counts_enter
    sizes, row_sizes = _sizes(sample, codes, count or 0)
    return Plan(scheme, bool(stratify), codes, count or 0, sizes, row_sizes, counted_in)


def _of_entries(
    sample: Sample, entries: Entries, scheme: str, stratify: bool | None, groups: Any
) -> Plan:
    """Return how rows with many labels are drawn: whole, with all their entries."""
    if stratify:
        raise ValueError(
            "stratify=True needs rows of one class each, and rows with many labels have none; "
            "leave stratify out"
        )
    rows, count = entries.rows, entries.n_rows
    if groups is not None:
        seen = sample.seen
        codes, count = _encode_groups(groups, entries.n_rows if seen is None else sample.n_given)
        warn_of_rows(sample.index, groups, "groups")
        rows = (codes if seen is None else codes[seen])[rows]
    if groups is not None or not entries.complete:
        kept, numbers = np.unique(rows, return_inverse=True)
        rows, count = numbers.astype(np.uint32), len(kept)
    if groups is None and sample.sizes is not None:
        sizes = row_sizes = sample.sizes  # a row has one entry of a label
    else:
        sizes, row_sizes = _sizes(sample, rows, count)
    of_entries, by_label = groups is None, not entries.pooled
    return Plan(scheme, False, rows, count, sizes, row_sizes, "", of_entries, by_label)


def _sizes(sample: Sample, groups: Codes | None, count: int) -> tuple[Array, Array]:
    """Return the units and the rows of each class; rows without weight are none."""
    codes = sample.codes
    if sample.weights is not None:
        weighty = sample.weights > 0
        codes, groups = codes[weighty], None if groups is None else groups[weighty]
    if sample.n_classes == 2:
        ones = np.count_nonzero(codes)  # bincount would first make the codes 64 bits wide
        rows = np.array([len(codes) - ones, ones])
    else:
        rows = np.bincount(codes, minlength=sample.n_classes)
    if groups is None:
        return rows, rows
    # A group counts once for every class that it has rows of.
    met = np.zeros((sample.n_classes, count), dtype=np.bool_)
    for block in _blocks(len(codes)):
        met[codes[block], groups[block]] = True
    return np.asarray(met.sum(axis=1)), rows


def _blocks(n_rows: int) -> list[slice]:
    """Return rows in blocks: numpy makes indices 64 bits wide before it uses them."""
    return [slice(first, first + _BLOCK) for first in range(0, n_rows, _BLOCK)]


def _encode_groups(groups: Any, n_rows: int) -> tuple[Codes, int]:
    array = as_column(groups, "groups")
    if len(array) != n_rows:
        raise ValueError(f"groups has {len(array)} values for {n_rows} rows; pass one per row")
    if array.dtype.kind in "fc":
        reject(np.isnan(array), "groups", "NaN")
    elif array.dtype.kind in "mM":
        reject(np.isnat(array), "groups", "NaT")
    elif array.dtype.kind == "O":
        reject(np.array([is_missing(value) for value in array]), "groups", "missing")
        numbers: dict[Any, int] = {}
        try:
            listed = [numbers.setdefault(value, len(numbers)) for value in array.tolist()]
        except TypeError as error:
            unnamed = np.array([type(value).__hash__ is None for value in array])
            place = first(unnamed, "groups")
            raise TypeError(f"{place}: {error}; name groups by numbers or strings") from error
        return np.array(listed, dtype=np.uint32), len(numbers)
    # In order of appearance, as above: the same groups are the same units in whatever container.
    if array.dtype.kind in "iu" and len(array):
        small = _encode_small(array)
        if small is not None:
            return small
    names, places, codes = np.unique(array, return_index=True, return_inverse=True)
    number = np.empty(len(names), dtype=np.uint32)
    number[np.argsort(places)] = np.arange(len(names), dtype=np.uint32)
    return number[codes], len(names)


def _encode_small(array: Array) -> tuple[Codes, int] | None:
    """Return codes of groups that are whole numbers near each other, without sorting; else None.

    As fast as reading them, and in a few bytes per row.
    """
    low, high = int(array.min()), int(array.max())
    if high - low >= len(array):
        return None
    n_rows = len(array)

    def offsets_of(rows: slice) -> Array:
        if array.dtype.kind == "u":
            return np.asarray(array[rows] - array.dtype.type(low), dtype=np.int64)
        return np.asarray(array[rows], dtype=np.int64) - low

    first = np.full(high - low + 1, n_rows, dtype=np.int64)  # the first row of each
    for rows in reversed(_blocks(n_rows)):
        offsets = offsets_of(rows)
        # Of several values for one index the last is kept: that of the first row.
        first[offsets[::-1]] = np.arange(rows.start, rows.start + len(offsets))[::-1]
    names = np.flatnonzero(first < n_rows)
    number = np.empty(len(first), dtype=np.uint32)
    number[names[np.argsort(first[names])]] = np.arange(len(names), dtype=np.uint32)
    codes = np.empty(n_rows, dtype=np.uint32)
    for rows in _blocks(n_rows):
        codes[rows] = number[offsets_of(rows)]
    return codes, len(names)


def _seen(codes: Codes, seen: Array) -> tuple[Codes, int]:
    """Return the group of every repeated row, without groups that none of them is in."""
    kept, numbers = np.unique(codes[seen], return_inverse=True)
    return numbers.astype(np.uint32), len(kept)


def n_units(sample: Sample, units: Plan) -> int:
    """Return how many units are drawn from."""
    if units.groups is None:
        return sum(units.sizes.tolist())
    if sample.weights is None:
        return units.n_groups
    met = np.zeros(units.n_groups, dtype=np.bool_)
    for rows in _blocks(len(units.groups)):
        met[units.groups[rows][sample.weights[rows] > 0]] = True
    return int(np.count_nonzero(met))


def contest_sizes(units: Plan, shape: tuple[int, ...], with_rest: bool = False) -> Array:
    """Return the units on both sides of each value of a measure, in an array of shape (*shape, 2).

    One value per pair compares two classes, one value per class that class with the rest, one value
    per label its own two classes; a single number counts as if it compared the two smallest
    classes, or the smallest one with the rest, or those of the label with the smallest.
    """
    sizes = units.sizes
    if units.by_label:
        labels = np.reshape(sizes, (-1, 2))[:, ::-1]
        if len(shape) == 1:
            return labels
        return np.array(min(sorted(pair) for pair in labels.tolist() if min(pair)))
    if len(shape) == 2:
        return np.stack(np.broadcast_arrays(sizes[:, np.newaxis], sizes), axis=-1)
    if len(shape) == 1:
        rest = sizes.sum() - sizes
        if units.groups is not None:
            # A group with rows of several classes is one unit of the rest: at least the largest.
            rest = np.array([np.delete(sizes, k).max() for k in range(len(sizes))])
        return np.stack([sizes, rest], axis=-1)
    if with_rest:
        each = contest_sizes(units, (len(sizes),))[sizes > 0]
        return np.sort(each[each[:, 0].argmin()])
    return np.array(two_smallest(sizes))


def two_smallest(sizes: Array) -> list[Any]:
    """Return the sizes of the two smallest classes that have units."""
    return sorted([size for size in sizes.tolist() if size])[:2]


def keeping_classes(units: Plan) -> str:
    """Return the option by which no replicate loses a class."""
    return 'scheme="bayesian"' if units.of_entries or units.by_label else "stratify=True"


def counts_vary(counted_in: str) -> str:
    """Say that class counts vary, and why if `counted_in` names a measure."""
    return f"class counts vary{f', as they enter {counted_in}' if counted_in else ''}"


def single_units(sample: Sample, units: Plan) -> str:
    """Name the classes that have a single unit, which stratification draws every time."""
    if not units.stratified:
        return ""
    alone = sample.labels[units.sizes == 1]
    if not len(alone):
        return ""
    unit = units.unit
    if len(alone) == 1:
        return (
            f"class {show(alone[0])} has a single {unit}, drawn every time: "
            "its spread is not in the interval"
        )
    return (
        f"classes {show(alone)} have a single {unit} each, drawn every time: "
        "their spread is not in the interval"
    )
