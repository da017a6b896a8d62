"""What a report says of the data: rows, classes, groups, weights, ties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from polyroc._base.plain import plain_labels
from polyroc._inference.effective import effective_sizes
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
        effective_sizes=effective_sizes(first, units)[1],
        ties={model: tied_share(sample) for model, sample in samples.items()},
    )
