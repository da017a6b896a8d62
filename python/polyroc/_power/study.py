"""A pilot study, given as numbers or as a result: what is tested, its variance, its units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyroc._base.checks import choose, number, share
from polyroc._power.checks import class_sizes, covariance_matrix
from polyroc._stats.normal_test import ALTERNATIVES

if TYPE_CHECKING:
    from polyroc._inference.pilot import Pilot


class Study(NamedTuple):
    """A pilot study, and the test that is to be made on more units of its kind."""

    values: tuple[float, ...]  # that are expected
    null: float
    spread: float  # the variance of what is tested, on the pilot's units
    sizes: dict[Any, int]  # units of each class
    alpha: float
    alternative: str
    pilot: Pilot | None  # where it is a result
    classes: tuple[Any, ...] = ()  # of a result, those without units included

    @property
    def effect(self) -> float:
        """What is expected, less what the null hypothesis says."""
        value = self.values[-1] - self.values[0] if len(self.values) == 2 else self.values[0]
        return value - self.null

    @property
    def effect_text(self) -> str:
        """What is expected and what the null hypothesis says, in words."""
        value = self.effect + self.null
        return f"the expected {_noun(self.values)} is {value:g} and null is {self.null:g}"

    def new_sizes(self, sizes: Any) -> dict[Any, int]:
        """Return the sizes of the classes that there will be."""
        if sizes is None:
            raise TypeError("new_sizes is missing; pass how many units of each class there will be")
        absent = [label for label in self.classes if label not in self.sizes]
        new = class_sizes("new_sizes", sizes, self.classes, absent)
        if new.keys() != self.sizes.keys():
            raise ValueError(
                f"new_sizes has the classes {[*new]} but sizes has {[*self.sizes]}; name the same"
            )
        return {label: new[label] for label in self.sizes}

    def n_groups(self, sizes: dict[Any, int]) -> int | None:
        """Return how many groups make these sizes; None where rows are by themselves.

        Where groups have rows of several classes, as in the pilot, there are fewer than the classes
        have together.
        """
        if self.pilot is None or self.pilot.unit == "row":
            return None
        if self.pilot.n_units == sum(self.sizes.values()):
            return sum(sizes.values())
        factor = min(sizes[label] / size for label, size in self.sizes.items())
        return max(math.ceil(factor * self.pilot.n_units), *sizes.values())


def read_study(
    estimate: Any, covariance: Any, sizes: Any, models: Any, expected: Any, null: Any, alpha: Any,
    alternative: Any,
) -> Study:  # fmt: skip
    """Check what is known of a pilot, and what is to be tested."""
    choose("alternative", alternative, ALTERNATIVES)
    share("alpha", alpha, "0.05")
    pilot = _pilot(estimate, covariance, sizes, models, expected)
    if pilot is None:
        values, matrix = _values("estimate", estimate), covariance
        units = class_sizes("sizes", sizes)
    else:
        values, matrix = pilot.values, pilot.covariance
        units = {label: size for label, size in pilot.sizes.items() if size}
    if null is None and len(values) == 1:
        raise ValueError("null is missing; pass the value that one estimate is tested against")
    contrast = np.array([1.0] if len(values) == 1 else [-1.0, 1.0])
    spread = float(contrast @ covariance_matrix(matrix, len(values)) @ contrast)
    if spread <= 0:
        raise ValueError(
            f"covariance gives the {_noun(values)} a variance of {spread:g}; the pilot must show "
            "some spread"
        )
    if expected is not None:
        values = _expected(expected, len(values))
    margin = 0.0 if null is None else number("null", null)
    classes = () if pilot is None else tuple(pilot.sizes)
    return Study(values, margin, spread, units, float(alpha), alternative, pilot, classes)


def _pilot(estimate: Any, covariance: Any, sizes: Any, models: Any, expected: Any) -> Pilot | None:
    """Return the pilot that a result is; None for numbers."""
    if isinstance(estimate, Mapping):  # of results, by measure
        one = next(iter(estimate), None)
        raise TypeError(
            f"the pilot is a {type(estimate).__name__} of several measures; pass that of one, as "
            f"pilot[{one!r}]"
        )
    if not hasattr(estimate, "_as_pilot"):
        for name, value in (("covariance", covariance), ("sizes", sizes)):
            if value is None:
                raise TypeError(
                    f"{name} is missing; pass it with the numbers of a pilot, or pass the result "
                    "of compare or delong itself"
                )
        for name, value in (("models", models), ("expected", expected)):
            if value is not None:
                raise TypeError(f"{name} goes with a result as the pilot; leave it out")
        return None
    for name, value in (("covariance", covariance), ("sizes", sizes)):
        if value is not None:
            kind = type(estimate).__name__
            raise TypeError(
                f"{name} is given but the pilot is a {kind}, which has its own; leave it out, and "
                "pass what else there is by name, as new_sizes="
            )
    pilot: Pilot = estimate._as_pilot(models)
    if not np.isfinite(pilot.covariance).all():
        raise ValueError(
            "the pilot has no standard errors; make it by method='delong' or 'bootstrap'"
        )
    return pilot


def _values(name: str, given: Any) -> tuple[float, ...]:
    if np.ndim(given) == 0:
        return (number(name, given),)
    values = tuple(number(f"{name}[{k}]", value) for k, value in enumerate(given))
    if len(values) > 2:
        raise ValueError(f"{name} has {len(values)} values; pass one, or those of two models")
    return values


def _expected(given: Any, count: int) -> tuple[float, ...]:
    values = _values("expected", given)
    if len(values) != count:
        what = "one, as the pilot has" if count == 1 else "those of both models"
        raise ValueError(f"expected has {len(values)} value{'s'[: len(values) > 1]}; pass {what}")
    return values


def _noun(values: tuple[float, ...]) -> str:
    return "difference" if len(values) == 2 else "value"
