"""What all results have in common: they are frozen, compare by value, and go into other forms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyroc._base.frame import data_frame
from polyroc._base.plain import plain
from polyroc._base.table import Drawing, Part, Table

if TYPE_CHECKING:
    from polyroc._base.types import Array


class Result:
    """The parent of results, which are frozen dataclasses.

    A result says what it holds (`_contents`), what it prints (`_parts`), and what its table is, in
    numbers (`_columns`) and as it is shown (`_table`). The rest is here.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return all there is as plain Python: numbers, strings, lists. Ready for JSON."""
        return {name: plain(value) for name, value in self._contents().items()}

    def to_frame(self, library: str | None = None, what: str | None = None) -> Any:
        """Return the result as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars"}, optional
            Whose; by default that of pandas, or of polars where pandas is not installed.
        what : None
            Which table, for results that have several, as a comparison has; there is one here.
        """
        refuse_what(what)
        return data_frame(self._columns(), library)

    def to_markdown(self) -> str:
        """Return the table of the result in Markdown, with as many digits as are printed."""
        return self._table().to_markdown()

    def to_latex(self) -> str:
        """Return the table of the result as a LaTeX tabular, with as many digits as are printed."""
        return self._table().to_latex()

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        from polyroc._base.html import html  # which nothing else needs

        return html(self._parts_of_html())

    def __repr__(self) -> str:
        return as_text(self._parts())

    def __eq__(self, other: object) -> bool:
        return same(vars(self), vars(other)) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        # Words and whole numbers are enough; arrays have no hash, and nan has another every time.
        words = (value for value in vars(self).values() if isinstance(value, (str, int)))
        return hash((type(self), *words))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled result; pickling forgets that arrays are read-only."""
        vars(self).update(state)
        self._freeze()

    def _freeze(self) -> None:
        array = np.ndarray
        for value in vars(self).values():
            if type(value) is array:
                value.setflags(write=False)

    def _contents(self) -> dict[str, Any]:
        """Return all that `to_dict` has, by name."""
        raise NotImplementedError

    def _parts(self) -> Iterable[Part]:
        """Yield what is printed: lines, tables, drawings."""
        raise NotImplementedError

    def _parts_of_html(self) -> Iterable[Part]:
        """Yield what notebooks show."""
        return self._parts()

    def _columns(self) -> dict[str, list[Any]]:
        """Return the columns of the data frame."""
        raise NotImplementedError

    def _table(self) -> Table:
        """Return the table as it is shown."""
        raise NotImplementedError


def refuse_what(what: str | None) -> None:
    """Raise if a table is asked for by name where there is one only."""
    if what is not None:
        raise TypeError(f"what is {what!r} but this result has one table only; leave `what` out")


def as_text(parts: Iterable[Part]) -> str:
    """Return the parts of a result as they are printed."""
    lines: list[str] = []
    for part in parts:
        if isinstance(part, str):
            lines.append(part)
        else:
            lines += part.lines if isinstance(part, Drawing) else part.lines()
    return "\n".join(lines)


def same(one: Any, other: Any) -> bool:
    """Tell whether two values are equal, arrays element by element, nan being equal to nan."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _same_arrays(np.asarray(one), np.asarray(other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and same(list(one.values()), list(other.values()))
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one) and is_dataclass(other):
        return type(one) is type(other) and same(vars(one), vars(other))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return bool(one == other)


def _same_arrays(one: Array, other: Array) -> bool:
    if one.dtype.kind in "biuf" and other.dtype.kind in "biuf":
        return np.array_equal(one, other, equal_nan=True)
    return one.shape == other.shape and same(one.ravel().tolist(), other.ravel().tolist())
