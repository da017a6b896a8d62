"""What varies and is resampled, checked: rows or groups, within classes or not, by which scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc import _core
from polyroc._base.checks import choose, show
from polyroc._data.arrays import as_column, first, is_missing, reject

if TYPE_CHECKING:
    from polyroc._base.types import Array, Codes
    from polyroc._data.sample import Sample

SCHEMES = {
    "multinomial": _core.Scheme.Multinomial,
    "poisson": _core.Scheme.Poisson,
    "bayesian": _core.Scheme.Bayesian,
}


class Plan(NamedTuple):
    """How units are drawn."""

    scheme: str
    stratified: bool
    groups: Codes | None  # the group of each row; None where rows are resampled
    n_groups: int
    sizes: Array  # units of each class: rows, or groups with rows of it
    row_sizes: Array  # rows of each class

    @property
    def unit(self) -> str:
        """What is drawn: "row" or "group"."""
        return "row" if self.groups is None else "group"

    @property
    def group_sizes(self) -> Array | None:
        """The groups with rows of each class; None where rows are resampled."""
        return None if self.groups is None else self.sizes


def plan(sample: Sample, scheme: Any, stratify: Any, groups: Any) -> Plan:
    """Check how units are to be drawn from the rows of a sample."""
    choose("scheme", scheme, tuple(SCHEMES))
    if stratify is not None and not isinstance(stratify, (bool, np.bool_)):
        raise TypeError(f"stratify is {stratify!r}; pass True, False or None")
    if scheme == "poisson":
        if stratify:
            raise ValueError(
                'scheme="poisson" draws every weight by itself and fixes no class count; '
                'leave stratify out, or use scheme="multinomial"'
            )
        stratify = False
    codes = count = None
    if groups is not None:
        codes, count = _encode_groups(groups, len(sample.codes))
    stratified = groups is None if stratify is None else bool(stratify)
    return Plan(scheme, stratified, codes, count or 0, *_sizes(sample, codes, count or 0))


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
    cells = np.unique(codes.astype(np.int64) * count + groups)
    return np.bincount(cells // count, minlength=sample.n_classes), rows


def _encode_groups(groups: Any, n_rows: int) -> tuple[Codes, int]:
    array = as_column(groups, "groups")
    if len(array) != n_rows:
        raise ValueError(f"groups has {len(array)} values for {n_rows} rows; pass one a row")
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
    names, places, codes = np.unique(array, return_index=True, return_inverse=True)
    # In order of appearance, as above: the same groups are the same units in whatever container.
    number = np.empty(len(names), dtype=np.uint32)
    number[np.argsort(places)] = np.arange(len(names), dtype=np.uint32)
    return number[codes], len(names)


def n_units(sample: Sample, units: Plan) -> int:
    """Return how many units are drawn from."""
    if units.groups is None:
        return int(units.sizes.sum())
    rows = slice(None) if sample.weights is None else sample.weights > 0
    return len(np.unique(units.groups[rows]))


def contest_sizes(units: Plan, shape: tuple[int, ...], with_rest: bool = False) -> Array:
    """Return the units on both sides of each value of a measure, in an array of shape (*shape, 2).

    One value per pair compares two classes, one value per class that class with the rest; a single
    number counts as if it compared the two smallest classes, or the smallest one with the rest.
    """
    sizes = units.sizes
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
    return np.array(sorted(size for size in sizes.tolist() if size)[:2])


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
