"""Models compared on the rows of all shards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import p_text
from polyroc._base.public import public
from polyroc._base.result import Result, as_text
from polyroc._base.table import Column, Part, Table
from polyroc._pipelines.state_value import ByMeasure, rows_line

if TYPE_CHECKING:
    from polyroc._base.types import Floats
    from polyroc._compare.pair_test import PairTest
    from polyroc._pipelines.state_value import StateValue

_COLUMNS = (
    "first", "second", "difference", "standard_error", "low", "high", "p_value", "p_adjusted",
)  # fmt: skip


@public
@dataclass(frozen=True, eq=False, repr=False)
class StateComparison(Result):
    """A measure of several models on the same rows; made by :meth:`polyroc.InfluenceSums.compute`.

    Attributes
    ----------
    measure : str
        Its name.
    models : dict
        The :class:`StateValue` of each model.
    pairs : tuple
        Every two models: ``first``, ``second``, ``difference``, ``standard_error``, ``low``,
        ``high``, ``p_value``, and ``p_adjusted`` by Holm's method, as in :func:`polyroc.compare`.
    confidence : float
        Of intervals.
    difference, interval, p_value
        Of two models: those of the only pair.
    """

    measure: str
    models: dict[str, StateValue]
    pairs: tuple[PairTest, ...]
    confidence: float

    def _only(self) -> PairTest:
        if len(self.pairs) != 1:
            raise AttributeError(
                f"{len(self.models)} models have {len(self.pairs)} differences; see .pairs"
            )
        return self.pairs[0]

    @property
    def difference(self) -> float:
        """The first model's value minus the second's."""
        return self._only().difference

    @property
    def interval(self) -> Floats:
        """The limits of the difference."""
        return np.array([self._only().low, self._only().high])

    @property
    def p_value(self) -> float:
        """Of no difference."""
        return self._only().p_value

    def _contents(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "models": {name: value.to_dict() for name, value in self.models.items()},
            "pairs": [pair.to_dict() for pair in self.pairs],
            "confidence": self.confidence,
        }

    def _lines(self) -> list[str]:
        values = list(self.models.values())
        return [
            *(f"{name}: {value._line()}, {value._limits()}" for name, value in self.models.items()),
            *(
                f"{pair.first} - {pair.second}: {pair.difference:+.4f}, {pair.low:+.4f} to "
                f"{pair.high:+.4f}, p {p_text(pair.p_value)}"
                for pair in self.pairs
            ),
            rows_line(values[:1]),
        ]

    def _parts(self) -> Iterable[Part]:
        return self._lines()

    def _columns(self) -> dict[str, list[Any]]:
        return {name: [getattr(pair, name) for pair in self.pairs] for name in _COLUMNS}

    def _table(self) -> Table:
        return Table(
            [
                Column(
                    "models", [f"{pair.first} - {pair.second}" for pair in self.pairs], left=True
                ),
                Column("difference", [f"{pair.difference:+.4f}" for pair in self.pairs]),
                Column("low", [f"{pair.low:+.4f}" for pair in self.pairs]),
                Column("high", [f"{pair.high:+.4f}" for pair in self.pairs]),
                Column("p", [p_text(pair.p_value) for pair in self.pairs]),
            ]
        )


@public
class StateComparisons(ByMeasure[StateComparison]):
    """The comparisons of models by measure."""

    def __repr__(self) -> str:
        return as_text([line for value in self._values.values() for line in value._lines()])
