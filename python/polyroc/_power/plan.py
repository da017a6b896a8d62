"""The search for the least number of rows with enough power."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from polyroc._base.checks import share
from polyroc._power.checks import ratio_of_rows
from polyroc._power.limits import Rule
from polyroc._power.result import PowerAnalysis, normal_power

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyroc._power.checks import Test

_LEAST = 2  # a class with one row has no spread to estimate
MOST = 10**12
_WHOLE = 1e-12  # relative rounding: 1.1 x 10 is 11.000000000000002, and 11 rows will do


class Plan:
    """Two classes of rows, and the test that is to be made on them."""

    def __init__(
        self,
        estimates: tuple[float, ...],
        null: float,
        effect: float,
        errors: Callable[[int, int], tuple[float, float]],
        variance: str,
        test: Test,
        made: Callable[[Rule], float] | None = None,
        **options: Any,
    ) -> None:
        self.estimates, self.null, self.effect = estimates, null, effect
        self.errors, self.variance, self.test, self.made = errors, variance, test, made
        self.options = {**options, "reference": test.reference} if made else options

    def power(self, n_pos: int, n_neg: int) -> float:
        """Return the power of the test that is made, or of the textbook's where there is none."""
        if self.made is None:
            errors, test = self.errors(n_pos, n_neg), self.test
            return normal_power(self.effect, errors, test.alpha, test.alternative)
        return self.made(Rule(n_pos, n_neg, self.test.tail, self.test.reference))

    def at(self, n_pos: int, n_neg: int, requested: float | None = None) -> PowerAnalysis:
        """Return the analysis at these sizes."""
        if self.made is not None:
            for name, size in (("n_pos", n_pos), ("n_neg", n_neg)):
                if size < _LEAST:
                    raise ValueError(
                        f"{name} is {size}; a test takes the spread of every class from its rows: "
                        f"pass at least {_LEAST}"
                    )
        return PowerAnalysis(
            estimates=self.estimates,
            null=self.null,
            power=self.power(n_pos, n_neg),
            class_sizes=(("positive", n_pos), ("negative", n_neg)),
            requested=requested,
            alpha=self.test.alpha,
            alternative=self.test.alternative,
            variance=self.variance,
            standard_errors=self.errors(n_pos, n_neg),
            further=tuple((k, v) for k, v in self.options.items() if v is not None),
        )

    def smallest(self, power: Any, ratio: Any) -> PowerAnalysis:
        """Return the analysis at the least n_pos of enough power, n_neg being ratio n_pos."""
        wanted, ratio = share("power", power, "0.8"), ratio_of_rows(ratio)
        self.options["ratio"] = ratio
        sizes = least_rows(lambda *rows: self.power(*rows) >= wanted, ratio)
        if sizes is None:
            raise ValueError(
                f"no sample of up to {MOST:g} positive rows has power {wanted:g}; "
                "the values are too near each other"
            )
        return self.at(*sizes, wanted)


def least_rows(enough: Callable[[int, int], bool], ratio: float) -> tuple[int, int] | None:
    """Return the least n_pos that is enough with n_neg = ratio n_pos rounded up; None for no size.

    What is asked for grows with the rows, so that doubling and halving find it.
    """

    def sizes(n_pos: int) -> tuple[int, int]:
        return n_pos, max(_LEAST, math.ceil(ratio * n_pos * (1 - _WHOLE)))

    high = _LEAST
    while not enough(*sizes(high)):
        high *= 2
        if high > MOST:
            return None
    low = high // 2  # too few, or below the least
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(*sizes(middle)) else (middle, high)
    return sizes(high)
