"""A comparison as the pilot of a study that is to come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.checks import show
from polyroc._base.display import titled
from polyroc._inference.pilot import Pilot, require_classes

if TYPE_CHECKING:
    from polyroc._compare.result import Comparison


def comparison_as_pilot(c: Comparison, models: Any) -> Pilot:
    """Return two models of a comparison as a pilot: those named, or the only two."""
    require_classes(c.measure)
    first, second = (c.models.index(name) for name in _two(c, models))
    both = [first, second]
    units = c.sizes if c.group_sizes is None else c.group_sizes
    rows, n_units = c.sizes, c.n_units
    if not c.paired:
        # Each has units of its own, and all of them have to grow.
        if c.group_sizes is not None and len(c.models) > 2 and n_units != units.sum():
            raise ValueError(
                "the models have groups of their own with rows of several classes; compare the two "
                "models alone"
            )
        n_units = n_units if len(c.models) == 2 else int(units[both].sum())
        units, rows = units[both].sum(axis=0), rows[both].sum(axis=0)
    return Pilot(
        titled(c.measure), (c.models[first], c.models[second]),
        (float(c.estimates[first]), float(c.estimates[second])),
        c.covariance[np.ix_(both, both)],
        dict(zip(c.classes, units.tolist(), strict=True)),
        c.unit, n_units, int(rows.sum()), c.paired,
    )  # fmt: skip


def _two(c: Comparison, models: Any) -> tuple[str, str]:
    if models is None:
        if len(c.models) > 2:
            raise ValueError(
                f"the pilot compares {len(c.models)} models, {show([*c.models])}; name two of "
                f"them, as models=({c.models[0]!r}, {c.models[1]!r})"
            )
        return c.models[0], c.models[1]
    named = list(models) if isinstance(models, (list, tuple)) else [models]
    if len(named) != 2 or named[0] == named[1] or any(n not in c.models for n in named):
        raise ValueError(
            f"models is {show(models)}; name two of {show([*c.models])}, the first and the second"
        )
    return named[0], named[1]
