"""Two models compared, and how such pairs are listed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import UNKNOWN, decimals, known, p_text
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._compare.one_sided import mirrored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polyroc._base.table import Part


@dataclass(frozen=True, eq=False)
class PairTest(Result):
    """Two models compared: `first` minus `second`.

    Attributes
    ----------
    first, second : str
        The models.
    difference, standard_error, low, high : float
        First minus second, its standard error and interval.
    statistic, p_value, p_adjusted : float
        The difference in standard errors (for a t-test with what these lack in small samples); the
        p-value of no difference, by itself and adjusted for the number of pairs. With
        ``reference="t"`` it is the level at which the interval meets 0.
    p_non_inferior, p_non_superior, p_equivalent : float
        With a margin: the one-sided p-values that first > second - margin and that
        first < second + margin, and the larger one of the two. Otherwise nan.
    freedom : float
        Degrees of freedom of Student's t, to which the difference is referred; infinite where it
        is the normal distribution.
    alternative : str
        What is tested: "two-sided", that first is "greater" than second, or "less".
    """

    first: str
    second: str
    difference: float
    standard_error: float
    low: float
    high: float
    statistic: float
    p_value: float
    p_adjusted: float
    p_non_inferior: float = math.nan
    p_non_superior: float = math.nan
    p_equivalent: float = math.nan
    freedom: float = math.inf
    alternative: str = "two-sided"

    def turned(self) -> PairTest:
        """Return the same with `second` minus `first`."""
        return replace(
            self, first=self.second, second=self.first, difference=0.0 - self.difference,
            low=0.0 - self.high, high=0.0 - self.low, statistic=0.0 - self.statistic,
            p_non_inferior=self.p_non_superior, p_non_superior=self.p_non_inferior,
            alternative=mirrored(self.alternative),
        )  # fmt: skip

    def _contents(self) -> dict[str, Any]:
        return dict(vars(self))

    def _columns(self) -> dict[str, list[Any]]:
        return pair_columns([self])

    def _parts(self) -> Iterable[Part]:
        yield self._table()

    def _table(self) -> Table:
        title = "p (adjusted)" if self.p_adjusted != self.p_value else ""
        return pair_table([self], "interval", title, not math.isnan(self.p_equivalent))


def pair_columns(pairs: Sequence[PairTest]) -> dict[str, list[Any]]:
    """Return pairs as the columns of a data frame, a line each."""
    return {name: [getattr(pair, name) for pair in pairs] for name in vars(pairs[0])}


def pair_table(
    pairs: Sequence[PairTest],
    interval: str,
    adjusted: str,
    with_margin: bool,
    titles: tuple[str, str] = ("models", "difference"),
) -> Table:
    """Return pairs as a table, a line each.

    `interval`, `adjusted` and `titles`, those of the names and of the numbers, are titles; p-values
    that are not adjusted have none.
    """
    digits = decimals(np.array([pair.standard_error for pair in pairs]))
    columns = [
        Column(titles[0], [f"{pair.first} - {pair.second}" for pair in pairs], left=True),
        Column(titles[1], [known(pair.difference, f"+.{digits}f") for pair in pairs]),
        Column(interval, [_limits(pair, digits) for pair in pairs], left=True),
        Column("p", [p_text(pair.p_value) for pair in pairs]),
    ]
    if adjusted:
        columns.append(Column(adjusted, [p_text(pair.p_adjusted) for pair in pairs]))
    if with_margin:
        columns.append(Column("p (non-inferior)", [p_text(pair.p_non_inferior) for pair in pairs]))
        columns.append(Column("p (equivalent)", [p_text(pair.p_equivalent) for pair in pairs]))
    return Table(columns)


def _limits(pair: PairTest, digits: int) -> str:
    if math.isnan(pair.low):
        return UNKNOWN
    if pair.alternative == "greater":
        return f"above {pair.low:+.{digits}f}"
    if pair.alternative == "less":
        return f"below {pair.high:+.{digits}f}"
    return f"{pair.low:+.{digits}f} to {pair.high:+.{digits}f}"
