"""What a result tells a study that is to come: values, their covariance, the units behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.display import titled

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._measures.measure import Measure


class Pilot(NamedTuple):
    """A result as a pilot study; results that can be one return it from `_as_pilot(models)`."""

    measure: str
    models: tuple[str, ...]  # whose the values are; none where there is one value
    values: tuple[float, ...]
    covariance: Floats  # of the values
    sizes: dict[Any, int]  # units of each class, none of them included
    unit: str
    n_units: int  # fewer than those of the classes together where groups have several classes
    n_rows: int
    paired: bool = True  # whether the models share their units


def require_classes(measure: Measure[Any]) -> None:
    """Raise for rows with many labels: their classes overlap, and do not add up to rows."""
    if measure.each == "label":
        raise ValueError(
            "the pilot has many labels per row, and no rows of one class that could be counted; "
            "its variance falls as 1 / rows: take (error / the one you need) ** 2 times as many"
        )


def pilot_of_one(result: Any, models: Any) -> Pilot:
    """Return a measure with its error as a pilot."""
    if models is not None:
        raise TypeError(f"models is {models!r} but the pilot has one model; leave models out")
    require_classes(result.measure)
    if np.ndim(result.estimate):
        each = "class" if np.ndim(result.estimate) == 1 else "pair of classes"
        raise ValueError(
            f"the pilot has one value per {each}; pass one of its values, with the square of its "
            "standard error and the sizes of the classes"
        )
    units = result.sizes if result.group_sizes is None else result.group_sizes
    return Pilot(
        titled(result.measure), (), (float(result.estimate),),
        np.array([[float(result.standard_error) ** 2]]),
        dict(zip(result.classes, map(int, units), strict=True)),
        result.unit, result.n_units, int(np.sum(result.sizes)),
    )  # fmt: skip
