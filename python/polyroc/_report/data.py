"""What a report says of the data: rows, classes, groups, weights, ties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.plain import plain_labels
from polyroc._measures.pairwise import tied_share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from polyroc._base.types import Array, Floats
    from polyroc._data.sample import Sample
    from polyroc._data.units import Plan


class Data(NamedTuple):
    """The data of a report."""

    classes: tuple[Any, ...]
    sizes: Array  # rows of each class
    group_sizes: Array | None  # groups that have rows of each class
    n_groups: int
    weighted: bool
    effective_sizes: Floats  # units of equal weight that would say as much
    ties: dict[str, float]  # the share of pairs of rows that tie, by model

    @property
    def units(self) -> Array:
        """Rows of each class, or groups where rows come in groups."""
        return self.sizes if self.group_sizes is None else self.group_sizes

    def contents(self) -> dict[str, Any]:
        """Return all there is by name."""
        return {**self._asdict(), "classes": plain_labels(self.classes)}


def data_of(samples: Mapping[str, Sample], units: Plan) -> Data:
    """Return what there is to say of the data of some models."""
    first = next(iter(samples.values()))
    return Data(
        classes=first.classes,
        sizes=units.row_sizes,
        group_sizes=units.group_sizes,
        n_groups=units.n_groups,
        weighted=first.weights is not None,
        effective_sizes=_effective(first, units),
        ties={model: tied_share(sample) for model, sample in samples.items()},
    )


def _effective(sample: Sample, units: Plan) -> Floats:
    """Return (sum w)^2 / sum w^2 of each class, w being what its rows or groups weigh."""
    if sample.weights is None and units.groups is None:
        return units.row_sizes.astype(np.float64)
    weights = np.ones(len(sample.codes)) if sample.weights is None else sample.weights
    keys = sample.codes.astype(np.int64)
    count = sample.n_classes
    if units.groups is not None:
        keys = keys * units.n_groups + units.groups
        count *= units.n_groups
    masses = np.bincount(keys, weights, count).reshape(sample.n_classes, -1)
    if units.groups is None:
        squares = np.bincount(keys, weights * weights, count)
    else:
        squares = np.einsum("ij,ij->i", masses, masses)
    sums = masses.sum(axis=1)
    return np.where(squares > 0, sums * sums / np.where(squares > 0, squares, 1.0), 0.0)
