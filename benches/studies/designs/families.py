"""All designs of the coverage study, the first two of each family being its two sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from benches.studies.designs.clusters import CLUSTERS
from benches.studies.designs.contaminated import CONTAMINATED
from benches.studies.designs.correct import CORRECT
from benches.studies.designs.curves import CURVES
from benches.studies.designs.design import Design
from benches.studies.designs.exponential import EXPONENTIAL
from benches.studies.designs.heavy_tails import HEAVY_TAILS
from benches.studies.designs.hulls import HULLS
from benches.studies.designs.labels import LABELS
from benches.studies.designs.normal import GRID, NEAR_ONE, SPREAD
from benches.studies.designs.parts import PARTS
from benches.studies.designs.random_counts import RANDOM_COUNTS
from benches.studies.designs.separation import SEPARATION
from benches.studies.designs.ties import TIES
from benches.studies.designs.volumes import VOLUMES
from benches.studies.designs.weights import WEIGHTS

ALL: list[Design] = [
    *GRID,
    *TIES,
    *EXPONENTIAL,
    *HEAVY_TAILS,
    *CONTAMINATED,
    *SPREAD,
    *RANDOM_COUNTS,
    *CLUSTERS,
    *WEIGHTS,
    *SEPARATION,
    *NEAR_ONE,
    *PARTS,
    *CURVES,
    *HULLS,
    *CORRECT,
    *VOLUMES,
    *LABELS,
]


class _OfFamily(Protocol):
    @property
    def family(self) -> str: ...


_Kind = TypeVar("_Kind", bound=_OfFamily)


def few(designs: Sequence[_Kind], each: int = 2) -> list[_Kind]:
    """The first designs of each family, for a quick run."""
    seen: dict[str, int] = {}
    out = []
    for design in designs:
        seen[design.family] = seen.get(design.family, 0) + 1
        if seen[design.family] <= each:
            out.append(design)
    return out
