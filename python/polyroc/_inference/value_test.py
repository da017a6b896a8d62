"""A measure tested against a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.display import known, p_sentence, p_text, titled
from polyroc._base.plain import plain_labels
from polyroc._base.result import Result
from polyroc._base.table import Column, Table
from polyroc._inference.measured import MOST_LINES, places_of
from polyroc._stats.normal_interval import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polyroc._base.table import Part
    from polyroc._measures.measure import Measure


@dataclass(frozen=True, eq=False, repr=False)
class ValueTest(Result):
    """A measure tested against a value; made by :meth:`polyroc.Estimate.test`.

    Attributes
    ----------
    p_value : float or ndarray
        The probability of an estimate at least as far from `null`, if that is the true value. An
        array for measures with one value per class, or for pairs; not adjusted for their number.
    statistic : float or ndarray
        How far the estimate lies above `null`, in standard errors, on the scale of the interval.
    null : float
        The value of the null hypothesis.
    alternative : str
        "two-sided", "greater" or "less".
    estimate : float or ndarray
        The measure on the data.
    method : str
        How: "t", "logit" (by the normal distribution), "plain t" or "plain" without a transform, or
        "newcombe" where the error is zero.
    measure : measure object
        What was computed.
    classes : tuple
        The label of each class.
    """

    measure: Measure[Any]
    estimate: Any
    null: float
    alternative: str
    statistic: Any
    p_value: Any
    method: str
    classes: tuple[Any, ...]

    def __post_init__(self) -> None:
        """Make arrays read-only."""
        self._freeze()

    def _contents(self) -> dict[str, Any]:
        special = {"measure": repr(self.measure), "classes": plain_labels(self.classes)}
        return {**vars(self), **special}

    def _columns(self) -> dict[str, list[Any]]:
        labels, kept = places_of(self.estimate, self.measure, self.classes)
        numbers = {
            name: np.ravel(getattr(self, name))[kept].tolist()
            for name in ("estimate", "statistic", "p_value")
        }
        count = len(numbers["estimate"])
        return {
            "measure": [titled(self.measure)] * count,
            **labels,
            "estimate": numbers["estimate"],
            "null": [self.null] * count,
            "statistic": numbers["statistic"],
            "p_value": numbers["p_value"],
            "alternative": [self.alternative] * count,
        }

    def _table(self) -> Table:
        columns = self._columns()
        # A measure names the only line; otherwise the classes do.
        kinds = ("class", "label", "first", "second") if np.ndim(self.estimate) else ("measure",)
        names = [name for name in kinds if name in columns]
        return Table(
            [
                *(Column(name, [str(cell) for cell in columns[name]], left=True) for name in names),
                Column("value", [known(value, ".4f") for value in columns["estimate"]]),
                Column("null", [f"{value:g}" for value in columns["null"]]),
                Column(self._symbol(), [known(value, ".2f") for value in columns["statistic"]]),
                Column("p", [p_text(value) for value in columns["p_value"]]),
            ]
        )

    def _symbol(self) -> str:
        return "t" if set(self.method.split(", ")) <= {"t", "plain t"} else "z"

    def _parts(self) -> Iterable[Part]:
        name = titled(self.measure)
        if not np.ndim(self.estimate):
            head = f"{name} {self.estimate:.4f} against {self.null:g}"
            yield f"{head}: {self._symbol()} = {self.statistic:.2f}, {p_sentence(self.p_value)}"
        else:
            table = self._table()
            each = self.measure.each if np.ndim(self.estimate) == 1 else "pair of classes"
            yield f"{name} against {self.null:g}, one test per {each}"
            if len(table.rows) <= MOST_LINES:
                yield table
            else:
                yield f"  {len(table.rows):,} tests: .statistic, .p_value, .to_frame()"
        kinds = ", ".join(NAMES[method] for method in self.method.split(", "))
        side = (
            "two-sided" if self.alternative == "two-sided" else f'one-sided ("{self.alternative}")'
        )
        yield f"  {side} test, {kinds}"
